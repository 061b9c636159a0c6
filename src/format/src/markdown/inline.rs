//! Parses inline content: code, links, emphasis and the like. Text between the pieces is plain.

use std::collections::HashSet;
use std::ops::Range;

use super::html;
use super::link::{self, Tail};
use super::pairs::{self, Delimiter};
use super::scan::run;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Code,
    /// A tag, a formula or a part of a template, printed as it is.
    Html,
    /// An autolink or a footnote reference, printed as it is.
    Verbatim,
    SoftBreak,
    HardBreak,
    /// The opening delimiters of the decoration with this index. `Close` are its closing ones.
    Open(usize),
    Close(usize),
    LinkOpen {
        /// Whether the text of the link is its label.
        is_label: bool,
    },
    LinkClose(Tail),
    /// The text of the image, and its destination.
    Image(Range<usize>, Tail),
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Emphasis,
    Strong,
    Strikethrough,
}

/// A text between two delimiter runs, such as `**` or `_`.
#[derive(Clone, Debug)]
pub(super) struct Decoration {
    pub(super) style: Style,
    /// Including its delimiters.
    pub(super) span: Range<usize>,
    /// Without its delimiters.
    pub(super) content: Range<usize>,
    /// Whether it is in the label of a link, which must not change.
    pub(super) is_label: bool,
}

/// The labels that a text can refer to.
#[derive(Clone, Copy)]
pub(super) struct Labels<'a> {
    pub(super) links: &'a HashSet<String>,
    pub(super) footnotes: &'a HashSet<String>,
}

/// The pieces of one text. The buffers are reused for the next text.
#[derive(Default)]
pub(super) struct Inline {
    pub(super) pieces: Vec<Piece>,
    pub(super) decorations: Vec<Decoration>,
    delimiters: Vec<Delimiter>,
    /// The indices of the brackets among the delimiters.
    brackets: Vec<usize>,
    sorted: bool,
    /// For `$` and for `$$`, whether no formula is closed after this point.
    unclosed: [bool; 2],
    /// For comments and for processing instructions, whether none ends after this point.
    endless: [bool; 2],
    /// The same for `{{` and `{%`.
    open_liquid: [bool; 2],
}

/// Bytes that may begin a piece.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\\`\n<[]!*_~${";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

impl Inline {
    pub(super) fn read(&mut self, text: &str, labels: Labels<'_>) {
        self.pieces.clear();
        self.decorations.clear();
        self.delimiters.clear();
        self.brackets.clear();
        self.sorted = true;
        self.unclosed = [false; 2];
        self.endless = [false; 2];
        self.open_liquid = [false; 2];
        let bytes = text.as_bytes();
        let mut at = 0;
        // The start of the current plain text.
        let mut plain = 0;
        while let Some(&byte) = bytes.get(at) {
            if !SPECIAL[byte as usize] {
                at += 1;
                continue;
            }
            let before = self.pieces.len();
            at = match byte {
                b'\\' => self.backslash(bytes, at),
                b'`' => self.code(bytes, at),
                b'\n' => self.line_end(text, plain, at),
                b'<' => self.angle(text, at),
                b'$' => self.formula(bytes, at),
                b'{' => self.liquid(text, at),
                b'[' => self.bracket(text, at, at + 1, labels),
                b'!' if bytes.get(at + 1) == Some(&b'[') => self.bracket(text, at, at + 2, labels),
                b']' => self.closing_bracket(text, at, labels),
                b'*' | b'_' | b'~' => self.marks(text, at),
                _ => at + 1,
            };
            if self.pieces.len() != before {
                plain = at;
            }
        }
        self.pair(0);
        if !self.sorted {
            self.pieces.sort_unstable_by_key(|piece| piece.start);
        }
        if self.decorations.len() > 1 {
            self.sort_decorations();
        }
    }

    pub(super) fn piece_ending_at(&self, end: usize) -> Option<&Piece> {
        ending_at(&self.pieces, end)
    }

