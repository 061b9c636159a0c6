//! A set of digests that outlives a run, for each workspace, in the cache folder of the user.
//!
//! It is never inside a workspace, where a repository could supply one. It only saves time: if it cannot be read or
//! written, it is empty.

use std::collections::BTreeSet;
use std::env::{home_dir, var_os};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use fixpoint_text::Digest;
use tempfile::NamedTempFile;

use crate::read::read_file;
use crate::root::Workspace;

const FOLDER: &str = "fixpoint/clean";

/// Enough for four million digests.
const MAX_SIZE: u64 = 128 << 20;

const DIGEST_LENGTH: usize = 32;

/// The stored set of digests of one workspace.
#[derive(Debug)]
pub struct DigestCache {
    file: PathBuf,
}

impl DigestCache {
    /// The cache for `workspace`. `None` if the user has no cache folder outside of the workspace.
    pub fn of(workspace: &Workspace) -> Option<Self> {
        let set = var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let set = set.filter(|folder| folder.is_absolute());
        let cache = set.or_else(|| Some(home_dir()?.join(".cache")))?;
        Self::below(&cache, workspace.root())
    }

    fn below(cache: &Path, root: &Path) -> Option<Self> {
        let folder = cache.join(FOLDER);
        fs::create_dir_all(&folder).ok()?;
        let folder = folder.canonicalize().ok()?;
        let name = Digest::of(root.as_os_str().as_bytes()).short();
        (!folder.starts_with(root)).then(|| Self {
            file: folder.join(name),
        })
    }

    /// The digests of the last [`Self::store`].
    pub fn load(&self) -> BTreeSet<[u8; DIGEST_LENGTH]> {
        let bytes = read_file(&self.file, MAX_SIZE).unwrap_or_default();
        let (digests, rest) = bytes.as_chunks();
        match rest {
            [] => digests.iter().copied().collect(),
            _ => BTreeSet::new(),
        }
    }

    /// Replaces the digests in one step, so that a reader never gets half of them.
    pub fn store<'a>(&self, digests: impl IntoIterator<Item = &'a Digest>) -> io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        let mut file = NamedTempFile::new_in(folder)?;
        let bytes: Vec<u8> = digests.into_iter().flat_map(|it| *it.as_bytes()).collect();
        file.write_all(&bytes)?;
        file.persist(&self.file)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_digests_are_loaded_again_and_replaced_as_a_whole() {
        let cache = tempfile::tempdir().expect("a folder");
        let root = tempfile::tempdir().expect("a folder");
        let open = || DigestCache::below(cache.path(), root.path()).expect("a cache");
        let (one, two) = (Digest::of(b"1"), Digest::of(b"2"));
        assert!(open().load().is_empty());
        open().store([&one, &two]).expect("stored");
        assert_eq!(open().load(), [*one.as_bytes(), *two.as_bytes()].into());
        open().store([&two]).expect("stored");
        assert_eq!(open().load(), [*two.as_bytes()].into());
    }

    #[test]
    fn a_damaged_file_counts_as_empty() {
        let cache = tempfile::tempdir().expect("a folder");
        let root = tempfile::tempdir().expect("a folder");
        let cache = DigestCache::below(cache.path(), root.path()).expect("a cache");
        cache.store([&Digest::of(b"1")]).expect("stored");
        fs::write(&cache.file, [7; 33]).expect("damaged");
        assert!(cache.load().is_empty());
    }

    #[test]
    fn a_folder_inside_the_workspace_is_not_used() {
        let root = tempfile::tempdir().expect("a folder");
        let real = root.path().canonicalize().expect("its path");
        assert!(DigestCache::below(&real.join(".cache"), &real).is_none());
    }
}
