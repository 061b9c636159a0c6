//! Prints reports for a failed build or a test log: the findings of all files, the first diffs in full,
//! and the command that applies the fixes.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_engine::Pending;
use fixpoint_report::{Exit, FixReport};
use fixpoint_text::{LineIndex, Snapshot};
use fixpoint_view::unified_diff;

use super::args::Subject;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::survey::canonical_text;

/// The command that applies pending fixes.
pub(crate) const FIX_COMMAND: &str = "bazel run //:fix";

/// The number of files whose diffs are shown.
const SHOWN_FILES: usize = 3;
/// Bytes of a line that are shown; a minified file is one line, and Bazel drops output that is too long.
const SHOWN_LENGTH: usize = 400;
/// Lines of a file's changes that are shown.
const SHOWN_LINES: usize = 40;

/// All files that were examined.
#[derive(Default)]
pub(crate) struct Examined {
    /// By path, the reports that have findings. A file that several targets name has several
    /// reports. They differ if only one of the targets checks it against a schema.
    files: BTreeMap<String, Vec<(FixReport, Snapshot)>>,
    skipped: usize,
}

impl Examined {
    /// Adds a file, or one that was skipped.
    pub(crate) fn add(&mut self, analyzed: Option<(FixReport, Snapshot)>) {
        let Some((report, snapshot)) = analyzed else {
            self.skipped += 1;
            return;
        };
        let of_file = self.files.entry(report.path().to_owned()).or_default();
        let has_findings =
            !Pending::in_report(&report).is_clean() || !report.diagnostics.is_empty();
        if has_findings && !of_file.iter().any(|(other, _)| covers(other, &report)) {
            of_file.retain(|(other, _)| !covers(&report, other));
            of_file.push((report, snapshot));
        }
    }

    fn reports(&self) -> impl Iterator<Item = &(FixReport, Snapshot)> {
        self.files.values().flatten()
    }

    fn count(&self) -> usize {
        self.files.len()
    }

    /// How many files have a report of this kind.
    fn count_of(&self, is_kind: impl Fn(&FixReport) -> bool) -> usize {
        let files = self.files.values();
        files
            .filter(|of_file| of_file.iter().any(|(report, _)| is_kind(report)))
            .count()
    }

    fn pending(&self) -> Pending {
        let mut pending = Pending::default();
        for (report, _) in self.reports() {
            pending += Pending::in_report(report);
        }
        pending
    }

    /// Adds a file in which no phase found anything.
    pub(crate) fn add_clean(&mut self, path: &str) {
        self.files.entry(path.to_owned()).or_default();
    }

    /// Whether strict mode passes. Examining no file is not a pass.
    pub(crate) fn passes(&self, subject: &Subject) -> bool {
        self.pending().is_clean() && (self.count() > 0 || subject.allow_empty)
    }

    /// Which files were examined and which were left out, in one line.
    pub(crate) fn summary(&self, subject: &Subject) -> String {
        let pending = self.pending();
        let mut summary = format!(
            "{}: examined {}",
            subject.label,
            count(self.count(), "file")
        );
        let left_out = [
            (self.skipped, "of unknown language or excluded"),
            (subject.generated, "generated"),
            (subject.external, "of other repositories"),
        ];
        let left_out = left_out.iter().filter(|(number, _)| *number > 0);
        let left_out: Vec<String> = left_out
            .map(|(number, what)| format!("{number} {what}"))
            .collect();
        if !left_out.is_empty() {
            summary += &format!(" (left out: {})", left_out.join(", "));
        }
        let unparsable = self.count_of(|report| {
            let exit = report.outcome.as_ref().map(|outcome| outcome.exit());
            exit == Some(Exit::Unparsable)
        });
        if unparsable > 0 {
            summary += &format!(", {unparsable} of them cannot be parsed");
        }
        if !pending.is_canonical() {
            let not_canonical = self.count_of(|report| !Pending::in_report(report).is_canonical());
            summary += &format!("; {not_canonical} not canonical");
        }
        if pending.fixes > 0 {
            summary += &format!(", {} pending", count(pending.fixes, "safe fix"));
        }
        if pending.style > 0 {
            let style = count(pending.style, "style finding");
            summary += &format!(", {style} without a safe fix");
        }
        if pending.errors > 0 {
            summary += &format!("; {}", count(pending.errors, "error"));
        }
        if pending.unproved > 0 {
            summary += &format!("; {}", count(pending.unproved, "unproved obligation"));
        }
        summary
    }

    /// The summary, the findings, diffs, and the command that fixes them.
    pub(crate) fn lines(&self, subject: &Subject) -> Result<Vec<String>, Failure> {
        let mut lines = vec![shown(&self.summary(subject))];
        if self.count() == 0 && !subject.allow_empty {
            let advice = "No file was examined, so nothing was checked; name files, or set `allow_empty = True`.";
            lines.push(advice.to_owned());
            return Ok(lines);
        }
        let mut diffs = 0;
        let mut seen = BTreeSet::new();
        for (report, snapshot) in self.reports() {
            let pending = Pending::in_report(report);
            for line in findings(report, snapshot) {
                if !seen.contains(&line) {
                    lines.push(line.clone());
                    seen.insert(line);
                }
            }
            if pending.fixes > 0 && diffs < SHOWN_FILES {
                diffs += 1;
                lines.extend(diff_lines(report, snapshot)?);
            }
        }
        if self.pending().fixes > 0 {
            lines.push(format!(
                "To apply the safe fixes: {FIX_COMMAND} (with `-- PATH` for a file that git ignores)"
            ));
        }
        Ok(lines)
    }

    pub(crate) fn print(&self, subject: &Subject, output: &mut Output) -> Result<(), Failure> {
        let mut lines = self.lines(subject)?.into_iter();
        lines.try_for_each(|line| output.line(&line))
    }
}

/// Whether a report of the same file has all findings of another.
fn covers(report: &FixReport, other: &FixReport) -> bool {
    let ids: BTreeSet<&str> = report.diagnostics.iter().map(|it| it.id.as_str()).collect();
    other
        .diagnostics
        .iter()
        .all(|it| ids.contains(it.id.as_str()))
}

/// One line per finding, as compilers write them.
fn findings(report: &FixReport, snapshot: &Snapshot) -> Vec<String> {
    let index = LineIndex::new(snapshot.text());
    let findings = report.diagnostics.iter().map(|it| {
        let start = it.span.unwrap_or_default().start as usize;
        let at = index.position(snapshot.text(), start);
        let path = snapshot.path();
        shown(&format!(
            "{path}:{}:{}: {} [{}]",
            at.line, at.column, it.message, it.rule
        ))
    });
    findings.collect()
}

/// The changes of a file, up to a limit.
fn diff_lines(report: &FixReport, snapshot: &Snapshot) -> Result<Vec<String>, Failure> {
    let canonical = canonical_text(report, snapshot)?;
    let diff = unified_diff(snapshot.path(), snapshot.text(), &canonical);
    let first = diff.lines().skip(1).take(SHOWN_LINES);
    let first = first.map(|line| shown(&line[..line.floor_char_boundary(SHOWN_LENGTH)]));
    let mut lines: Vec<String> = first.collect();
    let more = diff.lines().count().saturating_sub(SHOWN_LINES + 1);
    if more > 0 {
        lines.push(format!("({} more)", count(more, "line")));
    }
    Ok(lines)
}
