//! A snapshot of all files below a folder.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The bytes, mode, inode and times of every file. Two snapshots are equal only if no file was
/// written, replaced or touched.
#[derive(Debug)]
pub struct Tree {
    folder: PathBuf,
    files: BTreeMap<PathBuf, File>,
}

#[derive(Debug, PartialEq, Eq)]
struct File {
    bytes: Vec<u8>,
    mode: u32,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Tree {
    /// Reads a folder, without Bazel's convenience links.
    pub fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(folder, &mut files);
        Self {
            folder: folder.to_owned(),
            files,
        }
    }

    #[track_caller]
    pub fn is_unchanged(&self) {
        let changed = self.changed();
        assert_eq!(changed, [""; 0], "these files were written to");
    }

    /// The files that were written, replaced, touched, added or removed since.
    pub fn changed(&self) -> Vec<String> {
        let now = Self::of(&self.folder);
        let both = self.files.keys().chain(now.files.keys());
        let mut changed: Vec<_> = both
            .filter(|path| self.files.get(*path) != now.files.get(*path))
            .map(|path| path.strip_prefix(&self.folder).unwrap_or(path))
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        changed.sort();
        changed.dedup();
        changed
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, File>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        let metadata = fs::symlink_metadata(&path).expect("metadata");
        if metadata.is_dir() {
            collect(&path, files);
        } else if metadata.is_file() {
            let file = File {
                bytes: fs::read(&path).expect("a readable file"),
                mode: metadata.mode(),
                inode: metadata.ino(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                changed: (metadata.ctime(), metadata.ctime_nsec()),
            };
            files.insert(path, file);
        }
    }
}
