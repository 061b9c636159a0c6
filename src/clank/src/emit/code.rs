//! JavaScript under construction: text that remembers which node each part came from.

use fixpoint_text::Span;

use crate::ast::{Node, NodeId};

/// The node some text was made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) node: NodeId,
    pub(super) span: Span,
}

impl Origin {
    fn of<K>(node: &Node<K>) -> Self {
        Self {
            node: node.id,
            span: node.span,
        }
    }
}

/// What is between these only TypeScript has. No text of the author's holds them as they are.
const TYPED: char = '\u{1}';
const END: char = '\u{2}';

/// Text that only TypeScript has, parts of which may be known as such already.
pub(super) fn typed(text: &str) -> String {
    let mut all = String::with_capacity(text.len() + 2);
    all.push(TYPED);
    all.extend(text.split([TYPED, END]));
    all.push(END);
    all
}

/// The pieces of a text, and whether all languages have them.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    let mut is_common = true;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let border = if is_common { TYPED } else { END };
        let (piece, after) = rest.split_once(border).unwrap_or((rest, ""));
        let found = (piece, is_common);
        (rest, is_common) = (after, !is_common);
        Some(found)
    })
}

/// How long a text is in JavaScript.
pub(super) fn plain_length(text: &str) -> usize {
    let common = pieces(text).filter(|it| it.1);
    common.map(|it| it.0.len()).sum()
}

#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    marks: Marks,
}

/// From this byte on the text comes from there.
type Mark = (u32, Origin);

/// Most code has one mark, which takes no room of its own.
#[derive(Clone, Debug, Default)]
struct Marks {
    first: Option<Mark>,
    rest: Vec<Mark>,
}

impl Marks {
    fn push(&mut self, mark: Mark) {
        match self.first {
            None => self.first = Some(mark),
            Some(_) => self.rest.push(mark),
        }
    }

    fn iter(&self) -> impl Iterator<Item = Mark> {
        self.first.into_iter().chain(self.rest.iter().copied())
    }
}

impl Code {
    /// No text yet; what follows comes from `node`.
    pub(super) fn of<K>(node: &Node<K>) -> Self {
        let mut code = Self::default();
        code.marks.push((0, Origin::of(node)));
        code
    }

    /// The places in the text from which on it comes from somewhere, in order.
    pub(super) fn marks(&self) -> impl Iterator<Item = (usize, Origin)> {
        self.marks.iter().map(|(at, origin)| (at as usize, origin))
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

    /// What stands between two texts, if it does.
    pub(super) fn between(&self, before: &str, after: &str) -> Option<Self> {
        let text = self.text.strip_prefix(before)?.strip_suffix(after)?;
        let mut code = Self::from(text);
        for (at, origin) in self.marks.iter() {
            let shift = u32::try_from(before.len()).unwrap_or(u32::MAX);
            code.marks.push((at.saturating_sub(shift), origin));
        }
        Some(code)
    }

    /// The code where what no part of it says otherwise of comes from `node`. Of nodes that begin at
    /// the same place the innermost tells most, if it has a place.
    pub(super) fn marked<K>(self, node: &Node<K>, all_have_places: bool) -> Self {
        match self.marks.first {
            None => {
                let mut code = self;
                code.marks.push((0, Origin::of(node)));
                code
            }
            Some((0, _)) if all_have_places => self,
            Some(_) => Self::of(node).then(self),
        }
    }
}

/// What may follow code: more of it, or text that came from nowhere.
pub(super) trait Part {
    fn add_to(self, code: &mut Code);
}

impl Part for Code {
    fn add_to(mut self, code: &mut Code) {
        let shift = u32::try_from(code.text.len()).unwrap_or(u32::MAX);
        if shift == 0 {
            std::mem::swap(&mut code.text, &mut self.text);
        } else {
            code.text += &self.text;
        }
        for (at, origin) in self.marks.iter() {
            code.marks.push((at + shift, origin));
        }
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
        let mut room = String::with_capacity(text.len().max(48));
        room += text;
        Self::from(room)
    }
}

impl From<&String> for Code {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Self {
            text,
            marks: Marks::default(),
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
