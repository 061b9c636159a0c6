//! Properties of all candidates, and the kinds of candidates.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::json::result_json;
use fixpoint_clank::repair::{
    Candidate, Ending, Expectation, Lowerer, PatchError, PatchOp, apply, edited, node_digest,
};
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use fixpoint_report::{Confidence, Kind, Safety, parse_word};
use serde_json::{Value, json};

use crate::{canonical, compiled, repaired, source};

/// Programs with repairs of every kind.
const PROGRAMS: &[&str] = &[
    "fn f(alpha: Int, alps: Int, beta: Int) -> Int { alph + bet }\n",
    "fn f(a: Int) -> Float { let rate = 1; a }\n",
    NEEDS_CHECK,
    PRINTS,
    CASCADE,
    "fn log(a: Int) -> Int { println(\"x\"); a }\nfn twice(a: Int) -> Int { log(a) + log(a) }\n",
    "fn f(o: Option[Int], n: Int) -> Int { n = o?; println(\"x\"); match o { None -> 1 } }\n",
];

const PRINTS: &str = "fn f(a: Int) -> Int {\n  println(\"x\"); // trace\n  a\n}\n";

/// Two uses of an external value.
const NEEDS_CHECK: &str = "external fn read_age() -> Int = \"readAge\"
fn years(n: Int{n >= 0}) -> Int { n }
fn main() -> Int {
  let age = read_age(); // from the form
  let first = years(age);
  first + years(age)
}
";

/// `inner` and `outer` print, and `outer` calls `inner`.
const CASCADE: &str = "fn inner(a: Int) -> Int {
  println(\"in\");
  println(\"in again\");
  a
}
fn outer(a: Int) -> Int {
  println(\"out\");
  inner(a)
}
";

fn edited_by(text: &str, result: &CompileResult, ops: &[PatchOp]) -> String {
    let edits = Lowerer::of(&result.ast).edits(ops).expect("edits");
    edited(text, &edits).expect("edits that fit")
}

#[test]
fn every_candidate_matches_the_schema() {
    // K-04 K-05 K-06 K-07 K-08 K-20
    let words =
        |list: &[&str]| -> BTreeSet<String> { list.iter().map(|it| (*it).to_owned()).collect() };
    let confidences = words(&["high", "medium", "low"]);
    let safeties = words(&[
        "behavior_preserving",
        "likely_preserving",
        "behavior_changing",
    ]);
    let kinds = words(&[
        "local_fix",
        "refactor",
        "boundary_validation",
        "semantics_change",
    ]);
    let mut seen = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for text in PROGRAMS {
        let result = serde_json::to_value(result_json(&compiled(text))).expect("JSON");
        for repair in result["repairs"].as_array().expect("a list") {
            let text = |member: &str| repair[member].as_str().expect("a text").to_owned();
            let title = text("title");
            assert!(
                !title.is_empty() && title.len() < 80 && !title.contains('\n'),
                "{title}"
            );
            assert!(text("rationale").contains(' '), "{repair}");
            for (seen, member) in seen.iter_mut().zip(["confidence", "safety", "kind"]) {
                seen.insert(text(member));
            }
            let edits = repair["edits"].as_array().expect("edits").iter();
            let nodes = edits.map(|it| if it["op"] == "wrap" { 2 } else { 1 });
            assert_eq!(repair["scope"]["node_count"], json!(nodes.sum::<usize>()));
            for list in [
                "diagnostics_resolved",
                "obligations_discharged",
                "holes_filled",
            ] {
                assert!(repair["expected_delta"][list].is_array(), "{repair}");
            }
        }
    }
    // Each word is produced by some repair, and there are no other words.
    assert_eq!(seen, [confidences, safeties, kinds]);
    assert!(parse_word::<Confidence>("certain").is_err());
    assert!(parse_word::<Safety>("safe").is_err());
    assert!(parse_word::<Kind>("rewrite").is_err());
}

/// A document with a hole, an error, an obligation and a warning.
pub(crate) const EVERY_CLASS: &str = r#"{"kind": "program", "declarations": [
  {"source": "fn pos(n: Int{n > 0}) -> Int { n }"},
  {"source": "fn two() -> Int { let spare = 1; 2 }"},
  {"kind": "fn", "id": "fn_f", "name": "f",
    "params": [{"name": "a", "type": {"source": "Int"}}, {"name": "beta", "type": {"source": "Int"}}],
    "returnType": {"source": "Int"},
    "body": {"kind": "block", "statements": [],
      "expr": {"kind": "binary", "op": "+", "left": {"source": "pos(a) + bet"},
        "right": {"kind": "hole", "id": "h", "ref": "value"}}}}]}"#;

