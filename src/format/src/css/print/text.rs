//! The spelling of strings, numbers, units and names.

use std::borrow::Cow;

/// Units in the spelling of the specification.
const UNITS: [&str; 57] = [
    "Hz", "Q", "cap", "ch", "cm", "cqb", "cqh", "cqi", "cqmax", "cqmin", "cqw", "deg", "dpcm",
    "dpi", "dppx", "dvb", "dvh", "dvi", "dvmax", "dvmin", "dvw", "em", "ex", "fr", "grad", "ic",
    "in", "kHz", "lh", "lvb", "lvh", "lvi", "lvmax", "lvmin", "lvw", "mm", "ms", "pc", "pt", "px",
    "rad", "rcap", "rch", "rem", "rex", "ric", "rlh", "s", "svb", "svh", "svi", "svmax", "svmin",
    "svw", "turn", "vb", "vh",
];
/// The rest of the units.
const MORE_UNITS: [&str; 5] = ["vi", "vmax", "vmin", "vw", "x"];

fn known_unit(unit: &str) -> Option<&'static str> {
    let mut units = UNITS.iter().chain(&MORE_UNITS);
    units
        .find(|known| known.eq_ignore_ascii_case(unit))
        .copied()
}

pub(super) fn unit(unit: &str) -> &str {
    known_unit(unit).unwrap_or(unit)
}

/// A string with the quotes that need fewer escapes; double quotes if both need the same.
pub(super) fn string(source: &str) -> Cow<'_, str> {
    let Some(inner) = source.get(1..source.len().saturating_sub(1)) else {
        return Cow::Borrowed(source);
    };
    let doubles = inner.bytes().filter(|byte| *byte == b'"').count();
    let singles = inner.bytes().filter(|byte| *byte == b'\'').count();
    let (quote, other) = if doubles > singles {
        ('\'', '"')
    } else {
        ('"', '\'')
    };
    if source.starts_with(quote) {
        return Cow::Borrowed(source);
    }
    let mut result = String::with_capacity(source.len());
    result.push(quote);
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\\' && matches!(chars.peek(), Some('"' | '\'' | '\\')) {
            let escaped = chars.next().unwrap_or(char);
            if escaped != other {
                result.push('\\');
            }
            result.push(escaped);
            continue;
        }
        if char == quote {
            result.push('\\');
        }
        result.push(char);
    }
    result.push(quote);
    Cow::Owned(result)
}

/// The end of the string that starts at `at`, if it is closed.
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        match *bytes.get(end)? {
            b'\\' => end += 2,
            byte if byte == bytes[at] => return Some(end + 1),
            _ => end += 1,
        }
    }
}

/// `text` with its strings in the preferred quotes.
pub(super) fn with_strings(text: &str) -> Cow<'_, str> {
    rewrite_strings(text, string)
}

pub(super) fn without_strings(text: &str) -> Cow<'_, str> {
    rewrite_strings(text, |_| Cow::Borrowed(""))
}

