//! Tests the findings of schemas and their fixes.

use crate::common::{checked, library, run, schema};

const APP: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "port": { "type": "integer", "maximum": 65535 },
    "ratio": { "type": "number" },
    "on": { "type": "boolean" },
    "kind": { "enum": ["service", "worker"] },
    "language": { "const": "cel" },
    "level": { "default": 3, "type": "integer" },
    "tags": { "type": "array", "uniqueItems": true },
    "mode": { "type": ["integer", "boolean"] },
    "part": { "$ref": "#/$defs/part" }
  },
  "required": ["name"],
  "additionalProperties": false,
  "x-fixpoint-former-keys": {
    "title": { "rename": "name" },
    "debug": { "remove": true, "safety": "behavior_preserving" }
  },
  "$defs": {
    "part": {
      "type": "object",
      "properties": { "language": { "const": "cel" }, "level": { "default": 3 } },
      "required": ["language", "level"]
    }
  }
}"##;

#[track_caller]
fn expect(text: &str, expected: &[&str], fixed: &str) {
    let (found, canonical) = checked(APP, "app.yaml", text);
    assert_eq!(found, expected);
    assert_eq!(canonical, fixed);
}

#[test]
fn a_misspelt_key_is_renamed_if_only_one_key_is_possible() {
    // F-10 F-44
    expect(
        "# The app.\nnmae: shop # its name\n",
        &[
            "schema-required  []",
            "schema-unknown-key /nmae [Rename `nmae` to `name`]",
        ],
        "# The app.\nname: shop # its name\n",
    );
}

#[test]
fn an_ambiguous_misspelling_is_reported_without_a_fix() {
    // F-04 F-14 F-17 F-72: the key already exists, two misspellings of the same key, the value does
    // not fit, no key is near.
    for text in [
        "name: a\nnmae: b\n",
        "nam: a\nnmae: b\n",
        "nmae: [1]\n",
        "name: a\nunheard: 1\n",
    ] {
        let (found, canonical) = checked(APP, "app.yaml", text);
        let unknown: Vec<_> = found
            .iter()
            .filter(|it| it.contains("unknown-key"))
            .collect();
        assert!(
            !unknown.is_empty() && unknown.iter().all(|it| it.ends_with("[]")),
            "{found:?}"
        );
        assert_eq!(canonical, text);
    }
}

#[test]
fn a_value_of_the_wrong_type_is_written_as_the_right_one() {
    // F-37 F-70
    expect(
        "name: 1.10\nport: \"80\"\non: \"true\"\nratio: \"1.5\"\n",
        &[
            "schema-type /name [Write it as \"1.10\"]",
            "schema-type /on [Write it as true]",
            "schema-type /port [Write it as 80]",
            "schema-type /ratio [Write it as 1.5]",
        ],
        "name: \"1.10\"\nport: 80\non: true\nratio: 1.5\n",
    );
}

#[test]
fn a_lossy_or_invalid_conversion_is_not_proposed() {
    // F-14
    expect(
        "name: a\nport: \"080\"\n",
        &["schema-type /port []"],
        "name: a\nport: \"080\"\n",
    );
    expect(
        "name: a\nport: \"99999\"\n",
        &["schema-type /port []"],
        "name: a\nport: \"99999\"\n",
    );
    expect(
        "name: a\nmode: \"x\"\n",
        &["schema-type /mode []"],
        "name: a\nmode: \"x\"\n",
    );
}

#[test]
fn a_missing_key_gets_the_value_the_schema_gives() {
    // F-38 F-70
    expect(
        "name: a\npart:\n  other: 1\n",
        &[
            "schema-required /part [Add `language` with the value \"cel\"]",
            "schema-required /part [Add `level` with the value 3]",
        ],
        // Additions to one object have the order of the fixes, which is the same in every run.
        "name: a\npart:\n  other: 1\n  level: 3\n  language: cel\n",
    );
}

#[test]
fn a_missing_key_without_a_default_is_only_reported() {
    // F-14
    expect("port: 1\n", &["schema-required  []"], "port: 1\n");
}

