//! Each op, applied to the tree and to the text with the same result.

use fixpoint_clank::ast::NodeRef;
use fixpoint_clank::json::{Form, meaning, program_json, read_program};
use fixpoint_clank::parse::parse;
use fixpoint_clank::print::program_text;
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

/// Applies an op to the text and to the tree, and compares the results.
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
fn rename_changes_all_references_to_a_symbol() {
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

/// A program in JSON, in which every relevant node has its own id.
fn document() -> Value {
    json!({"kind": "program", "id": "prog", "declarations": [
        {"kind": "rec", "id": "rec_p", "name": "P", "fields": [
            {"name": "x", "id": "fld_x", "type": {"kind": "named", "id": "t_x", "name": "Int"}}]},
        {"kind": "fn", "id": "fn_f", "name": "f",
            "params": [{"name": "p", "id": "par_p", "type": {"kind": "named", "id": "t_p", "name": "P"}}],
            "returnType": {"kind": "named", "id": "t_r", "name": "Int"},
            "body": {"kind": "block", "id": "blk", "statements": [
                {"kind": "let", "id": "let_a", "pattern": {"kind": "ident", "id": "pat_a", "name": "a"},
                    "init": {"kind": "field", "id": "get_x", "object": {"kind": "ident", "id": "use_p", "name": "p"}, "field": "x"}},
                {"kind": "expr", "id": "stm_g", "expr": {"kind": "call", "id": "call_g",
                    "callee": {"kind": "ident", "id": "use_g", "name": "to_string"},
                    "args": [{"kind": "ident", "id": "use_a1", "name": "a"}]}}],
                "expr": {"kind": "ident", "id": "use_a2", "name": "a"}}},
    ]})
}

fn ids_in(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            ids.extend(members.get("id").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|it| ids_in(it, ids));
        }
        Value::Array(items) => items.iter().for_each(|it| ids_in(it, ids)),
        _ => {}
    }
}

#[test]
fn every_op_applies_to_a_document_and_keeps_its_ids() {
    // K-31 to K-44, X-18: the ids that each op removes, and the program afterwards.
    let before =
        "rec P { x: Int }\n\nfn f(p: P) -> Int {\n  let a = p.x;\n  to_string(a);\n  a\n}\n";
    let guard = |hole: Value| {
        json!({
            "kind": "if", "condition": {"source": "a > 0"},
            "thenBranch": {"kind": "block", "statements": [], "expr": hole},
            "elseBranch": {"kind": "source", "text": "{ 0 }"},
        })
    };
    let guarded = before.replace("  a\n}", "  if a > 0 { a } else { 0 }\n}");
    let wrap = |hole: Value| json!({"op": "wrap", "node_id": "use_a2", "hole_ref": "it", "wrapper": guard(hole)});
    let ops: Vec<(Value, String, &[&str])> = vec![
        (
            json!({"op": "replace_node", "node_id": "use_a2", "new_node": {"kind": "binary", "op": "+", "left": {"source": "a"}, "right": {"kind": "source", "text": "1"}}}),
            before.replace("  a\n}", "  a + 1\n}"),
            &[],
        ),
        (
            json!({"op": "replace_node", "node_id": "use_a2", "new_node": {"source": "a + 1"}}),
            before.replace("  a\n}", "  a + 1\n}"),
            &["use_a2"],
        ),
        (
            json!({"op": "insert_before", "target_id": "use_a2", "new_statement": {"kind": "assert", "condition": {"source": "a > 0"}}}),
            before.replace("  a\n}", "  assert a > 0;\n  a\n}"),
            &[],
        ),
        (
            json!({"op": "insert_after", "target_id": "let_a", "new_statement": {"source": "assert a > 0;"}}),
            before.replace("p.x;\n", "p.x;\n  assert a > 0;\n"),
            &[],
        ),
        (wrap(json!({"hole_ref": "it"})), guarded.clone(), &[]),
        (
            wrap(json!({"kind": "hole", "ref": "it"})),
            guarded.clone(),
            &[],
        ),
        (wrap(json!({"$hole": "it"})), guarded, &[]),
        (
            json!({"op": "delete_node", "node_id": "stm_g"}),
            before.replace("  to_string(a);\n", ""),
            &["stm_g", "call_g", "use_a1", "use_g"],
        ),
        (
            json!({"op": "widen_effect", "fn_id": "fn_f", "add_effects": ["IO"]}),
            before.replace("-> Int", "-> IO + Int"),
            &[],
        ),
        (
            json!({"op": "rename_symbol", "node_id": "use_a1", "old_name": "a", "new_name": "b"}),
            before.replace("to_string(a)", "to_string(b)"),
            &[],
        ),
        (
            json!({"op": "rename", "symbol_id": "pat_a", "new_name": "b"}),
            before
                .replace("let a", "let b")
                .replace("(a)", "(b)")
                .replace("  a\n", "  b\n"),
            &[],
        ),
        (
            json!({"op": "rename_field", "node_id": "get_x", "old_name": "x", "new_name": "y"}),
            before.replace("p.x", "p.y"),
            &[],
        ),
        (
            json!({"op": "add_field", "type_id": "rec_p", "field": {"name": "y", "type": {"source": "Str"}}}),
            before.replace("x: Int }", "x: Int, y: Str }"),
            &[],
        ),
        (
            json!({"op": "add_param", "fn_id": "fn_f", "param": {"name": "n", "type": {"kind": "named", "name": "Int"}}, "position": 0}),
            before.replace("f(p: P)", "f(n: Int, p: P)"),
            &[],
        ),
        (
            json!({"op": "add_refinement", "type_id": "t_x", "predicate": {"source": "x > 0"}}),
            before.replace("x: Int", "x: Int{x > 0}"),
            &[],
        ),
    ];
    let names: std::collections::BTreeSet<&str> =
        ops.iter().filter_map(|it| it.0["op"].as_str()).collect();
    assert_eq!(names.len(), 12);
    let mut all = Vec::new();
    ids_in(&document(), &mut all);
    for (change, expected, gone) in ops {
        let patched = patch(&document(), &[op(change.clone())])
            .expect("a patch")
            .to_string();
        let read = read_program(&patched).expect("a program");
        assert_eq!(program_text(&read), expected, "{change}");
        let written = serde_json::to_value(program_json(&read.program, &read, Form::Full, false));
        let mut kept = Vec::new();
        ids_in(&written.expect("JSON"), &mut kept);
        let lost: Vec<&String> = all.iter().filter(|it| !kept.contains(it)).collect();
        assert_eq!(lost, gone, "{change}");
    }
}

