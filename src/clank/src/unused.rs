//! Reports unused variables. Owns W0001.

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Names, Origin};

/// Reports variables and parameters that are never read. Names that start with `_` are exempt. So are
/// variables that an unresolved name was probably meant to refer to.
pub fn check(names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    // No code can read the first of two variables that one declaration or pattern binds.
    let twice = diagnostics.iter().filter_map(|it| match &it.payload {
        Payload::DuplicateDefinition { name } => Some(name.clone()),
        _ => None,
    });
    let twice: HashSet<String> = twice.collect();
    for (id, binding) in names.bindings.iter() {
        let node = match binding.origin {
            Origin::Let {
                statement,
                plain: true,
            } => statement,
            Origin::Let { .. }
            | Origin::For
            | Origin::Match
            | Origin::Param
            | Origin::LambdaParam => binding.node,
            Origin::Result => continue,
        };
        let is_meant = || names.meant.contains(&id);
        let name = &binding.name;
        let is_twin = node == binding.node && twice.contains(name.as_str());
        if binding.reads > 0 || name.starts_with('_') || is_twin || is_meant() {
            continue;
        }
        let message = format!("`{name}` is never read; call it `_{name}` if that is meant");
        let payload = Payload::UnusedVariable {
            name: name.to_string(),
        };
        diagnostics.push(Diagnostic::new(
            Code::W0001,
            node,
            binding.span,
            message,
            payload,
        ));
    }
}
