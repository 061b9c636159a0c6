//! The types of terms, and which facts about them are stable.
//!
//! An array, tuple or record is a reference: a write through one name is visible under all others,
//! and any call may write. So in a program that writes to elements or fields, facts about the
//! contents of such values are dropped. Only the length and the identity of a value survive writes.

use super::context::{SHADOWED_LEN, Written};
use super::pred::{Arith, Cmp, Pred, Term};
use super::repeatable::unrepeatable;
use super::terms::applied;
use super::walk::Walker;
use crate::names::{Primitive, prelude};
use crate::types::{Refinement, Sym, Ty, TyKind};

/// What a value may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Float,
    Function,
}

impl Walker<'_> {
    /// Adds a predicate as a fact, as far as it is stable.
    pub(super) fn learn(&mut self, pred: Pred, source: &'static str, about: &str) {
        let pred = if self.is_stable(&pred) {
            pred
        } else {
            self.stable_part(pred)
        };
        self.context.add(pred, source, about);
    }

    /// Whether every part of a predicate is stable.
    fn is_stable(&self, pred: &Pred) -> bool {
        match pred {
            Pred::And(left, right) | Pred::Or(left, right) => {
                self.is_stable(left) && self.is_stable(right)
            }
            Pred::Not(pred) => self.is_stable(pred),
            Pred::Compare(cmp, left, right) => {
                let by_contents = self.typing.names.writes_fields
                    && *cmp != Cmp::Same
                    && (self.has_contents(left) || self.has_contents(right));
                !by_contents && self.is_stable_term(left) && self.is_stable_term(right)
            }
            Pred::Holds(term) => self.is_stable_term(term),
            Pred::Bool(_) | Pred::Unknown(_) => true,
        }
    }

    /// The stable parts of a predicate.
    fn stable_part(&self, pred: Pred) -> Pred {
        let inner = |pred: Box<Pred>| Box::new(self.stable_part(*pred));
        match pred {
            Pred::And(left, right) => Pred::And(inner(left), inner(right)),
            Pred::Or(left, right) => Pred::Or(inner(left), inner(right)),
            Pred::Not(pred) => Pred::Not(inner(pred)),
            Pred::Compare(..) | Pred::Holds(_) if !self.is_stable(&pred) => pred.beyond_terms(),
            Pred::Compare(..) | Pred::Holds(_) | Pred::Bool(_) | Pred::Unknown(_) => pred,
        }
    }

    /// Whether a term has the same value whenever it is evaluated.
    pub(super) fn is_stable_term(&self, term: &Term) -> bool {
        let is_fixed = !self.typing.names.writes_fields;
        match term {
            // A variant is the same everywhere. Other unbound names may have different meanings in
            // different places.
            Term::Name(name) => name.starts_with(char::is_uppercase),
            Term::Neg(inner) => self.is_stable_term(inner),
            Term::Binary(Arith::Concat, left, right) => {
                let is_text = self.primitive(left) == Some(Primitive::Str);
                (is_fixed || is_text) && self.is_stable_term(left) && self.is_stable_term(right)
            }
            Term::Binary(_, left, right) => self.is_stable_term(left) && self.is_stable_term(right),
            Term::Field(object, _) => is_fixed && self.is_stable_term(object),
            Term::Index(object, index) => {
                is_fixed && self.is_stable_term(object) && self.is_stable_term(index)
            }
            Term::Call(name, args) => {
                let is_own = self.functions.contains_key(name.as_str());
                let of_length =
                    name == SHADOWED_LEN || !is_own && matches!(name.as_str(), "len" | "is_empty");
                let of_contents = !is_fixed
                    && !of_length
                    && (args.iter().any(|it| self.has_contents(it)) || self.has_contents(term));
                // The effect of calling a function argument is not known.
                let runs_others = !of_length
                    && args.iter().any(|it| {
                        let ty = self.type_of(it);
                        ty.is_some_and(|ty| self.has_inside(ty, Inside::Function))
                    });
                !of_contents
                    && !runs_others
                    && self.is_function(name)
                    && args.iter().all(|it| self.is_stable_term(it))
            }
            Term::Value(..)
            | Term::Int(_)
            | Term::Float(_)
            | Term::Bool(_)
            | Term::Str(_)
            | Term::Unit => true,
        }
    }

    /// Whether a refinement of a value holds at all times and places if it holds once.
    pub(super) fn is_stable_refinement(&mut self, refinement: &Refinement, ty: Ty) -> bool {
        let value = self.context.value(Some(ty), Written::Named);
        let pred = applied(refinement, &Term::Value(value, "".into()), &[]);
        pred.is_known() && self.is_stable(&pred)
    }

    /// Whether calls of a name return the same value for the same arguments.
    fn is_function(&self, name: &str) -> bool {
        match self.functions.get(name) {
            Some(id) => {
                let ty = self.typing.of_node(*id);
                let is_pure = ty.is_some_and(|ty| self.typing.effects_of(ty).is_empty());
                is_pure && self.is_repeatable(name)
            }
            None => {
                // Constructors and validators.
                let is_made = name.starts_with(char::is_uppercase);
                let is_checked = name.starts_with("__validate_");
                is_made
                    || is_checked
                    || name == SHADOWED_LEN
                    || prelude().value_names().any(|it| it == name)
            }
        }
    }

    /// Whether the result of a function does not depend on anything external.
    pub(super) fn is_repeatable(&self, name: &str) -> bool {
        let names = &self.typing.names;
        let others = self.unrepeatable.get_or_init(|| {
            let others = unrepeatable(self.ast, Some(names));
            others.into_iter().map(str::to_owned).collect()
        });
        !others.contains(name)
    }

    /// Whether a term is a length, or another number that is never negative.
    pub(super) fn is_length(&self, term: &Term) -> bool {
        matches!(term, Term::Call(name, _)
            if matches!(name.as_str(), SHADOWED_LEN | "len" | "str_len" | "abs")
                && !self.functions.contains_key(name.as_str()))
    }

    /// Whether a value has parts that may be written to.
    fn has_contents(&self, term: &Term) -> bool {
        if self.primitive(term).is_some() {
            return false;
        }
        let arena = &self.typing.arena;
        let kind = self.type_of(term).map(|ty| arena.kind(arena.base(ty)));
        !matches!(kind, Some(TyKind::Function { .. }))
    }

    pub(super) fn has_inside(&self, ty: Ty, what: Inside) -> bool {
        self.has_inside_except(ty, what, &mut Vec::new())
    }

    /// Like `has_inside`, skipping declared types that were already visited.
    fn has_inside_except(&self, ty: Ty, what: Inside, seen: &mut Vec<Sym>) -> bool {
        let arena = &self.typing.arena;
        match arena.kind(arena.base(ty)) {
            TyKind::Prim(primitive) => what == Inside::Float && *primitive == Primitive::Float,
            TyKind::Function { .. } => what == Inside::Function,
            // The caller may use any type here.
            TyKind::Var(_) => what == Inside::Float,
            TyKind::Array(element) => self.has_inside_except(*element, what, seen),
            TyKind::Tuple(parts) => parts
                .iter()
                .any(|it| self.has_inside_except(*it, what, seen)),
            TyKind::Record { fields, .. } => fields
                .iter()
                .any(|it| self.has_inside_except(it.1, what, seen)),
            TyKind::Named(name, args) => {
                if args
                    .iter()
                    .any(|it| self.has_inside_except(*it, what, seen))
                {
                    return true;
                }
                if seen.contains(name) {
                    return false;
                }
                seen.push(*name);
                let parts = self.parts.get(arena.name(*name)).into_iter().flatten();
                let mut parts = parts.filter_map(|it| self.typing.of_node(*it));
                parts.any(|it| self.has_inside_except(it, what, seen))
            }
            // A parameter of a declared type. The type arguments are checked instead.
            TyKind::Generic(_) | TyKind::Never | TyKind::Refined { .. } | TyKind::Alias { .. } => {
                false
            }
        }
    }

    /// The primitive type of a term.
    pub(super) fn primitive(&self, term: &Term) -> Option<Primitive> {
        match term {
            Term::Int(_) => Some(Primitive::Int),
            Term::Float(_) => Some(Primitive::Float),
            Term::Bool(_) => Some(Primitive::Bool),
            Term::Str(_) => Some(Primitive::Str),
            Term::Unit => Some(Primitive::Unit),
            Term::Name(_) => None,
            Term::Neg(inner) => self.primitive(inner),
            Term::Binary(Arith::Divide, ..) => Some(Primitive::Float),
            Term::Binary(Arith::Concat, left, _) => {
                self.primitive(left).filter(|it| *it == Primitive::Str)
            }
            Term::Binary(_, left, right) => {
                let (left, right) = (self.primitive(left)?, self.primitive(right)?);
                match (left.is_integer(), right.is_integer()) {
                    // A difference of naturals may be negative.
                    (true, true) => Some(Primitive::Int),
                    _ if left.is_numeric() && right.is_numeric() => Some(Primitive::Float),
                    _ => None,
                }
            }
            Term::Call(name, args) => match self.functions.get(name.as_str()) {
                Some(id) => {
                    let function = self.typing.of_node(*id)?;
                    match self.typing.arena.kind(self.typing.arena.base(function)) {
                        TyKind::Function { result, .. } => self.typing.primitive(*result),
                        _ => None,
                    }
                }
                None => match name.as_str() {
                    SHADOWED_LEN | "len" | "str_len" | "abs" => Some(Primitive::Nat),
                    "float_to_int" => Some(Primitive::Int),
                    "int_to_float" => Some(Primitive::Float),
                    "is_empty" | "any" | "all" | "contains" => Some(Primitive::Bool),
                    "trim" | "join" | "to_string" => Some(Primitive::Str),
                    "min" | "max" => self.primitive(args.first()?),
                    _ => None,
                },
            },
            Term::Value(..) | Term::Index(..) | Term::Field(..) => {
                self.typing.primitive(self.type_of(term)?)
            }
        }
    }

    pub(super) fn type_of(&self, term: &Term) -> Option<Ty> {
        let typing = self.typing;
        match term {
            Term::Call(name, args) => match self.functions.get(name.as_str()) {
                Some(id) => {
                    let function = typing.arena.base(typing.of_node(*id)?);
                    match typing.arena.kind(function) {
                        TyKind::Function { result, .. } if !typing.arena.is_generic(*result) => {
                            Some(*result)
                        }
                        _ => None,
                    }
                }
                None => match name.as_str() {
                    "push" | "concat" | "reverse" | "filter" | "take" | "drop" => {
                        self.type_of(args.first()?)
                    }
                    _ => None,
                },
            },
            Term::Value(id, _) => self.context.value_of(*id)?.ty,
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
                        let fields = self.records.get(typing.arena.name(*name))?;
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
