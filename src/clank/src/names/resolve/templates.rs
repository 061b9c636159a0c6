//! Resolves the names in template strings. These names have no nodes of their own, so diagnostics
//! are reported for the template.

use super::{Def, Resolver};
use crate::ast::Expr;
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::similar_names;
use crate::template::{changes_in, names_in};

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    /// Resolves the names that the template reads. Unresolved names are reported for `expr`, if it
    /// is given.
    pub(super) fn template(&mut self, text: &str, expr: Option<&Expr>) {
        let changes = changes_in(text);
        // A template that changes something is not analyzed further.
        self.names.writes_fields |= changes;
        for read in names_in(text) {
            if let Some(id) = self.local(&read.name) {
                if let Some(binding) = self.names.bindings.get_mut(id) {
                    binding.reads += 1;
                    binding.changed_by_lambda |= changes;
                }
                self.names.in_templates.push(Def::Local(id));
            } else if let Some(def) = self.globals.value(&read.name) {
                self.names.in_templates.push(def);
            } else if let Some(expr) = expr.filter(|_| read.is_free) {
                self.unresolved_in_template(expr, &read.name);
            }
        }
    }

    fn unresolved_in_template(&mut self, expr: &Expr, name: &str) {
        let known = self.bound.iter().chain(&self.globals.value_names);
        let similar = similar_names(name, known.copied());
        let best = similar.first().copied();
        let meant = match best {
            Some(best) => format!("; did you mean `{best}`?"),
            None => String::new(),
        };
        self.names.meant.extend(best.and_then(|it| self.local(it)));
        let message = format!("`{name}` in this template is not defined{meant}");
        let payload = Payload::UnresolvedName {
            name: name.to_owned(),
            similar_names: similar.into_iter().map(str::to_owned).collect(),
        };
        let (id, span) = (expr.id, expr.span);
        self.diagnostics
            .push(Diagnostic::new(Code::E1001, id, span, message, payload));
    }
}
