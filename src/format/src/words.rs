//! The words of a text, in order. A printer without a meaning check must at least not lose,
//! duplicate or reorder them. Words exclude what printers may change: quotes, brackets, separators,
//! the case of keywords and colors, and numbers.

/// The runs of letters in lower case, each followed by a space.
pub(crate) fn words(text: &str) -> Vec<u8> {
    let mut words = Vec::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        if c.is_alphabetic() {
            let mut bytes = [0; 4];
            words.extend_from_slice(c.to_ascii_lowercase().encode_utf8(&mut bytes).as_bytes());
            inside = true;
        } else if inside {
            words.push(b' ');
            inside = false;
        }
    }
    if inside {
        words.push(b' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_depend_on_order_and_not_on_layout() {
        assert_eq!(words("a('b',\n  #FFF)"), words("a(\"b\", #fff);"));
        assert_ne!(words("import b, a"), words("import a, b"));
        assert_ne!(words("a b"), words("ab"));
        assert_eq!(words("ä"), "ä ".as_bytes());
    }
}
