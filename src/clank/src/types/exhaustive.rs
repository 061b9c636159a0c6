//! Checks that the arms of a match cover all values. Owns E2015.
//!
//! Arms with a guard do not count. The others form a matrix with a row for each arm and a column
//! for each part of the value. `usefulness` searches for a value that no row matches (Maranget,
//! "Warnings for pattern matching").
//!
//! A match on a tuple needs a catch-all, whatever its patterns cover.

use super::check::Checker;
use super::usefulness::{Constructor, Coverage, Row, Shape, Witness};
use super::{Ty, TyKind};
use crate::ast::{Arm, Expr};
use crate::diagnostic::{Code, MissingPattern, MissingPatternKind, Payload};

impl Checker<'_, '_> {
    pub fn exhaustive(&mut self, expr: &Expr, subject: Ty, arms: &[Arm]) {
        let unguarded = arms.iter().filter(|arm| arm.guard.is_none());
        let rows: Vec<Row<'_>> = unguarded.map(|arm| Row::of(&arm.pattern)).collect();
        // If the search takes too long, the author has to add a catch-all.
        let missing = self.missing(subject, &rows);
        let mut missing = missing.unwrap_or_else(|| vec![catch_all()]);
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

    /// A pattern for each constructor of the subject that the rows do not fully cover. `None` if
    /// the search takes too long.
    fn missing(&mut self, subject: Ty, rows: &[Row<'_>]) -> Option<Vec<MissingPattern>> {
        if rows.iter().any(Row::catches_all) {
            return Some(Vec::new());
        }
        let is_variable = matches!(
            self.arena.kind(self.arena.base(subject)),
            TyKind::Var(_) | TyKind::Generic(_)
        );
        let shape = if is_variable {
            Shape::Open
        } else {
            self.shape(subject, rows)
        };
        let Shape::Closed(constructors) = shape else {
            return Some(vec![catch_all()]);
        };
        let mut coverage = Coverage::new(self);
        let mut missing = Vec::new();
        for constructor in &constructors {
            if let Some(parts) = coverage.uncovered_of(constructor, rows)? {
                missing.push(missing_pattern(constructor, parts));
            }
        }
        if missing.is_empty()
            && matches!(
                constructors.as_slice(),
                [Constructor::Tuple(parts)] if !parts.is_empty()
            )
        {
            missing.push(catch_all());
        }
        Some(missing)
    }
}

fn missing_pattern(constructor: &Constructor, parts: Vec<Witness>) -> MissingPattern {
    let is_whole = parts.iter().all(|it| *it == Witness::Anything);
    let witness = constructor.witness(parts);
    match constructor {
        Constructor::Variant {
            name,
            sum,
            field_names,
            ..
        } => MissingPattern {
            description: if is_whole {
                name.to_string()
            } else {
                witness.to_string()
            },
            kind: MissingPatternKind::Variant,
            variant_name: Some(name.to_string()),
            type_name: Some(sum.to_string()),
            has_payload: Some(!field_names.is_empty()),
            field_names: Some(field_names.iter().map(ToString::to_string).collect()),
        },
        Constructor::Bool(_) => other(witness.to_string(), MissingPatternKind::Literal),
        Constructor::Unit | Constructor::Tuple(_) | Constructor::Record(_) if is_whole => {
            catch_all()
        }
        Constructor::Unit | Constructor::Tuple(_) | Constructor::Record(_) => {
            other(witness.to_string(), MissingPatternKind::Other)
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
