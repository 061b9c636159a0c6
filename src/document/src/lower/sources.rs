//! The files that actions change. Each file is read once, even if actions refer to it by different
//! names.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use fixpoint_text::{LineIndex, Snapshot};

use crate::action::ActionPack;
use crate::error::{Problem, Reason};
use crate::format::Format;
use crate::tree::{Document, ParseError};

/// The documents that actions are applied to.
#[derive(Debug, Default)]
pub struct Sources {
    /// The file path for each file name in the pack.
    paths: BTreeMap<String, Result<String, Problem>>,
    by_path: BTreeMap<String, Source>,
}

#[derive(Debug)]
pub(super) struct Source {
    pub snapshot: Snapshot,
    pub document: Document,
}

impl Sources {
    /// Reads every file that an op of the pack names. `read` takes a workspace-relative path. Its
    /// snapshot has the path of the real file, which differs if the path is a symbolic link.
    pub fn read(
        pack: &ActionPack,
        read: &mut dyn FnMut(&str) -> Result<Snapshot, Problem>,
    ) -> Self {
        let mut sources = Self::default();
        let ops = pack.fix_actions.iter().flat_map(|action| &action.ops);
        for op in ops {
            if !sources.paths.contains_key(&op.file) {
                let path = sources.read_file(&pack.workspace_root, &op.file, read);
                sources.paths.insert(op.file.clone(), path);
            }
        }
        sources
    }

    fn read_file(
        &mut self,
        root: &str,
        file: &str,
        read: &mut dyn FnMut(&str) -> Result<Snapshot, Problem>,
    ) -> Result<String, Problem> {
        let path = workspace_path(root, file)?;
        let unknown = |path: &str| {
            let expected = "a file named .json, .jsonc, .yaml, .yml or .toml";
            Problem::new(Reason::UnknownFormat, expected, path)
        };
        if Format::of_path(&path).is_none() {
            return Err(unknown(&path));
        }
        let snapshot = read(&path)?;
        let format = Format::of(&path, snapshot.text()).ok_or_else(|| unknown(&path))?;
        let path = snapshot.path().to_owned();
        match self.by_path.entry(path.clone()) {
            Entry::Occupied(known) => {
                let other = known.get().document.format();
                if other != format {
                    let expected = format!("names that imply one format for {path}");
                    let found = format!("{} and {}", other.name(), format.name());
                    return Err(Problem::new(Reason::UnknownFormat, expected, found));
                }
            }
            Entry::Vacant(place) => {
                place.insert(Source::of(snapshot, format)?);
            }
        }
        Ok(path)
    }

    /// The path of the file that an op calls `file`.
    pub(super) fn path(&self, file: &str) -> Result<&str, Problem> {
        match self.paths.get(file) {
            Some(Ok(path)) => Ok(path),
            Some(Err(problem)) => Err(problem.clone()),
            None => Err(Problem::unreadable("a file that has not been read")),
        }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.by_path.get(path)
    }
}

impl Source {
    fn of(snapshot: Snapshot, format: Format) -> Result<Self, Problem> {
        let document = Document::parse(format, snapshot.text()).map_err(|error| {
            let lines = LineIndex::new(snapshot.text());
            let at = lines.position(snapshot.text(), error.span().start());
            let found = format!("at line {} column {}: {error}", at.line, at.column);
            let (reason, expected) = match error {
                ParseError::TooDeep { .. } => {
                    (Reason::TooDeep, "values that nest less deep".into())
                }
                _ => (Reason::UnparsableFile, format!("valid {}", format.name())),
            };
            Problem::new(reason, expected, found)
        })?;
        Ok(Self { snapshot, document })
    }

    /// Whether the new text of the file still parses. Removing the last comment can turn the file
    /// into strict JSON, in which a trailing comma is an error.
    pub fn still_parses(&self, text: &str) -> bool {
        let was_strict = self.document.format() == Format::Json;
        let is_strict = Format::of(self.snapshot.path(), text) == Some(Format::Json);
        was_strict || !is_strict || Document::parse(Format::Json, text).is_ok()
    }
}

/// The workspace-relative path of a file in a pack: plain names separated by `/`.
fn workspace_path(root: &str, file: &str) -> Result<String, Problem> {
    let is_absolute = root.starts_with('/') || file.starts_with('/');
    let parts = || root.split('/').chain(file.split('/'));
    if is_absolute || parts().any(|it| it == "..") || file.contains('\0') {
        let found = if root.starts_with('/') || root.split('/').any(|it| it == "..") {
            format!("{file} in the workspace_root {root}")
        } else {
            file.to_owned()
        };
        return Err(Problem::outside(found));
    }
    if matches!(file.rsplit('/').next(), Some("" | ".")) {
        let found = format!("{file:?}, which names a folder");
        return Err(Problem::unreadable(found));
    }
    let names: Vec<&str> = parts().filter(|it| !matches!(*it, "" | ".")).collect();
    Ok(names.join("/"))
}
