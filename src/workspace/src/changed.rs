//! Lists the files that changed since a git revision.
//!
//! Git lists the blobs of the revision. This module hashes the files itself and compares the ids,
//! because git would run the filters that a repository configures.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::find::{Excludes, FindError, Found};
use crate::git::{Git, GitError};
use crate::path::{self, split_name};
use crate::read::{MAX_FILE_SIZE, read_at_most};
use crate::repository::Repository;
use crate::root::Workspace;

/// Why the changed files could not be listed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChangedError {
    #[error(
        "the workspace is not in a git repository with a work tree; name the files instead of using --changed"
    )]
    NotARepository,
    #[error("{revision:?} is not a commit of this repository; name a branch, tag or commit")]
    UnknownRevision { revision: String },
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Find(#[from] FindError),
}

/// The object ids of a revision's files, by their paths relative to the workspace.
pub(crate) type Blobs = BTreeMap<String, String>;

impl Workspace {
    /// The files that `paths` name and that differ from `revision`: committed since, staged, edited
    /// or new. Deleted files and files that `excludes` match are not listed.
    ///
    /// A tracked file counts even if git ignores it. The files of a submodule or of another nested
    /// repository do not count, because their changes are changes of that repository.
    ///
    /// A file counts as changed unless its bytes equal those of the revision, possibly after the
    /// conversion of line ends that the repository asks for.
    pub fn changed_files(
        &self,
        revision: &str,
        paths: &[PathBuf],
        excludes: &[String],
    ) -> Result<Found, ChangedError> {
        let repository = Repository::around(self.root()).ok_or(ChangedError::NotARepository)?;
        let git = Git::new(&repository)?;
        let below = self.root().strip_prefix(&repository.work_tree);
        let prefix = below.unwrap_or(Path::new(""));
        let blobs = match git.commit(revision)? {
            Some(commit) => blobs(&git, &commit, prefix)?,
            // Before the first commit, every file counts as changed.
            None if revision == "HEAD" => Blobs::new(),
            None => {
                return Err(ChangedError::UnknownRevision {
                    revision: revision.into(),
                });
            }
        };
        let index = Index::read(&git, prefix)?;
        let is_tracked = |path: &String| index.files.contains(path) || blobs.contains_key(path);
        let excludes = Excludes::new(excludes)?;
        let (found, directories) = self.search(paths, &excludes)?;
        let mut nested = NestedRepositories::new(self.root(), &index);
        let found_files = found.files().iter();
        let mut files: BTreeSet<String> = found_files
            .filter(|path| is_tracked(path) || !nested.contains(path))
            .cloned()
            .collect();
        for path in index.files.iter().chain(blobs.keys()) {
            // The walk already found most of these files.
            if !files.contains(path)
                && directories.contain(Path::new(path))
                && excludes.reason(path, false).is_none()
                && self.is_real_file(path)
            {
                files.insert(path.clone());
            }
        }
        let files: Vec<String> = files.into_iter().collect();
        let differing = self.differing(&files, &blobs);
        let changed = self.not_merely_converted(&git, differing, &blobs, prefix)?;
        Ok(found.with_files(changed))
    }

    /// The paths that belong to the repository: those that git tracks, and new files that git does
    /// not ignore. Tracked links and files of Fixpoint's own folder are listed, too. Files that are
    /// tracked but deleted are not.
    pub fn repository_files(&self) -> Result<Vec<String>, ChangedError> {
        let repository = Repository::around(self.root()).ok_or(ChangedError::NotARepository)?;
        let git = Git::new(&repository)?;
        let below = self.root().strip_prefix(&repository.work_tree);
        let index = Index::read(&git, below.unwrap_or(Path::new("")))?;
        let (found, _) = self.search(&[], &Excludes::new(&[])?)?;
        let mut nested = NestedRepositories::new(self.root(), &index);
        let new = found.files().iter().filter(|path| !nested.contains(path));
        let mut files: BTreeSet<String> = new.cloned().collect();
        let exists = |path: &&String| self.dir().symlink_metadata(path).is_ok();
        let tracked = index.files.iter().chain(&index.own);
        files.extend(tracked.filter(exists).cloned());
        Ok(files.into_iter().collect())
    }

    /// The commit that `HEAD` names, if there is one.
    pub fn head_commit(&self) -> Result<Option<String>, ChangedError> {
        let repository = Repository::around(self.root()).ok_or(ChangedError::NotARepository)?;
        Ok(Git::new(&repository)?.commit("HEAD")?)
    }

