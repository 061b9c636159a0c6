//! What the solver proves, refutes and leaves open, for typical questions of refinement types.

use fixpoint_solver::{
    BigInt, Comparison, Formula, Model, Term, Unknown, Value, Verdict, prove, prove_within,
};

use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};

fn int(value: i64) -> Term {
    Term::int(value)
}

fn var(name: &str) -> Term {
    Term::var(name)
}

fn len(name: &str) -> Term {
    Term::call("len", [var(name)])
}

fn assert_proved(facts: &[Formula], goal: &Formula) {
    assert_eq!(prove(facts, goal), Verdict::Proved);
}

/// The values that refute the goal, as text.
fn refuted(facts: &[Formula], goal: &Formula) -> Vec<(String, String)> {
    match prove(facts, goal) {
        Verdict::Refuted(Model { values }) => {
            let texts = values
                .iter()
                .map(|(name, it)| (name.clone(), it.to_string()));
            texts.collect()
        }
        other => panic!("{other:?}"),
    }
}

fn values(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
    owned.collect()
}

#[test]
fn a_bound_implies_weaker_bounds() {
    let fact = [var("x").compare(Greater, int(5))];
    for goal in [
        var("x").compare(Greater, int(0)),
        var("x").compare(GreaterOrEqual, int(6)),
        var("x").compare(NotEqual, int(5)),
        (var("x") + int(1)).compare(Greater, int(6)),
        (int(10) - var("x")).compare(Less, int(5)),
        (-var("x")).compare(LessOrEqual, int(-6)),
    ] {
        assert_proved(&fact, &goal);
    }
}

#[test]
fn a_goal_that_does_not_follow_is_refuted_by_the_value_nearest_to_zero() {
    let goal = var("x").compare(Greater, int(0));
    assert_eq!(refuted(&[], &goal), values(&[("x", "0")]));
    let below = var("x").compare(Less, int(-3));
    assert_eq!(refuted(&[below], &goal), values(&[("x", "-4")]));
    // K-94: the solver takes neither of the two unsound steps of the first Clank solver.
    let at_least = var("v").compare(GreaterOrEqual, int(2));
    let shifted = (var("v") + int(3)).compare(NotEqual, int(5));
    assert_eq!(
        refuted(std::slice::from_ref(&at_least), &shifted),
        values(&[("v", "2")])
    );
    let mirrored = (int(9) - var("v")).compare(GreaterOrEqual, int(2));
    assert_eq!(refuted(&[at_least], &mirrored), values(&[("v", "8")]));
}

#[test]
fn a_definition_is_an_equation() {
    let facts = [
        var("n").compare(Greater, int(0)),
        var("m").compare(Equal, var("n") + int(1)),
    ];
    assert_proved(&facts, &var("m").compare(Greater, int(1)));
}

#[test]
fn index_bounds_follow_from_facts_about_the_length() {
    let non_empty = [len("xs").compare(Greater, int(0))];
    let in_bounds = Formula::And(vec![
        int(0).compare(GreaterOrEqual, int(0)),
        int(0).compare(Less, len("xs")),
    ]);
    assert_proved(&non_empty, &in_bounds);
    let last = len("xs") - int(1);
    assert_proved(&non_empty, &last.compare(Less, len("xs")));
    let of_another = int(0).compare(Less, len("ys"));
    assert!(matches!(
        prove(&non_empty, &of_another),
        Verdict::Refuted(_)
    ));
}

#[test]
fn equal_arguments_give_equal_results() {
    let same = [var("xs").compare(Equal, var("ys"))];
    assert_proved(&same, &len("xs").compare(Equal, len("ys")));
    let twice = |name: &str| Term::call("f", [Term::call("f", [var(name)])]);
    assert_proved(&same, &twice("xs").compare(Equal, twice("ys")));
    let even = |name: &str| Formula::Call("even".to_owned(), vec![var(name)]);
    assert_proved(&[same[0].clone(), even("xs")], &even("ys"));
    assert_eq!(
        refuted(&[even("xs")], &even("ys")),
        values(&[
            ("even(xs)", "true"),
            ("even(ys)", "false"),
            ("xs", "0"),
            ("ys", "1")
        ])
    );
}

