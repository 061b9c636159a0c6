//! The loop and the gate, by rules that behave and rules that do not.

mod toy;

use fixpoint_edit::apply;
use fixpoint_engine::{Engine, Findings, Pending, Phase, Policy, Rule, Run, Stage};
use fixpoint_report::{Exit, FixReport, RejectionReason, Safety, Severity, read, to_protobuf};
use fixpoint_text::Snapshot;
use toy::{Complain, Count, Replace, Toy};

fn run_with(policy: &Policy, phases: &[&dyn Phase], text: &str) -> Run {
    let base = Snapshot::new("a.toy", text);
    let run = Engine::new(&Toy, phases.iter().copied()).run(&base, policy);
    assert_consistent(&run, &base);
    run
}

fn run(phases: &[&dyn Phase], text: &str) -> Run {
    run_with(&Policy::default(), phases, text)
}

/// What holds of every report, whatever the rules did.
fn assert_consistent(run: &Run, base: &Snapshot) {
    let report = &run.report;
    assert_eq!(read(&to_protobuf(report)).expect("a valid report"), *report);
    let canonical = report.canonical.as_ref().expect("required");
    let applied = apply(base, &canonical.edits).expect("the edits fit the base");
    assert_eq!(applied.text, run.canonical.text());
    assert_eq!(canonical.sha256, run.canonical.digest().to_string());
    // C-15: every fix belongs to a diagnostic.
    for fix in &report.fixes {
        assert!(
            report
                .diagnostics
                .iter()
                .any(|it| it.fix_ids.contains(&fix.id)),
            "{fix:?}"
        );
    }
}

fn exit(report: &FixReport) -> Exit {
    report.outcome.as_ref().expect("required").exit()
}

fn rejections(report: &FixReport) -> Vec<(&str, RejectionReason)> {
    report
        .rejected
        .iter()
        .map(|it| (it.rule.as_str(), it.reason()))
        .collect()
}

#[test]
fn fixes_are_applied_until_nothing_changes() {
    // C-17 C-77 C-86: a chain over two phases, then the canonical text is its own canonical text.
    let phases: [&dyn Phase; 2] = [
        &Replace::new("first", "one", "two"),
        &Replace::new("second", "two", "three"),
    ];
    let done = run(&phases, "one two\n");
    assert_eq!(done.canonical.text(), "three three\n");
    assert_eq!(exit(&done.report), Exit::Fixpoint);
    let rules: Vec<_> = done
        .report
        .canonical
        .iter()
        .flat_map(|it| &it.steps)
        .map(|it| (it.round, it.rule.as_str()))
        .collect();
    assert_eq!(rules, [(1, "first"), (1, "second"), (2, "second")]);

    let again = run(&phases, done.canonical.text());
    assert_eq!(again.canonical.text(), "three three\n");
    assert!(Pending::in_report(&again.report).is_clean());
}

#[test]
fn the_report_holds_what_was_found_on_the_base() {
    // C-14 C-15 C-45 C-81 C-82: later findings are named in the steps only.
    let phases: [&dyn Phase; 2] = [
        &Replace::new("first", "one", "two"),
        &Replace::new("second", "two", "three"),
    ];
    let report = run(&phases, "one\n").report;
    let found: Vec<_> = report
        .diagnostics
        .iter()
        .map(|it| (it.phase.as_str(), it.rule.as_str(), it.message.as_str()))
        .collect();
    assert_eq!(found, [("first", "first", "`one` is not wanted")]);
    assert_eq!(report.fixes.len(), 1);
    assert_eq!(report.fixes[0].phase, "first");
}

