//! Patterns against the type of what they match.

use super::check::Checker;
use super::expr::unknown_field_message;
use super::{Ty, TyKind};
use crate::ast::{FieldPattern, Name, Pattern, PatternKind, Variant};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Def, similar_names};

impl Checker<'_, '_> {
    pub fn pattern(&mut self, pattern: &Pattern, subject: Ty) {
        self.set_type(pattern.id, subject);
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Ident(_) => self.bind(pattern.id, subject),
            PatternKind::Tuple(elements) => self.tuple_pattern(pattern, elements, subject),
            PatternKind::Record(fields) => self.record_pattern(pattern, fields, subject),
            PatternKind::Variant { name, payload } => {
                self.variant_pattern(
                    pattern,
                    name,
                    payload.as_deref().unwrap_or_default(),
                    subject,
                );
            }
        }
    }

    /// What a variable starts from need not hold of what is assigned to it later. The pattern keeps
    /// the type of the start.
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
                // A variable always becomes a tuple of new variables.
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

    fn variant_pattern(&mut self, pattern: &Pattern, name: &Name, parts: &[Pattern], subject: Ty) {
        let base = self.arena.base(subject);
        let payload = self.payload_types(pattern, name, base);
        for (at, part) in parts.iter().enumerate() {
            let ty = payload.get(at).copied();
            let ty = match ty {
                Some(ty) => ty,
                None => self.arena.poison(),
            };
            self.pattern(part, ty);
        }
    }

    /// The types of a variant's fields. The variant is looked for in the sum that is matched; where
    /// that is not known, by its name alone.
    fn payload_types(&mut self, pattern: &Pattern, name: &Name, base: Ty) -> Vec<Ty> {
        let (def, args) = match self.arena.kind(base).clone() {
            TyKind::Named(sum, args) => match self.variant_of(pattern, name, sum) {
                Some(variant) => (variant, args),
                None => return Vec::new(),
            },
            TyKind::Var(_) => match self.names.of_use(pattern.id) {
                Some(Def::Variant(variant)) => {
                    let params = self.globals.type_params(variant.sum);
                    let args: Vec<Ty> = params.iter().map(|_| self.arena.fresh()).collect();
                    (Def::Variant(variant), args)
                }
                _ => return Vec::new(),
            },
            TyKind::Generic(_) => return Vec::new(),
            _ => {
                let owner = self.arena.show(base);
                self.unknown_variant(pattern, name, &owner, &[]);
                return Vec::new();
            }
        };
        match self
            .scheme(def)
            .map(|scheme| self.arena.kind(scheme.ty).clone())
        {
            Some(TyKind::Function { params, .. }) => {
                let params = params.into_iter();
                params.map(|ty| self.arena.instantiate(ty, &args)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn variant_of(&mut self, pattern: &Pattern, name: &Name, sum: super::Sym) -> Option<Def> {
        let def = self.globals.type_def(self.arena.name(sum))?;
        let globals = self.globals;
        let (owner, variants) = match globals.sum(def) {
            Some(sum) => (sum.name.text.clone(), sum.variants.as_slice()),
            None => (self.arena.name(sum).to_owned(), &[][..]),
        };
        if let Some(at) = variants.iter().position(|it| it.name.text == name.text) {
            return Some(Def::Variant(crate::names::VariantDef { sum: def, at }));
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
            name: name.text.clone(),
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
        let payload = Payload::PatternMismatch {
            expected: wanted.to_owned(),
            actual,
        };
        self.report(Diagnostic::new(
            Code::E2009,
            pattern.id,
            pattern.span,
            message,
            payload,
        ));
    }
}
