//! Errors of engines. None of them contains a secret.

use std::time::Duration;

use thiserror::Error;

use super::patch::PatchError;

/// The part of a message of a program or a server that an error quotes, in characters.
pub(super) const MAX_MESSAGE: usize = 500;

/// Why an engine returned nothing usable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    #[error("the engine `{engine}` is not configured: {reason}")]
    NotConfigured {
        engine: &'static str,
        reason: String,
    },
    #[error("{program}: cannot be started: {reason}")]
    Start { program: String, reason: String },
    #[error("{program}: failed with {status}: {stderr}")]
    Exit {
        program: String,
        status: String,
        stderr: String,
    },
    #[error("no response within {} ms", .0.as_millis())]
    Timeout(Duration),
    #[error("the response has more than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the response is not one JSON object: {reason}")]
    NotJson { reason: String },
    #[error("the response lacks {}", fields.join(", "))]
    Missing { fields: Vec<&'static str> },
    #[error("the response has a wrong type for `{field}`: {expected} is expected")]
    WrongType {
        field: &'static str,
        expected: &'static str,
    },
    #[error("the server answered with status {status}: {message}")]
    Status { status: u16, message: String },
    #[error("the server asks to wait {} s, which is too long", .0.as_secs())]
    RateLimited(Duration),
    #[error("the request failed: {reason}")]
    Transport { reason: String },
    #[error("the model gave no answer: {reason}")]
    NoAnswer { reason: String },
    #[error("the patch is malformed: {0}")]
    Patch(#[from] PatchError),
}

impl EngineError {
    pub(super) fn no_answer(reason: &str) -> Self {
        Self::NoAnswer {
            reason: reason.chars().take(MAX_MESSAGE).collect(),
        }
    }

    /// Whether the content of the response is at fault, so that asking again may help.
    pub fn is_about_content(&self) -> bool {
        matches!(
            self,
            Self::NotJson { .. }
                | Self::Missing { .. }
                | Self::WrongType { .. }
                | Self::TooLarge { .. }
                | Self::NoAnswer { .. }
                | Self::Patch(_)
        )
    }
}