#[test]
fn the_order_of_phases_does_not_matter() {
    // C-07 C-34 C-35 F-52 F-55 F-59
    let (a, b, c) = (
        Replace::new("a", "one", "two"),
        Replace::new("b", "two", "three"),
        Complain {
            rule: "c",
            word: "x",
            ..Complain::default()
        },
    );
    let orders: [[&dyn Phase; 3]; 3] = [[&a, &b, &c], [&c, &b, &a], [&b, &a, &c]];
    let reports = orders.map(|phases| to_protobuf(&run(&phases, "one x two x one\n").report));
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

#[test]
fn rules_that_undo_each_other_are_named_and_change_nothing() {
    // C-91
    let phases: [&dyn Phase; 3] = [
        &Replace::new("to-pong", "ping", "pong"),
        &Replace::new("to-ping", "pong", "ping"),
        &Replace::new("fine", "x", "y"),
    ];
    let done = run(&phases, "ping x\n");
    assert_eq!(exit(&done.report), Exit::Oscillation);
    assert_eq!(done.canonical.text(), "ping x\n");
    assert_eq!(
        done.report.outcome.expect("required").cycle_rules,
        ["to-ping", "to-pong"]
    );
    assert!(
        done.report
            .rejected
            .iter()
            .all(|it| it.reason() == RejectionReason::Oscillation)
    );
}

#[test]
fn a_walk_that_never_repeats_ends_as_budget_and_changes_nothing() {
    let done = run(&[&Count, &Replace::new("fine", "x", "y")], "1 x\n");
    assert_eq!(exit(&done.report), Exit::Budget);
    assert_eq!(done.canonical.text(), "1 x\n");
    assert!(
        done.report
            .rejected
            .iter()
            .all(|it| it.reason() == RejectionReason::Budget)
    );
}

#[test]
fn a_fix_that_brings_its_finding_back_twice_does_not_run_away() {
    let done = run(&[&Replace::new("grow", "x", "xx")], "x\n");
    assert_eq!(done.canonical.text(), "x\n");
    assert_eq!(
        rejections(&done.report),
        [("grow", RejectionReason::DeltaUnmet)]
    );
}

#[test]
fn a_fix_that_breaks_syntax_is_dropped_and_the_others_stay() {
    let phases: [&dyn Phase; 2] = [
        &Replace::new("breaks", "bad", "("),
        &Replace::new("fine", "x", "y"),
    ];
    let done = run(&phases, "x bad x\n");
    assert_eq!(done.canonical.text(), "y bad y\n");
    assert_eq!(exit(&done.report), Exit::Rejected);
    assert_eq!(
        rejections(&done.report),
        [("breaks", RejectionReason::BreaksSyntax)]
    );
}

#[test]
fn only_the_culprit_of_a_large_batch_is_dropped() {
    let phases: [&dyn Phase; 2] = [
        &Replace::new("breaks", "bad", "("),
        &Replace::new("fine", "x", "y"),
    ];
    let text = format!("{}bad {}", "x ".repeat(100), "x ".repeat(155));
    let done = run(&phases, &text);
    assert_eq!(done.canonical.text(), text.replace('x', "y"));
    assert_eq!(
        rejections(&done.report),
        [("breaks", RejectionReason::BreaksSyntax)]
    );
}

#[test]
fn a_fix_that_drops_a_comment_is_dropped() {
    let phases: [&dyn Phase; 2] = [
        &Replace::new("drops", "old # keep me", "new"),
        &Replace::new("fine", "x", "y"),
    ];
    let done = run(&phases, "x old # keep me\n");
    assert_eq!(done.canonical.text(), "y old # keep me\n");
    assert_eq!(
        rejections(&done.report),
        [("drops", RejectionReason::LosesComment)]
    );
    assert!(done.report.rejected[0].detail.contains("keep me"));
}

#[test]
fn a_fix_that_adds_a_problem_is_dropped() {
    let phases: [&dyn Phase; 3] = [
        &Replace::new("adds", "old", "evil"),
        &Replace::new("fine", "x", "y"),
        &Complain {
            rule: "no-evil",
            word: "evil",
            ..Complain::default()
        },
    ];
    let done = run(&phases, "x old evil\n");
    assert_eq!(done.canonical.text(), "y old evil\n");
    assert_eq!(
        rejections(&done.report),
        [("adds", RejectionReason::AddsDiagnostic)]
    );
}

#[test]
fn a_chosen_fix_may_show_what_the_problem_hid_but_no_more() {
    // K-56 X-02
    let changing = |rule, word, by| Replace {
        safety: Safety::BehaviorChanging,
        ..Replace::new(rule, word, by)
    };
    let approving = |by: &'static str, shown: &dyn Phase| {
        let chosen = changing("chosen", "old", by);
        let phases: [&dyn Phase; 2] = [&chosen, shown];
        let found = run(&phases, "x old\n").report.fixes;
        let policy = Policy::default().with_approved(found.into_iter().map(|it| it.id));
        run_with(&policy, &phases, "x old\n")
    };
    let as_bad = changing("shown", "evil", "good");
    let one = approving("evil", &as_bad);
    assert_eq!(one.canonical.text(), "x evil\n");
    assert_eq!(exit(&one.report), Exit::Fixpoint);
    let worse = Complain {
        rule: "no-evil",
        word: "evil",
        ..Complain::default()
    };
    for refused in [approving("evil evil", &as_bad), approving("evil", &worse)] {
        assert_eq!(refused.canonical.text(), "x old\n");
        assert_eq!(
            rejections(&refused.report),
            [("chosen", RejectionReason::AddsDiagnostic)]
        );
    }
}

