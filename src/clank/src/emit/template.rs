//! Template strings. The rest of the compiler keeps `${...}` as text; here it is read as Clank, so
//! that the names in it are spelled as they are elsewhere.

use std::collections::BTreeMap;

use super::Emitter;
use super::code::{Code, Level, Value};
use super::expr::call;
use super::names::quoted;
use crate::ast::{Expr, ExprKind, Ids, Literal, NodeId, NodeRef, Program};
use crate::parse::fragment;

/// The parts of each template string of a program.
pub(super) type Templates = BTreeMap<NodeId, Vec<Part>>;

pub(super) enum Part {
    Text(String),
    Value(Expr),
    /// No Clank: left to JavaScript.
    Raw(String),
}

pub(super) fn templates(program: &Program) -> Templates {
    let mut templates = Templates::new();
    NodeRef::Program(program).each(&mut |node| {
        if let NodeRef::Expr(expr) = node
            && let ExprKind::Literal(Literal::Template(value)) = &expr.kind
        {
            templates.insert(expr.id, parts(value));
        }
    });
    templates
}

fn parts(value: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = value;
    while let Some(char) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\$") {
            text.push('$');
            rest = after;
        } else if let Some(after) = rest.strip_prefix("${") {
            let (inside, after) = up_to_brace(after);
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(interpolation(inside));
            rest = after;
        } else {
            text.push(char);
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
        }
    }
    parts.push(Part::Text(text));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    parts
}

/// Splits after the brace that closes one that was opened before.
fn up_to_brace(text: &str) -> (&str, &str) {
    let mut depth = 1_usize;
    for (at, char) in text.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (inside, rest) = text.split_at(at);
            return (inside, rest.strip_prefix('}').unwrap_or(rest));
        }
    }
    (text, "")
}

fn interpolation(text: &str) -> Part {
    let read = fragment("", text, &mut Ids::default(), 0, |parser| parser.expr());
    match read {
        Ok(expr) => Part::Value(expr),
        Err(_) => Part::Raw(text.to_owned()),
    }
}

impl<'a> Emitter<'a> {
    pub(super) fn template(&mut self, id: NodeId) -> Value {
        let templates = self.templates;
        let parts = templates.get(&id).map(Vec::as_slice).unwrap_or_default();
        let exprs = parts.iter().filter_map(|part| match part {
            Part::Value(expr) => Some(expr),
            _ => None,
        });
        let mut values = self.values(exprs).into_iter();
        let pieces = parts.iter().map(|part| match part {
            Part::Text(text) => Code::from(quoted(text)),
            Part::Raw(text) => Code::from(format!("String({text})")),
            Part::Value(_) => {
                let value = values.next().unwrap_or_else(Value::undefined);
                // Its nodes are of no place in the program.
                call("__clank.to_string", [Code::from(value.code.text)]).code
            }
        });
        let code = Code::join(pieces, " + ");
        if parts.is_empty() {
            Value::stable("\"\"")
        } else if parts.len() == 1 {
            Value::new(code, Level::Call)
        } else {
            Value::new(code, Level::Additive)
        }
    }
}
