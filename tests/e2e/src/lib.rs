//! Runs real Bazel in test workspaces: a warm Bazel server, a folder with files, and the output of
//! commands.
//!
//! Bazel is `./bazelw` of this repository, or `FIXPOINT_BAZEL`. The workspaces use the Fixpoint
//! binary that cargo built, or `FIXPOINT_BINARY`. Both are the same in every test of a run.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate exists to run programs on files, one of which listens on a port"
)]

mod command;
mod generate;
mod reference;
mod remote;
mod tree;
mod workspace;

pub use command::{Outcome, bazelw, binary, repository, run};
pub use generate::{PACKAGE, generate};
pub use reference::reference;
pub use remote::RemoteExecutor;
pub use tree::Tree;
pub use workspace::Workspace;
