//! What has to be on the disk before a write goes on, should the power fail.

use std::collections::BTreeSet;
use std::io;

use cap_std::fs::Dir;
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::journal::Journal;
use super::place::{is_gone, open_directory};
use crate::path::split_name;

/// From here on one wait for everything is shorter than one for each file.
const MANY: usize = 32;

/// How temporaries and renames are made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Each file when it is written, then each directory.
    EachFile,
    /// Whole file systems at once, so that ten thousand files take one wait.
    FileSystem,
}

impl Durability {
    pub(crate) fn of(journal: &Journal) -> Self {
        if cfg!(target_os = "linux") && journal.entries().len() > MANY {
            Self::FileSystem
        } else {
            Self::EachFile
        }
    }
}

/// Returns when the directory entries, and all files not synced before, are on the disk.
pub(crate) fn make_durable(root: &Dir, journal: &Journal) -> io::Result<()> {
    let entries = journal.entries().iter();
    let parents: BTreeSet<&str> = entries.map(|entry| split_name(&entry.path).0).collect();
    let mut synced = BTreeSet::new();
    for parent in parents {
        let dir = match open_directory(root, parent) {
            Ok(dir) => dir,
            // What is gone need not be kept.
            Err(error) if is_gone(&error) => continue,
            Err(error) => return Err(error),
        };
        match Durability::of(journal) {
            Durability::EachFile => sync_directory(&dir)?,
            Durability::FileSystem => {
                if synced.insert(rustix::fs::fstat(&dir)?.st_dev) {
                    sync_file_system(&dir)?;
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn sync_directory(dir: &OwnedFd) -> io::Result<()> {
    match rustix::fs::fsync(dir) {
        // Some file systems have no such thing as syncing a directory.
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(target_os = "linux")]
fn sync_file_system(dir: &OwnedFd) -> io::Result<()> {
    Ok(rustix::fs::syncfs(dir)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(dir: &OwnedFd) -> io::Result<()> {
    sync_directory(dir)
}
