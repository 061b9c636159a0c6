//! Predicates and the terms they compare.

use std::fmt;

use fixpoint_solver::BigInt;

use crate::ast::{BinaryOp, Expr, ExprKind, Literal, Text, UnaryOp};
use crate::print::expr_text;

/// A value at one moment. After an assignment, a variable refers to another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub(crate) u32);

#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A name in a predicate that is not bound to a value yet.
    Name(Text),
    /// A value with its name. A value without a name is printed as the source of its expression.
    Value(ValueId, Text),
    Int(BigInt),
    /// As written in the source.
    Float(f64),
    Bool(bool),
    Str(Text),
    Unit,
    Neg(Box<Term>),
    Binary(Arith, Box<Term>, Box<Term>),
    /// A pure function of its arguments.
    Call(Text, Vec<Term>),
    Index(Box<Term>, Box<Term>),
    Field(Box<Term>, Text),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Concat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// One value under two names. Unlike `==`, it also holds for NaN.
    Same,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pred {
    Bool(bool),
    Compare(Cmp, Term, Term),
    And(Box<Pred>, Box<Pred>),
    Or(Box<Pred>, Box<Pred>),
    Not(Box<Pred>),
    /// A boolean term.
    Holds(Term),
    /// Something that no term can express.
    Unknown(Words),
}

/// The text for something that no term can express. It is created lazily, because most of it is
/// never printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Words {
    Text(String),
    /// Printed as the source of the value's expression.
    Of(ValueId),
    Pred(Box<Pred>),
}

impl Pred {
    /// The predicate of an expression, over names.
    pub fn of_expr(expr: &Expr) -> Self {
        let both = |left: &Expr, right: &Expr| {
            (
                Box::new(Self::of_expr(left)),
                Box::new(Self::of_expr(right)),
            )
        };
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(value)) => Self::Bool(*value),
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => Self::Not(Box::new(Self::of_expr(operand))),
            ExprKind::Binary { op, left, right } => match (op, Cmp::of(*op)) {
                (_, Some(cmp)) => match (Term::of_expr(left), Term::of_expr(right)) {
                    (Some(left), Some(right)) => Self::Compare(cmp, left, right),
                    _ => Self::unknown(expr),
                },
                (BinaryOp::And, _) => {
                    let (left, right) = both(left, right);
                    Self::And(left, right)
                }
                (BinaryOp::Or, _) => {
                    let (left, right) = both(left, right);
                    Self::Or(left, right)
                }
                _ => Self::unknown(expr),
            },
            ExprKind::Ident(_) | ExprKind::Call { .. } | ExprKind::Field { .. } => {
                match Term::of_expr(expr) {
                    Some(term) => Self::Holds(term),
                    None => Self::unknown(expr),
                }
            }
            _ => Self::unknown(expr),
        }
    }

    /// Replaces names with terms. If a replaced name is called, the predicate becomes unknown,
    /// because the name is not a global function.
    pub fn with_names(&self, replace: &dyn Fn(&str) -> Option<Term>) -> Self {
        let inner = |pred: &Self| Box::new(pred.with_names(replace));
        let is_local = |name: &str| replace(name).is_some();
        match self {
            Self::Bool(_) | Self::Unknown(_) => self.clone(),
            Self::Compare(_, left, right) if left.calls(&is_local) || right.calls(&is_local) => {
                Self::Unknown(Words::Text(self.to_string()))
            }
            Self::Holds(term) if term.calls(&is_local) => {
                Self::Unknown(Words::Text(self.to_string()))
            }
            Self::Compare(cmp, left, right) => {
                Self::Compare(*cmp, left.with_names(replace), right.with_names(replace))
            }
            Self::And(left, right) => Self::And(inner(left), inner(right)),
            Self::Or(left, right) => Self::Or(inner(left), inner(right)),
            Self::Not(pred) => Self::Not(inner(pred)),
            Self::Holds(term) => Self::Holds(term.with_names(replace)),
        }
    }

    fn unknown(expr: &Expr) -> Self {
        Self::Unknown(Words::Text(expr_text(expr)))
    }

    /// Keeps the predicate for messages, but hides it from the solver.
    pub fn beyond_terms(self) -> Self {
        Self::Unknown(Words::Pred(Box::new(self)))
    }

    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub fn negate(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Whether terms can express the whole predicate.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Unknown(_) => false,
            Self::And(left, right) | Self::Or(left, right) => left.is_known() && right.is_known(),
            Self::Not(pred) => pred.is_known(),
            Self::Bool(_) | Self::Compare(..) | Self::Holds(_) => true,
        }
    }

    /// Calls `visit` with every value in the predicate.
    pub fn each_value<'p>(&'p self, visit: &mut dyn FnMut(ValueId, &'p str)) {
        match self {
            Self::Bool(_) | Self::Unknown(_) => {}
            Self::Compare(_, left, right) => {
                left.each_value(visit);
                right.each_value(visit);
            }
            Self::And(left, right) | Self::Or(left, right) => {
                left.each_value(visit);
                right.each_value(visit);
            }
            Self::Not(pred) => pred.each_value(visit),
            Self::Holds(term) => term.each_value(visit),
        }
    }

    /// Whether a name occurs in it.
    pub fn uses(&self, name: &str) -> bool {
        self.any_name(&|it| it == name)
    }

    /// Whether one of these names occurs in it.
    pub fn any_name(&self, is_one: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Bool(_) | Self::Unknown(_) => false,
            Self::Compare(_, left, right) => left.any_name(is_one) || right.any_name(is_one),
            Self::And(left, right) | Self::Or(left, right) => {
                left.any_name(is_one) || right.any_name(is_one)
            }
            Self::Not(pred) => pred.any_name(is_one),
            Self::Holds(term) => term.any_name(is_one),
        }
    }

    /// Whether the predicate does not depend on any other name.
    pub fn is_about_only(&self, name: &str) -> bool {
        match self {
            Self::Bool(_) | Self::Unknown(_) => true,
            Self::Compare(_, left, right) => left.is_about_only(name) && right.is_about_only(name),
            Self::And(left, right) | Self::Or(left, right) => {
                left.is_about_only(name) && right.is_about_only(name)
            }
            Self::Not(pred) => pred.is_about_only(name),
            Self::Holds(term) => term.is_about_only(name),
        }
    }

    /// The first name in the predicate, from left to right.
    pub fn first_name(&self) -> Option<&str> {
        match self {
            Self::Bool(_) | Self::Unknown(_) => None,
            Self::Compare(_, left, right) => left.first_name().or_else(|| right.first_name()),
            Self::And(left, right) | Self::Or(left, right) => {
                left.first_name().or_else(|| right.first_name())
            }
            Self::Not(pred) => pred.first_name(),
            Self::Holds(term) => term.first_name(),
        }
    }
}

