//! Walks the directories of a workspace, and applies git's ignore rules.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::DirEntry;

use crate::find::{Directories, Excludes, Found, SkipReason};
use crate::ignores::{IgnoreReader, Ignores, UnknownRules};
use crate::path;
use crate::repository::is_git_directory;
use crate::root::Workspace;

/// One search below named directories.
pub(crate) struct Walk<'a> {
    workspace: &'a Workspace,
    directories: &'a Directories,
    excludes: &'a Excludes,
    ignore_files: IgnoreReader,
    found: &'a mut Found,
    /// The named directories that the walk has reached.
    reached: BTreeSet<PathBuf>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        directories: &'a Directories,
        excludes: &'a Excludes,
        found: &'a mut Found,
    ) -> Self {
        Self {
            workspace,
            directories,
            excludes,
            ignore_files: IgnoreReader::default(),
            found,
            reached: BTreeSet::new(),
        }
    }

    /// Walks from the root, so that every ignore file above a directory applies.
    pub(crate) fn run(mut self) {
        let root = self.workspace.root();
        match self.ignore_files.around(root) {
            Ok(ignores) => self.directory(PathBuf::new(), ignores),
            Err(unknown) => {
                self.skip_unknown(unknown);
                return;
            }
        }
        for directory in self.directories.named() {
            // A directory that is named on the command line is walked even if git ignores it.
            if !self.reached.contains(directory) {
                match self.ignore_files.below(&root.join(directory), None) {
                    Ok(ignores) => self.directory(directory.clone(), Arc::new(ignores)),
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

    /// Walks `start`, which is relative to the root, and everything below it.
    fn directory(&mut self, start: PathBuf, ignores: Arc<Ignores>) {
        let mut open = vec![(start, ignores)];
        while let Some((directory, ignores)) = open.pop() {
            if self.directories.named().contains(&directory) {
                self.reached.insert(directory.clone());
            }
            let entries = match self.list(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    self.skip_unread(&directory, error.to_string());
                    continue;
                }
            };
            let absolute = self.workspace.root().join(&directory);
            if directory != Path::new("") && is_git_directory(&absolute) {
                let directory = directory.to_string_lossy();
                self.found.skip(directory, SkipReason::Reserved);
                continue;
            }
            for entry in entries {
                let path = directory.join(entry.file_name());
                if self.entry(&path, &entry, &ignores) {
                    let above = Some(Arc::clone(&ignores));
                    let absolute = self.workspace.root().join(&path);
                    match self.ignore_files.below(&absolute, above) {
                        Ok(rules) => open.push((path, Arc::new(rules))),
                        Err(unknown) => self.skip_unknown(unknown),
                    }
                }
            }
        }
    }

    /// The entries of a directory. It is opened relative to the root handle, so that a link put in
    /// its place does not lead outside.
    fn list(&self, directory: &Path) -> io::Result<Vec<DirEntry>> {
        let is_root = directory == Path::new("");
        let directory = if is_root { Path::new(".") } else { directory };
        self.workspace.dir().read_dir(directory)?.collect()
    }

    /// Adds a file to the result. Returns whether the entry is a directory to walk.
    fn entry(&mut self, path: &Path, entry: &DirEntry, ignores: &Ignores) -> bool {
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                self.skip_unread(path, error.to_string());
                return false;
            }
        };
        let absolute = self.workspace.root().join(path);
        if !self.wants(path, kind.is_dir()) || ignores.cover(&absolute, kind.is_dir()) {
            return false;
        }
        match path::to_text(path) {
            Ok(_) if kind.is_dir() => return true,
            Ok(path) => self.workspace.take(self.found, path, kind),
            Err(_) => self.found.skip(path.to_string_lossy(), SkipReason::NotUtf8),
        }
        false
    }

    /// Whether an entry is relevant: at, below or above a named directory, not excluded, and not
    /// reserved.
    fn wants(&self, path: &Path, is_dir: bool) -> bool {
        let named = match is_dir {
            true => self.directories.lead_through(path),
            false => self.directories.contain(path),
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let reserved = name.is_some_and(path::is_reserved_name);
        named && !reserved && !self.excludes.matches(path, is_dir)
    }

    fn skip_unread(&mut self, path: &Path, message: String) {
        let path = match path.to_string_lossy() {
            root if root.is_empty() => ".".into(),
            path => path,
        };
        self.found.skip(path, SkipReason::Unreadable(message));
    }

    /// Skips a directory whose ignore rules cannot be read, because git may ignore some of its
    /// entries.
    fn skip_unknown(&mut self, unknown: UnknownRules) {
        let UnknownRules { file, message } = unknown;
        let message = format!("{message}; nothing in its folder was examined");
        let path = file.strip_prefix(self.workspace.root()).unwrap_or(&file);
        self.skip_unread(path, message);
    }
}
