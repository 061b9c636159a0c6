//! Reading one file as text, without ever waiting on a pipe or filling the memory.

use std::io::{self, Read};

use cap_std::fs::{File, OpenOptions, OpenOptionsExt};
use fixpoint_text::Snapshot;
use rustix::fs::OFlags;
use thiserror::Error;

use crate::path::{self, PathError};
use crate::root::Workspace;

/// Larger files are refused: sources are not that large, and an edit holds several copies.
pub const MAX_FILE_SIZE: u64 = 64 * 1024 * 1024;

/// Why a file could not be read as source text.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    #[error("{path}: no such file")]
    Vanished { path: String },
    #[error("{path}: permission denied; make it readable, or exclude it")]
    Permission { path: String },
    #[error("{path} is not a regular file")]
    NotAFile { path: String },
    #[error("{path} is not UTF-8 at byte {offset}; convert it, or exclude it")]
    NotUtf8 { path: String, offset: usize },
    #[error("{path} holds a NUL at byte {offset}, so it is not text; exclude it")]
    HasNul { path: String, offset: usize },
    #[error("{path} has {size} bytes, more than the {limit} that are read; exclude it")]
    TooLarge { path: String, size: u64, limit: u64 },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

impl ReadError {
    /// Whether the file can be read, but is not text of a size Fixpoint works on.
    pub fn is_about_content(&self) -> bool {
        matches!(
            self,
            Self::NotUtf8 { .. } | Self::HasNul { .. } | Self::TooLarge { .. }
        )
    }
}

impl Workspace {
    /// The file's text with its digest. `path` is relative to the root; links inside the
    /// workspace are followed.
    pub fn read(&self, path: &str) -> Result<Snapshot, ReadError> {
        path::check_relative(path)?;
        let bytes = match self.open_source(path) {
            // An absolute link may still lead to a file inside.
            Err(error) if leads_outside(&error) => {
                let real = self.real_path(path)?;
                self.open_source(&real)
            }
            opened => opened,
        }
        .map_err(|error| read_error(path, error))
        .and_then(|source| match source {
            Some((file, size)) => read_at_most(path, file, size, MAX_FILE_SIZE),
            None => Err(ReadError::NotAFile { path: path.into() }),
        })?;
        text_of(path, bytes).map(|text| Snapshot::new(path, text))
    }

    /// The open file and its size, or nothing when it is not a regular one.
    fn open_source(&self, path: &str) -> io::Result<Option<(File, u64)>> {
        // Asked before opening, because opening a device can do things, and once more after it,
        // because the name may have been given to something else; `NONBLOCK` covers the pipe that
        // comes in between.
        if !self.dir().metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options
            .read(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let file = self.dir().open_with(path, &options)?;
        let metadata = file.metadata()?;
        Ok(metadata.is_file().then(|| (file, metadata.len())))
    }
}

/// Everything in `reader`, unless that is more than the limit, now or while it grows.
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

/// cap-std's own refusal; the kernel's has an error number.
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