    /// Whether `path` is a regular file, and no part of it is a link.
    fn is_real_file(&self, path: &str) -> bool {
        let metadata = self.dir().symlink_metadata(path);
        metadata.is_ok_and(|it| it.is_file()) && self.real_path(path).is_ok_and(|real| real == path)
    }

    /// The `files` whose bytes differ from their blob.
    fn differing(&self, files: &[String], blobs: &Blobs) -> Vec<String> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let part = files.len().div_ceil(threads).max(1);
        let differs = |path: &&String| match blobs.get(*path) {
            Some(id) => !self.has_blob(path, id),
            None => true,
        };
        let of_part = |part: &[String]| part.iter().filter(differs).cloned().collect::<Vec<_>>();
        thread::scope(|scope| {
            let parts = files.chunks(part);
            let running: Vec<_> = parts.map(|part| scope.spawn(|| of_part(part))).collect();
            let parts = running.into_iter().map(|part| part.join());
            // If a thread failed, its files count as changed.
            let parts = parts.zip(files.chunks(part));
            parts
                .flat_map(|(differing, part)| differing.unwrap_or_else(|_| part.to_vec()))
                .collect()
        })
    }

    /// The files that differ from their blob in more than line ends, or whose line ends git does
    /// not convert.
    fn not_merely_converted(
        &self,
        git: &Git,
        differing: Vec<String>,
        blobs: &Blobs,
        prefix: &Path,
    ) -> Result<Vec<String>, ChangedError> {
        let (candidates, mut changed): (Vec<_>, Vec<_>) = differing.into_iter().partition(|path| {
            let id = blobs.get(path);
            id.is_some_and(|id| self.has_blob_with_lf(path, id))
        });
        if candidates.is_empty() {
            return Ok(changed);
        }
        let is_converted = conversions(git, &candidates, prefix)?;
        let kept = candidates.into_iter().zip(is_converted);
        changed.extend(kept.filter(|(_, converted)| !converted).map(|it| it.0));
        changed.sort_unstable();
        Ok(changed)
    }
}

/// The files of a commit below `prefix`.
pub(crate) fn blobs(git: &Git, commit: &str, prefix: &Path) -> Result<Blobs, ChangedError> {
    let entries = git.list(&["ls-tree", "-r", "-z", "--full-tree", commit], b"")?;
    let blobs = entries.iter().filter_map(|entry| {
        let (facts, path) = split_entry(entry)?;
        let [mode, _, id] = facts[..] else {
            return None;
        };
        // Links and submodules are not listed: a regular file in their place counts as changed.
        mode.starts_with("100").then_some(())?;
        Some((below_prefix(path, prefix)?, id.to_owned()))
    });
    Ok(blobs.collect())
}

/// The entries of git's index, by paths relative to the workspace.
#[derive(Default)]
struct Index {
    /// Includes links.
    files: BTreeSet<String>,
    /// Files of Fixpoint's own folder, such as settings and rules.
    own: BTreeSet<String>,
    submodules: BTreeSet<String>,
}

impl Index {
    fn read(git: &Git, prefix: &Path) -> Result<Self, ChangedError> {
        let entries = git.list(&["ls-files", "--stage", "-z"], b"")?;
        let entries = entries.iter().filter_map(|entry| {
            let (facts, path) = split_entry(entry)?;
            let is_submodule = facts.first() == Some(&"160000");
            Some((is_submodule, path))
        });
        let mut index = Self::default();
        for (is_submodule, path) in entries {
            match below_prefix(path, prefix) {
                Some(path) if is_submodule => _ = index.submodules.insert(path),
                Some(path) => _ = index.files.insert(path),
                None => index.own.extend(own_file(path, prefix)),
            }
        }
        Ok(index)
    }
}

/// Splits a line of `git ls-tree` or `git ls-files` into its fields and its path.
fn split_entry(entry: &[u8]) -> Option<(Vec<&str>, &[u8])> {
    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    let facts = str::from_utf8(&entry[..tab]).ok()?.split(' ');
    Some((facts.collect(), &entry[tab + 1..]))
}

/// Finds repositories inside a workspace, such as submodules.
struct NestedRepositories<'a> {
    root: &'a Path,
    index: &'a Index,
    /// Whether each known directory is in a nested repository.
    known: BTreeMap<String, bool>,
}

impl<'a> NestedRepositories<'a> {
    fn new(root: &'a Path, index: &'a Index) -> Self {
        Self {
            root,
            index,
            known: BTreeMap::new(),
        }
    }

