//! Converts the output of a tool to reports.
//!
//! Each format has a file, which converts the output to [`Finding`]s. To add a format, add a file, a value of
//! [`ImportFormat`] and a line to [`findings`].

mod diff;
mod sarif;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixpoint_report::{
    Confidence, Diagnostic, Edit, Fix, FixReport, Kind, Names, Provenance, Safety, Severity, Tool,
    from_protobuf, parse_word, to_protobuf,
};
use fixpoint_text::{Snapshot, Span};
use fixpoint_workspace::write_outputs;

use super::analyze::read_text;
use super::args::{ImportFormat, ImportOptions};
use crate::failure::Failure;

/// The files that a tool has examined, by their paths in the workspace.
type Sources = BTreeMap<String, Snapshot>;

/// What a tool reports about a place in a file.
struct Finding {
    path: String,
    span: Span,
    rule: String,
    severity: Severity,
    message: String,
    fixes: Vec<ProposedFix>,
}

struct ProposedFix {
    title: String,
    replacements: Vec<Replacement>,
}

struct Replacement {
    path: String,
    span: Span,
    text: String,
}

/// Runs the action. Its paths are relative to `base`.
pub(super) fn run(options: &ImportOptions, base: &Path) -> Result<(), Failure> {
    let mut sources = Sources::new();
    for file in &options.file {
        let text = read_text(&base.join(&file.source))?;
        sources.insert(file.path.clone(), Snapshot::new(file.path.as_str(), text));
    }
    let output = read_text(&base.join(&options.tool_output))?;
    let safety: Safety =
        parse_word(&options.safety).map_err(|error| Failure::Usage(error.to_string()))?;
    let cannot = |why: String| {
        let file = options.tool_output.display();
        Failure::Run(format!("cannot import {file}: {why}; nothing was imported"))
    };
    let mut by_file: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in findings(options, &output, &sources).map_err(cannot)? {
        by_file
            .entry(finding.path.clone())
            .or_default()
            .push(finding);
    }
    let mut outputs = Vec::with_capacity(options.file.len());
    for file in &options.file {
        let found = by_file.remove(&file.path).unwrap_or_default();
        let report = report(&sources, &file.path, found, &options.tool, safety).map_err(cannot)?;
        let report = to_protobuf(&report);
        from_protobuf(&report)?;
        outputs.push((file.report.clone(), report));
    }
    let inputs = options.file.iter().map(|file| base.join(&file.source));
    let inputs: Vec<PathBuf> = inputs.chain([base.join(&options.tool_output)]).collect();
    Ok(write_outputs(base, &inputs, outputs)?)
}

fn findings(
    options: &ImportOptions,
    output: &str,
    sources: &Sources,
) -> Result<Vec<Finding>, String> {
    match options.format {
        ImportFormat::Diff => diff::findings(output, &options.tool, sources),
        ImportFormat::Sarif => sarif::findings(output, sources),
    }
}

/// The source that a tool names by `name`: its path, which may have a prefix such as `./`.
fn source_named<'a>(sources: &'a Sources, name: &str) -> Result<&'a Snapshot, String> {
    let path = name.strip_prefix("./").unwrap_or(name);
    sources.get(path).ok_or_else(|| {
        format!("it names the file `{name}`, which is not among the `files` of the action; add the file, or run the tool with its path in the workspace")
    })
}

fn report(
    sources: &Sources,
    path: &str,
    findings: Vec<Finding>,
    tool: &str,
    safety: Safety,
) -> Result<FixReport, String> {
    let snapshot = source_named(sources, path)?;
    let mut report = FixReport::new(snapshot, "");
    report.tool = Some(Tool {
        name: tool.to_owned(),
        ..Tool::default()
    });
    let mut diagnostics = Vec::new();
    let mut fixes = Vec::new();
    // For each diagnostic, the positions of its fixes.
    let mut of_diagnostics = Vec::new();
    for finding in findings {
        let first = fixes.len();
        for fix in finding.fixes {
            fixes.push(Fix {
                title: fix.title,
                phase: tool.to_owned(),
                rule: finding.rule.clone(),
                safety: safety.into(),
                confidence: Confidence::Medium.into(),
                kind: Kind::LocalFix.into(),
                provenance: Provenance::Imported.into(),
                edits: edits(sources, fix.replacements)?,
                ..Fix::default()
            });
        }
        of_diagnostics.push(first..fixes.len());
        diagnostics.push(Diagnostic {
            rule: finding.rule,
            phase: tool.to_owned(),
            severity: finding.severity.into(),
            message: finding.message,
            span: Some(finding.span.into()),
            ..Diagnostic::default()
        });
    }
    let mut names = Names::default();
    names.name_diagnostics(snapshot, &mut diagnostics, &|offset| offset);
    names.name_fixes(snapshot, &mut fixes, &|offset| offset);
    for (diagnostic, range) in diagnostics.iter_mut().zip(of_diagnostics) {
        let ids = fixes.get(range).unwrap_or_default().iter();
        diagnostic.fix_ids = ids.map(|fix| fix.id.clone()).collect();
    }
    report.diagnostics = diagnostics;
    report.fixes = fixes;
    Ok(report)
}

fn edits(sources: &Sources, replacements: Vec<Replacement>) -> Result<Vec<Edit>, String> {
    let edits = replacements.into_iter().map(|replacement| {
        let snapshot = source_named(sources, &replacement.path)?;
        Ok(Edit::replace(snapshot, replacement.span, replacement.text))
    });
    edits.collect()
}
