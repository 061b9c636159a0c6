//! What a call or an index asks of its parts.

use super::flow::assigned;
use super::pred::{Cmp, Pred, Term};
use super::walk::{Walker, Wanted};
use crate::ast::{DeclKind, Expr, NodeRef, Signature, TypeKind};
use crate::names::{Def, prelude};
use crate::types::{Ty, TyKind};

impl Walker<'_> {
    /// Walks the arguments of a call, each of which has to meet its parameter's refinement.
    pub(super) fn arguments(&mut self, call: &Expr, callee: &Expr, args: &[&Expr]) {
        let function = self.typing.of_node(callee.id);
        let params: Vec<Ty> =
            match function.map(|ty| self.typing.arena.kind(self.typing.arena.base(ty))) {
                Some(TyKind::Function { params, .. }) => params.clone(),
                _ => Vec::new(),
            };
        let refinements: Vec<_> = params
            .iter()
            .map(|ty| self.refinement_of(Some(*ty)))
            .collect();
        // Where arguments assign, a name is not the same in each of them.
        let is_steady = |arg: &&Expr| assigned(NodeRef::Expr(arg), self.typing).is_empty();
        let names = if refinements.iter().any(Option::is_some) && args.iter().all(is_steady) {
            let names = self.typing.names.of_use(callee.id);
            let names = names.map(|def| self.param_names(def)).unwrap_or_default();
            let terms = args.iter().map(|arg| self.term(arg));
            names.into_iter().zip(terms.collect::<Vec<_>>()).collect()
        } else {
            Vec::new()
        };
        let def = self.typing.names.of_use(callee.id);
        for (at, arg) in args.iter().enumerate() {
            let wanted = refinements.get(at).cloned().flatten();
            let wanted = wanted.map(|refinement| Wanted {
                refinement,
                names: names.clone(),
                needed_by: Some(call.id),
            });
            self.expr(arg, wanted.as_ref());
            if let Some(param) = params.get(at) {
                if is_only_read(def, at) {
                    self.read_as(arg, *param);
                } else {
                    self.handed_on(arg, *param);
                }
            }
        }
        self.inside_generic(call, def, &params);
    }

    /// The names of a function's parameters.
    pub fn param_names(&self, def: Def) -> Vec<String> {
        let names = |signature: &Signature| {
            let names = signature
                .params
                .iter()
                .map(|param| param.name.text.to_string());
            names.collect()
        };
        match def {
            Def::Builtin(at) => prelude().function(at).map(names).unwrap_or_default(),
            Def::Function(at) => match self.ast.program.declarations.get(at).map(|it| &it.kind) {
                Some(DeclKind::Fn(function)) => names(&function.signature),
                Some(DeclKind::ExternalFn(function)) => names(&function.signature),
                _ => Vec::new(),
            },
            Def::Record(at) => match self.ast.program.declarations.get(at).map(|it| &it.kind) {
                Some(DeclKind::Rec(rec)) => rec
                    .fields
                    .iter()
                    .map(|field| field.name.text.to_string())
                    .collect(),
                _ => Vec::new(),
            },
            Def::Variant(_) | Def::Local(_) | Def::Validator => Vec::new(),
        }
    }

    pub(super) fn bounds(&mut self, expr: &Expr, object: &Expr, index: &Expr) {
        let Some(container) = self.typing.of_node(object.id) else {
            return;
        };
        let base = self.typing.arena.base(container);
        if !matches!(self.typing.arena.kind(base), TyKind::Array(_)) {
            return;
        }
        let array = self.term(object);
        // What is written to elements may be shared by arrays of other types.
        if !self.typing.names.writes_fields
            && let Some(refinement) = self.refinement_of(Some(container))
        {
            self.know(&refinement, &array, &[], "array refinement", "");
        }
        let at = self.term(index);
        let zero = Term::Int(0.into());
        let lower = Pred::Compare(Cmp::GreaterEqual, at.clone(), zero);
        let upper = Pred::Compare(Cmp::Less, at, self.len_of(array));
        self.oblige(expr, expr.id, lower.and(upper), true);
    }
}

/// Whether a function of the language takes an array apart. They write to nothing, but what they take
/// as it is they may give back.
fn is_only_read(def: Option<Def>, at: usize) -> bool {
    let Some(Def::Builtin(function)) = def else {
        return false;
    };
    let signature = prelude().function(function);
    let param = signature.and_then(|it| it.params.get(at));
    param.is_some_and(|it| matches!(it.ty.kind, TypeKind::Array(_)))
}
