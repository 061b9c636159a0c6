//! Normalizes numbers: octal digits get the prefix `0o`, exponents lose `+` and leading zeros.
//! zeros.

use crate::tree::{Flags, NodeId, Tree};

pub(super) fn normalize(tree: &mut Tree<'_>, numbers: &[NodeId]) {
    for &id in numbers {
        let node = tree.node(id);
        let text = if node.flags.has(Flags::REPLACED) {
            String::from_utf8_lossy(&tree.texts[node.a as usize]).into_owned()
        } else {
            let text = tree.source(id);
            if !text.contains('.') && !text.starts_with('0') {
                continue;
            }
            text.to_owned()
        };
        let new = float(octal(text.clone()));
        if new != text {
            tree.replace(id, new.into_bytes());
        }
    }
}

fn octal(text: String) -> String {
    match text.as_bytes() {
        [b'0', b'0'..=b'9', ..] => format!("0o{}", &text[1..]),
        _ => text,
    }
}

fn float(text: String) -> String {
    if !text.contains('.') {
        return text;
    }
    let text = if text.starts_with('.') {
        format!("0{text}")
    } else {
        text
    };
    let Some(at) = text.find('e').or_else(|| text.find('E')) else {
        return text;
    };
    let exponent = text[at + 1..].trim_start_matches(['0', '+']);
    // An exponent that consists of zeros becomes `0`.
    let exponent = if exponent.is_empty() { "0" } else { exponent };
    format!("{}e{exponent}", &text[..at])
}

#[cfg(test)]
mod tests {
    use super::{float, octal};

    #[test]
    fn numbers_have_one_spelling() {
        let cases = [
            ("00", "0o0"),
            ("0755", "0o755"),
            ("0x10", "0x10"),
            (".5", "0.5"),
            ("1.0E+05", "1.0e5"),
            ("1.5e-05", "1.5e-05"),
            ("1E+5", "1E+5"),
            ("1.0e0", "1.0e0"),
        ];
        for (from, to) in cases {
            assert_eq!(float(octal(from.to_owned())), to);
        }
    }
}
