//! Reads one file as text. Reading never blocks on a pipe and uses a bounded amount of memory.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use cap_std::fs::{File, OpenOptions, OpenOptionsExt};
use fixpoint_text::Snapshot;
use rustix::fs::OFlags;
use rustix::io::Errno;
use thiserror::Error;

use crate::path::PathError;
use crate::root::Workspace;

/// Larger files are rejected. Sources are not that large, and an edit keeps several copies in
/// memory.
pub const MAX_FILE_SIZE: u64 = 64 * 1024 * 1024;

/// The limit for a stored report, which may quote several copies of a source.
pub const MAX_REPORT_SIZE: u64 = 4 * MAX_FILE_SIZE;

/// Why a file could not be read as source text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    #[error("{path}: no such file")]
    Vanished { path: String },
    #[error("{path}: permission denied; make it readable, or exclude it")]
    Permission { path: String },
    #[error("{path}: not a regular file; devices, pipes and sockets are not read")]
    NotAFile { path: String },
    #[error("{path} is not UTF-8 at byte {offset}; convert it, or exclude it")]
    NotUtf8 { path: String, offset: usize },
    #[error("{path} contains a NUL at byte {offset}, so it is not text; exclude it")]
    HasNul { path: String, offset: usize },
    #[error("{path} has {size} bytes, more than the limit of {limit}; exclude it")]
    TooLarge { path: String, size: u64, limit: u64 },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

impl ReadError {
    /// Whether the file is readable, but is too large or not text.
    pub fn is_about_content(&self) -> bool {
        matches!(
            self,
            Self::NotUtf8 { .. } | Self::HasNul { .. } | Self::TooLarge { .. }
        )
    }
}

impl Workspace {
    /// The file's text and digest. `path` is relative to the root. Links are followed if they stay
    /// inside the workspace.
    pub fn read(&self, path: &str) -> Result<Snapshot, ReadError> {
        self.check_source(path)?;
        let bytes = match self.open_source(path) {
            // An absolute link may still lead to a file inside the workspace.
            Err(error) if leads_outside(&error) => {
                let real = self.real_path(path)?;
                self.open_source(&real)
            }
            opened => opened,
        }
        .map_err(|error| read_error(path, error))
        .and_then(|source| match source {
            Some((file, size)) => read_at_most(path, file, size, MAX_FILE_SIZE),
            None => Err(not_a_file(path)),
        })?;
        text_of(path, bytes).map(|text| Snapshot::new(path, text))
    }

    /// The open file and its size, or `None` if it is not a regular file.
    pub(crate) fn open_source(&self, path: &str) -> io::Result<Option<(File, u64)>> {
        // Checked before opening, because opening a device can have effects, and again after it,
        // because the name may have been replaced in between. With `NONBLOCK`, opening a pipe does
        // not wait.
        if !self.dir().metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options
            .read(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let file = self.dir().open_with(path, &options)?;
        let metadata = file.metadata()?;
        Ok(metadata.is_file().then_some((file, metadata.len())))
    }
}

/// The bytes of a regular file outside of any workspace, such as a report on the command line.
///
/// Links are followed. Devices, pipes and sockets are rejected, because reading one may never end.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let metadata = fs::metadata(path);
    read_regular(path, metadata, OFlags::empty(), limit)
}

/// Like [`read_file`], but rejects a link.
pub(crate) fn read_unlinked_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let metadata = fs::symlink_metadata(path);
    read_regular(path, metadata, OFlags::NOFOLLOW, limit)
}

fn read_regular(
    path: &Path,
    metadata: io::Result<fs::Metadata>,
    flags: OFlags,
    limit: u64,
) -> Result<Vec<u8>, ReadError> {
    let name = path.to_string_lossy();
    let failed = |error: io::Error| match Errno::from_io_error(&error) {
        Some(Errno::LOOP) if flags.contains(OFlags::NOFOLLOW) => not_a_file(&name),
        _ => read_error(&name, error),
    };
    // Checked before opening, because opening a device can have effects, and again after it,
    // because the name may have been replaced in between.
    if !metadata.map_err(failed)?.is_file() {
        return Err(not_a_file(&name));
    }
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags((flags | OFlags::NONBLOCK).bits().cast_signed())
        .open(path)
        .map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file(&name));
    }
    read_at_most(&name, file, metadata.len(), limit)
}

fn not_a_file(path: &str) -> ReadError {
    ReadError::NotAFile { path: path.into() }
}

/// [`read_file`] for a file that is text.
pub fn read_text_file(path: &Path, limit: u64) -> Result<String, ReadError> {
    text_of(&path.to_string_lossy(), read_file(path, limit)?)
}

/// Reads everything from `reader`, unless that is more than the limit. The file may grow meanwhile.
pub(crate) fn read_at_most(
    path: &str,
    reader: impl Read,
    size: u64,
    limit: u64,
) -> Result<Vec<u8>, ReadError> {
    let too_large = |size| ReadError::TooLarge {
        path: path.into(),
        size,
        limit,
    };
    if size > limit {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| read_error(path, error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

fn text_of(path: &str, bytes: Vec<u8>) -> Result<String, ReadError> {
    if let Some(offset) = memchr::memchr(0, &bytes) {
        return Err(ReadError::HasNul {
            path: path.into(),
            offset,
        });
    }
    String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 {
        path: path.into(),
        offset: error.utf8_error().valid_up_to(),
    })
}

pub(crate) fn read_error(path: &str, source: io::Error) -> ReadError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Vanished { path },
        io::ErrorKind::PermissionDenied => ReadError::Permission { path },
        _ => ReadError::Io { path, source },
    }
}

/// Whether cap-std itself rejected the path. An error of the kernel has an error number.
fn leads_outside(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_while_it_is_read_is_refused() {
        let endless = io::repeat(b'x');
        let refused = read_at_most("log", endless, 0, 1000);
        let expected = matches!(refused, Err(ReadError::TooLarge { size: 1001, .. }));
        assert!(expected, "{refused:?}");
    }
}
