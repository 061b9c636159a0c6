//! Generates random questions.

use fixpoint_solver::{Comparison, Formula, Term};
use proptest::prelude::*;

pub const INTEGERS: [&str; 3] = ["x", "y", "z"];
pub const BOOLEANS: [&str; 2] = ["a", "b"];

/// A question: facts and a goal.
pub type Question = (Vec<Formula>, Formula);

/// The forms of terms, besides sums and constant factors.
#[derive(Clone, Copy, PartialEq)]
pub enum Terms {
    Linear,
    WithProducts,
    WithCalls,
}

fn term(terms: Terms) -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        3 => prop::sample::select(&INTEGERS).prop_map(Term::var),
        1 => (-9_i64..=9).prop_map(Term::int),
    ];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let constant = (-5_i64..=5).prop_map(Term::int);
        let divisor = prop::sample::select(vec![-4_i64, -3, -2, -1, 1, 2, 3, 5]);
        let factor = match terms {
            Terms::WithProducts => inner.clone(),
            _ => constant.boxed(),
        };
        let call = move |argument: Term| match terms {
            Terms::WithCalls => Term::call("f", [argument]),
            _ => -argument,
        };
        prop_oneof![
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| a + b),
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| a - b),
            2 => (factor, inner.clone()).prop_map(|(a, b)| a * b),
            1 => inner.clone().prop_map(call),
            1 => (inner.clone(), divisor.clone()).prop_map(|(a, d)| a.quotient(Term::int(d))),
            1 => (inner, divisor).prop_map(|(a, d)| a.remainder(Term::int(d))),
        ]
    })
    .boxed()
}

fn formula(terms: Terms) -> BoxedStrategy<Formula> {
    let comparison = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ]);
    let compare = (comparison, term(terms), term(terms))
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
            (inner.clone(), inner).prop_map(|(a, b)| a.iff(b)),
        ]
    })
    .boxed()
}

pub fn question(terms: Terms) -> impl Strategy<Value = Question> {
    let facts = prop::collection::vec(formula(terms), 0..5);
    (facts, formula(terms))
}
