//! The directory `.fixpoint` at the root. It contains the lock of the writer and the journal of its
//! write.
//!
//! It exists while a write runs and after a write that was killed. Otherwise it is removed.

use std::fs::{File, TryLockError};
use std::io::{self, Write};

use cap_std::fs::Dir;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;

use super::checkout::{Checkout, Seal};
use super::durability::sync_directory;
use super::journal::Journal;
use super::location::{look, open_directory, remove_file, same_file};
use super::{Observer, Step};
use crate::path::STATE_DIR;
use crate::read::{MAX_FILE_SIZE, ReadError};

const LOCK: &str = "lock";
const JOURNAL_PREFIX: &str = "journal-";
const UNFINISHED: &str = "unfinished";

/// An attempt fails if another writer releases the lock at the same time. That does not happen this
/// often.
const ATTEMPTS: usize = 100;

/// The phase of a write. The journal's file name contains the phase and the writer's tag. So each
/// step is one rename, and a journal of another user is never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Temporaries are being created. No user file is changed yet.
    Staging,
    /// All temporaries are complete. User files are being replaced.
    Committed,
    /// Every group is finished or undone. Only temporaries are left to remove.
    Done,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Staging, Self::Committed, Self::Done];

    fn name(self) -> &'static str {
        match self {
            Self::Staging => "staging",
            Self::Committed => "committed",
            Self::Done => "done",
        }
    }
}

/// Why the state directory could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StateError {
    #[error(
        "another fixpoint process is writing this workspace (it has locked .fixpoint/lock); \
         wait until it is done and run the command again"
    )]
    Locked,
    #[error(".fixpoint is not a directory; rename it, since writing needs that name")]
    NotADirectory,
    #[error(
        ".fixpoint/{file} is damaged, so an interrupted write cannot be finished. Every file is \
         complete, old or new; review them, then remove .fixpoint/{file}"
    )]
    Damaged { file: String },
    #[error("too many files for one write; no file was changed. Fix one folder at a time")]
    TooManyFiles,
    #[error("cannot use .fixpoint/{file}: {source}; no file was changed")]
    Io { file: String, source: io::Error },
}

impl StateError {
    /// The error if the root itself cannot be used.
    pub(crate) fn root(source: io::Error) -> Self {
        state_error("", source)
    }
}

/// The state directory, locked.
pub(crate) struct State {
    dir: OwnedFd,
    /// The tag of the journals that this process reads and writes.
    tag: String,
    /// Holds the lock until it is unlocked or closed.
    lock: File,
}

