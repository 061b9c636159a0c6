//! A folder with the files of one world.
//!
//! Trees that differ in a few files share the others by hard links. This is safe because commands
//! see a tree only through an overlay, or in a copy of their own.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use fixpoint_workspace::{ChangedError, Workspace};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::scratch::changes::{Changes, FileState};

/// Larger repositories are refused before anything is copied.
const MAX_TREE_SIZE: u64 = 8 * 1024 * 1024 * 1024;

/// Why a scratch tree could not be created.
#[derive(Debug, Error)]
pub enum ScratchError {
    #[error(transparent)]
    List(#[from] ChangedError),
    #[error("{}: {source}; nothing was changed", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "the repository has more than {} bytes of files; prove only works on smaller ones",
        MAX_TREE_SIZE
    )]
    TooLarge,
}

/// The files of one world, in a folder of their own.
#[derive(Clone, Debug)]
pub struct Tree {
    folder: PathBuf,
    /// The files and links of the repository, relative to the folder.
    paths: Vec<String>,
}

impl Tree {
    /// Copies what belongs to the repository into `folder`: tracked files as they are on disk, and
    /// new files that git does not ignore. `excluded` are folders of the repository that are left out.
    pub fn copy_of(
        workspace: &Workspace,
        excluded: &[&Path],
        folder: &Path,
    ) -> Result<Self, ScratchError> {
        let paths = workspace.repository_files()?;
        let mut left = MAX_TREE_SIZE;
        let mut copied = Vec::new();
        let is_excluded = |path: &str| excluded.iter().any(|it| Path::new(path).starts_with(it));
        for path in paths.into_iter().filter(|path| !is_excluded(path)) {
            let (from, to) = (workspace.root().join(&path), folder.join(&path));
            let metadata = at(&from, fs::symlink_metadata(&from))?;
            if metadata.is_file() {
                left = left
                    .checked_sub(metadata.size())
                    .ok_or(ScratchError::TooLarge)?;
                make_parent(&to)?;
                at(&from, fs::copy(&from, &to).map(drop))?;
            } else if metadata.is_symlink() {
                make_parent(&to)?;
                at(
                    &from,
                    fs::read_link(&from).and_then(|target| symlink(target, &to)),
                )?;
            } else {
                continue;
            }
            copied.push(path);
        }
        at(folder, fs::create_dir_all(folder))?;
        Ok(Self {
            folder: folder.to_owned(),
            paths: copied,
        })
    }

    /// The user's own tree, with everything that git ignores. Commands see it through an overlay.
    pub fn in_place(workspace: &Workspace) -> Result<Self, ScratchError> {
        let exists = |path: &String| workspace.root().join(path).symlink_metadata().is_ok();
        let paths = workspace.repository_files()?.into_iter();
        Ok(Self {
            folder: workspace.root().to_owned(),
            paths: paths.filter(exists).collect(),
        })
    }

    /// A tree in `folder` that equals this one except for `changes`. What commands have added to
    /// this tree, such as installed packages, is in the new one, too.
    pub fn with(&self, changes: &Changes, folder: &Path) -> Result<Self, ScratchError> {
        link_all(&self.folder, folder)?;
        let mut paths = self.paths.clone();
        for (path, state) in changes.iter() {
            let to = folder.join(path);
            match fs::remove_file(&to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(ScratchError::Io {
                        path: to,
                        source: error,
                    });
                }
                _ => {}
            }
            paths.retain(|other| other != path);
            if let Some(state) = state {
                make_parent(&to)?;
                at(&to, fs::write(&to, &state.bytes))?;
                let mode = if state.is_executable { 0o755 } else { 0o644 };
                at(
                    &to,
                    fs::set_permissions(&to, fs::Permissions::from_mode(mode)),
                )?;
                paths.push(path.clone());
            }
        }
        paths.sort_unstable();
        Ok(Self {
            folder: folder.to_owned(),
            paths,
        })
    }

    /// The same tree, where the files below a folder do not count.
    pub(crate) fn without(mut self, excluded: Option<&Path>) -> Self {
        self.paths
            .retain(|path| excluded.is_none_or(|it| !Path::new(path).starts_with(it)));
        self
    }

    /// A tree without files. The folder need not exist.
    pub(crate) fn empty(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            paths: Vec::new(),
        }
    }

    /// A tree of files that are already in `folder`.
    #[cfg(test)]
    pub(crate) fn of_files(folder: &Path, paths: Vec<String>) -> Self {
        Self {
            folder: folder.to_owned(),
            paths,
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files of the repository, relative to the folder, sorted.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The file at `path`; `None` if it is not a regular file.
    pub fn read(&self, path: &str) -> Result<Option<FileState>, ScratchError> {
        let file = self.folder.join(path);
        match fs::symlink_metadata(&file) {
            Ok(metadata) if metadata.is_file() => Ok(Some(FileState {
                bytes: at(&file, fs::read(&file))?,
                is_executable: metadata.permissions().mode() & 0o100 != 0,
            })),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ScratchError::Io { path: file, source }),
        }
    }

    /// A digest of the files of the repository: their paths, modes and contents. `upper` holds files
    /// that a run has changed; they count instead of those of the tree.
    pub fn digest(&self, upper: Option<&Path>) -> Result<String, ScratchError> {
        let mut hasher = Sha256::new();
        for path in &self.paths {
            let changed = upper.map(|upper| upper.join(path));
            let file = changed.filter(|file| fs::symlink_metadata(file).is_ok());
            let file = file.unwrap_or_else(|| self.folder.join(path));
            let metadata = at(&file, fs::symlink_metadata(&file))?;
            let (kind, content) = if metadata.is_file() {
                let mode = metadata.permissions().mode() & 0o100;
                let kind = if mode == 0 { "file" } else { "program" };
                (kind, Sha256::digest(at(&file, fs::read(&file))?).to_vec())
            } else if metadata.is_symlink() {
                let target = at(&file, fs::read_link(&file))?;
                ("link", target.as_os_str().as_encoded_bytes().to_vec())
            } else {
                ("removed", Vec::new())
            };
            for part in [path.as_bytes(), kind.as_bytes(), &content] {
                hasher.update((part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        Ok(hex(&hasher.finalize()))
    }

    /// The contents of the given files, for a comparison with what a patch makes of them.
    pub fn states(
        &self,
        paths: impl Iterator<Item = String>,
    ) -> Result<BTreeMap<String, Option<FileState>>, ScratchError> {
        paths
            .map(|path| Ok((path.clone(), self.read(&path)?)))
            .collect()
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Creates `to` with the folders of `from`, and hard links to its files.
fn link_all(from: &Path, to: &Path) -> Result<(), ScratchError> {
    at(to, fs::create_dir_all(to))?;
    for entry in at(from, fs::read_dir(from))? {
        let entry = at(from, entry)?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = at(&path, entry.file_type())?;
        if kind.is_dir() {
            link_all(&path, &copy)?;
            let permissions = at(&path, fs::metadata(&path))?.permissions();
            at(&copy, fs::set_permissions(&copy, permissions))?;
        } else if kind.is_symlink() {
            at(
                &path,
                fs::read_link(&path).and_then(|target| symlink(target, &copy)),
            )?;
        } else if kind.is_file() {
            at(&path, fs::hard_link(&path, &copy))?;
        }
    }
    Ok(())
}

pub(super) fn make_parent(file: &Path) -> Result<(), ScratchError> {
    match file.parent() {
        Some(parent) => at(parent, fs::create_dir_all(parent)),
        None => Ok(()),
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, ScratchError> {
    result.map_err(|source| ScratchError::Io {
        path: path.to_owned(),
        source,
    })
}
