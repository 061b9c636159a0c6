//! Random questions about numbers of any size, checked by z3 if it is available: on the path, or in
//! a Python environment at `target/z3` (`python3 -m venv target/z3`, then `target/z3/bin/pip
//! install z3-solver`).

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::questions::{BOOLEANS, INTEGERS, Question, Terms, question};
use fixpoint_solver::{Comparison, Formula, Term, Verdict, prove};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const DECLARATIONS: &str = "
(declare-fun f (Int) Int)
(define-fun quotient ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))
(define-fun remainder ((a Int) (b Int)) Int (- a (* b (quotient a b))))
";

fn list<T>(operator: &str, parts: &[T], text: impl Fn(&T) -> String) -> String {
    let parts: Vec<String> = parts.iter().map(text).collect();
    format!("({operator} {})", parts.join(" "))
}

fn smt_term(term: &Term) -> String {
    let two = |name: &str, a: &Term, b: &Term| list(name, &[a, b], |it| smt_term(it));
    match term {
        Term::Int(value) if *value < 0.into() => format!("(- {})", -value),
        Term::Int(value) => value.to_string(),
        Term::Var(name) => name.clone(),
        Term::Call(name, arguments) => list(name, arguments, smt_term),
        Term::Neg(a) => list("-", &[a], |it| smt_term(it)),
        Term::Add(a, b) => two("+", a, b),
        Term::Sub(a, b) => two("-", a, b),
        Term::Mul(a, b) => two("*", a, b),
        Term::Div(a, b) => two("quotient", a, b),
        Term::Rem(a, b) => two("remainder", a, b),
    }
}

fn smt(formula: &Formula) -> String {
    match formula {
        Formula::Bool(value) => value.to_string(),
        Formula::Var(name) => name.clone(),
        Formula::Call(name, arguments) => list(name, arguments, smt_term),
        Formula::Compare(comparison, a, b) => {
            let operator = match comparison {
                Comparison::Equal => "=",
                Comparison::NotEqual => "distinct",
                other => &other.to_string(),
            };
            list(operator, &[a, b], |it| smt_term(it))
        }
        Formula::Not(a) => list("not", &[a], |it| smt(it)),
        Formula::And(parts) if parts.is_empty() => "true".to_owned(),
        Formula::Or(parts) if parts.is_empty() => "false".to_owned(),
        Formula::And(parts) => list("and", parts, smt),
        Formula::Or(parts) => list("or", parts, smt),
        Formula::Iff(a, b) => list("=", &[a, b], |it| smt(it)),
    }
}

/// The answer of z3 to each question: `sat` if there is a counterexample. `None` without z3.
fn ask_z3(questions: &[Question]) -> Option<Vec<String>> {
    let local = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/z3/bin/z3");
    let program = if local.exists() { local } else { "z3".into() };
    let spawned = Command::new(program)
        .args(["-in", "-t:2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut z3) = spawned else {
        println!("skipped: there is no z3");
        return None;
    };
    let mut script = DECLARATIONS.to_owned();
    for name in INTEGERS.iter().chain(&WIDE) {
        script += &format!("(declare-const {name} Int)\n");
    }
    for name in BOOLEANS {
        script += &format!("(declare-const {name} Bool)\n");
    }
    for (facts, goal) in questions {
        script += "(push)\n";
        for fact in facts {
            script += &format!("(assert {})\n", smt(fact));
        }
        script += &format!("(assert (not {}))\n(check-sat)\n(pop)\n", smt(goal));
    }
    let mut input = z3.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = z3.wait_with_output().expect("z3 ends");
    writer.join().expect("no panic").expect("z3 reads");
    let answers = String::from_utf8(output.stdout).expect("text");
    Some(answers.lines().map(str::to_owned).collect())
}

/// Asks both solvers `count` questions; ours may answer at most `unknown` of them with unknown.
fn compare(strategy: impl Strategy<Value = Question>, count: usize, unknown: usize) {
    let mut runner = TestRunner::deterministic();
    let questions: Vec<Question> = (0..count)
        .map(|_| {
            strategy
                .new_tree(&mut runner)
                .expect("a question")
                .current()
        })
        .collect();
    let Some(answers) = ask_z3(&questions) else {
        return;
    };
    assert_eq!(answers.len(), questions.len(), "{:?}", answers.last());
    let mut open = 0;
    for (question, answer) in questions.iter().zip(&answers) {
        let (facts, goal) = question;
        match (prove(facts, goal), answer.as_str()) {
            (Verdict::Proved, "unsat" | "unknown") | (Verdict::Refuted(_), "sat" | "unknown") => {}
            (Verdict::Unknown(_), _) => open += 1,
            (verdict, answer) => panic!("{verdict:?} but z3 says {answer}: {question:?}"),
        }
    }
    println!("{open} of {count} left open");
    assert!(open <= unknown, "{open} of {count} left open");
}

#[test]
fn z3_agrees_on_linear_questions() {
    compare(question(Terms::Linear), 1500, 0);
}

#[test]
fn z3_agrees_on_questions_with_calls() {
    compare(question(Terms::WithCalls), 1500, 0);
}

#[test]
fn z3_agrees_on_questions_with_products_where_both_decide() {
    compare(question(Terms::WithProducts), 500, 50);
}

const WIDE: [&str; 5] = ["p", "q", "r", "s", "t"];

/// Many inequalities on many variables, with coefficients that leave gaps between integers.
fn wide() -> impl Strategy<Value = Question> {
    let row = prop::collection::vec(-20_i64..=20, WIDE.len() + 1).prop_map(|numbers| {
        let sum = WIDE
            .iter()
            .zip(&numbers)
            .filter(|(_, factor)| **factor % 3 != 0)
            .map(|(name, factor)| Term::int(*factor) * Term::var(*name))
            .reduce(|sum, term| sum + term)
            .unwrap_or(Term::int(0));
        let comparison = match numbers.last() {
            Some(last) if last % 4 == 0 => Comparison::Equal,
            _ => Comparison::GreaterOrEqual,
        };
        sum.compare(comparison, Term::int(numbers[WIDE.len()]))
    });
    let facts = prop::collection::vec(row.clone(), 3..9);
    (facts, row)
}

#[test]
fn z3_agrees_on_many_inequalities() {
    compare(wide(), 300, 30);
}
