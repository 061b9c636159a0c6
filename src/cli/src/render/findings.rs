//! Prints the findings of many files: the first ones in full, the others in one line each.

use fixpoint_report::{Diagnostic, Fix, FixReport, RejectionReason};
use fixpoint_text::Snapshot;

use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet::Source;

/// The number of findings shown with their lines. The others get one line each.
const SHOWN_IN_FULL: usize = 20;

pub(crate) struct Findings {
    shown: usize,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self { shown: 0 }
    }

    /// Prints the findings of a report on `snapshot`.
    pub(crate) fn print(
        &mut self,
        report: &FixReport,
        snapshot: &Snapshot,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let source = Source::new(snapshot.path(), snapshot.text());
        for diagnostic in &report.diagnostics {
            self.shown += 1;
            if self.shown <= SHOWN_IN_FULL {
                output.line(&source.finding(diagnostic, first_fix(report, diagnostic)))?;
                output.line("")?;
            } else {
                output.line(&source.named(diagnostic))?;
            }
        }
        Ok(())
    }
}

/// The best fix of a diagnostic that the gate has not rejected.
pub(crate) fn first_fix<'a>(report: &'a FixReport, diagnostic: &Diagnostic) -> Option<&'a Fix> {
    let is_refused = |id: &&String| {
        let mut rejected = report
            .rejected
            .iter()
            .filter(|rejection| rejection.fix_id == **id);
        rejected.any(|rejection| rejection.reason() != RejectionReason::Conflict)
    };
    let id = diagnostic.fix_ids.iter().find(|id| !is_refused(id))?;
    report.fixes.iter().find(|fix| fix.id == *id)
}
