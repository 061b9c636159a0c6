//! Tests the validator's output: its shape, its order, and that it is the same bytes every time.

use crate::common::{library, run};
use fixpoint_document::{Document, Format, OpSet, Value};
use fixpoint_report::FixReport;
use fixpoint_text::Snapshot;
use fixpoint_validate::{Library, RulesFile, Schema, SchemaTexts, ValidatorOutput, to_yaml};
use std::sync::Arc;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "port": { "type": "integer" },
    "kind": { "enum": ["service", "worker"] },
    "version": { "const": 2 },
    "tags": { "type": "array", "uniqueItems": true }
  },
  "required": ["version"],
  "additionalProperties": false,
  "x-fixpoint-former-keys": { "debug": { "remove": true } }
}"#;

const RULES: &str = "files: [\"**\"]\nrules:\n  - id: tags-sorted\n    severity: info\n    at: /tags\n    require: { sorted: true }\n    message: tags are sorted\n    fix: { safety: behavior_preserving, reason: Tags are a set. }\n";

const FILES: [(&str, &str); 3] = [
    ("b/app.yaml", "nmae: shop\nport: \"80\"\nkind: servcie\n"),
    (
        "a.json",
        "{ \"version\": 2, \"tags\": [\"b\", \"a\"], \"debug\": true }\n",
    ),
    ("c.toml", "version = 2\ntags = [\"x\", \"x\"]\nother = 1\n"),
];

fn output() -> ValidatorOutput {
    let library = library(Some(SCHEMA), Some(RULES));
    let mut files = FILES.to_vec();
    files.sort_unstable();
    output_of(&library, &files)
}

/// The output for files, which are sorted by path.
fn output_of(library: &Library, files: &[(&str, &str)]) -> ValidatorOutput {
    let seen = files.iter().map(|(path, text)| {
        let report = run(library, path, text).report;
        (report, Snapshot::new(*path, *text))
    });
    let seen: Vec<(FixReport, Snapshot)> = seen.collect();
    ValidatorOutput::of(
        seen.iter().map(|(report, text)| (report, Some(text))),
        OpSet::All,
    )
}

fn value(format: Format, text: &str) -> Value {
    Document::parse(format, text)
        .expect("a document")
        .root()
        .value()
}

#[test]
fn the_output_matches_the_golden_file() {
    // F-02 F-05 F-15 F-16 F-18 F-22 F-23 F-24 F-25 F-27 F-28 F-29 F-30 F-31 F-66 F-67 F-70: read it
    // before accepting a change.
    let output = output().to_value().to_json_pretty();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/output.json");
    #[allow(clippy::disallowed_methods, reason = "the golden file")]
    let wanted = std::fs::read_to_string(golden).unwrap_or_default();
    assert!(output == wanted, "{output}");
}

#[test]
fn json_and_yaml_output_have_the_same_value() {
    // F-21
    let output = output().to_value();
    assert_eq!(value(Format::Yaml, &to_yaml(&output)), output);
    assert_eq!(value(Format::Json, &output.to_json_pretty()), output);
}

