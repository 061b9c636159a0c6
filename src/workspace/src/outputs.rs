//! Writes outputs, such as reports, to a directory that a person named. Outputs are not sources:
//! they are overwritten without comparing them with a base, and a failed write is not undone.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use thiserror::Error;

use crate::path::{self, PathError};

/// Why an output could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    #[error("cannot use {} for outputs: {source}", .directory.display())]
    Directory {
        directory: PathBuf,
        source: io::Error,
    },
    #[error("cannot write {path} into {}: {source}", .directory.display())]
    Write {
        directory: PathBuf,
        path: String,
        source: io::Error,
    },
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Writes each file at its relative path below `directory`. The directory may be outside of the
/// workspace, and is created if it does not exist. No path and no link in it leads outside of it.
pub fn write_outputs(directory: &Path, files: Vec<(String, Vec<u8>)>) -> Result<(), OutputError> {
    for (path, _) in &files {
        path::check_relative(path)?;
    }
    let dir = Dir::create_ambient_dir_all(directory, ambient_authority())
        .and_then(|()| Dir::open_ambient_dir(directory, ambient_authority()))
        .map_err(|source| OutputError::Directory {
            directory: directory.into(),
            source,
        })?;
    for (path, contents) in files {
        let (parent, _) = path::split_name(&path);
        let made = if parent.is_empty() {
            Ok(())
        } else {
            dir.create_dir_all(parent)
        };
        made.and_then(|()| write_file(&dir, &path, &contents))
            .map_err(|source| OutputError::Write {
                directory: directory.into(),
                path,
                source,
            })?;
    }
    Ok(())
}

/// Opening does not block if the path is a pipe without a reader.
fn write_file(dir: &Dir, path: &str, contents: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    let mut file = dir.open_with(path, &options)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    file.write_all(contents)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn outputs_are_written_below_the_directory_only() -> Result<(), Box<dyn std::error::Error>> {
        let scratch = tempfile::tempdir()?;
        let reports = scratch.path().join("new/reports");
        let one = |path: &str| vec![(path.to_owned(), b"x".to_vec())];

        write_outputs(&reports, one("src/a.json"))?;
        assert_eq!(fs::read(reports.join("src/a.json"))?, b"x");
        write_outputs(&reports, one("src/a.json"))?;

        for path in ["../escaped", "/escaped", "a/../../escaped"] {
            let refused = write_outputs(&reports, one(path));
            assert!(matches!(refused, Err(OutputError::Path(_))), "{path}");
        }
        std::os::unix::fs::symlink(scratch.path(), reports.join("link"))?;
        let through_link = write_outputs(&reports, one("link/escaped"));
        assert!(matches!(through_link, Err(OutputError::Write { .. })));
        assert!(!scratch.path().join("escaped").exists());

        let pipe = reports.join("pipe");
        let mode = rustix::fs::Mode::from_raw_mode(0o644);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode)?;
        let to_pipe = write_outputs(&reports, one("pipe"));
        assert!(matches!(to_pipe, Err(OutputError::Write { .. })));
        Ok(())
    }
}
