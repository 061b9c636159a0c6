//! Writes what the compiler generates, and lists it so that no command edits it.

use std::path::Path;

use annotate_snippets::Level;
use fixpoint_workspace::write_generated;

use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;

/// Writes generated files into a folder. Warns about those that were edited by hand since they were
/// generated.
pub(crate) fn write_code(
    folder: &Path,
    files: Vec<(String, Vec<u8>)>,
    output: &mut Output,
) -> Result<(), Failure> {
    for path in write_generated(folder, &[], files)? {
        let path = folder.join(path);
        let message = format!(
            "{} was edited by hand since it was generated; it is replaced",
            path.display()
        );
        output.note(Level::WARNING, &shown(&message));
    }
    Ok(())
}
