//! The action that converts the output of a tool to reports.

use std::path::{Path, PathBuf};

use fixpoint_import::{Sources, import};
use fixpoint_report::{Safety, from_protobuf, parse_word, to_protobuf};
use fixpoint_text::Snapshot;
use fixpoint_workspace::write_outputs;

use super::analyze::read_text;
use super::args::ImportOptions;
use crate::failure::Failure;

/// Runs the action. Its paths are relative to `base`.
pub(super) fn run(options: &ImportOptions, base: &Path) -> Result<(), Failure> {
    let mut sources = Sources::new();
    for file in &options.file {
        let text = read_text(&base.join(&file.source))?;
        let snapshot = Snapshot::new(file.path.as_str(), text);
        sources.insert(file.path.clone(), snapshot);
    }
    let output = read_text(&base.join(&options.tool_output))?;
    let safety: Safety =
        parse_word(&options.safety).map_err(|error| Failure::Usage(error.to_string()))?;
    let format = options.format.into();
    let reports = import(format, &output, &options.tool, safety, &sources).map_err(|error| {
        let file = options.tool_output.display();
        Failure::Run(format!("cannot import {file}: {error}"))
    })?;
    let mut outputs = Vec::with_capacity(options.file.len());
    for file in &options.file {
        let report = reports.get(&file.path).map(to_protobuf);
        let report = report.unwrap_or_default();
        from_protobuf(&report)?;
        outputs.push((file.report.clone(), report));
    }
    let inputs = options.file.iter().map(|file| base.join(&file.source));
    let inputs: Vec<PathBuf> = inputs.chain([base.join(&options.tool_output)]).collect();
    Ok(write_outputs(base, &inputs, outputs)?)
}
