//! Writes reports in another form, for the output groups that contain them.

use std::path::{Path, PathBuf};

use fixpoint_report::to_json;
use fixpoint_view::unified_diff;
use fixpoint_workspace::{read_file, write_outputs};

use super::analyze::MAX_PASSED_SIZE;
use super::args::{ViewForm, ViewOptions};
use super::check::report_with_text;
use crate::failure::Failure;
use crate::survey::canonical_text;

/// Runs the action. Its paths are relative to `base`.
pub(super) fn run(options: &ViewOptions, base: &Path) -> Result<(), Failure> {
    let mut outputs = Vec::with_capacity(options.file.len());
    for file in &options.file {
        let (source, report) = (base.join(&file.source), base.join(&file.report));
        let report = report_with_text(&source, &report)?;
        let view = match (report, options.form) {
            (None, ViewForm::Canonical) => {
                let text = read_file(&source, MAX_PASSED_SIZE).map_err(Failure::Input)?;
                outputs.push((file.output.clone(), text));
                continue;
            }
            (None, ViewForm::Diff | ViewForm::Json) => String::new(),
            (Some((report, snapshot)), ViewForm::Canonical) => canonical_text(&report, &snapshot)?,
            (Some((report, _)), ViewForm::Json) => to_json(&report)?,
            (Some((report, snapshot)), ViewForm::Diff) => {
                let canonical = canonical_text(&report, &snapshot)?;
                unified_diff(snapshot.path(), snapshot.text(), &canonical)
            }
        };
        outputs.push((file.output.clone(), view.into_bytes()));
    }
    let inputs = options.file.iter();
    let inputs = inputs.flat_map(|file| [base.join(&file.source), base.join(&file.report)]);
    let inputs: Vec<PathBuf> = inputs.collect();
    Ok(write_outputs(base, &inputs, outputs)?)
}
