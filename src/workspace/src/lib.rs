//! The workspace on disk: finds files, reads them and replaces them.
//!
//! All other crates compute on bytes. This crate reads those bytes, and it is the only one that
//! writes them back. It writes nothing without a [`WriteAccess`], which only a command that a
//! person starts can obtain.
#![allow(
    clippy::disallowed_methods,
    reason = "this is the crate that reads and writes files and asks git"
)]

mod access;
mod changed;
mod digest_cache;
mod find;
mod generated;
mod git;
mod global;
mod ignores;
mod memory;
mod outputs;
mod path;
mod read;
mod repository;
mod revisions;
mod root;
mod rules_folder;
mod store;
mod walk;
mod write;

pub use access::{AccessError, WriteAccess};
pub use changed::ChangedError;
pub use digest_cache::DigestCache;
pub use find::{Excludes, FindError, Found, SkipReason, Skipped};
pub use generated::{GENERATED_LIST, Generated, listed_paths, write_generated};
pub use git::GitError;
pub use memory::bound_address_space;
pub use outputs::{OutputError, write_outputs};
pub use path::PathError;
pub use read::{MAX_FILE_SIZE, MAX_REPORT_SIZE, ReadError, read_file, read_text_file};
pub use revisions::{ChangedText, RevisionTexts};
pub use root::{CONFIG_FILE, Workspace, WorkspaceError, normalized};
pub use rules_folder::{RULES_FOLDER, RulesFolder, StoredRule};
pub use write::{
    FileChange, RecoverError, Recovery, Refusal, RefusalReason, StateError, WriteError, Written,
};

#[doc(hidden)]
pub use write::Step;
