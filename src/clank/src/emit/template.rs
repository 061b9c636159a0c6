//! Emits template strings. Names in them have the same spelling as elsewhere.

use std::collections::BTreeMap;

use super::Emitter;
use super::code::{Code, Level, Value, Written};
use super::names::quoted;
use crate::ast::{Ast, Expr, ExprKind, Ids, Literal, NodeId, NodeRef, Program};
use crate::template::{Part, parts};

/// The parts of each template string of a program.
pub(super) type Templates = BTreeMap<NodeId, Vec<Part>>;

/// Parses all template strings, including nested ones. Their nodes get ids beyond those of the
/// program, so nothing is known about them.
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
    fn template_parts(&self, id: NodeId) -> &'a [Part] {
        let templates = self.templates;
        templates.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// The expressions in a template.
    pub(super) fn template_values(&self, id: NodeId) -> impl Iterator<Item = &'a Expr> {
        self.template_parts(id)
            .iter()
            .filter_map(|part| match part {
                Part::Value(expr) => Some(expr),
                Part::Text(_) | Part::Raw(_) => None,
            })
    }

    pub(super) fn template(
        &mut self,
        id: NodeId,
        values: &mut [Option<Value>],
        to: &mut Code,
    ) -> Written {
        let parts = self.template_parts(id);
        let mut count = 0;
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                to.push(" + ");
            }
            match part {
                Part::Text(text) => to.push(&quoted(text)),
                Part::Raw(text) => to.push(&quoted(&format!("${{{text}}}"))),
                Part::Value(expr) => {
                    let value = values.get_mut(count).and_then(Option::take);
                    let value = value.unwrap_or_else(|| self.value(expr));
                    count += 1;
                    // Its nodes have no position in the program.
                    to.push("__clank.to_string(");
                    to.push(&value.code.text);
                    to.push(")");
                }
            }
        }
        match parts {
            [] => {
                to.push("\"\"");
                Written::STABLE
            }
            [_] => Written::at(Level::Call),
            _ => Written::at(Level::Additive),
        }
    }
}
