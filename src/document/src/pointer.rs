//! JSON pointers (RFC 6901).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A path from the root of a document to one of its values. The pointer to the root is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    tokens: Vec<String>,
}

/// The reason why a text is not a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PointerSyntaxError {
    #[error(
        "`{text}` is not a JSON pointer: it must be empty or start with `/`, as in `/app/name`"
    )]
    NoLeadingSlash { text: String },
    #[error("`{text}` is not a JSON pointer: inside a key, write `~` as `~0` and `/` as `~1`")]
    LoneTilde { text: String },
}

impl Pointer {
    pub fn root() -> Self {
        Self::default()
    }

    /// Parses the string form: `""`, `/app/name`, `/paths/~1users`.
    pub fn parse(text: &str) -> Result<Self, PointerSyntaxError> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err(PointerSyntaxError::NoLeadingSlash {
                text: text.to_owned(),
            });
        };
        let tokens = rest.split('/').map(|token| unescape(token, text));
        Ok(Self {
            tokens: tokens.collect::<Result<_, _>>()?,
        })
    }

    /// The tokens, unescaped.
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }

    pub fn is_root(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Appends a token, which must be unescaped.
    pub fn push(&mut self, token: impl Into<String>) {
        self.tokens.push(token.into());
    }

    /// Removes the last token. The root has none.
    pub fn pop(&mut self) -> Option<String> {
        self.tokens.pop()
    }

    /// The pointer extended by one token.
    #[must_use]
    pub fn join(&self, token: impl Into<String>) -> Self {
        let mut longer = self.clone();
        longer.push(token);
        longer
    }

    /// The pointer without its last token, and that token.
    pub fn split_last(&self) -> Option<(Self, &str)> {
        let (last, before) = self.tokens.split_last()?;
        Some((
            Self {
                tokens: before.to_vec(),
            },
            last,
        ))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in &self.tokens {
            f.write_str("/")?;
            f.write_str(&escape(token))?;
        }
        Ok(())
    }
}

impl FromStr for Pointer {
    type Err = PointerSyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl<T: Into<String>> FromIterator<T> for Pointer {
    fn from_iter<I: IntoIterator<Item = T>>(tokens: I) -> Self {
        Self {
            tokens: tokens.into_iter().map(Into::into).collect(),
        }
    }
}

/// Escapes a key for use in a pointer.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

fn unescape(token: &str, text: &str) -> Result<String, PointerSyntaxError> {
    let mut plain = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        plain.push(match (character, character == '~') {
            (_, true) => match characters.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => {
                    return Err(PointerSyntaxError::LoneTilde {
                        text: text.to_owned(),
                    });
                }
            },
            (other, false) => other,
        });
    }
    Ok(plain)
}

/// The array index that a token denotes: digits without a leading zero. `-`, which RFC 6901 uses
/// for the position after the last item, is not an existing item and gives `None`.
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let is_plain = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    let is_padded = token.len() > 1 && token.starts_with('0');
    (is_plain && !is_padded)
        .then(|| token.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slashes_and_tildes_are_escaped() {
        // F-45
        let pointer = Pointer::parse("/a~1b/m~0n/~01//").expect("a pointer");
        assert_eq!(pointer.tokens(), ["a/b", "m~n", "~1", "", ""]);
        assert_eq!(pointer.to_string(), "/a~1b/m~0n/~01//");
    }

    #[test]
    fn the_empty_text_is_the_root_and_a_slash_is_an_empty_key() {
        assert!(Pointer::parse("").is_ok_and(|it| it.is_root()));
        assert_eq!(Pointer::parse("/").expect("a pointer").tokens(), [""]);
    }

    #[test]
    fn invalid_pointers_are_rejected() {
        for wrong in ["a/b", "#/a", " /a"] {
            assert!(matches!(
                Pointer::parse(wrong),
                Err(PointerSyntaxError::NoLeadingSlash { .. })
            ));
        }
        for wrong in ["/~", "/a~2", "/~/"] {
            assert!(matches!(
                Pointer::parse(wrong),
                Err(PointerSyntaxError::LoneTilde { .. })
            ));
        }
    }

    #[test]
    fn an_index_has_exactly_one_notation() {
        assert_eq!(array_index("0"), Some(0));
        assert_eq!(array_index("10"), Some(10));
        for wrong in [
            "",
            "-",
            "-1",
            "00",
            "01",
            "+1",
            "1.0",
            "99999999999999999999999",
        ] {
            assert_eq!(array_index(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_pointer_round_trips_through_its_string_form(tokens in prop::collection::vec("[a~/01]{0,4}", 0..5)) {
            let pointer: Pointer = tokens.iter().map(String::as_str).collect();
            prop_assert_eq!(Pointer::parse(&pointer.to_string()), Ok(pointer));
        }
    }
}
