//! Whether the arms of a match cover everything. Owns E2015.
//!
//! Arms with a guard do not count. A wildcard or a name covers everything; else a sum needs each of
//! its variants, a boolean both values, and anything else a catch-all: what patterns hold inside is
//! not looked into, so a tuple pattern is none.

use std::collections::HashSet;

use super::check::Checker;
use super::{Ty, TyKind};
use crate::ast::{Arm, Expr, Literal, PatternKind};
use crate::diagnostic::{Code, MissingPattern, MissingPatternKind, Payload};
use crate::names::Primitive;

impl Checker<'_, '_> {
    pub fn exhaustive(&mut self, expr: &Expr, subject: Ty, arms: &[Arm]) {
        let mut missing = self.missing(subject, arms);
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

    fn missing(&self, subject: Ty, arms: &[Arm]) -> Vec<MissingPattern> {
        let patterns = || {
            arms.iter()
                .filter(|arm| arm.guard.is_none())
                .map(|arm| &arm.pattern.kind)
        };
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
                let covered: HashSet<&str> = patterns()
                    .filter_map(|it| match it {
                        PatternKind::Variant { name, .. } => Some(name.text.as_str()),
                        _ => None,
                    })
                    .collect();
                let uncovered = sum.variants.iter();
                let uncovered = uncovered.filter(|it| !covered.contains(it.name.text.as_str()));
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