#[test]
fn actions_are_in_emit_order() {
    // F-55 F-56 F-57 F-58 F-59 F-60 F-61 F-68
    let output = output();
    let order: Vec<String> = output
        .actions
        .fix_actions
        .iter()
        .map(|it| {
            let target = &it.targets[0];
            format!(
                "{:?} {} {} {}",
                it.severity, target.file, target.json_pointer, target.rule_id
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            "Error a.json /debug schema-unknown-key",
            "Error b/app.yaml  schema-required",
            "Error b/app.yaml /kind schema-value",
            "Error b/app.yaml /nmae schema-unknown-key",
            "Error b/app.yaml /port schema-type",
            "Error c.toml /tags schema-duplicate-items",
            "Info a.json /tags tags-sorted",
        ]
    );
}

#[test]
fn the_output_is_deterministic() {
    // F-32 F-52 F-53 F-54 F-69
    let first = output().to_value().to_json_pretty();
    let second = output().to_value().to_json_pretty();
    assert_eq!(first, second);
    assert!(!first.contains(env!("CARGO_MANIFEST_DIR")));
    assert!(!first.contains("\"file\": \"/"));
    for word in ["time", "date", "host", "user"] {
        assert!(!first.contains(&format!("\"{word}")), "{word}");
    }
}

#[test]
fn the_order_of_schemas_and_rules_does_not_matter() {
    // F-05 F-55 F-58 F-59 F-68
    let rules = |ids: [&str; 2]| {
        let rules = ids.map(|id| {
            format!("  - {{ id: {id}, at: /a, require: {{ type: string }}, message: {id}, fix: {{ reason: r }} }}\n")
        });
        let text = format!("files: [\"**\"]\nrules:\n{}", rules.concat());
        RulesFile::parse("rules.yaml", &text).expect("rules")
    };
    let schemas = |texts: [&str; 2]| {
        let schemas = texts.map(|text| {
            let mut texts = SchemaTexts::default();
            texts.add(text, Some(text)).expect("a schema");
            let schema = Schema::compile(text, &texts).expect("a schema");
            (vec!["**".to_owned()], Arc::new(schema))
        });
        schemas.to_vec()
    };
    let (one, other) = (
        r#"{ "required": ["b"] }"#,
        r#"{ "properties": { "a": { "type": "string" } } }"#,
    );
    let output = |schemas, rules| {
        let library = Library::new(schemas, rules).expect("a library");
        let output = output_of(&library, &[("a.yaml", "a: 1\n")]);
        output.to_value().to_json_pretty()
    };
    let first = output(
        schemas([one, other]),
        vec![rules(["p", "q"]), rules(["r", "s"])],
    );
    let second = output(
        schemas([other, one]),
        vec![rules(["s", "r"]), rules(["q", "p"])],
    );
    assert_eq!(first, second);
    assert_eq!(first.matches("\"rule_id\": \"schema-type\"").count(), 2);
}

#[test]
fn every_target_is_a_diagnostic() {
    // F-19 F-20 F-26
    let output = output();
    let value = output.to_value();
    let diagnostics = value
        .get("diagnostics")
        .and_then(Value::as_array)
        .expect("a list");
    for action in &output.actions.fix_actions {
        assert!(action.title.chars().count() <= 120 && !action.title.contains('\n'));
        for target in &action.targets {
            let is_it = |it: &&Value| {
                let text = |key: &str| it.get(key).and_then(Value::as_str);
                text("rule_id") == Some(target.rule_id.as_str())
                    && text("file") == Some(target.file.as_str())
                    && text("json_pointer") == Some(target.json_pointer.to_string().as_str())
                    && text("id") == target.diagnostic_id.as_deref()
            };
            assert_eq!(diagnostics.iter().filter(is_it).count(), 1);
        }
    }
}

#[test]
fn a_fix_that_changes_behavior_does_not_become_an_action() {
    // An action does not state its safety.
    let library = library(None, None);
    let file = ("package.json", "{ \"type\": \"modules\" }\n");
    assert_eq!(run(&library, file.0, file.1).report.fixes.len(), 1);
    let output = output_of(&library, &[file]);
    assert!(output.actions.fix_actions.is_empty());
}

#[test]
fn the_output_without_findings_is_valid() {
    // F-04 F-17
    let library = library(Some("true"), None);
    let output = output_of(&library, &[("a.json", "{}\n")]).to_value();
    assert_eq!(output.get("fix_actions"), Some(&Value::Array(Vec::new())));
    assert_eq!(output.get("diagnostics"), Some(&Value::Array(Vec::new())));
}

#[test]
fn applying_all_actions_and_validating_again_resolves_their_diagnostics() {
    // F-10 F-12 F-13
    let library = library(Some(SCHEMA), Some(RULES));
    for (path, text) in FILES {
        let first = run(&library, path, text);
        let again = run(&library, path, first.canonical.text()).report;
        let left: Vec<&str> = again
            .diagnostics
            .iter()
            .map(|it| it.rule.as_str())
            .collect();
        let wanted: &[&str] = match path {
            "c.toml" => &["schema-unknown-key"],
            _ => &[],
        };
        assert_eq!(left, wanted, "{path}");
        assert!(again.fixes.is_empty());
    }
}
