//! Reads AST JSON.

use fixpoint_clank::json::{Form, input_error_json, meaning, program_json, result_json};
use fixpoint_clank::parse::parse;
use fixpoint_clank::result::{CompileResult, Status};
use fixpoint_clank::{Input, Options, compile};
use serde_json::Value;

use crate::{compiled, compiled_ast};

pub fn refused(json: &str) -> Vec<(String, String)> {
    match compile(Input::Ast { json }, &Options::default()) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|it| (it.path, it.message)).collect(),
    }
}

pub fn function(body: &str) -> String {
    format!(
        r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "f",
        "params": [{{"name": "x", "type": {{"kind": "named", "name": "Int"}}}}],
        "returnType": {{"kind": "named", "name": "Int"}}, "body": {body}}}]}}"#
    )
}

#[test]
fn fragments_and_nodes_give_the_same_tree() {
    // K-44 K-46
    let structured = function(
        r#"{"kind": "block", "statements": [
            {"kind": "let", "pattern": {"kind": "ident", "name": "y"}, "mutable": true,
             "value": {"kind": "literal", "value": {"kind": "int", "value": "9007199254740993"}}},
            {"kind": "assert", "condition": {"kind": "binary", "op": "≥", "left": {"kind": "ident", "name": "x"},
             "right": {"kind": "literal", "value": {"kind": "int", "value": "0"}}}}],
           "expr": {"kind": "if", "condition": {"kind": "literal", "value": {"kind": "bool", "value": true}},
             "thenBranch": {"kind": "block", "statements": [], "expr": {"kind": "ident", "name": "y"}},
             "elseBranch": {"kind": "block", "statements": [], "expr": {"kind": "ident", "name": "x"}}}}"#,
    );
    let fragments = function(
        r#"{"kind": "block", "statements": [
            {"source": "let mut y = 9007199254740993"},
            {"kind": "assert", "condition": {"source": "x >= 0"}}],
           "expr": {"kind": "if", "condition": {"source": "true"}, "thenBranch": {"source": "y"},
             "elseBranch": {"source": "{ x }"}}}"#,
    );
    let text = "fn f(x: Int) -> Int { let mut y = 9007199254740993; assert x >= 0; if true { y } else { x } }";
    let source = function(
        r#"{"source": "let mut y = 9007199254740993; assert x >= 0; if true { y } else { x }"}"#,
    );
    let expected = meaning(&parse("main.clank", text).ast);
    for json in [structured, fragments, source] {
        assert_eq!(meaning(&compiled_ast(&json).ast), expected, "{json}");
    }
}

#[test]
fn written_programs_can_be_read_back() {
    let text = "rec P { x: Int }\nsum S[T] { A(T), B(n: Int) }\ntype T2 = (Int, Str)\nuse a.b.{c}\n\
        external fn e[T](x: [T]{len(x) > 0}) -> IO + (T) -> Int = \"e\"\n\
        fn f(x: Int) -> Err + Int pre x > 0 { let {a, b: (c, _)} = g(x)?; for i in [1.5, 2.0] { continue }; match -x { 1 if a -> p.q[0], A(_) -> `t`, _ -> \\(z: Int) -> z } }";
    let ast = parse("main.clank", text).ast;
    for form in [Form::Brief, Form::Full] {
        let json =
            serde_json::to_string(&program_json(&ast.program, &ast, form, true)).expect("JSON");
        let read = compiled_ast(&json);
        assert_eq!(meaning(&read.ast), meaning(&ast));
        let names = |ast: &fixpoint_clank::ast::Ast| {
            let json = program_json(&ast.program, ast, Form::Full, true);
            serde_json::to_value(&json).expect("JSON")
        };
        assert_eq!(names(&read.ast), names(&ast), "ids and places stay");
    }
}

