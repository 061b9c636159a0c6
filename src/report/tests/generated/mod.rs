//! Generates valid reports with all fields.

use fixpoint_report::{
    Canonical, Compatibility, Diagnostic, Edit, ExpectedDelta, Expects, Fix, FixReport, NotChecked,
    Op, Outcome, PatchOp, PointerOp, Precondition, Rejection, Scope, Span, Step, Targets,
};
use fixpoint_text::{Digest, Snapshot};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const LENGTH: u64 = 40;

/// Non-empty text, with characters that JSON must escape and characters of several UTF-8 bytes.
fn text() -> impl Strategy<Value = String> {
    "[a-z\"\\\\/\n\u{0}\u{e4}\u{1f980}]{1,8}"
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..3)
}

fn span() -> impl Strategy<Value = Span> {
    (0..=LENGTH, 0..=LENGTH).prop_map(|(a, b)| Span {
        start: a.min(b),
        end: a.max(b),
    })
}

fn sha256() -> impl Strategy<Value = String> {
    any::<u64>().prop_map(|seed| Digest::of(&seed.to_le_bytes()).to_string())
}

prop_compose! {
    fn edit()(span in span(), replacement in text(), expected_sha256 in sha256()) -> Edit {
        Edit { path: "dir/a.json".to_owned(), start: span.start, end: span.end, replacement, expected_sha256 }
    }
}

