//! Values that are used under a type other than their own. The requirements of a function on its
//! parameters, and the known refinements of elements and fields, must neither get lost nor be
//! invented.

use std::rc::Rc;

use super::context::Written;
use super::pred::{Pred, Term, Words};
use super::terms::applied;
use super::walk::{Named, TypeNames, Walker};
use crate::ast::{DeclKind, Expr, ExprKind};
use crate::diagnostic::Strategy;
use crate::names::Def;
use crate::template::names_in;
use crate::types::{Arena, Ty, TyKind};

/// The maximum depth of a type comparison. Only chains of inferred types get that deep.
const MAX_DEPTH: usize = 100;

impl<'a> Walker<'a> {
    /// Checks that the value of an expression can be used as type `wanted`. For literals of
    /// compound values the parts are checked, because more is known about them.
    pub(super) fn check_coercion(&mut self, expr: &'a Expr, wanted: Ty) {
        self.check_coercion_of(expr, wanted, false);
    }

    /// Like `check_coercion`, for a type whose names refer to something here.
    pub(super) fn check_coercion_with_names(
        &mut self,
        expr: &'a Expr,
        wanted: Ty,
        meant: TypeNames,
    ) {
        self.meant = meant;
        self.check_coercion(expr, wanted);
        self.meant = TypeNames::Nothing;
    }

    /// Like `check_coercion`, for an array that is only read.
    pub(super) fn read_as(&mut self, expr: &'a Expr, wanted: Ty) {
        self.check_coercion_of(expr, wanted, true);
    }

    fn check_coercion_of(&mut self, expr: &'a Expr, wanted: Ty, is_read: bool) {
        let typing = self.typing;
        let arena = &typing.arena;
        let wanted = arena.base(wanted);
        match (&expr.kind, arena.kind(wanted)) {
            (ExprKind::Block(block), _) => {
                if let Some(tail) = &block.tail {
                    self.check_coercion_of(tail, wanted, is_read);
                }
            }
            (ExprKind::Array(parts), TyKind::Array(element)) => {
                parts.iter().for_each(|it| self.part(expr, it, *element));
            }
            (ExprKind::Tuple(parts), TyKind::Tuple(types)) => {
                let typed = parts.iter().zip(types);
                typed.for_each(|(it, ty)| self.part(expr, it, *ty));
            }
            (ExprKind::Record(given), TyKind::Record { fields, .. }) => {
                for (name, ty) in fields {
                    let name = arena.name(*name);
                    let field = given.iter().find(|it| it.name.text == name);
                    if let Some(field) = field {
                        self.part(expr, &field.value, *ty);
                    }
                }
            }
            (ExprKind::Record(given), TyKind::Named(name, _)) => {
                let fields = self.records.get(arena.name(*name)).copied();
                for field in fields.unwrap_or_default() {
                    let own = given.iter().find(|it| it.name.text == field.name.text);
                    let ty = typing.of_node(field.ty.id);
                    if let (Some(own), Some(ty)) = (own, ty) {
                        self.part(expr, &own.value, ty);
                    }
                }
            }
            (ExprKind::Call { callee, args }, TyKind::Named(_, wanted))
                if self.is_constructor(callee) =>
            {
                self.made(expr, callee, args, wanted);
            }
            // A constructor without fields contains nothing.
            (ExprKind::Ident(_), TyKind::Named(..)) if self.is_constructor(expr) => {}
            _ => {
                let Some(own) = self.typing.of_node(expr.id).map(|it| arena.base(it)) else {
                    return;
                };
                let before = self.found.obligations.len();
                match (arena.kind(own), arena.kind(wanted)) {
                    (TyKind::Prim(_), _) => {}
                    (TyKind::Array(own), TyKind::Array(wanted)) if is_read => {
                        self.taken_as(expr, *own, *wanted, false, 0);
                    }
                    _ => self.used_as(expr, own, wanted, false, 0),
                }
                self.check_use(expr.id, own, wanted, before);
            }
        }
    }

