//! Ops that are rejected with the same error on the text and on the tree.

use fixpoint_clank::repair::{PatchError, PatchOp, PatchedForm, patch_program};
use serde_json::{Value, json};

use crate::{canonical, compiled, source};

const TEXT: &str = "rec P { x: Int }\nfn f(a: Int) -> Int { let p: P = {x: 1}; p.x + a }\n";

/// The id of the first node of that kind in the canonical AST.
fn id_of(kind: &str) -> String {
    fn find(value: &Value, kind: &str) -> Option<String> {
        if value["kind"] == kind {
            return value["id"].as_str().map(str::to_owned);
        }
        match value {
            Value::Object(members) => members.values().find_map(|it| find(it, kind)),
            Value::Array(items) => items.iter().find_map(|it| find(it, kind)),
            _ => None,
        }
    }
    find(&canonical(&compiled(TEXT)), kind).expect("a node")
}

/// The error of an op, which must be the same in both forms.
fn refused(op: Value) -> PatchError {
    let op: PatchOp = serde_json::from_value(op).expect("an op");
    let error = |form| patch_program(&source(TEXT), std::slice::from_ref(&op), form);
    let on_text = error(PatchedForm::Text).expect_err("an error for the text");
    let on_tree = error(PatchedForm::Ast).expect_err("an error for the tree");
    assert_eq!(on_text, on_tree);
    on_text
}

#[test]
fn new_names_must_be_names() {
    // K-111
    let typed = |name: &str| json!({"name": name, "type": {"source": "Int"}});
    for name in [
        "p; panic(\"x\")",
        "9",
        "",
        "a b",
        "let",
        "a\n",
        "_",
        "Ünder score",
        "//x",
    ] {
        let function = id_of("fn");
        let ops = [
            json!({"op": "rename_symbol", "node_id": id_of("ident"), "old_name": "a", "new_name": name}),
            json!({"op": "rename", "symbol_id": function, "new_name": name}),
            json!({"op": "rename_field", "node_id": id_of("field"), "old_name": "x", "new_name": name}),
            json!({"op": "rename_field", "node_id": id_of("record"), "old_name": "x", "new_name": name}),
            json!({"op": "rename_field", "node_id": id_of("rec"), "old_name": "x", "new_name": name}),
            json!({"op": "add_field", "type_id": id_of("rec"), "field": typed(name)}),
            json!({"op": "add_param", "fn_id": function, "param": typed(name)}),
            json!({"op": "widen_effect", "fn_id": function, "add_effects": ["IO", name]}),
        ];
        for op in ops {
            let error = refused(op.clone());
            let name = name.to_owned();
            assert_eq!(error, PatchError::NoName { name }, "{op}");
        }
    }
}

#[test]
fn names_of_values_and_of_types_are_not_interchangeable() {
    let typed = |name: &str| json!({"name": name, "type": {"source": "Int"}});
    let function = id_of("fn");
    for op in [
        json!({"op": "rename_field", "node_id": id_of("rec"), "old_name": "x", "new_name": "X"}),
        json!({"op": "add_field", "type_id": id_of("rec"), "field": typed("X")}),
        json!({"op": "add_param", "fn_id": function, "param": typed("Int")}),
        json!({"op": "widen_effect", "fn_id": function, "add_effects": ["io"]}),
        json!({"op": "rename_symbol", "node_id": id_of("named"), "old_name": "Int", "new_name": "int"}),
        json!({"op": "rename", "symbol_id": id_of("rec"), "new_name": "p"}),
    ] {
        refused(op);
    }
}

#[test]
fn a_parameter_has_a_position_between_the_others() {
    // K-111
    let op = |position: usize| {
        json!({"op": "add_param", "fn_id": id_of("fn"), "position": position,
            "param": {"name": "b", "type": {"source": "Int"}}})
    };
    for position in [2, 99] {
        let (id, count) = (id_of("fn"), 1);
        let error = PatchError::NoPosition {
            id,
            position,
            count,
        };
        assert_eq!(refused(op(position)), error);
    }
    let added = |position| {
        let op: PatchOp = serde_json::from_value(op(position)).expect("an op");
        patch_program(&source(TEXT), &[op], PatchedForm::Text).expect("a program")
    };
    assert_eq!(added(0), TEXT.replace("f(a: Int)", "f(b: Int, a: Int)"));
    assert_eq!(added(1), TEXT.replace("f(a: Int)", "f(a: Int, b: Int)"));
}

#[test]
fn the_field_of_a_literal_is_renamed_in_both_forms() {
    let op =
        json!({"op": "rename_field", "node_id": id_of("record"), "old_name": "x", "new_name": "y"});
    let op: PatchOp = serde_json::from_value(op).expect("an op");
    let after = |form| patch_program(&source(TEXT), std::slice::from_ref(&op), form);
    let text = after(PatchedForm::Text).expect("a text");
    assert_eq!(text, TEXT.replace("{x: 1}", "{y: 1}"));
    let tree = after(PatchedForm::Ast).expect("a tree");
    assert!(tree.contains("\"y\""), "{tree}");
}
