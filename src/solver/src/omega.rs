//! The Omega test: finds integers that satisfy equations and inequalities, or shows that there are
//! none.
//!
//! Equations are solved first, by Euclid's algorithm on their coefficients. Then variables are
//! eliminated one by one: each lower bound must be below each upper bound.
//!
//! If neither bound has the coefficient one, there may be no integer between them. The test then
//! tries three things in this order. The necessary condition: without a solution there is none. The
//! sufficient condition: a solution of it is a solution. Finally, the few remaining values between
//! the two.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::linear::{Assignment, Linear, Variable};
use crate::steps::{OutOfSteps, Steps};

/// Only an inexact elimination recurses, and few questions need one. The limit keeps the stack
/// small for every question.
const MAX_DEPTH: usize = 100;

/// Constraints that must hold together.
#[derive(Clone)]
struct Conjunction {
    /// Each is zero.
    equations: Vec<Linear>,
    /// Each is non-negative.
    inequalities: Vec<Linear>,
}

/// How to compute an eliminated variable from the variables that were eliminated later.
enum Elimination {
    Equals(Variable, Linear),
    /// Inequalities that bound the variable.
    Between(Variable, Vec<Linear>),
}

/// Values that make all `inequalities` non-negative; `None` if there are none. Their variables are
/// below `fresh`.
pub(crate) fn solve(
    inequalities: Vec<Linear>,
    fresh: Variable,
    steps: &mut Steps,
) -> Result<Option<Assignment>, OutOfSteps> {
    let problem = Conjunction {
        equations: Vec::new(),
        inequalities,
    };
    let mut solution = solve_at(problem, fresh, steps, 0)?;
    if let Some(solution) = &mut solution {
        solution.retain(|variable, _| *variable < fresh);
    }
    Ok(solution)
}

fn solve_at(
    mut problem: Conjunction,
    mut fresh: Variable,
    steps: &mut Steps,
    depth: usize,
) -> Result<Option<Assignment>, OutOfSteps> {
    if depth > MAX_DEPTH {
        return Err(OutOfSteps);
    }
    let mut trail = Vec::new();
    loop {
        if !solve_equations(&mut problem, &mut fresh, &mut trail, steps)? {
            return Ok(None);
        }
        if !tighten(&mut problem, steps)? {
            return Ok(None);
        }
        if !problem.equations.is_empty() {
            continue;
        }
        let Some(variable) = cheapest(&problem.inequalities) else {
            return Ok(Some(unwind(&trail, Assignment::new())));
        };
        let bounds = Bounds::of(variable, &mut problem.inequalities);
        if bounds.is_exact() {
            problem.inequalities.extend(bounds.shadow(false, steps)?);
            trail.push(Elimination::Between(variable, bounds.all()));
            continue;
        }

        let with = |more: Vec<Linear>| Conjunction {
            equations: Vec::new(),
            inequalities: [problem.inequalities.clone(), more].concat(),
        };
        let necessary = with(bounds.shadow(false, steps)?);
        let Some(solution) = solve_at(necessary, fresh, steps, depth + 1)? else {
            return Ok(None);
        };
        if range(variable, &bounds.all(), &solution).is_some() {
            trail.push(Elimination::Between(variable, bounds.all()));
            return Ok(Some(unwind(&trail, solution)));
        }
        let sufficient = with(bounds.shadow(true, steps)?);
        if let Some(solution) = solve_at(sufficient, fresh, steps, depth + 1)? {
            trail.push(Elimination::Between(variable, bounds.all()));
            return Ok(Some(unwind(&trail, solution)));
        }
        let rest = with(bounds.all());
        for lower in &bounds.lower {
            let last = bounds.last_splinter(lower);
            let mut distance = BigInt::zero();
            while distance <= last {
                steps.take(1 + rest.inequalities.len() as u64)?;
                let mut splinter = rest.clone();
                splinter
                    .equations
                    .push(lower.clone().plus_constant(-distance.clone()));
                if let Some(solution) = solve_at(splinter, fresh, steps, depth + 1)? {
                    return Ok(Some(unwind(&trail, solution)));
                }
                distance += 1;
            }
        }
        return Ok(None);
    }
}

