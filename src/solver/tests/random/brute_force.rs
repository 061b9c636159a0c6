//! Random questions about small numbers, checked by brute force.

use std::collections::BTreeMap;

use crate::questions::{BOOLEANS, INTEGERS, Question, Terms, question};
use fixpoint_solver::{BigInt, Comparison, Formula, Model, Term, Value, Verdict, prove};
use proptest::prelude::*;

const SMALL: std::ops::RangeInclusive<i64> = -4..=4;

type Values = BTreeMap<String, Value>;

fn integer(term: &Term, values: &Values) -> BigInt {
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

fn holds(formula: &Formula, values: &Values) -> bool {
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
        Formula::Iff(a, b) => is(a) == is(b),
        Formula::Call(..) => panic!("no calls in random questions"),
    }
}

fn is_counterexample((facts, goal): &Question, values: &Values) -> bool {
    facts.iter().all(|fact| holds(fact, values)) && !holds(goal, values)
}

/// Completes a model: names that the question does not depend on may have any value.
fn complete(model: &Model) -> Values {
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

/// The question, restricted to small numbers.
fn bounded((facts, goal): Question) -> Question {
    let bounds = INTEGERS.into_iter().flat_map(|name| {
        [
            Term::var(name).compare(Comparison::GreaterOrEqual, Term::int(*SMALL.start())),
            Term::var(name).compare(Comparison::LessOrEqual, Term::int(*SMALL.end())),
        ]
    });
    (facts.into_iter().chain(bounds).collect(), goal)
}

fn any_counterexample(question: &Question) -> bool {
    let mut choices: Vec<Values> = vec![Values::new()];
    let extend = |choices: Vec<Values>, name: &str, options: Vec<Value>| -> Vec<Values> {
        let with = |values: &Values, option: &Value| {
            let mut values = values.clone();
            values.insert(name.to_owned(), option.clone());
            values
        };
        choices
            .iter()
            .flat_map(|values| options.iter().map(|option| with(values, option)))
            .collect()
    };
    for name in BOOLEANS {
        choices = extend(choices, name, vec![Value::Bool(false), Value::Bool(true)]);
    }
    for name in INTEGERS {
        let numbers = SMALL.map(|number| Value::Int(number.into())).collect();
        choices = extend(choices, name, numbers);
    }
    choices
        .iter()
        .any(|values| is_counterexample(question, values))
}

/// Fails if the verdict is wrong.
fn check(question: &Question, may_be_unknown: bool) -> Result<(), TestCaseError> {
    let (facts, goal) = question;
    match prove(facts, goal) {
        Verdict::Proved => prop_assert!(!any_counterexample(question), "proved, and false"),
        Verdict::Refuted(model) => {
            prop_assert!(is_counterexample(question, &complete(&model)), "{model:?}");
        }
        Verdict::Unknown(reason) => prop_assert!(may_be_unknown, "{reason}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn linear_questions_about_small_numbers_are_decided(question in question(Terms::Linear)) {
        check(&bounded(question), false)?;
    }

    #[test]
    fn questions_with_products_are_never_decided_wrongly(question in question(Terms::WithProducts)) {
        check(&bounded(question), true)?;
    }

    #[test]
    fn a_counterexample_is_also_one_without_bounds(question in question(Terms::Linear)) {
        let (facts, goal) = &question;
        match prove(facts, goal) {
            Verdict::Proved => prop_assert!(!any_counterexample(&question)),
            Verdict::Refuted(model) => {
                prop_assert!(is_counterexample(&question, &complete(&model)));
            }
            Verdict::Unknown(reason) => prop_assert!(false, "{reason}"),
        }
    }
}
