//! Tests that a fix writes only what an author wrote. If the value alone does not determine the
//! source text, the finding has no fix.

use crate::common::{checked, ruled};

fn rule(at: &str, require: &str) -> String {
    format!(
        "files: [\"**\"]\nrules:\n  - id: own\n    message: \"{{key}}\"\n    at: {at}\n    \
         require: {{ {require} }}\n    fix: {{ safety: behavior_preserving, reason: Because. }}\n"
    )
}

/// Asserts that the rules report something, and that their fixes lead to `fixed`.
#[track_caller]
fn expect(rules: &str, path: &str, text: &str, fixed: &str) {
    let (reported, canonical) = ruled(rules, path, text);
    assert!(!reported.is_empty(), "{text}");
    assert_eq!(canonical, fixed);
}

#[track_caller]
fn expect_schema(schema: &str, path: &str, text: &str, fixed: &str) {
    let (reported, canonical) = checked(schema, path, text);
    assert!(!reported.is_empty(), "{text}");
    assert_eq!(canonical, fixed);
}

#[test]
fn sorting_moves_the_text_of_items() {
    let sorted = rule("/a", "sorted: true");
    expect(
        &sorted,
        "a.json",
        "{\"a\": [12345678901234567890.123, 123456789012345678901, 5, 3.10]}\n",
        "{\"a\": [3.10, 5, 12345678901234567890.123, 123456789012345678901]}\n",
    );
    for (path, text) in [
        ("a.toml", "a = [2021-01-02, 2020-01-02]\n"),
        ("a.yaml", "a: [.inf, 1]\n"),
        ("a.yaml", "a: [0x1F, 1]\n"),
        ("a.yaml", "a: [!x b, a]\n"),
        ("a.yaml", "b: &b b\na: [*b, a]\n"),
        ("a.yaml", "a:\n  - |\n    b\n  - a\n"),
        ("a.json", "{\"a\": [2, 1, 1.0]}\n"),
    ] {
        expect(&sorted, path, text, text);
    }
}

#[test]
fn a_value_is_copied_as_it_is_written() {
    let same = rule("/a", "same_as: /b");
    expect(
        &same,
        "a.json",
        "{\"a\": 1, \"b\": 12345678901234567890.10}\n",
        "{\"a\": 12345678901234567890.10, \"b\": 12345678901234567890.10}\n",
    );
    for (path, text) in [
        ("a.yaml", "a: 1\nb: .nan\n"),
        ("a.yaml", "a: 1\nb: 0x1F\n"),
        ("a.toml", "a = 1\nb = inf\n"),
        ("a.toml", "a = 1\nb = 2020-01-02\n"),
    ] {
        expect(&same, path, text, text);
    }
}

#[test]
fn a_missing_key_gets_the_number_as_the_schema_writes_it() {
    for number in ["123456789012345678901234567890.10", "1.10", "1E400"] {
        let schema = format!(
            "{{\"properties\": {{\"num\": {{\"default\": {number}}}}}, \"required\": [\"num\"]}}"
        );
        let fixed = format!("a: 1\nnum: {number}\n");
        expect_schema(&schema, "a.yaml", "a: 1\n", &fixed);
    }
    // Both are read as the same number, so it is unclear which one is meant.
    let schema =
        r#"{"properties": {"num": {"default": 1.10}, "m": {"default": 1.1}}, "required": ["num"]}"#;
    expect_schema(schema, "a.yaml", "a: 1\n", "a: 1\n");
}

#[test]
fn only_items_that_are_written_alike_are_duplicates() {
    let unique = rule("/a", "unique: true");
    let set = r#"{"properties": {"a": {"uniqueItems": true}}}"#;
    for (path, text) in [
        (
            "a.json",
            "{\"a\": [12345678901234567890123, 12345678901234567890124]}\n",
        ),
        ("a.json", "{\"a\": [0.1, 0.10000000000000000001]}\n"),
        ("a.yaml", "a: [.nan, null]\n"),
        ("a.toml", "a = [2020-01-02, \"2020-01-02\"]\n"),
        ("a.yaml", "a: [x, !secret x]\n"),
    ] {
        expect(&unique, path, text, text);
        expect_schema(set, path, text, text);
    }
    let (text, fixed) = ("a: [x, \"x\", 1.10, 1.10]\n", "a: [x, 1.10]\n");
    expect(&unique, "a.yaml", text, fixed);
    expect_schema(set, "a.yaml", text, fixed);
}

#[test]
fn a_merge_key_is_allowed_and_its_mapping_is_not_changed() {
    let schema = r#"{"properties": {"base": true, "app": {
        "properties": {"name": {"type": "string"}, "level": {"default": 3}},
        "required": ["level"], "additionalProperties": false
    }}}"#;
    let text = "base: &base { level: 5 }\napp:\n  <<: *base\n  nmae: shop\n";
    let (reported, canonical) = checked(schema, "a.yaml", text);
    assert_eq!(
        reported,
        ["schema-required /app []", "schema-unknown-key /app/nmae []"]
    );
    assert_eq!(canonical, text);
    // JSON has no merge keys.
    let (reported, _) = checked(schema, "a.json", "{\"app\": {\"level\": 1, \"<<\": {}}}\n");
    assert_eq!(reported, ["schema-unknown-key /app/<< []"]);
}

#[test]
fn a_value_with_a_tag_is_not_changed() {
    let schema = r#"{"properties": {"port": {"type": "integer"}}}"#;
    let text = "port: !secret \"8080\"\n";
    expect_schema(schema, "a.yaml", text, text);
    let text = "a: !secret x\nb: y\n";
    expect(&rule("/a", "same_as: /b"), "a.yaml", text, text);
}
