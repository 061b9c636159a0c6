//! Reports unused variables. Owns W0001.

use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Names, Origin};

/// Reports a `let` of a single name that is never read. Names that start with `_` are exempt. So
/// are variables that an unresolved name was probably meant to refer to.
pub fn check(names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for (id, binding) in names.bindings.iter() {
        let Origin::Let {
            statement,
            plain: true,
        } = binding.origin
        else {
            continue;
        };
        let is_meant = || names.meant.contains(&id);
        if binding.reads > 0 || binding.name.starts_with('_') || is_meant() {
            continue;
        }
        let name = &binding.name;
        let message = format!("`{name}` is never read; call it `_{name}` if that is meant");
        let payload = Payload::UnusedVariable {
            name: name.to_string(),
        };
        diagnostics.push(Diagnostic::new(
            Code::W0001,
            statement,
            binding.span,
            message,
            payload,
        ));
    }
}
