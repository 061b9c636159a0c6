//! Checks patterns against the type of the matched value.

use super::check::Checker;
use super::expr::unknown_field_message;
use super::{Ty, TyKind};
use crate::ast::{FieldPattern, Literal, Name, Pattern, PatternKind, Variant};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Def, Primitive, VariantDef, similar_names};

impl Checker<'_, '_> {
    pub fn pattern(&mut self, pattern: &Pattern, subject: Ty) {
        self.set_type(pattern.id, subject);
        match &pattern.kind {
            PatternKind::Wildcard => {}
            PatternKind::Literal(literal) => self.literal_pattern(pattern, literal, subject),
            PatternKind::Ident(_) => self.bind(pattern.id, subject),
            PatternKind::Tuple(elements) => self.tuple_pattern(pattern, elements, subject),
            PatternKind::Record(fields) => self.record_pattern(pattern, fields, subject),
            PatternKind::Variant { name, payload } => {
                self.variant_pattern(pattern, name, payload.as_deref(), subject);
            }
        }
    }

    /// Removes refinements from the bindings of a pattern: they need not hold for values assigned
    /// later. The pattern itself keeps its type.
    pub fn unrefine_binders(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Ident(_) => self.unrefine_binding(pattern.id),
            PatternKind::Tuple(parts) => parts.iter().for_each(|it| self.unrefine_binders(it)),
            PatternKind::Record(fields) => {
                for field in fields {
                    match &field.pattern {
                        Some(pattern) => self.unrefine_binders(pattern),
                        None => self.unrefine_binding(field.id),
                    }
                }
            }
            PatternKind::Variant { payload, .. } => {
                let parts = payload.iter().flatten();
                parts.for_each(|it| self.unrefine_binders(it));
            }
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
        }
    }

    fn tuple_pattern(&mut self, pattern: &Pattern, elements: &[Pattern], subject: Ty) {
        let base = self.arena.base(subject);
        let parts = match self.arena.kind(base).clone() {
            TyKind::Tuple(parts) if parts.len() == elements.len() => parts,
            TyKind::Var(_) => {
                let parts: Vec<Ty> = elements.iter().map(|_| self.arena.fresh()).collect();
                let tuple = self.arena.make(TyKind::Tuple(parts.clone()));
                // Unifying a variable with a tuple of new variables always succeeds.
                let _ = self.arena.unify(base, tuple);
                parts
            }
            _ => {
                let wanted = format!("a tuple of {}", elements.len());
                self.pattern_mismatch(pattern, &wanted, subject);
                elements.iter().map(|_| self.arena.poison()).collect()
            }
        };
        for (element, ty) in elements.iter().zip(parts) {
            self.pattern(element, ty);
        }
    }

    fn record_pattern(&mut self, pattern: &Pattern, fields: &[FieldPattern], subject: Ty) {
        let base = self.arena.base(subject);
        let is_variable = matches!(self.arena.kind(base), TyKind::Var(_));
        let known = self.fields_of(base);
        if known.is_none() && !is_variable {
            self.pattern_mismatch(pattern, "a record", subject);
        }
        for field in fields {
            let found = known
                .iter()
                .flatten()
                .find(|(name, _)| *name == field.name.text);
            let ty = match (found, &known) {
                (Some((_, ty)), _) => *ty,
                (None, Some(known)) => {
                    let payload = self.unknown_field(&field.name, subject, known);
                    let message = unknown_field_message(&payload, &field.name);
                    self.report(Diagnostic::new(
                        Code::E2004,
                        pattern.id,
                        pattern.span,
                        message,
                        payload,
                    ));
                    self.arena.poison()
                }
                (None, None) => self.arena.poison(),
            };
            match &field.pattern {
                Some(pattern) => self.pattern(pattern, ty),
                None => self.bind(field.id, ty),
            }
        }
    }

    /// Reports a literal of another type, which never equals the value. Every literal is accepted
    /// for the type `()`.
    fn literal_pattern(&mut self, pattern: &Pattern, literal: &Literal, subject: Ty) {
        let wanted = match literal {
            Literal::Int { .. } => "an integer",
            Literal::Float(_) => Primitive::Float.name(),
            Literal::Str(_) | Literal::Template(_) => Primitive::Str.name(),
            Literal::Bool(_) => Primitive::Bool.name(),
            Literal::Unit => Primitive::Unit.name(),
        };
        let fits = match self.arena.kind(self.arena.base(subject)) {
            TyKind::Prim(Primitive::Unit) => true,
            TyKind::Prim(primitive) => match literal {
                Literal::Int { .. } => primitive.is_integer(),
                _ => primitive.name() == wanted,
            },
            TyKind::Var(_) | TyKind::Generic(_) | TyKind::Never => true,
            _ => false,
        };
        if !fits {
            self.pattern_mismatch(pattern, wanted, subject);
        }
    }

    fn variant_pattern(
        &mut self,
        pattern: &Pattern,
        name: &Name,
        parts: Option<&[Pattern]>,
        subject: Ty,
    ) {
        let base = self.arena.base(subject);
        let payload = self.payload_types(pattern, name, base);
        if let (Some(parts), Some(payload)) = (parts, &payload)
            && parts.len() != payload.len()
        {
            let wanted = format!("a variant with a payload of {}", parts.len());
            let actual = format!("one of {}", payload.len());
            self.shape_mismatch(pattern, wanted, actual);
        }
        let payload = payload.unwrap_or_default();
        for (at, part) in parts.into_iter().flatten().enumerate() {
            let ty = payload.get(at).copied();
            let ty = match ty {
                Some(ty) => ty,
                None => self.arena.poison(),
            };
            self.pattern(part, ty);
        }
    }

    /// The types of a variant's fields, if the variant is known. It is looked up in the matched
    /// sum, or only by its name if the sum is not known.
    fn payload_types(&mut self, pattern: &Pattern, name: &Name, base: Ty) -> Option<Vec<Ty>> {
        let (def, args) = match self.arena.kind(base).clone() {
            TyKind::Named(sum, args) => match self.variant_of(pattern, name, sum) {
                Some(variant) => (variant, args),
                None => return None,
            },
            TyKind::Var(_) => match self.names.of_use(pattern.id) {
                Some(Def::Variant(variant)) => {
                    let params = self.globals.type_params(variant.sum);
                    let args: Vec<Ty> = params.iter().map(|_| self.arena.fresh()).collect();
                    self.becomes_sum(base, variant, &args);
                    (Def::Variant(variant), args)
                }
                _ => return None,
            },
            TyKind::Generic(_) => return None,
            _ => {
                let owner = self.arena.show(base);
                self.unknown_variant(pattern, name, &owner, &[]);
                return None;
            }
        };
        let scheme = self.scheme(def)?;
        match self.arena.kind(scheme.ty).clone() {
            TyKind::Function { params, .. } => {
                let params = params.into_iter();
                Some(params.map(|ty| self.arena.instantiate(ty, &args)).collect())
            }
            _ => Some(Vec::new()),
        }
    }

    /// A value of unknown type gets the sum type of its pattern.
    fn becomes_sum(&mut self, base: Ty, variant: VariantDef, args: &[Ty]) {
        if let Some(sum) = self.globals.sum(variant.sum)
            && !self.arena.is_poisoned(base)
        {
            let name = self.arena.sym(&sum.name.text);
            let named = self.arena.make(TyKind::Named(name, args.to_vec()));
            // Unifying a variable with a type of new variables always succeeds.
            let _ = self.arena.unify(base, named);
        }
    }

    fn variant_of(&mut self, pattern: &Pattern, name: &Name, sum: super::Sym) -> Option<Def> {
        let def = self.globals.type_def(self.arena.name(sum))?;
        let globals = self.globals;
        let (owner, variants) = match globals.sum(def) {
            Some(sum) => (sum.name.text.clone(), sum.variants.as_slice()),
            None => (self.arena.name(sum).into(), &[][..]),
        };
        if let Some(at) = variants.iter().position(|it| it.name.text == name.text) {
            return Some(Def::Variant(VariantDef { sum: def, at }));
        }
        self.unknown_variant(pattern, name, &owner, variants);
        None
    }

    fn unknown_variant(
        &mut self,
        pattern: &Pattern,
        name: &Name,
        owner: &str,
        variants: &[Variant],
    ) {
        let variants = variants.iter().map(|it| it.name.text.as_str());
        let similar = similar_names(&name.text, variants);
        let message = match similar.first() {
            Some(best) => format!(
                "`{owner}` has no variant `{}`; did you mean `{best}`?",
                name.text
            ),
            None => format!("`{owner}` has no variant `{}`", name.text),
        };
        let payload = Payload::UnresolvedVariant {
            name: name.text.to_string(),
            type_name: owner.to_owned(),
            similar_names: similar.into_iter().map(str::to_owned).collect(),
        };
        self.report(Diagnostic::new(
            Code::E1006,
            pattern.id,
            pattern.span,
            message,
            payload,
        ));
    }

    fn pattern_mismatch(&mut self, pattern: &Pattern, wanted: &str, subject: Ty) {
        let actual = self.arena.show(subject);
        let message = format!("the pattern wants {wanted}, found `{actual}`");
        self.mismatch(pattern, message, wanted.to_owned(), actual);
    }

    fn shape_mismatch(&mut self, pattern: &Pattern, expected: String, actual: String) {
        let message = format!("the pattern wants {expected}, found {actual}");
        self.mismatch(pattern, message, expected, actual);
    }

    fn mismatch(&mut self, pattern: &Pattern, message: String, expected: String, actual: String) {
        let payload = Payload::PatternMismatch { expected, actual };
        self.report(Diagnostic::new(
            Code::E2009,
            pattern.id,
            pattern.span,
            message,
            payload,
        ));
    }
}
