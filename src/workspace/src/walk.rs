//! Walks the directories of a workspace, and applies git's ignore rules.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::find::{Excludes, Found, SkipReason};
use crate::ignores::{IgnoreReader, Ignores, UnknownRules};
use crate::path;
use crate::repository::is_git_directory;
use crate::root::Workspace;

/// One search below named directories.
pub(crate) struct Walk<'a> {
    workspace: &'a Workspace,
    /// Relative to the root; `.` is the root itself.
    named: Vec<String>,
    excludes: Excludes,
    ignore_files: IgnoreReader,
    found: &'a mut Found,
    /// The named directories that the walk came to.
    reached: Vec<String>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        named: Vec<String>,
        excludes: Excludes,
        found: &'a mut Found,
    ) -> Self {
        Self {
            workspace,
            named,
            excludes,
            ignore_files: IgnoreReader::default(),
            found,
            reached: Vec::new(),
        }
    }

    /// Walks from the root, so that every ignore file on the way to a directory counts.
    pub(crate) fn run(mut self) {
        let root = self.workspace.root();
        match self.ignore_files.around(root) {
            Ok(ignores) => self.directory(root.to_owned(), ignores),
            Err(unknown) => {
                self.skip_unknown(unknown);
                return;
            }
        }
        for directory in self.named.clone() {
            // A directory that is named on the command line is walked even if git ignores it.
            if directory != "." && !self.reached.contains(&directory) {
                let start = root.join(&directory);
                match self.ignore_files.below(&start, None) {
                    Ok(ignores) => self.directory(start, Arc::new(ignores)),
                    Err(unknown) => self.skip_unknown(unknown),
                }
            }
        }
        for link in self.ignore_files.into_links() {
            let path = link.strip_prefix(root).unwrap_or(&link);
            let path = path.to_string_lossy();
            self.found.skip(path, SkipReason::LinkedIgnoreFile);
        }
    }

    /// Walks `start` and everything below it.
    fn directory(&mut self, start: PathBuf, ignores: Arc<Ignores>) {
        let mut open = vec![(start, ignores)];
        while let Some((directory, ignores)) = open.pop() {
            if let Ok(below) = directory.strip_prefix(self.workspace.root())
                && let Ok(text) = path::to_text(below)
                && self.named.contains(&text)
            {
                self.reached.push(text);
            }
            let entries = match list(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    self.skip_unread(&directory, error.to_string());
                    continue;
                }
            };
            if directory != self.workspace.root() && is_git_directory(&directory) {
                let below = directory.strip_prefix(self.workspace.root());
                let below = below.unwrap_or(&directory).to_string_lossy();
                self.found.skip(below, SkipReason::Reserved);
                continue;
            }
            for entry in entries {
                if let Some(subdirectory) = self.entry(&entry, &ignores) {
                    let above = Some(Arc::clone(&ignores));
                    match self.ignore_files.below(&subdirectory, above) {
                        Ok(rules) => open.push((subdirectory, Arc::new(rules))),
                        Err(unknown) => self.skip_unknown(unknown),
                    }
                }
            }
        }
    }

    /// Collects a file, or returns a directory that is to be walked.
    fn entry(&mut self, entry: &DirEntry, ignores: &Ignores) -> Option<PathBuf> {
        let absolute = entry.path();
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                self.skip_unread(&absolute, error.to_string());
                return None;
            }
        };
        let below = absolute.strip_prefix(self.workspace.root()).ok()?;
        if !self.wants(below, kind.is_dir()) || ignores.cover(&absolute, kind.is_dir()) {
            return None;
        }
        match path::to_text(below) {
            Ok(_) if kind.is_dir() => Some(absolute),
            Ok(path) => {
                self.workspace.take(self.found, path, kind);
                None
            }
            Err(_) => {
                self.found
                    .skip(below.to_string_lossy(), SkipReason::NotUtf8);
                None
            }
        }
    }

    /// Whether an entry is relevant: at, below or on the way to a named directory, not excluded,
    /// and possibly a source.
    fn wants(&self, below: &Path, is_dir: bool) -> bool {
        let named = self.named.iter().map(Path::new).any(|directory| {
            directory == Path::new(".")
                || below.starts_with(directory)
                || is_dir && directory.starts_with(below)
        });
        let name = below.file_name().and_then(|name| name.to_str());
        let reserved = name.is_some_and(path::is_reserved_name);
        named && !reserved && !self.excludes.matches(below, is_dir)
    }

    fn skip_unread(&mut self, path: &Path, message: String) {
        let below = path.strip_prefix(self.workspace.root()).unwrap_or(path);
        self.found
            .skip(below.to_string_lossy(), SkipReason::Unreadable(message));
    }

    /// If the rules of a directory cannot be read, nothing in it is examined: git may ignore some
    /// of it.
    fn skip_unknown(&mut self, unknown: UnknownRules) {
        let UnknownRules { file, message } = unknown;
        let message = format!("{message}; nothing in its folder was examined");
        self.skip_unread(&file, message);
    }
}

fn list(directory: &Path) -> io::Result<Vec<DirEntry>> {
    fs::read_dir(directory)?.collect()
}
