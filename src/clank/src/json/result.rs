//! The result of a compilation as JSON.

use std::collections::BTreeMap;

use fixpoint_text::Span;
use serde::Serialize;

use super::value::Json;
use super::write::{Form, Writer, position};
use crate::ast::{Ast, NodeId};
use crate::diagnostic::{Diagnostic, Hint};
use crate::result::{COMPILER_VERSION, CompileResult, ContextBinding, Hole, Obligation};

/// Everything but what generators add to it: output.
pub fn result_json(result: &CompileResult) -> impl Serialize {
    let ast = &result.ast;
    let writer = Writer {
        ast,
        form: Form::Full,
        ids: true,
        spans: true,
    };
    let diagnostics = result.diagnostics.iter().enumerate();
    let diagnostics = diagnostics.map(|(at, it)| diagnostic(ast, at, it));
    let obligations = result.obligations.iter().enumerate();
    let obligations = obligations.map(|(at, it)| obligation(ast, at, it));
    let holes = result.holes.iter().enumerate();
    let holes = holes.map(|(at, it)| hole(ast, at, it));
    Json::object([
        ("status", Some(Json::of(&result.status))),
        ("compilerVersion", Some(Json::text(COMPILER_VERSION))),
        ("canonical_ast", Some(writer.program(&result.canonical))),
        ("diagnostics", Some(Json::List(diagnostics.collect()))),
        ("obligations", Some(Json::List(obligations.collect()))),
        ("holes", Some(Json::List(holes.collect()))),
        ("repairs", Some(Json::of(&result.repairs))),
        ("stats", Some(Json::of(&result.stats))),
    ])
}

/// The id of the diagnostic at a place.
pub fn diagnostic_id(at: usize) -> String {
    format!("d{}", at + 1)
}

/// The id of the obligation at a place.
pub fn obligation_id(at: usize) -> String {
    format!("OBL{}", at + 1)
}

/// The id of the hole at a place.
pub fn hole_id(at: usize) -> String {
    format!("H{}", at + 1)
}

fn location(ast: &Ast, node: Option<NodeId>, span: Span) -> Json {
    let location = ast.location(node, span);
    Json::object([
        ("file", Some(Json::Text(location.file))),
        ("start", Some(position(location.start))),
        ("end", Some(position(location.end))),
    ])
}

fn diagnostic(ast: &Ast, at: usize, it: &Diagnostic) -> Json {
    let related = it.related.iter().map(|related| {
        Json::object([
            ("message", Some(Json::text(&related.message))),
            ("location", Some(location(ast, related.node, related.span))),
        ])
    });
    Json::object([
        ("id", Some(Json::Text(diagnostic_id(at)))),
        ("severity", Some(Json::of(&it.severity()))),
        ("code", Some(Json::text(it.code.text()))),
        ("message", Some(Json::text(&it.message))),
        ("location", Some(location(ast, it.node, it.span))),
        (
            "primary_node_id",
            it.node.map(|id| Json::Text(ast.ids.name(id))),
        ),
        ("structured", Some(Json::of(&it.payload))),
        ("hints", Some(hints(&it.hints))),
        ("related", Some(Json::List(related.collect()))),
        ("repair_refs", Some(texts(&it.repair_refs))),
    ])
}

fn obligation(ast: &Ast, at: usize, it: &Obligation) -> Json {
    let facts = it.facts.iter().map(Json::of).collect();
    let context = Json::object([
        ("bindings", Some(bindings(&it.bindings))),
        ("facts", Some(Json::List(facts))),
    ]);
    Json::object([
        ("id", Some(Json::Text(obligation_id(at)))),
        ("kind", Some(Json::text("refinement"))),
        ("goal", Some(Json::text(&it.goal))),
        ("location", Some(location(ast, Some(it.node), it.span))),
        ("primary_node_id", Some(Json::Text(ast.ids.name(it.node)))),
        ("context", Some(context)),
        ("hints", Some(hints(&it.hints))),
        ("solverAttempted", Some(Json::Bool(true))),
        ("solverResult", Some(Json::text("unknown"))),
        ("unknown_reason", Some(Json::text(&it.unknown_reason))),
        ("counterexample", it.counterexample.as_ref().map(values)),
        ("repair_refs", Some(texts(&it.repair_refs))),
    ])
}

fn hole(ast: &Ast, at: usize, it: &Hole) -> Json {
    let candidates = it.fill_candidates.iter().map(|name| {
        Json::object([
            ("expr", Some(Json::text(name))),
            ("confidence", Some(Json::text("medium"))),
            (
                "description",
                Some(Json::Text(format!("`{name}` has the type"))),
            ),
        ])
    });
    let context = Json::object([("bindings", Some(bindings(&it.bindings)))]);
    Json::object([
        ("id", Some(Json::Text(hole_id(at)))),
        ("location", Some(location(ast, Some(it.node), Span::at(0)))),
        ("node_id", Some(Json::Text(ast.ids.name(it.node)))),
        ("expectedType", Some(Json::text(&it.expected_type))),
        ("context", Some(context)),
        ("allowed_effects", Some(texts(&it.allowed_effects))),
        ("fill_candidates", Some(Json::List(candidates.collect()))),
        ("repair_refs", Some(texts(&it.repair_refs))),
    ])
}

fn hints(hints: &[Hint]) -> Json {
    Json::List(hints.iter().map(Json::of).collect())
}

fn bindings(bindings: &[ContextBinding]) -> Json {
    Json::List(bindings.iter().map(Json::of).collect())
}

fn texts(texts: &[String]) -> Json {
    Json::List(texts.iter().map(Json::text).collect())
}

fn values(values: &BTreeMap<String, String>) -> Json {
    Json::of(values)
}
