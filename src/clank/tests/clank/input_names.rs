//! Names in AST JSON are spelled as in source text.

use crate::input::{function, refused};

#[test]
fn an_invalid_name_is_rejected_with_its_path() {
    let function = |name: &str, param: &str| {
        format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "{name}",
            "params": [{{"name": "{param}", "type": {{"kind": "named", "name": "Int"}}}}],
            "returnType": {{"kind": "named", "name": "Int"}}, "body": {{"source": "1"}}}}]}}"#
        )
    };
    let record = |name: &str, field: &str| {
        format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "rec", "name": "{name}",
            "fields": [{{"name": "{field}", "type": {{"kind": "named", "name": "Int"}}}}]}}]}}"#
        )
    };
    for (json, path) in [
        (
            function("a(){} console.log('INJECTED'); function b", "x"),
            "$.declarations[0].name",
        ),
        (function("f", "x y"), "$.declarations[0].params[0].name"),
        (record("R; x", "a"), "$.declarations[0].name"),
        (record("R", "a-b"), "$.declarations[0].fields[0].name"),
        (record("R", ""), "$.declarations[0].fields[0].name"),
    ] {
        let paths: Vec<String> = refused(&json).into_iter().map(|it| it.0).collect();
        assert_eq!(paths, [path], "{json}");
    }
    assert_eq!(refused(&function("f_1", "_x")), []);
}

#[test]
fn names_are_spelled_as_in_a_text() {
    let program = |decl: &str| format!(r#"{{"kind": "program", "declarations": [{decl}]}}"#);
    let int = r#"{"kind": "named", "name": "Int"}"#;
    let named = |name: &str| {
        program(&format!(
            r#"{{"kind": "fn", "name": "{name}", "params": [], "returnType": {int}, "body": {{"source": "1"}}}}"#
        ))
    };
    for (name, found) in [
        ("a.b", "is not a name"),
        ("fn", "is a word of the language"),
        ("sum", "is a word of the language"),
        ("Twice", "begins with a capital letter"),
        ("Int", "is a built-in type"),
        ("_", "is not a name"),
        ("1a", "is not a name"),
        ("a b", "is not a name"),
        ("", "is not a name"),
        ("λ", "is not a name"),
    ] {
        let errors = refused(&named(name));
        assert_eq!(errors.len(), 1, "{name}: {errors:?}");
        assert_eq!(errors[0].0, "$.declarations[0].name");
        assert!(errors[0].1.ends_with(found), "{errors:?}");
    }
    for name in ["f", "größe", "_unused", "f1"] {
        assert_eq!(refused(&named(name)), [], "{name}");
    }
    for (decl, path) in [
        (
            r#"{"kind": "rec", "name": "point", "fields": []}"#.to_owned(),
            ".name",
        ),
        (
            r#"{"kind": "rec", "name": "Int", "fields": []}"#.to_owned(),
            ".name",
        ),
        (
            format!(
                r#"{{"kind": "rec", "name": "P", "fields": [{{"name": "X", "type": {int}}}]}}"#
            ),
            ".fields[0].name",
        ),
        (
            r#"{"kind": "sum", "name": "S", "variants": [{"name": "a"}]}"#.to_owned(),
            ".variants[0].name",
        ),
        (
            format!(r#"{{"kind": "typeAlias", "name": "T", "typeParams": ["t"], "type": {int}}}"#),
            ".typeParams[0]",
        ),
        (
            r#"{"kind": "typeAlias", "name": "T", "type": {"kind": "named", "name": "int"}}"#
                .to_owned(),
            ".type.name",
        ),
        (r#"{"kind": "use", "path": ["a.b"]}"#.to_owned(), ".path[0]"),
        (r#"{"kind": "mod", "name": "Shapes"}"#.to_owned(), ".name"),
        (r#"{"kind": "use", "path": []}"#.to_owned(), ""),
        (r#"{"source": 5}"#.to_owned(), ".source"),
    ] {
        let errors = refused(&program(&decl));
        let paths: Vec<&str> = errors.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(paths, [format!("$.declarations[0]{path}")], "{decl}");
    }
    let expr = |node: &str| {
        function(&format!(
            r#"{{"kind": "block", "statements": [], "expr": {node}}}"#
        ))
    };
    assert_eq!(
        refused(&expr(r#"{"kind": "ident", "name": "shapes.area"}"#)).len(),
        1
    );
    assert_eq!(
        refused(&expr(r#"{"kind": "ident", "name": "match"}"#)).len(),
        1
    );
    assert_eq!(
        refused(&expr(
            r#"{"kind": "field", "object": {"source": "x"}, "field": "Name"}"#
        ))
        .len(),
        1
    );
    assert_eq!(
        refused(&expr(
            r#"{"kind": "lambda", "params": [{"name": "Y"}], "body": {"source": "x"}}"#
        ))
        .len(),
        1
    );
}
