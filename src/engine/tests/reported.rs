//! Fixes of stored reports, and phases with wrong offsets.

#[allow(dead_code, reason = "each file of tests uses some of it")]
mod toy;

use fixpoint_engine::{
    Engine, Finding, Findings, Phase, Policy, Proposal, Reported, Rule, Run, Stage,
};
use fixpoint_report::{
    Confidence, Edit, Exit, Fix, Kind, Provenance, RejectionReason, Safety, Severity, read,
    to_protobuf,
};
use fixpoint_text::{Snapshot, Span};
use proptest::prelude::*;
use toy::{Complain, Replace, Toy};

/// A fix of another tool that replaces the only occurrence of `word`.
fn fix(base: &Snapshot, id: &str, word: &str, by: &str) -> Fix {
    let start = base.text().find(word).expect("the word");
    let span = Span::from(start..start + word.len());
    Fix {
        id: id.to_owned(),
        title: "Fix".to_owned(),
        phase: "elsewhere".to_owned(),
        rule: "house".to_owned(),
        safety: Safety::BehaviorPreserving.into(),
        confidence: Confidence::High.into(),
        kind: Kind::LocalFix.into(),
        provenance: Provenance::Imported.into(),
        edits: vec![Edit::replace(base, span, by)],
        ..Fix::default()
    }
}

fn run(base: &Snapshot, phases: &[&dyn Phase], reported: &Reported) -> Run {
    let engine = Engine::new(&Toy, phases.iter().copied());
    let run = engine.run_with(base, &Policy::default(), reported);
    assert_eq!(
        read(&to_protobuf(&run.report)).expect("a valid report"),
        run.report
    );
    run
}

fn rejections(run: &Run) -> Vec<(&str, RejectionReason)> {
    let rejected = run.report.rejected.iter();
    rejected
        .map(|it| (it.fix_id.as_str(), it.reason()))
        .collect()
}

#[test]
fn reported_fixes_pass_the_gate_one_by_one() {
    let base = Snapshot::new("a.toy", "one two three # kept\nfour five\n");
    let mut changed = fix(&base, "f-hash", "five", "5");
    changed.edits[0].expected_sha256 = "0".repeat(64);
    let fixes = vec![
        fix(&base, "f-good", "one", "1"),
        fix(&base, "f-syntax", "two", "("),
        fix(&base, "f-comment", "# kept", ""),
        fix(&base, "f-problem", "four", "wrong"),
        changed,
        Fix {
            safety: Safety::LikelyPreserving.into(),
            ..fix(&base, "f-unsafe", "three", "3")
        },
    ];
    let complain = Complain {
        rule: "complain",
        word: "wrong",
        ..Complain::default()
    };
    let run = run(&base, &[&complain], &Reported::Only(fixes));
    assert_eq!(run.canonical.text(), "1 two three # kept\nfour five\n");
    assert_eq!(
        rejections(&run),
        [
            ("f-comment", RejectionReason::LosesComment),
            ("f-hash", RejectionReason::Invalid),
            ("f-problem", RejectionReason::AddsDiagnostic),
            ("f-syntax", RejectionReason::BreaksSyntax),
            ("f-unsafe", RejectionReason::NotAdmitted),
        ]
    );
    let outcome = run.report.outcome.expect("required");
    assert_eq!(outcome.exit(), Exit::Rejected);
}

#[test]
fn a_fix_that_declares_it_may_edit_comments_on_its_lines_and_no_others() {
    let base = Snapshot::new("a.toy", "one # old\ntwo # other\n");
    let declared = |id: &str, word: &str, by: &str| Fix {
        edits_comments: true,
        ..fix(&base, id, word, by)
    };
    let fixes = vec![
        declared("f-rename", "old", "new"),
        fix(&base, "f-silent", "other", "another"),
    ];
    let renamed = run(&base, &[], &Reported::Only(fixes));
    assert_eq!(renamed.canonical.text(), "one # new\ntwo # other\n");
    assert_eq!(
        rejections(&renamed),
        [("f-silent", RejectionReason::LosesComment)]
    );
    let removed = Reported::Only(vec![declared("f-remove", " # old\ntwo # other", "")]);
    assert_eq!(run(&base, &[], &removed).canonical.text(), "one\n");
}

#[test]
fn reported_fixes_of_several_tools_merge_by_rank() {
    let base = Snapshot::new("a.toy", "one two\n");
    let low = Fix {
        confidence: Confidence::Low.into(),
        ..fix(&base, "f-low", "one", "uno")
    };
    let high = fix(&base, "f-high", "one", "1");
    let run = run(&base, &[], &Reported::Only(vec![low, high]));
    assert_eq!(run.canonical.text(), "1 two\n");
    assert_eq!(rejections(&run), [("f-low", RejectionReason::Conflict)]);
}

