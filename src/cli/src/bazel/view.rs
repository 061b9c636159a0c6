//! Writes reports in another form, for the output groups that contain them.

use std::path::{Path, PathBuf};

use fixpoint_report::to_json;
use fixpoint_view::unified_diff;
use fixpoint_workspace::write_outputs;

use super::args::{ViewForm, ViewOptions};
use super::check::report_with_text;
use crate::Verdict;
use crate::failure::Failure;
use crate::survey::canonical_text;

pub(crate) fn run(options: &ViewOptions) -> Result<Verdict, Failure> {
    let mut outputs = Vec::with_capacity(options.file.len());
    for file in &options.file {
        let report = report_with_text(&file.source, &file.report)?;
        let view = match (report, options.form) {
            (None, _) => String::new(),
            (Some((report, _)), ViewForm::Json) => to_json(&report)?,
            (Some((report, snapshot)), ViewForm::Diff) => {
                let canonical = canonical_text(&report, &snapshot)?;
                unified_diff(snapshot.path(), snapshot.text(), &canonical)
            }
        };
        outputs.push((file.output.clone(), view.into_bytes()));
    }
    let inputs = options.file.iter();
    let inputs = inputs.flat_map(|file| [file.source.clone(), file.report.clone()]);
    let inputs: Vec<PathBuf> = inputs.collect();
    write_outputs(Path::new("."), &inputs, outputs)?;
    Ok(Verdict::Done)
}