    /// Checks a constructor call that is used with the given type arguments.
    fn made(&mut self, expr: &'a Expr, callee: &'a Expr, args: &'a [Expr], wanted: &[Ty]) {
        let typing = self.typing;
        let arena = &typing.arena;
        let made = self.typing.of_node(callee.id);
        let Some(TyKind::Function { params, result, .. }) =
            made.map(|it| arena.kind(arena.base(it)))
        else {
            return;
        };
        let TyKind::Named(_, own) = arena.kind(*result) else {
            return;
        };
        for (own, wanted) in own.iter().zip(wanted) {
            for (arg, param) in args.iter().zip(params) {
                if param == own {
                    self.part(expr, arg, *wanted);
                } else if mentions(arena, *param, *own) {
                    let before = self.found.obligations.len();
                    self.taken_as(expr, *own, *wanted, false, 0);
                    self.cannot_check(expr.id, before);
                }
            }
        }
    }

    /// Checks a value that becomes a part of another one and has type `ty` there.
    fn part(&mut self, whole: &'a Expr, value: &'a Expr, ty: Ty) {
        let own = self.refinement_of(self.typing.of_node(value.id));
        if let Some(refinement) = self.refinement_of(Some(ty))
            && !(own == Some(refinement) && self.is_stable_refinement(refinement, ty))
        {
            // If other parts assign variables, the value may differ from its current term.
            let term = if self.unsteady.contains(&whole.id) {
                self.opaque(value)
            } else {
                self.term(value)
            };
            let names = match self.meant {
                TypeNames::Nothing => Named::default(),
                TypeNames::Params => Rc::clone(&self.params),
                TypeNames::InScope => self.visible_names(),
            };
            let goal = applied(refinement, &term, &names);
            let about = [(refinement.var.as_str(), &term)];
            if let Some(text) = self.oblige_once(value, goal, &about) {
                self.check_value(value.id, refinement, self.meant, text);
            }
        }
        self.check_coercion(value, ty);
    }

    /// Checks a part taken out of a value, if the type of the value became more specific after
    /// inference.
    pub(super) fn taken_out(&mut self, expr: &Expr, object: &Expr) {
        let typing = self.typing;
        let arena = &typing.arena;
        let (Some(whole), Some(taken)) = (typing.of_node(object.id), typing.of_node(expr.id))
        else {
            return;
        };
        let parts = match (&expr.kind, arena.kind(arena.base(whole))) {
            // If the index is not known, the result may be any of the parts.
            (ExprKind::Index { index, .. }, TyKind::Tuple(parts))
                if !matches!(index.kind, ExprKind::Literal(_)) =>
            {
                parts.clone()
            }
            (ExprKind::Field { field, .. }, TyKind::Named(name, _)) => {
                let fields = self.records.get(arena.name(*name)).copied().unwrap_or(&[]);
                let field = fields.iter().find(|it| it.name.text == field.text);
                let ty = field.and_then(|it| typing.of_node(it.ty.id));
                ty.into_iter().collect()
            }
            (ExprKind::Field { field, .. }, TyKind::Record { fields, .. }) => {
                let own = fields.iter().filter(|it| arena.name(it.0) == field.text);
                own.map(|it| it.1).collect()
            }
            _ => return,
        };
        for part in parts {
            let before = self.found.obligations.len();
            self.used_as(expr, part, taken, false, 0);
            self.check_use(expr.id, part, taken, before);
        }
    }

    /// A generic function may use its type parameters in a more specific way than its signature
    /// shows. Checks the arguments and the result of a call against these uses.
    pub(super) fn inside_generic(&mut self, call: &Expr, def: Option<Def>, params: &[Ty]) {
        let typing = self.typing;
        let Some(Def::Function(at)) = def else { return };
        let decl = self.ast.program.declarations.get(at);
        let Some(DeclKind::Fn(function)) = decl.map(|it| &it.kind) else {
            return;
        };
        let signature = &function.signature;
        if signature.type_params.is_empty() {
            return;
        }
        let before = self.found.obligations.len();
        let mut meanings = Vec::new();
        for (param, outside) in signature.params.iter().zip(params) {
            if let Some(inside) = typing.of_node(param.id) {
                self.used_as(call, *outside, inside, false, 0);
                meant(&typing.arena, inside, *outside, &mut meanings);
            }
        }
        let inside = typing.of_node(signature.return_type.id);
        if let (Some(inside), Some(outside)) = (inside, typing.of_node(call.id)) {
            self.used_as(call, inside, outside, false, 0);
            meant(&typing.arena, inside, outside, &mut meanings);
        }
        for (at, (variable, one)) in meanings.iter().enumerate() {
            for (_, other) in meanings.iter().skip(at + 1).filter(|it| it.0 == *variable) {
                self.used_as(call, *one, *other, true, 0);
            }
        }
        self.cannot_check(call.id, before);
    }

