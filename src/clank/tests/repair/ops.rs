//! Each op on the tree and on the text, which come to say the same.

use fixpoint_clank::ast::NodeRef;
use fixpoint_clank::json::{Form, meaning, program_json, read_program};
use fixpoint_clank::parse::parse;
use fixpoint_clank::repair::{Lowerer, PatchError, PatchOp, edited, patch};
use serde_json::{Value, json};

use crate::{canonical, compiled};

/// The id of the first node whose text is `wanted`.
fn id_of(text: &str, wanted: &str) -> String {
    let ast = parse("main.clank", text).ast;
    let mut found = None;
    NodeRef::Program(&ast.program).each(&mut |node| {
        if found.is_none() && ast.source.slice(node.span()) == wanted {
            found = Some(ast.ids.name(node.id()));
        }
    });
    found.unwrap_or_else(|| panic!("no node `{wanted}`"))
}

fn op(op: Value) -> PatchOp {
    serde_json::from_value(op).expect("an op")
}

/// Applies an op to the text and to the tree, and compares.
fn applied(text: &str, change: Value) -> String {
    let ops = [op(change)];
    let ast = parse("main.clank", text).ast;
    let edits = Lowerer::of(&ast).edits(&ops).expect("edits");
    let changed = edited(text, &edits).expect("edits that fit");
    let tree = serde_json::to_value(program_json(&ast.program, &ast, Form::Full, true));
    let patched = patch(&tree.expect("JSON"), &ops)
        .expect("a patch")
        .to_string();
    let patched = read_program(&patched).expect("a program");
    let parsed = parse("main.clank", &changed);
    assert_eq!(parsed.errors, [], "{changed}");
    assert_eq!(
        String::from_utf8(meaning(&patched)).expect("UTF-8"),
        String::from_utf8(meaning(&parsed.ast)).expect("UTF-8"),
        "{changed}"
    );
    changed
}

fn refused(text: &str, change: Value) -> PatchError {
    let result = compiled(text);
    let ops = [op(change)];
    let on_text = Lowerer::of(&result.ast).edits(&ops);
    assert!(on_text.is_err(), "{on_text:?}");
    patch(&canonical(&result), &ops).expect_err("a reason")
}

const TEXT: &str = "// head
rec P { x: Int } // fields

fn f(a: Int) -> Int { // body
  let p = P( /* one */ 1); // the point
  p.x + a // sum
}
";

#[test]
fn replace_node() {
    // K-31 K-44 K-45 K-46
    let change = |node: Value| json!({"op": "replace_node", "node_id": id_of(TEXT, "p.x + a"), "new_node": node});
    let structured = json!({
        "kind": "binary", "op": "-", "left": {"source": "p.x"},
        "right": {"kind": "literal", "value": {"kind": "int", "value": "9007199254740993"}},
    });
    let after = applied(TEXT, change(structured));
    assert_eq!(after, TEXT.replace("p.x + a", "p.x - 9007199254740993"));
    let fragment = applied(TEXT, change(json!({"source": "p.x - 9007199254740993"})));
    assert_eq!(after, fragment);
    let call = json!({
        "op": "replace_node", "node_id": id_of(TEXT, "P( /* one */ 1)"),
        "new_node": {"kind": "call", "callee": {"source": "P"},
            "args": [{"source": "1"}, {"source": "2"}]},
    });
    assert_eq!(applied(TEXT, call), TEXT.replace("1);", "1, 2);"));
}

#[test]
fn insert_before_and_after() {
    // K-32 K-33
    let assert = json!({"kind": "assert", "condition": {"source": "a > 0"}});
    let before = json!({
        "op": "insert_before", "target_id": id_of(TEXT, "p.x + a"), "new_statement": assert,
    });
    let expected = TEXT.replace("  p.x + a", "  assert a > 0;\n  p.x + a");
    assert_eq!(applied(TEXT, before), expected);
    let after = json!({
        "op": "insert_after", "target_id": id_of(TEXT, "let p = P( /* one */ 1)"),
        "new_statement": {"kind": "let", "pattern": {"kind": "ident", "name": "y"},
            "init": {"source": "a + 1"}},
    });
    let line = "1); // the point\n";
    let expected = TEXT.replace(line, &format!("{line}  let y = a + 1;\n"));
    assert_eq!(applied(TEXT, after), expected);
}

