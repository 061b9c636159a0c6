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

#[test]
fn proposals_with_one_id_are_one_fix() {
    struct Twins;
    impl Phase for Twins {
        fn name(&self) -> &'static str {
            "twins"
        }
        fn stage(&self) -> Stage {
            Stage::Rewrite
        }
        fn rules(&self) -> &[Rule] {
            &[]
        }
        fn run(&self, source: &Snapshot) -> Findings {
            let finding = |rule: &'static str, at: usize| {
                let edits = [0, 2].map(|it| Edit::replace(source, (it..it + 1).into(), "b"));
                let both = Proposal {
                    id: Some("rc_both".to_owned()),
                    ..Proposal::safe("Replace both", edits.to_vec())
                };
                Finding::style(rule, "an a", (at..at + 1).into()).with_fix(both)
            };
            let is_bad = source.text() == "a a\n";
            let findings = [finding("one", 0), finding("two", 2)];
            Findings {
                findings: findings.into_iter().filter(|_| is_bad).collect(),
                unparsable: false,
            }
        }
    }
    let base = Snapshot::new("a.toy", "a a\n");
    let twins: &dyn Phase = &Twins;
    let done = Engine::new(&Toy, [twins]).run(&base, &Policy::default());
    assert_eq!(done.canonical.text(), "b b\n");
    let [fix] = &done.report.fixes[..] else {
        panic!("{:?}", done.report.fixes);
    };
    assert_eq!(fix.id, "rc_both");
    let diagnostics = &done.report.diagnostics;
    let ids: Vec<&String> = diagnostics.iter().map(|it| &it.id).collect();
    assert_eq!(ids.len(), 2);
    assert!(diagnostics.iter().all(|it| it.fix_ids == ["rc_both"]));
    let targets = fix.targets.as_ref().expect("targets");
    assert_eq!(targets.diagnostic_ids.iter().collect::<Vec<_>>(), ids);
    assert_eq!(targets.diagnostic_codes, ["one", "two"]);
    let delta = fix.expected_delta.as_ref().expect("a delta");
    assert_eq!(delta.diagnostics_resolved, targets.diagnostic_ids);
}
