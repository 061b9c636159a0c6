//! The repair loop and its four endings.

use std::collections::BTreeSet;

use fixpoint_clank::ast::Ast;
use fixpoint_clank::json::{meaning, read_program};
use fixpoint_clank::repair::{
    Approved, Candidate, Ending, Lowerer, MAX_ROUNDS, PatchError, Permission, Program, edited,
    patch, repair,
};
use fixpoint_clank::result::Status;
use fixpoint_clank::{Input, Options, compile};
use fixpoint_report::Safety;
use serde_json::{Value, json};

use crate::{canonical, compiled, permission, repaired, source};

fn unapproved(text: &str) -> fixpoint_clank::repair::Repaired {
    let nothing = Approved::Ids(BTreeSet::new());
    repair(source(text), &permission(nothing)).expect("a program")
}

const UNUSED_AND_PRINT: &str =
    "fn f(a: Int) -> Int {\n  let rate = 2; // why\n  println(\"f\");\n  a\n}\n";

#[test]
fn likely_preserving_repairs_are_applied_errors_first() {
    // K-21 K-22 K-57 K-64
    let done = unapproved(UNUSED_AND_PRINT);
    assert_eq!(done.ending, Ending::Success);
    let expected = UNUSED_AND_PRINT
        .replace("-> Int", "-> IO + Int")
        .replace("let rate", "let _rate");
    assert_eq!(done.program.text(), expected);
    let first: Vec<_> = done
        .steps
        .iter()
        .map(|it| it.applied[0].edits[0].name())
        .collect();
    assert_eq!(first, ["widen_effect", "replace_node"]);
    for step in &done.steps {
        assert!(step.after.total() < step.before.total());
    }
}

#[test]
fn the_safety_level_limits_what_is_applied() {
    let safe = Permission {
        safety: Safety::BehaviorPreserving,
        ..permission(Approved::Ids(BTreeSet::new()))
    };
    let done = repair(source(UNUSED_AND_PRINT), &safe).expect("a program");
    // The two repairs declare the effect or remove the call.
    assert!(matches!(&done.ending, Ending::NeedsApproval { ids } if ids.len() == 2));
    assert_eq!(done.program.text(), UNUSED_AND_PRINT);
}

/// The classes of the problems that each step resolved.
fn classes(done: &fixpoint_clank::repair::Repaired) -> Vec<&str> {
    let class = |it: &Candidate| {
        let delta = &it.expected_delta;
        match it.targets.diagnostic_codes.first() {
            Some(code) if code.starts_with('W') => "warning",
            Some(_) => "error",
            None if delta.obligations_discharged.is_empty() => "hole",
            None => "obligation",
        }
    };
    let steps = done.steps.iter();
    let mut classes: Vec<&str> = steps.flat_map(|it| it.applied.iter().map(class)).collect();
    classes.dedup();
    classes
}

#[test]
fn errors_come_first_then_obligations_holes_and_warnings() {
    // K-47
    let program = Program::Ast {
        json: crate::candidate::EVERY_CLASS.to_owned(),
    };
    let done = repaired(program.clone());
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(classes(&done), ["error", "obligation", "hole", "warning"]);
    // The error has only a repair that needs approval, so nothing else is repaired.
    let nothing = permission(Approved::Ids(BTreeSet::new()));
    let waiting = repair(program.clone(), &nothing).expect("a program");
    assert!(waiting.steps.is_empty(), "{:?}", classes(&waiting));
    let Ending::NeedsApproval { ids } = &waiting.ending else {
        panic!("{:?}", waiting.ending);
    };
    let rename = |it: &&Candidate| it.title == "Rename 'bet' to 'beta'";
    let rename = waiting
        .result
        .repairs
        .iter()
        .find(rename)
        .expect("a repair");
    assert!(ids.contains(&rename.id));
    let approved = Approved::Ids(BTreeSet::from([rename.id.clone()]));
    let next = repair(program, &permission(approved)).expect("a program");
    assert_eq!(classes(&next)[..2], ["error", "obligation"]);
}

