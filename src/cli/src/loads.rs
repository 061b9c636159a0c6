//! What the files say that Starlark loads: each is read once in a run, and only when something loads it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fixpoint_lint::{Deprecated, deprecated_functions, loaded_labels};
use fixpoint_starlark::Parse;
use fixpoint_workspace::Workspace;

/// Files that open a Bazel workspace.
const BOUNDARIES: [&str; 4] = ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "REPO.bazel"];

/// Files that open a package.
const PACKAGES: [&str; 2] = ["BUILD.bazel", "BUILD"];

/// Where to learn what a label stands for.
#[derive(Debug)]
pub(crate) enum Loads {
    Workspace(Reader),
    /// For a text whose loads have been followed already.
    Handed(Deprecated),
    /// A Bazel action does not see what its sources load.
    Unseen,
}

#[derive(Debug)]
pub(crate) struct Reader {
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

impl Loads {
    pub(crate) fn of(workspace: Arc<Workspace>) -> Self {
        Self::Workspace(Reader {
            workspace,
            places: Mutex::default(),
            files: Mutex::default(),
        })
    }

    /// What is deprecated among that which the file at `path` loads.
    pub(crate) fn deprecated(&self, path: &str, parse: &Parse<'_>) -> Deprecated {
        match self {
            Self::Handed(deprecated) => deprecated.clone(),
            Self::Unseen => Deprecated::new(),
            Self::Workspace(_) if !parse.errors.is_empty() => Deprecated::new(),
            Self::Workspace(reader) => {
                let labels = loaded_labels(parse).into_iter();
                let told = labels.filter_map(|label| {
                    let functions = reader.functions(&reader.file(path, &label)?);
                    (!functions.is_empty()).then_some((label, functions))
                });
                told.collect()
            }
        }
    }
}

impl Loads {
    /// The labels in the file that are followed in a workspace, but are not available here.
    pub(crate) fn unseen(&self, parse: &Parse<'_>) -> Vec<String> {
        match self {
            Self::Unseen if parse.errors.is_empty() => {
                let labels = loaded_labels(parse).into_iter();
                labels.filter(|it| local(it).is_some()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A label of the same Bazel workspace: its package, if it names one, and its target.
fn local(label: &str) -> Option<(Option<&str>, &str)> {
    let absolute = ["//", "@//", "@@//"];
    let absolute = absolute.iter().find_map(|it| label.strip_prefix(it));
    let (package, target) = match absolute {
        Some(rest) => {
            let (package, target) = rest.split_once(':')?;
            (Some(package), target)
        }
        None if label.starts_with(['@', '/']) => return None,
        None => (None, label.strip_prefix(':').unwrap_or(label)),
    };
    let is_plain = |it: &str| !it.split('/').any(|part| matches!(part, "" | "." | ".."));
    let is_package = package.is_none_or(|it| it.is_empty() || is_plain(it));
    (is_plain(target) && is_package).then_some((package, target))
}

impl Reader {
    /// The file that a label in the file at `path` stands for, if it is one of the same Bazel workspace.
    fn file(&self, path: &str, label: &str) -> Option<String> {
        let (package, target) = local(label)?;
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
            let holds = |names: &[&str]| names.iter().any(|it| within.join(it).is_file());
            let prefix = || match at {
                "" => String::new(),
                at => format!("{at}/"),
            };
            if package.is_none() && holds(&PACKAGES) {
                package = Some(prefix());
            }
            if holds(&BOUNDARIES) {
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
        let functions = read.map_or_else(|_| BTreeSet::new(), |it| deprecated_functions(it.text()));
        lock(&self.files).insert(path.to_owned(), functions.clone());
        functions
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
