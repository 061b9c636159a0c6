//! Searches for values that make every fact true and the goal false.
//!
//! A branch of the search contains the constraints that are settled so far. Its solution is tested
//! on the whole question, and only a part that it violates is split into cases. So alternatives
//! cost nothing until they matter.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::formula::Formula;
use crate::linear::{Assignment, Linear, Variable};
use crate::omega;
use crate::problem::{Literal, Node, Operand, Operation, Problem, Switch};
use crate::steps::{OutOfSteps, Steps};
use crate::verdict::{Unknown, Verdict};

/// How often the search samples an operation at another value of an operand before it gives up.
const MAX_SAMPLES: usize = 20;

#[derive(Clone, Default)]
struct Branch {
    /// Non-negative sums.
    settled: Vec<Linear>,
    switches: BTreeMap<Switch, bool>,
    /// Literals that can hold in several ways.
    open: BTreeSet<Literal>,
    /// A solution of the constraints that were settled when it was found.
    solution: Option<Assignment>,
}

pub(crate) fn prove(facts: &[Formula], goal: &Formula, steps: &mut Steps) -> Verdict {
    let mut problem = Problem::default();
    let verdict = decide(&mut problem, facts, goal, steps);
    verdict.unwrap_or_else(|OutOfSteps| {
        let mut operands = problem.operands.iter();
        Verdict::Unknown(match operands.find(|operand| operand.samples > 0) {
            Some(operand) => operand.not_linear(),
            None => Unknown::OutOfSteps,
        })
    })
}

fn decide<'a>(
    problem: &mut Problem<'a>,
    facts: &'a [Formula],
    goal: &'a Formula,
    steps: &mut Steps,
) -> Result<Verdict, OutOfSteps> {
    let mut roots = vec![problem.formula(goal, steps)?.negated()];
    for fact in facts {
        roots.push(problem.formula(fact, steps)?);
    }
    search(problem, &roots, steps)
}

fn search(
    problem: &mut Problem<'_>,
    roots: &[Literal],
    steps: &mut Steps,
) -> Result<Verdict, OutOfSteps> {
    let mut undecided = None;
    let mut branches = Vec::new();
    branches.extend(Branch::default().settle(roots, problem, steps)?);
    while let Some(mut branch) = branches.pop() {
        let Some(solution) = branch.solve(problem, steps)? else {
            continue;
        };
        steps.take(problem.len() as u64)?;
        let values = problem.evaluate(&solution, &branch.switches);
        let is_false = |literal: &&Literal| values[literal.node] != literal.holds;

        let mut broken_laws = problem.laws.iter().filter(is_false);
        if let Some(law) = broken_laws.find(|law| !branch.open.contains(law)) {
            branches.extend(branch.settle(&[*law], problem, steps)?);
            continue;
        }
        if let Some(law) = problem.broken_congruence(&solution, steps)? {
            branches.extend(branch.settle(&[law], problem, steps)?);
            continue;
        }
        let wrong = branch.open.iter().filter(is_false);
        let fewest_cases = wrong
            .map(|literal| (*literal, branch.cases(*literal, problem)))
            .min_by_key(|(_, cases)| cases.len());
        if let Some((literal, cases)) = fewest_cases {
            branch.open.remove(&literal);
            for case in cases.iter().rev() {
                branches.extend(branch.clone().settle(case, problem, steps)?);
            }
            continue;
        }
        let mut operands = problem.operands.iter_mut();
        match operands.find(|operand| !operand.is_right(&solution)) {
            Some(operand) if operand.samples < MAX_SAMPLES => {
                operand.samples += 1;
                let operand = operand.clone();
                let laws = sample(problem, &operand, &solution);
                problem.laws.extend(laws);
                branches.push(branch);
            }
            // Another branch may still contain a counterexample.
            Some(operand) => undecided = Some(operand.not_linear()),
            None if roots.iter().any(|root| is_false(&root)) => return Err(OutOfSteps),
            None => return Ok(Verdict::Refuted(problem.model(&solution, &branch.switches))),
        }
    }
    Ok(undecided.map_or(Verdict::Proved, Verdict::Unknown))
}

impl Branch {
    /// Adds the constraints of `literals`; `None` if they contradict a switch.
    fn settle(
        mut self,
        literals: &[Literal],
        problem: &Problem<'_>,
        steps: &mut Steps,
    ) -> Result<Option<Self>, OutOfSteps> {
        let mut work = literals.to_vec();
        while let Some(literal) = work.pop() {
            steps.take(1)?;
            match (problem.get(literal), literal.holds) {
                (Node::Switch(switch), holds) => {
                    if *self.switches.entry(*switch).or_insert(holds) != holds {
                        return Ok(None);
                    }
                }
                (Node::NonNegative(sum), true) => self.settled.push(sum.clone()),
                (Node::NonNegative(sum), false) => {
                    let below = sum.negated().plus_constant(-1);
                    self.settled.push(below);
                }
                (Node::All(parts), true) => work.extend(parts),
                (Node::All(_), false) | (Node::Same(..), _) => {
                    self.open.insert(literal);
                }
            }
        }
        Ok(Some(self))
    }

