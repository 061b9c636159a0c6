//! A question in the form that the search uses: formulas are nodes that refer to earlier nodes, and
//! terms are linear sums. A non-linear term becomes a new variable with a record of its meaning.
//! Nothing here recurses, so input of any depth is accepted.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::formula::{Comparison, Formula, Term};
use crate::linear::{Assignment, Linear, Variable};
use crate::steps::{OutOfSteps, Steps};
use crate::verdict::{Model, Value};

/// A node that must hold, or must not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) node: usize,
    pub(crate) holds: bool,
}

impl Literal {
    pub(crate) fn negated(self) -> Self {
        Self {
            holds: !self.holds,
            ..self
        }
    }
}

/// A boolean variable.
pub(crate) type Switch = u32;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Node {
    Switch(Switch),
    /// The sum is non-negative.
    NonNegative(Linear),
    All(Vec<Literal>),
    Same(Literal, Literal),
}

/// A non-linear operation that a variable represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Product,
    Quotient,
    Remainder,
}

/// A call, or an operation on two sums that are not constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Function {
    Term(String),
    Predicate(String),
    Operation(Operation),
}

/// A variable that represents an operation.
#[derive(Clone, Debug)]
pub(crate) struct Operand<'a> {
    pub(crate) operation: Operation,
    pub(crate) left: Linear,
    pub(crate) right: Linear,
    pub(crate) result: Variable,
    pub(crate) term: &'a Term,
    /// How often the search has sampled the operation at specific operands.
    pub(crate) samples: usize,
}

#[derive(Default)]
pub(crate) struct Problem<'a> {
    nodes: Vec<Node>,
    node_ids: BTreeMap<Node, usize>,
    variables: BTreeMap<&'a str, Variable>,
    switches: BTreeMap<&'a str, Switch>,
    applications: BTreeMap<Rc<Application>, Variable>,
    /// The applications in the order of creation, with their results.
    applied: Vec<(Rc<Application>, Variable)>,
    /// The pairs of results that already have a congruence law.
    compared: BTreeSet<(Variable, Variable)>,
    /// The first call that was written for each application of a named function.
    calls: Vec<(Variable, Call<'a>)>,
    /// Quotient and remainder, by dividend and divisor.
    divisions: BTreeMap<(Linear, BigInt), (Linear, Linear)>,
    pub(crate) operands: Vec<Operand<'a>>,
    /// Laws that hold for every question.
    pub(crate) laws: Vec<Literal>,
    pub(crate) fresh: Variable,
}

/// A function and its arguments.
type Application = (Function, Vec<Linear>);

enum Call<'a> {
    Term(&'a Term),
    Predicate(&'a str, &'a [Term]),
}

impl<'a> Problem<'a> {
    fn new_variable(&mut self) -> Variable {
        let variable = self.fresh;
        self.fresh += 1;
        variable
    }

    fn node(&mut self, node: Node) -> Literal {
        let next = self.nodes.len();
        let id = *self.node_ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        Literal {
            node: id,
            holds: true,
        }
    }

