//! Random questions, and what they mean, written down a second time.

use std::collections::BTreeMap;

use fixpoint_solver::{BigInt, Comparison, Formula, Model, Term, Value};
use proptest::prelude::*;

pub const INTEGERS: [&str; 3] = ["x", "y", "z"];
pub const BOOLEANS: [&str; 2] = ["a", "b"];

/// A question: facts and a goal.
pub type Question = (Vec<Formula>, Formula);

fn term(with_products: bool) -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        3 => prop::sample::select(&INTEGERS).prop_map(Term::var),
        1 => (-9_i64..=9).prop_map(Term::int),
    ];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let constant = (-5_i64..=5).prop_map(Term::int);
        let divisor = prop::sample::select(vec![-4_i64, -3, -2, -1, 1, 2, 3, 5]);
        let factor = if with_products {
            inner.clone()
        } else {
            constant.boxed()
        };
        prop_oneof![
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| a + b),
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| a - b),
            2 => (factor, inner.clone()).prop_map(|(a, b)| a * b),
            1 => inner.clone().prop_map(|a| -a),
            1 => (inner.clone(), divisor.clone()).prop_map(|(a, d)| a.quotient(Term::int(d))),
            1 => (inner, divisor).prop_map(|(a, d)| a.remainder(Term::int(d))),
        ]
    })
    .boxed()
}

fn formula(with_products: bool) -> BoxedStrategy<Formula> {
    let comparison = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ]);
    let compare = (comparison, term(with_products), term(with_products))
        .prop_map(|(comparison, a, b)| a.compare(comparison, b));
    let leaf = prop_oneof![
        8 => compare,
        1 => prop::sample::select(&BOOLEANS).prop_map(Formula::var),
        1 => any::<bool>().prop_map(Formula::Bool),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            several.clone().prop_map(Formula::And),
            several.prop_map(Formula::Or),
            inner.clone().prop_map(Formula::negate),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.implies(b)),
            (inner.clone(), inner).prop_map(|(a, b)| a.iff(b)),
        ]
    })
    .boxed()
}

pub fn question(with_products: bool) -> impl Strategy<Value = Question> {
    let facts = prop::collection::vec(formula(with_products), 0..5);
    (facts, formula(with_products))
}

pub type Values = BTreeMap<String, Value>;

pub fn integer(term: &Term, values: &Values) -> BigInt {
    let of = |term: &Term| integer(term, values);
    match term {
        Term::Int(value) => value.clone(),
        Term::Var(name) => match values.get(name) {
            Some(Value::Int(value)) => value.clone(),
            other => panic!("{name} is {other:?}"),
        },
        Term::Neg(a) => -of(a),
        Term::Add(a, b) => of(a) + of(b),
        Term::Sub(a, b) => of(a) - of(b),
        Term::Mul(a, b) => of(a) * of(b),
        Term::Div(a, b) => of(a) / of(b),
        Term::Rem(a, b) => of(a) % of(b),
        Term::Call(..) => panic!("no calls in random questions"),
    }
}

pub fn holds(formula: &Formula, values: &Values) -> bool {
    let is = |formula: &Formula| holds(formula, values);
    match formula {
        Formula::Bool(value) => *value,
        Formula::Var(name) => match values.get(name) {
            Some(Value::Bool(value)) => *value,
            other => panic!("{name} is {other:?}"),
        },
        Formula::Compare(comparison, a, b) => {
            let (a, b) = (integer(a, values), integer(b, values));
            match comparison {
                Comparison::Equal => a == b,
                Comparison::NotEqual => a != b,
                Comparison::Less => a < b,
                Comparison::LessOrEqual => a <= b,
                Comparison::Greater => a > b,
                Comparison::GreaterOrEqual => a >= b,
            }
        }
        Formula::Not(a) => !is(a),
        Formula::And(parts) => parts.iter().all(is),
        Formula::Or(parts) => parts.iter().any(is),
        Formula::Implies(a, b) => !is(a) || is(b),
        Formula::Iff(a, b) => is(a) == is(b),
        Formula::Call(..) => panic!("no calls in random questions"),
    }
}

pub fn is_counterexample((facts, goal): &Question, values: &Values) -> bool {
    facts.iter().all(|fact| holds(fact, values)) && !holds(goal, values)
}

/// `model` as a check would use it: what the question does not depend on may be anything.
pub fn complete(model: &Model) -> Values {
    let mut values = model.values.clone();
    for name in INTEGERS {
        let zero = Value::Int(BigInt::from(0));
        values.entry(name.to_owned()).or_insert(zero);
    }
    for name in BOOLEANS {
        values.entry(name.to_owned()).or_insert(Value::Bool(false));
    }
    values
}
