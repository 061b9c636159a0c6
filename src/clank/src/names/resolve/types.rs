//! Resolves the names of types, and the variables that refinements read.

use super::Resolver;
use crate::ast::{Expr, ExprKind, Literal, Name, NodeRef, TypeExpr, TypeKind};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{EFFECTS, Primitive, TypeRef, WELL_KNOWN, similar_names};

/// The maximum number of types that are listed for an unknown type.
const MAX_TYPES: usize = 64;

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    pub(super) fn type_expr(&mut self, ty: &'g TypeExpr) {
        match &ty.kind {
            TypeKind::Named { name, args } => {
                self.named_type(ty, name);
                args.iter().for_each(|arg| self.type_expr(arg));
            }
            TypeKind::Array(element) => self.type_expr(element),
            TypeKind::Tuple(elements) => elements.iter().for_each(|it| self.type_expr(it)),
            TypeKind::Function { params, result } => {
                params.iter().for_each(|param| self.type_expr(param));
                self.type_expr(result);
            }
            TypeKind::Refined {
                base, predicate, ..
            } => {
                self.type_expr(base);
                self.predicate(predicate);
            }
            TypeKind::Effect { effects, result } => {
                effects.iter().for_each(|effect| self.type_expr(effect));
                self.type_expr(result);
            }
            TypeKind::Record { fields, .. } => {
                self.distinct("fields", fields.iter().map(|it| (it.id, &it.name)));
                fields.iter().for_each(|field| self.type_expr(&field.ty));
            }
        }
    }

    /// A predicate has names of its own, but variables that it takes from the scope are read.
    pub(super) fn predicate(&mut self, predicate: &'g Expr) {
        NodeRef::Expr(predicate).each(&mut |node| match node {
            NodeRef::Expr(Expr {
                kind: ExprKind::Ident(name),
                ..
            }) => {
                if let Some(id) = self.local(name)
                    && let Some(binding) = self.names.bindings.get_mut(id)
                {
                    binding.reads += 1;
                }
            }
            NodeRef::Expr(Expr {
                kind: ExprKind::Literal(Literal::Template(text)),
                ..
            }) => self.template(text, None),
            _ => {}
        });
    }

    fn named_type(&mut self, ty: &'g TypeExpr, name: &'g Name) {
        let text = name.text.as_str();
        let param = self.type_params.iter().position(|it| it.name.text == text);
        let found = if let Some(at) = param {
            Some(TypeRef::Param(at))
        } else if let Some(primitive) = Primitive::parse(text) {
            Some(TypeRef::Primitive(primitive))
        } else if WELL_KNOWN.contains(&text) {
            Some(TypeRef::WellKnown)
        } else {
            self.globals.type_def(text).map(TypeRef::Declared)
        };
        match found {
            Some(found) => self.names.set_type(ty.id, found),
            None if self.in_prelude => {}
            None => self.unresolved_type(ty, text),
        }
    }

    fn unresolved_type(&mut self, ty: &TypeExpr, name: &str) {
        let primitives = Primitive::ALL.iter().map(|it| it.name());
        let pool = primitives
            .chain(["String"])
            .chain(
                WELL_KNOWN
                    .iter()
                    .copied()
                    .filter(|it| !EFFECTS.contains(it)),
            )
            .chain(EFFECTS)
            .chain(["Ordering"])
            .chain(
                self.type_params
                    .iter()
                    .map(|param| param.name.text.as_str()),
            )
            .chain(self.globals.type_names.iter().copied());
        let similar = similar_names(name, pool.clone());
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let message = match similar.first() {
            Some(best) => format!("there is no type `{name}`; did you mean `{best}`?"),
            None => format!("there is no type `{name}`"),
        };
        let payload = Payload::UnresolvedType {
            name: name.to_owned(),
            available_types: owned(pool.take(MAX_TYPES).collect()),
            similar_types: owned(similar),
        };
        self.diagnostics.push(Diagnostic::new(
            Code::E1005,
            ty.id,
            ty.span,
            message,
            payload,
        ));
    }
}
