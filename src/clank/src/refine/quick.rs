//! A fast path for simple goals. Most goals compare integers and follow from a single other
//! comparison. The solver would reach the same verdicts at a hundred times the cost.

use super::pred::{Arith, Cmp, Pred, Term, ValueId};
use super::walk::Walker;

/// If one value has more facts, the solver decides.
const MAX_FACTS: usize = 256;
/// If a sum has more terms, the solver decides.
const MAX_TERMS: usize = 4;

/// A sum of multiples of opaque terms and a constant.
#[derive(Default)]
struct Sum<'t> {
    terms: [Option<(&'t Term, i64)>; MAX_TERMS],
    constant: i64,
}

/// The property of a sum that a comparison states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    NotNegative,
    Zero,
    NotZero,
}

impl Walker<'_> {
    /// Whether a goal holds by itself or follows from a single fact. The facts must be indexed
    /// already.
    pub(super) fn holds_trivially(&self, goal: &Pred) -> bool {
        match goal {
            Pred::Bool(value) => *value,
            Pred::And(left, right) => self.holds_trivially(left) && self.holds_trivially(right),
            Pred::Or(left, right) => self.holds_trivially(left) || self.holds_trivially(right),
            Pred::Compare(cmp, left, right) => self.comparison_holds_trivially(*cmp, left, right),
            Pred::Not(_) | Pred::Holds(_) | Pred::Unknown(_) => false,
        }
    }

    fn comparison_holds_trivially(&self, cmp: Cmp, left: &Term, right: &Term) -> bool {
        let Some((goal, is)) = self.comparison(cmp, left, right) else {
            return false;
        };
        // A sum of lengths is at least its constant.
        let mut terms = goal.terms.iter().flatten();
        let is_least = terms.all(|(term, factor)| *factor > 0 && self.is_length(term));
        let is_constant = goal.terms.iter().all(Option::is_none);
        if is_least
            && match is {
                Property::NotNegative => goal.constant >= 0,
                Property::NotZero => goal.constant > 0 || is_constant && goal.constant < 0,
                Property::Zero => is_constant && goal.constant == 0,
            }
        {
            return true;
        }
        let Some(value) = goal.first_value() else {
            return false;
        };
        let mut facts = self.context.about(value).take(MAX_FACTS);
        facts.any(|fact| {
            any_comparison(&fact.pred, true, &mut |cmp, left, right| {
                let known = self.comparison(cmp, left, right);
                known.is_some_and(|(sum, known)| goal.follows(is, &sum, known))
            })
        })
    }

    /// A comparison as a property of one sum. `None` if it does not compare integers, or if there
    /// are too many terms or too large numbers.
    fn comparison<'t>(
        &self,
        cmp: Cmp,
        left: &'t Term,
        right: &'t Term,
    ) -> Option<(Sum<'t>, Property)> {
        let difference = |more: &'t Term, less: &'t Term, constant: i64| {
            let mut sum = Sum {
                constant,
                ..Sum::default()
            };
            self.add(&mut sum, more, 1)?;
            self.add(&mut sum, less, -1)?;
            Some(sum)
        };
        Some(match cmp {
            Cmp::Same | Cmp::Equal => (difference(left, right, 0)?, Property::Zero),
            Cmp::NotEqual => (difference(left, right, 0)?, Property::NotZero),
            Cmp::Less => (difference(right, left, -1)?, Property::NotNegative),
            Cmp::LessEqual => (difference(right, left, 0)?, Property::NotNegative),
            Cmp::Greater => (difference(left, right, -1)?, Property::NotNegative),
            Cmp::GreaterEqual => (difference(left, right, 0)?, Property::NotNegative),
        })
    }

    fn add<'t>(&self, sum: &mut Sum<'t>, term: &'t Term, factor: i64) -> Option<()> {
        match term {
            Term::Int(value) => {
                let value: i64 = value.try_into().ok()?;
                sum.constant = sum.constant.checked_add(value.checked_mul(factor)?)?;
                Some(())
            }
            Term::Neg(inner) => self.add(sum, inner, factor.checked_neg()?),
            Term::Binary(Arith::Add, left, right) => {
                self.add(sum, left, factor)?;
                self.add(sum, right, factor)
            }
            Term::Binary(Arith::Subtract, left, right) => {
                self.add(sum, left, factor)?;
                self.add(sum, right, factor.checked_neg()?)
            }
            Term::Binary(Arith::Multiply, left, right) => match (left.as_ref(), right.as_ref()) {
                (Term::Int(times), other) | (other, Term::Int(times)) => {
                    let times: i64 = times.try_into().ok()?;
                    self.add(sum, other, factor.checked_mul(times)?)
                }
                _ => None,
            },
            Term::Value(..) | Term::Call(..) | Term::Field(..) | Term::Index(..) => {
                let is_integer = self.primitive(term).is_some_and(|it| it.is_integer());
                is_integer.then(|| sum.add(term, factor)).flatten()
            }
            _ => None,
        }
    }
}

