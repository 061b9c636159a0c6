//! Converts typed expressions to terms and predicates over values.

use super::context::{SHADOWED_LEN, Written};
use super::pred::{Arith, Cmp, Pred, Term, ValueId, Words};
use super::walk::Walker;
use crate::ast::{BinaryOp, Expr, ExprKind, Literal, NodeId, Text, UnaryOp};
use crate::names::{Def, Primitive};
use crate::types::{Refinement, Ty, TyKind};

impl<'a> Walker<'a> {
    /// The term of an expression. An expression without a term becomes a value about which nothing
    /// is known.
    pub fn term(&mut self, expr: &'a Expr) -> Term {
        let steady = !self.unsteady.contains(&expr.id);
        match steady.then(|| self.try_term(expr)).flatten() {
            Some(term) => term,
            None => self.opaque(expr),
        }
    }

    pub(super) fn opaque(&mut self, expr: &'a Expr) -> Term {
        let term = Term::Value(self.value_of_expr(expr), Text::new());
        if let ExprKind::Array(elements) = &expr.kind {
            let length = Term::Int(elements.len().into());
            let known = Pred::Compare(Cmp::Equal, self.len_of(term.clone()), length);
            self.learn(known, "array literal", "");
        }
        term
    }

    fn value_of_expr(&mut self, expr: &'a Expr) -> ValueId {
        let ty = self.typing.of_node(expr.id);
        // A validator returns its argument, and the author did not write it.
        let written = match &expr.kind {
            ExprKind::Call { callee, args }
                if self.typing.names.of_use(callee.id) == Some(Def::Validator) =>
            {
                args.first().unwrap_or(expr)
            }
            _ => expr,
        };
        self.context.value(ty, Written::Expr(written))
    }

    /// The length of an array, even if the program declares its own `len`.
    pub(super) fn len_of(&self, array: Term) -> Term {
        let name = if self.functions.contains_key("len") {
            SHADOWED_LEN
        } else {
            "len"
        };
        Term::Call(name.into(), vec![array])
    }

    pub(super) fn try_term(&mut self, expr: &'a Expr) -> Option<Term> {
        Some(match &expr.kind {
            ExprKind::Literal(literal) => Term::of_literal(literal)?,
            ExprKind::Ident(name) => match self.typing.names.of_use(expr.id)? {
                Def::Local(binding) if self.typing.names.is_changed_by_lambda(binding) => {
                    return None;
                }
                Def::Local(binding) => Term::Value(self.context.current(binding)?, name.clone()),
                _ => return None,
            },
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => self.term(operand).negated(),
            ExprKind::Binary {
                op: BinaryOp::Pipe,
                left,
                right,
            } => self.call_term(expr.id, right, std::iter::once(left.as_ref()))?,
            ExprKind::Binary { op, left, right } => {
                let op = Arith::of(*op)?;
                let left = Box::new(self.term(left));
                let right = Box::new(self.term(right));
                let term = Term::Binary(op, left, right);
                self.is_stable_term(&term).then_some(term)?
            }
            ExprKind::Call { callee, args } => self.call_term(expr.id, callee, args.iter())?,
            ExprKind::Index { object, index } if !self.typing.names.writes_fields => {
                Term::Index(Box::new(self.term(object)), Box::new(self.term(index)))
            }
            ExprKind::Field { object, field } if !self.typing.names.writes_fields => {
                let record = self.term(object);
                let refinement = self.refinement_of(self.typing.of_node(expr.id));
                let names = refinement.map(|it| self.sibling_names(it, object, &record));
                let term = Term::Field(Box::new(record), field.text.clone());
                if let Some(refinement) = refinement {
                    let names = names.unwrap_or_default();
                    self.know(
                        refinement,
                        &term,
                        &names,
                        "refinement of field",
                        &field.text,
                    );
                }
                term
            }
            ExprKind::Block(block) if block.statements.is_empty() => {
                self.try_term(block.tail.as_deref()?)?
            }
            _ => return None,
        })
    }