    pub(crate) fn get(&self, literal: Literal) -> &Node {
        &self.nodes[literal.node]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn non_negative(&mut self, sum: Linear) -> Literal {
        self.node(Node::NonNegative(sum))
    }

    pub(crate) fn positive(&mut self, sum: Linear) -> Literal {
        self.non_negative(sum.plus_constant(-1))
    }

    pub(crate) fn zero(&mut self, sum: Linear) -> Literal {
        let sides = [sum.negated(), sum].map(|side| self.non_negative(side));
        self.all(sides.to_vec())
    }

    pub(crate) fn all(&mut self, literals: Vec<Literal>) -> Literal {
        self.node(Node::All(literals))
    }

    pub(crate) fn any(&mut self, literals: Vec<Literal>) -> Literal {
        self.all(literals.into_iter().map(Literal::negated).collect())
            .negated()
    }

    fn compare(&mut self, comparison: Comparison, left: Linear, right: &Linear) -> Literal {
        let difference = left.minus(right);
        match comparison {
            Comparison::Equal => self.zero(difference),
            Comparison::NotEqual => self.zero(difference).negated(),
            Comparison::Less => self.non_negative(difference).negated(),
            Comparison::GreaterOrEqual => self.non_negative(difference),
            Comparison::LessOrEqual => self.non_negative(difference.negated()),
            Comparison::Greater => self.non_negative(difference.negated()).negated(),
        }
    }

    /// The node of `formula`; its parts become nodes first.
    pub(crate) fn formula(
        &mut self,
        formula: &'a Formula,
        steps: &mut Steps,
    ) -> Result<Literal, OutOfSteps> {
        let mut work = vec![(formula, false)];
        let mut done: Vec<Literal> = Vec::new();
        while let Some((formula, parts_are_done)) = work.pop() {
            let parts: Vec<&Formula> = match formula {
                Formula::Not(part) => vec![part],
                Formula::And(parts) | Formula::Or(parts) => parts.iter().collect(),
                Formula::Iff(left, right) => vec![left, right],
                Formula::Bool(_) | Formula::Var(_) | Formula::Call(..) | Formula::Compare(..) => {
                    vec![]
                }
            };
            if !parts_are_done && !parts.is_empty() {
                work.push((formula, true));
                work.extend(parts.into_iter().rev().map(|part| (part, false)));
                continue;
            }
            let parts = done.split_off(done.len() - parts.len());
            let literal = match (formula, &parts[..]) {
                (Formula::Not(_), &[part]) => part.negated(),
                (Formula::Iff(..), &[left, right]) => self.node(Node::Same(left, right)),
                (Formula::Or(_), _) => self.any(parts),
                (Formula::Var(name), _) => {
                    let next = self.switches.len() as Switch;
                    let switch = *self.switches.entry(name).or_insert(next);
                    self.node(Node::Switch(switch))
                }
                (Formula::Call(name, arguments), _) => {
                    let mut values = Vec::new();
                    for argument in arguments {
                        values.push(self.term(argument, steps)?);
                    }
                    let function = Function::Predicate(name.clone());
                    let (result, is_new) = self.apply(function, values);
                    if is_new {
                        self.calls.push((result, Call::Predicate(name, arguments)));
                    }
                    self.positive(Linear::variable(result))
                }
                (Formula::Compare(comparison, left, right), _) => {
                    let left = self.term(left, steps)?;
                    let right = self.term(right, steps)?;
                    self.compare(*comparison, left, &right)
                }
                (Formula::Bool(false), _) => self.all(vec![]).negated(),
                _ => self.all(parts),
            };
            done.push(literal);
        }
        Ok(done.pop().unwrap_or_else(|| self.all(vec![])))
    }

    /// The linear sum of `term`; its parts become sums first.
    fn term(&mut self, term: &'a Term, steps: &mut Steps) -> Result<Linear, OutOfSteps> {
        let mut work = vec![(term, false)];
        let mut done: Vec<Linear> = Vec::new();
        while let Some((term, parts_are_done)) = work.pop() {
            let parts = term.parts();
            if !parts_are_done && !parts.is_empty() {
                work.push((term, true));
                work.extend(parts.into_iter().rev().map(|part| (part, false)));
                continue;
            }
            let mut parts = done.split_off(done.len() - parts.len()).into_iter();
            let mut next = || parts.next().unwrap_or_default();
            let sum = match term {
                Term::Int(value) => Linear::constant(value.clone()),
                Term::Var(name) => {
                    let variable = match self.variables.get(name.as_str()) {
                        Some(variable) => *variable,
                        None => {
                            let variable = self.new_variable();
                            self.variables.insert(name, variable);
                            variable
                        }
                    };
                    Linear::variable(variable)
                }
                Term::Call(name, _) => {
                    let function = Function::Term(name.clone());
                    let (result, is_new) = self.apply(function, parts.collect());
                    if is_new {
                        self.calls.push((result, Call::Term(term)));
                    }
                    Linear::variable(result)
                }
                Term::Neg(_) => next().negated(),
                Term::Add(..) => next().plus(next()),
                Term::Sub(..) => next().minus(&next()),
                Term::Mul(..) => {
                    let (left, right) = (next(), next());
                    match (left.as_constant(), right.as_constant()) {
                        (Some(factor), _) => right.scaled(factor),
                        (_, Some(factor)) => left.scaled(factor),
                        _ => {
                            let (left, right) = (left.clone().min(right.clone()), left.max(right));
                            self.operation(Operation::Product, left, right, term)
                        }
                    }
                }
                Term::Div(..) | Term::Rem(..) => {
                    let operation = match term {
                        Term::Div(..) => Operation::Quotient,
                        _ => Operation::Remainder,
                    };
                    let (left, right) = (next(), next());
                    match right.as_constant() {
                        Some(divisor) if !divisor.is_zero() => {
                            self.divide(operation, &left, divisor)
                        }
                        _ => self.operation(operation, left, right, term),
                    }
                }
            };
            steps.take(sum.weight())?;
            done.push(sum);
        }
        Ok(done.pop().unwrap_or_default())
    }

    /// The variable for a function of `arguments`, and whether it is new.
    fn apply(&mut self, function: Function, arguments: Vec<Linear>) -> (Variable, bool) {
        let application = Rc::new((function, arguments));
        if let Some(variable) = self.applications.get(&application) {
            return (*variable, false);
        }
        let variable = self.new_variable();
        self.applied.push((Rc::clone(&application), variable));
        self.applications.insert(application, variable);
        (variable, true)
    }

    /// A congruence law that a solution violates: equal arguments give equal results. There is one
    /// for each pair of applications and few matter, so each is created once, when it is violated.
    pub(crate) fn broken_congruence(
        &mut self,
        solution: &Assignment,
        steps: &mut Steps,
    ) -> Result<Option<Literal>, OutOfSteps> {
        let mut same_arguments: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut broken = None;
        for (at, (application, result)) in self.applied.iter().enumerate() {
            let (function, arguments) = application.as_ref();
            steps.take(1 + arguments.iter().map(Linear::weight).sum::<u64>())?;
            let values = arguments.iter().map(|it| it.value(solution));
            let key = (function, values.collect::<Vec<BigInt>>());
            let others = same_arguments.entry(key).or_default();
            let number = |variable: &Variable| solution.get(variable).cloned().unwrap_or_default();
            let differing = others.iter().copied().filter(|other| {
                let other = self.applied[*other].1;
                number(&other) != number(result) && !self.compared.contains(&(other, *result))
            });
            if let Some(first) = differing.min_by_key(|it| &self.applied[*it].0) {
                broken = Some((first, at));
                break;
            }
            others.push(at);
        }
        Ok(broken.map(|(one, other)| self.congruence(one, other)))
    }

    /// The congruence law for two applications, by their indices.
    fn congruence(&mut self, one: usize, other: usize) -> Literal {
        let [(one, first), (other, second)] = [one, other].map(|at| self.applied[at].clone());
        self.compared.insert((first, second));
        let pairs = one.1.iter().zip(&other.1);
        let mut cases: Vec<Literal> = pairs
            .map(|(one, other)| self.zero(one.clone().minus(other)).negated())
            .collect();
        cases.push(self.zero(Linear::variable(second).minus(&Linear::variable(first))));
        let law = self.any(cases);
        self.laws.push(law);
        law
    }

    fn operation(
        &mut self,
        operation: Operation,
        left: Linear,
        right: Linear,
        term: &'a Term,
    ) -> Linear {
        let arguments = vec![left.clone(), right.clone()];
        let function = Function::Operation(operation);
        let (result, is_new) = self.apply(function, arguments);
        if is_new {
            self.operands.push(Operand {
                operation,
                left,
                right,
                result,
                term,
                samples: 0,
            });
        }
        Linear::variable(result)
    }

    /// The quotient or remainder of a division by a non-zero constant.
    pub(crate) fn divide(
        &mut self,
        operation: Operation,
        dividend: &Linear,
        divisor: &BigInt,
    ) -> Linear {
        if let Some(value) = dividend.as_constant() {
            return Linear::constant(match operation {
                Operation::Remainder => value % divisor,
                _ => value / divisor,
            });
        }
        let key = (dividend.clone(), divisor.abs());
        let (quotient, remainder) = match self.divisions.get(&key) {
            Some(known) => known.clone(),
            None => {
                let division = self.new_division(dividend, &key.1);
                self.divisions.insert(key, division.clone());
                division
            }
        };
        match operation {
            Operation::Remainder => remainder,
            _ if divisor.is_negative() => quotient.negated(),
            _ => quotient,
        }
    }

    /// Adds `dividend = divisor * quotient + remainder`. The remainder is smaller than the divisor
    /// and has the sign of the dividend.
    fn new_division(&mut self, dividend: &Linear, divisor: &BigInt) -> (Linear, Linear) {
        let quotient = Linear::variable(self.new_variable());
        let remainder = dividend.clone().minus(&quotient.scaled(divisor));
        let below = self.positive(remainder.negated().plus_constant(divisor.clone()));
        let above = self.positive(remainder.clone().plus_constant(divisor.clone()));
        let both_positive = [dividend.clone(), remainder.clone()].map(|it| self.non_negative(it));
        let both_negative =
            [dividend.negated(), remainder.negated()].map(|it| self.non_negative(it));
        let one_sign = [both_positive, both_negative].map(|signs| self.all(signs.to_vec()));
        let one_sign = self.any(one_sign.to_vec());
        self.laws.extend([below, above, one_sign]);
        (quotient, remainder)
    }

    /// Whether each node holds.
    pub(crate) fn evaluate(
        &self,
        integers: &Assignment,
        switches: &BTreeMap<Switch, bool>,
    ) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let is_true = |literal: &Literal| values[literal.node] == literal.holds;
            let value = match node {
                Node::Switch(switch) => switches.get(switch).copied().unwrap_or_default(),
                Node::NonNegative(sum) => !sum.value(integers).is_negative(),
                Node::All(literals) => literals.iter().all(is_true),
                Node::Same(left, right) => is_true(left) == is_true(right),
            };
            values.push(value);
        }
        values
    }

    /// The values under the names of the question.
    pub(crate) fn model(&self, integers: &Assignment, switches: &BTreeMap<Switch, bool>) -> Model {
        let integer = |variable: &Variable| integers.get(variable).cloned().unwrap_or_default();
        let mut model = Model::default();
        for (name, variable) in &self.variables {
            let value = Value::Int(integer(variable));
            model.values.insert((*name).to_owned(), value);
        }
        for (name, switch) in &self.switches {
            let value = switches.get(switch).copied().unwrap_or_default();
            model.values.insert((*name).to_owned(), Value::Bool(value));
        }
        for (variable, call) in &self.calls {
            let value = integer(variable);
            let (text, value) = match call {
                Call::Term(term) => (term.to_string(), Value::Int(value)),
                Call::Predicate(name, arguments) => (
                    Term::call(*name, *arguments).to_string(),
                    Value::Bool(value.is_positive()),
                ),
            };
            model.values.insert(text, value);
        }
        model
    }
}