#[test]
fn misspelt_enum_values_are_replaced() {
    expect(
        "name: a\nkind: servcie\nlanguage: CEL\n",
        &[
            "schema-value /kind [Replace it by \"service\"]",
            "schema-value /language [Replace it by \"cel\"]",
        ],
        "name: a\nkind: service\nlanguage: cel\n",
    );
    expect(
        "name: a\nkind: database\n",
        &["schema-value /kind []"],
        "name: a\nkind: database\n",
    );
}

#[test]
fn a_duplicate_item_is_removed() {
    expect(
        "name: a\ntags:\n  - x\n  - y\n  - x\n  - y\n",
        &["schema-duplicate-items /tags [Remove the second \"x\"]"],
        "name: a\ntags:\n  - x\n  - y\n",
    );
}

#[test]
fn former_keys_are_replaced_as_the_schema_says() {
    // F-39 F-70
    expect(
        "title: a\ndebug: true\n",
        &[
            "schema-required  []",
            "schema-unknown-key /debug [Remove `debug`]",
            "schema-unknown-key /title [Rename `title` to `name`]",
        ],
        "name: a\n",
    );
}

#[test]
fn the_same_is_found_in_every_format() {
    let fixed = |path: &str, text: &str| checked(APP, path, text).1;
    assert_eq!(
        fixed("a.json", "{ \"nmae\": \"a\", \"port\": \"80\" }\n"),
        "{ \"name\": \"a\", \"port\": 80 }\n"
    );
    assert_eq!(
        fixed("a.jsonc", "{\n  // why\n  \"nmae\": \"a\"\n}\n"),
        "{\n  // why\n  \"name\": \"a\"\n}\n"
    );
    assert_eq!(
        fixed("a.toml", "nmae = \"a\" # why\nport = \"80\"\n"),
        "name = \"a\" # why\nport = 80\n"
    );
}

#[test]
fn draft_07_is_read_as_draft_07() {
    // `items` as a list, and definitions under their old name.
    let old = r##"{
      "$schema": "http://json-schema.org/draft-07/schema#",
      "definitions": { "n": { "type": "integer" } },
      "items": [{ "$ref": "#/definitions/n" }, { "type": "string" }],
      "additionalItems": false
    }"##;
    let (found, fixed) = checked(old, "a.json", "[\"1\", \"a\"]\n");
    assert_eq!(found, ["schema-type /0 [Write it as 1]"]);
    assert_eq!(fixed, "[1, \"a\"]\n");
    let (found, _) = checked(old, "a.json", "[1, \"a\", 2]\n");
    assert_eq!(found, ["schema-size  []"]);
}

#[test]
fn only_the_intended_form_of_several_is_reported() {
    let forms = r#"{
      "oneOf": [
        { "type": "string" },
        {
          "type": "object",
          "properties": { "kind": { "const": "file" }, "path": { "type": "string" } },
          "required": ["kind", "path"],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": { "kind": { "const": "port" }, "number": { "type": "integer" } },
          "required": ["kind"],
          "additionalProperties": false
        }
      ]
    }"#;
    let (found, fixed) = checked(forms, "a.yaml", "kind: port\nnumber: \"80\"\n");
    assert_eq!(found, ["schema-type /number [Write it as 80]"]);
    assert_eq!(fixed, "kind: port\nnumber: 80\n");
    // F-14: it is unclear which form was meant.
    let (found, _) = checked(forms, "a.yaml", "number: 80\n");
    assert_eq!(found, ["schema-combination  []"]);
}

#[test]
fn each_document_of_a_stream_is_checked() {
    expect(
        "name: a\n---\nnmae: b\n",
        &[
            "schema-required /1 []",
            "schema-unknown-key /1/nmae [Rename `nmae` to `name`]",
        ],
        "name: a\n---\nname: b\n",
    );
}

#[test]
fn pointers_escape_slashes_and_tildes_in_keys() {
    // F-45
    let any = r#"{ "additionalProperties": { "type": "integer" } }"#;
    let (found, fixed) = checked(any, "a.json", "{ \"a/b~c\": \"1\" }\n");
    assert_eq!(found, ["schema-type /a~1b~0c [Write it as 1]"]);
    assert_eq!(fixed, "{ \"a/b~c\": 1 }\n");
}