#[test]
fn conjunctions_are_split_and_negations_pushed_in() {
    let both = Formula::And(vec![
        var("x").compare(Greater, int(0)),
        var("y").compare(Greater, int(0)),
    ]);
    assert_proved(
        std::slice::from_ref(&both),
        &var("x").compare(Greater, int(0)),
    );
    let otherwise = [var("y").compare(LessOrEqual, int(0)).negate()];
    assert_proved(&otherwise, &var("y").compare(Greater, int(0)));
    let neither = [both.clone().negate(), var("x").compare(Greater, int(3))];
    assert_proved(&neither, &var("y").compare(LessOrEqual, int(0)));
}

#[test]
fn booleans_and_numbers_are_decided_together() {
    let (a, b) = (Formula::var("a"), Formula::var("b"));
    let positive = var("x").compare(Greater, int(0));
    let facts = [
        a.clone().iff(positive.clone()),
        Formula::Or(vec![b.clone().negate(), a.clone()]),
        b.clone(),
    ];
    assert_proved(&facts, &var("x").compare(NotEqual, int(0)));
    assert_eq!(
        refuted(&facts[..2], &positive),
        values(&[("a", "false"), ("b", "false"), ("x", "0")])
    );
    assert_proved(&[], &Formula::Or(vec![a.clone(), a.negate()]));
}

#[test]
fn facts_that_contradict_each_other_prove_anything() {
    let facts = [
        var("x").compare(Greater, var("y")),
        var("y").compare(Greater, var("x")),
    ];
    assert_proved(&facts, &Formula::Bool(false));
}

#[test]
fn a_solution_must_be_an_integer() {
    // 2x == 2y + 1 has no integer solution; 5 <= 3x - 2y <= 5 has.
    let odd = (int(2) * var("x")).compare(Equal, int(2) * var("y") + int(1));
    assert_proved(&[odd], &Formula::Bool(false));
    let some = (int(3) * var("x") - int(2) * var("y")).compare(Equal, int(5));
    assert!(matches!(
        prove(&[some], &Formula::Bool(false)),
        Verdict::Refuted(_)
    ));
    // A band that contains fractions, but no integer: 27 <= 11x + 13y <= 45, -10 <= 7x - 9y <= 4.
    let sum = || int(11) * var("x") + int(13) * var("y");
    let difference = || int(7) * var("x") - int(9) * var("y");
    let band = [
        sum().compare(GreaterOrEqual, int(27)),
        sum().compare(LessOrEqual, int(45)),
        difference().compare(GreaterOrEqual, int(-10)),
        difference().compare(LessOrEqual, int(4)),
    ];
    assert_proved(&band, &Formula::Bool(false));
}

#[test]
fn quotients_and_remainders_by_constants_are_exact() {
    let x = || var("x");
    let rem = |n| x().remainder(int(n));
    assert_proved(&[], &rem(3).compare(Less, int(3)));
    assert_proved(&[], &rem(-3).compare(Greater, int(-3)));
    let back = x().quotient(int(7)) * int(7) + rem(7);
    assert_proved(&[], &back.compare(Equal, x()));
    let positive = [x().compare(GreaterOrEqual, int(0))];
    assert_proved(&positive, &rem(3).compare(GreaterOrEqual, int(0)));
    assert_eq!(
        refuted(&[], &rem(3).compare(GreaterOrEqual, int(0))),
        values(&[("x", "-1")])
    );
    let both = [rem(4).compare(Equal, int(3)), rem(6).compare(Equal, int(2))];
    assert_proved(&both, &Formula::Bool(false));
    assert_proved(&[], &int(-7).quotient(int(2)).compare(Equal, int(-3)));
}

#[test]
fn products_are_decided_if_a_factor_is_known_or_signs_suffice() {
    let area = || var("w") * var("h");
    let sides = [
        var("w").compare(Greater, int(0)),
        var("h").compare(Greater, int(0)),
    ];
    assert_proved(&sides, &area().compare(Greater, int(0)));
    assert_proved(&[], &(var("x") * var("x")).compare(GreaterOrEqual, int(0)));
    assert_proved(&[], &area().compare(Equal, var("h") * var("w")));
    let known = [
        var("w").compare(Equal, int(3)),
        var("h").compare(Equal, int(14)),
    ];
    assert_proved(&known, &area().compare(Equal, int(42)));
    let one_known = [known[0].clone()];
    assert_proved(
        &one_known,
        &area().compare(Equal, var("h") + var("h") + var("h")),
    );
    assert_eq!(
        refuted(&[], &area().compare(Greater, int(0))),
        values(&[("h", "0"), ("w", "0")])
    );
}

