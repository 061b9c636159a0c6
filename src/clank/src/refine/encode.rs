//! Translates predicates to the solver's language. Integers stay integers. All other values become
//! numbers that only support equality, and floats are ordered by their ranks.

use rustc_hash::FxHashMap as HashMap;

use fixpoint_solver::{BigInt, Comparison, Formula, Model, Term as Solved, Value};

use super::pred::{Arith, Cmp, Pred, Term};
use super::stable::Inside;
use super::walk::Walker;
use crate::names::Primitive;

/// The number of floats that fit between the ranks of two constants.
const GAP: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Int,
    Bool,
    /// Anything that is only compared, mostly floats.
    Other,
}

pub(super) struct Encoder<'w, 'a> {
    walker: &'w Walker<'a>,
    /// The constants in comparisons of floats, ascending.
    constants: Vec<f64>,
    strings: HashMap<String, usize>,
    unknowns: usize,
    /// Properties that terms have by their nature.
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
            _ if is_equality && !self.is_ranked(left) && !self.is_ranked(right) => {
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

    /// Compares floats by rank. With NaN every comparison is false, except `!=`.
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
            Term::Call(name, args) => {
                let called = Formula::Call(self.symbol(name, args), self.terms(args));
                if let [array] = args.as_slice()
                    && name == "is_empty"
                    && !self.walker.functions.contains_key("is_empty")
                {
                    self.is_without_elements(&called, array);
                }
                called
            }
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

    /// Assumes that an array is empty exactly if its length is zero. Writes change neither.
    fn is_without_elements(&mut self, is_empty: &Formula, array: &Term) {
        let length = self.term(&self.walker.len_of(array.clone()));
        let is_zero = Formula::Compare(Comparison::Equal, length, Solved::int(0));
        self.assume(is_empty.clone().iff(is_zero));
    }

    fn assume(&mut self, lemma: Formula) {
        if !self.lemmas.contains(&lemma) {
            self.lemmas.push(lemma);
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
                let number = *self.strings.entry(value.to_string()).or_insert(next);
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
                _ => Solved::Call(self.symbol(name, args), self.terms(args)),
            },
            Term::Index(object, index) => {
                Solved::Call("[]".to_owned(), vec![self.term(object), self.term(index)])
            }
            Term::Field(object, field) => {
                Solved::Call(format!(".{field}"), vec![self.term(object)])
            }
        };
        // A value of type `Nat` may be a difference and so negative, but a length is not.
        if self.walker.is_length(term) {
            let least =
                Formula::Compare(Comparison::GreaterOrEqual, solved.clone(), Solved::int(0));
            self.assume(least);
        }
        solved
    }

    /// Whether the solver's number for a term is the term's own value.
    pub fn shows_value(&self, term: &Term) -> bool {
        self.sort(term) != Sort::Other
    }

    pub fn is_float(&self, term: &Term) -> bool {
        self.walker.primitive(term) == Some(Primitive::Float)
    }

    pub fn is_string(&self, term: &Term) -> bool {
        self.walker.primitive(term) == Some(Primitive::Str)
    }

    /// The string for a number: a literal of the program, or a new string.
    pub fn string_of(&self, value: &Value) -> Option<String> {
        let Value::Int(number) = value else {
            return None;
        };
        let is_it = |(_, known): &(&String, &usize)| BigInt::from(**known) == *number;
        let known = self.strings.iter().find(is_it).map(|it| it.0.clone());
        let other = || {
            let names = (1_usize..).map(|count| "x".repeat(count));
            names.into_iter().find(|it| !self.strings.contains_key(it))
        };
        Some(Term::Str(known.or_else(other)?.as_str().into()).to_string())
    }

    /// A float with the rank of a term in a model: a constant, or a float between two constants.
    pub fn float_in(&self, term: &Solved, model: &Model) -> Option<String> {
        let of = |name: &str| Solved::Call(name.to_owned(), vec![term.clone()]).to_string();
        if model.values.get(&of("is_number")) == Some(&Value::Bool(false)) {
            return Some("NaN".to_owned());
        }
        let Some(Value::Int(rank)) = model.values.get(&of("rank")) else {
            return None;
        };
        let rank = f64::from(i32::try_from(rank).ok()?);
        let place = |index: usize| index as f64 * f64::from(GAP);
        let next = (0..self.constants.len()).position(|index| place(index) > rank);
        let next = next.unwrap_or(self.constants.len());
        let low = next
            .checked_sub(1)
            .map(|it| (self.constants[it], place(it)));
        let high = self.constants.get(next).map(|it| (*it, place(next)));
        let value = match (low, high) {
            (Some((low, at)), Some((high, end))) => low + (high - low) * (rank - at) / (end - at),
            (Some((edge, at)), None) | (None, Some((edge, at))) => edge + (rank - at),
            (None, None) => rank,
        };
        Some(format!("{value:?}"))
    }

    /// Whether a term may contain floats or functions, for which equality and identity differ. Two
    /// equal zeros may have different signs. NaN does not equal itself, and neither do functions
    /// that are created twice.
    fn is_ranked(&self, term: &Term) -> bool {
        let is_made = |name: &str| name.starts_with(char::is_uppercase);
        match (term, self.walker.primitive(term)) {
            (_, Some(primitive)) => primitive == Primitive::Float,
            (Term::Name(name), _) if is_made(name) => false,
            (Term::Call(name, args), _) if is_made(name) => {
                args.iter().any(|it| self.is_ranked(it))
            }
            (Term::Binary(_, left, right), _) => self.is_ranked(left) || self.is_ranked(right),
            _ => {
                let ty = self.walker.type_of(term);
                ty.is_none_or(|ty| {
                    self.walker.has_inside(ty, Inside::Float)
                        || self.walker.has_inside(ty, Inside::Function)
                })
            }
        }
    }

    /// The solver's name for a function. The solver only has numbers, so arguments of other sorts
    /// use a separate function symbol.
    fn symbol(&self, name: &str, args: &[Term]) -> String {
        let sorts: Vec<_> = args.iter().map(|it| self.walker.primitive(it)).collect();
        let is_coded = |it: &Option<Primitive>| {
            matches!(it, Some(Primitive::Str | Primitive::Bool | Primitive::Unit))
        };
        if sorts.iter().any(is_coded) {
            format!("{name} of {sorts:?}")
        } else {
            name.to_owned()
        }
    }

    fn sort(&self, term: &Term) -> Sort {
        match self.walker.primitive(term) {
            Some(Primitive::Bool) => Sort::Bool,
            Some(primitive) if primitive.is_integer() => Sort::Int,
            _ => Sort::Other,
        }
    }
}

/// A constant term as a float. `None` for an integer that may not be exact.
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
