//! Infers record literals. Where the context requires a declared record, the literal is one.

use super::check::{Checker, value_of};
use super::expr::unknown_field_message;
use super::{Arena, Sym, Ty, TyKind};
use crate::ast::{Expr, ExprKind, FieldInit, NodeRef, Text};
use crate::diagnostic::{Code, Payload};
use crate::names::similar_names;

impl Checker<'_, '_> {
    /// Infers an expression and expects a type. Record literals in it know what is required of them.
    pub fn check(&mut self, expr: &Expr, expected: Ty) -> Ty {
        let actual = self.infer_toward(expr, Some(expected));
        self.expect_declared(expected, actual, expr);
        actual
    }

    pub(super) fn record(&mut self, expr: &Expr, given: &[FieldInit], wanted: Option<Ty>) -> Ty {
        let wanted = wanted.map(|ty| self.arena.base(ty));
        if let Some(wanted) = wanted
            && let TyKind::Named(..) = self.arena.kind(wanted)
            && let Some(declared) = self.fields_of(wanted)
        {
            self.declared_record(expr, given, wanted, &declared);
            return wanted;
        }
        let wanted = match wanted.map(|ty| self.arena.kind(ty)) {
            Some(TyKind::Record { fields, .. }) => fields.clone(),
            _ => Vec::new(),
        };
        let fields = given.iter().map(|field| {
            let name = self.arena.sym(&field.name.text);
            let wanted = wanted.iter().find(|it| it.0 == name);
            (name, self.infer_toward(&field.value, wanted.map(|it| it.1)))
        });
        let fields = fields.collect();
        let open = false;
        self.arena.make(TyKind::Record { fields, open })
    }

    /// Checks the fields of a literal that has to be a declared record.
    fn declared_record(
        &mut self,
        expr: &Expr,
        given: &[FieldInit],
        wanted: Ty,
        declared: &[(Text, Ty)],
    ) {
        let mut found = Vec::new();
        for field in given {
            let own = declared.iter().find(|it| it.0 == field.name.text);
            let ty = match own {
                Some((_, ty)) => self.check(&field.value, *ty),
                None => self.infer(&field.value),
            };
            found.push((self.arena.sym(&field.name.text), ty));
        }
        let open = false;
        let actual = self.arena.make(TyKind::Record {
            fields: found,
            open,
        });
        let is_given = |name: &Text| given.iter().any(|it| it.name.text == *name);
        let missing = declared.iter().filter(|it| !is_given(&it.0));
        let missing: Vec<(Sym, Ty)> = missing
            .map(|(name, ty)| (self.arena.sym(name), *ty))
            .collect();
        let mut unknown: Vec<&FieldInit> = given
            .iter()
            .filter(|field| declared.iter().all(|it| it.0 != field.name.text))
            .collect();
        // A misspelled field is reported as the missing one.
        for (name, _) in &missing {
            let names = unknown.iter().map(|it| it.name.text.as_str());
            let nearest = similar_names(self.arena.name(*name), names);
            let nearest = nearest.first().map(|it| (*it).to_owned());
            unknown.retain(|it| nearest.as_deref() != Some(it.name.text.as_str()));
        }
        for field in unknown {
            let mut payload = self.unknown_field(&field.name, wanted, declared);
            // It cannot be meant as a field that the literal has already.
            if let Payload::UnknownField { similar_fields, .. } = &mut payload {
                similar_fields.retain(|it| given.iter().all(|given| given.name.text != *it));
            }
            let message = unknown_field_message(&payload, &field.name);
            self.error(Code::E2004, expr, message, payload);
        }
        if !missing.is_empty() {
            self.missing_fields(wanted, actual, expr, &missing);
        }
    }

    pub(super) fn missing_fields(
        &mut self,
        expected: Ty,
        actual: Ty,
        expr: &Expr,
        fields: &[(Sym, Ty)],
    ) {
        let names = fields.iter().map(|it| self.arena.name(it.0).to_owned());
        let names: Vec<String> = names.collect();
        let types = fields.iter().map(|it| self.arena.show(it.1)).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let message = format!("Missing field{plural} '{}' in record", names.join("', '"));
        let payload = Payload::MissingField {
            fields: names,
            expected: self.arena.show(expected),
            actual: self.arena.show(actual),
            field_types: types,
        };
        self.error(Code::E2003, expr, message, payload);
    }

    /// What a call must return, for its arguments: `Some({ ... })` where `Option[User]` is required.
    pub(super) fn expect_result(&mut self, result: Ty, wanted: Option<Ty>, args: &[Expr]) {
        if let Some(wanted) = wanted
            && args.iter().any(holds_literal)
        {
            // A mismatch is reported for the whole call.
            let _ = self.arena.unify(wanted, result);
        }
    }

    /// The result that a required function type has, for the body of a lambda.
    pub(super) fn wanted_body(&self, wanted: Option<Ty>, params: usize) -> Option<Ty> {
        match self.arena.kind(self.arena.base(wanted?)) {
            TyKind::Function {
                params: wanted,
                result,
                ..
            } => (wanted.len() == params).then_some(*result),
            _ => None,
        }
    }
}

/// Whether an expression contains a record literal.
pub(super) fn holds_literal(expr: &Expr) -> bool {
    let mut found = false;
    NodeRef::Expr(expr).each(&mut |node| {
        found |= matches!(node, NodeRef::Expr(it) if matches!(it.kind, ExprKind::Record(_)));
    });
    found
}

/// The record inside an expression whose own type requires the missing fields.
pub(super) fn lacking<'e>(
    arena: &Arena,
    expr: &'e Expr,
    expected: Ty,
    fields: &[(Sym, Ty)],
) -> Option<&'e Expr> {
    let expr = value_of(expr);
    match (&expr.kind, arena.kind(arena.base(expected))) {
        (ExprKind::Record(given), TyKind::Record { fields: wanted, .. }) => {
            let lacks = |name: Sym| {
                let is_given = given.iter().any(|it| it.name.text == arena.name(name));
                !is_given && wanted.iter().any(|it| it.0 == name)
            };
            if fields.iter().all(|it| lacks(it.0)) {
                return Some(expr);
            }
            given.iter().find_map(|field| {
                let is_own = |it: &&(Sym, Ty)| arena.name(it.0) == field.name.text;
                lacking(arena, &field.value, wanted.iter().find(is_own)?.1, fields)
            })
        }
        (ExprKind::Tuple(parts), TyKind::Tuple(types)) => {
            let mut typed = parts.iter().zip(types);
            typed.find_map(|(part, ty)| lacking(arena, part, *ty, fields))
        }
        (ExprKind::Array(parts), TyKind::Array(ty)) => {
            let mut parts = parts.iter();
            parts.find_map(|part| lacking(arena, part, *ty, fields))
        }
        (ExprKind::Call { args, .. }, TyKind::Named(_, types)) => args.iter().find_map(|arg| {
            let mut types = types.iter();
            types.find_map(|ty| lacking(arena, arg, *ty, fields))
        }),
        _ => None,
    }
}
