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

    pub(super) fn then(mut self, next: impl Part) -> Self {
        next.add_to(&mut self);
        self
    }

    pub(super) fn join(parts: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |all, part| all.then(separator).then(part))
    }

    /// Followed by a list.
    pub(super) fn listing(
        self,
        open: &str,
        parts: impl IntoIterator<Item = Self>,
        close: &str,
    ) -> Self {
        let mut all = self.then(open);
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                all.text += ", ";
            }
            part.add_to(&mut all);
        }
        all.then(close)
    }

    /// The code where what no part of it says otherwise of comes from `node`. Of nodes that begin at
    /// the same place the innermost tells most, if it has a place.
    pub(super) fn marked<K>(self, node: &Node<K>, all_have_places: bool) -> Self {
        if all_have_places && self.marks.first().is_some_and(|(at, _)| *at == 0) {
            self
        } else {
            Self::of(node).then(self)
        }
    }
}

/// What may follow code: more of it, or text that came from nowhere.
pub(super) trait Part {
    fn add_to(self, code: &mut Code);
}

impl Part for Code {
    fn add_to(mut self, code: &mut Code) {
        if code.text.is_empty() {
            self.marks.splice(0..0, code.marks.drain(..));
            *code = self;
            return;
        }
        let shift = code.text.len();
        let marks = self.marks.into_iter();
        code.marks.extend(marks.map(|(at, it)| (at + shift, it)));
        code.text += &self.text;
    }
}

impl Part for &str {
    fn add_to(self, code: &mut Code) {
        code.text += self;
    }
}

impl Part for &String {
    fn add_to(self, code: &mut Code) {
        code.text += self;
    }
}

impl Part for String {
    fn add_to(self, code: &mut Code) {
        code.text += &self;
    }
}

impl From<&str> for Code {
    fn from(text: &str) -> Self {
        // More will follow, as a rule.
        let mut room = String::with_capacity(text.len().max(32));
        room += text;
        Self::from(room)
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
