//! Template strings, with the names in them spelled as they are elsewhere.

use std::collections::BTreeMap;

use super::Emitter;
use super::code::{Code, Level, Value};
use super::expr::call;
use super::names::quoted;
use crate::ast::{Ast, ExprKind, Ids, Literal, NodeId, NodeRef, Program};
use crate::template::{Part, parts};

/// The parts of each template string of a program.
pub(super) type Templates = BTreeMap<NodeId, Vec<Part>>;

/// What is in them, templates too, gets ids that no node of the program has, about which nothing is known.
pub(super) fn templates(program: &Program, ast: &Ast) -> Templates {
    let mut templates = Templates::new();
    let mut found = Vec::new();
    let text = ast.source.text();
    if text.is_empty() || text.contains('`') {
        find(NodeRef::Program(program), &mut found);
    }
    if found.is_empty() {
        return templates;
    }
    let mut ids = Ids::beyond(ast.ids.len());
    while let Some((id, value)) = found.pop() {
        let parts = parts(&value, &mut ids);
        for part in &parts {
            if let Part::Value(expr) = part {
                find(NodeRef::Expr(expr), &mut found);
            }
        }
        templates.insert(id, parts);
    }
    templates
}

fn find(node: NodeRef<'_>, found: &mut Vec<(NodeId, String)>) {
    node.each(&mut |node| {
        if let NodeRef::Expr(expr) = node
            && let ExprKind::Literal(Literal::Template(value)) = &expr.kind
        {
            found.push((expr.id, value.to_string()));
        }
    });
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
            Part::Raw(text) => Code::from(quoted(&format!("${{{text}}}"))),
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
