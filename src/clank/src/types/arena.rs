//! Semantic types, and the single substitution of a program: a union-find over type variables.

use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use crate::names::{EFFECTS, Primitive};
use crate::refine::Pred;

/// A type, as an index into the [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty(u32);

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(u32);

#[derive(Clone, Debug, PartialEq)]
pub enum TyKind {
    Var(u32),
    /// The type parameter of a scheme. Instantiation replaces it with a variable.
    Generic(u32),
    Prim(Primitive),
    /// A declared or built-in type with its arguments.
    Named(Sym, Vec<Ty>),
    Function {
        params: Vec<Ty>,
        result: Ty,
        effects: Effects,
    },
    Tuple(Vec<Ty>),
    Array(Ty),
    Record {
        fields: Vec<(Sym, Ty)>,
        open: bool,
    },
    Refined {
        base: Ty,
        refinement: Arc<Refinement>,
    },
    /// Another name for a type; transparent except for printing.
    Alias {
        name: Sym,
        args: Vec<Ty>,
        target: Ty,
    },
    Never,
}

/// `base{var | predicate}`, over names.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    pub var: String,
    pub predicate: Pred,
}

impl Refinement {
    /// Whether the predicate uses only its own variable and calls no function.
    pub fn is_about_itself(&self) -> bool {
        self.predicate.is_about_only(&self.var)
    }

    /// Whether the predicate depends only on its own value, and so means the same everywhere.
    pub fn is_closed(&self) -> bool {
        let is_variant = |name: &str| name.starts_with(char::is_uppercase);
        !self
            .predicate
            .any_name(&|name| name != self.var && !is_variant(name))
    }
}

/// A set of effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects(u8);

impl Effects {
    pub const NONE: Self = Self(0);

    pub fn of(name: &str) -> Self {
        match EFFECTS.iter().position(|it| *it == name) {
            Some(at) => Self(1 << at),
            None => Self::NONE,
        }
    }

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names, sorted.
    pub fn names(self) -> Vec<&'static str> {
        let mut names: Vec<_> = EFFECTS
            .into_iter()
            .filter(|name| self.contains(Self::of(name)))
            .collect();
        names.sort_unstable();
        names
    }
}

