//! Replaces files: all files of a fix or none, and never a file that has changed.
//!
//! A write runs in phases. The name of the journal in `.fixpoint` contains the current phase:
//!
//! 1. check: every file still has its base bytes and is writable, otherwise its group is rejected;
//! 2. stage: the new bytes are written to a temporary beside each file;
//! 3. commit: one rename of the journal;
//! 4. replace: each file is exchanged with its temporary, and exchanged back if the replaced file
//!    is not the one that was staged;
//! 5. clean up.
//!
//! After a kill, the journal's name determines the recovery. Before the commit, the temporaries are
//! removed. After the commit, each group is finished, or undone if somebody has changed one of its
//! files meanwhile. The journal is signed with a key of this user, so that a journal that comes
//! with a repository is not executed.

mod change;
mod checkout;
mod durability;
mod journal;
mod key;
mod location;
mod merge;
mod metadata;
mod outcome;
mod recover;
mod replace;
mod state;
mod target;

use checkout::Checkout;
use thiserror::Error;

pub use change::FileChange;
pub use outcome::{Refusal, RefusalReason, Written};
pub use recover::{RecoverError, Recovery};
pub use state::StateError;

use crate::access::{AccessError, WriteAccess};
use crate::root::Workspace;

/// Why files were not written. Unless the message says otherwise no file was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    #[error(transparent)]
    Access(#[from] AccessError),
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
    /// A group failed after the commit, and undoing it failed too.
    #[error(
        "{cause}. Its fix over several files is half written; the next `fixpoint fix` finishes or \
         undoes it, and writes the remaining fixes"
    )]
    Unfinished { cause: Refusal },
    #[error("all files are written, but cleaning up failed: {source}; the next run cleans up")]
    Leftover { source: std::io::Error },
}

/// A step of a write or a recovery. Tests end the process or change a file at a step.
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
    /// The file was compared for the last time before the names are exchanged.
    Compared(&'a str),
    /// The names were exchanged, but the replaced file was not compared yet.
    Exchanged(&'a str),
    /// On a file system without exchange: the file was moved away, so that its name is free.
    MovedAside(&'a str),
    /// The file was linked to its new name and still has the old one.
    Linked(&'a str),
    MovedIn(&'a str),
    Replaced(&'a str),
    Synced,
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
    /// A group is rejected if one of its files has changed since its change was computed, or cannot
    /// be replaced. The other groups are written. A file that already has its new text is not
    /// touched. Call [`Workspace::recover`] first.
    pub fn write(
        &self,
        groups: Vec<Vec<FileChange>>,
        access: &WriteAccess,
    ) -> Result<Written, WriteError> {
        self.write_observed(groups, access, &mut |_| {})
    }

    /// [`Workspace::write`] that reports each step to `observe`.
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
            return Ok(plan.written(replace::Replaced::default()));
        }
        let checkout = Checkout::to_write(self, access).map_err(StateError::root)?;
        let state = state::State::acquire(&checkout, observe)?;
        let result = replace::run(&checkout, &state, &plan, observe);
        state.release(self.dir(), observe);
        result.map(|replaced| plan.written(replaced))
    }

    /// Finishes or undoes a write that was killed. Every command that writes calls it first.
    pub fn recover(&self, access: &WriteAccess) -> Result<Recovery, RecoverError> {
        self.recover_observed(access, &mut |_| {})
    }

    /// [`Workspace::recover`] that reports each step to `observe`.
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
        let (checkout, key_problem) =
            Checkout::to_recover(self, access).map_err(StateError::root)?;
        let state = state::State::acquire(&checkout, observe)?;
        let result = recover::run(&checkout, access, &state, observe);
        state.release(self.dir(), observe);
        let mut recovery = result?;
        recovery.key_problem = key_problem.map(|problem| problem.to_string());
        Ok(recovery)
    }
}