    /// Checks that a value of type `own` can be used as type `wanted`; with `both`, also the
    /// reverse. A write under one type is visible under the other.
    fn used_as(&mut self, expr: &Expr, own: Ty, wanted: Ty, both: bool, depth: usize) {
        let typing = self.typing;
        let arena = &typing.arena;
        let (own, wanted) = (arena.base(own), arena.base(wanted));
        if own == wanted || depth > MAX_DEPTH {
            return;
        }
        let records = self.records;
        let is_written = both || self.typing.names.writes_fields;
        let mut all = |own: &[Ty], wanted: &[Ty], both: bool| {
            for (own, wanted) in own.iter().zip(wanted) {
                self.taken_as(expr, *own, *wanted, both, depth);
            }
        };
        match (arena.kind(own), arena.kind(wanted)) {
            (
                TyKind::Function { params, result, .. },
                TyKind::Function {
                    params: given,
                    result: taken,
                    ..
                },
            ) => {
                all(given, params, both);
                all(&[*result], &[*taken], both);
            }
            (TyKind::Array(own), TyKind::Array(wanted)) => all(&[*own], &[*wanted], is_written),
            (TyKind::Tuple(own), TyKind::Tuple(wanted)) => all(own, wanted, is_written),
            (TyKind::Named(_, own), TyKind::Named(..)) if own.is_empty() => {}
            (TyKind::Named(name, own), TyKind::Named(_, wanted)) => {
                let is_record = records.contains_key(arena.name(*name));
                all(own, wanted, if is_record { is_written } else { both });
            }
            (TyKind::Record { fields: own, .. }, TyKind::Record { fields, .. }) => {
                for (name, wanted) in fields {
                    if let Some((_, own)) = own.iter().find(|it| it.0 == *name) {
                        all(&[*own], &[*wanted], is_written);
                    }
                }
            }
            _ => {}
        }
    }

    /// Checks that every value of type `own` can be used as type `wanted`.
    fn taken_as(&mut self, expr: &Expr, own: Ty, wanted: Ty, both: bool, depth: usize) {
        self.any_is(expr, own, wanted);
        if both {
            self.any_is(expr, wanted, own);
        }
        self.used_as(expr, own, wanted, both, depth + 1);
    }

    fn any_is(&mut self, expr: &Expr, own: Ty, wanted: Ty) {
        let known = self.refinement_of(Some(own));
        if let Some(refinement) = self.refinement_of(Some(wanted))
            && !(known == Some(refinement) && self.is_stable_refinement(refinement, own))
        {
            let mark = self.context.mark();
            let value = self.context.value(Some(own), Written::Named);
            let term = Term::Value(value, refinement.var.as_str().into());
            if let Some(known) = known {
                self.know(known, &term, &[], "type of", &refinement.var);
            }
            let before = self.found.obligations.len();
            self.oblige_once(expr, applied(refinement, &term, &[]), &[]);
            // No value exists yet that a guard could check.
            for it in self.found.obligations.iter_mut().skip(before) {
                it.hints.retain(|it| it.strategy == Strategy::Info);
            }
            self.context.back_to(mark);
        }
    }

