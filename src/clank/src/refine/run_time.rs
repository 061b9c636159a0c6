//! Checks that the emitted code makes when it runs, for obligations that are not proved.

use fixpoint_text::Span;

use super::pred::Pred;
use super::walk::{TypeNames, Walker};
use crate::ast::{Expr, ExprKind, Ids, LambdaParam, Literal, Name, NodeId, NodeRef, Text};
use crate::names::prelude;
use crate::parse::fragment;
use crate::types::{Refinement, Ty, TyKind};

/// A check that belongs to one node.
#[derive(Clone, Debug)]
pub enum RunTimeCheck {
    /// The value of the expression must meet a contract.
    Value(Contract),
    /// The arguments of the call must meet a predicate over the names of the parameters.
    Arguments(Predicate),
    /// The index must be in range. Contains the text of the obligation.
    Bounds(String),
    /// After the assignment to a field, the record must meet a predicate over its fields.
    Fields(Predicate),
    /// The code cannot check the obligation with this text.
    Impossible(String),
}

/// What a value must meet to be used under another type.
#[derive(Clone, Debug)]
pub enum Contract {
    Any,
    Refined(Box<Self>, Predicate),
    Array(Box<Self>),
    Tuple(Vec<Self>),
    Record(Vec<(Text, Self)>),
    Function {
        params: Vec<Self>,
        result: Box<Self>,
    },
}

impl Contract {
    pub fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}

#[derive(Clone, Debug)]
pub struct Predicate {
    /// The text of the obligation.
    pub text: String,
    /// The predicate as a lambda. Its nodes have no types.
    pub lambda: Expr,
    /// What names other than the lambda's parameters refer to.
    pub names: TypeNames,
}

