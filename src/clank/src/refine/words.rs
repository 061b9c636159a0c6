//! Prints predicates. A value without a name is printed as the source of its expression.

use super::context::{Context, Written};
use super::pred::{Pred, Term, ValueId, Words};
use crate::print::expr_text;

impl Context<'_> {
    /// The same predicate with all texts resolved, ready for printing.
    pub fn worded(&self, pred: &Pred) -> Pred {
        let inner = |pred: &Pred| Box::new(self.worded(pred));
        match pred {
            Pred::Bool(_) | Pred::Unknown(Words::Text(_)) => pred.clone(),
            Pred::Unknown(Words::Of(id)) => Pred::Unknown(Words::Text(self.words(*id))),
            Pred::Unknown(Words::Pred(pred)) => Pred::Unknown(Words::Pred(inner(pred))),
            Pred::Compare(cmp, left, right) => {
                Pred::Compare(*cmp, self.worded_term(left), self.worded_term(right))
            }
            Pred::And(left, right) => Pred::And(inner(left), inner(right)),
            Pred::Or(left, right) => Pred::Or(inner(left), inner(right)),
            Pred::Not(pred) => Pred::Not(inner(pred)),
            Pred::Holds(term) => Pred::Holds(self.worded_term(term)),
        }
    }

    fn worded_term(&self, term: &Term) -> Term {
        let inner = |term: &Term| Box::new(self.worded_term(term));
        match term {
            Term::Value(id, name) if name.is_empty() => Term::Value(*id, self.words(*id).into()),
            Term::Neg(term) => Term::Neg(inner(term)),
            Term::Binary(op, left, right) => Term::Binary(*op, inner(left), inner(right)),
            Term::Call(name, args) => Term::Call(name.clone(), self.worded_terms(args)),
            Term::Index(object, index) => Term::Index(inner(object), inner(index)),
            Term::Field(object, field) => Term::Field(inner(object), field.clone()),
            _ => term.clone(),
        }
    }

    fn worded_terms(&self, terms: &[Term]) -> Vec<Term> {
        terms.iter().map(|it| self.worded_term(it)).collect()
    }

    fn words(&self, id: ValueId) -> String {
        match self.value_of(id).map(|it| &it.written) {
            Some(Written::Expr(expr)) => expr_text(expr),
            Some(Written::Call(name, args)) => {
                Term::Call(name.clone(), self.worded_terms(args)).to_string()
            }
            Some(Written::Named) | None => String::new(),
        }
    }
}