    /// The term of a call. A declared function without effects is a pure function of its arguments.
    /// For any other call, only the refinement of its result is known.
    fn call_term(
        &mut self,
        call: NodeId,
        callee: &Expr,
        mut args: impl Iterator<Item = &'a Expr>,
    ) -> Option<Term> {
        let ExprKind::Ident(name) = &callee.kind else {
            return None;
        };
        let def = self.typing.names.of_use(callee.id)?;
        match def {
            Def::Local(_) => return None,
            // A validator returns its argument.
            Def::Validator => return self.try_term(args.next()?),
            _ => {}
        }
        let function = self.typing.of_node(callee.id)?;
        let result = match self.typing.arena.kind(self.typing.arena.base(function)) {
            TyKind::Function { result, .. } => Some(*result),
            _ => None,
        };
        let refinement = self.refinement_of(result);
        let is_builtin = matches!(def, Def::Builtin(_));
        // External functions may return a different value on each call.
        let is_pure = self.typing.effects_of(function).is_empty()
            && (is_builtin || !self.typing.names.writes_fields)
            && (is_builtin || self.is_repeatable(name));
        if !is_pure && refinement.is_none() {
            return None;
        }
        let args: Vec<Term> = args.map(|arg| self.term(arg)).collect();
        let Some(refinement) = refinement else {
            let stable = Term::Call(name.clone(), args);
            return self.is_stable_term(&stable).then_some(stable);
        };
        let stable = is_pure
            .then(|| Term::Call(name.clone(), args.clone()))
            .filter(|it| self.is_stable_term(it));
        let term = stable.unwrap_or_else(|| {
            let written = Written::Call(name.clone(), args.clone());
            let value = self.context.value(self.typing.of_node(call), written);
            Term::Value(value, Text::new())
        });
        let names = self.param_names(def);
        let named: Vec<(Text, Term)> = names.into_iter().zip(args).collect();
        self.know(refinement, &term, &named, "result of", name);
        Some(term)
    }

    /// The predicate of a condition.
    pub fn pred(&mut self, expr: &'a Expr) -> Pred {
        match &expr.kind {
            _ if self.unsteady.contains(&expr.id) => self.unknown(expr),
            ExprKind::Literal(Literal::Bool(value)) => Pred::Bool(*value),
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.pred(operand).negate(),
            ExprKind::Binary { op, left, right } => match (op, Cmp::of(*op)) {
                (_, Some(cmp)) => Pred::Compare(cmp, self.term(left), self.term(right)),
                (BinaryOp::And, _) => {
                    let left = self.pred(left);
                    let skips = |left: &Pred| left.clone().negate();
                    let right = self.pred_unless(&left, skips, right);
                    left.and(right)
                }
                (BinaryOp::Or, _) => {
                    let left = self.pred(left);
                    let right = self.pred_unless(&left, Pred::clone, right);
                    Pred::Or(Box::new(left), Box::new(right))
                }
                _ => self.holds(expr),
            },
            ExprKind::Block(block) if block.statements.is_empty() => match &block.tail {
                Some(tail) => self.pred(tail),
                None => self.holds(expr),
            },
            _ => self.holds(expr),
        }
    }

    /// The predicate of a right operand. Facts from evaluating it hold only if it was evaluated.
    fn pred_unless(&mut self, left: &Pred, skips: impl Fn(&Pred) -> Pred, right: &'a Expr) -> Pred {
        let mark = self.context.mark();
        let pred = self.pred(right);
        for fact in self.context.take_since(mark) {
            let skipped = skips(left);
            let either = Pred::Or(Box::new(skipped), Box::new(fact.pred));
            self.learn(either, fact.source, &fact.about);
        }
        pred
    }

    fn holds(&mut self, expr: &'a Expr) -> Pred {
        match self.try_term(expr) {
            Some(term) => Pred::Holds(term),
            None => self.unknown(expr),
        }
    }

    fn unknown(&mut self, expr: &'a Expr) -> Pred {
        Pred::Unknown(Words::Of(self.value_of_expr(expr)))
    }

    pub fn is_bool(&self, ty: Option<Ty>) -> bool {
        ty.and_then(|ty| self.typing.primitive(ty)) == Some(Primitive::Bool)
    }

    /// The refinement of a type, through aliases.
    pub fn refinement_of(&self, ty: Option<Ty>) -> Option<&'a Refinement> {
        let arena = &self.typing.arena;
        match arena.kind(arena.resolve(ty?)) {
            TyKind::Refined { refinement, .. } => Some(refinement),
            _ => None,
        }
    }

    /// Adds the refinement of a term as a fact.
    pub fn know(
        &mut self,
        refinement: &Refinement,
        term: &Term,
        names: &[(Text, Term)],
        source: &'static str,
        about: &str,
    ) {
        let pred = applied(refinement, term, names);
        self.learn(pred, source, about);
    }
}

/// The predicate of a refinement, applied to a term. Its other names are replaced.
pub(super) fn applied(refinement: &Refinement, term: &Term, names: &[(Text, Term)]) -> Pred {
    refinement.predicate.with_names(&|name| {
        if name == refinement.var {
            return Some(term.clone());
        }
        let named = names.iter().find(|(it, _)| it == name);
        named.map(|(_, term)| term.clone())
    })
}