#[test]
fn wrap() {
    // K-34 K-35
    let change = |wrapper: Value| {
        json!({
            "op": "wrap", "node_id": id_of(TEXT, "p.x + a"), "wrapper": wrapper, "hole_ref": "it",
        })
    };
    let guard = json!({
        "kind": "if", "condition": {"source": "a > 0"},
        "thenBranch": {"kind": "block", "statements": [], "expr": {"hole_ref": "it"}},
        "elseBranch": {"source": "{ 0 }"},
    });
    let expected = TEXT.replace("p.x + a", "if a > 0 { p.x + a } else { 0 }");
    assert_eq!(applied(TEXT, change(guard)), expected);
    let product = json!({
        "kind": "binary", "op": "*", "left": {"kind": "hole", "ref": "it"}, "right": {"source": "2"},
    });
    let expected = TEXT.replace("p.x + a", "(p.x + a) * 2");
    assert_eq!(applied(TEXT, change(product)), expected);
    let none = json!({"source": "0"});
    assert_eq!(
        refused(TEXT, change(none)),
        PatchError::Holes {
            hole: "it".to_owned(),
            found: 0
        }
    );
    let two = json!({"kind": "tuple", "elements": [{"hole_ref": "it"}, {"hole_ref": "it"}]});
    assert_eq!(
        refused(TEXT, change(two)),
        PatchError::Holes {
            hole: "it".to_owned(),
            found: 2
        }
    );
}

#[test]
fn delete_node() {
    // K-36
    let text =
        "fn f(a: Int) -> Int {\n  let b = 1; // gone\n  let c = 2;\n  g(a, /* kept */ 3)\n}\n";
    let delete = |id: String| json!({"op": "delete_node", "node_id": id});
    let statement = applied(text, delete(id_of(text, "let c = 2")));
    assert_eq!(statement, text.replace("  let c = 2;\n", ""));
    let argument = applied(text, delete(id_of(text, "3")));
    assert!(
        argument.contains("/* kept */") && !argument.contains('3'),
        "{argument}"
    );
    let needed = refused(text, delete(id_of(text, "1")));
    assert!(matches!(needed, PatchError::Needed { .. }), "{needed}");
}

#[test]
fn widen_effect() {
    // K-37
    let text = "fn f() -> Int { 1 }\nfn g() -> IO + Int { 2 }\nfn h() -> (Int{result > 0}) { 3 }\n";
    let id = |name: &str| {
        let decl = text
            .lines()
            .find(|it| it.starts_with(&format!("fn {name}")));
        id_of(text, decl.expect("a function"))
    };
    let widen = |name: &str, effects: &[&str]| {
        applied(
            text,
            json!({"op": "widen_effect", "fn_id": id(name), "add_effects": effects}),
        )
    };
    assert_eq!(
        widen("f", &["IO"]),
        text.replace("f() -> Int", "f() -> IO + Int")
    );
    assert_eq!(widen("g", &["IO"]), text);
    assert_eq!(
        widen("g", &["Err"]),
        text.replace("-> IO + Int", "-> Err + IO + Int")
    );
    assert_eq!(
        widen("f", &["IO", "Err"]),
        text.replace("f() -> Int", "f() -> Err + IO + Int")
    );
    assert_eq!(
        widen("h", &["IO"]),
        text.replace("-> (Int{", "-> IO + (Int{")
    );
}

#[test]
fn rename_symbol_changes_one_use() {
    // K-38
    let rename = |old: &str| {
        json!({
            "op": "rename_symbol", "node_id": id_of("fn f(a: Int) -> Int { a + a }", "a"),
            "old_name": old, "new_name": "b",
        })
    };
    let text = "fn f(a: Int) -> Int { a + a }";
    assert_eq!(applied(text, rename("a")), "fn f(a: Int) -> Int { b + a }");
    let other = refused(text, rename("x"));
    assert!(matches!(other, PatchError::OtherName { .. }), "{other}");
}

