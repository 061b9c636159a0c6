//! The two serialized forms of a report have equal content. Both readers ignore unknown fields and reject
//! incomplete reports.

mod generated;

use fixpoint_report::{
    Canonical, Confidence, Diagnostic, Edit, Exit, Fix, FixReport, Kind, NotChecked, Outcome,
    Provenance, Span, Step, from_json, from_protobuf, read, to_json, to_protobuf,
};
use fixpoint_text::{Digest, Snapshot};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generated::report;

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
