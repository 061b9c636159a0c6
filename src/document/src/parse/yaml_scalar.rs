//! The meaning of a YAML scalar according to the core schema of YAML 1.2: `no` and `2026-01-01` are
//! strings, `0o7` is seven, `010` is ten.

use saphyr_parser::Tag;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolved {
    Null,
    Bool(bool),
    Number,
    String,
}

/// The type of a scalar. A tag of the core schema takes precedence; any other tag makes it a
/// string.
pub(crate) fn resolve(value: &str, is_plain: bool, tag: Option<&Tag>) -> Resolved {
    let Some(tag) = tag else {
        return if is_plain {
            resolve_plain(value)
        } else {
            Resolved::String
        };
    };
    let wanted = match (tag.is_yaml_core_schema(), tag.suffix.as_str()) {
        (true, "null") => return Resolved::Null,
        (true, wanted @ ("bool" | "int" | "float")) => wanted,
        _ => return Resolved::String,
    };
    match (wanted, resolve_plain(value)) {
        ("bool", resolved @ Resolved::Bool(_)) | ("int" | "float", resolved @ Resolved::Number) => {
            resolved
        }
        _ => Resolved::String,
    }
}

pub(crate) fn resolve_plain(value: &str) -> Resolved {
    match value {
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        _ if is_number(value) => Resolved::Number,
        _ => Resolved::String,
    }
}

fn is_number(text: &str) -> bool {
    let starts_well = |byte: &u8| byte.is_ascii_digit() || b"+-.".contains(byte);
    if !text.as_bytes().first().is_some_and(starts_well) {
        return false;
    }
    let all = |digits: &str, valid: fn(&u8) -> bool| {
        !digits.is_empty() && digits.as_bytes().iter().all(valid)
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, u8::is_ascii_hexdigit);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return all(digits, |byte| (b'0'..=b'7').contains(byte));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    if exponent.is_some_and(|it| !all(it, u8::is_ascii_digit)) {
        return false;
    }
    match mantissa.split_once('.') {
        Some(("", fraction)) => all(fraction, u8::is_ascii_digit),
        Some((whole, fraction)) => {
            all(whole, u8::is_ascii_digit)
                && (fraction.is_empty() || all(fraction, u8::is_ascii_digit))
        }
        None => all(mantissa, u8::is_ascii_digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values_of_yaml_1_1_are_strings() {
        for text in [
            "no",
            "Yes",
            "on",
            "OFF",
            "y",
            "2026-01-26",
            "12:30:45",
            "1_000",
            "0b11",
            "08x",
            "-",
            ".",
            "+",
            "1e",
            "0o8",
            "e5",
        ] {
            assert_eq!(resolve_plain(text), Resolved::String, "{text}");
        }
        for text in [
            "0o7", "0xFF", "010", "+12", "-1.5e3", ".5", "5.", "1e5", ".inf", "-.INF", ".nan",
        ] {
            assert_eq!(resolve_plain(text), Resolved::Number, "{text}");
        }
        assert_eq!(resolve_plain("~"), Resolved::Null);
        assert_eq!(resolve_plain("TRUE"), Resolved::Bool(true));
        assert_eq!(resolve_plain("tRue"), Resolved::String);
    }
}
