//! Evaluates literal tokens.

use super::TokenKind;
use crate::ast::{IntSuffix, Text};

/// The maximum number of digits in a literal.
pub const MAX_DIGITS: usize = 10_000;

/// The value of an integer token in decimal, and its suffix. `None` if it is too long.
pub fn int_value(text: &str) -> Option<(Text, Option<IntSuffix>)> {
    let is_its_value = !text.starts_with('0') || text.len() == 1;
    if is_its_value && text.len() <= MAX_DIGITS && text.bytes().all(|it| it.is_ascii_digit()) {
        return Some((text.into(), None));
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let is_binary = text.starts_with("0b") || text.starts_with("0B");
    let (digits, suffix) = if let Some(digits) = text.strip_suffix("i32") {
        (digits, Some(IntSuffix::I32))
    } else if let Some(digits) = text.strip_suffix("i64") {
        (digits, Some(IntSuffix::I64))
    } else {
        (text, None)
    };
    let digits = if is_hex || is_binary {
        digits.get(2..).unwrap_or_default()
    } else {
        digits
    };
    let digits: Vec<u32> = digits.chars().filter_map(|it| it.to_digit(16)).collect();
    if digits.len() > MAX_DIGITS {
        return None;
    }
    let value = if is_hex || is_binary {
        to_decimal(&digits, if is_hex { 16 } else { 2 })
    } else {
        digits
            .iter()
            .filter_map(|it| char::from_digit(*it, 10))
            .collect()
    };
    let trimmed = value.trim_start_matches('0');
    let value = if trimmed.is_empty() { "0" } else { trimmed };
    Some((value.into(), suffix))
}

fn to_decimal(digits: &[u32], radix: u64) -> String {
    const BASE: u64 = 1_000_000_000;
    let mut limbs: Vec<u64> = Vec::new();
    for digit in digits {
        let mut carry = u64::from(*digit);
        for limb in &mut limbs {
            let value = *limb * radix + carry;
            *limb = value % BASE;
            carry = value / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    limbs
        .iter()
        .rev()
        .map(|limb| format!("{limb:09}"))
        .collect()
}

/// The character that an escape represents.
pub(super) fn escape(char: char) -> Option<char> {
    Some(match char {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        '\\' | '"' | '\'' | '$' | '`' => char,
        _ => return None,
    })
}

/// The value of a string token of any form.
pub fn string_value(kind: TokenKind, text: &str) -> String {
    let quote = if kind == TokenKind::TripleString {
        3
    } else {
        1
    };
    let mut body = text
        .get(quote..text.len().saturating_sub(quote))
        .unwrap_or_default();
    if kind == TokenKind::TripleString {
        body = body
            .strip_prefix('\n')
            .or_else(|| body.strip_prefix("\r\n"))
            .unwrap_or(body);
    }
    let mut value = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    let mut depth = 0_usize;
    while let Some(char) = chars.next() {
        match char {
            '$' if kind == TokenKind::TemplateLiteral
                && depth == 0
                && chars.peek() == Some(&'{') =>
            {
                chars.next();
                value.push_str("${");
                depth = 1;
                continue;
            }
            '{' if depth > 0 => depth += 1,
            '}' if depth > 0 => depth -= 1,
            // As in the lexer, an escaped brace is not counted.
            '\\' if depth > 0 => {
                value.push(char);
                value.extend(chars.next());
                continue;
            }
            '\\' => {
                match chars.next() {
                    // An escaped dollar must stay distinguishable from one that starts an
                    // interpolation.
                    Some('$') if kind == TokenKind::TemplateLiteral => value.push_str("\\$"),
                    Some(next) => match escape(next) {
                        Some(meant) => value.push(meant),
                        None => value.extend(['\\', next]),
                    },
                    None => value.push('\\'),
                }
                continue;
            }
            _ => {}
        }
        value.push(char);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_and_base_become_decimal() {
        // K-45
        let big = int_value("9007199254740993").map(|it| it.0);
        assert_eq!(big.as_deref(), Some("9007199254740993"));
        let hex = int_value("0xFFFF_FFFF_FFFF_FFFF_FFFF").map(|it| it.0);
        assert_eq!(hex.as_deref(), Some("1208925819614629174706175"));
        assert_eq!(
            int_value("0b101i32"),
            Some(("5".into(), Some(IntSuffix::I32)))
        );
        assert_eq!(int_value("007"), Some(("7".into(), None)));
    }

    #[test]
    fn strings_lose_their_quotes_and_escapes() {
        assert_eq!(
            string_value(TokenKind::StringLiteral, r#""a\n\"b""#),
            "a\n\"b"
        );
        assert_eq!(
            string_value(TokenKind::TripleString, "\"\"\"\n a\\q\"\"\""),
            " a\\q"
        );
        assert_eq!(
            string_value(TokenKind::TemplateLiteral, "`x ${f(\"\\n\")}\\t`"),
            "x ${f(\"\\n\")}\t"
        );
    }
}