/// Uses each equation to eliminate a variable. Returns whether the equations have a solution.
fn solve_equations(
    problem: &mut Conjunction,
    fresh: &mut Variable,
    trail: &mut Vec<Elimination>,
    steps: &mut Steps,
) -> Result<bool, OutOfSteps> {
    while let Some(mut equation) = problem.equations.pop() {
        steps.take(equation.weight())?;
        let content = equation.content();
        if content.is_zero() {
            if equation.constant.is_zero() {
                continue;
            }
            return Ok(false);
        }
        if !equation.constant.is_multiple_of(&content) {
            return Ok(false);
        }
        equation.divide(&content);
        let Some((variable, coefficient)) = equation.smallest() else {
            continue;
        };
        let coefficient = coefficient.clone();

        // Given `a * x + rest = 0`, let `t = x + rest / a`, rounded down. The remaining equation `a
        // * t + rest mod a = 0` has a smaller coefficient, or none if a is 1 or -1.
        let mut definition = equation.clone();
        definition.coefficients.remove(&variable);
        for value in definition.coefficients.values_mut() {
            *value = -value.div_floor(&coefficient);
        }
        definition.constant = -definition.constant.div_floor(&coefficient);
        definition.coefficients.retain(|_, value| !value.is_zero());
        if !coefficient.abs().is_one() {
            definition.coefficients.insert(*fresh, BigInt::one());
            *fresh = fresh.checked_add(1).ok_or(OutOfSteps)?;
            equation.substitute(variable, &definition);
            problem.equations.push(equation);
        }
        let rows = problem
            .equations
            .iter_mut()
            .chain(&mut problem.inequalities);
        for row in rows.filter(|row| row.coefficients.contains_key(&variable)) {
            row.substitute(variable, &definition);
            steps.take(row.weight())?;
        }
        trail.push(Elimination::Equals(variable, definition));
    }
    Ok(true)
}

/// Rounds every inequality to its integer points and keeps the tightest of parallel ones.
/// Inequalities that leave a single value become equations. Returns whether they can hold.
fn tighten(problem: &mut Conjunction, steps: &mut Steps) -> Result<bool, OutOfSteps> {
    let mut tightest: BTreeMap<BTreeMap<Variable, BigInt>, BigInt> = BTreeMap::new();
    for mut row in problem.inequalities.drain(..) {
        steps.take(row.weight())?;
        let content = row.content();
        if content.is_zero() {
            if row.constant.is_negative() {
                return Ok(false);
            }
            continue;
        }
        row.divide(&content);
        let constant = tightest
            .entry(row.coefficients)
            .or_insert_with(|| row.constant.clone());
        if row.constant < *constant {
            *constant = row.constant;
        }
    }
    for (coefficients, constant) in &tightest {
        let row = Linear {
            coefficients: coefficients.clone(),
            constant: constant.clone(),
        };
        let opposite = row.negated().coefficients;
        match tightest.get(&opposite).map(|other| constant + other) {
            Some(room) if room.is_negative() => return Ok(false),
            Some(room) if room.is_zero() => {
                if *coefficients < opposite {
                    problem.equations.push(row);
                }
            }
            _ => problem.inequalities.push(row),
        }
    }
    Ok(true)
}

/// The variable whose elimination leaves the fewest inequalities. Exact eliminations are preferred.
fn cheapest(rows: &[Linear]) -> Option<Variable> {
    #[derive(Default)]
    struct Uses {
        lower: usize,
        upper: usize,
        lower_inexact: bool,
        upper_inexact: bool,
    }
    let mut uses: BTreeMap<Variable, Uses> = BTreeMap::new();
    for row in rows {
        for (&variable, coefficient) in &row.coefficients {
            let it = uses.entry(variable).or_default();
            if coefficient.is_positive() {
                it.lower += 1;
                it.lower_inexact |= !coefficient.is_one();
            } else {
                it.upper += 1;
                it.upper_inexact |= !coefficient.abs().is_one();
            }
        }
    }
    let cost = |it: &Uses| {
        let inexact = it.lower > 0 && it.upper > 0 && it.lower_inexact && it.upper_inexact;
        let growth = (it.lower * it.upper) as i64 - (it.lower + it.upper) as i64;
        (inexact, growth)
    };
    uses.into_iter()
        .min_by_key(|(_, uses)| cost(uses))
        .map(|(variable, _)| variable)
}

