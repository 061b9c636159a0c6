//! The keys by which tokens of a stylesheet are compared.

use std::borrow::Cow;

use super::token::{Kind, number_end};

/// Whether letter case is significant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Exact,
    Ignore,
}

/// A letter that distinguishes the kinds of tokens.
pub(super) fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::Space | Kind::Comment => b' ',
        Kind::Ident => b'i',
        Kind::Function => b'f',
        Kind::AtKeyword => b'@',
        Kind::Hash => b'#',
        Kind::String => b'"',
        Kind::Url | Kind::Bad => b'u',
        Kind::Number => b'0',
        Kind::Percentage => b'%',
        Kind::Dimension => b'd',
        Kind::HtmlComment => b'<',
        Kind::Colon => b':',
        Kind::Semicolon => b';',
        Kind::Comma => b',',
        Kind::Open => b'(',
        Kind::Close => b')',
        Kind::Delimiter => b'.',
    }
}

pub(super) fn of(kind: Kind, source: &str, case: Case) -> Cow<'_, [u8]> {
    match kind {
        Kind::String => string(&source[1..source.len() - 1]),
        Kind::Url | Kind::Bad if source.to_ascii_lowercase().starts_with("url(") => url(source),
        Kind::Number | Kind::Percentage | Kind::Dimension => Cow::Owned(number(source)),
        Kind::Function if source.eq_ignore_ascii_case("url(") => Cow::Borrowed(b"url("),
        _ => name(source, case),
    }
}

/// The key of a name. The case of custom names, which begin with two hyphens, is always kept.
pub(super) fn name(source: &str, case: Case) -> Cow<'_, [u8]> {
    let bytes = source.as_bytes();
    let is_lower = !bytes.iter().any(u8::is_ascii_uppercase);
    if case == Case::Exact || is_lower || source.starts_with("--") {
        Cow::Borrowed(bytes)
    } else {
        Cow::Owned(bytes.to_ascii_lowercase())
    }
}

/// A URL without white space and without the difference of quotes, which it has only if it is not
/// valid CSS.
fn url(source: &str) -> Cow<'_, [u8]> {
    let key = source.bytes().filter(|byte| !byte.is_ascii_whitespace());
    Cow::Owned(
        key.map(|byte| if byte == b'\'' { b'"' } else { byte })
            .collect(),
    )
}

/// The contents of a string without the escapes of quotes.
fn string(contents: &str) -> Cow<'_, [u8]> {
    if !contents.contains("\\\"") && !contents.contains("\\'") {
        return Cow::Borrowed(contents.as_bytes());
    }
    let mut key = String::with_capacity(contents.len());
    let mut chars = contents.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some(quote @ ('"' | '\'')) => key.push(quote),
                Some(escaped) => key.extend(['\\', escaped]),
                None => key.push('\\'),
            },
            _ => key.push(char),
        }
    }
    Cow::Owned(key.into_bytes())
}

/// The value of a number, and its unit: the digits without zeros that have no value, and the
/// exponent.
fn number(source: &str) -> Vec<u8> {
    let end = number_end(source.as_bytes(), 0);
    let (number, unit) = (source[..end].to_ascii_lowercase(), &source[end..]);
    let (mantissa, exponent) = number.split_once('e').unwrap_or((&number, ""));
    let digits = mantissa.trim_start_matches(['+', '-']);
    let sign = &mantissa[..mantissa.len() - digits.len()];
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    let power = exponent
        .trim_start_matches(['+', '-'])
        .trim_start_matches('0');
    let minus = if exponent.starts_with('-') && !power.is_empty() {
        "-"
    } else {
        ""
    };
    // The separator distinguishes an exponent from a unit.
    let key = format!(
        "{sign}{whole}.{fraction}e{minus}{power} {}",
        unit.trim_end().to_ascii_lowercase()
    );
    key.into_bytes()
}

pub(super) fn is_color(hash: &str) -> bool {
    matches!(hash.len(), 4 | 5 | 7 | 9) && hash.bytes().skip(1).all(|it| it.is_ascii_hexdigit())
}

/// The step and the offset of a position such as `2n+1`; `None` if it is not valid.
pub(super) fn position(text: &str) -> Option<(i64, i64)> {
    match text {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let digits = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| text.parse::<i64>().ok()).flatten()
    };
    let signed = |text: &str| match text.strip_prefix('-') {
        Some(rest) => digits(rest).map(|value| -value),
        None => digits(text.strip_prefix('+').unwrap_or(text)),
    };
    let Some((step, offset)) = text.split_once('n') else {
        return Some((0, signed(text)?));
    };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        _ => signed(step)?,
    };
    let offset = offset.trim_start();
    let offset = match offset.as_bytes().first() {
        None => 0,
        Some(b'+') => digits(offset[1..].trim_start())?,
        Some(b'-') => -digits(offset[1..].trim_start())?,
        _ => return None,
    };
    Some((step, offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_compared_by_value() {
        for text in ["2n+1", "2n + 1", "+2n +1", "02n+ 01", "odd"] {
            assert_eq!(position(text), Some((2, 1)), "{text}");
        }
        assert_eq!(position("-n- 3"), Some((-1, -3)));
        assert_eq!(position("+5"), Some((0, 5)));
        for text in [
            "",
            "n 1",
            "+ n",
            "2 n",
            "n+-1",
            "1.5",
            "n+",
            "--n",
            "99999999999999999999",
        ] {
            assert_eq!(position(text), None, "{text}");
        }
    }
}
