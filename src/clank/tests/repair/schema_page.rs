//! `docs/clank-schema.md` says what the compiler does.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_clank::emit::emit_both;
use fixpoint_clank::json::{Output, begin_result, result_json};
use fixpoint_clank::repair::PatchOp;
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use serde_json::{Value, json};

use crate::candidate::every_result;
use crate::compiled;

const PAGE: &str = include_str!("../../../../docs/clank-schema.md");

/// The contents of the code blocks with an info string.
fn blocks(info: &str) -> Vec<&'static str> {
    let start = format!("```{info}\n");
    let blocks = PAGE.split(start.as_str()).skip(1);
    blocks.filter_map(|it| it.split("```").next()).collect()
}

fn block(info: &str) -> &'static str {
    let blocks = blocks(info);
    assert_eq!(blocks.len(), 1, "{info}");
    blocks[0]
}

fn json_block(info: &str) -> Value {
    serde_json::from_str(block(&format!("json {info}"))).expect(info)
}

fn compiled_block(info: &str) -> CompileResult {
    let json = json_block(info).to_string();
    compile(Input::Ast { json: &json }, &Options::default()).expect("a program")
}

/// The members of an interface on the page, and whether each is optional.
fn interface(name: &str) -> BTreeMap<String, bool> {
    let lines = block(&format!("ts {name}")).lines();
    let members = lines.filter_map(|line| {
        let member = line.strip_prefix("  ")?.split_once(": ")?.0;
        let is_name = |it: &str| it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        let name = member.strip_suffix('?').unwrap_or(member);
        is_name(name).then(|| (name.to_owned(), name != member))
    });
    members.collect()
}

/// Asserts that an interface has the members of these objects, and that those are optional which
/// some objects lack.
fn assert_interface(name: &str, objects: &[Value]) {
    let members = |it: &Value| -> BTreeSet<String> {
        let members = it.as_object().expect("an object");
        members.keys().cloned().collect()
    };
    let all: BTreeSet<String> = objects.iter().flat_map(members).collect();
    let lacks = |it: &Value, member: &str| it.get(member).is_none();
    let expected = all.into_iter().map(|member| {
        let is_optional = objects.iter().any(|it| lacks(it, &member));
        (member, is_optional)
    });
    assert_eq!(interface(name), expected.collect(), "{name}");
}

/// A complete result with code, as the command prints it.
fn printed(result: &CompileResult) -> Value {
    let code = emit_both(&result.canonical, &result.ast, &result.typing, None);
    let [js, ts] = code.expect("code");
    let output = Output { js: &js, ts: &ts };
    let mut bytes = Vec::new();
    let printed = begin_result(result, &mut bytes).finish("0", Some(output));
    printed.expect("written to memory");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[test]
fn interfaces_have_the_members_of_the_json() {
    // K-16: `expected_delta` and its lists are not optional.
    let mut results: Vec<Value> = every_result()
        .iter()
        .map(|it| serde_json::to_value(result_json(it)).expect("JSON"))
        .collect();
    results.push(printed(&compiled("fn f() -> Int { 1 }\n")));
    assert_interface("CompileResult", &results);
    let repairs = results.iter().filter_map(|it| it["repairs"].as_array());
    let repairs: Vec<Value> = repairs.flatten().cloned().collect();
    assert_interface("RepairCandidate", &repairs);
    let parts = |member: &str| -> Vec<Value> {
        repairs
            .iter()
            .filter_map(|it| it.get(member))
            .cloned()
            .collect()
    };
    assert_interface("Scope", &parts("scope"));
    assert_interface("Targets", &parts("targets"));
    assert_interface("ExpectedDelta", &parts("expected_delta"));
    assert_interface("RepairCompatibility", &parts("compatibility"));
    let preconditions = parts("preconditions");
    let preconditions = preconditions.iter().filter_map(Value::as_array);
    let preconditions: Vec<Value> = preconditions.flatten().cloned().collect();
    assert_interface("Precondition", &preconditions);
}

#[test]
fn operations_are_those_of_the_compiler_and_of_reports() {
    // K-31 to K-43
    let mut names = Vec::new();
    for text in blocks("json op") {
        let json: Value = serde_json::from_str(text).expect("JSON");
        let op: PatchOp = serde_json::from_value(json.clone()).expect("an op");
        assert_eq!(serde_json::to_value(&op).expect("JSON"), json);
        let in_report: fixpoint_report::PatchOp =
            serde_json::from_value(json.clone()).expect("an op of a report");
        assert_eq!(serde_json::to_value(in_report).expect("JSON"), json);
        names.push(op.name());
    }
    let expected = [
        "replace_node",
        "insert_before",
        "insert_after",
        "wrap",
        "delete_node",
        "widen_effect",
        "rename_symbol",
        "rename",
        "rename_field",
        "add_field",
        "add_param",
        "add_refinement",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_compatibility_example_is_what_comes_out() {
    // K-85
    let result = compiled_block("compatibility-input");
    let brief = result.repairs.iter().map(|it| {
        let it = serde_json::to_value(it).expect("JSON");
        let members = ["id", "title", "edits", "compatibility"];
        let members = members.map(|member| (member.to_owned(), it[member].clone()));
        Value::Object(members.into_iter().collect())
    });
    let expected = json!({"repairs": brief.collect::<Vec<_>>()});
    assert_eq!(json_block("compatibility-repairs"), expected);
}

#[test]
fn the_examples_are_what_comes_out() {
    // K-101 K-102 K-103 K-104 K-105 K-107
    for number in 1..=5 {
        let result = compiled_block(&format!("input-{number}"));
        let diagnostics = result.diagnostics.iter();
        let diagnostics = diagnostics.map(|it| format!("{}: {}\n", it.code, it.message));
        let obligations = result.obligations.iter();
        let obligations = obligations.map(|it| format!("E3001: Cannot prove: {}\n", it.goal));
        let problems: String = diagnostics.chain(obligations).collect();
        assert_eq!(block(&format!("text problem-{number}")), problems);
        let repair = serde_json::to_value(&result.repairs[0]).expect("JSON");
        assert_eq!(json_block(&format!("repair-{number}")), repair);
    }
}
