//! The language of questions. Every term is an integer.
//!
//! Values of other sorts can be used if only their equality matters: a string variable becomes a
//! variable, and each string literal becomes a distinct number. Arithmetic and order on other
//! values cannot be expressed: floating-point comparisons become [`Formula::Call`].

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;

/// An integer term, of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    Int(BigInt),
    Var(String),
    /// An uninterpreted function, such as `len(xs)` or a field: `.age(user)`.
    Call(String, Vec<Term>),
    Neg(Box<Term>),
    Add(Box<Term>, Box<Term>),
    Sub(Box<Term>, Box<Term>),
    /// Exact if one side is constant.
    Mul(Box<Term>, Box<Term>),
    /// The quotient rounded towards zero. Exact if the divisor is a constant other than zero.
    Div(Box<Term>, Box<Term>),
    /// The remainder of [`Term::Div`], with the sign of the dividend.
    Rem(Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A boolean formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Bool(bool),
    Var(String),
    /// An uninterpreted predicate.
    Call(String, Vec<Term>),
    Compare(Comparison, Term, Term),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

impl Term {
    pub fn int(value: impl Into<BigInt>) -> Self {
        Self::Int(value.into())
    }

    pub fn var(name: impl Into<String>) -> Self {
        Self::Var(name.into())
    }

    pub fn call(function: impl Into<String>, arguments: impl Into<Vec<Term>>) -> Self {
        Self::Call(function.into(), arguments.into())
    }

    /// The direct parts of the term.
    pub(crate) fn parts(&self) -> Vec<&Term> {
        match self {
            Self::Int(_) | Self::Var(_) => vec![],
            Self::Call(_, arguments) => arguments.iter().collect(),
            Self::Neg(part) => vec![part],
            Self::Add(left, right)
            | Self::Sub(left, right)
            | Self::Mul(left, right)
            | Self::Div(left, right)
            | Self::Rem(left, right) => vec![left, right],
        }
    }

    pub fn quotient(self, divisor: Self) -> Self {
        Self::Div(Box::new(self), Box::new(divisor))
    }

    pub fn remainder(self, divisor: Self) -> Self {
        Self::Rem(Box::new(self), Box::new(divisor))
    }

    pub fn compare(self, comparison: Comparison, other: Self) -> Formula {
        Formula::Compare(comparison, self, other)
    }
}

impl Neg for Term {
    type Output = Self;
    fn neg(self) -> Self {
        Self::Neg(Box::new(self))
    }
}

impl Add for Term {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::Add(Box::new(self), Box::new(other))
    }
}

impl Sub for Term {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::Sub(Box::new(self), Box::new(other))
    }
}

impl Mul for Term {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::Mul(Box::new(self), Box::new(other))
    }
}

impl Formula {
    pub fn var(name: impl Into<String>) -> Self {
        Self::Var(name.into())
    }

    pub fn negate(self) -> Self {
        Self::Not(Box::new(self))
    }

    pub fn iff(self, other: Self) -> Self {
        Self::Iff(Box::new(self), Box::new(other))
    }
}

/// Does not recurse, because a term may be deep.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Piece<'a> {
            Term(&'a Term),
            Text(&'static str),
        }
        let mut work = vec![Piece::Term(self)];
        while let Some(piece) = work.pop() {
            let term = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Term(term) => term,
            };
            let (open, between, close) = match term {
                Self::Int(value) => {
                    write!(f, "{value}")?;
                    continue;
                }
                Self::Var(name) => {
                    f.write_str(name)?;
                    continue;
                }
                Self::Call(name, _) => {
                    f.write_str(name)?;
                    ("(", ", ", ")")
                }
                Self::Neg(_) => ("-", "", ""),
                Self::Add(..) => ("(", " + ", ")"),
                Self::Sub(..) => ("(", " - ", ")"),
                Self::Mul(..) => ("(", " * ", ")"),
                Self::Div(..) => ("(", " / ", ")"),
                Self::Rem(..) => ("(", " % ", ")"),
            };
            f.write_str(open)?;
            work.push(Piece::Text(close));
            for (position, part) in term.parts().into_iter().enumerate().rev() {
                work.push(Piece::Term(part));
                if position > 0 {
                    work.push(Piece::Text(between));
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        })
    }
}
