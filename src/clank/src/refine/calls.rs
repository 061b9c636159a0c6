//! What a call or an index requires of its operands.

use std::rc::Rc;

use super::flow::assigned;
use super::pred::{Cmp, Pred, Term};
use super::run_time::RunTimeCheck;
use super::walk::{CheckedAt, Named, TypeNames, Walker, Wanted};
use crate::ast::{BinaryOp, DeclKind, Expr, ExprKind, Name, NodeRef, Signature, Text, TypeKind};
use crate::names::{Def, prelude};
use crate::types::{Ty, TyKind};

impl<'a> Walker<'a> {
    /// Walks the arguments of a call. Each of them has to meet its parameter's refinement.
    pub(super) fn arguments(
        &mut self,
        call: &'a Expr,
        callee: &'a Expr,
        args: impl Iterator<Item = &'a Expr> + Clone,
    ) {
        let typing = self.typing;
        let kind = |ty| typing.arena.kind(typing.arena.base(ty));
        let params = match typing.of_node(callee.id).map(kind) {
            Some(TyKind::Function { params, .. }) => params.as_slice(),
            _ => &[],
        };
        let def = typing.names.of_use(callee.id);
        let names = self.argument_names(def, params, args.clone());
        for (at, arg) in args.enumerate() {
            let param = params.get(at).copied();
            let wanted = self.refinement_of(param).map(|refinement| Wanted {
                refinement,
                names: names.clone(),
                needed_by: Some(call.id),
                checked: if refinement.is_closed() {
                    CheckedAt::Value(TypeNames::Nothing)
                } else {
                    CheckedAt::Call(call.id, self.argument_list(def, at, &refinement.var))
                },
            });
            self.expr(arg, wanted.as_ref());
            if let Some(param) = param {
                if is_only_read(def, at) {
                    self.read_as(arg, param);
                } else {
                    self.check_coercion(arg, param);
                }
            }
        }
        self.inside_generic(call, def, params);
    }

    /// The names of a function's parameters, with `var` as the name of the one at `at`.
    fn argument_list(&self, def: Option<Def>, at: usize, var: &str) -> Rc<[Text]> {
        let names = def.map(|def| self.param_names(def)).unwrap_or_default();
        let names = names.into_iter().enumerate();
        let named = names.map(|(place, name)| match name.as_str() {
            _ if place == at => var.into(),
            // A field of a variant may have no name.
            "" => format!("_{place}").into(),
            _ => name,
        });
        named.collect()
    }

    /// The values of the parameter names in a call, if they matter.
    fn argument_names(
        &mut self,
        def: Option<Def>,
        params: &[Ty],
        args: impl Iterator<Item = &'a Expr> + Clone,
    ) -> Option<Named> {
        let refined = params.iter().filter_map(|ty| self.refinement_of(Some(*ty)));
        let (mut is_asked, mut is_named) = (false, false);
        for refinement in refined {
            is_asked = true;
            is_named |= !refinement.is_about_itself();
        }
        // Creating a term for an argument may add facts about it.
        if !is_asked || !is_named && args.clone().all(is_plain) {
            return None;
        }
        // If arguments assign variables, a name may have different values in them.
        let is_steady = |arg: &'a Expr| assigned(NodeRef::Expr(arg), self.typing).is_empty();
        if !args.clone().all(is_steady) {
            return None;
        }
        let names = def.map(|def| self.param_names(def)).unwrap_or_default();
        let terms: Vec<Term> = args.map(|arg| self.term(arg)).collect();
        Some(names.into_iter().zip(terms).collect())
    }

    /// The names of a function's parameters.
    pub fn param_names(&self, def: Def) -> Vec<Text> {
        let names = |signature: &Signature| {
            let names = signature.params.iter().map(|param| param.name.text.clone());
            names.collect()
        };
        let declared = |at: usize| {
            let decl = self.ast.program.declarations.get(at);
            decl.map(|it| &it.kind)
        };
        match def {
            Def::Builtin(at) => prelude().function(at).map(names).unwrap_or_default(),
            Def::Function(at) => match declared(at) {
                Some(DeclKind::Fn(function)) => names(&function.signature),
                Some(DeclKind::ExternalFn(function)) => names(&function.signature),
                _ => Vec::new(),
            },
            Def::Record(at) => match declared(at) {
                Some(DeclKind::Rec(rec)) => rec
                    .fields
                    .iter()
                    .map(|field| field.name.text.clone())
                    .collect(),
                _ => Vec::new(),
            },
            Def::Variant(it) if !it.sum.in_prelude => match declared(it.sum.at) {
                Some(DeclKind::Sum(sum)) => {
                    let fields = sum.variants.get(it.at).map(|it| it.fields.iter());
                    let names = fields.into_iter().flatten().map(|it| it.0.as_ref());
                    // No refinement can use a missing name.
                    let text = |name: Option<&Name>| name.map(|it| it.text.clone());
                    names.map(|it| text(it).unwrap_or_default()).collect()
                }
                _ => Vec::new(),
            },
            Def::Variant(_) | Def::Local(_) | Def::Validator => Vec::new(),
        }
    }

    pub(super) fn bounds(&mut self, expr: &'a Expr, object: &'a Expr, index: &'a Expr) {
        let Some(container) = self.typing.of_node(object.id) else {
            return;
        };
        let base = self.typing.arena.base(container);
        let length = match self.typing.arena.kind(base) {
            TyKind::Array(_) => {
                let array = self.term(object);
                // Elements that are written to may be shared by arrays of other types.
                if !self.typing.names.writes_fields
                    && let Some(refinement) = self.refinement_of(Some(container))
                {
                    self.know(refinement, &array, &[], "array refinement", "");
                }
                self.len_of(array)
            }
            TyKind::Tuple(parts) => Term::Int(parts.len().into()),
            _ => return,
        };
        let at = self.term(index);
        let zero = Term::Int(0.into());
        let lower = Pred::Compare(Cmp::GreaterEqual, at.clone(), zero);
        let upper = Pred::Compare(Cmp::Less, at.clone(), length.clone());
        let about = [("index", &at), ("length", &length)];
        if let Some(text) = self.oblige(expr, expr.id, &lower.and(upper), &about, true) {
            self.check_at_run_time(expr.id, RunTimeCheck::Bounds(text));
        }
    }
}

/// Whether an expression consists only of names, literals and operators.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) => true,
        ExprKind::Unary { operand, .. } => is_plain(operand),
        ExprKind::Binary { op, left, right } => {
            *op != BinaryOp::Pipe && is_plain(left) && is_plain(right)
        }
        _ => false,
    }
}

/// Whether a builtin only reads an array's elements. Builtins do not write, but may return other
/// arguments unchanged.
fn is_only_read(def: Option<Def>, at: usize) -> bool {
    let Some(Def::Builtin(function)) = def else {
        return false;
    };
    let signature = prelude().function(function);
    let param = signature.and_then(|it| it.params.get(at));
    param.is_some_and(|it| matches!(it.ty.kind, TypeKind::Array(_)))
}
