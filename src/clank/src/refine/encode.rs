//! The solver's language. Integers are integers there; everything else is a number that means only
//! what it is equal to, and order among floats is order among their ranks.

use rustc_hash::FxHashMap as HashMap;

use fixpoint_solver::{BigInt, Comparison, Formula, Term as Solved};

use super::context::{Context, SHADOWED_LEN};
use super::pred::{Arith, Cmp, Pred, Term};
use super::walk::Walker;
use crate::names::Primitive;
use crate::types::{Ty, TyKind};

/// Between the ranks of two constants there is room for this many other floats.
const GAP: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Int,
    Bool,
    /// Anything that is only compared, floats above all.
    Other,
}

pub(super) struct Encoder<'w, 'a> {
    walker: &'w Walker<'a>,
    /// The constants that floats are compared with, ascending.
    constants: Vec<f64>,
    strings: HashMap<String, usize>,
    unknowns: usize,
    /// What holds of terms because of what they are.
    pub lemmas: Vec<Formula>,
}

impl<'w, 'a> Encoder<'w, 'a> {
    /// An encoder for these predicates.
    pub fn new<'p>(walker: &'w Walker<'a>, preds: impl Iterator<Item = &'p Pred>) -> Self {
        let mut encoder = Self {
            walker,
            constants: Vec::new(),
            strings: HashMap::default(),
            unknowns: 0,
            lemmas: Vec::new(),
        };
        for pred in preds {
            encoder.collect(pred);
        }
        encoder.constants.sort_by(f64::total_cmp);
        encoder.constants.dedup();
        encoder
    }

    fn collect(&mut self, pred: &Pred) {
        match pred {
            Pred::Compare(_, left, right) => {
                for term in [left, right] {
                    self.constants.extend(constant(term));
                }
            }
            Pred::And(left, right) | Pred::Or(left, right) => {
                self.collect(left);
                self.collect(right);
            }
            Pred::Not(pred) => self.collect(pred),
            Pred::Bool(_) | Pred::Holds(_) | Pred::Unknown(_) => {}
        }
    }

    pub fn formula(&mut self, pred: &Pred) -> Formula {
        match pred {
            Pred::Bool(value) => Formula::Bool(*value),
            Pred::And(left, right) => Formula::And(vec![self.formula(left), self.formula(right)]),
            Pred::Or(left, right) => Formula::Or(vec![self.formula(left), self.formula(right)]),
            Pred::Not(pred) => self.formula(pred).negate(),
            Pred::Holds(term) => self.truth(term),
            Pred::Unknown(_) => {
                self.unknowns += 1;
                Formula::Var(format!("?{}", self.unknowns))
            }
            Pred::Compare(cmp, left, right) => self.compare(*cmp, left, right),
        }
    }

    fn compare(&mut self, cmp: Cmp, left: &Term, right: &Term) -> Formula {
        let is_equality = matches!(cmp, Cmp::Same | Cmp::Equal | Cmp::NotEqual);
        match (self.sort(left), self.sort(right)) {
            (Sort::Int, Sort::Int) => {
                let (left, right) = (self.term(left), self.term(right));
                Formula::Compare(comparison(cmp), left, right)
            }
            (Sort::Bool, Sort::Bool) if is_equality => {
                let same = self.truth(left).iff(self.truth(right));
                if cmp == Cmp::NotEqual {
                    same.negate()
                } else {
                    same
                }
            }
            _ if is_equality && !self.is_float(left) && !self.is_float(right) => {
                let (left, right) = (self.term(left), self.term(right));
                Formula::Compare(comparison(cmp), left, right)
            }
            _ if cmp == Cmp::Same && constant(left).is_none() && constant(right).is_none() => {
                let (left, right) = (self.term(left), self.term(right));
                Formula::Compare(Comparison::Equal, left, right)
            }
            _ => self.compare_ranks(cmp, left, right),
        }
    }

    /// Every comparison with a value that is no number is false, but for `!=`.
    fn compare_ranks(&mut self, cmp: Cmp, left: &Term, right: &Term) -> Formula {
        if cmp == Cmp::NotEqual {
            return self.compare_ranks(Cmp::Equal, left, right).negate();
        }
        let mut parts = Vec::new();
        let mut rank = |it: &mut Self, term: &Term| match constant(term) {
            Some(value) => it.rank(value),
            None => {
                let encoded = it.term(term);
                parts.push(Formula::Call("is_number".to_owned(), vec![encoded.clone()]));
                Solved::Call("rank".to_owned(), vec![encoded])
            }
        };
        let (left, right) = (rank(self, left), rank(self, right));
        parts.push(Formula::Compare(comparison(cmp), left, right));
        Formula::And(parts)
    }

    fn rank(&self, value: f64) -> Solved {
        let place = self.constants.partition_point(|it| *it < value);
        Solved::Int(BigInt::from(place) * GAP)
    }

    fn truth(&mut self, term: &Term) -> Formula {
        match term {
            Term::Bool(value) => Formula::Bool(*value),
            Term::Value(id, _) => Formula::Var(format!("b{}", id.0)),
            Term::Name(name) => Formula::Var(format!("name {name}")),
            Term::Call(name, args) => Formula::Call(name.clone(), self.terms(args)),
            Term::Field(object, field) => {
                Formula::Call(format!(".{field}"), vec![self.term(object)])
            }
            Term::Index(object, index) => {
                Formula::Call("[]".to_owned(), vec![self.term(object), self.term(index)])
            }
            _ => {
                self.unknowns += 1;
                Formula::Var(format!("?{}", self.unknowns))
            }
        }
    }

    fn terms(&mut self, terms: &[Term]) -> Vec<Solved> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    pub fn term(&mut self, term: &Term) -> Solved {
        let solved = match term {
            Term::Value(id, _) => Solved::Var(format!("v{}", id.0)),
            Term::Name(name) => Solved::Var(format!("name {name}")),
            Term::Int(value) => return Solved::Int(value.clone()),
            Term::Float(value) => Solved::Call(format!("float {value:?}"), Vec::new()),
            Term::Bool(value) => return Solved::int(i32::from(*value)),
            Term::Unit => return Solved::int(0),
            Term::Str(value) => {
                let next = self.strings.len();
                let number = *self.strings.entry(value.clone()).or_insert(next);
                return Solved::Int(number.into());
            }
            Term::Neg(inner) if self.sort(inner) == Sort::Int => return -self.term(inner),
            Term::Neg(inner) => Solved::Call("-".to_owned(), vec![self.term(inner)]),
            Term::Binary(op, left, right) => {
                let integers = self.sort(left) == Sort::Int && self.sort(right) == Sort::Int;
                let (left, right) = (self.term(left), self.term(right));
                match op {
                    Arith::Add if integers => return left + right,
                    Arith::Subtract if integers => return left - right,
                    Arith::Multiply if integers => return left * right,
                    Arith::Remainder if integers => return left.remainder(right),
                    _ => Solved::Call(op.text().to_owned(), vec![left, right]),
                }
            }
            Term::Call(name, args) => match args.as_slice() {
                [Term::Str(text)]
                    if name == "str_len" && !self.walker.functions.contains_key("str_len") =>
                {
                    return Solved::Int(text.encode_utf16().count().into());
                }
                _ => Solved::Call(name.clone(), self.terms(args)),
            },
            Term::Index(object, index) => {
                Solved::Call("[]".to_owned(), vec![self.term(object), self.term(index)])
            }
            Term::Field(object, field) => {
                Solved::Call(format!(".{field}"), vec![self.term(object)])
            }
        };
        // A value of the type may be a difference, and so below zero; a length is none.
        let is_length = matches!(term, Term::Call(name, _) if !self.walker.functions.contains_key(name.as_str()))
            && self.primitive(term) == Some(Primitive::Nat);
        if is_length {
            let least =
                Formula::Compare(Comparison::GreaterOrEqual, solved.clone(), Solved::int(0));
            if !self.lemmas.contains(&least) {
                self.lemmas.push(least);
            }
        }
        solved
    }

    /// Whether the number the solver has for a term is the term's own value.
    pub fn shows_value(&self, term: &Term) -> bool {
        self.sort(term) != Sort::Other
    }

    fn is_float(&self, term: &Term) -> bool {
        self.primitive(term) == Some(Primitive::Float)
    }

    fn sort(&self, term: &Term) -> Sort {
        match self.primitive(term) {
            Some(Primitive::Bool) => Sort::Bool,
            Some(primitive) if primitive.is_integer() => Sort::Int,
            _ => Sort::Other,
        }
    }

    fn primitive(&self, term: &Term) -> Option<Primitive> {
        match term {
            Term::Int(_) => Some(Primitive::Int),
            Term::Float(_) => Some(Primitive::Float),
            Term::Bool(_) => Some(Primitive::Bool),
            Term::Str(_) => Some(Primitive::Str),
            Term::Unit => Some(Primitive::Unit),
            Term::Name(_) => None,
            Term::Neg(inner) => self.primitive(inner),
            Term::Binary(Arith::Divide, ..) => Some(Primitive::Float),
            Term::Binary(Arith::Concat, ..) => None,
            Term::Binary(_, left, right) => {
                let (left, right) = (self.primitive(left)?, self.primitive(right)?);
                match (left.is_integer(), right.is_integer()) {
                    // A difference of naturals may be below zero.
                    (true, true) => Some(Primitive::Int),
                    _ if left.is_numeric() && right.is_numeric() => Some(Primitive::Float),
                    _ => None,
                }
            }
            Term::Call(name, args) => match self.walker.functions.get(name.as_str()) {
                Some(id) => {
                    let function = self.walker.typing.of_node(*id)?;
                    match self
                        .walker
                        .typing
                        .arena
                        .kind(self.walker.typing.arena.base(function))
                    {
                        TyKind::Function { result, .. } => self.walker.typing.primitive(*result),
                        _ => None,
                    }
                }
                None => match name.as_str() {
                    SHADOWED_LEN | "len" | "str_len" | "abs" => Some(Primitive::Nat),
                    "float_to_int" => Some(Primitive::Int),
                    "int_to_float" => Some(Primitive::Float),
                    "is_empty" | "any" | "all" | "contains" => Some(Primitive::Bool),
                    "min" | "max" => self.primitive(args.first()?),
                    _ => None,
                },
            },
            Term::Value(..) | Term::Index(..) | Term::Field(..) => {
                self.walker.typing.primitive(self.type_of(term)?)
            }
        }
    }

    fn type_of(&self, term: &Term) -> Option<Ty> {
        let typing = self.walker.typing;
        let context: &Context = &self.walker.context;
        match term {
            Term::Value(id, _) => context.value_of(*id)?.ty,
            Term::Index(object, _) => {
                match typing.arena.kind(typing.arena.base(self.type_of(object)?)) {
                    TyKind::Array(element) => Some(*element),
                    _ => None,
                }
            }
            Term::Field(object, field) => {
                match typing.arena.kind(typing.arena.base(self.type_of(object)?)) {
                    TyKind::Record { fields, .. } => fields
                        .iter()
                        .find(|(name, _)| typing.arena.name(*name) == field)
                        .map(|(_, ty)| *ty),
                    TyKind::Named(name, _) => {
                        let fields = self.walker.records.get(typing.arena.name(*name))?;
                        let field = fields.iter().find(|it| it.name.text == *field)?;
                        typing.of_node(field.ty.id)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The number a term is, as a float. An integer too large to be one exactly is none.
fn constant(term: &Term) -> Option<f64> {
    match term {
        Term::Float(value) if !value.is_nan() => Some(*value),
        Term::Int(value) => {
            let small: i32 = value.try_into().ok()?;
            Some(f64::from(small))
        }
        _ => None,
    }
}

fn comparison(cmp: Cmp) -> Comparison {
    match cmp {
        Cmp::Same | Cmp::Equal => Comparison::Equal,
        Cmp::NotEqual => Comparison::NotEqual,
        Cmp::Less => Comparison::Less,
        Cmp::LessEqual => Comparison::LessOrEqual,
        Cmp::Greater => Comparison::Greater,
        Cmp::GreaterEqual => Comparison::GreaterOrEqual,
    }
}
