//! Scratch trees: copies of the user's files that commands may change, and patches on them.

mod changes;
mod git;
mod tree;

pub use changes::{Changes, FileState};
pub(crate) use git::checkout;
pub use git::{PatchError, PatchRepository};
pub use tree::{ScratchError, Tree};