/// Edits as in a fix or a canonical text: sorted and disjoint.
fn edits(counts: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Edit>> {
    let cuts = vec((edit(), 1..5u64), counts);
    cuts.prop_map(|edits| {
        let mut end = 0;
        let place = |(edit, step): (Edit, u64)| {
            let start = end + step;
            end = start + (edit.end - edit.start) / 8;
            Edit { start, end, ..edit }
        };
        edits
            .into_iter()
            .map(place)
            .filter(|edit| edit.end <= LENGTH)
            .collect()
    })
}

prop_compose! {
    fn expects()(r#type in option::of(text()), equals_json in option::of(text()), exists: Option<bool>) -> Expects {
        Expects { r#type, equals_json, exists }
    }
}

/// The text of a JSON value.
fn json() -> impl Strategy<Value = Option<String>> {
    (text(), texts()).prop_map(|(name, items)| {
        let value = serde_json::json!({"kind": name, "items": items});
        Some(value.to_string())
    })
}

prop_compose! {
    fn patch_op()(op in 1..=12i32, words in vec(text().prop_map(Some), 8), nodes in vec(json(), 6),
                  add_effects in texts(), position: Option<u32>) -> Op {
        let word = |at: usize| words[at].clone();
        let node = |at: usize| nodes[at].clone();
        Op { patch: Some(PatchOp {
            op, add_effects, position,
            node_id: word(0), target_id: word(1), fn_id: word(2), symbol_id: word(3), type_id: word(4),
            hole_ref: word(5), old_name: word(6), new_name: word(7),
            new_node_json: node(0), new_statement_json: node(1), wrapper_json: node(2),
            field_json: node(3), param_json: node(4), predicate_json: node(5),
        }), pointer: None }
    }
}

prop_compose! {
    fn pointer_op()(op in 1..=7i32, json_pointer in text(), value_json in option::of(text()), key in option::of(text()),
                    from in option::of(text()), to in option::of(text()), index: Option<u64>, expects in option::of(expects())) -> Op {
        Op { patch: None, pointer: Some(PointerOp { op, file: "a.json".to_owned(), json_pointer, value_json, key, from, to, index, expects }) }
    }
}

prop_compose! {
    fn fix(id: usize)(words in vec(text(), 5), safety in 1..=3i32, confidence in 1..=3i32, kind in 1..=4i32, provenance in 1..=4i32,
                      scope in option::of((any::<u32>(), any::<bool>())), targets in option::of(vec(texts(), 5)),
                      expected in option::of(expects()), edits in edits(1..4), ops in vec(prop_oneof![patch_op(), pointer_op()], 0..3),
                      delta in vec(texts(), 3), edits_comments: bool, compatibility in option::of((vec(texts(), 4), option::of(text())))) -> Fix {
        Fix {
            id: format!("f-{id}"), title: words[0].clone(), phase: words[1].clone(), rule: words[2].clone(), rationale: words[3].clone(),
            safety, confidence, kind, provenance, edits, ops, edits_comments,
            scope: scope.map(|(node_count, crosses_function)| Scope { node_count, crosses_function }),
            targets: targets.map(|it| Targets {
                diagnostic_ids: it[0].clone(), diagnostic_codes: it[1].clone(),
                node_ids: it[2].clone(), obligation_ids: it[3].clone(), hole_ids: it[4].clone(),
            }),
            preconditions: vec![Precondition { description: words[4].clone(), node_id: None, json_pointer: Some(String::new()), expects: expected }],
            expected_delta: Some(ExpectedDelta {
                diagnostics_resolved: delta[0].clone(), obligations_discharged: delta[1].clone(), holes_filled: delta[2].clone(),
            }),
            compatibility: compatibility.map(|(it, batch_key)| Compatibility {
                conflicts_with: it[0].clone(), requires: it[1].clone(), reads: it[2].clone(), writes: it[3].clone(), batch_key,
            }),
        }
    }
}

prop_compose! {
    fn diagnostic(id: usize)(words in vec(text(), 5), severity in 1..=3i32, span in span(), node_id in option::of(text()),
                    json_pointer in option::of(text()), hints in texts(), style: bool,
                    tier in option::of(prop_oneof![Just("schema"), Just("semantic"), Just("policy")])) -> Diagnostic {
        Diagnostic {
            id: format!("d-{id}"), rule: words[2].clone(), phase: words[3].clone(), message: words[4].clone(),
            severity, span: Some(span), node_id, json_pointer, hints, style, tier: tier.map(str::to_owned),
            fix_ids: vec!["f-0".to_owned()],
        }
    }
}

prop_compose! {
    pub fn report()(first in fix(0), second in fix(1), diagnostics in (diagnostic(0), diagnostic(1)), canonical_sha in sha256(),
                edits in edits(0..3), later in vec((text(), text()), 0..3), rule in text(),
                rejected in vec((text(), text(), 1..=10i32, option::of(text())), 0..3), not_checked in vec((text(), text()), 0..2),
                exit in 1..=5i32, rounds: u32, cycle_rules in texts()) -> FixReport {
        let base = Snapshot::new("dir/a.json", "x".repeat(LENGTH as usize));
        // Only the exits fixpoint (1) and rejected (4) may have edits.
        let edits = if matches!(exit, 1 | 4) { edits } else { Vec::new() };
        let removed: u64 = edits.iter().map(|it| it.end - it.start).sum();
        let added: u64 = edits.iter().map(|it| it.replacement.len() as u64).sum();
        let mut steps = vec![Step { round: 1, fix_id: "f-0".to_owned(), rule }];
        steps.extend(later.into_iter().map(|(fix_id, rule)| Step { round: 2, fix_id, rule }));
        FixReport {
            fixes: vec![first, second], diagnostics: vec![diagnostics.0, diagnostics.1],
            not_checked: not_checked.into_iter().map(|(what, why)| NotChecked { what, why }).collect(),
            canonical: Some(Canonical {
                sha256: if edits.is_empty() { base.digest().to_string() } else { canonical_sha },
                length: LENGTH - removed + added, edits, steps,
            }),
            rejected: rejected.into_iter()
                .map(|(fix_id, rule, reason, winner_id)| Rejection { fix_id, rule, reason, winner_id, detail: String::new() }).collect(),
            outcome: Some(Outcome { exit, rounds, cycle_rules }),
            ..FixReport::new(&base, "json")
        }
    }
}