    /// A solution of the settled constraints. Reuses the last one if it is still valid.
    fn solve(
        &mut self,
        problem: &Problem<'_>,
        steps: &mut Steps,
    ) -> Result<Option<Assignment>, OutOfSteps> {
        steps.take(self.settled.len() as u64)?;
        let still_solves = |solution: &Assignment| {
            let mut settled = self.settled.iter();
            settled.all(|sum| !sum.value(solution).is_negative())
        };
        if !self.solution.as_ref().is_some_and(still_solves) {
            self.solution = omega::solve(self.settled.clone(), problem.fresh, steps)?;
        }
        Ok(self.solution.clone())
    }

    /// The ways in which `literal` can hold. They exclude each other, so that nothing is searched
    /// twice. Those that contradict a switch are omitted.
    fn cases(&self, literal: Literal, problem: &Problem<'_>) -> Vec<Vec<Literal>> {
        let possible = |part: &Literal| match problem.get(*part) {
            Node::Switch(switch) => self
                .switches
                .get(switch)
                .is_none_or(|value| *value == part.holds),
            _ => true,
        };
        match problem.get(literal) {
            Node::All(parts) => {
                let parts: Vec<Literal> = parts
                    .iter()
                    .map(|part| part.negated())
                    .filter(possible)
                    .collect();
                (0..parts.len())
                    .map(|chosen| {
                        let before = parts[..chosen].iter().map(|part| part.negated());
                        before.chain([parts[chosen]]).collect()
                    })
                    .collect()
            }
            Node::Same(left, right) => {
                let right = if literal.holds {
                    *right
                } else {
                    right.negated()
                };
                vec![vec![*left, right], vec![left.negated(), right.negated()]]
            }
            // `settle` leaves no other nodes open.
            Node::Switch(_) | Node::NonNegative(_) => vec![vec![literal]],
        }
    }
}

impl Operand<'_> {
    fn not_linear(&self) -> Unknown {
        Unknown::NotLinear {
            term: self.term.to_string(),
        }
    }

    fn is_right(&self, solution: &Assignment) -> bool {
        let (left, right) = (self.left.value(solution), self.right.value(solution));
        let expected = match self.operation {
            Operation::Product => left * right,
            // A quotient by zero is an unspecified number.
            _ if right.is_zero() => return true,
            Operation::Quotient => left / right,
            Operation::Remainder => left % right,
        };
        Linear::variable(self.result).value(solution) == expected
    }
}

/// Laws that make the operation exact at the values of `solution`: with one operand fixed, the
/// operation is linear. The first law of a product is the rule of signs.
fn sample(problem: &mut Problem<'_>, operand: &Operand<'_>, solution: &Assignment) -> Vec<Literal> {
    let left = operand.left.value(solution);
    let right = operand.right.value(solution);
    let result = operand.result;
    match operand.operation {
        Operation::Product if operand.samples == 1 => vec![rule_of_signs(problem, operand)],
        Operation::Product => {
            let (by_left, by_right) = (operand.right.scaled(&left), operand.left.scaled(&right));
            vec![
                law_at(problem, &operand.left, left, result, &by_left),
                law_at(problem, &operand.right, right, result, &by_right),
            ]
        }
        operation => {
            let divided = problem.divide(operation, &operand.left, &right);
            vec![law_at(problem, &operand.right, right, result, &divided)]
        }
    }
}

/// If `fixed` has this `value`, then `result` is `there`.
fn law_at(
    problem: &mut Problem<'_>,
    fixed: &Linear,
    value: BigInt,
    result: Variable,
    there: &Linear,
) -> Literal {
    let at_value = problem.zero(fixed.clone().plus_constant(-value));
    let is_right = problem.zero(Linear::variable(result).minus(there));
    problem.any(vec![at_value.negated(), is_right])
}

/// A product is zero if a factor is. Otherwise its absolute value is at least that of each factor,
/// and the signs of the factors determine its sign.
fn rule_of_signs(problem: &mut Problem<'_>, operand: &Operand<'_>) -> Literal {
    let result = Linear::variable(operand.result);
    let is_zero = problem.zero(result.clone());
    let mut cases = Vec::new();
    for factor in [&operand.left, &operand.right] {
        let factor = problem.zero(factor.clone());
        cases.push(problem.all(vec![factor, is_zero]));
    }
    let signs = [BigInt::one(), -BigInt::one()];
    for left_sign in &signs {
        for right_sign in &signs {
            let left = operand.left.scaled(left_sign);
            let right = operand.right.scaled(right_sign);
            let size = result.scaled(&(left_sign * right_sign));
            let parts = vec![
                problem.positive(left.clone()),
                problem.positive(right.clone()),
                problem.non_negative(size.clone().minus(&left)),
                problem.non_negative(size.minus(&right)),
            ];
            cases.push(problem.all(parts));
        }
    }
    problem.any(cases)
}