#[test]
fn errors_contain_the_path() {
    let path = |json: &str| {
        refused(json)
            .first()
            .map(|it| it.0.clone())
            .unwrap_or_default()
    };
    assert_eq!(path("{"), "$");
    assert_eq!(path(r#"{"kind": "fn"}"#), "$");
    assert_eq!(
        path(&function(r#"{"kind": "ident", "name": "x"}"#)),
        "$.declarations[0].body"
    );
    let body = r#"{"kind": "block", "statements": [{"kind": "let", "pattern": {"kind": "wildcard"}, "init": {"source": "1 +"}}]}"#;
    assert_eq!(
        path(&function(body)),
        "$.declarations[0].body.statements[0].init"
    );
    let body = r#"{"kind": "block", "statements": [{"source": "1; 2"}]}"#;
    assert_eq!(
        path(&function(body)),
        "$.declarations[0].body.statements[0]"
    );
    let body = r#"{"kind": "block", "expr": {"kind": "nonsense"}}"#;
    assert_eq!(path(&function(body)), "$.declarations[0].body.expr");
    let twice =
        r#"{"kind": "block", "id": "a", "expr": {"kind": "ident", "id": "a", "name": "x"}}"#;
    assert!(refused(&function(twice))[0].1.contains("two nodes"));
}

#[test]
fn an_invalid_document_has_a_result_with_all_members() {
    let wrong = function(r#"{"kind": "block", "expr": {"kind": "nonsense"}, "statements": [1]}"#);
    let errors = compile(Input::Ast { json: &wrong }, &Options::default()).expect_err("errors");
    let error_result = serde_json::to_value(input_error_json(&errors, Some("abc"))).expect("JSON");
    let right = function(r#"{"source": "x"}"#);
    let keys = |it: &Value| -> Vec<String> {
        it.as_object().expect("an object").keys().cloned().collect()
    };
    let mut usual = serde_json::to_value(result_json(&compiled_ast(&right))).expect("JSON");
    usual["base_sha256"] = "abc".into();
    assert_eq!(keys(&error_result), keys(&usual));
    assert_eq!(error_result["status"], "input_error");
    let diagnostics = error_result["diagnostics"].as_array().expect("a list");
    let places: Vec<&Value> = diagnostics
        .iter()
        .map(|it| &it["structured"]["pointer"])
        .collect();
    let body = "/declarations/0/body";
    assert_eq!(
        places,
        [&format!("{body}/statements/0"), &format!("{body}/expr")]
    );
    assert_eq!(
        diagnostics[0]["message"],
        "expected an object, found a number"
    );
    let usual = compiled("fn f( -> Int { 1 }");
    let usual = serde_json::to_value(result_json(&usual)).expect("JSON");
    assert_eq!(keys(&diagnostics[0]), keys(&usual["diagnostics"][0]));
}

#[test]
fn an_unknown_node_kind_lists_the_known_kinds() {
    let expr = |it: &str| function(&format!(r#"{{"kind": "block", "expr": {it}}}"#));
    let decl = |it: &str| format!(r#"{{"kind": "program", "declarations": [{it}]}}"#);
    let arms = r#"[{"pattern": @, "body": {"source": "1"}}]"#;
    let documents = [
        ("declaration", decl("@")),
        (
            "statement",
            function(r#"{"kind": "block", "statements": [@]}"#),
        ),
        ("expression", expr("@")),
        ("literal", expr(r#"{"kind": "literal", "value": @}"#)),
        (
            "type",
            decl(r#"{"kind": "typeAlias", "name": "T", "type": @}"#),
        ),
        (
            "pattern",
            expr(&format!(
                r#"{{"kind": "match", "scrutinee": {{"source": "x"}}, "arms": {arms}}}"#
            )),
        ),
    ];
    for (category, document) in documents {
        let document = |node: &str| document.replace('@', node);
        let message = refused(&document(r#"{"kind": "frob"}"#)).remove(0).1;
        let start = format!("`frob` is not a kind of {category}; the kinds are ");
        let kinds = message.strip_prefix(&start).expect("the kinds");
        for kind in kinds.split(", ") {
            let errors = refused(&document(&format!(r#"{{"kind": "{kind}"}}"#)));
            assert!(
                errors.iter().all(|it| !it.1.contains("no kind of")),
                "{kind}: {errors:?}"
            );
        }
        let message = refused(&document("{}")).remove(0).1;
        assert!(
            message.starts_with(&format!("this is not a node of kind {category}")),
            "{message}"
        );
    }
}

#[test]
fn the_position_of_a_json_syntax_error_is_reported() {
    let json = "{\"kind\": \"program\",\n \"größe\": }";
    let errors = compile(Input::Ast { json }, &Options::default()).expect_err("errors");
    let error_result = serde_json::to_value(input_error_json(&errors, None)).expect("JSON");
    let start = &error_result["diagnostics"][0]["location"]["start"];
    assert_eq!(
        (&start["line"], &start["column"], &start["offset"]),
        (&2.into(), &11.into(), &30.into())
    );
    assert_eq!(error_result["diagnostics"][0]["structured"]["pointer"], "");
}

#[test]
fn a_whole_program_may_be_a_fragment() {
    // K-44
    let text = "fn f(x: Int) -> Int { g(x) }\n\nfn g(x: Int) -> Int { x }\n";
    let json = serde_json::json!({ "source": text }).to_string();
    assert_eq!(
        meaning(&compiled_ast(&json).ast),
        meaning(&parse("main.clank", text).ast)
    );
    assert_eq!(
        meaning(&compiled_ast(r#"{"source": ""}"#).ast),
        meaning(&parse("main.clank", "").ast)
    );
    let wrong = refused(r#"{"source": "fn f() -> Int { 1 }\nfn g("}"#);
    assert_eq!(wrong.len(), 1);
    assert_eq!(wrong[0].0, "$");
    assert!(
        wrong[0].1.starts_with("line 2, column 6: expected"),
        "{wrong:?}"
    );
}

#[test]
fn parts_of_nodes_may_be_fragments() {
    // K-44
    let json = r#"{"kind": "program", "declarations": [
        {"kind": "rec", "name": "P", "fields": [{"source": "x: Int"}]},
        {"kind": "sum", "name": "S", "variants": [{"source": "A(n: Int)"}, {"source": "B"}]},
        {"kind": "fn", "name": "f", "params": [{"source": "s: S"}], "returnType": {"source": "Int"},
         "body": {"kind": "block", "expr": {"kind": "match", "scrutinee": {"source": "s"},
           "arms": [{"source": "A(n) if n > 0 -> n"}, {"source": "_ -> 0"}]}}}]}"#;
    let text = "rec P { x: Int }\nsum S { A(n: Int), B }\n\
                fn f(s: S) -> Int { match s { A(n) if n > 0 -> n, _ -> 0 } }";
    let result = compiled_ast(json);
    assert_eq!(result.status, Status::Success);
    assert_eq!(
        meaning(&result.ast),
        meaning(&parse("main.clank", text).ast)
    );
    let wrong = refused(&json.replace("s: S", "s"));
    assert_eq!(wrong[0].0, "$.declarations[2].params[0]");
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let text = "fn f(x: Int) -> Int { y }\n";
    let (with, without) = (compiled(&format!("\u{feff}{text}")), compiled(text));
    assert_eq!(meaning(&with.ast), meaning(&without.ast));
    let place = |it: &CompileResult| {
        let error_result = serde_json::to_value(result_json(it)).expect("JSON");
        error_result["diagnostics"][0]["location"]["start"]["column"].clone()
    };
    assert_eq!(place(&with), place(&without));
    let json = function(r#"{"source": "x"}"#);
    let marked = compiled_ast(&format!("\u{feff}{json}"));
    assert_eq!(meaning(&marked.ast), meaning(&compiled_ast(&json).ast));
    let inside = compiled("fn f() -> Int { \u{feff}1 }");
    assert_eq!(inside.diagnostics[0].code.text(), "E0001");
}

#[test]
fn an_external_function_is_bound_to_one_expression() {
    let text =
        |name: &str| format!("external fn e(x: Int) -> Int = \"{name}\"\nfn f() -> Int {{ 1 }}\n");
    let json = |name: &str| {
        format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "externalFn", "name": "e", "params": [],
            "returnType": {{"source": "Int"}}, "jsName": "{name}"}}]}}"#
        )
    };
    for name in [
        "alert(1);x",
        "",
        "a..b",
        "if",
        "a, b",
        "x) + (y",
        "x //",
        "await x",
        "yield",
        "let x = 1",
    ] {
        let result = compiled(&text(name));
        let codes: Vec<_> = result.diagnostics.iter().map(|it| it.code.text()).collect();
        assert_eq!(codes, ["E0001"], "{name}");
        assert!(
            result.diagnostics[0]
                .message
                .starts_with("expected a single JavaScript expression")
        );
        assert_eq!(result.status, Status::Error);
        assert_eq!(
            refused(&json(name))[0].0,
            "$.declarations[0].jsName",
            "{name}"
        );
    }
    for name in [
        "Math.max",
        "$",
        "globalThis.x1",
        "arr => arr.length",
        "(a, b)",
        "function (x) { return x; }",
    ] {
        assert_eq!(compiled(&text(name)).status, Status::Success, "{name}");
        assert_eq!(refused(&json(name)), [], "{name}");
    }
}

#[test]
fn holes_are_reported_with_matching_names() {
    // K-99
    let result = compiled_ast(&function(
        r#"{"kind": "block", "expr": {"hole_ref": "todo"}}"#,
    ));
    let hole = &result.holes[0];
    assert_eq!(
        (hole.name.as_str(), hole.expected_type.as_str()),
        ("todo", "Int")
    );
    assert_eq!(hole.fill_candidates, ["x"]);
    assert_eq!(result.status, Status::Incomplete);
}

#[test]
fn a_hole_is_located_where_it_stands() {
    // K-99
    let text = "fn f(x: Int) -> Int {\n  x + ?more\n}\n";
    let file = "main.clank";
    let result = compile(Input::Source { file, text }, &Options::default()).expect("a program");
    let json = serde_json::to_value(result_json(&result)).expect("JSON");
    let location = &json["holes"][0]["location"];
    let at = |end: &str| {
        (
            location[end]["line"].as_u64(),
            location[end]["column"].as_u64(),
        )
    };
    assert_eq!(at("start"), (Some(2), Some(7)), "{location}");
    assert_eq!(at("end"), (Some(2), Some(12)), "{location}");
}

#[test]
fn a_hole_keeps_the_refinement_of_its_type() {
    let program = |result: &str, body: &str| {
        format!(
            r#"{{"kind": "program", "declarations": [
                {{"source": "fn need(n: Int{{n > 0}}) -> Int {{ n }}"}},
                {{"kind": "fn", "name": "f", "params": [{{"source": "n: Int{{n > 5}}"}}, {{"source": "m: Int"}}],
                    "returnType": {{"source": "{result}"}},
                    "body": {{"kind": "block", "statements": [], "expr": {body}}}}}
            ]}}"#
        )
    };
    let hole = r#"{"hole_ref": "x"}"#;
    let call = r#"{"kind": "call", "callee": {"source": "need"}, "args": [{"hole_ref": "x"}]}"#;
    for (result, body, expected, fitting) in [
        ("Int", hole, "Int", &["m", "n"][..]),
        ("Int", call, "Int{n | n > 0}", &["n"]),
        ("Int{r | r > 3}", hole, "Int{r | r > 3}", &["n"]),
        ("Int{r | r > 9}", hole, "Int{r | r > 9}", &[]),
    ] {
        let result = compiled_ast(&program(result, body));
        let hole = &result.holes[0];
        assert_eq!(hole.expected_type, expected);
        assert_eq!(hole.fill_candidates, fitting, "{expected}");
        let fillings = result
            .repairs
            .iter()
            .filter(|it| !it.targets.hole_ids.is_empty());
        assert_eq!(fillings.count(), fitting.len());
    }
}

#[test]
fn a_program_that_is_too_deep_is_rejected() {
    for text in [
        format!(
            "fn f() -> Int {{ {}1{} }}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("fn f() -> Int {{ 1{} }}", " + 1".repeat(100_000)),
        format!("fn f() -> Int {{ f{} }}", "()".repeat(100_000)),
        format!("fn f() -> Int {{ {}1 }}", "-".repeat(100_000)),
        format!(
            "fn f() -> {}Int{} {{ 1 }}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        format!("fn f() -> Int {{ {} }}", "if a { 1 } else ".repeat(100_000)),
    ] {
        let result = compiled(&text);
        assert!(
            result.diagnostics[0].message.contains("levels deep"),
            "{}",
            &text[..40]
        );
    }
    let deep = format!(
        "{}1{}",
        r#"{"kind": "propagate", "expr": "#.repeat(50_000),
        "}".repeat(50_000)
    );
    assert!(refused(&deep)[0].1.contains("levels deep"));
}

#[test]
fn an_external_module_keeps_its_name() {
    let text = "use external \"./some-file.js\" as file\nfn f() -> Int { 1 }";
    let result = compiled(text);
    let json = program_json(&result.canonical, &result.ast, Form::Full, true);
    let json = serde_json::to_string(&json).expect("JSON");
    assert_eq!(meaning(&compiled_ast(&json).ast), meaning(&result.ast));
}
