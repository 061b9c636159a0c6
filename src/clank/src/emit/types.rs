//! Types as TypeScript writes them.

use super::Emitter;
use super::code::{Code, Value};
use super::names::spelled;
use crate::ast::{Expr, ExprKind, NodeId, TypeExpr, TypeKind, TypeParam};
use crate::types::{Ty, TyKind};

impl Emitter<'_> {
    pub(super) fn type_text(&self, ty: &TypeExpr) -> String {
        match &ty.kind {
            TypeKind::Named { name, args } => self.named_type(&name.text, args),
            TypeKind::Array(element) => match self.type_text(element) {
                text if text.contains(' ') => format!("({text})[]"),
                text => format!("{text}[]"),
            },
            TypeKind::Tuple(elements) if elements.is_empty() => "void".to_owned(),
            TypeKind::Tuple(elements) => format!("readonly [{}]", self.type_list(elements)),
            TypeKind::Function { params, result } => {
                let params = params.iter().enumerate();
                let params: Vec<String> = params
                    .map(|(at, param)| format!("arg{at}: {}", self.type_text(param)))
                    .collect();
                format!("({}) => {}", params.join(", "), self.type_text(result))
            }
            TypeKind::Refined { base, .. } => self.type_text(base),
            TypeKind::Effect { result, .. } => self.type_text(result),
            TypeKind::Record { fields, .. } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|it| format!("{}: {}", it.name.text, self.type_text(&it.ty)))
                    .collect();
                format!("{{ {} }}", fields.join("; "))
            }
        }
    }

    fn type_list(&self, types: &[TypeExpr]) -> String {
        let texts: Vec<String> = types.iter().map(|it| self.type_text(it)).collect();
        texts.join(", ")
    }

    fn named_type(&self, name: &str, args: &[TypeExpr]) -> String {
        let is_ours = self.globals.types.contains(name);
        match (name, args) {
            // `Err[E, T]` is an effect, as the one-armed ones are.
            ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) if !is_ours => {
                self.type_text(result)
            }
            _ => {
                let args: Vec<String> = args.iter().map(|it| self.type_text(it)).collect();
                self.applied(name, &args)
            }
        }
    }

    fn applied(&self, name: &str, args: &[String]) -> String {
        let is_ours = self.globals.types.contains(name);
        let text = match (name, args) {
            // A type of another module that has no name here.
            _ if name.contains('.') => return "any".to_owned(),
            _ if is_ours => spelled(name),
            ("Int" | "Int32" | "Int64" | "Nat", _) => "bigint".to_owned(),
            ("Float", _) => "number".to_owned(),
            ("Bool", _) => "boolean".to_owned(),
            ("Str" | "String", _) => "string".to_owned(),
            ("Unit", _) => "void".to_owned(),
            ("IO" | "Async" | "Mut" | "Err", _) => "unknown".to_owned(),
            // Of these, Clank takes any number of arguments.
            ("Option" | "Set", _) => return format!("{name}<{}>", exactly(1, args)),
            ("Result" | "Map", _) => return format!("{name}<{}>", exactly(2, args)),
            (other, _) => spelled(other),
        };
        if args.is_empty() {
            text
        } else {
            format!("{text}<{}>", args.join(", "))
        }
    }

    /// What is indexed. Of a tuple, TypeScript knows no element by a number that is found out later.
    pub(super) fn as_list(&self, object: &Expr, value: Value) -> Code {
        if self.is_tuple_in_typescript(object) {
            let open = self.typed(|| "(".to_owned());
            let as_list = self.typed(|| ") as readonly any[]".to_owned());
            Code::from(open).then(value.code).then(as_list)
        } else {
            value.code
        }
    }

    pub(super) fn is_tuple_in_typescript(&self, object: &Expr) -> bool {
        let arena = &self.typing.arena;
        let ty = self.typing.of_node(object.id);
        let is_tuple = |it| matches!(arena.kind(arena.base(it)), TyKind::Tuple(_));
        self.is_typescript() && ty.is_some_and(is_tuple)
    }

    /// The annotation of a name for what `init` gives, where TypeScript would infer less than Clank: a literal's type
    /// would be its own value, and what of a generic type is settled later would be unknown.
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

    /// `: T` for what inference found about a node; nothing in JavaScript.
    pub(super) fn annotation_of(&self, node: NodeId) -> String {
        match self.typing.of_node(node) {
            Some(ty) => self.typed(|| format!(": {}", self.inferred_text(ty))),
            _ => String::new(),
        }
    }

    pub(super) fn inferred_text(&self, ty: Ty) -> String {
        self.inferred_at(ty, 0)
    }

    fn inferred_at(&self, ty: Ty, depth: usize) -> String {
        // Only inference makes types that deep, and no reader misses what is left out.
        if depth > 16 {
            return "any".to_owned();
        }
        let arena = &self.typing.arena;
        let part = |ty: &Ty| self.inferred_at(*ty, depth + 1);
        match arena.kind(arena.base(ty)) {
            TyKind::Prim(primitive) => self.applied(primitive.name(), &[]),
            TyKind::Named(name, args) => {
                let args: Vec<String> = args.iter().map(part).collect();
                self.applied(arena.name(*name), &args)
            }
            TyKind::Function { params, result, .. } => {
                let params = params.iter().enumerate();
                let params: Vec<String> = params
                    .map(|(at, ty)| format!("arg{at}: {}", part(ty)))
                    .collect();
                format!("({}) => {}", params.join(", "), part(result))
            }
            TyKind::Tuple(parts) if parts.is_empty() => "void".to_owned(),
            TyKind::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("readonly [{}]", parts.join(", "))
            }
            TyKind::Array(element) => format!("({})[]", part(element)),
            TyKind::Record { fields, .. } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| format!("{}: {}", arena.name(*name), part(ty)))
                    .collect();
                format!("{{ {} }}", fields.join("; "))
            }
            TyKind::Never => "never".to_owned(),
            _ => {
                let name = self.typing.show(ty);
                let type_params = &self.function.type_params;
                if type_params.contains(&name) {
                    spelled(&name)
                } else {
                    "any".to_owned()
                }
            }
        }
    }

    /// `<T, U>`; nothing in JavaScript.
    pub(super) fn type_params(&self, params: &[TypeParam]) -> String {
        if params.is_empty() {
            return String::new();
        }
        self.typed(|| {
            let names: Vec<String> = params.iter().map(|it| spelled(&it.name.text)).collect();
            format!("<{}>", names.join(", "))
        })
    }
}

/// So many arguments: those there are, and `any` for the others.
fn exactly(count: usize, args: &[String]) -> String {
    let others = std::iter::repeat_n("any", count);
    let args: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .chain(others)
        .take(count)
        .collect();
    args.join(", ")
}
