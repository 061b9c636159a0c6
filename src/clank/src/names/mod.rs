//! Name resolution. Resolves every use of a value, type or variant once, so that later phases look
//! up nodes instead of names. Owns E1001, E1002, E1005, E2019 and W0006.
//!
//! Refinement predicates are not resolved, because they have names of their own.

mod bindings;
mod distinct;
mod globals;
mod prelude;
mod resolve;
mod similar;
mod whole;

pub use bindings::Bindings;
pub use globals::{Globals, TypeDef, VariantDef};
pub use prelude::{Prelude, prelude};
use similar::NameIndex;
pub use similar::{distance, similar_names};
pub use whole::{prelude_names, resolve};

use std::collections::HashSet;

use fixpoint_text::Span;

use crate::ast::{NodeId, Text};
use crate::table::Table;

/// What a name in an expression refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Def {
    /// A built-in function, by its index in the prelude.
    Builtin(usize),
    /// A function of the program, including external ones, by its index among the declarations.
    Function(usize),
    /// A record's constructor, by the record's index among the declarations.
    Record(usize),
    Variant(VariantDef),
    Local(BindingId),
    /// A boundary check, which canonicalization inserts.
    Validator,
}

/// What a name in a type refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRef {
    /// The type parameter of the enclosing declaration, by its index there.
    Param(usize),
    Primitive(Primitive),
    /// A generic type that takes any number of arguments.
    WellKnown,
    Declared(TypeDef),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    Int,
    Int32,
    Int64,
    Nat,
    Float,
    Bool,
    Str,
    Unit,
}

impl Primitive {
    pub const ALL: [Self; 8] = [
        Self::Int,
        Self::Int32,
        Self::Int64,
        Self::Nat,
        Self::Float,
        Self::Bool,
        Self::Str,
        Self::Unit,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "Int",
            Self::Int32 => "Int32",
            Self::Int64 => "Int64",
            Self::Nat => "Nat",
            Self::Float => "Float",
            Self::Bool => "Bool",
            Self::Str => "Str",
            Self::Unit => "Unit",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        if name == "String" {
            return Some(Self::Str);
        }
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::Int | Self::Int32 | Self::Int64 | Self::Nat)
    }

    pub fn is_numeric(self) -> bool {
        self.is_integer() || self == Self::Float
    }
}

/// The names of effects, which are allowed wherever a type is.
pub const EFFECTS: [&str; 4] = ["IO", "Async", "Err", "Mut"];

/// Generic types that are built in and take any number of arguments.
pub const WELL_KNOWN: [&str; 8] = [
    "Option", "Result", "Map", "Set", "IO", "Async", "Err", "Mut",
];

/// A name that a function or block binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BindingId(pub(crate) u32);

impl BindingId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub name: Text,
    /// The parameter or the pattern that binds it.
    pub node: NodeId,
    pub span: Span,
    pub origin: Origin,
    pub mutable: bool,
    /// The number of reads.
    pub reads: usize,
    /// Whether a lambda assigns to it, so that any call may change it.
    changed_by_lambda: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Param,
    /// `result` in a postcondition.
    Result,
    LambdaParam,
    /// The statement, and whether its pattern is only a name.
    Let {
        statement: NodeId,
        plain: bool,
    },
    For,
    Match,
}

/// What the name in a node means.
#[derive(Clone, Copy, Debug, Default)]
enum Meaning {
    #[default]
    Nothing,
    Use(Def),
    Type(TypeRef),
    Binder(BindingId),
}

/// The meaning of every name in a program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub bindings: Bindings,
    /// What an identifier, variant pattern or named type refers to, or the binding that a parameter
    /// or identifier pattern introduces.
    nodes: Table<Meaning>,
    /// The definitions that template strings read.
    pub(crate) in_templates: Vec<Def>,
    /// Bindings that an unresolved name was probably meant to refer to.
    pub(crate) meant: HashSet<BindingId>,
    /// Whether fields or elements are written, so that two reads may give different values.
    pub(crate) writes_fields: bool,
}

impl Names {
    fn with_nodes(nodes: usize) -> Self {
        Self {
            bindings: Bindings::of(nodes),
            nodes: Table::of(nodes),
            ..Self::default()
        }
    }

    pub fn of_use(&self, node: NodeId) -> Option<Def> {
        match self.nodes.get(node.index()) {
            Meaning::Use(def) => Some(def),
            _ => None,
        }
    }

    pub fn of_type(&self, node: NodeId) -> Option<TypeRef> {
        match self.nodes.get(node.index()) {
            Meaning::Type(def) => Some(def),
            _ => None,
        }
    }

    /// The binding that a parameter, identifier pattern or field pattern introduces.
    pub fn of_binder(&self, node: NodeId) -> Option<BindingId> {
        match self.nodes.get(node.index()) {
            Meaning::Binder(binding) => Some(binding),
            _ => None,
        }
    }

    /// Whether a lambda assigns to a variable, so that any call may change it.
    pub(crate) fn is_changed_by_lambda(&self, id: BindingId) -> bool {
        self.binding(id).is_some_and(|it| it.changed_by_lambda)
    }

    pub fn binding(&self, id: BindingId) -> Option<&Binding> {
        self.bindings.get(id)
    }

    fn set_use(&mut self, node: NodeId, def: Def) {
        self.nodes.set(node.index(), Meaning::Use(def));
    }

    fn set_type(&mut self, node: NodeId, def: TypeRef) {
        self.nodes.set(node.index(), Meaning::Type(def));
    }

    fn set_made(&mut self, node: NodeId, binding: BindingId) {
        self.nodes.set(node.index(), Meaning::Binder(binding));
    }
}