    /// The contents of a template string are not checked. So the functions it names must not have
    /// requirements.
    pub(super) fn template(&mut self, expr: &Expr, text: &str) {
        let typing = self.typing;
        for name in names_in(text).into_iter().map(|it| it.name) {
            let scope = self.context.scope.iter().rev();
            let mut named = scope.filter(|id| {
                let binding = typing.names.binding(**id);
                binding.is_some_and(|it| it.name == name)
            });
            let ty = match named.next() {
                Some(id) => typing.of_binding(*id),
                None => {
                    let function = self.functions.get(name.as_str());
                    function.and_then(|id| typing.of_node(*id))
                }
            };
            let kind = ty.map(|ty| typing.arena.kind(typing.arena.base(ty)));
            if let Some(TyKind::Function { params, .. }) = kind
                && params
                    .iter()
                    .any(|it| self.refinement_of(Some(*it)).is_some())
            {
                let before = self.found.obligations.len();
                self.oblige_once(
                    expr,
                    Pred::Unknown(Words::Text(format!("what `{name}` asks"))),
                    &[],
                );
                for it in self.found.obligations.iter_mut().skip(before) {
                    it.hints.retain(|it| it.strategy == Strategy::Info);
                }
                self.cannot_check(expr.id, before);
            }
        }
    }

    /// Raises an obligation only once. A value is checked for its own type first, and then for each
    /// type it is used as.
    fn oblige_once(&mut self, expr: &Expr, goal: Pred, about: &[(&str, &Term)]) -> Option<String> {
        let text = |it: &Self, goal: &Pred| it.context.worded(goal).to_string();
        if let Some(asked) = self.raised.get(&expr.id)
            && asked.contains(&text(self, &goal))
        {
            return None;
        }
        let reported = |it: &Self| it.found.obligations.len() + it.diagnostics.len();
        let before = reported(self);
        let unproved = self.oblige(expr, expr.id, &goal, about, false);
        // A proof for one part does not apply to another part with the same text.
        if reported(self) > before {
            let asked = text(self, &goal);
            self.raised.entry(expr.id).or_default().push(asked);
        }
        unproved
    }

    fn is_constructor(&self, callee: &Expr) -> bool {
        matches!(
            self.typing.names.of_use(callee.id),
            Some(Def::Variant(_) | Def::Record(_))
        )
    }
}

/// The types of a generic function's type variables at a call.
fn meant(arena: &Arena, inside: Ty, outside: Ty, meanings: &mut Vec<(Ty, Ty)>) {
    let inside = arena.base(inside);
    let is_known = meanings.contains(&(inside, outside));
    let mut all = |inside: &[Ty], outside: &[Ty]| {
        let pairs = inside.iter().zip(outside);
        pairs.for_each(|(inside, outside)| meant(arena, *inside, *outside, meanings));
    };
    match (arena.kind(inside), arena.kind(arena.base(outside))) {
        (TyKind::Var(_), _) if !is_known => meanings.push((inside, outside)),
        (
            TyKind::Function { params, result, .. },
            TyKind::Function {
                params: given,
                result: taken,
                ..
            },
        ) => {
            all(params, given);
            all(&[*result], &[*taken]);
        }
        (TyKind::Array(inside), TyKind::Array(outside)) => all(&[*inside], &[*outside]),
        (TyKind::Tuple(inside), TyKind::Tuple(outside))
        | (TyKind::Named(_, inside), TyKind::Named(_, outside)) => all(inside, outside),
        _ => {}
    }
}

/// Whether a type contains another one.
fn mentions(arena: &Arena, ty: Ty, part: Ty) -> bool {
    let any = |parts: &[Ty]| parts.iter().any(|it| mentions(arena, *it, part));
    ty == part
        || match arena.kind(ty) {
            TyKind::Named(_, parts) | TyKind::Tuple(parts) => any(parts),
            TyKind::Array(inner) | TyKind::Refined { base: inner, .. } => any(&[*inner]),
            TyKind::Alias { target, .. } => any(&[*target]),
            TyKind::Function { params, result, .. } => any(params) || any(&[*result]),
            TyKind::Record { fields, .. } => fields.iter().any(|it| mentions(arena, it.1, part)),
            TyKind::Var(_) | TyKind::Generic(_) | TyKind::Prim(_) | TyKind::Never => false,
        }
}
