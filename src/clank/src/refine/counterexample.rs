//! Values for which a goal does not hold, under the names in the source.

use std::collections::BTreeMap;

use fixpoint_solver::{BigInt, Model, Term as Solved, Value};

use super::encode::Encoder;
use super::pred::{Arith, Pred, Term};

/// The values of a model for the terms of the goal. `about` names terms without a name in the goal,
/// such as a number that is passed to a parameter. Keys that start with `_` are not values.
pub(super) fn counterexample(
    goal: &Pred,
    about: &[(&str, &Term)],
    model: &Model,
    encoder: &mut Encoder<'_, '_>,
) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    each_term(goal, &mut |term| {
        let is_named = matches!(
            term,
            Term::Value(..) | Term::Call(..) | Term::Field(..) | Term::Index(..)
        );
        if let Some(value) = value_of(term, model, encoder).filter(|_| is_named) {
            values.insert(term.to_string(), value);
        }
    });
    if values.is_empty() {
        for (name, term) in about {
            if let Some(value) = value_of(term, model, encoder) {
                values.insert((*name).to_owned(), value);
            }
        }
    }
    if !values.is_empty() {
        values.insert("_violated".to_owned(), goal.to_string());
    }
    values
}

/// The counterexample as a sentence. If there are no values, the fact that contradicts the goal.
pub(super) fn shown(counterexample: &BTreeMap<String, String>) -> Option<String> {
    let values = counterexample
        .iter()
        .filter(|(name, _)| !name.starts_with('_'))
        .map(|(name, value)| format!("{name} = {value}"));
    let values: Vec<String> = values.collect();
    if values.is_empty() {
        let fact = counterexample.get("_contradicts");
        return fact.map(|fact| format!("it contradicts {fact}"));
    }
    Some(format!("it does not hold for {}", values.join(", ")))
}

/// The value that a term has in a model, as the author would write it.
fn value_of(term: &Term, model: &Model, encoder: &mut Encoder<'_, '_>) -> Option<String> {
    match term {
        Term::Int(value) => return Some(value.to_string()),
        Term::Bool(value) => return Some(value.to_string()),
        Term::Float(_) | Term::Str(_) => return Some(term.to_string()),
        Term::Neg(_) | Term::Binary(..) => {
            return integer(term, model, encoder).map(|it| it.to_string());
        }
        _ => {}
    }
    let solved = encoder.term(term);
    if encoder.is_float(term) {
        return encoder.float_in(&solved, model);
    }
    let value = integer_in(&solved, model)?;
    if encoder.is_string(term) {
        return encoder.string_of(&value);
    }
    encoder.shows_value(term).then(|| value.to_string())
}

/// The value of a sum or a product of integers.
fn integer(term: &Term, model: &Model, encoder: &mut Encoder<'_, '_>) -> Option<BigInt> {
    match term {
        Term::Neg(inner) => Some(-integer(inner, model, encoder)?),
        Term::Binary(op, left, right) => {
            let left = integer(left, model, encoder)?;
            let right = integer(right, model, encoder)?;
            match op {
                Arith::Add => Some(left + right),
                Arith::Subtract => Some(left - right),
                Arith::Multiply => Some(left * right),
                _ => None,
            }
        }
        other => value_of(other, model, encoder)?.parse().ok(),
    }
}

/// The value of a solver term. The solver uses a separate name for a boolean variable.
fn integer_in(term: &Solved, model: &Model) -> Option<Value> {
    let key = match term {
        Solved::Var(name) => name.clone(),
        other => other.to_string(),
    };
    let truth = key.replacen('v', "b", 1);
    let value = model.values.get(&key).or_else(|| model.values.get(&truth));
    value.cloned()
}

/// Calls `visit` with every term, and every part of one.
fn each_term(pred: &Pred, visit: &mut dyn FnMut(&Term)) {
    match pred {
        Pred::Compare(_, left, right) => {
            each_part(left, visit);
            each_part(right, visit);
        }
        Pred::And(left, right) | Pred::Or(left, right) => {
            each_term(left, visit);
            each_term(right, visit);
        }
        Pred::Not(pred) => each_term(pred, visit),
        Pred::Holds(term) => each_part(term, visit),
        Pred::Bool(_) | Pred::Unknown(_) => {}
    }
}

fn each_part(term: &Term, visit: &mut dyn FnMut(&Term)) {
    visit(term);
    match term {
        Term::Neg(inner) | Term::Field(inner, _) => each_part(inner, visit),
        Term::Binary(_, left, right) | Term::Index(left, right) => {
            each_part(left, visit);
            each_part(right, visit);
        }
        Term::Call(_, args) => args.iter().for_each(|arg| each_part(arg, visit)),
        _ => {}
    }
}
