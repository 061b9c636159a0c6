//! Validators check the result of an external function against its declared type.

use std::collections::HashMap;

use crate::ast::{DeclKind, Expr, ExprKind, Program, Signature, TypeExpr, TypeKind};
use crate::names::{Def, Names};

const PREFIX: &str = "__validate_";

/// The validator of each external function, by its index among the declarations.
pub(super) struct Validators {
    by_function: HashMap<usize, String>,
}

impl Validators {
    pub fn of(program: &Program) -> Self {
        let declarations = program.declarations.iter().enumerate();
        let external = declarations.filter_map(|(at, decl)| match &decl.kind {
            // A function of another module has no name in JavaScript. It is validated in that
            // module.
            DeclKind::ExternalFn(function) if !function.js_name.is_empty() => {
                Some((at, validator(&function.signature)?))
            }
            _ => None,
        });
        Self {
            by_function: external.collect(),
        }
    }

    /// The validator of a call, if it calls an external function.
    pub fn of_call(&self, expr: &Expr, names: &Names) -> Option<String> {
        let ExprKind::Call { callee, .. } = &expr.kind else {
            return None;
        };
        if self.by_function.is_empty() {
            return None;
        }
        match names.of_use(callee.id)? {
            Def::Function(at) => self.by_function.get(&at).cloned(),
            _ => None,
        }
    }
}

pub(super) fn is_validator(callee: &Expr) -> bool {
    matches!(&callee.kind, ExprKind::Ident(name) if name.starts_with(PREFIX))
}

/// The name of the validator; `None` if nothing can be checked: no value, a function or a type
/// parameter.
fn validator(signature: &Signature) -> Option<String> {
    let name = type_name(&signature.return_type, signature)?;
    (name != "Unit").then(|| format!("{PREFIX}{name}"))
}

/// A type as a part of a name: `Option[Int]` becomes `Option_Int`.
fn type_name(ty: &TypeExpr, signature: &Signature) -> Option<String> {
    let joined = |first: &str, parts: &[TypeExpr]| {
        let mut name = first.to_owned();
        for part in parts {
            name.push('_');
            name.push_str(&type_name(part, signature)?);
        }
        Some(name)
    };
    match &ty.kind {
        TypeKind::Named { name, args } => {
            let params = &signature.type_params;
            if params.iter().any(|param| param.name.text == name.text) {
                return None;
            }
            match (name.text.as_str(), args.as_slice()) {
                ("String", []) => Some("Str".to_owned()),
                ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) => {
                    type_name(result, signature)
                }
                (name, args) => joined(name, args),
            }
        }
        TypeKind::Array(element) => joined("array", std::slice::from_ref(element)),
        TypeKind::Tuple(elements) if elements.is_empty() => Some("Unit".to_owned()),
        TypeKind::Tuple(elements) => joined("tuple", elements),
        TypeKind::Refined { base, .. } => type_name(base, signature),
        TypeKind::Effect { result, .. } => type_name(result, signature),
        TypeKind::Function { .. } | TypeKind::Record { .. } => None,
    }
}
