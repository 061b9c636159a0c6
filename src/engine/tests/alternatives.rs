//! Several fixes for one finding: which of them may be applied without a question.

#[allow(dead_code, reason = "each file of tests uses some of it")]
mod toy;

use fixpoint_engine::{Engine, Finding, Findings, Phase, Policy, Proposal, Rule, Run, Stage};
use fixpoint_report::{Confidence, Edit, Safety, Severity};
use fixpoint_text::Snapshot;
use toy::Toy;

/// Marks one of the words of `a b`, and proposes both places.
struct Alternatives {
    is_style: bool,
    safeties: [Safety; 2],
}

impl Phase for Alternatives {
    fn name(&self) -> &'static str {
        "alternatives"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let proposal = |at: usize, confidence, safety| Proposal {
            confidence,
            safety,
            ..Proposal::safe("Mark", vec![Edit::insert(source, at, "!")])
        };
        let (message, span) = ("neither is marked", (0..1).into());
        let finding = match self.is_style {
            true => Finding::style("mark", message, span),
            false => Finding::problem("mark", Severity::Error, message, span),
        };
        let finding = finding
            .with_fix(proposal(0, Confidence::Medium, self.safeties[0]))
            .with_fix(proposal(3, Confidence::High, self.safeties[1]));
        Findings {
            findings: match source.text() {
                "a b\n" => vec![finding],
                _ => Vec::new(),
            },
            unparsable: false,
        }
    }
}

fn run(is_style: bool, safeties: [Safety; 2], policy: &Policy) -> Run {
    let phase = Alternatives { is_style, safeties };
    let base = Snapshot::new("a.toy", "a b\n");
    Engine::new(&Toy, [&phase as &dyn Phase]).run(&base, policy)
}

#[test]
fn two_safe_rewrites_for_one_style_finding_are_not_safe() {
    // C-16 C-44: a safe fix is the one obvious rewrite.
    let safe = [Safety::BehaviorPreserving; 2];
    let done = run(true, safe, &Policy::default());
    assert_eq!(done.canonical.text(), "a b\n");
    assert_eq!(done.report.fixes.len(), 2);
    for fix in &done.report.fixes {
        assert_eq!(fix.safety(), Safety::LikelyPreserving);
    }
    assert_eq!(done.report.diagnostics[0].fix_ids.len(), 2);
    // With one safe rewrite and another one, the safe rewrite is obvious.
    let one = [Safety::BehaviorPreserving, Safety::BehaviorChanging];
    let done = run(true, one, &Policy::default());
    assert_eq!(done.canonical.text(), "!a b\n");
}

#[test]
fn only_the_best_of_several_alternatives_is_applied() {
    // The edits are far apart in the text, and yet one finding needs one fix.
    let likely = [Safety::LikelyPreserving; 2];
    for is_style in [true, false] {
        let done = run(is_style, likely, &Policy::default().with_likely());
        assert_eq!(done.canonical.text(), "a b!\n");
        let best = done
            .report
            .fixes
            .iter()
            .find(|fix| fix.confidence() == Confidence::High);
        assert_eq!(
            Some(&done.report.diagnostics[0].fix_ids[0]),
            best.map(|fix| &fix.id)
        );
        assert_eq!(done.report.rejected.len(), 1);
    }
}
