//! Random questions about small numbers, answered a second time by trying all of them.

mod common;

use common::{BOOLEANS, INTEGERS, Question, Values, complete, is_counterexample, question};
use fixpoint_solver::{Comparison, Term, Value, Verdict, prove};
use proptest::prelude::*;

const SMALL: std::ops::RangeInclusive<i64> = -4..=4;

/// The question asked about small numbers only.
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

/// Fails unless the verdict is right.
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
    fn linear_questions_about_small_numbers_are_decided(question in question(false)) {
        check(&bounded(question), false)?;
    }

    #[test]
    fn questions_with_products_are_never_decided_wrongly(question in question(true)) {
        check(&bounded(question), true)?;
    }

    #[test]
    fn a_counterexample_is_one_without_bounds_too(question in question(false)) {
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
