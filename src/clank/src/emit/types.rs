//! Emits types as TypeScript.

use super::Emitter;
use super::names::spelled;
use crate::ast::{Expr, ExprKind, NodeId, TypeExpr, TypeKind, TypeParam};
use crate::types::{Ty, TyKind};

impl Emitter<'_> {
    pub(super) fn type_text(&self, ty: &TypeExpr) -> String {
        let mut text = String::new();
        self.write_type(ty, &mut text);
        text
    }

    /// `: T`
    pub(super) fn annotation(&self, ty: &TypeExpr, to: &mut String) {
        *to += ": ";
        self.write_type(ty, to);
    }

    fn write_type(&self, ty: &TypeExpr, to: &mut String) {
        match &ty.kind {
            TypeKind::Named { name, args } => self.named_type(&name.text, args, to),
            TypeKind::Array(element) => {
                let start = to.len();
                self.write_type(element, to);
                if to.get(start..).unwrap_or_default().contains(' ') {
                    to.insert(start, '(');
                    to.push(')');
                }
                *to += "[]";
            }
            TypeKind::Tuple(elements) if elements.is_empty() => *to += "void",
            TypeKind::Tuple(elements) => {
                *to += "readonly [";
                separated(to, ", ", elements, |to, _, it| self.write_type(it, to));
                *to += "]";
            }
            TypeKind::Function { params, result } => {
                *to += "(";
                separated(to, ", ", params, |to, at, it| {
                    *to += &format!("arg{at}: ");
                    self.write_type(it, to);
                });
                *to += ") => ";
                self.write_type(result, to);
            }
            TypeKind::Refined { base, .. } => self.write_type(base, to),
            TypeKind::Effect { result, .. } => self.write_type(result, to),
            TypeKind::Record { fields, .. } => {
                *to += "{ ";
                separated(to, "; ", fields, |to, _, it| {
                    *to += &it.name.text;
                    self.annotation(&it.ty, to);
                });
                *to += " }";
            }
        }
    }

    fn named_type(&self, name: &str, args: &[TypeExpr], to: &mut String) {
        let is_ours = self.globals.types.contains(name);
        match (name, args) {
            // `Err[E, T]` is an effect, like those with one argument.
            ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) if !is_ours => {
                self.write_type(result, to);
            }
            _ => self.applied(name, args, to, |it, to| self.write_type(it, to)),
        }
    }

    /// Emits a named type with arguments. `write` writes each argument.
    fn applied<T>(&self, name: &str, args: &[T], to: &mut String, write: impl Fn(&T, &mut String)) {
        let is_ours = self.globals.types.contains(name);
        // Clank accepts any number of arguments for these.
        let count = match name {
            _ if is_ours => args.len(),
            "Option" | "Set" => 1,
            "Result" | "Map" => 2,
            _ => args.len(),
        };
        match name {
            // A type of another module that has no name in this one.
            _ if name.contains('.') => {
                *to += "any";
                return;
            }
            _ if is_ours => *to += &spelled(name),
            "Int" | "Int32" | "Int64" | "Nat" => *to += "bigint",
            "Float" => *to += "number",
            "Bool" => *to += "boolean",
            "Str" | "String" => *to += "string",
            "Unit" => *to += "void",
            "IO" | "Async" | "Mut" | "Err" => *to += "unknown",
            "Option" | "Set" | "Result" | "Map" => *to += name,
            other => *to += &spelled(other),
        }
        if count == 0 {
            return;
        }
        *to += "<";
        for at in 0..count {
            if at > 0 {
                *to += ", ";
            }
            match args.get(at) {
                Some(arg) => write(arg, to),
                None => *to += "any",
            }
        }
        *to += ">";
    }

    pub(super) fn is_tuple_in_typescript(&self, object: &Expr) -> bool {
        let arena = &self.typing.arena;
        let ty = self.typing.of_node(object.id);
        let is_tuple = |it| matches!(arena.kind(arena.base(it)), TyKind::Tuple(_));
        self.is_typescript() && ty.is_some_and(is_tuple)
    }

    /// The annotation for a variable initialized by `init`, if TypeScript would infer less than
    /// Clank.
    ///
    /// For a literal, TypeScript would infer the literal type. For a generic type whose arguments
    /// are determined later, it would infer `unknown`.
    pub(super) fn annotation_for(&self, init: &Expr) -> String {
        match &init.kind {
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Index { .. }
            | ExprKind::Field { .. }
            | ExprKind::Lambda { .. } => String::new(),
            _ => self.annotation_of(init.id),
        }
    }

    /// `: T` for the inferred type of a node; empty in JavaScript.
    pub(super) fn annotation_of(&self, node: NodeId) -> String {
        match self.typing.of_node(node) {
            Some(ty) => self.typed(|it| self.inferred_annotation(ty, it)),
            _ => String::new(),
        }
    }

    pub(super) fn inferred_annotation(&self, ty: Ty, to: &mut String) {
        *to += ": ";
        self.write_inferred(ty, 0, to);
    }

    fn write_inferred(&self, ty: Ty, depth: usize, to: &mut String) {
        // Only inference produces types this deep, and readers do not need the rest.
        if depth > 16 {
            *to += "any";
            return;
        }
        let arena = &self.typing.arena;
        let part = |ty: &Ty, to: &mut String| self.write_inferred(*ty, depth + 1, to);
        match arena.kind(arena.base(ty)) {
            TyKind::Prim(primitive) => self.applied(primitive.name(), &[], to, part),
            TyKind::Named(name, args) => self.applied(arena.name(*name), args, to, part),
            TyKind::Function { params, result, .. } => {
                *to += "(";
                separated(to, ", ", params, |to, at, ty| {
                    *to += &format!("arg{at}: ");
                    part(ty, to);
                });
                *to += ") => ";
                part(result, to);
            }
            TyKind::Tuple(parts) if parts.is_empty() => *to += "void",
            TyKind::Tuple(parts) => {
                *to += "readonly [";
                separated(to, ", ", parts, |to, _, ty| part(ty, to));
                *to += "]";
            }
            TyKind::Array(element) => {
                *to += "(";
                part(element, to);
                *to += ")[]";
            }
            TyKind::Record { fields, .. } => {
                *to += "{ ";
                separated(to, "; ", fields, |to, _, (name, ty)| {
                    *to += arena.name(*name);
                    *to += ": ";
                    part(ty, to);
                });
                *to += " }";
            }
            TyKind::Never => *to += "never",
            _ => {
                let name = self.typing.show(ty);
                if self.function.type_params.contains(&name) {
                    *to += &spelled(&name);
                } else {
                    *to += "any";
                }
            }
        }
    }

    /// `<T, U>`
    pub(super) fn write_type_params(&self, params: &[TypeParam], to: &mut String) {
        if !params.is_empty() {
            *to += "<";
            separated(to, ", ", params, |to, _, it| {
                *to += &spelled(&it.name.text);
            });
            *to += ">";
        }
    }

    /// `<T, U>`; empty in JavaScript.
    pub(super) fn type_params(&self, params: &[TypeParam]) -> String {
        if params.is_empty() {
            return String::new();
        }
        self.typed(|it| self.write_type_params(params, it))
    }
}

/// Writes each item with its index, and a separator between items.
fn separated<T>(
    to: &mut String,
    separator: &str,
    items: &[T],
    mut write: impl FnMut(&mut String, usize, &T),
) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            *to += separator;
        }
        write(to, at, item);
    }
}