    /// Sorts the decorations by their start.
    fn sort_decorations(&mut self) {
        let mut order: Vec<usize> = (0..self.decorations.len()).collect();
        order.sort_unstable_by_key(|&index| self.decorations[index].span.start);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        for piece in &mut self.pieces {
            if let Kind::Open(index) | Kind::Close(index) = &mut piece.kind {
                *index = place[*index];
            }
        }
        self.decorations
            .sort_unstable_by_key(|decoration| decoration.span.start);
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        self.sorted &= self.pieces.last().is_none_or(|last| last.start < start);
        self.pieces.push(Piece { kind, start, end });
        end
    }

    fn backslash(&mut self, bytes: &[u8], at: usize) -> usize {
        match bytes.get(at + 1) {
            Some(b'\n') => self.push(Kind::HardBreak, at, at + 2),
            Some(byte) if byte.is_ascii_punctuation() => at + 2,
            _ => at + 1,
        }
    }

    fn code(&mut self, bytes: &[u8], at: usize) -> usize {
        let ticks = run(&bytes[at..], b'`');
        let mut from = at + ticks;
        while let Some(found) = memchr::memchr(b'`', &bytes[from..]) {
            let close = from + found;
            let length = run(&bytes[close..], b'`');
            from = close + length;
            if length == ticks {
                return self.push(Kind::Code, at, from);
            }
        }
        at + ticks
    }

    fn line_end(&mut self, text: &str, plain: usize, at: usize) -> usize {
        let line = &text[plain..at];
        let spaces = line.len() - line.trim_end_matches(' ').len();
        if spaces >= 2 {
            self.push(Kind::HardBreak, at - spaces, at + 1)
        } else {
            self.push(Kind::SoftBreak, at, at + 1)
        }
    }

    fn angle(&mut self, text: &str, at: usize) -> usize {
        if let Some(end) = html::autolink_end(text, at) {
            return self.push(Kind::Verbatim, at, end);
        }
        let kind = ["<!--", "<?"]
            .iter()
            .position(|start| text[at..].starts_with(start));
        if kind.is_some_and(|kind| self.endless[kind]) {
            return at + 1;
        }
        if let Some(end) = html::tag_end(text, at) {
            return self.push(Kind::Html, at, end);
        }
        if let Some(kind) = kind {
            self.endless[kind] = true;
        }
        at + 1
    }

