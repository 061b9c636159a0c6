//! Numbers in their original notation, so that no digit is lost.

use std::fmt;

/// A number as written. Two numbers are equal if they have the same value, regardless of size and
/// notation: `1`, `1.0` and `10e-1` are equal. An infinity equals itself; NaN is not equal to
/// anything.
#[derive(Clone, Debug)]
pub struct Number {
    text: Box<str>,
}

impl Number {
    /// A number of JSON, YAML or TOML. The caller has checked the syntax.
    pub(crate) fn written(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into() }
    }

    pub fn as_written(&self) -> &str {
        &self.text
    }

    /// Whether the value is an integer, such as `1.0` or `1e3`.
    pub fn is_integer(&self) -> bool {
        matches!(self.form(), Form::Decimal(decimal) if decimal.exponent >= 0)
    }

    /// The nearest floating-point value.
    pub fn to_f64(&self) -> f64 {
        match self.to_json() {
            Some(json) => json.parse().unwrap_or(f64::NAN),
            None => match self.form() {
                Form::Infinite { negative: true } => f64::NEG_INFINITY,
                Form::Infinite { negative: false } => f64::INFINITY,
                _ => f64::NAN,
            },
        }
    }

    /// The number in JSON notation, as close to the original as possible. `None` for numbers that
    /// JSON cannot express.
    pub fn to_json(&self) -> Option<String> {
        if is_json(&self.text) {
            return Some(self.text.to_string());
        }
        match self.form() {
            Form::Decimal(decimal) => Some(decimal.to_string()),
            Form::Infinite { .. } | Form::Other => None,
        }
    }

    fn form(&self) -> Form {
        let plain: String = self.text.chars().filter(|it| *it != '_').collect();
        let (negative, rest) = match plain.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
        };
        let lower = rest.to_ascii_lowercase();
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if let Some(digits) = lower.strip_prefix(prefix) {
                return u128::from_str_radix(digits, radix).map_or(Form::Other, |value| {
                    Form::Decimal(Decimal::new(negative, &value.to_string(), 0))
                });
            }
        }
        if ["inf", ".inf", "infinity"].contains(&lower.as_str()) {
            return Form::Infinite { negative };
        }
        let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let is_decimal = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        match exponent.parse::<i64>() {
            Ok(exponent) if is_decimal => {
                let scale = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
                Form::Decimal(Decimal::new(
                    negative,
                    &digits,
                    exponent.saturating_sub(scale),
                ))
            }
            _ => Form::Other,
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::written(value.to_string())
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self::written(value.to_string())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.form(), other.form()) {
            (Form::Other, Form::Other) => {
                self.text == other.text && !self.text.to_ascii_lowercase().contains("nan")
            }
            (a, b) => a == b,
        }
    }
}

#[derive(PartialEq)]
enum Form {
    Decimal(Decimal),
    Infinite {
        negative: bool,
    },
    /// NaN, or a number that is too large for [`Decimal`].
    Other,
}

/// `digits` times ten to the `exponent`, without leading or trailing zeros. Zero has no digits.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn new(negative: bool, digits: &str, exponent: i64) -> Self {
        let digits = digits.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
        let is_zero = significant.is_empty();
        Self {
            negative: negative && !is_zero,
            digits: significant.to_owned(),
            exponent: if is_zero {
                0
            } else {
                exponent.saturating_add(dropped)
            },
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        if self.negative {
            f.write_str("-")?;
        }
        let places = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        match self.exponent {
            0..=20 => {
                let zeros = usize::try_from(self.exponent).unwrap_or_default();
                write!(f, "{}{}", self.digits, "0".repeat(zeros))
            }
            negative if negative < 0 && negative.saturating_neg() < places => {
                let point = usize::try_from(places + negative).unwrap_or_default();
                let (whole, fraction) = self.digits.split_at(point);
                write!(f, "{whole}.{fraction}")
            }
            exponent => write!(f, "{}e{exponent}", self.digits),
        }
    }
}

/// Whether `text` is a number according to the JSON grammar.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_equal_values_are_equal_in_any_notation() {
        let same = |a: &str, b: &str| Number::written(a) == Number::written(b);
        for (a, b) in [
            ("1", "1.0"),
            ("10e-1", "1"),
            ("0x1F", "31"),
            ("0o7", "7"),
            ("1_000", "1e3"),
            ("-0", "0"),
            ("+.5", "0.5"),
            (".inf", "+inf"),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
        assert!(!same("9007199254740993", "9007199254740992"));
        assert!(!same("1e400", "1e401"));
        assert!(!same(".nan", ".nan"));
        assert!(!same("-.inf", ".inf"));
    }

    #[test]
    fn json_keeps_the_notation_of_a_number_where_possible() {
        let json = |text: &str| Number::written(text).to_json();
        let huge = "123456789012345678901234567890.10";
        assert_eq!(json(huge).as_deref(), Some(huge));
        assert_eq!(json("0x10").as_deref(), Some("16"));
        assert_eq!(json("+1.50").as_deref(), Some("1.5"));
        assert_eq!(json("0700").as_deref(), Some("700"));
        assert_eq!(json(".inf"), None);
    }
}
