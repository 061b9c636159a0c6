//! Reads a rules file key by key. Errors contain the position and the expected input.

use fixpoint_document::{Entry, Node};
use fixpoint_text::Span;
use thiserror::Error;

/// An error in a rules file, and its position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct RulesError {
    pub message: String,
    pub span: Span,
}

pub(super) fn fail<T>(span: Span, message: impl Into<String>) -> Result<T, RulesError> {
    Err(RulesError {
        message: message.into(),
        span,
    })
}

/// An object of the file that has only known keys.
#[derive(Clone, Copy)]
pub(super) struct Table<'d> {
    pub node: Node<'d>,
}

impl<'d> Table<'d> {
    pub fn new(node: Node<'d>, what: &str, known: &[&str]) -> Result<Self, RulesError> {
        if node.kind() != fixpoint_document::Kind::Object {
            return fail(
                start(node),
                format!("{what} must be an object with {}", known.join(", ")),
            );
        }
        if let Some(twice) = node.duplicate_keys().first() {
            return fail(twice.key_span, format!("`{}` occurs twice", twice.key));
        }
        for entry in node.members() {
            known_word(entry.key, known, entry.key_span, "key")?;
        }
        Ok(Self { node })
    }

    pub fn get(self, key: &str) -> Option<Entry<'d>> {
        self.node.get(key)
    }

    pub fn required(self, key: &str) -> Result<Entry<'d>, RulesError> {
        let found = self.get(key);
        found.map_or_else(|| fail(start(self.node), format!("`{key}` is missing")), Ok)
    }

    /// The string at a key. `None` if the key is missing.
    pub fn text(self, key: &str) -> Result<Option<&'d str>, RulesError> {
        self.get(key).map(text).transpose()
    }

    /// One of several words at a key. `None` if the key is missing.
    pub fn word(self, key: &str, known: &[&str]) -> Result<Option<&'d str>, RulesError> {
        let Some(entry) = self.get(key) else {
            return Ok(None);
        };
        let word = text(entry)?;
        known_word(word, known, entry.value.span(), "word")?;
        Ok(Some(word))
    }

    /// The list of strings at a key. Empty if the key is missing.
    pub fn texts(self, key: &str) -> Result<Vec<String>, RulesError> {
        let Some(entry) = self.get(key) else {
            return Ok(Vec::new());
        };
        let wrong = || {
            fail(
                entry.key_span,
                format!("`{key}` must be an array of strings"),
            )
        };
        if entry.value.kind() != fixpoint_document::Kind::Array {
            return wrong();
        }
        let texts = entry.value.items().map(|it| it.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<_>>>().map_or_else(wrong, Ok)
    }
}

pub(super) fn text(entry: Entry<'_>) -> Result<&str, RulesError> {
    let text = entry.value.as_str();
    text.map_or_else(
        || fail(entry.key_span, format!("`{}` must be a string", entry.key)),
        Ok,
    )
}

/// The position where a value starts.
pub(super) fn start(node: Node<'_>) -> Span {
    Span::at(node.span().start())
}

fn known_word(word: &str, known: &[&str], at: Span, what: &str) -> Result<(), RulesError> {
    if known.contains(&word) {
        return Ok(());
    }
    let nearest = known
        .iter()
        .map(|it| (strsim::damerau_levenshtein(word, it), *it))
        .min();
    let advice = match nearest {
        Some((distance, nearest)) if distance <= 3 => format!("did you mean `{nearest}`?"),
        _ => format!("expected one of {}", known.join(", ")),
    };
    fail(at, format!("unknown {what} `{word}`; {advice}"))
}
