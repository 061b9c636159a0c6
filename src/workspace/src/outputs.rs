//! Writes outputs, such as reports, to a directory that a person named. Outputs are not sources:
//! they are overwritten without comparing them with a base, and a failed write is not undone.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use thiserror::Error;

use crate::path::{self, PathError};
use crate::root::Workspace;

/// Why an output could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    #[error("cannot use {} for outputs: {source}", .directory.display())]
    Directory {
        directory: PathBuf,
        source: io::Error,
    },
    #[error(
        "cannot use {} for outputs: {} is a symbolic link of the workspace, and links are not \
         followed; name another folder. Nothing was written",
        .directory.display(), .link.display()
    )]
    LinkedDirectory { directory: PathBuf, link: PathBuf },
    #[error("the output {path} is named twice; give each output its own path. Nothing was written")]
    Twice { path: String },
    #[error(
        "the output {path} is also an input, and inputs are never overwritten; give the output \
         another path. Nothing was written"
    )]
    Input { path: String },
    #[error(
        "cannot write {path} into {}: {part} is not a {expected}; remove it, or choose another \
         folder. Nothing was written",
        .directory.display()
    )]
    InTheWay {
        directory: PathBuf,
        path: String,
        part: String,
        expected: &'static str,
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
/// workspace, and is created if it does not exist. No link below it is followed. An output that
/// occurs twice, or that is one of the files `inputs`, is an error before anything is written.
pub fn write_outputs(
    directory: &Path,
    inputs: &[PathBuf],
    files: Vec<(String, Vec<u8>)>,
) -> Result<(), OutputError> {
    check_paths(&files)?;
    let dir = Dir::create_ambient_dir_all(directory, ambient_authority())
        .and_then(|()| Dir::open_ambient_dir(directory, ambient_authority()))
        .map_err(|source| OutputError::Directory {
            directory: directory.into(),
            source,
        })?;
    check_places(&dir, directory, inputs, &files)?;
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

impl Workspace {
    /// Rejects a folder for outputs if a link of the workspace is part of its path. Such a link may
    /// come with the repository, and lead anywhere.
    pub fn check_output_directory(&self, directory: &Path) -> Result<(), OutputError> {
        let absolute = self.working_directory().join(directory);
        // Without a slash at the end, which would name the target of a link.
        let absolute: PathBuf = absolute.components().collect();
        for part in absolute.ancestors() {
            let is_link = part.symlink_metadata().is_ok_and(|it| it.is_symlink());
            let parent = part.parent().and_then(|it| it.canonicalize().ok());
            if is_link && parent.is_some_and(|parent| parent.starts_with(self.root())) {
                return Err(OutputError::LinkedDirectory {
                    directory: directory.into(),
                    link: part.into(),
                });
            }
        }
        Ok(())
    }
}

/// Every path is relative, occurs once, and is not below another output.
fn check_paths(files: &[(String, Vec<u8>)]) -> Result<(), OutputError> {
    let mut paths = BTreeSet::new();
    for (path, _) in files {
        path::check_relative(path)?;
        if !paths.insert(path.as_str()) {
            return Err(OutputError::Twice { path: path.clone() });
        }
    }
    for (path, _) in files {
        if let Some(outer) = parents(path).find(|parent| paths.contains(parent)) {
            let path = outer.to_owned();
            return Err(OutputError::Twice { path });
        }
    }
    Ok(())
}

/// Whatever exists at an output's path is a regular file that is not an input, in real folders.
fn check_places(
    dir: &Dir,
    directory: &Path,
    inputs: &[PathBuf],
    files: &[(String, Vec<u8>)],
) -> Result<(), OutputError> {
    let inputs = inputs.iter().filter_map(|input| fs::metadata(input).ok());
    let inputs: BTreeSet<(u64, u64)> = inputs
        .map(|metadata| (metadata.dev(), metadata.ino()))
        .collect();
    let mut folders = BTreeSet::new();
    for (path, _) in files {
        let in_the_way = |part: &str, expected: &'static str| OutputError::InTheWay {
            directory: directory.into(),
            path: path.clone(),
            part: part.to_owned(),
            expected,
        };
        for parent in parents(path) {
            if !folders.insert(parent) {
                continue;
            }
            match dir.symlink_metadata(parent) {
                Ok(found) if !found.is_dir() => return Err(in_the_way(parent, "folder")),
                _ => {}
            }
        }
        match dir.symlink_metadata(path) {
            Ok(found) if inputs.contains(&(found.dev(), found.ino())) => {
                return Err(OutputError::Input { path: path.clone() });
            }
            Ok(found) if !found.is_file() => return Err(in_the_way(path, "regular file")),
            _ => {}
        }
    }
    Ok(())
}

/// The folders above a path, outermost first.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| &path[..end])
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

        write_outputs(&reports, &[], one("src/a.json"))?;
        assert_eq!(fs::read(reports.join("src/a.json"))?, b"x");
        write_outputs(&reports, &[], one("src/a.json"))?;

        for path in ["../escaped", "/escaped", "a/../../escaped"] {
            let refused = write_outputs(&reports, &[], one(path));
            assert!(matches!(refused, Err(OutputError::Path(_))), "{path}");
        }
        std::os::unix::fs::symlink(scratch.path(), reports.join("link"))?;
        let through_link = write_outputs(&reports, &[], one("link/escaped"));
        assert!(matches!(through_link, Err(OutputError::InTheWay { .. })));
        assert!(!scratch.path().join("escaped").exists());

        let pipe = reports.join("pipe");
        let mode = rustix::fs::Mode::from_raw_mode(0o644);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode)?;
        let to_pipe = write_outputs(&reports, &[], one("pipe"));
        assert!(matches!(to_pipe, Err(OutputError::InTheWay { .. })));
        Ok(())
    }

    #[test]
    fn outputs_that_are_inputs_or_equal_are_refused_before_anything_is_written()
    -> Result<(), Box<dyn std::error::Error>> {
        let scratch = tempfile::tempdir()?;
        let root = scratch.path();
        let input = root.join("a.py");
        fs::write(&input, "kept")?;
        fs::hard_link(&input, root.join("hard"))?;
        std::os::unix::fs::symlink("a.py", root.join("soft"))?;
        let write = |paths: &[&str]| {
            let files = paths.iter().map(|it| ((*it).to_owned(), b"x".to_vec()));
            write_outputs(root, std::slice::from_ref(&input), files.collect())
        };
        for path in ["a.py", "hard"] {
            let refused = write(&["new", path]);
            assert!(matches!(refused, Err(OutputError::Input { .. })), "{path}");
        }
        let refused = write(&["new", "soft"]);
        assert!(matches!(refused, Err(OutputError::InTheWay { .. })));
        for twice in [["new", "new"], ["new", "new/below"], ["new/below", "new"]] {
            let refused = write(&twice);
            assert!(
                matches!(refused, Err(OutputError::Twice { .. })),
                "{twice:?}"
            );
        }
        assert!(!root.join("new").exists());
        assert_eq!(fs::read_to_string(&input)?, "kept");
        Ok(())
    }
}
