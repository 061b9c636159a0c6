//! A patch as contents: what each changed file is afterwards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A regular file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    pub bytes: Vec<u8>,
    pub is_executable: bool,
}

/// The files that a patch changes, by path. `None` means that the patch deletes the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes(BTreeMap<String, Option<FileState>>);

impl Changes {
    pub fn new(files: BTreeMap<String, Option<FileState>>) -> Self {
        Self(files)
    }

    pub fn set(&mut self, path: impl Into<String>, state: Option<FileState>) {
        self.0.insert(path.into(), state);
    }

    pub fn get(&self, path: &str) -> Option<&Option<FileState>> {
        self.0.get(path)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Option<FileState>)> {
        self.0.iter()
    }

    pub fn paths(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Only the changes of the paths that `keep` accepts.
    pub fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.0.iter().filter(|(path, _)| keep(path));
        Self(
            kept.map(|(path, state)| (path.clone(), state.clone()))
                .collect(),
        )
    }

    /// These changes, followed by `later` ones.
    pub fn then(&self, later: &Self) -> Self {
        let mut all = self.0.clone();
        all.extend(
            later
                .0
                .iter()
                .map(|(path, state)| (path.clone(), state.clone())),
        );
        Self(all)
    }
}
