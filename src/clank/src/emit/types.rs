//! Types as TypeScript writes them.

use super::Emitter;
use super::names::{field, spelled};
use crate::ast::{TypeExpr, TypeKind, TypeParam};

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
                    .map(|it| format!("{}: {}", field(&it.name.text), self.type_text(&it.ty)))
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
        let text = match (name, args) {
            _ if is_ours => spelled(name),
            // `Err[E, T]` is an effect, as the one-armed ones are.
            ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) => {
                return self.type_text(result);
            }
            ("Int" | "Int32" | "Int64" | "Nat", _) => "bigint".to_owned(),
            ("Float", _) => "number".to_owned(),
            ("Bool", _) => "boolean".to_owned(),
            ("Str" | "String", _) => "string".to_owned(),
            ("Unit", _) => "void".to_owned(),
            ("IO" | "Async" | "Mut" | "Err", _) => "unknown".to_owned(),
            ("Map" | "Set", []) => format!("{name}<any, any>"),
            (other, _) => other.to_owned(),
        };
        if args.is_empty() {
            text
        } else {
            format!("{text}<{}>", self.type_list(args))
        }
    }

    /// `<T, U>`; nothing in JavaScript.
    pub(super) fn type_params(&self, params: &[TypeParam]) -> String {
        if params.is_empty() {
            return String::new();
        }
        let names: Vec<String> = params.iter().map(|it| spelled(&it.name.text)).collect();
        self.typed(format!("<{}>", names.join(", ")))
    }
}
