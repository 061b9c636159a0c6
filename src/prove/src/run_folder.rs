//! The private folder of one run of a command.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::runner::{RunError, folder_error};
use crate::sandbox::OverlayFolders;

/// The folder. It is removed when this value is dropped.
pub(crate) struct RunFolder(tempfile::TempDir);

impl RunFolder {
    pub(crate) fn create(state: &Path) -> Result<Self, RunError> {
        let folder = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(state)
            .map_err(|source| folder_error("create a folder in", state, source))?;
        Ok(Self(folder))
    }

    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, RunError> {
        let path = self.0.path().join(name);
        std::fs::create_dir(&path).map_err(|source| folder_error("create", &path, source))?;
        Ok(path)
    }

    pub(crate) fn overlay(&self, name: &str) -> Result<OverlayFolders, RunError> {
        Ok(OverlayFolders {
            upper: self.folder(name)?,
            work: self.folder(&format!("{name}-work"))?,
        })
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The kernel, or the command, may have left folders that cannot be listed.
        if std::fs::remove_dir_all(self.0.path()).is_err() {
            open_folders(self.0.path());
        }
    }
}

/// Makes all folders below a path accessible to their owner.
fn open_folders(folder: &Path) {
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_folders(&entry.path());
        }
    }
}
