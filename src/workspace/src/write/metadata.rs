//! Copies metadata from a replaced file to the new one: owner, mode bits and extended attributes.
//!
//! The owner and the attributes are kept if the system permits it. Hard links are not kept: an
//! atomic replacement is a new file, and the other names of the old file keep its bytes.

use std::fs::File;
use std::io;

use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};

/// Attributes that are only valid for the old bytes. The kernel itself drops them when a file is
/// written.
const TIED_TO_BYTES: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];

/// The metadata that a new file gets from the file it replaces.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    owner: Uid,
    group: Gid,
    mode: Mode,
    /// Names and values, sorted.
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Metadata {
    /// The metadata of an open file with the status `stat`.
    pub(crate) fn of(file: &File, stat: &Stat) -> Self {
        Self {
            owner: Uid::from_raw(stat.st_uid),
            group: Gid::from_raw(stat.st_gid),
            mode: Mode::from_raw_mode(stat.st_mode),
            attributes: attributes(file),
        }
    }

    /// Sets this metadata on `to`.
    pub(crate) fn copy_to(&self, to: &File) -> io::Result<()> {
        // The owner is set before the mode, because changing the owner clears the set-id bits.
        let owned = self.keep_owner(to)?;
        for (name, value) in &self.attributes {
            let _ = rustix::fs::fsetxattr(to, name.as_slice(), value, XattrFlags::empty());
        }
        let mut mode = self.mode;
        // Set-id bits grant the owner's rights, so they are dropped if the owner differs.
        if owned.st_uid != self.owner.as_raw() {
            mode.remove(Mode::SUID);
        }
        if owned.st_gid != self.group.as_raw() {
            mode.remove(Mode::SGID);
        }
        rustix::fs::fchmod(to, mode)?;
        Ok(())
    }

    /// Sets the owner and group of `to` as far as permitted, and returns the resulting status.
    fn keep_owner(&self, to: &File) -> io::Result<Stat> {
        let now = rustix::fs::fstat(to)?;
        if now.st_uid == self.owner.as_raw() && now.st_gid == self.group.as_raw() {
            return Ok(now);
        }
        if rustix::fs::fchown(to, Some(self.owner), Some(self.group)).is_err() {
            // Only the superuser can change the owner, but a group of this user can be kept.
            let _ = rustix::fs::fchown(to, None, Some(self.group));
        }
        Ok(rustix::fs::fstat(to)?)
    }
}

fn attributes(file: &File) -> Vec<(Vec<u8>, Vec<u8>)> {
    let names = read_growing(|buffer| rustix::fs::flistxattr(file, buffer)).unwrap_or_default();
    let names = names.split(|&byte| byte == 0);
    let kept = names.filter(|name| !name.is_empty() && !TIED_TO_BYTES.contains(name));
    let mut attributes: Vec<_> = kept
        .filter_map(|name| {
            let value = read_growing(|buffer| rustix::fs::fgetxattr(file, name, buffer))?;
            Some((name.to_owned(), value))
        })
        .collect();
    attributes.sort_unstable();
    attributes
}

/// Reads with two buffer sizes: one that is nearly always enough, and the maximum of Linux.
fn read_growing(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> Option<Vec<u8>> {
    [256, 65536].into_iter().find_map(|size| {
        let mut buffer = vec![0; size];
        let length = read(&mut buffer).ok()?;
        buffer.truncate(length);
        Some(buffer)
    })
}
