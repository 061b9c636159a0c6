//! The secret key of this user on this machine, in the user's state folder. It proves who wrote a
//! journal. It is never inside a workspace, where a repository could supply one.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use thiserror::Error;

use super::durability::sync_directory;
use super::location::remove_file;

const FOLDER: &str = "fixpoint";
const FILE: &str = "key";
const LENGTH: usize = 32;

pub(crate) struct Key([u8; LENGTH]);

/// Why no key can be used.
#[derive(Debug, Error)]
pub(crate) enum KeyError {
    #[error("XDG_STATE_HOME is not set and the home directory is unknown")]
    NoHome,
    #[error("{} is inside the workspace", .0.display())]
    InWorkspace(PathBuf),
    #[error("{} belongs to another user", .0.display())]
    OtherOwner(PathBuf),
    #[error("{} is accessible to other users; allow access only for its owner", .0.display())]
    NotPrivate(PathBuf),
    #[error("{} is not a file of {LENGTH} bytes", .0.display())]
    Malformed(PathBuf),
    #[error("{}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Key {
    /// The stored key. Returns `None` before this user's first write.
    pub(crate) fn load(state_home: Option<&Path>, root: &Path) -> Result<Option<Self>, KeyError> {
        let folder = state_home.ok_or(KeyError::NoHome)?.join(FOLDER);
        refuse_inside(&folder, root)?;
        match open_folder(&folder)? {
            Some(dir) => load_from(&dir, &folder.join(FILE)),
            None => Ok(None),
        }
    }

    /// The stored key, created at the first call.
    pub(crate) fn load_or_create(state_home: Option<&Path>, root: &Path) -> Result<Self, KeyError> {
        if let Some(key) = Self::load(state_home, root)? {
            return Ok(key);
        }
        let folder = state_home.ok_or(KeyError::NoHome)?.join(FOLDER);
        let failed = |source: io::Error| KeyError::Io {
            path: folder.clone(),
            source,
        };
        // `sudo` may keep the user's HOME. A key file owned by root would lock that user out.
        let (existing, owner) = nearest_existing(&folder);
        if owner != Some(rustix::process::geteuid().as_raw()) {
            return Err(KeyError::OtherOwner(existing.into()));
        }
        let mut builder = DirBuilder::new();
        let created = builder.recursive(true).mode(0o700).create(&folder);
        created.map_err(failed)?;
        refuse_inside(&folder, root)?;
        let gone = || failed(io::ErrorKind::NotFound.into());
        let dir = open_folder(&folder)?.ok_or_else(gone)?;
        Self::random()
            .and_then(|key| store(&dir, &key))
            .map_err(failed)?;
        load_from(&dir, &folder.join(FILE))?.ok_or_else(gone)
    }

    /// A random key.
    pub(crate) fn random() -> io::Result<Self> {
        let mut key = [0; LENGTH];
        getrandom::fill(&mut key).map_err(io::Error::other)?;
        Ok(Self(key))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The folder or its nearest ancestor that exists, and the owner of that.
fn nearest_existing(folder: &Path) -> (&Path, Option<u32>) {
    let mut ancestors = folder.ancestors();
    let existing = ancestors.find_map(|path| Some((path, path.metadata().ok()?.uid())));
    existing.map_or((folder, None), |(path, owner)| (path, Some(owner)))
}

fn refuse_inside(folder: &Path, root: &Path) -> Result<(), KeyError> {
    let (existing, _) = nearest_existing(folder);
    match existing.canonicalize() {
        Ok(real) if real.starts_with(root) => Err(KeyError::InWorkspace(folder.into())),
        _ => Ok(()),
    }
}

fn open_folder(folder: &Path) -> Result<Option<OwnedFd>, KeyError> {
    let failed = |error: Errno| KeyError::Io {
        path: folder.into(),
        source: error.into(),
    };
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    let dir = match rustix::fs::open(folder, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(None),
        opened => opened.map_err(failed)?,
    };
    let stat = rustix::fs::fstat(&dir).map_err(failed)?;
    refuse_shared(&stat, Mode::WGRP | Mode::WOTH, folder)?;
    Ok(Some(dir))
}

/// Rejects a file that belongs to another user or has any of the permissions in `forbidden`.
fn refuse_shared(stat: &Stat, forbidden: Mode, path: &Path) -> Result<(), KeyError> {
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(KeyError::OtherOwner(path.into()));
    }
    if Mode::from_raw_mode(stat.st_mode).intersects(forbidden) {
        return Err(KeyError::NotPrivate(path.into()));
    }
    Ok(())
}

fn load_from(dir: &OwnedFd, path: &Path) -> Result<Option<Key>, KeyError> {
    let failed = |source: io::Error| KeyError::Io {
        path: path.into(),
        source,
    };
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = match rustix::fs::openat(dir, FILE, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(None),
        opened => File::from(opened.map_err(|error| failed(error.into()))?),
    };
    let stat = rustix::fs::fstat(&file).map_err(|error| failed(error.into()))?;
    refuse_shared(&stat, Mode::RWXG | Mode::RWXO, path)?;
    let is_regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if !is_regular || usize::try_from(stat.st_size) != Ok(LENGTH) {
        return Err(KeyError::Malformed(path.into()));
    }
    let mut key = [0; LENGTH];
    file.read_exact(&mut key).map_err(failed)?;
    Ok(Some(Key(key)))
}

/// Creates the key file, unless another process has created it meanwhile. The file appears with its
/// whole content.
fn store(dir: &OwnedFd, key: &Key) -> io::Result<()> {
    let unfinished = format!("{FILE}-{}", std::process::id());
    remove_file(dir, &unfinished)?;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    let mut file = File::from(rustix::fs::openat(dir, &unfinished, flags, mode)?);
    let written = file.write_all(&key.0).and_then(|()| file.sync_all());
    let named = written.and_then(|()| {
        match rustix::fs::linkat(dir, &unfinished, dir, FILE, AtFlags::empty()) {
            Ok(()) | Err(Errno::EXIST) => sync_directory(dir),
            Err(error) => Err(error.into()),
        }
    });
    remove_file(dir, &unfinished)?;
    named
}
