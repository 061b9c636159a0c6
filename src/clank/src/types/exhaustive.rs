//! Whether the arms of a match cover everything. Owns E2015.
//!
//! Arms with a guard do not count. A wildcard or a name covers everything; else a sum needs each of
//! its variants, a boolean both values, and anything else a catch-all; a tuple pattern is none. A variant
//! is covered if its patterns cover each of its fields, looked at one by one: that refuses nothing that
//! covers everything, and misses only what fields leave open together.

use super::check::Checker;
use super::{Ty, TyKind};
use crate::ast::{Arm, Expr, Literal, Pattern, PatternKind};
use crate::diagnostic::{Code, MissingPattern, MissingPatternKind, Payload};
use crate::names::Primitive;

impl Checker<'_, '_> {
    pub fn exhaustive(&mut self, expr: &Expr, subject: Ty, arms: &[Arm]) {
        let unguarded = arms.iter().filter(|arm| arm.guard.is_none());
        let patterns: Vec<&Pattern> = unguarded.map(|arm| &arm.pattern).collect();
        let mut missing = self.missing(subject, &patterns);
        if missing.is_empty() && arms.is_empty() {
            missing.push(catch_all());
        }
        if missing.is_empty() {
            return;
        }
        let names: Vec<String> = missing.iter().map(|it| it.description.clone()).collect();
        let message = format!("the match does not cover {}", super::check::quoted(&names));
        let payload = Payload::NonExhaustiveMatch {
            missing_patterns: missing,
        };
        self.error(Code::E2015, expr, message, payload);
    }

    fn missing(&self, subject: Ty, all: &[&Pattern]) -> Vec<MissingPattern> {
        let patterns = || all.iter().map(|it| &it.kind);
        let catches_all =
            |it: &PatternKind| matches!(it, PatternKind::Wildcard | PatternKind::Ident(_));
        if patterns().any(catches_all) {
            return Vec::new();
        }
        match self.arena.kind(self.arena.base(subject)) {
            TyKind::Prim(Primitive::Bool) => [true, false]
                .into_iter()
                .filter(|value| {
                    let literal = PatternKind::Literal(Literal::Bool(*value));
                    !patterns().any(|it| *it == literal)
                })
                .map(|value| other(value.to_string(), MissingPatternKind::Literal))
                .collect(),
            TyKind::Prim(Primitive::Unit) if patterns().next().is_some() => Vec::new(),
            TyKind::Named(name, _) => {
                let def = self.globals.type_def(self.arena.name(*name));
                let Some(sum) = def.and_then(|def| self.globals.sum(def)) else {
                    return vec![catch_all()];
                };
                let uncovered = sum.variants.iter();
                let uncovered = uncovered.filter(|it| !self.covers(all, &it.name.text));
                uncovered
                    .map(|variant| MissingPattern {
                        description: variant.name.text.clone(),
                        kind: MissingPatternKind::Variant,
                        variant_name: Some(variant.name.text.clone()),
                        type_name: Some(sum.name.text.clone()),
                        has_payload: Some(!variant.fields.is_empty()),
                        field_names: Some(
                            variant
                                .fields
                                .iter()
                                .map(|(name, _)| {
                                    name.as_ref().map_or_else(String::new, |it| it.text.clone())
                                })
                                .collect(),
                        ),
                    })
                    .collect()
            }
            _ => vec![catch_all()],
        }
    }

    /// Whether a variant is covered, as far as each of its fields on its own can tell.
    fn covers(&self, patterns: &[&Pattern], variant: &str) -> bool {
        let payloads: Vec<&[Pattern]> = patterns
            .iter()
            .filter_map(|it| match &it.kind {
                PatternKind::Variant { name, payload } if name.text == variant => {
                    Some(payload.as_deref().unwrap_or_default())
                }
                _ => None,
            })
            .collect();
        let Some(fewest) = payloads.iter().map(|it| it.len()).min() else {
            return false;
        };
        (0..fewest).all(|at| {
            let field: Vec<&Pattern> = payloads.iter().filter_map(|it| it.get(at)).collect();
            let is_open = field.iter().any(|it| {
                let kind = &it.kind;
                matches!(kind, PatternKind::Tuple(_) | PatternKind::Record(_))
            });
            let ty = field.first().and_then(|it| self.type_of(it.id));
            let known = ty.filter(|ty| {
                let kind = self.arena.kind(self.arena.base(*ty));
                !matches!(kind, TyKind::Var(_))
            });
            is_open || known.is_none_or(|ty| self.missing(ty, &field).is_empty())
        })
    }
}

fn catch_all() -> MissingPattern {
    other("_".to_owned(), MissingPatternKind::Other)
}

fn other(description: String, kind: MissingPatternKind) -> MissingPattern {
    MissingPattern {
        description,
        kind,
        variant_name: None,
        type_name: None,
        has_payload: None,
        field_names: None,
    }
}
