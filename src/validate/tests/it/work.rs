//! Tests schemas and documents that would take too much time or memory. A count of steps limits
//! each of them.

use fixpoint_validate::RulesFile;

use crate::common::{checked, findings, library, ruled, run, schema};

/// `levels` schemas, each of which refers to the next one twice by `keyword`.
fn doubling(keyword: &str, levels: usize) -> String {
    let definitions: Vec<String> = (0..levels)
        .map(|level| {
            let next = format!(r##"{{ "$ref": "#/$defs/d{}" }}"##, level + 1);
            format!(r#""d{level}": {{ "{keyword}": [{next}, {next}] }}"#)
        })
        .collect();
    let definitions = definitions.join(", ");
    format!(
        r##"{{ "$ref": "#/$defs/d0", "$defs": {{ {definitions}, "d{levels}": {{ "type": "string" }} }} }}"##
    )
}

const NOT_CHECKED: [&str; 1] = ["schema-work  []"];

#[test]
fn references_that_double_at_every_level_are_not_followed() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let (found, _) = checked(&doubling(keyword, 64), "a.json", "1\n");
        assert_eq!(found, NOT_CHECKED, "{keyword}");
        let small = doubling(keyword, 4);
        let (found, _) = checked(&small, "a.json", "1\n");
        assert_ne!(found, NOT_CHECKED, "{keyword}");
        assert!(!found.is_empty(), "{keyword}");
    }
    let run = run(
        &library(Some(&doubling("allOf", 64)), None),
        "a.json",
        "1\n",
    );
    let message = &run.report.diagnostics[0].message;
    assert!(message.contains("more than 20000000 steps"), "{message}");
}

#[test]
fn references_that_double_with_the_depth_of_a_document_are_not_followed() {
    let nested = |depth: usize| format!("{}1{}\n", "{\"x\":".repeat(depth), "}".repeat(depth));
    for schema in [
        r##"{ "allOf": [{ "$ref": "#/$defs/b" }, { "$ref": "#/$defs/b" }],
            "$defs": { "b": { "properties": { "x": { "$ref": "#" } } } } }"##,
        r##"{ "patternProperties": { "x": { "$ref": "#" }, "^x": { "$ref": "#" } } }"##,
        r##"{ "properties": { "x": { "$ref": "#" } }, "if": { "properties": { "x": { "$ref": "#" } } } }"##,
        r##"{ "$id": "https://example.com/s", "allOf": [{ "$ref": "/t" }, { "$ref": "/t" }],
            "$defs": { "t": { "$id": "/t", "properties": { "x": { "$ref": "/s" } } } } }"##,
    ] {
        let (found, _) = checked(schema, "a.json", &nested(60));
        assert_eq!(found, NOT_CHECKED, "{schema}");
        let (found, _) = checked(schema, "a.json", &nested(3));
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_once_is_checked_to_any_depth() {
    let tree = r##"{ "type": "object", "properties": { "x": { "$ref": "#" } } }"##;
    let text = format!("{}1{}\n", "{\"x\":".repeat(200), "}".repeat(200));
    let (found, _) = checked(tree, "a.json", &text);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("schema-type /x/x"), "{found:?}");
}

#[test]
fn a_long_chain_of_references_is_not_followed() {
    let links: Vec<String> = (0..3000)
        .map(|link| format!(r##""d{link}": {{ "$ref": "#/$defs/d{}" }}"##, link + 1))
        .collect();
    let links = links.join(", ");
    let text = format!(r##"{{ "$ref": "#/$defs/d0", "$defs": {{ {links}, "d3000": {{}} }} }}"##);
    // As large as the stack of a main thread.
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let checking = thread.spawn(move || checked(&text, "a.json", "1\n").0);
    let found = checking.expect("a thread").join().expect("no panic");
    assert_eq!(found, NOT_CHECKED);
}

#[test]
fn the_steps_of_schemas_in_rules_are_limited() {
    let schema = doubling("allOf", 64);
    for rule in [
        format!("require: {{ schema: {schema} }}"),
        format!("require: {{ sorted: true }}\n    when: {schema}"),
    ] {
        let rules = format!("files: ['**']\nrules:\n  - id: own\n    message: m\n    {rule}\n");
        let (found, _) = ruled(&rules, "a.json", "[2, 1]\n");
        assert_eq!(found, NOT_CHECKED, "{rules}");
    }
}

#[test]
fn the_backtracking_of_patterns_is_limited() {
    let schema = r#"{ "pattern": "^(?=(a+)+$)(a|aa)+$\\b(?!x)" }"#;
    let text = format!("\"{}!\"\n", "a".repeat(64));
    let run = run(&library(Some(schema), None), "a.json", &text);
    assert_eq!(findings(&run).len(), 1);
}

#[test]
fn large_numbers_and_lists_in_a_schema_take_linear_time() {
    let words: Vec<String> = (0..20_000).map(|it| format!("\"w{it}\"")).collect();
    let schema = format!(
        r#"{{ "items": {{ "enum": [{}] }}, "minItems": 1000000000, "maxItems": 1e308 }}"#,
        words.join(",")
    );
    let (found, _) = checked(&schema, "a.json", "[\"w19999\", \"w20000\"]\n");
    assert_eq!(found.len(), 2, "{found:?}");
    for number in ["1e308", "1e-308", "5e-324", "0.1"] {
        let (found, _) = checked(r#"{ "multipleOf": 5e-324 }"#, "a.json", number);
        assert!(found.len() <= 1, "{found:?}");
    }
}

#[test]
fn aliases_that_expand_too_far_are_rejected_in_schemas_and_rules() {
    let mut laughs = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..40 {
        let last = level - 1;
        laughs += &format!("a{level}: &a{level} [*a{last}, *a{last}]\n");
    }
    let mut texts = fixpoint_validate::SchemaTexts::default();
    let error = texts.add("s.yaml", Some(&laughs)).expect_err("too large");
    assert!(error.to_string().contains("s.yaml"), "{error}");
    let error = RulesFile::parse("rules.yaml", &laughs).expect_err("too large");
    assert!(!error.message.is_empty());
    assert!(schema("{}").is_ok());
}