#[test]
fn non_linear_arithmetic_is_unknown_with_a_reason() {
    // Fermat's last theorem for cubes: true, but not decidable here.
    let cube = |name: &str| var(name) * var(name) * var(name);
    let positive = ["a", "b", "c"].map(|name| var(name).compare(Greater, int(0)));
    let goal = (cube("a") + cube("b")).compare(NotEqual, cube("c"));
    let Verdict::Unknown(reason) = prove(&positive, &goal) else {
        panic!("decided");
    };
    assert_eq!(
        reason,
        Unknown::NotLinear {
            term: "(a * a)".to_owned()
        }
    );
    assert!(reason.to_string().contains("`(a * a)` is not linear"));
}

#[test]
fn a_quotient_by_zero_is_unspecified() {
    let by_zero = var("x").quotient(var("y"));
    let goal = Formula::And(vec![
        var("y").compare(NotEqual, int(0)),
        by_zero.clone().compare(Equal, by_zero),
    ]);
    assert_eq!(refuted(&[], &goal), values(&[("x", "0"), ("y", "0")]));
}

#[test]
fn numbers_of_any_size_are_exact() {
    let huge = BigInt::from(7).pow(400);
    let fact = [var("x").compare(Greater, Term::int(huge.clone()))];
    let goal = (var("x") * Term::int(huge.clone())).compare(Greater, Term::int(huge.pow(2)));
    assert_proved(&fact, &goal);
    let Verdict::Refuted(model) = prove(
        &fact,
        &var("x").compare(NotEqual, Term::int(huge.clone() + 1)),
    ) else {
        panic!("not refuted");
    };
    assert_eq!(model.values["x"], Value::Int(huge + 1));
}

#[test]
fn many_excluded_values_are_skipped_one_by_one() {
    let x = || var("x");
    let mut facts: Vec<Formula> = (0..200).map(|n| x().compare(NotEqual, int(n))).collect();
    facts.push(x().compare(GreaterOrEqual, int(0)));
    assert_proved(&facts, &x().compare(GreaterOrEqual, int(200)));
    assert_eq!(
        refuted(&facts, &x().compare(Greater, int(200))),
        values(&[("x", "200")])
    );
}

#[test]
fn a_question_beyond_the_step_limit_is_unknown() {
    // Twelve pigeons do not fit into eleven holes, which takes very long to show case by case.
    let in_hole = |pigeon: usize, hole: usize| Formula::var(format!("{pigeon} in {hole}"));
    let mut facts: Vec<Formula> = (0..12)
        .map(|pigeon| Formula::Or((0..11).map(|hole| in_hole(pigeon, hole)).collect()))
        .collect();
    for hole in 0..11 {
        for one in 0..12 {
            for other in 0..one {
                let together = Formula::And(vec![in_hole(one, hole), in_hole(other, hole)]);
                facts.push(together.negate());
            }
        }
    }
    let verdict = prove_within(&facts, &Formula::Bool(false), 100_000);
    assert_eq!(verdict, Verdict::Unknown(Unknown::OutOfSteps));
}

#[test]
fn deep_terms_and_formulas_are_decided() {
    let deep = (0..2_000).fold(var("x"), |term, _| -(term + int(1)));
    assert_proved(&[], &deep.clone().compare(Equal, deep));
    let positive = var("x").compare(Greater, int(0));
    let deep = (0..2_000).fold(positive.clone(), |formula, _| formula.negate());
    assert_proved(&[positive], &deep);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let facts = [
        (var("a") + var("b") * int(3)).compare(Less, var("c")),
        (var("c") * int(2)).compare(Less, var("a") - var("b")),
    ];
    let goal = var("c").compare(Greater, int(-5));
    assert_eq!(prove(&facts, &goal), prove(&facts, &goal));
}

#[test]
fn many_calls_of_one_function_stay_within_the_step_limit() {
    let get = |at: Term| Term::call("get", [var("xs"), at]);
    let chain = (1..300).map(|at| {
        let (before, own) = (var(&format!("a{}", at - 1)), var(&format!("a{at}")));
        own.compare(Equal, get(before) + get(var("k") + int(at)))
    });
    let mut facts: Vec<Formula> = chain.collect();
    facts.push(var("k").compare(Greater, int(4)));
    let known = var("k").compare(GreaterOrEqual, int(5));
    assert_eq!(prove_within(&facts, &known, 100_000), Verdict::Proved);
    let unknown = var("k").compare(GreaterOrEqual, int(6));
    let verdict = prove_within(&facts, &unknown, 100_000);
    assert!(matches!(verdict, Verdict::Refuted(_)), "{verdict:?}");
}
