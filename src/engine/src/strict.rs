//! What strict mode counts: pending safe fixes, style diagnostics, errors of schemas and policy
//! rules, syntax errors, and unproved obligations of Clank. Compiler errors do not count, because the
//! compiler reports them.

use std::collections::BTreeSet;

use fixpoint_report::{Diagnostic, Exit, Fix, FixReport, Safety, Severity};

/// What strict mode fails on in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Safe fixes that `fix` would apply.
    pub fixes: usize,
    /// Style diagnostics that no safe fix resolves.
    pub style: usize,
    /// Errors of schemas and policy rules that no safe fix resolves, and syntax errors.
    pub errors: usize,
    /// Obligations of Clank programs that are neither proved nor refuted.
    pub unproved: usize,
}

/// The rule of an obligation. If it is refuted, the diagnostic is an error.
const OBLIGATION: &str = "E3001";

impl Pending {
    pub fn in_report(report: &FixReport) -> Self {
        let applied = match &report.canonical {
            Some(canonical) if !canonical.edits.is_empty() => canonical.steps.len().max(1),
            _ => 0,
        };
        let safe = i32::from(Safety::BehaviorPreserving);
        // The steps to the canonical text are fixes in the file itself. If it was not computed, every
        // safe fix is pending.
        let is_step = |fix: &Fix| {
            let mut edits = fix.edits.iter();
            report.canonical.is_some() && edits.all(|edit| edit.path == report.path())
        };
        let listed = report.fixes.iter();
        let beside_steps: BTreeSet<&str> = listed
            .filter(|fix| fix.safety == safe && !is_step(fix))
            .map(|fix| fix.id.as_str())
            .collect();
        let steps = report
            .canonical
            .iter()
            .flat_map(|canonical| &canonical.steps);
        let pending: BTreeSet<&str> = steps
            .map(|step| step.fix_id.as_str())
            .chain(beside_steps.iter().copied())
            .collect();
        let resolved = |diagnostic: &Diagnostic| {
            let mut fixes = diagnostic.fix_ids.iter();
            fixes.any(|id| pending.contains(id.as_str()))
        };
        let exit = report.outcome.as_ref().map(|outcome| outcome.exit());
        let unparsable = exit == Some(Exit::Unparsable);
        // Only findings about a document, by its schema or by a rule, have a tier.
        let is_error = |diagnostic: &Diagnostic| {
            diagnostic.severity() == Severity::Error && (unparsable || diagnostic.tier.is_some())
        };
        let mut counted = Self {
            fixes: applied + beside_steps.len(),
            ..Self::default()
        };
        for diagnostic in report
            .diagnostics
            .iter()
            .filter(|diagnostic| !resolved(diagnostic))
        {
            if is_error(diagnostic) {
                counted.errors += 1;
            } else if diagnostic.style {
                counted.style += 1;
            } else if diagnostic.rule == OBLIGATION && diagnostic.severity() == Severity::Warning {
                counted.unproved += 1;
            }
        }
        counted
    }

    /// Whether strict mode passes.
    pub fn is_clean(self) -> bool {
        self == Self::default()
    }

    /// Whether the text is its own canonical text. It may still have errors.
    pub fn is_canonical(self) -> bool {
        self.fixes == 0 && self.style == 0
    }
}

impl std::ops::AddAssign for Pending {
    fn add_assign(&mut self, other: Self) {
        self.fixes += other.fixes;
        self.style += other.style;
        self.errors += other.errors;
        self.unproved += other.unproved;
    }
}

#[cfg(test)]
mod tests {
    use fixpoint_report::{Canonical, Edit};
    use fixpoint_text::Snapshot;

    use super::*;

    #[test]
    fn without_a_canonical_text_every_listed_safe_fix_is_pending() {
        let text = Snapshot::new("a", "abc");
        let fix = |id: &str, safety: Safety| Fix {
            id: id.to_owned(),
            safety: safety.into(),
            edits: vec![Edit::delete(&text, (0..1).into())],
            ..Fix::default()
        };
        let resolved = Diagnostic {
            fix_ids: vec!["safe".to_owned()],
            style: true,
            ..Diagnostic::default()
        };
        let mut report = FixReport {
            diagnostics: vec![resolved],
            fixes: vec![
                fix("safe", Safety::BehaviorPreserving),
                fix("likely", Safety::LikelyPreserving),
            ],
            ..FixReport::new(&text, "text")
        };
        report.canonical = None;
        let pending = Pending::in_report(&report);
        assert_eq!((pending.fixes, pending.style), (1, 0));

        // A canonical text that equals the base says that the fix was not applied.
        report.canonical = Some(Canonical::default());
        let pending = Pending::in_report(&report);
        assert_eq!((pending.fixes, pending.style), (0, 1));
    }
}