impl<'t> Sum<'t> {
    fn add(&mut self, term: &'t Term, factor: i64) -> Option<()> {
        let is_same = |it: &&mut Option<(&Term, i64)>| it.as_ref().is_some_and(|it| it.0 == term);
        if let Some(slot) = self.terms.iter_mut().find(is_same) {
            let factor = slot.map_or(0, |it| it.1).checked_add(factor)?;
            *slot = (factor != 0).then_some((term, factor));
        } else if factor != 0 {
            *self.terms.iter_mut().find(|it| it.is_none())? = Some((term, factor));
        }
        Some(())
    }

    fn first_value(&self) -> Option<ValueId> {
        let mut first = None;
        for (term, _) in self.terms.iter().flatten() {
            term.each_value(&mut |id, _| first = first.or(Some(id)));
        }
        first
    }

    /// Whether the terms are those of another sum, multiplied by `times`.
    fn is_multiple(&self, other: &Self, times: i64) -> bool {
        let count = |sum: &Self| sum.terms.iter().flatten().count();
        let mut terms = self.terms.iter().flatten();
        count(self) == count(other)
            && terms.all(|(term, factor)| {
                let mut others = other.terms.iter().flatten();
                others.any(|it| it.0 == *term && it.1.checked_mul(times) == Some(*factor))
            })
    }

    /// Whether the property follows from a known property of another sum.
    fn follows(&self, is: Property, known: &Self, known_is: Property) -> bool {
        if self.is_multiple(known, 1) {
            let more = self.constant.checked_sub(known.constant);
            more.is_some_and(|more| match (known_is, is) {
                (Property::Zero, _) => holds(more, is),
                (Property::NotNegative, Property::NotNegative) => more >= 0,
                (Property::NotNegative, Property::NotZero) => more > 0,
                (Property::NotZero, Property::NotZero) => more == 0,
                _ => false,
            })
        } else if self.is_multiple(known, -1) {
            let most = self.constant.checked_add(known.constant);
            most.is_some_and(|most| match (known_is, is) {
                (Property::Zero, _) => holds(most, is),
                (Property::NotNegative, Property::NotZero) => most < 0,
                (Property::NotZero, Property::NotZero) => most == 0,
                _ => false,
            })
        } else {
            false
        }
    }
}

fn holds(constant: i64, is: Property) -> bool {
    match is {
        Property::NotNegative => constant >= 0,
        Property::Zero => constant == 0,
        Property::NotZero => constant != 0,
    }
}

/// Whether `is_one` accepts an integer comparison that follows from the predicate, or from its
/// negation if `holds` is false.
fn any_comparison(
    pred: &Pred,
    holds: bool,
    is_one: &mut dyn FnMut(Cmp, &Term, &Term) -> bool,
) -> bool {
    match (pred, holds) {
        (Pred::Compare(cmp, left, right), true) => is_one(*cmp, left, right),
        (Pred::Compare(cmp, left, right), false) => is_one(opposite(*cmp), left, right),
        (Pred::Not(pred), _) => any_comparison(pred, !holds, is_one),
        (Pred::And(left, right), true) | (Pred::Or(left, right), false) => {
            any_comparison(left, holds, is_one) || any_comparison(right, holds, is_one)
        }
        _ => false,
    }
}

/// The negation of a comparison of integers.
fn opposite(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Same | Cmp::Equal => Cmp::NotEqual,
        Cmp::NotEqual => Cmp::Equal,
        Cmp::Less => Cmp::GreaterEqual,
        Cmp::LessEqual => Cmp::Greater,
        Cmp::Greater => Cmp::LessEqual,
        Cmp::GreaterEqual => Cmp::Less,
    }
}
