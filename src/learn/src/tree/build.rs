//! Makes a tree of the inner nodes, tokens and comments that a parser lists.

use fixpoint_text::Span;

use super::{Kind, Language, Node, Tree};

/// Why a text has no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("syntax error at byte {at}: {message}")]
    Syntax { at: usize, message: String },
    #[error("brackets are nested more than {limit} levels deep at byte {at}")]
    TooDeep { at: usize, limit: usize },
    #[error("the text has {length} bytes, more than the limit of {limit}")]
    TooLong { length: usize, limit: usize },
    #[error("the parser skipped the text at byte {at}")]
    Uncovered { at: usize },
}

/// A node or a token as a parser reports it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub kind: Kind,
    pub field: u16,
    pub start: u32,
    pub end: u32,
}

impl Part {
    pub fn new(kind: Kind, start: usize, end: usize) -> Self {
        Self {
            kind,
            field: 0,
            start: start as u32,
            end: end as u32,
        }
    }
}

/// What a parser found in a text.
#[derive(Debug)]
pub(crate) struct Parts {
    pub root: Kind,
    /// Inner nodes without the root. Of two with the same span, the outer one is first.
    pub inner: Vec<Part>,
    /// Tokens, in order.
    pub tokens: Vec<Part>,
    /// Comments, in order.
    pub comments: Vec<Span>,
}

pub(crate) fn build(language: Language, text: &str, parts: Parts) -> Result<Tree, ParseError> {
    let Parts {
        root,
        mut inner,
        tokens,
        comments,
    } = parts;
    check_cover(text, &tokens, &comments)?;
    let by_span = |part: &Part| (part.start, std::cmp::Reverse(part.end));
    if !inner.is_sorted_by_key(by_span) {
        inner.sort_by_key(by_span);
    }
    let mut builder = Builder {
        nodes: Vec::with_capacity(inner.len() + tokens.len() + 1),
        open: Vec::new(),
    };
    builder.push(Part::new(root, 0, text.len()), false);
    let mut inner = inner.into_iter().peekable();
    let mut last_end = 0;
    for token in tokens {
        while let Some(part) = inner.next_if(|part| part.start <= token.start) {
            // A node that starts inside a token is part of the token.
            if part.start >= last_end && part.end > part.start {
                builder.open(part);
            }
        }
        builder.push(token, true);
        last_end = token.end;
    }
    builder.close_until(u32::MAX);
    Ok(Tree {
        language,
        text: text.into(),
        nodes: builder.nodes,
        comments,
    })
}

struct Builder {
    nodes: Vec<Node>,
    /// The inner nodes that are not complete.
    open: Vec<u32>,
}

impl Builder {
    fn open(&mut self, part: Part) {
        self.close_until(part.start);
        // A node that overlaps its parent only partly is left out; its tokens belong to the parent.
        let parent = self.open.last().map(|id| &self.nodes[*id as usize]);
        if parent.is_none_or(|parent| part.end <= parent.end) {
            self.push(part, false);
        }
    }

    fn push(&mut self, part: Part, is_token: bool) {
        if is_token {
            self.close_until(part.end.saturating_sub(1));
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            kind: part.kind,
            field: part.field,
            is_token,
            start: part.start,
            end: part.end,
            parent: self.open.last().copied().unwrap_or(id),
            next: id + 1,
        });
        if !is_token {
            self.open.push(id);
        }
    }

    /// Completes the open nodes that end at this position or before it, except the root.
    fn close_until(&mut self, at: u32) {
        let count = self.nodes.len() as u32;
        while let [.., last] = self.open.as_slice()
            && (self.open.len() > 1 || at == u32::MAX)
            && self.nodes[*last as usize].end <= at
        {
            let last = *last as usize;
            self.nodes[last].next = count;
            self.open.pop();
        }
    }
}

/// Checks that only white space is outside of tokens and comments.
fn check_cover(text: &str, tokens: &[Part], comments: &[Span]) -> Result<(), ParseError> {
    let mut comments = comments.iter().peekable();
    let mut at = 0_usize;
    let end = Part::new(Kind(0), text.len(), text.len());
    for token in tokens.iter().chain([&end]) {
        let start = token.start as usize;
        while let Some(comment) = comments.next_if(|comment| comment.start() < start.max(1)) {
            blank(text, at, comment.start())?;
            at = comment.end();
        }
        blank(text, at, start)?;
        at = token.end as usize;
    }
    Ok(())
}

fn blank(text: &str, start: usize, end: usize) -> Result<(), ParseError> {
    let gap = text
        .get(start..end)
        .ok_or(ParseError::Uncovered { at: start })?;
    // A backslash continues a line, and a mark of the byte order is before any text.
    let is_blank = |char: char| char.is_whitespace() || char == '\u{feff}';
    let mut chars = gap.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let continues =
            char == '\\' && chars.peek().is_some_and(|(_, next)| "\r\n".contains(*next));
        if !is_blank(char) && !continues {
            return Err(ParseError::Uncovered { at: start + at });
        }
    }
    Ok(())
}