fn compiled_document(json: &str) -> CompileResult {
    compile(Input::Ast { json }, &Options::default()).expect("a program")
}

pub(crate) fn every_result() -> Vec<CompileResult> {
    let mut results: Vec<CompileResult> = PROGRAMS.iter().map(|it| compiled(it)).collect();
    results.push(compiled_document(EVERY_CLASS));
    results
}

#[test]
fn repairs_are_one_list_in_rank_order() {
    // K-01, with the order of the documents written out.
    let place = |words: &[&str], word: &Value| {
        let place = words.iter().position(|it| *it == *word);
        place.expect("a known word")
    };
    let safeties = [
        "behavior_preserving",
        "likely_preserving",
        "behavior_changing",
    ];
    let kinds = [
        "local_fix",
        "boundary_validation",
        "refactor",
        "semantics_change",
    ];
    let key = |it: &Value| {
        let delta = &it["expected_delta"];
        let resolved = [
            "diagnostics_resolved",
            "obligations_discharged",
            "holes_filled",
        ];
        let resolved = resolved.map(|list| delta[list].as_array().map_or(0, Vec::len));
        (
            place(&safeties, &it["safety"]),
            place(&["high", "medium", "low"], &it["confidence"]),
            place(&kinds, &it["kind"]),
            it["scope"]["crosses_function"].as_bool(),
            it["scope"]["node_count"].as_u64(),
            Reverse(resolved.iter().sum::<usize>()),
            it["id"].as_str().map(str::to_owned),
        )
    };
    for result in every_result() {
        let json = serde_json::to_value(result_json(&result)).expect("JSON");
        let repairs = json["repairs"].as_array().expect("a list");
        assert!(repairs.is_sorted_by_key(key), "{repairs:#?}");
        let place = |id: &Value| repairs.iter().position(|it| it["id"] == *id);
        for list in ["diagnostics", "obligations", "holes"] {
            for problem in json[list].as_array().expect("a list") {
                let refs = problem["repair_refs"].as_array().expect("a list");
                assert!(refs.is_sorted_by_key(place), "{refs:?}");
                assert!(refs.iter().all(|id| place(id).is_some()), "{refs:?}");
            }
        }
    }
    // Alternatives of one problem are not next to each other.
    let titles = |result: &CompileResult| -> Vec<String> {
        result.repairs.iter().map(|it| it.title.clone()).collect()
    };
    let renames = titles(&compiled(PROGRAMS[0]));
    assert_eq!(renames[2], "Rename 'alph' to 'alps'");
    let mixed = titles(&compiled_document(EVERY_CLASS));
    assert_eq!(mixed[0], "Rename 'spare' to '_spare'", "{mixed:?}");
}

#[test]
fn targets_and_deltas_name_what_the_result_contains() {
    // K-11 K-12 K-13 K-17 K-18 K-19
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for result in every_result() {
        let json = serde_json::to_value(result_json(&result)).expect("JSON");
        let find = |list: &str, id: &str| -> Value {
            let list = json[list].as_array().expect("a list").iter();
            let mut found = list.filter(|it| it["id"] == id);
            found.next().unwrap_or_else(|| panic!("no {id}")).clone()
        };
        for repair in &result.repairs {
            let (targets, delta) = (&repair.targets, &repair.expected_delta);
            let mut codes = BTreeSet::new();
            for id in &delta.diagnostics_resolved {
                let diagnostic = find("diagnostics", id);
                let refs = diagnostic["repair_refs"].as_array().expect("a list");
                assert!(refs.contains(&json!(repair.id)), "{id}");
                codes.insert(diagnostic["code"].as_str().expect("a code").to_owned());
                seen.insert("diagnostics");
            }
            let listed: BTreeSet<String> = targets.diagnostic_codes.iter().cloned().collect();
            assert_eq!(listed, codes, "{repair:?}");
            assert!(codes.iter().all(|it| Code::parse(it).is_some()));
            for (list, delta, targets) in [
                (
                    "obligations",
                    &delta.obligations_discharged,
                    &targets.obligation_ids,
                ),
                ("holes", &delta.holes_filled, &targets.hole_ids),
            ] {
                assert_eq!(delta, targets, "{repair:?}");
                for id in delta {
                    let refs = &find(list, id)["repair_refs"];
                    let refs = refs.as_array().expect("a list");
                    assert!(refs.contains(&json!(repair.id)), "{id}");
                    seen.insert(list);
                }
            }
        }
    }
    assert_eq!(
        seen,
        BTreeSet::from(["diagnostics", "holes", "obligations"])
    );
}