    fn formula(&mut self, bytes: &[u8], at: usize) -> usize {
        let marks = if bytes.get(at + 1) == Some(&b'$') {
            2
        } else {
            1
        };
        let is_space = |byte: Option<&u8>| matches!(byte, None | Some(b' ' | b'\t' | b'\n'));
        let start = at + marks;
        if marks == 1 && is_space(bytes.get(start)) {
            return at + 1;
        }
        if self.unclosed[marks - 1] {
            return start;
        }
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            if byte == b'\\' {
                let escapes = bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation);
                end += if escapes { 2 } else { 1 };
                continue;
            }
            let closes = byte == b'$'
                && end > start
                && if marks == 2 {
                    bytes.get(end + 1) == Some(&b'$')
                } else {
                    // An amount of money is not a formula.
                    !is_space(bytes.get(end - 1))
                        && !bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
                };
            if closes {
                return self.push(Kind::Html, at, end + marks);
            }
            end += 1;
        }
        self.unclosed[marks - 1] = true;
        start
    }

    /// `{{ output }}` or `{% tag %}` of a template.
    fn liquid(&mut self, text: &str, at: usize) -> usize {
        let (kind, close) = match text.as_bytes().get(at + 1) {
            Some(b'{') => (0, "}}"),
            Some(b'%') => (1, "%}"),
            _ => return at + 1,
        };
        if self.open_liquid[kind] {
            return at + 2;
        }
        match text[at + 2..].find(close) {
            Some(found) => self.push(Kind::Html, at, at + found + 4),
            None => {
                self.open_liquid[kind] = true;
                at + 2
            }
        }
    }

    fn bracket(&mut self, text: &str, at: usize, end: usize, labels: Labels<'_>) -> usize {
        let bytes = text.as_bytes();
        if bytes.get(at + 1) == Some(&b'^')
            && !labels.footnotes.is_empty()
            && let Some(end) = link::label_end(text, at)
        {
            let name = link::normalized(&text[at + 2..end - 1]);
            if !name.is_empty() && labels.footnotes.contains(&*name) {
                return self.push(Kind::Verbatim, at, end);
            }
        }
        let place = (self.pieces.len(), self.decorations.len());
        self.brackets.push(self.delimiters.len());
        self.delimiters
            .push(Delimiter::bracket(bytes[at], at, end, place));
        end
    }

    fn closing_bracket(&mut self, text: &str, at: usize, labels: Labels<'_>) -> usize {
        let Some(index) = self.brackets.pop() else {
            return at + 1;
        };
        let opener = self.delimiters[index];
        let found = opener
            .is_active
            .then(|| tail(text, opener.end, at, labels))
            .flatten();
        let Some((tail, end)) = found else {
            self.delimiters.remove(index);
            return at + 1;
        };
        if opener.mark == b'!' {
            let (pieces, decorations) = opener.place;
            self.pieces.truncate(pieces);
            self.decorations.truncate(decorations);
            self.delimiters.truncate(index);
            return self.push(Kind::Image(opener.end..at, tail), opener.start, end);
        }
        self.pair(index + 1);
        self.delimiters.truncate(index);
        // A link cannot contain another link.
        for &outer in self.brackets.iter().rev() {
            let outer = &mut self.delimiters[outer];
            if outer.mark == b'[' && !std::mem::replace(&mut outer.is_active, false) {
                break;
            }
        }
        let is_label = matches!(tail, Tail::Collapsed | Tail::Shortcut);
        if is_label {
            for decoration in &mut self.decorations[opener.place.1..] {
                decoration.is_label = true;
            }
        }
        self.push(Kind::LinkOpen { is_label }, opener.start, opener.end);
        self.push(Kind::LinkClose(tail), at, end)
    }

    fn marks(&mut self, text: &str, at: usize) -> usize {
        let mark = text.as_bytes()[at];
        let end = at + run(&text.as_bytes()[at..], mark);
        if mark == b'~' && end - at > 2 {
            return end;
        }
        let delimiter = Delimiter::marks(text, at, end);
        if delimiter.can_open || delimiter.can_close {
            self.delimiters.push(delimiter);
        }
        end
    }

    fn pair(&mut self, bottom: usize) {
        if self.delimiters.len() <= bottom {
            return;
        }
        let known = self.decorations.len();
        pairs::pair(&mut self.delimiters, bottom, &mut self.decorations);
        for index in known..self.decorations.len() {
            let Decoration { span, content, .. } = self.decorations[index].clone();
            self.push(Kind::Open(index), span.start, content.start);
            self.push(Kind::Close(index), content.end, span.end);
        }
    }
}

/// The piece that ends at `end`. `pieces` must be in order.
pub(super) fn ending_at(pieces: &[Piece], end: usize) -> Option<&Piece> {
    let found = pieces.binary_search_by_key(&end, |piece| piece.end);
    found.ok().map(|index| &pieces[index])
}

/// The link tail after the text between `start` and the bracket at `close`, and its end.
fn tail(text: &str, start: usize, close: usize, labels: Labels<'_>) -> Option<(Tail, usize)> {
    let after = text.as_bytes().get(close + 1);
    if after == Some(&b'(')
        && let Some(found) = link::inline_tail(text, close + 1)
    {
        return Some(found);
    }
    if labels.links.is_empty() {
        return None;
    }
    let knows = |label: &str| labels.links.contains(&*link::normalized(label));
    if after == Some(&b'[')
        && let Some(end) = link::label_end(text, close + 1)
    {
        let label = close + 2..end - 1;
        if text[label.clone()].trim().is_empty() {
            return knows(&text[start..close]).then_some((Tail::Collapsed, end));
        }
        return knows(&text[label.clone()]).then_some((Tail::Full(label), end));
    }
    knows(&text[start..close]).then_some((Tail::Shortcut, close + 1))
}