#[test]
fn a_warning_is_repaired_beside_an_error_without_a_repair() {
    // K-47
    let text = "fn f(a: Int) -> Int {\n  let spare = 1;\n  a(1)\n}\n";
    let done = unapproved(text);
    assert_eq!(classes(&done), ["warning"]);
    assert!(matches!(done.ending, Ending::NeedsClarification { .. }));
}

#[test]
fn a_behavior_changing_repair_waits_for_approval() {
    // K-23 K-61
    let text = "fn cost(price: Int) -> Int {\n  prce * 2\n}\n";
    let done = unapproved(text);
    let Ending::NeedsApproval { ids } = &done.ending else {
        panic!("{:?}", done.ending);
    };
    assert_eq!(done.program.text(), text);
    let approved = Approved::Ids(ids.iter().cloned().collect());
    let done = repair(source(text), &permission(approved)).expect("a program");
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.program.text(), text.replace("prce", "price"));
}

const TWO_GOALS: &str = "fn pos(n: Int{n > 0}) -> Int {\n  n\n}\n\nfn f(a: Int, b: Int) -> Int {\n  let c = pos(a) + pos(b);\n  c\n}\n";

/// The outcome if the repairs with these titles are approved.
fn with_titles(text: &str, titles: &[&str]) -> fixpoint_clank::repair::Repaired {
    let repairs = compiled(text).repairs;
    let approved = repairs.iter().filter(|it| titles.contains(&&*it.title));
    let approved: BTreeSet<String> = approved.map(|it| it.id.clone()).collect();
    assert_eq!(approved.len(), titles.len());
    repair(source(text), &permission(Approved::Ids(approved))).expect("a program")
}

#[test]
fn an_approved_repair_wins_over_its_alternatives() {
    let text = "fn a(n: Int) -> Int {\n  println(\"x\");\n  print(\"y\");\n  n\n}\n";
    let done = with_titles(text, &["Remove 2 calls that have IO effect"]);
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.program.text(), "fn a(n: Int) -> Int {\n  n\n}\n");
    let done = with_titles(TWO_GOALS, &["Assert a > 0"]);
    assert_eq!(done.ending, Ending::Success);
    let applied = done.steps.iter().flat_map(|it| &it.applied);
    let applied: Vec<&str> = applied.map(|it| &*it.title).collect();
    assert_eq!(applied, ["Assert a > 0", "Add guard for b > 0"]);
    assert!(done.unapplied.is_empty());
}

#[test]
fn an_approved_repair_that_is_not_applied_is_reported() {
    let guard_and_assert = ["Add guard for a > 0", "Assert a > 0"];
    let done = with_titles(TWO_GOALS, &guard_and_assert);
    assert_eq!(done.ending, Ending::Success);
    let [lost] = done.unapplied.as_slice() else {
        panic!("{:?}", done.unapplied);
    };
    assert!(lost.reason.contains("which was applied"), "{lost:?}");
}

#[test]
fn a_repair_may_reveal_a_hidden_problem() {
    let text = "fn cost(price: Int) -> Float {\n  let rate = 0.2;\n  rate * prce\n}\n";
    let done = repaired(source(text));
    assert_eq!(done.ending, Ending::Success, "{}", done.program.text());
    assert_eq!(
        done.program.text(),
        text.replace("prce", "int_to_float(price)")
    );
}

#[test]
fn the_name_that_reveals_the_fewest_problems_ranks_first() {
    // Whichever operand is wrong, the result type is unknown and not a second error.
    let text = "fn cost(price: Int) -> Float {\n  let rate = 0.2;\n  prce * rate\n}\n";
    let done = repaired(source(text));
    assert_eq!(done.ending, Ending::Success, "{}", done.program.text());
    assert_eq!(
        done.program.text(),
        text.replace("prce", "int_to_float(price)")
    );
    let text = "fn need(n: Int{n > 0}) -> Int { n }\nfn f(x: Int) -> Int { need(y) }\n";
    let best = &compiled(text).repairs[0];
    assert_eq!(best.title, "Rename 'y' to 'x'");
}

#[test]
fn problems_without_a_repair_need_clarification() {
    // K-59 K-62
    let done = unapproved("fn f(a: Int) -> Int {\n  a(1)\n}\n");
    assert!(matches!(&done.ending, Ending::NeedsClarification { problems } if problems.len() == 1));
    let syntax = unapproved("fn f( -> Int { 1 }");
    assert!(matches!(syntax.ending, Ending::NeedsClarification { .. }));
}

