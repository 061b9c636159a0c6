//! Converts the output of other tools to reports.
//!
//! Each format has a file, which converts the output to [`Finding`]s. To add a format, add a file, a value of [`Format`]
//! and a line to [`import`].

mod diff;
mod sarif;

use std::collections::BTreeMap;

use fixpoint_report::{
    Confidence, Diagnostic, Edit, Fix, FixReport, Kind, Names, Provenance, Safety, Severity, Tool,
};
use fixpoint_text::{Snapshot, Span};
use thiserror::Error;

/// The format of a tool's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A unified diff.
    Diff,
    /// SARIF 2.1.0.
    Sarif,
}

/// The reason why the output of a tool cannot be imported.
#[derive(Debug, Error)]
#[error("{0}; nothing was imported")]
pub struct ImportError(String);

/// The files that a tool has examined, by their paths in the workspace.
pub type Sources = BTreeMap<String, Snapshot>;

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

/// Converts the output of `tool` to one report for each source, by path. All fixes have the given safety.
pub fn import(
    format: Format,
    output: &str,
    tool: &str,
    safety: Safety,
    sources: &Sources,
) -> Result<BTreeMap<String, FixReport>, ImportError> {
    let findings = match format {
        Format::Diff => diff::findings(output, tool, sources),
        Format::Sarif => sarif::findings(output, sources),
    };
    let mut by_file: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in findings.map_err(ImportError)? {
        let path = finding.path.clone();
        by_file.entry(path).or_default().push(finding);
    }
    let mut reports = BTreeMap::new();
    for (path, snapshot) in sources {
        let findings = by_file.remove(path).unwrap_or_default();
        let report = report(snapshot, findings, tool, safety, sources).map_err(ImportError)?;
        reports.insert(path.clone(), report);
    }
    Ok(reports)
}

/// The source that a tool names: by its path, which may begin with `./`.
fn source_named<'a>(sources: &'a Sources, name: &str) -> Result<&'a Snapshot, String> {
    let path = name.strip_prefix("./").unwrap_or(name);
    sources.get(path).ok_or_else(|| {
        format!(
            "it names the file `{name}`, which is not among the `files` of the action; \
             add the file, or run the tool with its path in the workspace"
        )
    })
}

fn report(
    snapshot: &Snapshot,
    findings: Vec<Finding>,
    tool: &str,
    safety: Safety,
    sources: &Sources,
) -> Result<FixReport, String> {
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
