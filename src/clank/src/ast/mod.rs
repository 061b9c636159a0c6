//! The syntax tree of a program. It mirrors the AST JSON format node for node. JSON does not
//! contain the author's text and comments; they are kept separately and found by each node's span.

mod code;
mod decl;
mod expr;
mod hash_set;
mod ids;
mod naming;
mod pattern;
mod stmt;
mod types;
mod walk;

pub use decl::{
    Decl, DeclKind, ExternalFn, ExternalMod, Field, FnDecl, Param, Rec, Signature, Sum, TypeAlias,
    TypeParam, Use, Variant,
};
pub use expr::{
    Arm, BinaryOp, Expr, ExprKind, FieldInit, IntSuffix, LambdaParam, Literal, UnaryOp,
};
pub use ids::Ids;
pub use naming::assign_structural_ids;
pub use pattern::{FieldPattern, Pattern, PatternKind};
pub use stmt::{Block, BlockNode, Stmt, StmtKind};
pub use types::{TypeExpr, TypeKind};
pub use walk::{NodeRef, Step};

/// The text of a name or a literal. Short texts are stored inline.
pub use ecow::EcoString as Text;

use fixpoint_text::Span;

use crate::modules::Links;
use crate::source::{Location, Source};

/// The maximum nesting depth of a text: parentheses, blocks, types.
pub const MAX_DEPTH: usize = 256;
/// The maximum height of a tree. Chains of operators, calls or `else if` are tall without being
/// nested. With this limit every pass may recurse over the tree on a stack of 64 MiB.
pub const MAX_HEIGHT: usize = 4000;

/// A node's number within its [`Ast`], dense from 0. It is the key of every side table. Its
/// external name is in [`Ids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of any category.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<K> {
    pub id: NodeId,
    /// The span in the author's text; empty for a node that was not parsed from it.
    pub span: Span,
    /// Whether the author put it in parentheses. They do not affect the meaning.
    pub parens: bool,
    pub kind: K,
}

impl<K> Node<K> {
    pub fn new(id: NodeId, span: Span, kind: K) -> Self {
        Self {
            id,
            span,
            parens: false,
            kind,
        }
    }
}

/// A name inside a node, with its own span.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: Text,
    pub span: Span,
}

impl Name {
    /// A name that does not occur in the author's text.
    pub fn made(text: impl Into<Text>) -> Self {
        Self {
            text: text.into(),
            span: Span::at(0),
        }
    }
}

/// A whole program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub id: NodeId,
    pub span: Span,
    pub declarations: Vec<Decl>,
}

/// A program with the information from parsing it.
#[derive(Clone, Debug)]
pub struct Ast {
    pub program: Program,
    pub ids: Ids,
    /// The text the spans point into; empty for AST JSON.
    pub source: Source,
    /// Links to other modules.
    pub links: Links,
}

impl Ast {
    /// Whether the span of a node gives its location.
    pub fn is_read_from_text(&self, node: Option<NodeId>) -> bool {
        let is_given = node.is_some_and(|id| self.ids.given_location(id).is_some());
        !is_given && !self.source.text().is_empty()
    }

    /// The declarations of a form of this program, without imported ones.
    pub fn own<'p>(&self, program: &'p Program) -> &'p [Decl] {
        let declarations = program.declarations.as_slice();
        declarations
            .get(self.links.imported()..)
            .unwrap_or_default()
    }

    /// The location of a node with this id and span.
    pub fn location(&self, node: Option<NodeId>, span: Span) -> Location {
        match node.and_then(|id| self.ids.given_location(id)) {
            Some(given) => given.clone(),
            None if self.source.text().is_empty() => Location::unknown(),
            None => self.source.location(span),
        }
    }
}