#[test]
fn applying_a_repair_removes_what_its_delta_names() {
    // K-17 K-18
    for text in PROGRAMS {
        let result = compiled(text);
        for repair in result.repairs.iter() {
            if !repair.compatibility.requires.is_empty() {
                continue;
            }
            let after = compiled(&edited_by(text, &result, &repair.edits));
            let count = |result: &CompileResult, message: &str| {
                let all = result.diagnostics.iter();
                all.filter(|it| it.message == message).count()
            };
            for (at, it) in result.diagnostics.iter().enumerate() {
                let id = fixpoint_clank::json::diagnostic_id(at);
                if repair.expected_delta.diagnostics_resolved.contains(&id) {
                    let (was, is) = (count(&result, &it.message), count(&after, &it.message));
                    assert!(is < was, "{}: {}", repair.title, it.message);
                }
            }
            let discharged = repair.expected_delta.obligations_discharged.len();
            let left = result.obligations.len() - discharged;
            assert!(
                discharged == 0 || after.obligations.len() <= left,
                "{}",
                repair.title
            );
        }
    }
}

#[test]
fn kinds_are_ranked_in_their_order() {
    // K-27 K-28 K-29 K-30
    let order = [
        Kind::LocalFix,
        Kind::BoundaryValidation,
        Kind::Refactor,
        Kind::SemanticsChange,
    ];
    let result = compiled(PROGRAMS[0]);
    let of_kind = |kind: Kind| Candidate {
        kind,
        ..result.repairs[0].clone()
    };
    let ranked = order.map(of_kind);
    assert!(ranked.is_sorted_by(|a, b| a.rank(b).is_lt()));
    // Only a repair that spans several functions is a refactoring.
    let callers = compiled(PROGRAMS[5]);
    assert_eq!(callers.repairs[0].kind, Kind::Refactor);
    assert!(callers.repairs[0].scope.crosses_function);
    assert_eq!(
        callers.repairs[0].title,
        "Add IO effect to function and 1 caller"
    );
}

#[test]
fn an_external_value_is_checked_where_it_enters() {
    // K-29
    let result = compiled(NEEDS_CHECK);
    let kind = |it: &&Candidate| it.kind == Kind::BoundaryValidation;
    let check = result.repairs.iter().find(kind).expect("a repair");
    assert_eq!(check.title, "Validate age >= 0 where 'age' comes in");
    assert_eq!(
        check.rationale,
        "'age' is what read_age() gives, which is only known outside"
    );
    assert_eq!(
        check.expected_delta.obligations_discharged,
        ["OBL1", "OBL2"]
    );
    assert_eq!(check.safety, Safety::LikelyPreserving);
    let after = edited_by(NEEDS_CHECK, &result, &check.edits);
    let line = "  let age = read_age(); // from the form\n";
    let expected = NEEDS_CHECK.replace(line, &format!("{line}  assert age >= 0;\n"));
    assert_eq!(after, expected);
    assert!(compiled(&after).obligations.is_empty());
    // A value that is computed inside the program does not cross a boundary.
    let inside = NEEDS_CHECK.replace(
        "external fn read_age() -> Int = \"readAge\"",
        "fn read_age() -> Int { 1 }",
    );
    assert!(!compiled(&inside).repairs.iter().any(|it| kind(&it)));
}

#[test]
fn a_call_with_an_effect_can_be_removed() {
    // K-30 K-14 X-26
    let result = compiled(PRINTS);
    let [widen, remove] = &result.repairs[..] else {
        panic!("{:?}", result.repairs);
    };
    assert_eq!(
        (remove.kind, remove.confidence),
        (Kind::SemanticsChange, Confidence::Low)
    );
    assert!(widen.rank(remove).is_lt() && widen.conflicts_with(remove));
    let after = edited_by(PRINTS, &result, &remove.edits);
    assert!(
        after.contains("// trace") && !after.contains("println"),
        "{after}"
    );
    assert!(compiled(&after).diagnostics.is_empty(), "{after}");
    // The repair deletes only the node it was made for, not one that replaced it.
    let tree = canonical(&result);
    assert!(apply(&tree, remove).is_ok());
    let [Expectation::Unchanged { node_id, sha256 }] = &remove.preconditions[0].expects[..] else {
        panic!("{:?}", remove.preconditions);
    };
    let changed: Value =
        serde_json::from_str(&tree.to_string().replace("\"x\"", "\"y\"")).expect("JSON");
    assert_eq!(
        apply(&changed, remove),
        Err(PatchError::Precondition {
            description: "The removed nodes are unchanged".to_owned()
        })
    );
    assert!(!node_id.is_empty() && sha256.len() == 64);
    // A value that is used does not have such a repair.
    let used = compiled("fn f() -> Str { read_line() }\n");
    assert!(
        used.repairs
            .iter()
            .all(|it| it.kind != Kind::SemanticsChange)
    );
}