#[test]
fn findings_carry_tier_rule_file_pointer_and_span() {
    // F-16 F-19 F-20
    let report = run(&library(Some(APP), None), "app.yaml", "nmae: a\nport: x\n").report;
    assert_eq!(report.path(), "app.yaml");
    for diagnostic in &report.diagnostics {
        assert_eq!(diagnostic.tier.as_deref(), Some("schema"));
        assert!(diagnostic.json_pointer.is_some() && diagnostic.span.is_some());
    }
    for fix in &report.fixes {
        let targets = fix.targets.as_ref().expect("targets");
        let ids = report.diagnostics.iter().map(|it| &it.id);
        let ids: Vec<_> = ids
            .filter(|id| targets.diagnostic_ids.contains(id))
            .collect();
        assert_eq!(ids.len(), 1);
    }
}

mod bad_input {
    use super::*;

    #[track_caller]
    fn is_rejected(text: &str, expected: &str) {
        let error = schema(text).expect_err("no schema").to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn an_invalid_schema_is_an_error_with_a_reason() {
        is_rejected("{", "schema.json: not a document");
        is_rejected("[]", "a schema is an object");
        is_rejected(r#"{ "type": "strnig" }"#, "not a valid JSON Schema");
        is_rejected(r#"{ "type": "strnig" }"#, "(at /type)");
        is_rejected(r#"{ "pattern": "(" }"#, "not a valid JSON Schema");
        is_rejected(
            r#"{ "$schema": "https://example.com/draft-99" }"#,
            "unknown draft `https://example.com/draft-99`",
        );
        is_rejected(r##"{ "$ref": "#/nowhere" }"##, "not a valid JSON Schema");
        // F-07
        is_rejected(
            r#"{ "$ref": "https://example.com/other.json" }"#,
            "never fetched",
        );
    }

    #[test]
    fn recursive_schemas_terminate() {
        for circle in [
            r##"{ "$ref": "#" }"##,
            r##"{ "allOf": [{ "$ref": "#" }] }"##,
            r##"{ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }"##,
        ] {
            let (found, _) = checked(circle, "a.json", "{ \"a\": [1] }\n");
            assert!(found.is_empty(), "{found:?}");
        }
        let tree = r##"{
          "properties": { "next": { "$ref": "#" }, "value": { "type": "integer" } },
          "additionalProperties": false
        }"##;
        let (found, _) = checked(
            tree,
            "a.json",
            "{ \"next\": { \"next\": { \"value\": \"1\" } } }\n",
        );
        assert_eq!(found, ["schema-type /next/next/value [Write it as 1]"]);
    }

    #[test]
    fn documents_that_are_too_deep_or_expand_too_far_are_reported() {
        let any = "true";
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let (found, fixed) = checked(any, "a.json", &deep);
        assert_eq!(found, ["document-unreadable  []"]);
        assert_eq!(fixed, deep);
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..10 {
            let before = format!("*a{}", level - 1);
            let items = vec![before; 10].join(", ");
            bomb += &format!("a{level}: &a{level} [{items}]\n");
        }
        let (found, _) = checked(any, "a.yaml", &bomb);
        assert_eq!(found, ["document-unreadable  []"]);
    }

    #[test]
    fn numbers_of_any_size_are_compared_and_kept() {
        let small = r#"{ "additionalProperties": { "type": "number", "maximum": 10 } }"#;
        for number in ["1e400", "123456789012345678901234567890", "11"] {
            let text = format!("{{ \"a\": {number} }}\n");
            let (found, fixed) = checked(small, "a.json", &text);
            assert_eq!(found, ["schema-range /a []"], "{number}");
            assert_eq!(fixed, text);
        }
        let text = r#"{ "additionalProperties": { "type": "string" } }"#;
        let long = "a: 123456789012345678901234567890.10\n";
        let (_, fixed) = checked(text, "a.yaml", long);
        assert_eq!(fixed, "a: \"123456789012345678901234567890.10\"\n");
        let (found, _) = checked(small, "a.yaml", "a: .nan\n");
        assert_eq!(found, ["schema-type /a []"]);
    }

    #[test]
    fn yaml_is_read_as_version_1_2() {
        // `on`, `no` and `1:30` are texts; `0o17` is a number, `017` is the number 17.
        let texts = r#"{ "additionalProperties": { "type": "string" } }"#;
        let (found, _) = checked(texts, "a.yaml", "on: no\nb: 1:30\nc: ~\n");
        assert_eq!(found, ["schema-type /c []"]);
        let numbers = r#"{ "additionalProperties": { "type": "integer", "maximum": 17 } }"#;
        let (found, _) = checked(numbers, "a.yaml", "a: 0o17\nb: 017\n");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_duplicate_key_is_reported() {
        let (found, _) = checked("true", "a.json", "{ \"a\": 1, \"a\": 2 }\n");
        assert_eq!(found, ["document-duplicate-key /a []"]);
    }

    #[test]
    fn values_with_aliases_are_not_changed() {
        let ports = r#"{ "additionalProperties": { "type": "integer" } }"#;
        let text = "a: &p \"80\"\nb: *p\n";
        let (found, fixed) = checked(ports, "a.yaml", text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(fixed, text);
    }
}

#[test]
fn messages_show_numbers_as_they_are_written() {
    let schema = r#"{ "properties": {
        "low": { "maximum": 1.50 }, "text": { "type": "string", "pattern": "a" },
        "big": { "enum": [12345678901234567890123, 1] } } }"#;
    let messages = |path: &str, text: &str| -> Vec<String> {
        let run = run(&library(Some(schema), None), path, text);
        let diagnostics = run.report.diagnostics.into_iter();
        diagnostics.map(|it| it.message).collect()
    };
    assert_eq!(
        messages("a.toml", "low = 1_000\ntext = 0x10\n"),
        [
            "1_000 is more than 1.50",
            "expected string, found the number 0x10"
        ]
    );
    assert_eq!(
        messages(
            "a.json",
            r#"{ "big": 12345678901234567890124, "low": 1.60 }"#
        ),
        ["1.60 is more than 1.50"]
    );
    assert_eq!(
        messages("a.yaml", "big: 98765432109876543210987\n"),
        ["98765432109876543210987 is none of 12345678901234567890123 and 1"]
    );
}

#[test]
fn the_former_keys_of_a_schema_are_checked() {
    for (former, expected) in [
        ("1", "must be an object"),
        (r#"{ "a": "b" }"#, "say `{\"rename\": \"new\"}`"),
        (r#"{ "a": { "rename": 1 } }"#, "say `{\"rename\": \"new\"}`"),
        (r#"{ "a": { "remove": false } }"#, "or `{\"remove\": true}`"),
        (
            r#"{ "a": { "rename": "b", "remove": true } }"#,
            "or `{\"remove\": true}`",
        ),
        (r#"{ "a": { "renamed": "b" } }"#, "unknown key `renamed`"),
        (
            r#"{ "a": { "remove": true, "safety": "safe" } }"#,
            "`safety` must be",
        ),
    ] {
        let text =
            format!(r#"{{ "properties": {{ "o": {{ "x-fixpoint-former-keys": {former} }} }} }}"#);
        let error = schema(&text).expect_err("no schema").to_string();
        assert!(error.contains(expected), "{error}");
        assert!(
            error.contains("(at /properties/o/x-fixpoint-former-keys"),
            "{error}"
        );
    }
}

#[test]
fn a_document_may_name_its_schema_even_if_the_key_is_unknown() {
    let strict = r#"{ "properties": { "o": {} }, "additionalProperties": false }"#;
    let named = "{ \"$schema\": \"schema.json\", \"o\": {} }\n";
    assert!(checked(strict, "a.json", named).0.is_empty());
    let inner = r#"{ "properties": { "o": { "additionalProperties": false } } }"#;
    let (found, _) = checked(inner, "a.json", "{ \"o\": { \"$schema\": \"x\" } }\n");
    assert_eq!(found, ["schema-unknown-key /o/$schema []"]);
}