#[test]
fn a_duplicate_node_id_is_reported() {
    let twice = document().to_string().replace("use_a1", "use_a2");
    let twice: Value = serde_json::from_str(&twice).expect("JSON");
    let change = op(json!({"op": "delete_node", "node_id": "use_a2"}));
    let id = "use_a2".to_owned();
    assert_eq!(
        patch(&twice, &[change]),
        Err(PatchError::DuplicateNode { id })
    );
    // A duplicate id that a patch adds is found when the program is read.
    let again = json!({"op": "insert_after", "target_id": "let_a",
        "new_statement": {"kind": "expr", "id": "stm_g", "expr": {"source": "a"}}});
    let patched = patch(&document(), &[op(again)])
        .expect("a patch")
        .to_string();
    let errors = read_program(&patched).expect_err("an error");
    assert!(errors[0].message.contains("stm_g"), "{errors:?}");
}

#[test]
fn a_rename_that_would_break_a_template_is_rejected() {
    let text = "fn f(a: Int, b: Int) -> Str { let d = a; `a is ${b}` ++ to_string(d) }";
    let rename = |wanted: &str, new: &str| json!({"op": "rename", "symbol_id": id_of(text, wanted), "new_name": new});
    let read = refused(text, rename("b: Int", "c"));
    assert!(matches!(read, PatchError::InTemplate { .. }), "{read}");
    let captured = PatchError::Captured {
        name: "b".to_owned(),
    };
    assert_eq!(refused(text, rename("d", "b")), captured);
    let renamed = applied(text, rename("a: Int", "n"));
    assert_eq!(
        renamed,
        text.replace("a: Int", "n: Int").replace("= a;", "= n;")
    );
}

#[test]
fn an_unknown_node_is_reported() {
    let change = json!({"op": "delete_node", "node_id": "nowhere"});
    assert_eq!(
        refused(TEXT, change),
        PatchError::UnknownNode {
            id: "nowhere".to_owned()
        }
    );
}
