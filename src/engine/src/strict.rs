//! What strict mode counts: pending safe fixes and style diagnostics, nothing else.

use std::collections::BTreeSet;

use fixpoint_report::{FixReport, Safety};

/// What keeps a file from being canonical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Safe fixes that `fix` would apply.
    pub fixes: usize,
    /// Style diagnostics that no safe fix resolves.
    pub style: usize,
}

impl Pending {
    pub fn in_report(report: &FixReport) -> Self {
        let applied =
            report
                .canonical
                .as_ref()
                .map_or(0, |canonical| match canonical.edits.len() {
                    0 => 0,
                    _ => canonical.steps.len().max(1),
                });
        let safe = i32::from(Safety::BehaviorPreserving);
        let across_files: BTreeSet<&str> = report
            .fixes
            .iter()
            .filter(|fix| {
                fix.safety == safe && fix.edits.iter().any(|edit| edit.path != report.path())
            })
            .map(|fix| fix.id.as_str())
            .collect();
        let steps = report
            .canonical
            .iter()
            .flat_map(|canonical| &canonical.steps);
        let pending: BTreeSet<&str> = steps
            .map(|step| step.fix_id.as_str())
            .chain(across_files.iter().copied())
            .collect();
        let style = report
            .diagnostics
            .iter()
            .filter(|it| it.style && !it.fix_ids.iter().any(|id| pending.contains(id.as_str())))
            .count();
        Self {
            fixes: applied + across_files.len(),
            style,
        }
    }

    pub fn is_clean(self) -> bool {
        self == Self::default()
    }
}

impl std::ops::AddAssign for Pending {
    fn add_assign(&mut self, other: Self) {
        self.fixes += other.fixes;
        self.style += other.style;
    }
}