#[test]
fn a_chain_that_ends_in_a_new_problem_is_taken_back() {
    // The first link is allowed because the second has a fix; where that leads is judged at the end.
    let phases: [&dyn Phase; 3] = [
        &Replace::new("first", "old", "middle"),
        &Replace::new("second", "middle", "evil"),
        &Complain {
            rule: "no-evil",
            word: "evil",
            ..Complain::default()
        },
    ];
    let done = run(&phases, "old\n");
    assert_eq!(done.canonical.text(), "old\n");
    assert_eq!(exit(&done.report), Exit::Rejected);
}

#[test]
fn a_fix_that_does_not_deliver_is_dropped() {
    // The finding is still there after the fix.
    let phases: [&dyn Phase; 2] = [
        &Replace::new("idle", "word", "word "),
        &Replace::new("fine", "x", "y"),
    ];
    let done = run(&phases, "x word\n");
    assert_eq!(done.canonical.text(), "y word\n");
    assert_eq!(
        rejections(&done.report),
        [("idle", RejectionReason::DeltaUnmet)]
    );
}

#[test]
fn rules_that_fight_over_one_range_have_one_winner_and_a_record() {
    // C-32 C-34 C-39 C-51 C-92
    let (mut careful, bold) = (
        Replace::new("careful", "word", "WORD"),
        Replace::new("bold", "word", "Word"),
    );
    careful.safety = Safety::LikelyPreserving;
    let done = run_with(
        &Policy::default().with_likely(),
        &[&careful, &bold],
        "word\n",
    );
    assert_eq!(done.canonical.text(), "Word\n");
    assert_eq!(exit(&done.report), Exit::Fixpoint);
    let [rejection] = done.report.rejected.as_slice() else {
        panic!("{:?}", done.report.rejected)
    };
    assert_eq!(
        (rejection.rule.as_str(), rejection.reason()),
        ("careful", RejectionReason::Conflict)
    );
    let winner = done
        .report
        .fixes
        .iter()
        .find(|fix| fix.rule == "bold")
        .map(|fix| fix.id.clone());
    assert_eq!(rejection.winner_id, winner);
}

#[test]
fn two_hundred_and_fifty_isolated_fixes_all_land() {
    // Each fix claims the whole function, so that a round can take only one of them.
    let mut isolated = Replace::new("isolated", "unused;", "");
    isolated.writes = Some("fn f");
    let text = format!("f( {})\n", "unused; ".repeat(250));
    let done = run(&[&isolated], &text);
    assert_eq!(exit(&done.report), Exit::Fixpoint);
    assert!(!done.canonical.text().contains("unused"));
    assert_eq!(done.report.outcome.as_ref().map(|it| it.rounds), Some(250));
    assert!(done.report.rejected.is_empty());
}

#[test]
fn a_base_that_does_not_parse_is_left_alone() {
    let done = run(&[&Replace::new("fine", "x", "y")], "( x\n");
    assert_eq!(exit(&done.report), Exit::Unparsable);
    assert_eq!(done.canonical.text(), "( x\n");
    assert_eq!(done.report.diagnostics.len(), 1);
}

#[test]
fn layout_runs_on_the_result_of_the_rewrites() {
    // C-40: order of stages is by stage, not by name or position.
    let mut layout = Replace::new("a-layout", "  ", " ");
    layout.stage = Stage::Layout;
    let done = run(
        &[&layout, &Replace::new("b-rewrite", "gone ", " ")],
        "a gone b\n",
    );
    assert_eq!(done.canonical.text(), "a b\n");
    let rules: Vec<_> = done
        .report
        .canonical
        .iter()
        .flat_map(|it| &it.steps)
        .map(|it| it.rule.as_str())
        .collect();
    assert_eq!(rules, ["b-rewrite", "a-layout"]);
}