#[test]
fn rename_changes_all_that_refers_to_a_symbol() {
    // K-39
    let text = "sum S { A(Int), B }\nfn f(n: Int{n > 0}) -> S { let m = n; if m > 1 { A(n) } else { B } }\nfn g(s: S) -> Int { match s { A(x) -> f(x) |> g, B -> 0 } }\n";
    let rename = |wanted: &str, new: &str| {
        applied(
            text,
            json!({"op": "rename", "symbol_id": id_of(text, wanted), "new_name": new}),
        )
    };
    assert_eq!(
        rename("n: Int{n > 0}", "k"),
        text.replace("n: Int{n > 0}", "k: Int{k > 0}")
            .replace("= n;", "= k;")
            .replace("A(n)", "A(k)")
    );
    assert_eq!(rename("A(Int)", "C"), text.replace("A(", "C("));
    assert_eq!(
        rename("sum S { A(Int), B }", "T"),
        text.replace("sum S", "sum T")
            .replace("-> S", "-> T")
            .replace("s: S", "s: T")
    );
    let captured = json!({"op": "rename", "symbol_id": id_of(text, "m"), "new_name": "n"});
    assert!(matches!(
        refused(text, captured),
        PatchError::Captured { .. }
    ));
}

#[test]
fn rename_field() {
    // K-40
    let rename = |text: &str, wanted: &str| {
        applied(
            text,
            json!({
                "op": "rename_field", "node_id": id_of(text, wanted), "old_name": "x", "new_name": "y",
            }),
        )
    };
    assert_eq!(rename(TEXT, "p.x"), TEXT.replace("p.x", "p.y"));
    let pattern = "fn f(p: P) -> Int { let {x, z} = p; x }";
    assert_eq!(rename(pattern, "{x, z}"), pattern.replace("{x,", "{y: x,"));
}

#[test]
fn add_field_param_and_refinement() {
    // K-41 K-42 K-43
    let text = "rec P { x: Int }\nrec Q {\n  x: Int, // first\n}\nfn f() -> Int { 1 }\nfn g(a: Int, b: [Int]) -> Int { 2 }\n";
    let ty = json!({"kind": "named", "name": "Str"});
    let field = |wanted: &str| {
        applied(
            text,
            json!({
                "op": "add_field", "type_id": id_of(text, wanted), "field": {"name": "email", "type": ty},
            }),
        )
    };
    assert_eq!(
        field("rec P { x: Int }"),
        text.replace("{ x: Int }", "{ x: Int, email: Str }")
    );
    let expected = text.replace("x: Int, // first\n", "x: Int, // first\n  email: Str,\n");
    assert_eq!(field("rec Q {\n  x: Int, // first\n}"), expected);
    let param = |wanted: &str, position: Value| {
        applied(
            text,
            json!({
                "op": "add_param", "fn_id": id_of(text, wanted), "param": {"name": "config", "type": ty},
                "position": position,
            }),
        )
    };
    assert_eq!(
        param("fn f() -> Int { 1 }", Value::Null),
        text.replace("f()", "f(config: Str)")
    );
    let g = "fn g(a: Int, b: [Int]) -> Int { 2 }";
    assert_eq!(param(g, json!(0)), text.replace("g(a", "g(config: Str, a"));
    assert_eq!(
        param(g, Value::Null),
        text.replace("[Int])", "[Int], config: Str)")
    );
    let taken =
        json!({"op": "add_param", "fn_id": id_of(text, g), "param": {"name": "a", "type": ty}});
    assert!(matches!(refused(text, taken), PatchError::Taken { .. }));
    let refine = json!({
        "op": "add_refinement", "type_id": id_of(text, "[Int]"), "predicate": {"source": "len(b) > 0"},
    });
    assert_eq!(
        applied(text, refine),
        text.replace("[Int])", "[Int]{len(b) > 0})")
    );
    let twice = "fn h(a: Int{a > 0 || a < 5}) -> Int { a }";
    let refine = json!({
        "op": "add_refinement", "type_id": id_of(twice, "Int{a > 0 || a < 5}"),
        "predicate": {"source": "a != 3"},
    });
    assert_eq!(
        applied(twice, refine),
        twice.replace("a > 0 || a < 5", "(a > 0 || a < 5) && a != 3")
    );
}

#[test]
fn an_unknown_node_is_told() {
    let change = json!({"op": "delete_node", "node_id": "nowhere"});
    assert_eq!(
        refused(TEXT, change),
        PatchError::UnknownNode {
            id: "nowhere".to_owned()
        }
    );
}
