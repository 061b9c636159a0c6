//! Variables that nothing reads. Owns W0001.

use std::collections::BTreeSet;

use crate::ast::{ExprKind, Literal, NodeRef, Program};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Names, Origin};

/// A `let` of one name that is never read. A name that starts with `_` says so itself, and one that
/// an unresolved name probably meant is no mistake of its own. Templates are text until code is made of
/// them, so that every word of one counts as a read.
pub fn check(program: &Program, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    let templates = templates(program);
    let words: BTreeSet<&str> = templates.iter().flat_map(|text| words(text)).collect();
    for (at, binding) in names.bindings.iter().enumerate() {
        let Origin::Let {
            statement,
            plain: true,
        } = binding.origin
        else {
            continue;
        };
        let is_meant = || names.meant.iter().any(|it| it.index() == at);
        let in_template = || words.contains(binding.name.as_str());
        if binding.reads > 0 || binding.name.starts_with('_') || is_meant() || in_template() {
            continue;
        }
        let name = &binding.name;
        let message = format!("`{name}` is never read; call it `_{name}` if that is meant");
        let payload = Payload::UnusedVariable { name: name.clone() };
        diagnostics.push(Diagnostic::new(
            Code::W0001,
            statement,
            binding.span,
            message,
            payload,
        ));
    }
}

fn templates(program: &Program) -> Vec<String> {
    let mut templates = Vec::new();
    NodeRef::Program(program).each(&mut |node| {
        if let NodeRef::Expr(expr) = node
            && let ExprKind::Literal(Literal::Template(text)) = &expr.kind
        {
            templates.push(text.clone());
        }
    });
    templates
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_part(c)).filter(|it| !it.is_empty())
}
