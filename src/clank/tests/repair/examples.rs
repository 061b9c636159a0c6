//! The worked examples of the reference, literally.

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use serde_json::{Value, json};

fn compiled(declarations: Value) -> CompileResult {
    let program = json!({"kind": "program", "declarations": declarations}).to_string();
    compile(Input::Ast { json: &program }, &Options::default()).expect("a program")
}

/// The repairs of an AST JSON program.
fn repairs(declarations: Value) -> Vec<Value> {
    let repairs = serde_json::to_value(&compiled(declarations).repairs).expect("JSON");
    repairs.as_array().expect("a list").clone()
}

/// Asserts that a program has one problem with this code and message, and returns its only repair
/// without the id.
fn only(declarations: Value, code: Code, message: &str) -> Value {
    let result = compiled(declarations);
    let [diagnostic] = &result.diagnostics[..] else {
        panic!("{:?}", result.diagnostics);
    };
    assert_eq!(
        (diagnostic.code, diagnostic.message.as_str()),
        (code, message)
    );
    let [repair] = &result.repairs[..] else {
        panic!("{:#?}", result.repairs);
    };
    without_id(serde_json::to_value(repair).expect("JSON"))
}

fn without_id(mut repair: Value) -> Value {
    let id = repair.as_object_mut().and_then(|it| it.remove("id"));
    assert!(id.is_some_and(|it| it.is_string()), "K-03");
    repair
}

fn function(name: &str, params: Value, returns: Value, body: Value) -> Value {
    json!({
        "kind": "fn", "id": format!("fn_{name}"), "name": name, "params": params,
        "returnType": returns, "body": body,
    })
}

fn int() -> Value {
    json!({"kind": "named", "name": "Int"})
}

#[test]
fn an_unresolved_name() {
    // K-101
    let call = json!({
        "kind": "call", "callee": {"kind": "ident", "id": "n5", "name": "helo"}, "args": [],
    });
    let body = json!({"kind": "block", "statements": [], "expr": call});
    let program = json!([
        {"source": "fn hello() -> Int { 1 }"},
        function("main", json!([]), int(), body),
    ]);
    let expected = json!({
        "title": "Rename 'helo' to 'hello'",
        "confidence": "high",
        "safety": "behavior_changing",
        "kind": "local_fix",
        "scope": {"node_count": 1, "crosses_function": false},
        "targets": {"node_ids": ["n5"], "diagnostic_codes": ["E1001"]},
        "edits": [{
            "op": "rename_symbol", "node_id": "n5", "old_name": "helo", "new_name": "hello",
        }],
        "expected_delta": {
            "diagnostics_resolved": ["d1"], "obligations_discharged": [], "holes_filled": [],
        },
        "rationale": "'helo' is not defined. Did you mean 'hello'? (edit distance: 1)",
    });
    assert_eq!(
        only(program, Code::E1001, "'helo' is not defined"),
        expected
    );
    assert_eq!(Code::E1001.name(), "UnresolvedName");
}

#[test]
fn an_unprovable_refinement() {
    // K-102 K-100 K-100a
    let call = json!({
        "kind": "call", "id": "expr_50", "callee": {"source": "divide"},
        "args": [{"source": "x"}, {"source": "y"}],
    });
    let body = json!({"kind": "block", "statements": [], "expr": call});
    let params = json!([{"name": "x", "type": int()}, {"name": "y", "type": int()}]);
    let program = json!([
        {"source": "fn divide(x: Int, d: Int{d != 0}) -> Int { x - d }"},
        function("share", params, int(), body),
    ]);
    let repairs = repairs(program);
    let expected = json!({
        "title": "Add guard for y != 0",
        "confidence": "high",
        "safety": "likely_preserving",
        "kind": "local_fix",
        "scope": {"node_count": 2, "crosses_function": false},
        "targets": {"obligation_ids": ["OBL1"]},
        "edits": [{
            "op": "wrap",
            "node_id": "expr_50",
            "wrapper": {
                "kind": "if",
                "condition": {"source": "y != 0"},
                "thenBranch": {
                    "kind": "block", "statements": [], "expr": {"hole_ref": "wrapped"},
                },
                "elseBranch": {"source": "{ panic(\"y must not be zero\") }"},
            },
            "hole_ref": "wrapped",
        }],
        "expected_delta": {
            "diagnostics_resolved": [], "obligations_discharged": ["OBL1"], "holes_filled": [],
        },
        "rationale": "Add guard to prove y != 0 before the call",
        "compatibility": {"conflicts_with": [repairs[1]["id"]]},
    });
    assert_eq!(without_id(repairs[0].clone()), expected);
    assert_eq!(repairs[1]["edits"][0]["op"], "insert_before");
    assert_eq!(repairs[1]["confidence"], "medium");
}

#[test]
fn an_effect_that_is_not_allowed() {
    // K-103
    let mut function = function(
        "greet",
        json!([]),
        json!({"kind": "named", "name": "Unit"}),
        json!({"kind": "block", "statements": [], "expr": {"source": "println(\"hi\")"}}),
    );
    function["id"] = json!("fn_001");
    let expected = json!({
        "title": "Add IO effect to function",
        "confidence": "medium",
        "safety": "likely_preserving",
        "kind": "local_fix",
        "scope": {"node_count": 1, "crosses_function": false},
        "targets": {"diagnostic_codes": ["E4001"], "node_ids": ["fn_001"]},
        "edits": [{"op": "widen_effect", "fn_id": "fn_001", "add_effects": ["IO"]}],
        "expected_delta": {
            "diagnostics_resolved": ["d1"], "obligations_discharged": [], "holes_filled": [],
        },
        "rationale": "Function calls println() which requires IO effect",
    });
    let message = "Effect 'IO' not allowed in pure function";
    assert_eq!(only(json!([function]), Code::E4001, message), expected);
}