impl Cmp {
    pub fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Equal => Self::Equal,
            BinaryOp::NotEqual => Self::NotEqual,
            BinaryOp::Less => Self::Less,
            BinaryOp::LessEqual => Self::LessEqual,
            BinaryOp::Greater => Self::Greater,
            BinaryOp::GreaterEqual => Self::GreaterEqual,
            _ => return None,
        })
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::Same | Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}

impl Arith {
    pub fn of(op: BinaryOp) -> Option<Self> {
        Some(match op {
            BinaryOp::Add => Self::Add,
            BinaryOp::Subtract => Self::Subtract,
            BinaryOp::Multiply => Self::Multiply,
            BinaryOp::Divide => Self::Divide,
            BinaryOp::Remainder => Self::Remainder,
            BinaryOp::Power => Self::Power,
            BinaryOp::Concat => Self::Concat,
            _ => return None,
        })
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "^",
            Self::Concat => "++",
        }
    }
}

impl Term {
    /// The term of an expression, over names; `None` if no term can express it.
    pub fn of_expr(expr: &Expr) -> Option<Self> {
        let part = |expr: &Expr| Self::of_expr(expr).map(Box::new);
        Some(match &expr.kind {
            ExprKind::Literal(literal) => Self::of_literal(literal)?,
            ExprKind::Ident(name) => Self::Name(name.clone()),
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => Self::negated(*part(operand)?),
            ExprKind::Binary { op, left, right } => {
                Self::Binary(Arith::of(*op)?, part(left)?, part(right)?)
            }
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Ident(name) => {
                    let args: Option<_> = args.iter().map(Self::of_expr).collect();
                    Self::Call(name.clone(), args?)
                }
                _ => return None,
            },
            ExprKind::Index { object, index } => Self::Index(part(object)?, part(index)?),
            ExprKind::Field { object, field } => Self::Field(part(object)?, field.text.clone()),
            _ => return None,
        })
    }

    pub fn of_literal(literal: &Literal) -> Option<Self> {
        Some(match literal {
            Literal::Int { value, .. } => Self::Int(match value.parse::<i64>() {
                Ok(small) => small.into(),
                Err(_) => value.parse().ok()?,
            }),
            Literal::Float(value) => Self::Float(*value),
            Literal::Str(value) => Self::Str(value.clone()),
            Literal::Bool(value) => Self::Bool(*value),
            Literal::Unit => Self::Unit,
            Literal::Template(_) => return None,
        })
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Int(value) => Self::Int(-value),
            Self::Float(value) => Self::Float(-value),
            other => Self::Neg(Box::new(other)),
        }
    }

    pub fn with_names(&self, replace: &dyn Fn(&str) -> Option<Self>) -> Self {
        let inner = |term: &Self| Box::new(term.with_names(replace));
        match self {
            Self::Name(name) => replace(name).unwrap_or_else(|| self.clone()),
            Self::Neg(term) => term.with_names(replace).negated(),
            Self::Binary(op, left, right) => Self::Binary(*op, inner(left), inner(right)),
            Self::Call(name, args) => {
                let args = args.iter().map(|arg| arg.with_names(replace));
                Self::Call(name.clone(), args.collect())
            }
            Self::Index(object, index) => Self::Index(inner(object), inner(index)),
            Self::Field(object, field) => Self::Field(inner(object), field.clone()),
            Self::Value(..)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Bool(_)
            | Self::Str(_)
            | Self::Unit => self.clone(),
        }
    }

    pub fn each_value<'p>(&'p self, visit: &mut dyn FnMut(ValueId, &'p str)) {
        match self {
            Self::Value(id, name) => visit(*id, name),
            Self::Neg(term) | Self::Field(term, _) => term.each_value(visit),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                left.each_value(visit);
                right.each_value(visit);
            }
            Self::Call(_, args) => args.iter().for_each(|arg| arg.each_value(visit)),
            _ => {}
        }
    }

    /// Whether one of these names is called in it.
    fn calls(&self, is_one: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Call(name, args) => is_one(name) || args.iter().any(|it| it.calls(is_one)),
            Self::Neg(term) | Self::Field(term, _) => term.calls(is_one),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                left.calls(is_one) || right.calls(is_one)
            }
            _ => false,
        }
    }

    /// Whether the term depends only on one name, and calls no function that may have another
    /// meaning elsewhere.
    fn is_about_only(&self, name: &str) -> bool {
        match self {
            Self::Name(it) => it == name,
            Self::Call(..) => false,
            Self::Neg(term) | Self::Field(term, _) => term.is_about_only(name),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                left.is_about_only(name) && right.is_about_only(name)
            }
            _ => true,
        }
    }

    fn any_name(&self, is_one: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Name(name) => is_one(name),
            Self::Neg(term) | Self::Field(term, _) => term.any_name(is_one),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                left.any_name(is_one) || right.any_name(is_one)
            }
            Self::Call(_, args) => args.iter().any(|it| it.any_name(is_one)),
            _ => false,
        }
    }

    fn first_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Neg(term) | Self::Field(term, _) => term.first_name(),
            Self::Binary(_, left, right) | Self::Index(left, right) => {
                left.first_name().or_else(|| right.first_name())
            }
            Self::Call(_, args) => args.iter().find_map(Self::first_name),
            _ => None,
        }
    }
}

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Compare(cmp, left, right) => write!(f, "{left} {} {right}", cmp.text()),
            Self::And(left, right) => write!(f, "({left} && {right})"),
            Self::Or(left, right) => write!(f, "({left} || {right})"),
            Self::Not(pred) => match pred.as_ref() {
                Self::Compare(..) => write!(f, "!({pred})"),
                _ => write!(f, "!{pred}"),
            },
            Self::Holds(term) => term.fmt(f),
            Self::Unknown(Words::Text(text)) => f.write_str(text),
            Self::Unknown(Words::Of(_)) => Ok(()),
            Self::Unknown(Words::Pred(pred)) => pred.fmt(f),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) | Self::Value(_, name) => f.write_str(name),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Str(value) => f.write_str(&crate::print::string_text(value)),
            Self::Unit => f.write_str("()"),
            Self::Neg(term) => write!(f, "-{term}"),
            Self::Binary(op, left, right) => write!(f, "({left} {} {right})", op.text()),
            Self::Call(name, args) => {
                write!(f, "{name}(")?;
                for (at, arg) in args.iter().enumerate() {
                    let between = if at > 0 { ", " } else { "" };
                    write!(f, "{between}{arg}")?;
                }
                f.write_str(")")
            }
            Self::Index(object, index) => write!(f, "{object}[{index}]"),
            Self::Field(object, field) => write!(f, "{object}.{field}"),
        }
    }
}
