//! `.fixpoint` at the root: the lock of the one writer, and the journal of what it does.
//!
//! It exists while a write runs and after one that was killed; otherwise nothing is left.

use std::fs::{File, TryLockError};
use std::io::{self, Write};

use cap_std::fs::Dir;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;

use super::durability::sync_directory;
use super::journal::Journal;
use super::place::{look, open_directory, remove_file, same_file};
use super::{Observer, Step};
use crate::path::STATE_DIR;
use crate::read::ReadError;

const LOCK: &str = "lock";
const UNFINISHED_JOURNAL: &str = "journal-unfinished";

/// More than the times that two writers can get in each other's way while one leaves.
const ATTEMPTS: usize = 100;

/// How far a write came. The journal's file is named after it, so that each step onwards is one
/// rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Temporaries are being made. No user file is touched yet.
    Staging,
    /// All temporaries are whole. User files are being replaced.
    Committed,
    /// Every group is settled. Only temporaries are left to remove.
    Done,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Staging, Self::Committed, Self::Done];

    fn file_name(self) -> &'static str {
        match self {
            Self::Staging => "journal-staging",
            Self::Committed => "journal-committed",
            Self::Done => "journal-done",
        }
    }
}

/// Why the state directory could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StateError {
    #[error(
        "another fixpoint is writing this workspace (it holds .fixpoint/lock); \
         wait until it is done and run the command again"
    )]
    Locked,
    #[error(".fixpoint is not a directory; move it away, since writing needs that name")]
    NotADirectory,
    #[error(
        ".fixpoint/{file} is damaged, so an interrupted write cannot be finished. Every file is \
         whole, old or new; look at them, then remove the directory .fixpoint"
    )]
    Damaged { file: String },
    #[error("cannot use .fixpoint/{file}: {source}; no file was changed")]
    Io { file: String, source: io::Error },
}

/// The state directory, locked.
pub(crate) struct State {
    dir: OwnedFd,
    /// Holds the lock until it is closed.
    _lock: File,
}

impl State {
    /// Whether there is anything to recover, without making or locking anything.
    pub(crate) fn exists(root: &Dir) -> bool {
        rustix::fs::statat(root, STATE_DIR, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    pub(crate) fn acquire(root: &Dir, observe: &mut Observer<'_>) -> Result<Self, StateError> {
        for _ in 0..ATTEMPTS {
            match rustix::fs::mkdirat(root, STATE_DIR, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(state_error("", error)),
            }
            observe(Step::DirectoryMade);
            if let Some(state) = Self::try_acquire(root, observe)? {
                observe(Step::Locked);
                return Ok(state);
            }
        }
        Err(StateError::Locked)
    }

    /// Nothing when the directory was removed by its last user while we came.
    fn try_acquire(root: &Dir, observe: &mut Observer<'_>) -> Result<Option<Self>, StateError> {
        let dir = match open_directory(root, STATE_DIR) {
            Ok(dir) => dir,
            Err(error) => {
                return match Errno::from_io_error(&error) {
                    Some(Errno::NOENT) => Ok(None),
                    Some(Errno::NOTDIR | Errno::LOOP) => Err(StateError::NotADirectory),
                    _ => Err(state_error("", error)),
                };
            }
        };
        let flags =
            OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let lock = match rustix::fs::openat(&dir, LOCK, flags, Mode::from_raw_mode(0o644)) {
            Ok(lock) => File::from(lock),
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(state_error(LOCK, error)),
        };
        observe(Step::LockOpened);
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StateError::Locked),
            Err(TryLockError::Error(error)) => return Err(state_error(LOCK, error)),
        }
        // A lock on a file that its last holder has removed keeps nobody out.
        let path = format!("{STATE_DIR}/{LOCK}");
        let held = rustix::fs::fstat(&lock).map_err(|error| state_error(LOCK, error))?;
        match rustix::fs::statat(root, &path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) if same_file(&held, &named) => Ok(Some(Self { dir, _lock: lock })),
            _ => Ok(None),
        }
    }

    /// The journal of a write that was killed, and how far it came.
    pub(crate) fn load(&self) -> Result<Option<(Phase, Journal)>, StateError> {
        for phase in Phase::ALL {
            let file = phase.file_name();
            match look(&self.dir, file, file) {
                Err(ReadError::Vanished { .. }) => {}
                Ok(seen) => {
                    let journal = Journal::decode(seen.bytes());
                    let journal = journal.ok_or(StateError::Damaged { file: file.into() })?;
                    return Ok(Some((phase, journal)));
                }
                Err(ReadError::Io { source, .. }) => return Err(state_error(file, source)),
                Err(ReadError::Permission { .. }) => {
                    return Err(state_error(file, io::ErrorKind::PermissionDenied));
                }
                Err(_) => return Err(StateError::Damaged { file: file.into() }),
            }
        }
        Ok(None)
    }

    /// Writes the journal of a write that begins.
    pub(crate) fn begin(
        &self,
        root: &Dir,
        journal: &Journal,
        observe: &mut Observer<'_>,
    ) -> Result<(), StateError> {
        let written = self.write_new(journal, observe).and_then(|()| {
            self.rename(UNFINISHED_JOURNAL, Phase::Staging.file_name())?;
            sync_directory(&open_directory(root, "")?)
        });
        if let Err(error) = written {
            let _ = remove_file(&self.dir, UNFINISHED_JOURNAL);
            return Err(state_error(Phase::Staging.file_name(), error));
        }
        observe(Step::Journaled);
        Ok(())
    }

    fn write_new(&self, journal: &Journal, observe: &mut Observer<'_>) -> io::Result<()> {
        remove_file(&self.dir, UNFINISHED_JOURNAL)?;
        let flags =
            OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o644);
        let mut file = File::from(rustix::fs::openat(
            &self.dir,
            UNFINISHED_JOURNAL,
            flags,
            mode,
        )?);
        let bytes = journal.encode();
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        observe(Step::JournalHalfWritten);
        file.write_all(second)?;
        file.sync_all()
    }

    /// Moves the journal on, durably: from here a killed write is recovered by the next rule.
    pub(crate) fn advance(&self, from: Phase, to: Phase) -> io::Result<()> {
        self.rename(from.file_name(), to.file_name())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        rustix::fs::renameat(&self.dir, from, &self.dir, to)?;
        sync_directory(&self.dir)
    }

    /// Removes the journal.
    pub(crate) fn clear(&self) -> io::Result<()> {
        Phase::ALL
            .into_iter()
            .try_for_each(|phase| remove_file(&self.dir, phase.file_name()))
    }

    /// Lets the next writer in. The directory goes unless a journal or somebody's file is in it.
    pub(crate) fn release(self, root: &Dir, observe: &mut Observer<'_>) {
        // Left behind, these disturb nobody; the next writer removes them.
        let _ = remove_file(&self.dir, UNFINISHED_JOURNAL);
        let _ = remove_file(&self.dir, LOCK);
        observe(Step::Unlocked);
        let _ = rustix::fs::unlinkat(root, STATE_DIR, AtFlags::REMOVEDIR);
    }
}

fn state_error(file: &str, source: impl Into<io::Error>) -> StateError {
    StateError::Io {
        file: file.into(),
        source: source.into(),
    }
}
