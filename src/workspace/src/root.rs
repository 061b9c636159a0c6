//! Opens a workspace, and resolves paths that a person typed.

use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use crate::generated::Lists;
use crate::path::{self, PathError};
use crate::read::ReadError;
use crate::repository::{is_git_directory, is_in_git_directory};

/// The configuration file. It also marks the root of a workspace.
pub const CONFIG_FILE: &str = "fixpoint.toml";

/// Limited, because every glob in the file is compiled, which takes time.
const MAX_CONFIG_SIZE: u64 = 1024 * 1024;

const OTHER_ROOT_MARKERS: [&str; 4] = ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE", ".git"];

/// An open workspace. All files are opened relative to its directory handle, so that no path, link
/// or race leads outside.
#[derive(Debug)]
pub struct Workspace {
    /// Canonical.
    root: PathBuf,
    /// Canonical. Relative paths that a person types start here.
    working_directory: PathBuf,
    dir: Dir,
    lists: Lists,
}

/// Why a directory could not be opened as a workspace.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    #[error("cannot open the workspace {}: {source}", .path.display())]
    Open {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{} is a git directory and contains no sources; use a work tree as the root",
        .path.display()
    )]
    GitDirectory { path: PathBuf },
}

impl Workspace {
    /// The workspace with this root directory. Relative paths start from the root until
    /// [`Workspace::with_working_directory`] changes that.
    pub fn open(root: &Path) -> Result<Self, WorkspaceError> {
        let cannot_open = |source| WorkspaceError::Open {
            path: root.to_owned(),
            source,
        };
        let canonical = root.canonicalize().map_err(cannot_open)?;
        if is_git_directory(&canonical) {
            return Err(WorkspaceError::GitDirectory { path: canonical });
        }
        let dir = Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(cannot_open)?;
        Ok(Self {
            working_directory: canonical.clone(),
            root: canonical,
            dir,
            lists: Lists::default(),
        })
    }

    /// The workspace that contains `start`. Its root is the nearest ancestor with a
    /// `fixpoint.toml`, else the nearest root of a Bazel workspace or git work tree, else `start`
    /// itself. Relative paths start from `start`.
    pub fn discover(start: &Path) -> Result<Self, WorkspaceError> {
        let cannot_open = |source| WorkspaceError::Open {
            path: start.to_owned(),
            source,
        };
        let start = start.canonicalize().map_err(cannot_open)?;
        let root = nearest_with(&start, &[CONFIG_FILE])
            .or_else(|| nearest_with(&start, &OTHER_ROOT_MARKERS))
            .unwrap_or(&start);
        Self::open(root)?.with_working_directory(&start)
    }

    /// The same workspace, with `directory` as the start of relative paths.
    pub fn with_working_directory(mut self, directory: &Path) -> Result<Self, WorkspaceError> {
        self.working_directory =
            directory
                .canonicalize()
                .map_err(|source| WorkspaceError::Open {
                    path: directory.to_owned(),
                    source,
                })?;
        Ok(self)
    }

    /// Whether something in the root says that it is one.
    pub fn is_marked(&self) -> bool {
        nearest_with(&self.root, &[CONFIG_FILE]) == Some(&self.root)
            || nearest_with(&self.root, &OTHER_ROOT_MARKERS) == Some(&self.root)
    }

    /// The canonical root. For messages and for starting tools, never part of a report.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The lists of generated files that were read so far.
    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Canonical. Relative paths that a person types start here.
    pub(crate) fn working_directory(&self) -> &Path {
        &self.working_directory
    }

    /// What a path that a person typed names: the real file, links resolved, relative to the root.
    /// The root itself is `.`.
    pub fn relative(&self, path: &Path) -> Result<String, PathError> {
        self.resolve(&self.working_directory.join(path), path)
    }

    /// The workspace path of a link in the workspace, if `path` is such a link. With a slash at its
    /// end, a path names the target of the link.
    pub(crate) fn link_at(&self, path: &Path) -> Option<String> {
        let absolute = self.working_directory.join(path);
        if !absolute.symlink_metadata().ok()?.is_symlink() {
            return None;
        }
        let folder = absolute.parent()?.canonicalize().ok()?;
        let link = folder.join(absolute.file_name()?);
        let below = link.strip_prefix(&self.root).ok()?;
        Some(below.to_string_lossy().into_owned())
    }

    /// The path after all links are resolved. It equals `path` unless a part of `path` is a link.
    pub fn real_path(&self, path: &str) -> Result<String, PathError> {
        self.check_source(path)?;
        let real = self.resolve(&self.root.join(path), Path::new(path))?;
        self.check_source(&real)?;
        Ok(real)
    }

    /// Rejects a path that is not in the normal form of reports, or that belongs to git or
    /// Fixpoint. A directory with the layout of a git directory belongs to git, whatever its name.
    pub(crate) fn check_source(&self, path: &str) -> Result<(), PathError> {
        path::check_relative(path)?;
        if is_in_git_directory(&self.root, path) {
            return Err(PathError::Reserved { path: path.into() });
        }
        Ok(())
    }

    /// Converts `absolute` to a workspace path. Messages name it as `path`.
    fn resolve(&self, absolute: &Path, path: &Path) -> Result<String, PathError> {
        let real = absolute.canonicalize().map_err(|source| {
            // A path that leads outside is reported as such even if nothing exists there.
            if !normalized(absolute).starts_with(&self.root) {
                self.outside(path)
            } else if source.kind() == std::io::ErrorKind::NotFound {
                PathError::Missing { path: path.into() }
            } else {
                PathError::Io {
                    path: path.into(),
                    source,
                }
            }
        })?;
        match real.strip_prefix(&self.root) {
            Ok(below) => path::to_text(below),
            Err(_) => Err(self.outside(path)),
        }
    }

    /// The text of `fixpoint.toml` at the root, if there is one.
    pub fn read_config(&self) -> Result<Option<String>, ReadError> {
        match self.read(CONFIG_FILE) {
            Ok(snapshot) if snapshot.text().len() as u64 > MAX_CONFIG_SIZE => {
                Err(ReadError::TooLarge {
                    path: CONFIG_FILE.into(),
                    size: snapshot.text().len() as u64,
                    limit: MAX_CONFIG_SIZE,
                })
            }
            Ok(snapshot) => Ok(Some(snapshot.text().to_owned())),
            Err(ReadError::Vanished { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The names of regular files directly in a folder, in no order. `folder` is empty or ends with a slash.
    /// A folder that cannot be listed has none.
    pub fn file_names(&self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let folder = if folder.is_empty() { "." } else { folder };
        let Ok(entries) = self.dir().read_dir(folder) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            (is_wanted(&name) && entry.file_type().ok()?.is_file()).then_some(name)
        });
        names.collect()
    }

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    fn outside(&self, path: &Path) -> PathError {
        PathError::Outside {
            path: path.to_owned(),
            root: self.root.clone(),
        }
    }
}

fn nearest_with<'a>(start: &'a Path, markers: &[&str]) -> Option<&'a Path> {
    start
        .ancestors()
        .find(|directory| markers.iter().any(|marker| directory.join(marker).exists()))
}

/// `path` without `.` and `..`. Links are not resolved.
pub fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            _ => normal.push(part),
        }
    }
    normal
}
