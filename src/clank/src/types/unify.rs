//! Unifies types.

use super::{Arena, Sym, Ty, TyKind};
use crate::names::Primitive;

/// The maximum depth of a type comparison. Only chains of inferred types get that deep.
const MAX_DEPTH: usize = 500;

/// Why two types do not unify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    Mismatch,
    /// A type would contain itself.
    Occurs,
    /// Tuples or functions have different lengths.
    Arity,
    /// The actual record lacks fields of the expected one.
    MissingFields(Vec<(Sym, Ty)>),
}

impl Arena {
    /// Unifies the expected type with the actual one. Effects of functions are not compared.
    pub fn unify(&mut self, expected: Ty, actual: Ty) -> Result<(), Clash> {
        self.unify_at(expected, actual, 0)
    }

    fn unify_at(&mut self, expected: Ty, actual: Ty, depth: usize) -> Result<(), Clash> {
        let (left, right) = (self.resolve(expected), self.resolve(actual));
        if left == right {
            return Ok(());
        }
        if depth > MAX_DEPTH {
            return Err(Clash::Occurs);
        }
        let deeper = depth + 1;
        match (self.kind(left), self.kind(right)) {
            (TyKind::Var(at), _) if self.is_unknown(*at) => Ok(()),
            (kind, TyKind::Var(at)) if self.is_unknown(*at) && !matches!(kind, TyKind::Var(_)) => {
                Ok(())
            }
            // A value that never exists gives no information about the variable.
            (TyKind::Var(_), TyKind::Never) | (TyKind::Never, TyKind::Var(_)) => Ok(()),
            // A refinement belongs to its declaration and is not part of inference.
            (&TyKind::Var(at), _) => self.bind_checked(at, self.base(right)),
            (_, &TyKind::Var(at)) => self.bind_checked(at, self.base(left)),
            (TyKind::Never, _) | (_, TyKind::Never) => Ok(()),
            (TyKind::Refined { .. }, _) | (_, TyKind::Refined { .. }) => {
                let (left, right) = (self.base(left), self.base(right));
                self.unify_at(left, right, deeper)
            }
            (TyKind::Prim(a), TyKind::Prim(b)) if a == b => Ok(()),
            // AST documents write Unit as an empty tuple.
            (TyKind::Prim(Primitive::Unit), TyKind::Tuple(parts))
            | (TyKind::Tuple(parts), TyKind::Prim(Primitive::Unit))
                if parts.is_empty() =>
            {
                Ok(())
            }
            (TyKind::Named(a, xs), TyKind::Named(b, ys)) if a == b && xs.len() == ys.len() => {
                let (xs, ys) = (xs.clone(), ys.clone());
                self.unify_all(&xs, &ys, deeper)
            }
            (&TyKind::Array(a), &TyKind::Array(b)) => self.unify_at(a, b, deeper),
            (TyKind::Tuple(xs), TyKind::Tuple(ys)) => {
                if xs.len() != ys.len() {
                    return Err(Clash::Arity);
                }
                let (xs, ys) = (xs.clone(), ys.clone());
                self.unify_all(&xs, &ys, deeper)
            }
            (
                TyKind::Function {
                    params: xs,
                    result: a,
                    ..
                },
                TyKind::Function {
                    params: ys,
                    result: b,
                    ..
                },
            ) => {
                if xs.len() != ys.len() {
                    return Err(Clash::Arity);
                }
                let (xs, ys, a, b) = (xs.clone(), ys.clone(), *a, *b);
                self.unify_all(&xs, &ys, deeper)?;
                self.unify_at(a, b, deeper)
            }
            (
                TyKind::Record {
                    fields: xs,
                    open: left_open,
                },
                TyKind::Record {
                    fields: ys,
                    open: right_open,
                },
            ) => {
                let (xs, ys) = (xs.clone(), ys.clone());
                let (left_open, right_open) = (*left_open, *right_open);
                let missing: Vec<_> = absent(&xs, &ys);
                if !missing.is_empty() && !right_open {
                    return Err(Clash::MissingFields(missing));
                }
                if !absent(&ys, &xs).is_empty() && !left_open {
                    return Err(Clash::Mismatch);
                }
                for (name, ty) in &xs {
                    if let Some((_, other)) = ys.iter().find(|(it, _)| it == name) {
                        self.unify_at(*ty, *other, deeper)?;
                    }
                }
                Ok(())
            }
            _ => Err(Clash::Mismatch),
        }
    }

    fn unify_all(&mut self, xs: &[Ty], ys: &[Ty], depth: usize) -> Result<(), Clash> {
        let mut pairs = xs.iter().zip(ys);
        pairs.try_for_each(|(x, y)| self.unify_at(*x, *y, depth))
    }

    fn bind_checked(&mut self, at: u32, ty: Ty) -> Result<(), Clash> {
        if *self.kind(ty) == TyKind::Var(at) {
            return Ok(());
        }
        if self.occurs(at, ty, 0) {
            return Err(Clash::Occurs);
        }
        self.bind(at, ty);
        Ok(())
    }

    fn occurs(&self, at: u32, ty: Ty, depth: usize) -> bool {
        let ty = self.resolve(ty);
        if depth > MAX_DEPTH {
            return true;
        }
        let any = |parts: &[Ty]| parts.iter().any(|part| self.occurs(at, *part, depth + 1));
        match self.kind(ty) {
            TyKind::Var(other) => *other == at,
            TyKind::Named(_, parts) | TyKind::Tuple(parts) => any(parts),
            TyKind::Array(part) | TyKind::Refined { base: part, .. } => any(&[*part]),
            TyKind::Function { params, result, .. } => any(params) || any(&[*result]),
            TyKind::Record { fields, .. } => {
                fields.iter().any(|(_, ty)| self.occurs(at, *ty, depth + 1))
            }
            TyKind::Generic(_) | TyKind::Prim(_) | TyKind::Alias { .. } | TyKind::Never => false,
        }
    }
}

/// The fields of the first list that the second lacks. Both lists are hand-written and short.
fn absent(of: &[(Sym, Ty)], from: &[(Sym, Ty)]) -> Vec<(Sym, Ty)> {
    let lacks = |name: Sym| !from.iter().any(|(it, _)| *it == name);
    of.iter()
        .filter(|(name, _)| lacks(*name))
        .copied()
        .collect()
}
