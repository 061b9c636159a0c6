//! One directory entry, opened from the root without following any link.
//!
//! The writer accesses user files only by a plain name inside an open directory below the root. So
//! it stays inside the workspace, even if somebody renames or links directories meanwhile.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::fs::Dir;
use fixpoint_text::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::metadata::Metadata;
use crate::path::split_name;
use crate::read::{MAX_FILE_SIZE, ReadError, read_at_most, read_error};

/// The entry at a checked path.
pub(crate) struct FileLocation<'a> {
    pub(crate) path: &'a str,
    pub(crate) dir: Arc<OwnedFd>,
    pub(crate) name: &'a str,
}

/// The directories of a write. Up to [`HELD_DIRECTORIES`] are held open, so that they stay accessible when somebody
/// moves them.
#[derive(Default)]
pub(crate) struct Directories(Mutex<BTreeMap<String, Arc<OwnedFd>>>);

/// How many directories are held open at most, so that the process does not run out of file
/// descriptors.
const HELD_DIRECTORIES: usize = 256;

impl Directories {
    /// The directory that had this path when it was first opened.
    pub(crate) fn open(&self, root: &Dir, path: &str) -> io::Result<Arc<OwnedFd>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dir) = held.get(path) {
            return Ok(Arc::clone(dir));
        }
        let dir = Arc::new(open_directory(root, path)?);
        if held.len() < HELD_DIRECTORIES {
            held.insert(path.to_owned(), Arc::clone(&dir));
        }
        Ok(dir)
    }
}

/// The state of a regular file at one moment.
pub(crate) struct FileSnapshot {
    file: File,
    stat: Stat,
    bytes: Vec<u8>,
    digest: Digest,
}

impl FileSnapshot {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }

    pub(crate) fn stat(&self) -> Stat {
        self.stat
    }

    /// Sets the owner, mode and attributes of `other` on this file, unless they are already equal.
    pub(crate) fn take_metadata(&self, other: &Self) -> io::Result<()> {
        let metadata = other.metadata();
        if metadata == self.metadata() {
            return Ok(());
        }
        metadata.copy_to(&self.file)
    }

    pub(crate) fn metadata(&self) -> Metadata {
        Metadata::of(&self.file, &self.stat)
    }
}

/// Whether both are the same file, not only files with equal content.
pub(crate) fn same_file(one: &Stat, other: &Stat) -> bool {
    one.st_dev == other.st_dev && one.st_ino == other.st_ino
}

impl<'a> FileLocation<'a> {
    /// Opens the directory of `path`. A link anywhere in `path` is an error.
    pub(crate) fn open(root: &Dir, path: &'a str) -> io::Result<Self> {
        let (parent, _) = split_name(path);
        Ok(Self::inside(Arc::new(open_directory(root, parent)?), path))
    }

    /// The entry at `path`, whose directory is `dir`.
    pub(crate) fn inside(dir: Arc<OwnedFd>, path: &'a str) -> Self {
        let (_, name) = split_name(path);
        Self { path, dir, name }
    }

    /// Whether the path still leads to this directory.
    pub(crate) fn is_in_place(&self, root: &Dir) -> bool {
        let (parent, _) = split_name(self.path);
        let now = open_directory(root, parent).and_then(|dir| Ok(rustix::fs::fstat(dir)?));
        let here = rustix::fs::fstat(&*self.dir);
        now.is_ok_and(|now| here.is_ok_and(|here| same_file(&now, &here)))
    }

    /// Reads the file that has this name now.
    pub(crate) fn look(&self) -> Result<FileSnapshot, ReadError> {
        look(&self.dir, self.name, self.path)
    }

    /// Whether the file may be written. A read-only mode counts even for a user who could write
    /// anyway, such as root.
    pub(crate) fn is_writable(&self, seen: &FileSnapshot) -> bool {
        let any_write = Mode::WUSR | Mode::WGRP | Mode::WOTH;
        Mode::from_raw_mode(seen.stat.st_mode).intersects(any_write)
            && rustix::fs::accessat(&self.dir, self.name, Access::WRITE_OK, AtFlags::empty())
                .is_ok()
    }
}

/// Opens the directory at a real path below `root`. `""` is the root itself.
pub(crate) fn open_directory(root: &Dir, path: &str) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    let mut dir = rustix::fs::openat(root, ".", flags, Mode::empty())?;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        dir = rustix::fs::openat(&dir, part, flags, Mode::empty())?;
    }
    Ok(dir)
}

/// Reads the regular file `name` in `dir`. `path` is for messages.
pub(crate) fn look(dir: &OwnedFd, name: &str, path: &str) -> Result<FileSnapshot, ReadError> {
    let failed = |error: Errno| read_error(path, error.into());
    let regular = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    let not_a_file = || ReadError::NotAFile { path: path.into() };

    let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
    if !regular(&stat) {
        return Err(not_a_file());
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(dir, name, flags, Mode::empty()) {
        Err(Errno::LOOP) => return Err(not_a_file()),
        opened => File::from(opened.map_err(failed)?),
    };
    let stat = rustix::fs::fstat(&file).map_err(failed)?;
    if !regular(&stat) {
        return Err(not_a_file());
    }
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    let bytes = read_at_most(path, &file, size, MAX_FILE_SIZE)?;
    Ok(FileSnapshot {
        digest: Digest::of(&bytes),
        file,
        stat,
        bytes,
    })
}

/// Removes `name`. A link is removed itself, not its target. It is not an error if `name` does not
/// exist.
pub(crate) fn remove_file(dir: &OwnedFd, name: &str) -> io::Result<()> {
    match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether `error` means that the file or a directory above it does not exist.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
