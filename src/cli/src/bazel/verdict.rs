//! What reports come to, told the way a failed build or a test log should: the files by name, the
//! first changes in full, and the command that makes them.

use fixpoint_engine::Pending;
use fixpoint_report::{Exit, FixReport};
use fixpoint_text::{LineIndex, Snapshot};
use fixpoint_view::unified_diff;

use super::args::Subject;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::survey::canonical_text;

/// The command that applies what is pending.
pub(super) const FIX_COMMAND: &str = "bazel run //:fix";

/// Files whose changes are shown; the others are named.
const SHOWN_FILES: usize = 3;
/// Bytes of a line that are shown; a minified file is one line, and Bazel drops output that is too long.
const SHOWN_LENGTH: usize = 400;
/// Lines of a file's changes that are shown.
const SHOWN_LINES: usize = 40;

/// All that was looked at.
#[derive(Default)]
pub(crate) struct Examined {
    /// Files that have something to tell.
    speaking: Vec<(FixReport, Snapshot)>,
    files: usize,
    not_canonical: usize,
    unparsable: usize,
    skipped: usize,
    pending: Pending,
}

impl Examined {
    /// Adds a file, or one that was skipped.
    pub(crate) fn add(&mut self, looked: Option<(FixReport, Snapshot)>) {
        let Some((report, snapshot)) = looked else {
            self.skipped += 1;
            return;
        };
        let exit = report.outcome.as_ref().map(|it| it.exit());
        let pending = Pending::in_report(&report);
        self.files += 1;
        self.unparsable += usize::from(exit == Some(Exit::Unparsable));
        self.not_canonical += usize::from(!pending.is_clean());
        self.pending += pending;
        if !pending.is_clean() || !report.diagnostics.is_empty() {
            self.speaking.push((report, snapshot));
        }
    }

    /// Adds a file whose report has nothing to tell.
    pub(crate) fn add_clean(&mut self) {
        self.files += 1;
    }

    /// Whether strict mode lets it pass. Looking at nothing is not a pass.
    pub(crate) fn passes(&self, subject: &Subject) -> bool {
        self.pending.is_clean() && (self.files > 0 || subject.allow_empty)
    }

    /// What was looked at, and what not, in one line.
    pub(crate) fn summary(&self, subject: &Subject) -> String {
        let mut summary = format!("{}: examined {}", subject.label, count(self.files, "file"));
        let left_out = [
            (self.skipped, "of no known language or excluded"),
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
        if self.unparsable > 0 {
            summary += &format!(", {} of them cannot be parsed", self.unparsable);
        }
        if !self.pending.is_clean() {
            summary += &format!("; {} not canonical", self.not_canonical);
        }
        if self.pending.fixes > 0 {
            summary += &format!(", {} pending", count(self.pending.fixes, "safe fix"));
        }
        if self.pending.style > 0 {
            let style = count(self.pending.style, "style finding");
            summary += &format!(", {style} without a safe fix");
        }
        summary
    }

    /// The summary, the files with what is pending in them, and what to do.
    pub(crate) fn tell(&self, subject: &Subject, output: &mut Output) -> Result<(), Failure> {
        output.line(&shown(&self.summary(subject)))?;
        if self.files == 0 && !subject.allow_empty {
            let advice = "No file was examined, so nothing was checked; give it files, or set `allow_empty = True`.";
            return output.line(advice);
        }
        let mut diffs = 0;
        for (report, snapshot) in &self.speaking {
            let pending = Pending::in_report(report);
            for line in findings(report, snapshot) {
                output.line(&line)?;
            }
            if pending.fixes > 0 && diffs < SHOWN_FILES {
                diffs += 1;
                tell_diff(report, snapshot, output)?;
            }
        }
        if self.pending.fixes > 0 {
            output.line(&format!(
                "To apply the safe fixes: {FIX_COMMAND} (with `-- PATH` for a file that git ignores)"
            ))?;
        }
        Ok(())
    }
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

fn tell_diff(report: &FixReport, snapshot: &Snapshot, output: &mut Output) -> Result<(), Failure> {
    let canonical = canonical_text(report, snapshot)?;
    let diff = unified_diff(snapshot.path(), snapshot.text(), &canonical);
    for line in diff.lines().skip(1).take(SHOWN_LINES) {
        output.line(&shown(&line[..line.floor_char_boundary(SHOWN_LENGTH)]))?;
    }
    let more = diff.lines().count().saturating_sub(SHOWN_LINES + 1);
    if more > 0 {
        output.line(&format!("({} more)", count(more, "line")))?;
    }
    Ok(())
}