#[test]
fn a_missing_field() {
    // K-104
    let text = json!({"kind": "named", "name": "Str"});
    let returns = json!({"kind": "recordType", "fields": [
        {"name": "name", "type": text}, {"name": "age", "type": int()},
        {"name": "email", "type": text},
    ]});
    let record = json!({"kind": "record", "id": "record_42", "fields": [
        {"name": "name", "value": {"source": "\"John\""}},
        {"name": "age", "value": {"source": "30"}},
    ]});
    let body = json!({"kind": "block", "statements": [], "expr": record});
    let expected = json!({
        "title": "Add missing field 'email'",
        "confidence": "high",
        "safety": "behavior_changing",
        "kind": "local_fix",
        "scope": {"node_count": 1, "crosses_function": false},
        "targets": {"diagnostic_codes": ["E2003"], "node_ids": ["record_42"]},
        "edits": [{
            "op": "replace_node",
            "node_id": "record_42",
            "new_node": {"kind": "record", "fields": [
                {"name": "name", "value": {"source": "\"John\""}},
                {"name": "age", "value": {"source": "30"}},
                {"name": "email", "value": {"source": "\"\""}},
            ]},
        }],
        "expected_delta": {
            "diagnostics_resolved": ["d1"], "obligations_discharged": [], "holes_filled": [],
        },
        "rationale": "Record literal is missing required field 'email'",
    });
    assert_eq!(
        only(
            json!([function("john", json!([]), returns, body)]),
            Code::E2003,
            "Missing field 'email' in record"
        ),
        expected
    );
}

#[test]
fn an_immutable_assignment() {
    // K-105; `init` is called `value` everywhere else
    let binding = json!({
        "kind": "let", "id": "let_x", "pattern": {"kind": "ident", "name": "x"},
        "init": {"source": "0"},
    });
    let body = json!({"kind": "block", "statements": [binding, {"source": "x = 1;"}],
        "expr": {"source": "x"}});
    let expected = json!({
        "title": "Make 'x' mutable",
        "confidence": "high",
        "safety": "behavior_preserving",
        "kind": "local_fix",
        "scope": {"node_count": 1, "crosses_function": false},
        "targets": {"diagnostic_codes": ["E2013"], "node_ids": ["let_x"]},
        "edits": [{
            "op": "replace_node",
            "node_id": "let_x",
            "new_node": {
                "kind": "let", "pattern": {"kind": "ident", "name": "x"}, "mutable": true,
                "init": {"source": "0"},
            },
        }],
        "expected_delta": {
            "diagnostics_resolved": ["d1"], "obligations_discharged": [], "holes_filled": [],
        },
        "rationale": "Variable 'x' is reassigned but declared without 'mut'",
    });
    assert_eq!(
        only(
            json!([function("count", json!([]), int(), body)]),
            Code::E2013,
            "Cannot assign to immutable variable 'x'"
        ),
        expected
    );
}

#[test]
fn alternatives_conflict_and_renames_go_together() {
    // K-70 K-71 K-74 K-75 K-77 K-85
    let sum = json!({
        "kind": "binary", "op": "+",
        "left": {"kind": "ident", "id": "n5", "name": "alph"},
        "right": {"kind": "ident", "id": "n8", "name": "bet"},
    });
    let body = json!({"kind": "block", "statements": [], "expr": sum});
    let params = ["alpha", "alps", "beta"].map(|name| json!({"name": name, "type": int()}));
    let repairs = repairs(json!([function("sum_up", json!(params), int(), body)]));
    // The document lists them in another order than by rank.
    let by_title = |title: &str| -> Value {
        let mut named = repairs.iter().filter(|it| it["title"] == title);
        named.next().expect("a repair").clone()
    };
    let brief = |title: &str| {
        let repair = by_title(title);
        let parts = ["title", "edits", "compatibility"];
        let parts = parts.map(|it| (it.to_owned(), repair[it].clone()));
        Value::Object(parts.into_iter().collect())
    };
    let titles = [
        "Rename 'alph' to 'alpha'",
        "Rename 'alph' to 'alps'",
        "Rename 'bet' to 'beta'",
    ];
    let [rc1, rc2, rc3] = titles;
    let rename = |node: &str, old: &str, new: &str| json!([{"op": "rename_symbol", "node_id": node, "old_name": old, "new_name": new}]);
    let key = "batch:local_fix:rename_symbol";
    assert_eq!(repairs.len(), 3, "{repairs:#?}");
    assert_eq!(
        brief(rc1),
        json!({"title": rc1, "edits": rename("n5", "alph", "alpha"),
            "compatibility": {"conflicts_with": [by_title(rc2)["id"]], "batch_key": key}}),
    );
    assert_eq!(
        brief(rc2),
        json!({"title": rc2, "edits": rename("n5", "alph", "alps"),
            "compatibility": {"conflicts_with": [by_title(rc1)["id"]]}}),
    );
    assert_eq!(
        brief(rc3),
        json!({"title": rc3, "edits": rename("n8", "bet", "beta"),
            "compatibility": {"batch_key": key}}),
    );
}
