//! Reports in another form, for whoever asks for its output group.

use std::path::Path;

use fixpoint_report::to_json;
use fixpoint_view::unified_diff;
use fixpoint_workspace::write_outputs;

use super::args::{ViewForm, ViewOptions};
use super::check::looked;
use crate::Verdict;
use crate::failure::Failure;
use crate::survey::canonical_text;

pub(crate) fn run(options: &ViewOptions) -> Result<Verdict, Failure> {
    let counts = [options.report.len(), options.output.len()];
    if counts.iter().any(|it| *it != options.source.len()) {
        return Err(Failure::Usage(
            "each --source needs one --report and one --output".to_owned(),
        ));
    }
    let mut outputs = Vec::with_capacity(options.output.len());
    for (index, output) in options.output.iter().enumerate() {
        let looked = looked(&options.source[index], &options.report[index])?;
        let view = match (looked, options.form) {
            (None, _) => String::new(),
            (Some((report, _)), ViewForm::Json) => to_json(&report).map_err(Failure::run)?,
            (Some((report, snapshot)), ViewForm::Diff) => {
                let canonical = canonical_text(&report, &snapshot)?;
                unified_diff(snapshot.path(), snapshot.text(), &canonical)
            }
        };
        outputs.push((output.clone(), view.into_bytes()));
    }
    write_outputs(Path::new("."), outputs).map_err(Failure::run)?;
    Ok(Verdict::Done)
}
