//! Errors of a configuration file. Each names the file, the line, the key and the reason.

use fixpoint_workspace::ReadError;
use thiserror::Error;

/// Why a configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{file}:{line}: {message}")]
    Syntax {
        file: String,
        line: usize,
        message: String,
    },
    #[error("{file}:{line}: `{key}`: {reason}")]
    Key {
        file: String,
        line: usize,
        /// The key with the names of its sections, such as `openai.timeout_ms`.
        key: String,
        reason: Box<Reason>,
    },
}

/// What is wrong with a key or its value.
///
/// A value that may be a secret by mistake, such as an API key instead of the name of its variable,
/// is never quoted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("unknown key{}", suggestion(nearest.as_deref()))]
    UnknownKey { nearest: Option<String> },
    #[error("the key occurs more than once; remove one of them")]
    DuplicateKey,
    #[error("{expected} is expected, but the value is {found}")]
    WrongType {
        expected: &'static str,
        found: &'static str,
    },
    #[error("anchors, aliases and tags are not supported; write the value out")]
    UnsupportedYaml,
    #[error("a whole number from {min} to {max} is expected, in decimal digits")]
    OutOfRange { min: u64, max: u64 },
    #[error("`{found}` is not one of {accepted}{}", suggestion(nearest.as_deref()))]
    NotAccepted {
        found: String,
        accepted: String,
        nearest: Option<String>,
    },
    #[error("the list must not be empty")]
    EmptyList,
    #[error("the text must not be empty")]
    EmptyText,
    #[error("control characters are not allowed")]
    ControlCharacter,
    #[error(
        "the name of an environment variable is expected: letters, digits and `_`, and not its value"
    )]
    NotAVariable,
    #[error("{problem}")]
    Url { problem: &'static str },
    #[error("`{glob}` is not a valid glob: {problem}")]
    Glob { glob: String, problem: String },
    #[error(
        "`diff.{key}` is {limit}, which is more than the ceiling `diff.{ceiling_key}`, {ceiling}; \
         raise the ceiling or lower the limit"
    )]
    CeilingBelowLimit {
        key: &'static str,
        limit: u64,
        ceiling_key: &'static str,
        ceiling: u64,
    },
    #[error(
        "a command is required for the engine `{engine}`; set it to a list such as [my-engine]"
    )]
    Required { engine: &'static str },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |key| format!("; did you mean `{key}`?"))
}