#[derive(Clone, Debug, Default)]
struct Variable {
    /// The type that the variable is bound to.
    bound: Option<Ty>,
    name: Option<Arc<str>>,
    /// Whether it comes from an error that is already reported. Further errors about it are then
    /// suppressed.
    poisoned: bool,
    /// Whether it unifies with every type and is never bound.
    unknown: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Arena {
    kinds: Vec<TyKind>,
    /// Whether each type contains a [`TyKind::Generic`].
    generic: Vec<bool>,
    variables: Vec<Variable>,
    symbols: HashMap<Arc<str>, Sym>,
    symbol_names: Vec<Arc<str>>,
    /// Indexed by the position among all primitives.
    prims: [Option<Ty>; Primitive::ALL.len()],
}

/// The number of the entry at index `count`.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Arena {
    /// Reserves room for the types of that many nodes. Unused capacity costs nothing, but growing
    /// moves all entries.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.kinds.reserve(nodes / 4);
        self.generic.reserve(nodes / 4);
        self.variables.reserve(nodes / 16);
    }

    fn variable_at(&self, at: u32) -> Option<&Variable> {
        self.variables.get(at as usize)
    }

    pub fn sym(&mut self, name: &str) -> Sym {
        if let Some(sym) = self.symbols.get(name) {
            return *sym;
        }
        let sym = Sym(number(self.symbol_names.len()));
        let name: Arc<str> = name.into();
        self.symbol_names.push(Arc::clone(&name));
        self.symbols.insert(name, sym);
        sym
    }

    pub fn name(&self, sym: Sym) -> &str {
        self.symbol_names
            .get(sym.0 as usize)
            .map_or("", |name| name)
    }

    pub fn make(&mut self, kind: TyKind) -> Ty {
        let generic = match &kind {
            TyKind::Generic(_) => true,
            TyKind::Var(_) | TyKind::Prim(_) | TyKind::Never => false,
            TyKind::Named(_, parts) | TyKind::Tuple(parts) => self.any_generic(parts),
            TyKind::Function { params, result, .. } => {
                self.any_generic(params) || self.is_generic(*result)
            }
            TyKind::Array(part) | TyKind::Refined { base: part, .. } => self.is_generic(*part),
            TyKind::Record { fields, .. } => fields.iter().any(|(_, ty)| self.is_generic(*ty)),
            TyKind::Alias { target, .. } => self.is_generic(*target),
        };
        let ty = Ty(number(self.kinds.len()));
        self.kinds.push(kind);
        self.generic.push(generic);
        ty
    }

    fn any_generic(&self, parts: &[Ty]) -> bool {
        parts.iter().any(|part| self.is_generic(*part))
    }

    /// Whether the type contains a type parameter of a scheme.
    pub(crate) fn is_generic(&self, ty: Ty) -> bool {
        self.generic.get(ty.0 as usize).copied().unwrap_or_default()
    }

    pub fn prim(&mut self, primitive: Primitive) -> Ty {
        if let Some(Some(ty)) = self.prims.get(primitive as usize) {
            return *ty;
        }
        let ty = self.make(TyKind::Prim(primitive));
        if let Some(slot) = self.prims.get_mut(primitive as usize) {
            *slot = Some(ty);
        }
        ty
    }

    pub fn fresh(&mut self) -> Ty {
        self.variable(Variable::default())
    }

    /// A variable for something that is already reported.
    pub fn poison(&mut self) -> Ty {
        self.variable(Variable {
            poisoned: true,
            ..Variable::default()
        })
    }

    /// A placeholder for a type that is not known where it is declared, or for operands that do not
    /// match. It unifies with every type, so that its uses do not affect each other.
    pub fn unknown(&mut self) -> Ty {
        self.variable(Variable {
            poisoned: true,
            unknown: true,
            ..Variable::default()
        })
    }

    pub(super) fn is_unknown(&self, at: u32) -> bool {
        self.variable_at(at).is_some_and(|it| it.unknown)
    }

    pub fn is_unknown_type(&self, ty: Ty) -> bool {
        matches!(self.kind(self.base(ty)), TyKind::Var(at) if self.is_unknown(*at))
    }

    pub fn named_variable(&mut self, name: &str) -> Ty {
        self.variable(Variable {
            name: Some(name.into()),
            ..Variable::default()
        })
    }

    fn variable(&mut self, variable: Variable) -> Ty {
        let at = number(self.variables.len());
        self.variables.push(variable);
        self.make(TyKind::Var(at))
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        self.kinds.get(ty.0 as usize).unwrap_or(&TyKind::Never)
    }

    /// Follows variables and aliases; keeps refinements.
    pub fn resolve(&self, mut ty: Ty) -> Ty {
        loop {
            ty = match self.kind(ty) {
                TyKind::Var(at) => match self.bound(*at) {
                    Some(bound) => bound,
                    None => return ty,
                },
                TyKind::Alias { target, .. } => *target,
                _ => return ty,
            };
        }
    }

    /// Like [`resolve`](Self::resolve), but also removes refinements.
    pub fn base(&self, mut ty: Ty) -> Ty {
        loop {
            ty = match self.kind(ty) {
                TyKind::Var(at) => match self.bound(*at) {
                    Some(bound) => bound,
                    None => return ty,
                },
                TyKind::Alias { target: inner, .. } | TyKind::Refined { base: inner, .. } => *inner,
                _ => return ty,
            };
        }
    }

    pub(super) fn bound(&self, at: u32) -> Option<Ty> {
        self.variable_at(at).and_then(|it| it.bound)
    }

    /// Binds a variable to a type. Chains of variables are shortened on the way.
    pub(super) fn bind(&mut self, at: u32, ty: Ty) {
        let target = self.resolve_variable(ty);
        let inherited = match self.kind(target) {
            TyKind::Var(other) => Some(*other),
            _ => None,
        };
        let mut poisoned = false;
        let place = at as usize;
        if let Some(variable) = self.variables.get_mut(place) {
            variable.bound = Some(target);
            poisoned = variable.poisoned;
        }
        let place = inherited.map(|it| it as usize);
        if let Some(other) = place.and_then(|it| self.variables.get_mut(it)) {
            other.poisoned |= poisoned;
        }
    }

    fn resolve_variable(&mut self, ty: Ty) -> Ty {
        let mut root = ty;
        while let TyKind::Var(at) = self.kind(root)
            && let Some(next) = self.bound(*at)
        {
            root = next;
        }
        let mut here = ty;
        while here != root
            && let TyKind::Var(at) = self.kind(here)
        {
            let place = *at as usize;
            let Some(variable) = self.variables.get_mut(place) else {
                break;
            };
            match variable.bound.replace(root) {
                Some(next) => here = next,
                None => break,
            }
        }
        root
    }

    pub fn is_poisoned(&self, ty: Ty) -> bool {
        match self.kind(self.base(ty)) {
            TyKind::Var(at) => self.variable_at(*at).is_some_and(|it| it.poisoned),
            _ => false,
        }
    }

    pub(super) fn variable_name(&self, at: u32) -> Option<&str> {
        self.variable_at(at)?.name.as_deref()
    }

    /// Replaces the type parameters of a type with `args`.
    pub fn instantiate(&mut self, ty: Ty, args: &[Ty]) -> Ty {
        if !self.is_generic(ty) {
            return ty;
        }
        let kind = self.kind(ty).clone();
        let kind = match kind {
            TyKind::Generic(at) => return args.get(at as usize).copied().unwrap_or(ty),
            TyKind::Named(name, parts) => TyKind::Named(name, self.instantiate_all(parts, args)),
            TyKind::Tuple(parts) => TyKind::Tuple(self.instantiate_all(parts, args)),
            TyKind::Array(part) => TyKind::Array(self.instantiate(part, args)),
            TyKind::Function {
                params,
                result,
                effects,
            } => TyKind::Function {
                params: self.instantiate_all(params, args),
                result: self.instantiate(result, args),
                effects,
            },
            TyKind::Record { fields, open } => TyKind::Record {
                fields: fields
                    .into_iter()
                    .map(|(name, ty)| (name, self.instantiate(ty, args)))
                    .collect(),
                open,
            },
            TyKind::Refined { base, refinement } => TyKind::Refined {
                base: self.instantiate(base, args),
                refinement,
            },
            TyKind::Alias {
                name,
                args: alias_args,
                target,
            } => TyKind::Alias {
                name,
                args: self.instantiate_all(alias_args, args),
                target: self.instantiate(target, args),
            },
            TyKind::Var(_) | TyKind::Prim(_) | TyKind::Never => return ty,
        };
        self.make(kind)
    }

    fn instantiate_all(&mut self, parts: Vec<Ty>, args: &[Ty]) -> Vec<Ty> {
        parts
            .into_iter()
            .map(|part| self.instantiate(part, args))
            .collect()
    }
}
