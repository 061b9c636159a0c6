//! Answers of the solver.

use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigInt;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The goal holds whenever the facts hold.
    Proved,
    /// These values make every fact true and the goal false.
    Refuted(Model),
    Unknown(Unknown),
}

/// Values for every variable and call of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// By name; a call is named by its text, such as `len(xs)`. A variable that is not an integer
    /// also has a number here, which is only meaningful for equality.
    pub values: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Int(BigInt),
    Bool(bool),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unknown {
    #[error("`{term}` is not linear: the solver multiplies and divides by constants only")]
    NotLinear { term: String },
    #[error("the question has too many cases to decide within the step limit")]
    OutOfSteps,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
        }
    }
}
