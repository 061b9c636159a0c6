//! Rule files: the full form, the short form, and what is refused.

use fixpoint_learn::{CompiledRule, Matching, Provenance, Rule, RuleError};
use serde_json::{Value, json};

use crate::support::{NOW, rule};

fn seed() -> Value {
    json!({
        "id": "535f9eaf7ae216181699c84e55adef83d6e9918ceccc6330237fa3fed4a5c9e8", "target_id": "js",
        "node_kind": "Match", "pattern": "match on string scrutinee", "template": "switch x {}",
        "provenance": "extracted", "pinned": false, "confidence": 0.88, "priority": 10,
        "created": "2026-01-31T12:00:00.123456789Z",
    })
}

#[test]
fn a_rule_of_the_seed_is_read_and_written_unchanged() {
    // B-06 B-08 B-09 B-10 B-11 B-12 B-13 B-14 B-15 B-16 B-17
    let rule = Rule::from_json(&seed().to_string(), NOW).expect("a rule");
    assert_eq!(rule.matching, Matching::Kind);
    assert_eq!(rule.provenance, Provenance::Extracted);
    assert_eq!(rule.clone().with_computed_id().id, rule.id);
    let written: Value = serde_json::from_str(&rule.to_json().expect("JSON")).expect("JSON");
    assert_eq!(written, seed());
    // D-06: a kind alone does not say which code the rule is for.
    assert!(matches!(
        CompiledRule::compile(&rule),
        Err(RuleError::KindOnly)
    ));
}

#[test]
fn a_short_rule_gets_everything_else() {
    let mut short = rule("python", "f($A)", "g({{ A }})");
    short["message"] = json!("f is old");
    short["constraints"] = json!([{ "not_shadowed": { "name": "f" } }]);
    short["imports"] = json!({ "add": ["import g"] });
    short["examples"] = json!([{ "before": "f(1)\n", "after": "g(1)\n" }]);
    short["counter_examples"] = json!(["f()\n"]);
    let rule = Rule::from_json(&short.to_string(), NOW).expect("a rule");
    assert_eq!(
        (
            rule.target_id.as_str(),
            rule.node_kind.as_str(),
            rule.created.as_str()
        ),
        ("python", "Call", NOW)
    );
    assert_eq!((rule.provenance, rule.pinned), (Provenance::Manual, false));
    let again = Rule::from_json(&rule.to_json().expect("JSON"), "").expect("a rule");
    assert_eq!(again, rule);
}

#[test]
fn everything_that_decides_what_a_rule_does_is_in_its_id() {
    // B-27 D-05
    let id = |change: &dyn Fn(&mut Rule)| {
        let text = rule("python", "f($A)", "g({{ A }})").to_string();
        let mut rule = Rule::from_json(&text, NOW).expect("a rule");
        change(&mut rule);
        rule.with_computed_id().id
    };
    let same = id(&|_| {});
    assert_eq!(id(&|rule| rule.pinned = true), same);
    assert_eq!(id(&|rule| rule.message = "m".to_owned()), same);
    assert_ne!(id(&|rule| rule.pattern = "h($A)".to_owned()), same);
    assert_ne!(
        id(&|rule| rule.imports.add.push("import g".to_owned())),
        same
    );
    let name = || "f".to_owned();
    assert_ne!(
        id(&|rule| rule.constraints =
            vec![fixpoint_learn::Constraint::NotShadowed { name: name() }]),
        same
    );
}

#[test]
fn damaged_rules_are_refused() {
    // D-04 D-07
    for (field, value, message) in [
        (
            "target_id",
            json!("../x"),
            "target_id \"../x\" is not allowed",
        ),
        ("id", json!("a/b"), "id \"a/b\" is not allowed"),
        (
            "node_kind",
            json!("Other"),
            "\"Other\" is not a kind of node",
        ),
        (
            "node_kind",
            json!("Nothing"),
            "\"Nothing\" is not a kind of node",
        ),
        ("confidence", json!(1.5), "confidence 1.5"),
        ("confidence", json!(null), "it is not a rule"),
        ("created", json!("yesterday"), "created \"yesterday\""),
        ("created", json!("2026-01-31T12:00:00+02:00"), "created"),
        ("provenance", json!("Extracted"), "unknown variant"),
        ("gaurd", json!(1), "unknown field `gaurd`"),
    ] {
        let mut damaged = seed();
        damaged[field] = value;
        let error = Rule::from_json(&damaged.to_string(), NOW).expect_err("an error");
        assert!(error.to_string().contains(message), "{error}");
    }
    let mut rule = Rule::from_json(&seed().to_string(), NOW).expect("a rule");
    rule.confidence = f64::NAN;
    assert!(rule.check().is_err() && rule.to_json().is_err());
    let unknown = json!({ "language": "cobol", "pattern": "a", "template": "b" });
    let error = Rule::from_json(&unknown.to_string(), NOW).expect_err("an error");
    assert!(
        error
            .to_string()
            .contains("no rules for the language \"cobol\"")
    );
}