fn rewrite_strings(text: &str, rewrite: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['"', '\'']) {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut result = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while let Some(found) = memchr::memchr2(b'"', b'\'', &bytes[at..]) {
        at += found;
        let Some(end) = string_end(bytes, at) else {
            at += 1;
            continue;
        };
        result.push_str(&text[copied..at]);
        result.push_str(&rewrite(&text[at..end]));
        at = end;
        copied = end;
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// `text` with its numbers and their units in the preferred spelling. Digits of names and strings
/// are not numbers.
pub(super) fn with_numbers(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        if matches!(bytes[at], b'"' | b'\'')
            && let Some(end) = string_end(bytes, at)
        {
            at = end;
            continue;
        }
        if let Some(end) = name_end(bytes, at) {
            at = end;
            continue;
        }
        let length = digits_length(&bytes[at..]);
        if length == 0 {
            at += 1;
            continue;
        }
        let end = at + length;
        let letters = bytes[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic());
        let unit = &text[end..end + letters.count()];
        let unit_end = end + unit.len();
        let unit = match unit {
            "" => Some(""),
            "n" | "N" => Some("n"),
            _ => known_unit(unit),
        };
        if let Some(unit) = unit {
            result.push_str(&text[copied..at]);
            result.push_str(&number(&text[at..end]));
            result.push_str(unit);
            copied = unit_end;
        }
        at = unit_end;
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// The end of the name at `at` and of the number at its end. Without such a number, the end of the
/// name if no number can start inside of it.
fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii();
    let sign = usize::from(matches!(bytes[at], b'$' | b'@'));
    let first = at + sign;
    if !bytes.get(first).is_some_and(|byte| is_start(*byte)) {
        return None;
    }
    let is_name = |byte: &&u8| is_start(**byte) || byte.is_ascii_digit() || **byte == b'-';
    let end = first + bytes[first..].iter().take_while(is_name).count();
    let number = match bytes[end..] {
        [b'.', digit, ..] if digit.is_ascii_digit() => end,
        _ => match bytes[first + 1..end].iter().rposition(u8::is_ascii_digit) {
            Some(digit) => first + 1 + digit,
            None => return Some(end),
        },
    };
    let number_end = number + digits_length(&bytes[number..]);
    let letters = bytes[number_end..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic());
    Some(number_end + letters.count())
}

/// The length of the unsigned number at the start of `bytes`.
fn digits_length(bytes: &[u8]) -> usize {
    let digits = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default().iter();
        rest.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let fraction = if bytes.get(whole) == Some(&b'.') {
        digits(whole + 1)
    } else {
        0
    };
    let mut end = match (whole, fraction) {
        (0, 0) => return 0,
        (_, 0) => whole + usize::from(bytes.get(whole) == Some(&b'.')),
        _ => whole + 1 + fraction,
    };
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

/// A number with a digit before its point, and without zeros that have no value.
pub(super) fn number(source: &str) -> Cow<'_, str> {
    if source.bytes().all(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(source);
    }
    let lower = source.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, ""));
    let digits = mantissa.trim_start_matches(['+', '-']);
    let mut result = mantissa[..mantissa.len() - digits.len()].to_owned();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    result.push_str(if whole.is_empty() { "0" } else { whole });
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        result.push('.');
        result.push_str(fraction);
    }
    let is_negative = exponent.starts_with('-');
    let power = exponent
        .trim_start_matches(['+', '-'])
        .trim_start_matches('0');
    if !power.is_empty() {
        result.push_str(if is_negative { "e-" } else { "e" });
        result.push_str(power);
    }
    Cow::Owned(result)
}

/// A name in lower case, if its case has no meaning.
pub(super) fn lower_name(name: &str) -> Cow<'_, str> {
    let keeps_case = name.contains(['$', '@', '#'])
        || name.starts_with('%')
        || name.starts_with("--")
        || name.starts_with(":--")
        || name.contains('(') && name.contains(')');
    if keeps_case {
        Cow::Borrowed(name)
    } else {
        lower(name)
    }
}

pub(super) fn lower(text: &str) -> Cow<'_, str> {
    if text.chars().all(|char| char.to_lowercase().eq([char])) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

pub(super) fn last_line_has_comment(text: &str) -> bool {
    text.rsplit(['\n', '\r'])
        .next()
        .is_some_and(|line| line.contains("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_what_has_no_value() {
        for (source, printed) in [
            ("1.0", "1"),
            (".50", "0.5"),
            ("+.5", "+0.5"),
            ("1E+03", "1e3"),
            ("1e-0", "1"),
            ("1.50e-05", "1.5e-5"),
            ("007", "007"),
        ] {
            assert_eq!(number(source), printed, "{source}");
        }
    }

    #[test]
    fn numbers_in_names_and_strings_stay() {
        assert_eq!(with_numbers("a1.50 $b-.50 '1.0'"), "a1.50 $b-.50 '1.0'");
        assert_eq!(with_numbers("1.0PX+.5q 2N+1.0 3.0x4"), "1px+0.5Q 2n+1 3x4");
        assert_eq!(with_numbers("1.0abc"), "1.0abc");
    }

    #[test]
    fn strings_take_the_quotes_that_need_fewer_escapes() {
        assert_eq!(string("'a'"), "\"a\"");
        assert_eq!(string("'a\"b'"), "'a\"b'");
        assert_eq!(string("'a\\'b\\\\'"), "\"a'b\\\\\"");
        assert_eq!(with_strings("[a='b'] 'c"), "[a=\"b\"] 'c");
    }

    #[test]
    fn names_keep_significant_case() {
        assert_eq!(lower_name("COLOR"), "color");
        for name in ["$A", "@A", "--A", "%A", ":--A", "A(B)"] {
            assert_eq!(lower_name(name), name);
        }
    }
}
