//! The two serialized forms of a report have equal content. Both readers ignore unknown fields and reject
//! incomplete reports.

use fixpoint_report::{
    Canonical, Compatibility, Confidence, Diagnostic, Edit, Exit, ExpectedDelta, Expects, Fix,
    FixReport, Kind, NotChecked, Op, Outcome, PatchOp, PointerOp, Precondition, Provenance,
    Rejection, Scope, Span, Step, Targets, from_json, from_protobuf, read, to_json, to_protobuf,
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
                      delta in vec(texts(), 3), compatibility in option::of((vec(texts(), 4), option::of(text())))) -> Fix {
        Fix {
            id: format!("f-{id}"), title: words[0].clone(), phase: words[1].clone(), rule: words[2].clone(), rationale: words[3].clone(),
            safety, confidence, kind, provenance, edits, ops,
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
    fn report()(first in fix(0), second in fix(1), diagnostics in (diagnostic(0), diagnostic(1)), canonical_sha in sha256(),
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

proptest! {
    #[test]
    fn protobuf_to_json_to_protobuf_is_the_identity(report in report()) {
        let bytes = to_protobuf(&report);
        let decoded = from_protobuf(&bytes).expect("a valid report");
        let json = to_json(&decoded).expect("a valid report has a JSON form");
        let mirrored = from_json(json.as_bytes()).expect("its JSON form is valid");
        prop_assert_eq!(&mirrored, &report);
        prop_assert_eq!(to_protobuf(&mirrored), bytes);
    }
}

fn small() -> FixReport {
    let text = Snapshot::new("a.json", "{ }\n");
    let fix = Fix {
        id: "f-1".to_owned(),
        title: "Format".to_owned(),
        phase: "format".to_owned(),
        rule: "format-json".to_owned(),
        safety: 1,
        confidence: 1,
        kind: 1,
        provenance: 1,
        edits: vec![Edit::replace(&text, (0..4).into(), "{}\n")],
        ..Fix::default()
    };
    FixReport {
        diagnostics: vec![Diagnostic {
            id: "d-1".to_owned(),
            rule: "format-json".to_owned(),
            phase: "format".to_owned(),
            severity: 2,
            message: "not canonical".to_owned(),
            span: Some(Span { start: 0, end: 4 }),
            fix_ids: vec!["f-1".to_owned()],
            style: true,
            ..Diagnostic::default()
        }],
        fixes: vec![fix],
        not_checked: vec![NotChecked {
            what: "the schema a.schema.json".to_owned(),
            why: "it is not an input".to_owned(),
        }],
        canonical: Some(Canonical {
            sha256: Digest::of(b"{}\n").to_string(),
            length: 3,
            edits: vec![Edit::delete(&text, (1..2).into())],
            steps: vec![Step {
                round: 1,
                fix_id: "f-1".to_owned(),
                rule: "format-json".to_owned(),
            }],
        }),
        outcome: Some(Outcome {
            exit: 1,
            rounds: 1,
            ..Outcome::default()
        }),
        ..FixReport::new(&text, "json")
    }
}

#[test]
fn the_json_form_uses_the_words_of_the_schema() {
    // C-24 C-25 C-26 C-27 C-28 C-29 C-30 C-82: every field of the edit model by its name.
    let json: serde_json::Value =
        serde_json::from_str(&to_json(&small()).expect("valid")).expect("JSON");
    let fix = &json["fixes"][0];
    assert_eq!(fix["phase"], "format");
    assert_eq!(fix["rule"], "format-json");
    assert_eq!(fix["safety"], "behavior_preserving");
    assert_eq!(fix["edits"][0]["path"], "a.json");
    assert_eq!(fix["edits"][0]["start"], 0);
    assert_eq!(fix["edits"][0]["end"], 4);
    assert_eq!(fix["edits"][0]["replacement"], "{}\n");
    assert_eq!(json["diagnostics"][0]["severity"], "warning");
    assert_eq!(json["outcome"]["exit"], "fixpoint");
}

#[test]
fn both_forms_are_recognised_by_their_bytes() {
    let report = small();
    assert_eq!(read(&to_protobuf(&report)).expect("protobuf"), report);
    assert_eq!(
        read(to_json(&report).expect("valid").as_bytes()).expect("JSON"),
        report
    );
}

#[test]
fn a_diagnostic_with_only_message_and_span_is_accepted() {
    // C-20 C-80: no fix, no pointer.
    let mut report = small();
    report.fixes.clear();
    report.diagnostics[0].fix_ids.clear();
    let base = report.base.clone().expect("set");
    report.canonical = Some(Canonical {
        sha256: base.sha256,
        length: base.length,
        ..Canonical::default()
    });
    assert!(read(&to_protobuf(&report)).is_ok());
}

/// The error for a JSON report after `change`.
fn error_after(change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut json = serde_json::to_value(small()).expect("valid");
    change(&mut json);
    from_json(json.to_string().as_bytes())
        .expect_err("must be refused")
        .to_string()
}

#[test]
fn wrong_words_and_all_missing_fields_are_named() {
    let word = error_after(|json| json["fixes"][0]["safety"] = "harmless".into());
    assert!(
        word.contains("unknown word `harmless`") && word.contains("likely_preserving"),
        "{word}"
    );

    let missing = error_after(|json| {
        let fix = json["fixes"][0].as_object_mut().expect("a fix");
        let safety = fix.remove("safety").expect("required");
        fix.insert("sefety".to_owned(), safety);
        fix.remove("rule");
        json.as_object_mut().expect("a report").remove("base");
    });
    let fields = "fields: base.path, base.sha256, base.length, fixes[0].rule, fixes[0].safety;";
    assert!(missing.contains(fields), "{missing}");

    for part in ["base", "canonical"] {
        let missing = error_after(|json| {
            let part = json[part].as_object_mut().expect("an object");
            part.remove("length").expect("required");
        });
        assert!(missing.contains(&format!("{part}.length")), "{missing}");
        assert!(missing.contains("lacks required fields"), "{missing}");
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let mut json = serde_json::to_value(small()).expect("valid");
    json["fixes"][0]["a_newer_field"] = true.into();
    let read = from_json(json.to_string().as_bytes()).expect("ignored");
    assert_eq!(read, small());

    let mut bytes = to_protobuf(&small());
    bytes.extend([0xfa, 0x01, 0x02, b'h', b'i']);
    assert_eq!(from_protobuf(&bytes).expect("ignored"), small());
}

#[test]
fn fields_with_an_obvious_default_may_be_left_out() {
    let text = Snapshot::new("a.py", "x = 1\n");
    let json = serde_json::json!({
        "schema_version": 1,
        "tool": { "name": "old-names" },
        "base": { "path": "a.py", "sha256": text.digest().to_string(), "length": 6 },
        "diagnostics": [{
            "id": "d-1",
            "rule": "old-name",
            "severity": "warning",
            "message": "x is an old name of y",
            "span": { "start": 0, "end": 1 },
            "fix_ids": ["f-1"],
        }],
        "fixes": [{
            "id": "f-1",
            "title": "Rename to y",
            "rule": "old-name",
            "safety": "behavior_preserving",
            "edits": [{ "start": 0, "end": 1, "replacement": "y", "expected_sha256": Digest::of(b"x").to_string() }],
        }],
    });
    let report = from_json(json.to_string().as_bytes()).expect("complete");
    let fix = &report.fixes[0];
    assert_eq!(report.diagnostics[0].phase, "old-names");
    assert_eq!(
        (fix.phase.as_str(), fix.edits[0].path.as_str()),
        ("old-names", "a.py")
    );
    assert_eq!(fix.confidence(), Confidence::Medium);
    assert_eq!(fix.kind(), Kind::LocalFix);
    assert_eq!(fix.provenance(), Provenance::Imported);
    assert_eq!(
        report.outcome.as_ref().expect("filled in").exit(),
        Exit::Fixpoint
    );
    assert_eq!(report.canonical, None);
    assert_eq!(read(&to_protobuf(&report)).expect("valid"), report);
}

#[test]
fn another_schema_version_is_reported() {
    let newer = error_after(|json| {
        json["schema_version"] = 2.into();
        json["a_field_of_version_2"] = true.into();
    });
    assert!(newer.contains("schema version 2"), "{newer}");

    let mut report = small();
    report.schema_version = 7;
    let older = from_protobuf(&to_protobuf(&report))
        .expect_err("refused")
        .to_string();
    assert!(older.contains("schema version 7"), "{older}");
}

#[test]
fn invalid_values_are_rejected_with_their_field() {
    let outside = error_after(|json| json["fixes"][0]["edits"][0]["path"] = "../etc/passwd".into());
    assert!(
        outside.contains("fixes[0].edits[0].path") && outside.contains("inside the workspace"),
        "{outside}"
    );

    let inverted = error_after(|json| {
        json["diagnostics"][0]["span"] = serde_json::json!({"start": 3, "end": 1})
    });
    assert!(inverted.contains("diagnostics[0].span"), "{inverted}");

    let past_end = error_after(|json| json["fixes"][0]["edits"][0]["end"] = 5.into());
    assert!(
        past_end.contains("byte 5 of a file of 4 bytes"),
        "{past_end}"
    );

    let digest = error_after(|json| json["base"]["sha256"] = "ABC".into());
    assert!(digest.contains("base.sha256"), "{digest}");

    let dangling =
        error_after(|json| json["diagnostics"][0]["fix_ids"] = serde_json::json!(["f-9"]));
    assert!(dangling.contains("`f-9`"), "{dangling}");

    let tier = error_after(|json| json["diagnostics"][0]["tier"] = "other".into());
    assert!(tier.contains("diagnostics[0].tier"), "{tier}");
}

#[test]
fn a_patch_operation_has_the_fields_of_its_kind_and_a_delta() {
    // K-16
    let with = |op: serde_json::Value, delta: serde_json::Value| {
        let mut json = serde_json::to_value(small()).expect("valid");
        json["fixes"][0]["ops"] = serde_json::json!([{"patch": op}]);
        let fix = json["fixes"][0].as_object_mut().expect("a fix");
        fix.remove("expected_delta");
        if !delta.is_null() {
            fix.insert("expected_delta".to_owned(), delta);
        }
        from_json(json.to_string().as_bytes())
    };
    let op = serde_json::json!({
        "op": "wrap", "node_id": "n1", "hole_ref": "it",
        "wrapper": {"kind": "block", "statements": [], "expr": {"hole_ref": "it"}},
    });
    let delta = serde_json::json!({"diagnostics_resolved": ["d-1"]});
    let report = with(op.clone(), delta.clone()).expect("a report");
    let json: serde_json::Value = serde_json::to_value(&report).expect("valid");
    assert_eq!(json["fixes"][0]["ops"][0], serde_json::json!({"patch": op}));
    assert_eq!(
        from_protobuf(&to_protobuf(&report)).expect("a report"),
        report
    );
    let error = |op, delta| with(op, delta).expect_err("must be refused").to_string();
    let absent = error(op, serde_json::Value::Null);
    assert!(absent.contains("fixes[0].expected_delta"), "{absent}");
    let short = error(serde_json::json!({"op": "rename", "node_id": "n1"}), delta);
    for field in ["symbol_id", "new_name"] {
        let field = format!("fixes[0].ops[0].patch.{field}");
        assert!(short.contains(&field), "{short}");
    }
}

#[test]
fn a_node_that_nests_too_deep_is_rejected() {
    let nested = |depth: usize| {
        let mut node = serde_json::json!({});
        for _ in 0..depth {
            node = serde_json::json!({ "left": node });
        }
        let mut json = serde_json::to_value(small()).expect("valid");
        let op = serde_json::json!({"op": "replace_node", "node_id": "n1", "new_node": node});
        json["fixes"][0]["ops"] = serde_json::json!([{"patch": op}]);
        json["fixes"][0]["expected_delta"] = serde_json::json!({});
        from_json(json.to_string().as_bytes())
    };
    assert!(nested(63).is_ok());
    let error = nested(64).expect_err("must be refused").to_string();
    assert!(error.contains("more than 64 levels"), "{error}");
}

#[test]
fn inconsistent_lengths_ids_and_edits_are_rejected() {
    let steps = error_after(|json| json["canonical"]["steps"][0]["fix_id"] = "f-9".into());
    assert!(
        steps.contains("canonical.steps[0].fix_id") && steps.contains("`f-9`"),
        "{steps}"
    );

    let length = error_after(|json| json["canonical"]["length"] = 4.into());
    assert!(
        length.contains("canonical.length") && length.contains("3 bytes"),
        "{length}"
    );

    let base = error_after(|json| json["base"]["length"] = 9.into());
    assert!(base.contains("canonical.length"), "{base}");

    let sha256 = error_after(|json| {
        json["canonical"]["edits"] = serde_json::json!([]);
        json["canonical"]["length"] = 4.into();
    });
    assert!(sha256.contains("canonical.sha256"), "{sha256}");

    let twice = |list: &mut serde_json::Value| {
        let first = list[0].clone();
        list.as_array_mut().expect("a list").push(first);
    };
    let edits = error_after(|json| {
        twice(&mut json["canonical"]["edits"]);
        json["canonical"]["length"] = 2.into();
    });
    assert!(edits.contains("canonical.edits[1]"), "{edits}");

    let fix = error_after(|json| twice(&mut json["fixes"][0]["edits"]));
    assert!(fix.contains("fixes[0].edits"), "{fix}");

    let diagnostics = error_after(|json| twice(&mut json["diagnostics"]));
    assert!(diagnostics.contains("diagnostics[1].id"), "{diagnostics}");

    let round = error_after(|json| json["canonical"]["steps"][0]["round"] = 0.into());
    assert!(round.contains("canonical.steps[0].round"), "{round}");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }

    #[test]
    fn a_damaged_report_is_rejected_or_still_valid(
        report in report(), at in any::<prop::sample::Index>(), byte: u8, cut: bool, json: bool,
    ) {
        let mut bytes = match json {
            true => to_json(&report).expect("valid").into_bytes(),
            false => to_protobuf(&report),
        };
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(report) = read(&bytes) {
            prop_assert!(read(&to_protobuf(&report)).is_ok());
            prop_assert!(to_json(&report).is_ok());
        }
    }
}

#[test]
fn bytes_that_are_not_a_report_are_rejected() {
    for bytes in [b"".as_slice(), b"{", b"{}", b"\xff\xff", b"[1]", b"hello"] {
        assert!(read(bytes).is_err(), "{bytes:?}");
    }
}
