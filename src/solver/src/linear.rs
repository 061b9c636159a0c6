//! Linear sums: multiples of variables, plus a constant.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

pub(crate) type Variable = u32;

/// Values of variables; a missing variable is zero.
pub(crate) type Assignment = BTreeMap<Variable, BigInt>;

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Linear {
    /// Never contains a zero coefficient.
    pub(crate) coefficients: BTreeMap<Variable, BigInt>,
    pub(crate) constant: BigInt,
}

impl Linear {
    pub(crate) fn constant(constant: BigInt) -> Self {
        Self {
            coefficients: BTreeMap::new(),
            constant,
        }
    }

    pub(crate) fn variable(variable: Variable) -> Self {
        Self {
            coefficients: BTreeMap::from([(variable, BigInt::one())]),
            constant: BigInt::zero(),
        }
    }

    pub(crate) fn as_constant(&self) -> Option<&BigInt> {
        self.coefficients.is_empty().then_some(&self.constant)
    }

    pub(crate) fn coefficient(&self, variable: Variable) -> BigInt {
        self.coefficients
            .get(&variable)
            .cloned()
            .unwrap_or_default()
    }

    pub(crate) fn scaled(&self, factor: &BigInt) -> Self {
        let mut result = Self::default();
        result.add_scaled(self, factor);
        result
    }

    pub(crate) fn negated(&self) -> Self {
        self.scaled(&-BigInt::one())
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let other_is_longer = other.coefficients.len() > self.coefficients.len();
        let (mut sum, rest) = if other_is_longer {
            (other, self)
        } else {
            (self, other)
        };
        sum.add_scaled(&rest, &BigInt::one());
        sum
    }

    pub(crate) fn minus(mut self, other: &Self) -> Self {
        self.add_scaled(other, &-BigInt::one());
        self
    }

    pub(crate) fn plus_constant(mut self, constant: impl Into<BigInt>) -> Self {
        self.constant += constant.into();
        self
    }

    pub(crate) fn add_scaled(&mut self, other: &Self, factor: &BigInt) {
        if factor.is_zero() {
            return;
        }
        for (&variable, coefficient) in &other.coefficients {
            let sum = self.coefficients.entry(variable).or_default();
            *sum += coefficient * factor;
            if sum.is_zero() {
                self.coefficients.remove(&variable);
            }
        }
        self.constant += &other.constant * factor;
    }

    /// Replaces `variable` with `value`.
    pub(crate) fn substitute(&mut self, variable: Variable, value: &Self) {
        if let Some(coefficient) = self.coefficients.remove(&variable) {
            self.add_scaled(value, &coefficient);
        }
    }

    /// The greatest common divisor of the coefficients; zero if there are none.
    pub(crate) fn content(&self) -> BigInt {
        let coefficients = self.coefficients.values();
        coefficients.fold(BigInt::zero(), |content, coefficient| {
            content.gcd(coefficient)
        })
    }

    /// Divides by `divisor`, which must divide every coefficient. The constant is rounded down.
    pub(crate) fn divide(&mut self, divisor: &BigInt) {
        for coefficient in self.coefficients.values_mut() {
            *coefficient /= divisor;
        }
        self.constant = self.constant.div_floor(divisor);
    }

    /// The variable with the smallest absolute coefficient.
    pub(crate) fn smallest(&self) -> Option<(Variable, &BigInt)> {
        let coefficients = self.coefficients.iter().map(|(&it, value)| (it, value));
        coefficients.min_by_key(|(_, coefficient)| coefficient.abs())
    }

    pub(crate) fn value(&self, assignment: &Assignment) -> BigInt {
        let terms = self.coefficients.iter();
        terms.fold(
            self.constant.clone(),
            |sum, (variable, coefficient)| match assignment.get(variable) {
                Some(value) => sum + coefficient * value,
                None => sum,
            },
        )
    }

    /// The cost of processing this sum, in steps.
    pub(crate) fn weight(&self) -> u64 {
        let words = |number: &BigInt| 1 + number.bits() / 64;
        words(&self.constant) + self.coefficients.values().map(words).sum::<u64>()
    }
}
