//! What has to be on the disk before a write goes on, should the power fail.

use std::collections::BTreeSet;
use std::io;

use cap_std::fs::Dir;
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::journal::{Entry, Journal};
use super::place::{Place, is_gone, open_directory};
use crate::path::split_name;

/// How many files are waited for at a time. The file system then commits them together, which
/// saves most of the time that waiting for one after the other takes.
const AT_ONCE: usize = 8;

/// Returns when all temporaries are on the disk.
pub(crate) fn sync_temporaries(root: &Dir, journal: &Journal) -> io::Result<()> {
    let sync = |group: &[Entry]| -> io::Result<()> {
        for entry in group {
            let place = Place::open(root, &entry.path)?;
            place.sync_temporary(entry.new)?;
            if Journal::keeps_base(group) {
                place.sync_temporary(entry.base)?;
            }
        }
        Ok(())
    };
    let groups: Vec<&[Entry]> = journal.groups().collect();
    let share = groups.len().div_ceil(AT_ONCE).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = groups
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().try_for_each(|group| sync(group))))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            let gave_up = |_| Err(io::Error::other("a thread that syncs files panicked"));
            worker.join().unwrap_or_else(gave_up)
        })
    })?;
    sync_parents(root, journal)
}

/// Returns when the renames in the journal's directories are on the disk.
pub(crate) fn sync_parents(root: &Dir, journal: &Journal) -> io::Result<()> {
    let entries = journal.entries().iter();
    let parents: BTreeSet<&str> = entries.map(|entry| split_name(&entry.path).0).collect();
    for parent in parents {
        match open_directory(root, parent) {
            Ok(dir) => sync_directory(&dir)?,
            // What is gone need not be kept.
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
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