/// The inequalities about one variable.
struct Bounds {
    variable: Variable,
    /// Inequalities with a positive coefficient.
    lower: Vec<Linear>,
    /// Inequalities with a negative coefficient.
    upper: Vec<Linear>,
}

impl Bounds {
    /// Removes the inequalities about `variable` from `rows`.
    fn of(variable: Variable, rows: &mut Vec<Linear>) -> Self {
        let (about, rest) = std::mem::take(rows)
            .into_iter()
            .partition(|row| row.coefficients.contains_key(&variable));
        *rows = rest;
        let about: Vec<Linear> = about;
        let (lower, upper) = about
            .into_iter()
            .partition(|row| row.coefficient(variable).is_positive());
        Self {
            variable,
            lower,
            upper,
        }
    }

    fn all(&self) -> Vec<Linear> {
        self.lower.iter().chain(&self.upper).cloned().collect()
    }

    /// Whether there is an integer solution whenever there is a rational one.
    fn is_exact(&self) -> bool {
        let unit = |rows: &[Linear]| {
            rows.iter()
                .all(|row| row.coefficient(self.variable).abs().is_one())
        };
        unit(&self.lower) || unit(&self.upper)
    }

    /// The constraints on the other variables: each gap between a lower and an upper bound contains
    /// a fraction. With `with_room`, each gap is wide enough to contain an integer wherever it is.
    fn shadow(&self, with_room: bool, steps: &mut Steps) -> Result<Vec<Linear>, OutOfSteps> {
        let mut rows = Vec::new();
        for lower in &self.lower {
            for upper in &self.upper {
                let below = lower.coefficient(self.variable);
                let above = -upper.coefficient(self.variable);
                let mut row = lower.scaled(&above);
                row.add_scaled(upper, &below);
                if with_room {
                    row.constant -= (below - 1) * (above - 1);
                }
                steps.take(row.weight())?;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// The maximum distance of a solution above `lower` if there is not enough room.
    fn last_splinter(&self, lower: &Linear) -> BigInt {
        let below = lower.coefficient(self.variable);
        let above = self
            .upper
            .iter()
            .map(|row| -row.coefficient(self.variable))
            .max()
            .unwrap_or_default();
        if above.is_zero() {
            return -BigInt::one();
        }
        (&above * &below - &above - &below).div_floor(&above)
    }
}

/// The range of `variable` under `bounds`, given the other variables; `None` if it is empty. A
/// missing end is unbounded.
fn range(
    variable: Variable,
    bounds: &[Linear],
    assignment: &Assignment,
) -> Option<(Option<BigInt>, Option<BigInt>)> {
    let (mut from, mut to): (Option<BigInt>, Option<BigInt>) = (None, None);
    for row in bounds {
        let coefficient = row.coefficient(variable);
        let mut rest = row.clone();
        rest.coefficients.remove(&variable);
        let rest = rest.value(assignment);
        if coefficient.is_positive() {
            let bound = (-rest).div_ceil(&coefficient);
            from = Some(from.map_or(bound.clone(), |from| from.max(bound)));
        } else {
            let bound = rest.div_floor(&-coefficient);
            to = Some(to.map_or(bound.clone(), |to| to.min(bound)));
        }
    }
    match (&from, &to) {
        (Some(from), Some(to)) if from > to => None,
        _ => Some((from, to)),
    }
}

/// Gives every eliminated variable a value: the one nearest to zero within its bounds.
fn unwind(trail: &[Elimination], mut assignment: Assignment) -> Assignment {
    for elimination in trail.iter().rev() {
        let (variable, value) = match elimination {
            Elimination::Equals(variable, definition) => (variable, definition.value(&assignment)),
            Elimination::Between(variable, bounds) => {
                let (from, to) = range(*variable, bounds, &assignment).unwrap_or_default();
                let mut value = BigInt::zero();
                if let Some(to) = to {
                    value = value.min(to);
                }
                if let Some(from) = from {
                    value = value.max(from);
                }
                (variable, value)
            }
        };
        assignment.insert(*variable, value);
    }
    assignment
}
