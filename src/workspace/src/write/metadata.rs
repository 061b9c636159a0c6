//! What a replaced file keeps besides its name: owner, mode bits and extended attributes.
//!
//! The owner and the attributes are kept where the system lets us. A hard link is not kept: its
//! other names go on holding the old bytes, since a replacement that is atomic is a new file.

use std::fs::File;
use std::io;

use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};

/// Attributes that vouch for the old bytes; the kernel itself drops them when a file is written.
const TIED_TO_BYTES: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];

/// Copies what `from`, whose state is `stat`, has beside its bytes to `to`.
pub(crate) fn copy(from: &File, stat: &Stat, to: &File) -> io::Result<()> {
    // Before the mode, because a new owner clears the set-id bits.
    let owned = keep_owner(stat, to)?;
    copy_attributes(from, to);
    let mut mode = Mode::from_raw_mode(stat.st_mode);
    // Set-id bits lend the owner's rights; those of another owner are not ours to lend.
    if owned.st_uid != stat.st_uid {
        mode.remove(Mode::SUID);
    }
    if owned.st_gid != stat.st_gid {
        mode.remove(Mode::SGID);
    }
    rustix::fs::fchmod(to, mode)?;
    Ok(())
}

/// Gives `to` the owner and group in `stat` as far as allowed; returns what it has then.
fn keep_owner(stat: &Stat, to: &File) -> io::Result<Stat> {
    let now = rustix::fs::fstat(to)?;
    if now.st_uid == stat.st_uid && now.st_gid == stat.st_gid {
        return Ok(now);
    }
    let group = Some(Gid::from_raw(stat.st_gid));
    if rustix::fs::fchown(to, Some(Uid::from_raw(stat.st_uid)), group).is_err() {
        // Only the superuser gives files away, but a group of ours can be kept.
        let _ = rustix::fs::fchown(to, None, group);
    }
    Ok(rustix::fs::fstat(to)?)
}

fn copy_attributes(from: &File, to: &File) {
    let Some(names) = read_growing(|buffer| rustix::fs::flistxattr(from, buffer)) else {
        return;
    };
    for name in names.split(|&byte| byte == 0) {
        if name.is_empty() || TIED_TO_BYTES.contains(&name) {
            continue;
        }
        if let Some(value) = read_growing(|buffer| rustix::fs::fgetxattr(from, name, buffer)) {
            let _ = rustix::fs::fsetxattr(to, name, &value, XattrFlags::empty());
        }
    }
}

/// Reads with buffers of the two sizes that matter: nearly always, and the most Linux allows.
fn read_growing(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> Option<Vec<u8>> {
    [256, 65536].into_iter().find_map(|size| {
        let mut buffer = vec![0; size];
        let length = read(&mut buffer).ok()?;
        buffer.truncate(length);
        Some(buffer)
    })
}
