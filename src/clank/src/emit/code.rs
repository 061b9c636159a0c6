//! JavaScript under construction: text that remembers which node each part came from.

use fixpoint_text::Span;

use crate::ast::{Node, NodeId};

/// The node some text was made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) node: NodeId,
    pub(super) span: Span,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    /// From this byte on the text comes from there.
    pub(super) marks: Vec<(usize, Origin)>,
}

impl Code {
    /// No text yet; what follows comes from `node`.
    pub(super) fn of<K>(node: &Node<K>) -> Self {
        let origin = Origin {
            node: node.id,
            span: node.span,
        };
        Self {
            text: String::new(),
            marks: vec![(0, origin)],
        }
    }

    pub(super) fn then(mut self, next: impl Into<Self>) -> Self {
        let next = next.into();
        let shift = self.text.len();
        let marks = next.marks.into_iter();
        self.marks.extend(marks.map(|(at, it)| (at + shift, it)));
        self.text += &next.text;
        self
    }

    pub(super) fn join(parts: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |all, part| all.then(separator).then(part))
    }
}

impl From<&str> for Code {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<&String> for Code {
    fn from(text: &String) -> Self {
        Self::from(text.clone())
    }
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Self {
            text,
            marks: Vec::new(),
        }
    }
}

/// How tightly the outermost operator of an expression binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Arrow,
    Conditional,
    Or,
    And,
    Equality,
    Order,
    Additive,
    Multiplicative,
    Power,
    Unary,
    Call,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) code: Code,
    pub(super) level: Level,
    /// Whether it yields the same value wherever it is evaluated, and does nothing else.
    pub(super) stable: bool,
}

impl Value {
    pub(super) fn new(code: impl Into<Code>, level: Level) -> Self {
        Self {
            code: code.into(),
            level,
            stable: false,
        }
    }

    pub(super) fn stable(code: impl Into<Code>) -> Self {
        Self {
            code: code.into(),
            level: Level::Call,
            stable: true,
        }
    }

    pub(super) fn undefined() -> Self {
        Self::stable("undefined")
    }

    pub(super) fn is_undefined(&self) -> bool {
        self.code.text == "undefined"
    }

    /// The text where something that binds as tightly as `level` is expected.
    pub(super) fn at(self, level: Level) -> Code {
        if self.level < level {
            Code::from("(").then(self.code).then(")")
        } else {
            self.code
        }
    }
}

/// A line of the output.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) indent: usize,
    pub(super) code: Code,
}
