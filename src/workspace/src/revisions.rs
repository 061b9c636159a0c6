//! The texts of two commits, as git stores them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::changed::{Blobs, ChangedError, blobs};
use crate::git::{Git, GitError};
use crate::repository::Repository;
use crate::root::Workspace;

/// A larger file is not compared: sources are not that large.
const MAX_BLOB_SIZE: usize = 1024 * 1024;
/// The limit for all texts together.
const MAX_TOTAL_SIZE: usize = 512 * 1024 * 1024;

/// The files of two commits, at their paths relative to the workspace.
#[derive(Debug, Default)]
pub struct RevisionTexts {
    /// Files of both commits with different texts.
    pub changed: Vec<ChangedText>,
    /// Files of the later commit that are not in `changed`.
    pub unchanged: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct ChangedText {
    pub path: String,
    pub before: String,
    pub after: String,
}

impl Workspace {
    /// The texts of the files that `wants` accepts. Files that are not UTF-8 or too large are not listed.
    pub fn texts_of_revisions(
        &self,
        from: &str,
        to: &str,
        wants: impl Fn(&str) -> bool,
    ) -> Result<RevisionTexts, ChangedError> {
        let repository = Repository::around(self.root()).ok_or(ChangedError::NotARepository)?;
        let git = Git::new(&repository)?;
        let below = self.root().strip_prefix(&repository.work_tree);
        let prefix = below.unwrap_or(Path::new(""));
        let files_of = |revision: &str| -> Result<Blobs, ChangedError> {
            let commit = git.commit(revision)?;
            let commit = commit.ok_or_else(|| ChangedError::UnknownRevision {
                revision: revision.into(),
            })?;
            let mut files = blobs(&git, &commit, prefix)?;
            files.retain(|path, _| wants(path));
            Ok(files)
        };
        let (old, new) = (files_of(from)?, files_of(to)?);
        let mut ids: BTreeSet<&str> = new.values().map(String::as_str).collect();
        let differs = |(path, id): &(&String, &String)| new.get(*path).is_some_and(|it| it != *id);
        ids.extend(old.iter().filter(differs).map(|(_, id)| id.as_str()));
        let texts = git.texts(&ids)?;
        let text = |id: &String| texts.get(id.as_str()).cloned();
        let mut found = RevisionTexts::default();
        for (path, id) in &new {
            let Some(after) = text(id) else {
                continue;
            };
            match old.get(path).filter(|old| *old != id) {
                None => found.unchanged.push((path.clone(), after)),
                Some(old) => found.changed.extend(text(old).map(|before| ChangedText {
                    path: path.clone(),
                    before,
                    after,
                })),
            }
        }
        Ok(found)
    }
}

impl Git {
    /// The texts of blobs, by id. Those that are too large or not UTF-8 are left out.
    fn texts(&self, ids: &BTreeSet<&str>) -> Result<BTreeMap<String, String>, GitError> {
        let lines = |ids: &mut dyn Iterator<Item = &str>| -> Vec<u8> {
            ids.flat_map(|id| [id, "\n"]).collect::<String>().into()
        };
        let all = lines(&mut ids.iter().copied());
        let sizes = self.output(&["cat-file", "--batch-check"], &all)?;
        let sizes = String::from_utf8_lossy(&sizes).into_owned();
        let mut total = 0;
        let mut wanted = Vec::new();
        for line in sizes.lines() {
            let Some((id, size)) = header(line).filter(|(_, size)| *size <= MAX_BLOB_SIZE) else {
                continue;
            };
            total += size;
            wanted.push(id);
        }
        if total > MAX_TOTAL_SIZE {
            return Err(GitError::Failed {
                message: format!(
                    "the files of the revision have {total} bytes, more than the limit of {MAX_TOTAL_SIZE}"
                ),
            });
        }
        let input = lines(&mut wanted.into_iter());
        let contents = self.output(&["cat-file", "--batch"], &input)?;
        Ok(split_batch(&contents))
    }
}

/// The id and the size in a line of `git cat-file --batch`, if it is a blob.
fn header(line: &str) -> Option<(&str, usize)> {
    let (id, rest) = line.split_once(' ')?;
    let size = rest.strip_prefix("blob ")?.parse().ok()?;
    Some((id, size))
}

fn split_batch(mut rest: &[u8]) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = str::from_utf8(&rest[..end]).unwrap_or_default();
        let Some((id, size)) = header(line) else {
            break;
        };
        let Some(content) = rest.get(end + 1..end + 1 + size) else {
            break;
        };
        if let Ok(text) = str::from_utf8(content) {
            texts.insert(id.to_owned(), text.to_owned());
        }
        rest = rest.get(end + size + 2..).unwrap_or_default();
    }
    texts
}
