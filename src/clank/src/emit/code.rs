//! JavaScript under construction: text with the node that each part came from.

use fixpoint_text::Span;

use crate::ast::{Node, NodeId};

/// The node that a text was made from.
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

/// Delimiters of text that only TypeScript has. The author's text cannot contain them unescaped.
const TYPED: char = '\u{1}';
const END: char = '\u{2}';

/// Text that only TypeScript has, written by `write`.
pub(super) fn typed(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::with_capacity(32);
    text.push(TYPED);
    write(&mut text);
    text.push(END);
    text
}

/// The pieces of a text, each with whether both languages have it.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    let mut is_common = true;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let border = if is_common { TYPED } else { END };
        // A byte loop, because most pieces are short.
        let end = rest.bytes().position(|it| it == border as u8);
        let (piece, after) = match end {
            Some(end) => (
                rest.get(..end).unwrap_or_default(),
                rest.get(end + 1..).unwrap_or_default(),
            ),
            None => (rest, ""),
        };
        let found = (piece, is_common);
        (rest, is_common) = (after, !is_common);
        Some(found)
    })
}

/// Whether a text is part of a single line of ASCII, in which a byte is a column.
pub(super) fn is_one_line(text: &str) -> bool {
    // No early exit, so that many bytes are processed together.
    let is_odd = |odd, byte: &u8| odd | (*byte >= 0x80) | (*byte < b' ' && *byte > END as u8);
    !text.as_bytes().iter().fold(false, is_odd)
}

/// The length of a text in JavaScript.
pub(super) fn plain_length(text: &str) -> usize {
    let common = pieces(text).filter(|it| it.1);
    common.map(|it| it.0.len()).sum()
}

#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    marks: Vec<Mark>,
}

/// The byte offset from which on the text has an origin.
type Mark = (u32, Origin);

/// A position in code that is still being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    byte: usize,
    mark: usize,
}

impl Code {
    /// Empty code; the text that follows comes from `node`.
    pub(super) fn of<K>(node: &Node<K>) -> Self {
        let mut code = Self::with_room();
        code.marks.push((0, Origin::of(node)));
        code
    }

    /// Empty code with room for a typical line.
    pub(super) fn with_room() -> Self {
        Self {
            text: String::with_capacity(64),
            marks: Vec::with_capacity(8),
        }
    }

    /// The offsets from which on the text has an origin, in order.
    pub(super) fn marks(&self) -> impl Iterator<Item = (usize, Origin)> {
        self.marks
            .iter()
            .map(|(at, origin)| (*at as usize, *origin))
    }

    /// The width of the indentation. An empty line has none.
    pub(super) fn margin(&self, indent: usize) -> usize {
        if self.text.is_empty() { 0 } else { 2 * indent }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text += text;
    }

    pub(super) fn append(&mut self, code: Self) {
        if self.text.is_empty() && self.marks.is_empty() {
            *self = code;
            return;
        }
        let shift = narrow(self.text.len());
        self.text += &code.text;
        let marks = code.marks.into_iter();
        self.marks
            .extend(marks.map(|(at, origin)| (at + shift, origin)));
    }

    /// The end of the code, where the next text starts.
    pub(super) fn end(&self) -> Start {
        Start {
            byte: self.text.len(),
            mark: self.marks.len(),
        }
    }

    /// The text written since `start`.
    pub(super) fn since(&self, start: Start) -> &str {
        self.text.get(start.byte..).unwrap_or_default()
    }

    /// Inserts text before the text written since `start`.
    pub(super) fn insert(&mut self, start: Start, text: &str) {
        self.text.insert_str(start.byte, text);
        for (at, _) in self.marks.iter_mut().skip(start.mark) {
            *at += narrow(text.len());
        }
    }

    /// Removes the text written since `start`.
    pub(super) fn cut(&mut self, start: Start) {
        self.text.truncate(start.byte);
        self.marks.truncate(start.mark);
    }

    pub(super) fn parenthesise(&mut self, start: Start) {
        self.insert(start, "(");
        self.push(")");
    }

    /// Sets `node` as the origin of the text written since `start`, except for parts with an origin
    /// of their own. Of nodes that begin at the same byte, the innermost one counts if all nodes
    /// have positions.
    pub(super) fn mark<K>(&mut self, start: Start, node: &Node<K>, all_have_places: bool) {
        let byte = narrow(start.byte);
        match self.marks.get(start.mark) {
            Some((at, _)) if *at == byte && all_have_places => {}
            _ => self.marks.insert(start.mark, (byte, Origin::of(node))),
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

    /// The code between two texts, if it starts and ends with them.
    pub(super) fn between(&self, before: &str, after: &str) -> Option<Self> {
        let text = self.text.strip_prefix(before)?.strip_suffix(after)?;
        let shift = narrow(before.len());
        let marks = self.marks.iter();
        Some(Self {
            text: text.to_owned(),
            marks: marks
                .map(|(at, origin)| (at.saturating_sub(shift), *origin))
                .collect(),
        })
    }
}

fn narrow(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Something that can be appended to code: other code, or text without an origin.
pub(super) trait Part {
    fn add_to(self, code: &mut Code);
}

impl Part for Code {
    fn add_to(self, code: &mut Code) {
        code.append(self);
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
        // More text usually follows.
        let mut code = Self::with_room();
        code.push(text);
        code
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
            marks: Vec::new(),
        }
    }
}

/// The precedence of the outermost operator of an expression, loosest first.
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

/// The properties of an emitted expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) level: Level,
    /// Whether it yields the same value wherever it is evaluated and has no side effects.
    pub(super) stable: bool,
}

impl Written {
    pub(super) const STABLE: Self = Self {
        level: Level::Call,
        stable: true,
    };

    pub(super) fn at(level: Level) -> Self {
        Self {
            level,
            stable: false,
        }
    }
}

/// The JavaScript value of an expression without a value.
pub(super) const UNDEFINED: &str = "undefined";

/// An emitted expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) code: Code,
    pub(super) is: Written,
}

impl Value {
    pub(super) fn new(code: impl Into<Code>, level: Level) -> Self {
        Self {
            code: code.into(),
            is: Written::at(level),
        }
    }

    pub(super) fn stable(code: impl Into<Code>) -> Self {
        Self {
            code: code.into(),
            is: Written::STABLE,
        }
    }

    pub(super) fn undefined() -> Self {
        Self::stable(UNDEFINED)
    }

    pub(super) fn is_undefined(&self) -> bool {
        self.code.text == UNDEFINED
    }

    /// The code, in parentheses if it binds looser than `level`.
    pub(super) fn at(self, level: Level) -> Code {
        if self.is.level < level {
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