#[test]
fn a_digest_ignores_ids_spans_and_defaults() {
    let brief = json!({"kind": "named", "name": "Int"});
    let full =
        json!({"name": "Int", "args": [], "kind": "named", "id": "n1", "span": {"file": "a"}});
    assert_eq!(node_digest(&brief), node_digest(&full));
    assert_ne!(
        node_digest(&brief),
        node_digest(&json!({"kind": "named", "name": "Str"}))
    );
}

fn widening<'r>(result: &'r CompileResult, function: &str) -> &'r Candidate {
    let start = format!("fn {function}");
    let mut decls = result.ast.program.declarations.iter();
    let decl = decls.find(|it| result.ast.source.slice(it.span).starts_with(&start));
    let id = result.ast.ids.name(decl.expect("a function").id);
    let widens = |op: &PatchOp| matches!(op, PatchOp::WidenEffect { fn_id, .. } if *fn_id == id);
    let of = |it: &&Candidate| it.edits.first().is_some_and(widens);
    result.repairs.iter().find(of).expect("a repair")
}

#[test]
fn a_repair_requires_that_callers_declare_the_effect_first() {
    // K-14 K-72 K-78 K-80
    let result = compiled(CASCADE);
    let (inner, outer) = (widening(&result, "inner"), widening(&result, "outer"));
    assert_eq!(inner.compatibility.requires, [outer.id.as_str()]);
    assert!(outer.compatibility.requires.is_empty());
    assert!(!inner.conflicts_with(outer));
    assert_eq!(
        inner.preconditions[0].description,
        "Callers declare IO effect"
    );
    assert_eq!(inner.preconditions[0].depends_on, outer.targets.node_ids);
    let tree = canonical(&result);
    let alone = apply(&tree, inner).expect_err("a reason");
    assert!(
        alone
            .to_string()
            .contains("apply what the repair requires first"),
        "{alone}"
    );
    let after = apply(&apply(&tree, outer).expect("a patch"), inner).expect("a patch");
    assert_eq!(after.to_string().matches("\"effects\":[{").count(), 2);
    // It ranks higher because it resolves more, but the repair it requires is still applied first.
    assert!(inner.rank(outer).is_lt());
    let done = repaired(source(CASCADE));
    let applied: Vec<&String> = done.steps[0].applied.iter().map(|it| &it.id).collect();
    assert_eq!(applied, [&outer.id, &inner.id]);
    assert_eq!(done.steps.len(), 1);
    assert_eq!(
        done.program.text(),
        CASCADE.replace("-> Int", "-> IO + Int")
    );
}

#[test]
fn functions_that_call_each_other_are_widened_together() {
    let text = "fn even(n: Int) -> Bool {\n  println(\"e\");\n  if n == 0 { true } else { odd(n - 1) }\n}\nfn odd(n: Int) -> Bool {\n  println(\"o\");\n  if n == 0 { false } else { even(n - 1) }\n}\n";
    let result = compiled(text);
    let widenings: Vec<&Candidate> = result
        .repairs
        .iter()
        .filter(|it| it.kind == Kind::Refactor)
        .collect();
    assert_eq!(widenings.len(), 1, "{:?}", result.repairs);
    assert_eq!(
        widenings[0].expected_delta.diagnostics_resolved,
        ["d1", "d2"]
    );
    assert!(widenings[0].compatibility.requires.is_empty());
    let done = repaired(source(text));
    assert_eq!(done.ending, Ending::Success);
    assert_eq!(done.program.text(), text.replace("-> Bool", "-> IO + Bool"));
}

#[test]
fn two_widenings_of_one_function_conflict() {
    // K-76
    let result = compiled("fn f(o: Option[Int]) -> Int { println(\"x\"); o? }\n");
    let widens = |it: &&Candidate| it.edits[0].name() == "widen_effect";
    let widenings: Vec<&Candidate> = result.repairs.iter().filter(widens).collect();
    let [a, b] = widenings[..] else {
        panic!("{widenings:?}");
    };
    assert!(a.conflicts_with(b) && b.conflicts_with(a));
}

#[test]
fn repairs_with_one_batch_key_are_applied_in_one_round() {
    // K-81 K-83
    let text =
        "fn f(alpha: Int, beta: Int) -> Int { alph + bet }\nfn g() -> Int { let x = 1; 2 }\n";
    let done = repaired(source(text));
    let keys: Vec<_> = done.steps[0]
        .applied
        .iter()
        .map(|it| it.compatibility.batch_key.as_deref())
        .collect();
    assert_eq!(keys, [Some("batch:local_fix:rename_symbol"); 2]);
    assert_eq!(done.steps.len(), 2);
}