impl Walker<'_> {
    pub(super) fn check_at_run_time(&mut self, node: NodeId, check: RunTimeCheck) {
        self.found.checks.push((node, check));
    }

    /// Checks the value of an expression against a refinement that is not proved for it.
    pub(super) fn check_value(
        &mut self,
        node: NodeId,
        refinement: &Refinement,
        names: TypeNames,
        text: String,
    ) {
        let params = [refinement.var.as_str().into()];
        let predicate = self.predicate(&refinement.predicate, &params, names, &text);
        let check = match predicate {
            Some(it) => RunTimeCheck::Value(Contract::Refined(Box::new(Contract::Any), it)),
            None => RunTimeCheck::Impossible(text),
        };
        self.check_at_run_time(node, check);
    }

    /// Checks a value that is used under another type. `before` is the number of obligations before
    /// the types were compared.
    pub(super) fn check_use(&mut self, node: NodeId, own: Ty, wanted: Ty, before: usize) {
        let raised = self.found.obligations.get(before..).unwrap_or_default();
        let Some(text) = raised.first().map(|it| it.goal.clone()) else {
            return;
        };
        let contract = self.contract(own, wanted, 0).filter(|it| !it.is_any());
        let check = contract.map_or(RunTimeCheck::Impossible(text), RunTimeCheck::Value);
        self.check_at_run_time(node, check);
    }

    /// Marks the obligations since `before` as impossible to check.
    pub(super) fn cannot_check(&mut self, node: NodeId, before: usize) {
        let raised = self.found.obligations.get(before..).unwrap_or_default();
        let texts: Vec<String> = raised.iter().map(|it| it.goal.clone()).collect();
        for text in texts {
            self.check_at_run_time(node, RunTimeCheck::Impossible(text));
        }
    }

    /// A predicate as a lambda; `None` if it uses names that are not known where it is checked.
    pub(super) fn predicate(
        &self,
        pred: &Pred,
        params: &[Text],
        names: TypeNames,
        text: &str,
    ) -> Option<Predicate> {
        // Nodes beyond those of the program have no types.
        let mut ids = Ids::beyond(self.ast.ids.len());
        let body = fragment("", &pred.to_string(), &mut ids, 0, |parser| parser.expr()).ok()?;
        let is_known = |name: &str| {
            params.iter().any(|it| it == name)
                || !matches!(names, TypeNames::Nothing)
                || name.starts_with(char::is_uppercase)
                || self.functions.contains_key(name)
                || prelude().value_names().any(|it| it == name)
        };
        let mut is_closed = true;
        NodeRef::Expr(&body).each(&mut |node| {
            if let NodeRef::Expr(expr) = node {
                is_closed &= match &expr.kind {
                    ExprKind::Ident(name) => is_known(name),
                    ExprKind::Literal(Literal::Template(_)) => false,
                    _ => true,
                };
            }
        });
        let named = params.iter().map(|it| LambdaParam {
            id: ids.fresh(),
            name: Name::made(it.clone()),
            ty: None,
        });
        let params = named.collect();
        let body = Box::new(body);
        let lambda = Expr::new(ids.fresh(), Span::at(0), ExprKind::Lambda { params, body });
        is_closed.then(|| Predicate {
            text: text.to_owned(),
            lambda,
            names,
        })
    }

    /// What a value of type `own` must meet to be used as `wanted`; `None` if that cannot be checked
    /// where the value is passed on.
    fn contract(&self, own: Ty, wanted: Ty, depth: usize) -> Option<Contract> {
        let arena = &self.typing.arena;
        if depth > 16 {
            return None;
        }
        let part = |own: &Ty, wanted: &Ty| self.contract(*own, *wanted, depth + 1);
        // A later write under one type would have to be checked against the other.
        let shared = |own: &Ty, wanted: &Ty| {
            let is_free = !self.typing.names.writes_fields || part(wanted, own)?.is_any();
            is_free.then(|| part(own, wanted)).flatten()
        };
        let all = |own: &[Ty], wanted: &[Ty]| -> Option<Vec<Contract>> {
            let pairs = own.iter().zip(wanted);
            pairs.map(|(own, wanted)| shared(own, wanted)).collect()
        };
        let inside = match (arena.kind(arena.base(own)), arena.kind(arena.base(wanted))) {
            (TyKind::Array(own), TyKind::Array(wanted)) => {
                Contract::Array(Box::new(shared(own, wanted)?))
            }
            (TyKind::Tuple(own), TyKind::Tuple(wanted)) => Contract::Tuple(all(own, wanted)?),
            (TyKind::Named(_, own), TyKind::Named(_, wanted)) => {
                let parts = all(own, wanted)?;
                parts
                    .iter()
                    .all(Contract::is_any)
                    .then_some(Contract::Any)?
            }
            (TyKind::Record { fields: own, .. }, TyKind::Record { fields, .. }) => {
                let fields = fields.iter().map(|(name, wanted)| {
                    let (_, own) = own.iter().find(|it| it.0 == *name)?;
                    Some((arena.name(*name).into(), shared(own, wanted)?))
                });
                Contract::Record(fields.collect::<Option<_>>()?)
            }
            (
                TyKind::Function { params, result, .. },
                TyKind::Function {
                    params: given,
                    result: taken,
                    ..
                },
            ) => {
                let params = given.iter().zip(params);
                Contract::Function {
                    params: params
                        .map(|(given, own)| part(given, own))
                        .collect::<Option<_>>()?,
                    result: Box::new(part(result, taken)?),
                }
            }
            _ => Contract::Any,
        };
        let inside = if inside.checks_nothing() {
            Contract::Any
        } else {
            inside
        };
        let known = self.refinement_of(Some(own));
        match self.refinement_of(Some(wanted)) {
            Some(refinement) if known != Some(refinement) => {
                let var = refinement.var.as_str().into();
                let text = refinement.predicate.to_string();
                let pred = &refinement.predicate;
                let predicate = self.predicate(pred, &[var], TypeNames::Nothing, &text)?;
                Some(Contract::Refined(Box::new(inside), predicate))
            }
            _ => Some(inside),
        }
    }
}

impl Contract {
    /// Whether no part of it checks anything.
    fn checks_nothing(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Refined(..) => false,
            Self::Array(part) => part.is_any(),
            Self::Tuple(parts) => parts.iter().all(Self::is_any),
            Self::Record(fields) => fields.iter().all(|it| it.1.is_any()),
            Self::Function { params, result } => params.iter().all(Self::is_any) && result.is_any(),
        }
    }
}
