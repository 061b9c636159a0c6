//! Rejects texts that only an attack or an accident produces, before a recursive parser reads them.

use super::ParseError;

/// The maximum length of a text in bytes.
const MAX_LENGTH: usize = 8 << 20;
/// The maximum nesting of brackets, including those in strings and comments.
const MAX_DEPTH: usize = 500;

pub(crate) fn check(text: &str) -> Result<(), ParseError> {
    if text.len() > MAX_LENGTH {
        return Err(ParseError::TooLong {
            length: text.len(),
            limit: MAX_LENGTH,
        });
    }
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth > MAX_DEPTH {
            return Err(ParseError::TooDeep {
                at,
                limit: MAX_DEPTH,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_and_long_texts_are_rejected() {
        assert!(check(&"(".repeat(MAX_DEPTH)).is_ok());
        assert!(matches!(
            check(&"(".repeat(MAX_DEPTH + 1)),
            Err(ParseError::TooDeep { at: MAX_DEPTH, .. })
        ));
        assert!(matches!(
            check(&" ".repeat(MAX_LENGTH + 1)),
            Err(ParseError::TooLong { .. })
        ));
    }
}