impl Drop for State {
    /// A child process of another thread inherits the open lock file until it runs its own program.
    /// So closing the file may not release the lock.
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

impl State {
    /// Whether there may be something to recover. Creates and locks nothing.
    pub(crate) fn exists(root: &Dir) -> bool {
        rustix::fs::statat(root, STATE_DIR, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    pub(crate) fn acquire(
        checkout: &Checkout<'_>,
        observe: &mut Observer<'_>,
    ) -> Result<Self, StateError> {
        let root = checkout.dir();
        for _ in 0..ATTEMPTS {
            match rustix::fs::mkdirat(root, STATE_DIR, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(state_error("", error)),
            }
            observe(Step::DirectoryMade);
            if let Some((dir, lock)) = Self::try_acquire(root, observe)? {
                observe(Step::Locked);
                return Ok(Self {
                    dir,
                    tag: checkout.tag().to_owned(),
                    lock,
                });
            }
        }
        Err(StateError::Locked)
    }

    /// `None` if another writer has removed the directory or the lock file meanwhile.
    fn try_acquire(
        root: &Dir,
        observe: &mut Observer<'_>,
    ) -> Result<Option<(OwnedFd, File)>, StateError> {
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
        // A lock on a removed file is useless: others can create and lock a new file.
        let path = format!("{STATE_DIR}/{LOCK}");
        let held = rustix::fs::fstat(&lock).map_err(|error| state_error(LOCK, error))?;
        match rustix::fs::statat(root, &path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) if same_file(&held, &named) => Ok(Some((dir, lock))),
            _ => Ok(None),
        }
    }

    fn journal_name(&self, phase: &str) -> String {
        format!("{JOURNAL_PREFIX}{}-{phase}", self.tag)
    }

    /// The journal of an interrupted write of this user, and its phase.
    pub(crate) fn load(&self, seal: &Seal) -> Result<Option<(Phase, Journal)>, StateError> {
        for phase in Phase::ALL {
            let file = self.journal_name(phase.name());
            match look(&self.dir, &file, &file) {
                Err(ReadError::Vanished { .. }) => {}
                Ok(seen) => {
                    let journal = Journal::decode(seen.bytes(), seal);
                    let journal = journal.ok_or(StateError::Damaged { file })?;
                    return Ok(Some((phase, journal)));
                }
                Err(ReadError::Io { source, .. }) => return Err(state_error(&file, source)),
                Err(ReadError::Permission { .. }) => {
                    return Err(state_error(&file, io::ErrorKind::PermissionDenied));
                }
                Err(_) => return Err(StateError::Damaged { file }),
            }
        }
        Ok(None)
    }

    /// The names of journals that this user did not write for this checkout, sorted.
    pub(crate) fn foreign_journals(&self) -> Result<Vec<String>, StateError> {
        let ours = format!("{JOURNAL_PREFIX}{}-", self.tag);
        let failed = |error: Errno| state_error("", error);
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy();
            if name.starts_with(JOURNAL_PREFIX) && !name.starts_with(&ours) {
                names.push(name.into_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Writes the journal of a new write.
    pub(crate) fn begin(
        &self,
        checkout: &Checkout<'_>,
        journal: &Journal,
        observe: &mut Observer<'_>,
    ) -> Result<(), StateError> {
        let bytes = journal.encode(checkout.seal());
        // A larger journal could not be read after a kill.
        if bytes.len() as u64 > MAX_FILE_SIZE {
            return Err(StateError::TooManyFiles);
        }
        let written = self.write_new(&bytes, observe).and_then(|()| {
            self.rename(UNFINISHED, Phase::Staging.name())?;
            sync_directory(&open_directory(checkout.dir(), "")?)
        });
        if let Err(error) = written {
            let _ = self.remove_journal(UNFINISHED);
            return Err(state_error(
                &self.journal_name(Phase::Staging.name()),
                error,
            ));
        }
        observe(Step::Journaled);
        Ok(())
    }

    fn write_new(&self, bytes: &[u8], observe: &mut Observer<'_>) -> io::Result<()> {
        self.remove_journal(UNFINISHED)?;
        let flags =
            OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o644);
        let name = self.journal_name(UNFINISHED);
        let mut file = File::from(rustix::fs::openat(&self.dir, name, flags, mode)?);
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        observe(Step::JournalHalfWritten);
        file.write_all(second)?;
        file.sync_all()
    }

    /// Renames the journal durably. From here on, a killed write is recovered by the rule for `to`.
    pub(crate) fn advance(&self, from: Phase, to: Phase) -> io::Result<()> {
        self.rename(from.name(), to.name())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (self.journal_name(from), self.journal_name(to));
        rustix::fs::renameat(&self.dir, from, &self.dir, to)?;
        sync_directory(&self.dir)
    }

    fn remove_journal(&self, phase: &str) -> io::Result<()> {
        remove_file(&self.dir, &self.journal_name(phase))
    }

    /// Removes the journal.
    pub(crate) fn clear(&self) -> io::Result<()> {
        Phase::ALL
            .into_iter()
            .try_for_each(|phase| self.remove_journal(phase.name()))
    }

    /// Releases the lock. The directory is removed unless a journal or another file is in it.
    pub(crate) fn release(self, root: &Dir, observe: &mut Observer<'_>) {
        // If one of these fails, the next writer removes what is left.
        let _ = self.remove_journal(UNFINISHED);
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
