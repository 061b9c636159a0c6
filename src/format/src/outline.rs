//! What printing must preserve: valid syntax, comments and meaning. The parsers used here come from
//! other crates than the printers, where a second parser exists.

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::printer::guarded;
use crate::{FormatError, Language, depth, text, words};

/// The comments and the meaning of a text, without its layout.
pub(crate) struct Outline {
    pub(crate) comments: Vec<Span>,
    pub(crate) meaning: Meaning,
}

/// The meaning of a text, in a form that can be compared.
#[derive(PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Equal if and only if the texts mean the same.
    Exact(Vec<u8>),
    /// One meaning for each of several parsers; `None` for a parser that rejects the text.
    Readings(Vec<Option<Vec<u8>>>),
    /// If the words differ, the texts differ in more than layout. Equal words prove nothing.
    Words(Vec<u8>),
    Unknown,
}

impl Meaning {
    /// Whether `other`, printed from this text, has the same meaning. `None` if unknown.
    pub(crate) fn same(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Readings(one), Self::Readings(two)) => Some(same_readings(one, two)),
            (Self::Exact(one), Self::Exact(two)) => Some(one == two),
            (Self::Words(one), Self::Words(two)) if one != two => Some(false),
            _ => None,
        }
    }

    pub(crate) fn of_words(text: &str) -> Self {
        Self::Words(words::words(text))
    }
}

/// Whether every parser that accepts `one` accepts `two` and reads the same. False if no parser
/// accepts `one`.
fn same_readings(one: &[Option<Vec<u8>>], two: &[Option<Vec<u8>>]) -> bool {
    let mut read = one
        .iter()
        .zip(two)
        .filter(|(one, _)| one.is_some())
        .peekable();
    read.peek().is_some() && read.all(|(one, two)| one == two)
}

/// Checks the syntax of `text`. Languages without a grammar always pass.
pub fn parses(language: Language, path: &str, text: &str) -> Result<(), SyntaxError> {
    let checked = guarded(language, || {
        depth::check(language, text)?;
        match language {
            #[cfg(feature = "json")]
            Language::Json | Language::Jsonc => crate::json::parses(language, text),
            #[cfg(feature = "yaml")]
            Language::Yaml => crate::yaml::parses(text),
            #[cfg(feature = "toml")]
            Language::Toml => crate::toml::parses(text),
            #[cfg(feature = "python")]
            Language::Python => crate::python::parses(path, text),
            #[cfg(feature = "typescript")]
            Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
                crate::typescript::parses(language, path, text)
            }
            #[cfg(feature = "css")]
            Language::Css => crate::css::parses(text),
            #[cfg(feature = "html")]
            Language::Html => crate::html::parses(text),
            #[cfg(feature = "graphql")]
            Language::GraphQl => crate::graphql::parses(text),
            #[cfg(feature = "starlark")]
            Language::Starlark => crate::starlark::parses(text),
            #[cfg(feature = "clank")]
            Language::Clank => crate::clank::parses(text),
            _ => Ok(()),
        }
        .map_err(FormatError::Syntax)
    });
    match checked {
        Ok(()) => Ok(()),
        Err(FormatError::Syntax(error)) => Err(error.within(text)),
        Err(other) => Err(SyntaxError::new(
            other.to_string(),
            Span::from(0..text.len()),
        )),
    }
}

/// The byte spans of all comments, in order. If the text does not parse, as many as can be found.
pub fn comments(language: Language, path: &str, text: &str) -> Vec<Span> {
    guarded(language, || {
        depth::check(language, text)?;
        Ok(match language {
            #[cfg(feature = "json")]
            Language::Json | Language::Jsonc => crate::json::comments(text),
            #[cfg(feature = "yaml")]
            Language::Yaml => crate::yaml::comments(text),
            #[cfg(feature = "toml")]
            Language::Toml => crate::toml::comments(text),
            #[cfg(feature = "markdown")]
            Language::Markdown => crate::markdown::comments(text),
            #[cfg(feature = "python")]
            Language::Python => crate::python::comments(path, text),
            #[cfg(feature = "typescript")]
            Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
                crate::typescript::comments(language, path, text)
            }
            #[cfg(feature = "css")]
            Language::Css => crate::css::comments(text),
            #[cfg(feature = "html")]
            Language::Html => crate::html::comments(text),
            #[cfg(feature = "graphql")]
            Language::GraphQl => crate::graphql::comments(text),
            #[cfg(feature = "starlark")]
            Language::Starlark => crate::starlark::comments(text),
            #[cfg(feature = "clank")]
            Language::Clank => crate::clank::comments(text),
            _ => text::comments(text),
        })
    })
    .unwrap_or_default()
}

/// Whether both texts have the same meaning. `None` means unknown. `Some(true)` is possible only
/// for JSON, YAML, TOML, Python, TypeScript, JavaScript, CSS, GraphQL and Clank.
pub fn same_meaning(language: Language, path: &str, one: &str, two: &str) -> Option<bool> {
    #[cfg(feature = "typescript")]
    if language.is_script() {
        return guarded(language, || {
            depth::check(language, one)?;
            depth::check(language, two)?;
            Ok(crate::typescript::same_meaning(language, path, one, two))
        })
        .ok()?;
    }
    let one = outline(language, path, one).ok()?;
    let two = outline(language, path, two).ok()?;
    one.meaning.same(&two.meaning)
}

pub(crate) fn outline(language: Language, path: &str, text: &str) -> Result<Outline, FormatError> {
    guarded(language, || {
        depth::check(language, text)?;
        match language {
            #[cfg(feature = "json")]
            Language::Json | Language::Jsonc => crate::json::outline(language, text),
            #[cfg(feature = "yaml")]
            Language::Yaml => crate::yaml::outline(text),
            #[cfg(feature = "toml")]
            Language::Toml => crate::toml::outline(text),
            #[cfg(feature = "python")]
            Language::Python => crate::python::outline(path, text),
            #[cfg(feature = "typescript")]
            Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
                crate::typescript::outline(language, path, text)
            }
            #[cfg(feature = "css")]
            Language::Css => Ok(crate::css::outline(text)),
            #[cfg(feature = "graphql")]
            Language::GraphQl => crate::graphql::outline(text),
            #[cfg(feature = "clank")]
            Language::Clank => crate::clank::outline(text),
            Language::Text => Ok(Outline {
                comments: text::comments(text),
                meaning: Meaning::Unknown,
            }),
            // The Starlark printer has checked its own result, and it sorts unordered items.
            #[cfg(feature = "starlark")]
            Language::Starlark => Ok(Outline {
                comments: crate::starlark::comments(text),
                meaning: Meaning::Unknown,
            }),
            #[cfg(feature = "markdown")]
            Language::Markdown => Ok(Outline {
                comments: crate::markdown::comments(text),
                meaning: Meaning::Words(crate::markdown::meaning(text)),
            }),
            // For the other languages the printer is the parse check, and its second pass has just
            // run.
            _ => Ok(Outline {
                comments: comments(language, path, text),
                meaning: Meaning::of_words(text),
            }),
        }
        .map_err(|error: SyntaxError| FormatError::Syntax(error.within(text)))
    })
}