    /// Whether a path is below the top of a nested repository.
    fn contains(&mut self, path: &str) -> bool {
        let (folder, _) = split_name(path);
        if folder.is_empty() {
            return false;
        }
        if let Some(&known) = self.known.get(folder) {
            return known;
        }
        let is_nested = self.contains(folder)
            || self.index.submodules.contains(folder)
            || Repository::at(&self.root.join(folder)).is_some();
        self.known.insert(folder.to_owned(), is_nested);
        is_nested
    }
}

/// Converts a repository path to a workspace path, if it is inside the workspace and valid.
fn below_prefix(path: &[u8], prefix: &Path) -> Option<String> {
    let below = Path::new(str::from_utf8(path).ok()?)
        .strip_prefix(prefix)
        .ok()?;
    let text = path::to_text(below).ok()?;
    path::check_relative(&text).is_ok().then_some(text)
}

/// The path of a tracked file in Fixpoint's own folder.
fn own_file(path: &[u8], prefix: &Path) -> Option<String> {
    let below = Path::new(str::from_utf8(path).ok()?)
        .strip_prefix(prefix)
        .ok()?;
    let inside = path::to_text(below.strip_prefix(path::STATE_DIR).ok()?).ok()?;
    path::check_relative(&inside).ok()?;
    Some(format!("{}/{inside}", path::STATE_DIR))
}

/// Whether git converts the line ends of each file, by its attributes and `core.autocrlf`.
fn conversions(git: &Git, paths: &[String], prefix: &Path) -> Result<Vec<bool>, ChangedError> {
    let by_default = matches!(
        git.setting("core.autocrlf")?.as_deref(),
        Some("true" | "input")
    );
    let named: Vec<PathBuf> = paths.iter().map(|path| prefix.join(path)).collect();
    let mut input = Vec::new();
    for path in &named {
        input.extend(path.as_os_str().as_encoded_bytes());
        input.push(0);
    }
    let args = ["check-attr", "--cached", "-z", "--stdin", "text", "eol"];
    let answers = git.list(&args, &input)?;
    let mut converted = vec![by_default; paths.len()];
    let mut numbers = BTreeMap::new();
    for (number, path) in named.iter().enumerate() {
        numbers.insert(path.as_os_str().as_encoded_bytes(), number);
    }
    for answer in answers.chunks_exact(3) {
        let Some(&number) = numbers.get(answer[0].as_slice()) else {
            continue;
        };
        match (answer[1].as_slice(), answer[2].as_slice()) {
            (b"text", b"unset") => converted[number] = false,
            (b"text", b"set" | b"auto") | (b"eol", b"lf" | b"crlf") => converted[number] = true,
            _ => {}
        }
    }
    Ok(converted)
}

impl Workspace {
    /// Whether the bytes of a file are those of a blob. A file that is too large to be analyzed is
    /// not read.
    fn has_blob(&self, path: &str, id: &str) -> bool {
        match self.open_source(path) {
            Ok(Some((file, length))) if length <= MAX_FILE_SIZE => {
                object_id(id.len(), length, file).is_ok_and(|found| found == id)
            }
            _ => false,
        }
    }

    /// Like [`Self::has_blob`], after every CRLF of the file is converted to LF.
    fn has_blob_with_lf(&self, path: &str, id: &str) -> bool {
        let Ok(Some((file, length))) = self.open_source(path) else {
            return false;
        };
        let Ok(bytes) = read_at_most(path, file, length, MAX_FILE_SIZE) else {
            return false;
        };
        let mut converted = Vec::with_capacity(bytes.len());
        for (at, &byte) in bytes.iter().enumerate() {
            if byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
                converted.push(byte);
            }
        }
        let length = converted.len() as u64;
        object_id(id.len(), length, converted.as_slice()).is_ok_and(|found| found == id)
    }
}

/// The id that git computes for a blob of `length` bytes. `id_length` is the number of hex digits,
/// which determines the hash function.
fn object_id(id_length: usize, length: u64, bytes: impl Read) -> io::Result<String> {
    match id_length {
        40 => hash::<Sha1>(length, bytes),
        _ => hash::<Sha256>(length, bytes),
    }
}

fn hash<H: Digest>(length: u64, bytes: impl Read) -> io::Result<String> {
    let mut hash = H::new();
    hash.update(format!("blob {length}\0"));
    // A file that grows meanwhile differs from the blob. The limit prevents reading it endlessly.
    let mut bytes = bytes.take(length.saturating_add(1));
    let mut block = [0; 32 * 1024];
    loop {
        match bytes.read(&mut block)? {
            0 => break,
            read => hash.update(&block[..read]),
        }
    }
    let digits = hash.finalize();
    Ok(digits.iter().map(|byte| format!("{byte:02x}")).collect())
}