#[test]
fn the_phases_follow_only_where_they_are_asked_to() {
    let base = Snapshot::new("a.toy", "one two\n");
    let replace = Replace::new("rule", "two", "2");
    let fixes = || vec![fix(&base, "f-1", "one", "1"), fix(&base, "f-2", "two", "(")];
    let alone = run(&base, &[&replace], &Reported::Only(fixes()));
    assert_eq!(alone.canonical.text(), "1 two\n");
    let followed = run(&base, &[&replace], &Reported::First(fixes()));
    assert_eq!(followed.canonical.text(), "1 2\n");
    assert_eq!(
        rejections(&followed),
        [("f-2", RejectionReason::BreaksSyntax)]
    );
}

#[test]
fn suppression_comments_apply_to_reported_fixes() {
    let base = Snapshot::new("a.toy", "one # fixpoint: ignore[house]\ntwo\n");
    let fixes = vec![fix(&base, "f-1", "one", "1"), fix(&base, "f-2", "two", "2")];
    let run = run(&base, &[], &Reported::Only(fixes));
    assert_eq!(run.canonical.text(), "one # fixpoint: ignore[house]\n2\n");
    assert_eq!(rejections(&run), [("f-1", RejectionReason::NotAdmitted)]);
}

#[test]
fn nothing_is_applied_to_a_text_that_does_not_parse() {
    let base = Snapshot::new("a.toy", "( one two\n");
    let replace = Replace::new("rule", "two", "2");
    let fixes = vec![fix(&base, "f-1", "one", "1")];
    let run = run(&base, &[&replace], &Reported::Only(fixes));
    assert_eq!(run.canonical.text(), base.text());
    assert_eq!(rejections(&run), [("f-1", RejectionReason::BreaksSyntax)]);
}

/// A phase that reports the given findings, even with invalid offsets.
struct Careless {
    findings: Vec<(Span, Vec<Edit>)>,
}

impl Phase for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, _: &Snapshot) -> Findings {
        let findings = self.findings.iter().map(|(span, edits)| {
            Finding::problem("careless", Severity::Warning, "", *span)
                .with_fix(Proposal::safe("Fix", edits.clone()))
        });
        Findings {
            findings: findings.collect(),
            unparsable: false,
        }
    }
}

prop_compose! {
    fn careless_edit()(start in 0..30u64, end in 0..30u64, replacement in "[a(ä]{0,3}", right: bool, elsewhere: bool) -> Edit {
        let base = Snapshot::new("a.toy", TEXT);
        let fitting = Edit::replace(&base, (start as usize..end as usize).into(), replacement.clone());
        let path = if elsewhere { "b.toy" } else { "a.toy" };
        let expected_sha256 = if right { fitting.expected_sha256 } else { "0".repeat(64) };
        Edit { path: path.to_owned(), start, end, replacement, expected_sha256 }
    }
}

const TEXT: &str = "ä one\u{1f980} two\nthree";

proptest! {
    #[test]
    fn a_phase_with_wrong_offsets_still_gives_a_valid_report(
        findings in prop::collection::vec(
            ((0..40usize, 0..40usize), prop::collection::vec(careless_edit(), 0..3)), 0..4),
    ) {
        let findings = findings.into_iter()
            .map(|((start, end), edits)| (Span::from(start..end), edits)).collect();
        let base = Snapshot::new("a.toy", TEXT);
        let careless = Careless { findings };
        let run = Engine::new(&Toy, [&careless as &dyn Phase]).run(&base, &Policy::default());
        let report = read(&to_protobuf(&run.report)).expect("a valid report");
        for diagnostic in &report.diagnostics {
            let span = diagnostic.span.expect("required");
            let range = span.start as usize..span.end as usize;
            prop_assert!(base.text().get(range).is_some());
        }
    }
}

proptest! {
    #[test]
    fn no_reported_fix_causes_a_panic_or_an_invalid_report(
        fixes in prop::collection::vec((prop::collection::vec(careless_edit(), 1..3), 1..=3i32, 0..4u8), 0..4),
        alone: bool,
    ) {
        let base = Snapshot::new("a.toy", TEXT);
        let fixes = fixes.into_iter().enumerate().map(|(index, (edits, safety, requires))| {
            let mut listed = fix(&base, &format!("x-{index}"), "one", "1");
            let terms = listed.compatibility.get_or_insert_default();
            terms.requires.extend((requires < 3).then(|| format!("x-{requires}")));
            Fix { edits, safety, ..listed }
        }).collect();
        let reported = if alone { Reported::Only(fixes) } else { Reported::First(fixes) };
        let replace = Replace::new("rule", "two", "2");
        let run = run(&base, &[&replace], &reported);
        for fix in reported.fixes() {
            let mut rejected = run.report.rejected.iter();
            let mut steps = run.report.canonical.iter().flat_map(|it| &it.steps);
            // Each is applied, or the report says why not.
            prop_assert!(rejected.any(|it| it.fix_id == fix.id) != steps.any(|it| it.fix_id == fix.id));
        }
    }
}
