//! The checkout of a write or a recovery. Signs journals with the user's key for it.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use cap_std::fs::Dir;
use fixpoint_text::Digest;
use rustix::fd::OwnedFd;

use super::key::{Key, KeyError};
use super::location::Directories;
use crate::access::WriteAccess;
use crate::root::Workspace;

pub(crate) struct Checkout<'a> {
    dir: &'a Dir,
    directories: Directories,
    seal: Seal,
    tag: String,
    /// Whether to use the system's exchange of two names.
    pub(crate) exchanges: bool,
}

impl<'a> Checkout<'a> {
    /// For a write. If no key can be stored, the journal is signed with a key that is discarded.
    /// The write proceeds as usual, but it cannot be recovered after a kill.
    pub(crate) fn to_write(workspace: &'a Workspace, access: &WriteAccess) -> io::Result<Self> {
        let key = match Key::load_or_create(access.state_home(), workspace.root()) {
            Ok(key) => key,
            Err(_) => Key::random()?,
        };
        Self::new(workspace, access, &key)
    }

    /// For a recovery. Also returns why the key cannot be loaded, if so; then no journal is
    /// accepted.
    pub(crate) fn to_recover(
        workspace: &'a Workspace,
        access: &WriteAccess,
    ) -> io::Result<(Self, Option<KeyError>)> {
        let (key, problem) = match Key::load(access.state_home(), workspace.root()) {
            Ok(Some(key)) => (key, None),
            Ok(None) => (Key::random()?, None),
            Err(problem) => (Key::random()?, Some(problem)),
        };
        Ok((Self::new(workspace, access, &key)?, problem))
    }

    fn new(workspace: &'a Workspace, access: &WriteAccess, key: &Key) -> io::Result<Self> {
        // The device number is not part of the identity, because it may change when the machine
        // restarts.
        let inode = rustix::fs::fstat(workspace.dir())?.st_ino;
        let path = workspace.root().as_os_str().as_bytes();
        let identity = Digest::of_parts([path, &inode.to_le_bytes()]);
        let seal = Seal(Digest::keyed(key.bytes(), identity.as_bytes()));
        Ok(Self {
            dir: workspace.dir(),
            directories: Directories::default(),
            tag: seal.of(b"names").short(),
            seal,
            exchanges: access.exchanges(),
        })
    }

    pub(crate) fn dir(&self) -> &Dir {
        self.dir
    }

    /// The directory that was at a real path when this write or recovery first opened it.
    pub(crate) fn directory(&self, path: &str) -> io::Result<Arc<OwnedFd>> {
        self.directories.open(self.dir, path)
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// A part of the name of every journal and temporary. Other users have other tags, so that
    /// their files are never used and never conflict.
    pub(crate) fn tag(&self) -> &str {
        &self.tag
    }
}

/// The user's key for one checkout. Every other checkout, user or machine has another key.
pub(crate) struct Seal(Digest);

impl Seal {
    /// The signature of `bytes` by this user for this checkout.
    pub(crate) fn of(&self, bytes: &[u8]) -> Digest {
        Digest::keyed(self.0.as_bytes(), bytes)
    }

    #[cfg(test)]
    pub(crate) fn for_tests(key: &[u8]) -> Self {
        Self(Digest::of(key))
    }
}
