//! Writes files so that a reader sees the old or the new content, never a part.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Temporary files start with this. A killed run may leave one behind.
pub(crate) const TEMPORARY_PREFIX: &str = ".fixpoint-partial-";

/// Writes a temporary file beside `path` and renames it. A link at `path` is replaced, not followed.
pub(crate) fn write_atomic(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .permissions(Permissions::from_mode(0o644))
        .tempfile_in(folder)?;
    file.write_all(contents)?;
    file.persist(path)?;
    Ok(())
}