#[test]
fn rounds_can_be_limited() {
    let one = Permission {
        max_rounds: 1,
        ..permission(Approved::Everything)
    };
    let done = repair(source(UNUSED_AND_PRINT), &one).expect("a program");
    assert_eq!(
        done.ending,
        Ending::Stuck {
            reason: "gave up after 1 round".to_owned()
        }
    );
    assert_eq!(done.steps.len(), 1);
}

#[test]
fn callers_are_widened_with_the_function_they_call() {
    // K-09 K-37
    let text = "fn log(a: Int) -> Int {\n  println(\"x\");\n  a\n}\n\nfn twice(a: Int) -> Int {\n  log(a) + log(a)\n}\n\nfn main() -> IO + Unit {\n  println(to_string(twice(1)))\n}\n";
    let result = compiled(text);
    assert_eq!(result.repairs.len(), 2);
    assert!(result.repairs[0].scope.crosses_function);
    let done = unapproved(text);
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.steps.len(), 1);
    assert_eq!(
        done.program.text(),
        text.replace("a: Int) -> Int", "a: Int) -> IO + Int")
    );
}

#[test]
fn an_ast_round_trip_keeps_ids() {
    // K-55 K-63 K-68
    let program = json!({"kind": "program", "id": "prog", "declarations": [
        {"kind": "fn", "id": "fn_area", "name": "area",
            "params": [{"name": "width", "type": {"kind": "named", "id": "t_w", "name": "Int"}}],
            "returnType": {"kind": "named", "id": "t_ret", "name": "Int"},
            "body": {"kind": "block", "id": "blk",
                "statements": [{"kind": "let", "id": "let_x",
                    "pattern": {"kind": "ident", "id": "pat_x", "name": "x"},
                    "init": {"kind": "ident", "id": "use_w", "name": "widht"}}],
                "expr": {"source": "width"}}},
    ]});
    let done = repaired(Program::Ast {
        json: program.to_string(),
    });
    assert_eq!(done.ending, Ending::Success);
    let json: Value = serde_json::from_str(done.program.text()).expect("JSON");
    let statement = &json["declarations"][0]["body"]["statements"][0];
    assert_eq!(statement["id"], "let_x");
    assert_eq!(statement["pattern"]["id"], "pat_x");
    assert_eq!(statement["pattern"]["name"], "_x");
    assert_eq!(statement["init"]["id"], "use_w");
    assert_eq!(statement["init"]["name"], "width");
}

#[test]
fn a_hole_is_filled_with_a_matching_name() {
    // K-19 K-99
    let program = json!({"kind": "program", "declarations": [
        {"kind": "fn", "id": "f", "name": "f",
            "params": [{"name": "n", "type": {"source": "Int"}}, {"name": "s", "type": {"source": "Str"}}],
            "returnType": {"source": "Int"},
            "body": {"kind": "block", "statements": [], "expr": {"kind": "binary", "op": "+",
                "left": {"source": "1"}, "right": {"kind": "hole", "id": "h", "ref": "value"}}}},
    ]});
    let done = repaired(Program::Ast {
        json: program.to_string(),
    });
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.steps[0].applied[0].title, "Fill hole 'value' with 'n'");
    assert_eq!(done.steps[0].applied[0].expected_delta.holes_filled, ["H1"]);
}