#[test]
fn only_what_the_policy_admits_is_applied() {
    // C-16 C-48 X-02
    let (mut likely, mut changing) = (
        Replace::new("likely", "b", "B"),
        Replace::new("changing", "c", "C"),
    );
    likely.safety = Safety::LikelyPreserving;
    changing.safety = Safety::BehaviorChanging;
    let phases: [&dyn Phase; 3] = [&Replace::new("safe", "a", "A"), &likely, &changing];
    let report = run(&phases, "a b c\n").report;
    let approved = report
        .fixes
        .iter()
        .find(|fix| fix.rule == "changing")
        .map(|fix| fix.id.clone())
        .expect("found");
    let text = |policy: Policy| {
        run_with(&policy, &phases, "a b c\n")
            .canonical
            .text()
            .to_owned()
    };
    assert_eq!(text(Policy::default()), "A b c\n");
    assert_eq!(text(Policy::default().with_likely()), "A B c\n");
    assert_eq!(text(Policy::default().with_approved([approved])), "A b C\n");
    assert_eq!(
        text(
            Policy::default()
                .with_likely()
                .with_only(["likely".to_owned()])
        ),
        "a B c\n"
    );
}

#[test]
fn comments_can_ask_to_be_left_alone() {
    let phases: [&dyn Phase; 2] = [
        &Replace::new("fine", "x", "y"),
        &Replace::new("other", "z", "w"),
    ];
    let done = run(&phases, "x z # fixpoint: ignore[fine]\nx z\n");
    assert_eq!(done.canonical.text(), "x w # fixpoint: ignore[fine]\ny w\n");
    let done = run(&phases, "x\n# fixpoint: off\nx\n# fixpoint: on\nx\n");
    assert_eq!(
        done.canonical.text(),
        "y\n# fixpoint: off\nx\n# fixpoint: on\ny\n"
    );
}

#[test]
fn strict_counts_safe_fixes_style_schema_errors_and_syntax_errors_and_nothing_else() {
    // C-57 C-58 X-03
    let pending = |phases: &[&dyn Phase], text: &str| Pending::in_report(&run(phases, text).report);
    let counted = |fixes, style, errors| Pending {
        fixes,
        style,
        errors,
        ..Pending::default()
    };
    let safe = Replace::new("safe", "x", "y");
    assert_eq!(pending(&[&safe], "x x\n"), counted(2, 0, 0));

    let mut likely = Replace::new("likely", "x", "y");
    likely.safety = Safety::LikelyPreserving;
    assert_eq!(pending(&[&likely], "x\n"), counted(0, 1, 0));

    let compiler = Complain {
        rule: "no-x",
        word: "x",
        ..Complain::default()
    };
    assert!(pending(&[&compiler], "x\n").is_clean());
    let obligation = |severity| Complain {
        rule: "E3001",
        word: "x",
        severity,
        ..Complain::default()
    };
    let unproved = pending(&[&obligation(Severity::Warning)], "x\n");
    assert_eq!((unproved.unproved, unproved.is_clean()), (1, false));
    assert!(pending(&[&obligation(Severity::Error)], "x\n").is_clean());
    for tier in ["schema", "semantic", "policy"] {
        let document = |severity| Complain {
            severity,
            tier: Some(tier),
            ..compiler
        };
        let pending = |severity| pending(&[&document(severity)], "x x\n");
        assert_eq!(pending(Severity::Error), counted(0, 0, 2));
        assert!(pending(Severity::Warning).is_clean());
    }

    // The file does not parse: no fix of it is applied, and it cannot be called canonical.
    let syntax = Complain {
        rule: "syntax",
        word: "(",
        ..Complain::default()
    };
    assert_eq!(pending(&[&safe, &syntax], "( z\n"), counted(0, 0, 1));
}

#[test]
fn a_changed_message_changes_no_fix() {
    // C-21 C-22: fixes come from the phase, not from what it says.
    struct Reworded(Replace);
    impl Phase for Reworded {
        fn name(&self) -> &'static str {
            self.0.name()
        }
        fn stage(&self) -> Stage {
            self.0.stage()
        }
        fn rules(&self) -> &[Rule] {
            &[]
        }
        fn run(&self, source: &Snapshot) -> Findings {
            let mut findings = self.0.run(source);
            findings
                .findings
                .iter_mut()
                .for_each(|it| it.message = "replace everything by nothing".to_owned());
            findings
        }
    }
    let plain = run(&[&Replace::new("fine", "x", "y")], "x\n");
    let reworded = run(&[&Reworded(Replace::new("fine", "x", "y"))], "x\n");
    assert_eq!(plain.canonical.text(), reworded.canonical.text());
    assert_eq!(plain.report.fixes[0].edits, reworded.report.fixes[0].edits);
    assert_eq!(plain.report.fixes[0].id, reworded.report.fixes[0].id);
}
