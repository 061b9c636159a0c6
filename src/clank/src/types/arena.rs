//! Semantic types, and the one substitution of a program: a union-find over type variables.

use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use crate::names::{EFFECTS, Primitive};
use crate::refine::Pred;

/// A type, by its place in the [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty(u32);

impl Ty {
    /// One more than its place, so that zero is left for none.
    pub(super) fn packed(self) -> u32 {
        self.0 + 1
    }

    pub(super) fn unpacked(packed: u32) -> Option<Self> {
        packed.checked_sub(1).map(Self)
    }
}

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(u32);

#[derive(Clone, Debug, PartialEq)]
pub enum TyKind {
    Var(u32),
    /// The type parameter of a scheme; instantiation puts a variable in its place.
    Generic(u32),
    Prim(Primitive),
    /// A declared or well-known type with its arguments.
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
    /// Another name for a type; transparent but for printing.
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
    /// Whether no other name in it can stand for anything, not even as a function.
    pub fn is_about_itself(&self) -> bool {
        self.predicate.is_about_only(&self.var)
    }

    /// Whether it is about its own value only, and means the same everywhere.
    pub fn is_closed(&self) -> bool {
        let is_variant = |name: &str| name.starts_with(char::is_uppercase);
        !self
            .predicate
            .any_name(&|name| name != self.var && !is_variant(name))
    }
}

/// A set of effect names.
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
    /// What it stands for.
    bound: Option<Ty>,
    name: Option<Arc<str>>,
    /// Whether it comes from something already reported, so that nothing should be made of it.
    poisoned: bool,
    /// Whether it goes with every type and is never bound to one.
    unknown: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Arena {
    kinds: Vec<TyKind>,
    /// Whether a type has a [`TyKind::Generic`] somewhere in it.
    generic: Vec<bool>,
    variables: Vec<Variable>,
    symbols: HashMap<Arc<str>, Sym>,
    symbol_names: Vec<Arc<str>>,
    /// By their place among all primitives.
    prims: [Option<Ty>; Primitive::ALL.len()],
    /// What the numbers of this arena have set: one bit that tells those of two halves apart.
    side: u32,
    /// The arena of the second half of a program that was taken apart. To look up is all that is done
    /// with what it holds.
    second: Option<Box<Self>>,
}

impl Arena {
    const SECOND: u32 = 1 << 31;

    /// One for the second half of a program.
    pub(super) fn of_second_half() -> Self {
        Self {
            side: Self::SECOND,
            ..Self::default()
        }
    }

    /// Makes room for the types of so many nodes. What is not touched of it costs nothing, and to move what
    /// there is does.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.kinds.reserve(nodes / 4);
        self.generic.reserve(nodes / 4);
        self.variables.reserve(nodes / 16);
    }

    /// Takes over the types of the second half.
    pub(super) fn append(&mut self, second: Self) {
        self.second = Some(Box::new(second));
    }

    /// The number of the next of so many things.
    fn number(&self, count: usize) -> u32 {
        u32::try_from(count).unwrap_or(u32::MAX >> 1) | self.side
    }

    /// The place of a thing with that number, if it is of this half.
    fn place(&self, number: u32) -> usize {
        (number ^ self.side) as usize
    }

    /// The number without what tells the halves apart.
    pub(super) fn count(number: u32) -> u32 {
        number & !Self::SECOND
    }

    fn variable_at(&self, at: u32) -> Option<&Variable> {
        let own = self.variables.get(self.place(at));
        own.or_else(|| self.second.as_ref()?.variable_at(at))
    }

    pub fn sym(&mut self, name: &str) -> Sym {
        if let Some(sym) = self.symbols.get(name) {
            return *sym;
        }
        let sym = Sym(self.number(self.symbol_names.len()));
        let name: Arc<str> = name.into();
        self.symbol_names.push(Arc::clone(&name));
        self.symbols.insert(name, sym);
        sym
    }

    pub fn name(&self, sym: Sym) -> &str {
        match (self.symbol_names.get(self.place(sym.0)), &self.second) {
            (Some(name), _) => name,
            (None, Some(second)) => second.name(sym),
            (None, None) => "",
        }
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
        let ty = Ty(self.number(self.kinds.len()));
        self.kinds.push(kind);
        self.generic.push(generic);
        ty
    }

    fn any_generic(&self, parts: &[Ty]) -> bool {
        parts.iter().any(|part| self.is_generic(*part))
    }

    /// Whether a type parameter of a scheme is somewhere in it.
    pub(crate) fn is_generic(&self, ty: Ty) -> bool {
        let own = self.generic.get(self.place(ty.0));
        own.copied()
            .or_else(|| self.second.as_ref().map(|it| it.is_generic(ty)))
            .unwrap_or_default()
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

    /// A variable that stands for something already reported.
    pub fn poison(&mut self) -> Ty {
        self.variable(Variable {
            poisoned: true,
            ..Variable::default()
        })
    }

    /// What stands for a type that is not known where it is declared, or where operands do not fit. It
    /// goes with every type, so that what one use makes of it is nothing to the others.
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
        let at = self.number(self.variables.len());
        self.variables.push(variable);
        self.make(TyKind::Var(at))
    }

    pub fn kind(&self, ty: Ty) -> &TyKind {
        match (self.kinds.get(self.place(ty.0)), &self.second) {
            (Some(kind), _) => kind,
            (None, Some(second)) => second.kind(ty),
            (None, None) => &TyKind::Never,
        }
    }

    /// The type itself: variables followed, aliases opened, refinements kept.
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

    /// Like [`resolve`](Self::resolve), without refinements.
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

    /// Makes a variable stand for a type. Chains of variables are shortened on the way.
    pub(super) fn bind(&mut self, at: u32, ty: Ty) {
        let target = self.resolve_variable(ty);
        let inherited = match self.kind(target) {
            TyKind::Var(other) => Some(*other),
            _ => None,
        };
        let mut poisoned = false;
        let place = self.place(at);
        if let Some(variable) = self.variables.get_mut(place) {
            variable.bound = Some(target);
            poisoned = variable.poisoned;
        }
        let place = inherited.map(|it| self.place(it));
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
            let place = self.place(*at);
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

    /// The type with `args` in the place of its type parameters.
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
