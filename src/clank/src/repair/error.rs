//! Errors of applying an op.

use thiserror::Error;

use super::op::PatchOp;

/// An op cannot be applied. None of the ops in the patch are applied then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatchError {
    #[error("there is no node `{id}`; compile again and use the ids of that result")]
    UnknownNode { id: String },
    #[error("two nodes are called `{id}`; give each node an id of its own")]
    DuplicateNode { id: String },
    #[error(
        "{description}: this does not hold; apply what the repair requires first, or compile again"
    )]
    Precondition { description: String },
    #[error("`{id}` is {found}; {op} is for {wanted}")]
    WrongNode {
        op: &'static str,
        id: String,
        found: String,
        wanted: &'static str,
    },
    #[error("`{id}` is called `{found}`, not `{expected}`; compile again")]
    OtherName {
        id: String,
        expected: String,
        found: String,
    },
    #[error("the wrapper has {found} places `{hole}`; it needs exactly one")]
    Holes { hole: String, found: usize },
    #[error("`{id}` already has `{name}`; choose another name")]
    Taken { id: String, name: String },
    #[error("`{id}` has {count} parameters, so there is no position {position}")]
    NoPosition {
        id: String,
        position: usize,
        count: usize,
    },
    #[error("`{name}` is not a name that Clank can read here")]
    NoName { name: String },
    #[error("calling it `{name}` would change what other names mean; choose another name")]
    Captured { name: String },
    #[error(
        "a template string reads what `{id}` declares, and its text is not changed; take the name out of it first"
    )]
    InTemplate { id: String },
    #[error("`{id}` cannot be left out; replace it instead")]
    Needed { id: String },
    #[error("{path}: {message}")]
    NoProgram { path: String, message: String },
    #[error("`{id}` has no form in text: {reason}; patch the AST instead")]
    NoText { id: String, reason: &'static str },
    #[error("the patched program has no form in text; print it as AST JSON with --emit=ast")]
    NoProgramText,
    #[error("the text and the tree would differ after the patch; patch the AST instead")]
    TextDiffers,
}

impl PatchError {
    /// The target of `op` is not what the op is for.
    pub(super) fn wrong_node(op: &PatchOp, found: &str, wanted: &'static str) -> Self {
        Self::WrongNode {
            op: op.name(),
            id: op.target().to_owned(),
            found: found.to_owned(),
            wanted,
        }
    }
}
