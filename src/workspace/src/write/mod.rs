//! Replacing files: all files of a fix or none, and never one that is not what it was thought to
//! be.
//!
//! A write runs in phases, and the journal in `.fixpoint` names the one it is in:
//!
//! 1. check: every file of every group still holds its base bytes, or nothing is written;
//! 2. stage: the new bytes go to a temporary beside each file, and so do the old bytes where a
//!    group has several files;
//! 3. commit: one rename of the journal;
//! 4. replace: one rename per file, each after a last look at it;
//! 5. clean up.
//!
//! Whoever comes after a killed write knows from the journal's name what to do: before the commit
//! everything is taken back, which means removing temporaries; after it each group is finished, or
//! taken back if a person has changed one of its files meanwhile.

mod change;
mod durability;
mod journal;
mod metadata;
mod place;
mod recover;
mod replace;
mod state;

use thiserror::Error;

pub use change::{FileChange, Written};
pub use recover::{RecoverError, Recovery};
pub use state::StateError;

use crate::access::{AccessError, WriteAccess};
use crate::path::PathError;
use crate::read::ReadError;
use crate::root::Workspace;

/// Why files were not written. Unless the message says otherwise no file was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Target(#[from] ReadError),
    #[error(
        "changed since the fixes were computed: {}; nothing was written. Run `fixpoint check` \
         again, or the build that wrote the report, and repeat the command",
        .paths.join(", ")
    )]
    Stale { paths: Vec<String> },
    #[error(
        "read-only: {}; nothing was written. Make the files writable, or exclude them",
        .paths.join(", ")
    )]
    ReadOnly { paths: Vec<String> },
    #[error("{path} would be written twice with different text; nothing was written")]
    Twice { path: String },
    #[error(transparent)]
    State(#[from] StateError),
    #[error("an earlier write was interrupted; run the command again to recover it first")]
    NotRecovered,
    #[error("cannot write a copy of {path}: {source}; no file was changed")]
    Stage {
        path: String,
        source: std::io::Error,
    },
    #[error("cannot begin to replace files: {source}; no file was changed")]
    Commit { source: std::io::Error },
    #[error("{path} was changed while it was about to be replaced, and was left alone")]
    Changed { path: String },
    #[error("cannot replace {path}: {source}")]
    Replace {
        path: String,
        source: std::io::Error,
    },
    /// A group failed after the commit. Its files hold their old bytes, but for those in `kept`,
    /// which hold what somebody else has made of them.
    #[error(
        "{cause}. The fix it belongs to was taken back{}; {}",
        left_alone(.kept), done_before(.written)
    )]
    TakenBack {
        cause: Box<WriteError>,
        kept: Vec<String>,
        written: Vec<String>,
    },
    /// A group failed after the commit, and so did taking it back.
    #[error(
        "{cause}. The fix it belongs to is half written; the next `fixpoint fix` finishes it or \
         takes it back; {}",
        done_before(.written)
    )]
    Unfinished {
        cause: Box<WriteError>,
        written: Vec<String>,
    },
    #[error("all files are written, but cleaning up failed: {source}; the next run does it")]
    Leftover { source: std::io::Error },
}

fn left_alone(kept: &[String]) -> String {
    if kept.is_empty() {
        String::new()
    } else {
        format!(
            ", but for what somebody else has changed: {}",
            kept.join(", ")
        )
    }
}

fn done_before(written: &[String]) -> String {
    if written.is_empty() {
        "no other file was changed".to_owned()
    } else {
        format!("other fixes had been written: {}", written.join(", "))
    }
}

/// A moment in a write or a recovery, for tests that end the process or change a file there.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    DirectoryMade,
    LockOpened,
    Locked,
    JournalHalfWritten,
    Journaled,
    Created(&'a str),
    Staged(&'a str),
    Committed,
    Replacing(&'a str),
    Replaced(&'a str),
    Restored(&'a str),
    Done,
    Removed(&'a str),
    Cleared,
    Unlocked,
}

pub(crate) type Observer<'a> = dyn FnMut(Step<'_>) + 'a;

impl Workspace {
    /// Writes every group, each as a whole.
    ///
    /// All bases of all groups are checked first, and if one file is not what its change was
    /// computed from, nothing is written. A file that already holds its new text is left as it
    /// is. When writing fails midway, the groups written before stay and the error names them.
    /// Call [`Workspace::recover`] first.
    pub fn write(
        &self,
        groups: Vec<Vec<FileChange>>,
        access: &WriteAccess,
    ) -> Result<Written, WriteError> {
        self.write_observed(groups, access, &mut |_| {})
    }

    /// [`Workspace::write`] that tells `observe` where it is.
    #[doc(hidden)]
    pub fn write_observed(
        &self,
        groups: Vec<Vec<FileChange>>,
        access: &WriteAccess,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Written, WriteError> {
        access.check(self)?;
        let plan = change::Plan::check(self, groups)?;
        if plan.is_empty() {
            return Ok(plan.written());
        }
        let state = state::State::acquire(self.dir(), observe)?;
        let result = replace::run(self.dir(), &state, &plan, observe);
        state.release(self.dir(), observe);
        result.map(|()| plan.written())
    }

    /// Finishes or takes back what a killed write left. Every command that writes begins with it.
    pub fn recover(&self, access: &WriteAccess) -> Result<Recovery, RecoverError> {
        self.recover_observed(access, &mut |_| {})
    }

    /// [`Workspace::recover`] that tells `observe` where it is.
    #[doc(hidden)]
    pub fn recover_observed(
        &self,
        access: &WriteAccess,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Recovery, RecoverError> {
        access.check(self)?;
        if !state::State::exists(self.dir()) {
            return Ok(Recovery::default());
        }
        let state = state::State::acquire(self.dir(), observe)?;
        let result = recover::run(self.dir(), &state, observe);
        state.release(self.dir(), observe);
        result
    }
}
