//! The canonical form of strings, numbers and keys, and what they mean.

use std::borrow::Cow;

use super::token::{Kind, Token};

/// A value as prettier prints it.
pub(super) fn value<'t>(token: &Token<'t>) -> Cow<'t, str> {
    match token.kind {
        Kind::String => string(token.text),
        Kind::Number => number(token.text),
        _ => Cow::Borrowed(token.text),
    }
}

/// A key in double quotes. A number has quotes only if JavaScript prints it like that.
pub(super) fn key<'t>(token: &Token<'t>) -> Cow<'t, str> {
    match token.kind {
        Kind::Word => Cow::Owned(format!("\"{}\"", token.text)),
        Kind::Number => {
            let printed = number(token.text);
            if is_printed_so(&printed) {
                Cow::Owned(format!("\"{printed}\""))
            } else {
                printed
            }
        }
        _ => value(token),
    }
}

fn is_printed_so(number: &str) -> bool {
    let is_decimal = number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let Ok(value) = number.parse::<f64>() else {
        return false;
    };
    let has_no_exponent = value == 0.0 || (1e-6..1e21).contains(&value);
    is_decimal && has_no_exponent && value.to_string() == number
}

/// A string in double quotes.
fn string(text: &str) -> Cow<'_, str> {
    if !text.starts_with('\'') {
        return Cow::Borrowed(text);
    }
    let mut printed = String::with_capacity(text.len());
    printed.push('"');
    let mut chars = text[1..text.len() - 1].chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => printed.push_str("\\\""),
            '\\' => match chars.next() {
                Some('\'') => printed.push('\''),
                Some(escaped) => printed.extend(['\\', escaped]),
                None => {}
            },
            c => printed.push(c),
        }
    }
    printed.push('"');
    Cow::Owned(printed)
}

/// A number in lower case, without needless zeros, `+` and dots.
fn number(text: &str) -> Cow<'_, str> {
    let digits = text.trim_start_matches(['+', '-']);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain || digits.len() == 1 {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let (sign, digits) = lower.split_at(text.len() - digits.len());
    if digits.starts_with("0x") || digits.starts_with("0o") || digits.starts_with("0b") {
        return Cow::Owned(lower);
    }
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, ""));
    let mut printed = String::with_capacity(text.len() + 1);
    printed.push_str(sign);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    printed.push_str(if whole.is_empty() { "0" } else { whole });
    if let Some(first) = fraction.get(..1) {
        printed.push('.');
        printed.push_str(first);
        printed.push_str(fraction[1..].trim_end_matches('0'));
    }
    let is_negative = exponent.starts_with('-');
    let size = exponent
        .trim_start_matches(['+', '-'])
        .trim_start_matches('0');
    if !size.is_empty() {
        printed.push_str(if is_negative { "e-" } else { "e" });
        printed.push_str(size);
    }
    Cow::Owned(printed)
}

/// Adds what a literal means: the characters of a string, the value of a number.
pub(super) fn add_meaning(token: &Token<'_>, is_key: bool, meaning: &mut Vec<u8>) {
    match token.kind {
        Kind::String => {
            meaning.push(b'"');
            let mut chars = token.text[1..token.text.len() - 1].chars().peekable();
            let mut bytes = [0; 4];
            while let Some(c) = chars.next() {
                // A quote is the same with and without a backslash.
                let is_quote = |next: &char| matches!(next, '"' | '\'');
                if c == '\\' && chars.peek().is_some_and(is_quote) {
                    continue;
                }
                meaning.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
                if c == '\\'
                    && let Some(escaped) = chars.next()
                {
                    meaning.extend_from_slice(escaped.encode_utf8(&mut bytes).as_bytes());
                }
            }
            meaning.push(b'"');
        }
        Kind::Word if is_key => {
            meaning.push(b'"');
            meaning.extend_from_slice(token.text.as_bytes());
            meaning.push(b'"');
        }
        Kind::Number if is_key && is_printed_so(&number(token.text)) => {
            meaning.push(b'"');
            meaning.extend_from_slice(number(token.text).as_bytes());
            meaning.push(b'"');
        }
        Kind::Number => add_number(token.text, meaning),
        _ => meaning.extend_from_slice(token.text.as_bytes()),
    }
}

/// The significant digits of a number, and the position of the dot.
fn add_number(text: &str, meaning: &mut Vec<u8>) {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let is_decimal = |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let exponent = exponent.parse::<i64>().ok().filter(|n| n.abs() < 1 << 40);
    let begins_octal =
        mantissa.len() > 1 && mantissa.starts_with('0') && !mantissa[1..].starts_with('.');
    let Some(exponent) = exponent.filter(|_| is_decimal(mantissa) && !begins_octal) else {
        // Not a decimal number, or an unusual one: its canonical form.
        meaning.extend_from_slice(number(text).as_bytes());
        return;
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let leading = all.len() - significant.len();
    let point = match significant {
        "" => 0,
        _ => whole.len() as i64 - leading as i64 + exponent,
    };
    let sign = if lower.starts_with('-') { "-" } else { "" };
    let significant = significant.trim_end_matches('0');
    meaning.extend_from_slice(format!("{sign}.{significant}e{point}").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(kind: Kind, text: &str) -> Token<'_> {
        Token {
            kind,
            text,
            start: 0,
        }
    }

    #[test]
    fn numbers_are_short() {
        for (text, expected) in [
            ("1.0", "1.0"),
            ("1.500", "1.5"),
            ("-.50E+07", "-0.5e7"),
            ("5.", "5"),
            ("+1", "+1"),
            ("1e-00", "1"),
            ("0XAB", "0xab"),
            ("1_000.10", "1_000.1"),
            ("0", "0"),
        ] {
            assert_eq!(value(&token(Kind::Number, text)), expected);
        }
    }

    #[test]
    fn numbers_mean_their_value() {
        let meaning = |text: &str| {
            let mut meaning = Vec::new();
            add_meaning(&token(Kind::Number, text), false, &mut meaning);
            meaning
        };
        for (one, two) in [
            ("1.50", "1.5"),
            ("100", "1e2"),
            ("-0.05E1", "-.5"),
            ("0", "0.0"),
        ] {
            assert_eq!(meaning(one), meaning(two), "{one}");
        }
        for (one, two) in [
            ("1", "10"),
            ("1", "-1"),
            ("1e2", "1e3"),
            ("0x1", "1"),
            ("010", "10"),
        ] {
            assert_ne!(meaning(one), meaning(two), "{one}");
        }
    }

    #[test]
    fn keys_have_double_quotes() {
        for (kind, text, expected) in [
            (Kind::Word, "a", "\"a\""),
            (Kind::Number, "1", "\"1\""),
            (Kind::Number, "1e5", "1e5"),
            (
                Kind::Number,
                "999999999999999999999999",
                "999999999999999999999999",
            ),
            (Kind::String, r#"'a"\'\n'"#, r#""a\"'\n""#),
        ] {
            assert_eq!(key(&token(kind, text)), expected);
        }
    }
}
