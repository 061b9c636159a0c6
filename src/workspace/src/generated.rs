//! The list of files that commands have generated into a folder. Listed files are not sources, so no
//! command edits them.
//!
//! The list is in the folder itself, in the format of `sha256sum`. A file with another digest than the
//! one that is listed was edited by hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fixpoint_text::Digest;

use crate::outputs::{OutputError, write_outputs};
use crate::path;
use crate::read::{MAX_FILE_SIZE, read_at_most, read_unlinked_file};
use crate::root::Workspace;

/// The name of the list.
pub const GENERATED_LIST: &str = "fixpoint-generated.sha256";

/// What is known about a file that a list contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generated {
    /// It has the bytes that were generated.
    Unchanged,
    EditedByHand,
}

/// Lists that were read, by the folder that contains them.
#[derive(Debug, Default)]
pub(crate) struct Lists(Mutex<BTreeMap<String, Option<Arc<List>>>>);

/// Digests by path, relative to the folder of the list.
type List = BTreeMap<String, String>;

/// Writes outputs like [`write_outputs`], and lists them. Returns the paths of outputs that were edited
/// by hand since they were generated, and that are now replaced.
pub fn write_generated(
    directory: &Path,
    inputs: &[PathBuf],
    mut files: Vec<(String, Vec<u8>)>,
) -> Result<Vec<String>, OutputError> {
    let read = |path: &str| read_unlinked_file(&directory.join(path), MAX_FILE_SIZE).ok();
    let list = read(GENERATED_LIST).and_then(|bytes| String::from_utf8(bytes).ok());
    let mut list = list.map(|text| parse(&text)).unwrap_or_default();
    let mut edited = Vec::new();
    for (path, contents) in &files {
        let digest = Digest::of(contents).to_string();
        let Some(listed) = list.insert(path.clone(), digest) else {
            continue;
        };
        let is_edited = |bytes: Vec<u8>| Digest::of(&bytes).to_string() != listed;
        if read(path).is_some_and(is_edited) {
            edited.push(path.clone());
        }
    }
    list.retain(|path, _| {
        let is_new = files.iter().any(|(new, _)| new == path);
        is_new || directory.join(path).symlink_metadata().is_ok()
    });
    files.push((GENERATED_LIST.to_owned(), print(&list).into_bytes()));
    write_outputs(directory, inputs, files)?;
    Ok(edited)
}

/// The paths that the text of a list contains, relative to its folder.
pub fn listed_paths(text: &str) -> Vec<String> {
    parse(text).into_keys().collect()
}

impl Workspace {
    /// Whether the list of the file's folder, or of a folder above, contains the file.
    pub fn generated(&self, path: &str) -> Option<Generated> {
        let mut folder = path::split_name(path).0;
        loop {
            let list = self.list_in(folder);
            let below = match folder {
                "" => path,
                _ => path.get(folder.len() + 1..).unwrap_or_default(),
            };
            if let Some(listed) = list.as_ref().and_then(|list| list.get(below)) {
                let digest = self.digest_of(path);
                let is_unchanged = digest.is_some_and(|digest| digest == *listed);
                return Some(match is_unchanged {
                    true => Generated::Unchanged,
                    false => Generated::EditedByHand,
                });
            }
            if folder.is_empty() {
                return None;
            }
            folder = path::split_name(folder).0;
        }
    }

    fn list_in(&self, folder: &str) -> Option<Arc<List>> {
        let lists = self.lists();
        let lock = || lists.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(folder) {
            return known.clone();
        }
        let path = match folder {
            "" => GENERATED_LIST.to_owned(),
            _ => format!("{folder}/{GENERATED_LIST}"),
        };
        let text = self
            .bytes_of(&path)
            .and_then(|it| String::from_utf8(it).ok());
        let list = text.map(|text| Arc::new(parse(&text)));
        lock().insert(folder.to_owned(), list.clone());
        list
    }

    fn digest_of(&self, path: &str) -> Option<String> {
        Some(Digest::of(&self.bytes_of(path)?).to_string())
    }

    fn bytes_of(&self, path: &str) -> Option<Vec<u8>> {
        let (file, size) = self.open_source(path).ok()??;
        read_at_most(path, file, size, MAX_FILE_SIZE).ok()
    }
}

fn print(list: &List) -> String {
    let lines = list.iter().map(|(path, digest)| {
        let escaped = path.replace('\\', "\\\\").replace('\n', "\\n");
        let mark = if escaped == *path { "" } else { "\\" };
        format!("{mark}{digest}  {escaped}\n")
    });
    lines.collect()
}

/// Lines that do not have the format are ignored.
fn parse(text: &str) -> List {
    let lines = text.lines().filter_map(|line| {
        let (is_escaped, line) = match line.strip_prefix('\\') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (digest, path) = line.split_once("  ")?;
        let path = match is_escaped {
            true => unescape(path),
            false => path.to_owned(),
        };
        Some((path, digest.to_owned()))
    });
    lines.collect()
}

fn unescape(path: &str) -> String {
    let mut unescaped = String::with_capacity(path.len());
    let mut characters = path.chars();
    while let Some(character) = characters.next() {
        unescaped.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            },
            other => other,
        });
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn one(path: &str, text: &str) -> Vec<(String, Vec<u8>)> {
        vec![(path.to_owned(), text.as_bytes().to_vec())]
    }

    #[test]
    fn listed_files_are_known_in_the_folder_and_below() -> Result<(), Box<dyn std::error::Error>> {
        let scratch = tempfile::tempdir()?;
        let out = scratch.path().join("a/out");
        write_generated(&out, &[], one("x.js", "x"))?;
        assert!(write_generated(&out, &[], one("deep/y\\\n.js", "y"))?.is_empty());
        fs::write(out.join("own.js"), "own")?;

        let known = |path: &str| -> Result<_, Box<dyn std::error::Error>> {
            Ok(Workspace::open(scratch.path())?.generated(path))
        };
        assert_eq!(known("a/out/x.js")?, Some(Generated::Unchanged));
        assert_eq!(known("a/out/deep/y\\\n.js")?, Some(Generated::Unchanged));
        assert_eq!(known("a/out/own.js")?, None);
        assert_eq!(known("x.js")?, None);

        fs::write(out.join("x.js"), "edited")?;
        assert_eq!(known("a/out/x.js")?, Some(Generated::EditedByHand));
        let edited = write_generated(&out, &[], one("x.js", "new"))?;
        assert_eq!(edited, ["x.js"]);
        assert_eq!(known("a/out/x.js")?, Some(Generated::Unchanged));
        Ok(())
    }

    #[test]
    fn files_that_were_deleted_are_not_listed_any_more() -> Result<(), Box<dyn std::error::Error>> {
        let scratch = tempfile::tempdir()?;
        write_generated(scratch.path(), &[], one("x.js", "x"))?;
        fs::remove_file(scratch.path().join("x.js"))?;
        write_generated(scratch.path(), &[], one("y.js", "y"))?;
        fs::write(scratch.path().join("x.js"), "written by hand")?;
        assert_eq!(Workspace::open(scratch.path())?.generated("x.js"), None);
        Ok(())
    }
}
