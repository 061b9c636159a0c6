//! Tests of the canonical program.

use fixpoint_clank::ast::DeclKind;
use fixpoint_clank::json::{Form, program_json, result_json};
use fixpoint_clank::result::CompileResult;
use proptest::prelude::*;
use serde_json::Value;

use crate::compiled;
use crate::properties::canonical_is_settled;

fn canonical(result: &CompileResult) -> Value {
    let json = program_json(&result.canonical, &result.ast, Form::Full, false);
    serde_json::to_value(&json).expect("JSON")
}

const PROGRAMS: &[&str] = &[
    "external fn now() -> IO + Int = \"now\"\nfn f(x: Int) -> IO + Int { now() + x |> g }\nfn g(x: Int) -> Int { x }",
    "external fn all_of() -> [Option[Int]] = \"all_of\"\nfn f() -> [Option[Int]] { all_of() }",
    "fn f(c: Bool) -> Unit { if c { return }; if c { println(\"a\") }; {}; loop { break } }",
    "fn f(xs: [Int]) -> Int { match xs |> len |> to_string { \"0\" if xs == [] -> 0, _ -> { let y = 1; y } } }",
];

#[test]
fn canonicalizing_twice_changes_nothing() {
    for program in PROGRAMS {
        canonical_is_settled(&compiled(program));
    }
}

//
#[test]
fn a_node_has_the_effects_of_its_evaluation() {
    let result = compiled(
        "fn f(x: Int) -> IO + Int { let mut y = x; y = 2; println(\"a\"); let g = \\(z: Int) -> println(\"b\"); y }",
    );
    let DeclKind::Fn(function) = &result.canonical.declarations[0].kind else {
        panic!("no function");
    };
    let effects = result.effects();
    let statements = function.body.kind.statements.iter();
    let names: Vec<_> = statements
        .map(|it| effects.of_node(it.id).names())
        .collect();
    assert_eq!(names, [vec![], vec!["Mut"], vec!["IO"], vec![]]);
    assert_eq!(effects.of_node(function.body.id).names(), ["IO", "Mut"]);
}

#[test]
fn a_pipe_is_a_call_and_keeps_its_id() {
    let result = compiled("fn f(x: Int) -> Int { x |> g }\nfn g(x: Int) -> Int { x }");
    let written = program_json(&result.ast.program, &result.ast, Form::Full, false);
    let written = serde_json::to_value(&written).expect("JSON");
    let tail = |program: &Value| program["declarations"][0]["body"]["expr"].clone();
    assert_eq!(tail(&written)["kind"], "binary");
    assert_eq!(tail(&canonical(&result))["kind"], "call");
    assert_eq!(tail(&written)["id"], tail(&canonical(&result))["id"]);
}

#[test]
fn an_external_value_is_validated_once() {
    let result = compiled(PROGRAMS[1]);
    let tail = canonical(&result)["declarations"][1]["body"]["expr"].clone();
    assert_eq!(tail["callee"]["name"], "__validate_array_Option_Int");
    assert_eq!(tail["args"][0]["callee"]["name"], "all_of");
}

#[test]
fn a_program_with_errors_also_has_a_canonical_form() {
    // K-10 K-55: the nodes that repairs refer to exist.
    let result = compiled("fn f() -> Int { g }\nfn h() -> Int { 1 }");
    let json = serde_json::to_value(result_json(&result)).expect("JSON");
    let node = json["diagnostics"][0]["primary_node_id"].clone();
    assert_eq!(
        json["canonical_ast"]["declarations"][0]["body"]["expr"]["id"],
        node
    );
    for member in [
        "status",
        "canonical_ast",
        "diagnostics",
        "obligations",
        "holes",
        "repairs",
        "stats",
    ] {
        // K-100b
        assert!(json.get(member).is_some(), "{member}");
    }
}

/// Source of expressions, in every form that has a text form.
fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("7".to_owned()),
        Just("true".to_owned()),
        Just("\"s\"".to_owned()),
        Just("xs".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
            inner.clone().prop_map(|a| format!("({a} |> g)")),
            inner.clone().prop_map(|a| format!("g({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("xs[{a} - {b}]")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("if {a} {{ {b} }} else {{ 0 }}")),
            inner
                .clone()
                .prop_map(|a| format!("{{ if {a} {{ return }}; out({a}) }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!(
                "match {a} {{ 1 -> {b}, n if n > {b} -> n, _ -> {a} }}"
            )),
            inner
                .clone()
                .prop_map(|a| format!("(\\(x: Int) -> {a})(1)")),
            (inner.clone(), inner).prop_map(|(a, b)| format!(
                "{{ let mut y = {a}; while y > 1 {{ y = {b} }}; assert y < 2; y }}"
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonicalization_is_idempotent_for_every_program(body in expr()) {
        let program = format!(
            "external fn out(x: Int) -> Int = \"out\"\nfn g(x: Int{{x > 0}}) -> Int {{ x }}\nfn f(x: Int, xs: [Int]) -> Int {{ {body} }}"
        );
        canonical_is_settled(&compiled(&program));
    }
}
