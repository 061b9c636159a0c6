//! Tests of node names.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_clank::ast::NodeRef;
use fixpoint_clank::result::CompileResult;

use crate::{compiled, compiled_ast};

/// The names of expressions by their text, for texts that occur once.
fn names(result: &CompileResult) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut twice = BTreeSet::new();
    NodeRef::Program(&result.ast.program).each(&mut |node| {
        if let NodeRef::Expr(expr) = node {
            let text = result.ast.source.slice(expr.span).to_owned();
            let name = result.ast.ids.name(expr.id);
            if names.insert(text.clone(), name).is_some() {
                twice.insert(text);
            }
        }
    });
    names.retain(|text, _| !twice.contains(text));
    names
}

const BEFORE: &str =
    "fn a() -> Int { let x = 1; let y = x * 2; y + 3 }\nfn b() -> Int { 4 + a() }\n";

#[test]
fn names_survive_unrelated_changes() {
    // X-18
    let before = names(&compiled(BEFORE));
    let after = "fn new() -> Int { 9 }\n\nfn a() -> Int { let x = 1;\n assert true;\n let z = 5; let y = x * 2; y + 3 }\n\nfn b() -> Int { 4 + a() }\n";
    let after = names(&compiled(after));
    for (text, name) in &before {
        assert_eq!(after.get(text), Some(name), "{text}");
    }
    assert!(before.len() > 8);
}

#[test]
fn names_are_unique_and_the_same_every_time() {
    // K-03
    let repeated = format!("{BEFORE}{BEFORE}fn c() -> Int {{ f(1, 1); f(1, 1); 0 }}");
    let result = compiled(&repeated);
    let all: Vec<String> = result.ast.ids.iter().map(|(_, name)| name).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    let again: Vec<String> = compiled(&repeated)
        .ast
        .ids
        .iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(all, again);
}

#[test]
fn names_given_in_a_document_are_kept() {
    let json = r#"{"kind": "program", "id": "p", "declarations": [{"kind": "fn", "id": "fn_1", "name": "f",
        "params": [], "returnType": {"source": "Int"}, "body": {"kind": "block", "id": "b",
        "statements": [{"kind": "expr", "id": "s", "expr": {"source": "g(1)"}}],
        "expr": {"kind": "ident", "id": "use", "name": "nothing"}}}]}"#;
    let result = compiled_ast(json);
    let nodes: Vec<String> = result
        .diagnostics
        .iter()
        .filter_map(|it| Some(result.ast.ids.name(it.node?)))
        .collect();
    assert_eq!(nodes.last().map(String::as_str), Some("use"));
    assert_eq!(
        result.ast.ids.find("fn_1"),
        Some(result.ast.program.declarations[0].id)
    );
}
