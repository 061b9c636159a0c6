//! Flushes files and directories to the disk, so that a write can be recovered after a power loss.

use std::collections::BTreeSet;
use std::io;

use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::checkout::Checkout;
use super::journal::Entry;
use super::location::is_gone;
use super::target::Target;
use crate::path::split_name;

/// How many files are flushed at a time. The file system then commits them together, which is much
/// faster than one after the other.
const AT_ONCE: usize = 8;

/// Returns when the temporaries of `entries` are on the disk.
pub(crate) fn sync_temporaries(checkout: &Checkout<'_>, entries: &[&Entry]) -> io::Result<()> {
    let sync = |entry: &&Entry| Target::open(checkout, entry)?.sync_temporary();
    let share = entries.len().div_ceil(AT_ONCE).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().try_for_each(sync)))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            let gave_up = |_| Err(io::Error::other("a thread that syncs files panicked"));
            worker.join().unwrap_or_else(gave_up)
        })
    })?;
    sync_parents(checkout, entries.iter().copied())
}

/// Returns when the renames in the directories of `entries` are on the disk.
pub(crate) fn sync_parents<'e>(
    checkout: &Checkout<'_>,
    entries: impl IntoIterator<Item = &'e Entry>,
) -> io::Result<()> {
    let entries = entries.into_iter();
    let parents: BTreeSet<&str> = entries.map(|entry| split_name(&entry.path).0).collect();
    for parent in parents {
        match checkout.directory(parent) {
            Ok(dir) => sync_directory(&dir)?,
            // A removed directory need not be flushed.
            Err(error) if is_gone(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

pub(crate) fn sync_directory(dir: &OwnedFd) -> io::Result<()> {
    match rustix::fs::fsync(dir) {
        // Some file systems cannot flush a directory.
        Ok(()) | Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
