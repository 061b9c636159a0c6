//! Template strings, with the names in them spelled as they are elsewhere.

use std::collections::BTreeMap;

use super::Emitter;
use super::code::{Code, Level, Value};
use super::expr::call;
use super::names::quoted;
use crate::ast::{ExprKind, Literal, NodeId, NodeRef, Program};
use crate::template::{Part, parts};

/// The parts of each template string of a program.
pub(super) type Templates = BTreeMap<NodeId, Vec<Part>>;

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
