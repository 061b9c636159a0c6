//! The deprecated functions of files that Starlark loads. Each file is read once in a run, and only when
//! another file loads it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fixpoint_lint::{Deprecated, deprecated_functions, local_label, possible_labels};
use fixpoint_workspace::Workspace;

/// Files that mark the root of a Bazel workspace.
const BOUNDARIES: [&str; 4] = ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "REPO.bazel"];

/// Files that mark a package.
const PACKAGES: [&str; 2] = ["BUILD.bazel", "BUILD"];

#[derive(Debug)]
pub(crate) struct LoadedFiles {
    workspace: Arc<Workspace>,
    places: Mutex<BTreeMap<String, Option<Place>>>,
    files: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

/// Folders of the workspace, each empty or with a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The Bazel workspace.
    root: String,
    package: String,
}

impl LoadedFiles {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        Self {
            workspace,
            places: Mutex::default(),
            files: Mutex::default(),
        }
    }

    /// The deprecated functions of the files that the Starlark text at `path` loads, by label.
    pub(crate) fn deprecated(&self, path: &str, text: &str) -> Deprecated {
        let labels = possible_labels(text).into_iter();
        let deprecated = labels.filter_map(|label| {
            let functions = self.functions(&self.file(path, &label)?);
            (!functions.is_empty()).then_some((label, functions))
        });
        deprecated.collect()
    }

    /// The file that a label in the file at `path` names, if it is in the same Bazel workspace.
    fn file(&self, path: &str, label: &str) -> Option<String> {
        let (package, target) = local_label(label)?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let place = self.place(folder)?;
        Some(match package {
            None => format!("{}{target}", place.package),
            Some("") => format!("{}{target}", place.root),
            Some(package) => format!("{}{package}/{target}", place.root),
        })
    }

    fn place(&self, folder: &str) -> Option<Place> {
        if let Some(known) = lock(&self.places).get(folder) {
            return known.clone();
        }
        let place = self.find_place(folder);
        lock(&self.places).insert(folder.to_owned(), place.clone());
        place
    }

    /// The innermost package and Bazel workspace around a folder.
    fn find_place(&self, folder: &str) -> Option<Place> {
        let mut package = None;
        let mut at = folder;
        loop {
            let within = self.workspace.root().join(at);
            let contains = |names: &[&str]| names.iter().any(|name| within.join(name).is_file());
            let prefix = || match at {
                "" => String::new(),
                at => format!("{at}/"),
            };
            if package.is_none() && contains(&PACKAGES) {
                package = Some(prefix());
            }
            if contains(&BOUNDARIES) {
                let root = prefix();
                let package = package.unwrap_or_else(|| root.clone());
                return Some(Place { root, package });
            }
            if at.is_empty() {
                return None;
            }
            at = at.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }

    /// The deprecated functions of a file; none of one that cannot be read.
    fn functions(&self, path: &str) -> BTreeSet<String> {
        if let Some(known) = lock(&self.files).get(path) {
            return known.clone();
        }
        let read = self.workspace.read(path);
        let functions = read.map_or_else(
            |_| BTreeSet::new(),
            |loaded| deprecated_functions(loaded.text()),
        );
        lock(&self.files).insert(path.to_owned(), functions.clone());
        functions
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