#[test]
fn the_workflow_of_the_reference_leads_to_success() {
    // K-63 K-64 K-65 K-66 K-67 K-68 K-69, step by step. Uses the more detailed of the two
    // documented orders.
    let text = "fn f(o: Option[Int]) -> Int {\n  let n = 0;\n  let spare = 1;\n  n = n + 1;\n  println(\"f\");\n  match o { None -> n }\n}\n";
    let mut json = canonical(&compiled(text)).to_string();
    let mut rounds = 0;
    let done = loop {
        let result = compile(Input::Ast { json: &json }, &Options::default()).expect("a program");
        let safe = |it: &&Candidate| it.safety != Safety::BehaviorChanging;
        let mut repairs: Vec<&Candidate> = result.repairs.iter().filter(safe).collect();
        repairs.sort_by(|a, b| a.rank(b));
        let Some(top) = repairs.first() else {
            break result;
        };
        rounds += 1;
        assert!(rounds <= MAX_ROUNDS);
        json = patch(&canonical(&result), &top.edits)
            .expect("a patch")
            .to_string();
    };
    assert_eq!(done.status, Status::Success);
    assert_eq!(rounds, 4);
    // The loop has the same outcome.
    let looped = unapproved(text);
    let said = |ast: &Ast| String::from_utf8(meaning(ast)).expect("UTF-8");
    let by_text = compiled(looped.program.text());
    let by_text = read_program(&canonical(&by_text).to_string()).expect("a program");
    assert_eq!(said(&by_text), said(&done.ast));
}

#[test]
fn only_repairs_of_the_compiler_are_applied() {
    // K-02 K-48 K-65 F-13: each step consists only of repairs of the program before it.
    let text = "fn cost(price: Int) -> Float {\n  let rate = 0.2; // per cent\n  let spare = 1;\n  println(\"cost\");\n  rate * prce\n}\n";
    let done = repaired(source(text));
    assert_eq!(done.ending, Ending::Success);
    let mut now = text.to_owned();
    for step in &done.steps {
        let result = compiled(&now);
        let offered: BTreeSet<&str> = result.repairs.iter().map(|it| it.id.as_str()).collect();
        let mut ops = Vec::new();
        for candidate in &step.applied {
            assert!(offered.contains(candidate.id.as_str()), "{candidate:?}");
            ops.extend(candidate.edits.iter().cloned());
        }
        let edits = Lowerer::of(&result.ast).edits(&ops).expect("edits");
        now = edited(&now, &edits).expect("edits that fit");
    }
    assert_eq!(now, done.program.text());
    for step in unapproved(text).steps {
        let by_itself = |it: &Candidate| it.safety != Safety::BehaviorChanging;
        assert!(step.applied.iter().all(by_itself), "{step:?}");
    }
}

#[test]
fn a_patch_for_another_program_is_rejected() {
    // K-55
    let old = compiled("fn f(price: Int) -> Int {\n  prce\n}\n");
    let repair = &old.repairs[0];
    let refused =
        |text: &str| patch(&canonical(&compiled(text)), &repair.edits).expect_err("a reason");
    let gone = refused("fn g(price: Int) -> Int {\n  price\n}\n");
    assert!(gone.to_string().contains("compile again"), "{gone}");
    let renamed = refused("fn f(price: Int) -> Int {\n  cost\n}\n");
    assert!(matches!(renamed, PatchError::OtherName { .. }), "{renamed}");
    assert!(renamed.to_string().contains("compile again"), "{renamed}");
}

#[test]
fn an_unknown_approved_id_is_reported() {
    let ids = Approved::Ids(BTreeSet::from(["rc_nothing".to_owned()]));
    let done = repair(source(UNUSED_AND_PRINT), &permission(ids)).expect("a program");
    assert_eq!(done.unknown, ["rc_nothing"]);
}

#[test]
fn approval_of_a_repair_includes_what_it_requires() {
    // K-78 K-80
    let text =
        "fn inner() -> Int { println(\"a\"); 1 }\nfn outer() -> Int { println(\"b\"); inner() }\n";
    let result = compiled(text);
    let child = result
        .repairs
        .iter()
        .find(|it| !it.compatibility.requires.is_empty());
    let child = child.expect("a repair that requires one");
    let only = |ids: &[&String]| Permission {
        safety: Safety::BehaviorPreserving,
        ..permission(Approved::Ids(ids.iter().map(|it| (*it).clone()).collect()))
    };
    let done = repair(source(text), &only(&[&child.id])).expect("a program");
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.program.text(), text.replace("-> Int", "-> IO + Int"));
    let parent = &child.compatibility.requires[0];
    assert_eq!(done.steps[0].applied[0].id, *parent);
    // The other direction does not hold.
    let done = repair(source(text), &only(&[parent])).expect("a program");
    assert!(matches!(&done.ending, Ending::NeedsApproval { ids } if ids.contains(&child.id)));
}
