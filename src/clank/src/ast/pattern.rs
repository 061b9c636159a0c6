//! The syntax tree of patterns.

use super::{Literal, Name, Node, NodeId, Text};

pub type Pattern = Node<PatternKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    Wildcard,
    Ident(Text),
    Literal(Literal),
    Tuple(Vec<Pattern>),
    Record(Vec<FieldPattern>),
    Variant {
        name: Name,
        /// `None` if the author wrote no parentheses.
        payload: Option<Vec<Pattern>>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct FieldPattern {
    pub id: NodeId,
    pub name: Name,
    /// `None` binds the field's own name.
    pub pattern: Option<Pattern>,
}
