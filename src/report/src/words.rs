//! Converts enum values to and from the lower-case words of the JSON form:
//! `SAFETY_BEHAVIOR_PRESERVING` is `behavior_preserving`.

use thiserror::Error;

use crate::wire::{
    Confidence, Exit, Kind, PatchKind, PointerKind, Provenance, RejectionReason, Safety, Severity,
};

/// A word that is not a value of its enum.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown word `{word}`, expected one of {}", expected.join(", "))]
pub struct UnknownWord {
    pub word: String,
    pub expected: Vec<String>,
}

/// An enum of the schema. Its values start at 1; 0 means unspecified.
pub trait Words: TryFrom<i32> + Copy {
    const PREFIX: &'static str;

    fn schema_name(self) -> &'static str;
}

/// The word for a value, or `None` for 0 and for values that the schema does not define.
pub fn word<E: Words>(value: i32) -> Option<String> {
    let known = E::try_from(value).ok().filter(|_| value != 0)?;
    known
        .schema_name()
        .strip_prefix(E::PREFIX)
        .map(str::to_ascii_lowercase)
}

/// The enum value for a word.
pub fn parse_word<E: Words>(text: &str) -> Result<E, UnknownWord> {
    let words = || (1..).map_while(word::<E>);
    (1..)
        .zip(words())
        .find(|(_, known)| known == text)
        .and_then(|(value, _)| E::try_from(value).ok())
        .ok_or_else(|| UnknownWord {
            word: text.to_owned(),
            expected: words().collect(),
        })
}

/// The confidence level for a number from 0 to 1.
pub fn confidence_from_number(number: f64) -> Confidence {
    if number >= 0.90 {
        Confidence::High
    } else if number >= 0.75 {
        Confidence::Medium
    } else {
        Confidence::Low
    }
}

macro_rules! words {
    ($($module:ident: $enum:ident, $prefix:literal;)*) => {$(
        impl Words for $enum {
            const PREFIX: &'static str = $prefix;

            fn schema_name(self) -> &'static str {
                self.as_str_name()
            }
        }

        pub(crate) mod $module {
            use super::{$enum, parse_word, word};

            pub(crate) fn serialize<S: serde::Serializer>(
                value: &i32,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                match word::<$enum>(*value) {
                    Some(word) => serializer.serialize_str(&word),
                    None => Err(serde::ser::Error::custom(concat!("no ", stringify!($module)))),
                }
            }

            pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<i32, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                parse_word::<$enum>(&text)
                    .map(i32::from)
                    .map_err(serde::de::Error::custom)
            }
        }
    )*};
}

words! {
    confidence: Confidence, "CONFIDENCE_";
    exit: Exit, "EXIT_";
    kind: Kind, "KIND_";
    patch_kind: PatchKind, "PATCH_KIND_";
    pointer_kind: PointerKind, "POINTER_KIND_";
    provenance: Provenance, "PROVENANCE_";
    rejection_reason: RejectionReason, "REJECTION_REASON_";
    safety: Safety, "SAFETY_";
    severity: Severity, "SEVERITY_";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_the_documents() {
        // C-30
        assert_eq!(word::<Safety>(1).as_deref(), Some("behavior_preserving"));
        assert_eq!(
            parse_word("boundary_validation"),
            Ok(Kind::BoundaryValidation)
        );
        assert_eq!(word::<Safety>(0), None);
        assert_eq!(word::<Safety>(99), None);
    }

    #[test]
    fn an_unknown_word_error_lists_the_valid_words() {
        let error = parse_word::<Confidence>("sure").expect_err("not a word");
        assert_eq!(
            error.to_string(),
            "unknown word `sure`, expected one of high, medium, low"
        );
        assert!(parse_word::<Confidence>("unspecified").is_err());
    }

    #[test]
    fn numbers_map_to_levels_at_the_documented_borders() {
        //
        assert_eq!(confidence_from_number(1.0), Confidence::High);
        assert_eq!(confidence_from_number(0.90), Confidence::High);
        assert_eq!(confidence_from_number(0.899), Confidence::Medium);
        assert_eq!(confidence_from_number(0.75), Confidence::Medium);
        assert_eq!(confidence_from_number(0.749), Confidence::Low);
        assert_eq!(confidence_from_number(f64::NAN), Confidence::Low);
    }
}
