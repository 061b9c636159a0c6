//! Prints the inline pieces of one text.

use super::block::Line;
use super::emphasis;
use super::inline::{self, Kind, Piece};
use super::link::{self, Tail, Target};
use super::scan::{self, CODE_INDENT, Marker, is_space};
use super::text::TextContext;
use super::writer::RAW_LINE_END;

pub(super) struct Rendering<'a> {
    pub(super) text: &'a str,
    pub(super) place: TextContext<'a>,
    pub(super) pieces: &'a [Piece],
    pub(super) marks: &'a [&'static str],
    pub(super) out: &'a mut String,
    /// The number of the current source line.
    pub(super) line: usize,
    pub(super) wants_space: bool,
    /// Whether a space is dropped here: at the start of a line or of a link.
    pub(super) at_edge: bool,
    /// Whether the text is the label of a link.
    pub(super) in_label: bool,
    /// The number of emphases around the current text.
    pub(super) emphases: usize,
    /// Whether the next words are alone on their line and would underline a heading.
    pub(super) escapes_next: bool,
    /// The lengths of the runs of backticks in plain text.
    pub(super) plain_ticks: Option<Vec<usize>>,
}

impl Rendering<'_> {
    pub(super) fn run(&mut self) {
        let mut at = 0;
        for index in 0..self.pieces.len() {
            let piece = &self.pieces[index];
            self.plain(at, piece.start, index);
            self.piece(index);
            let lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[piece.start..piece.end]);
            self.line += lines.count();
            at = piece.end;
        }
        self.plain(at, self.text.len(), self.pieces.len());
    }

    /// Adds plain text, with single spaces between words.
    fn plain(&mut self, start: usize, end: usize, index: usize) {
        let gap = &self.text[start..end];
        let words = gap.trim_matches(is_space);
        if words.is_empty() {
            self.wants_space |= !gap.is_empty();
            return;
        }
        self.wants_space |= gap.starts_with(is_space);
        self.flush_space();
        let escaped;
        let words = match self.emphases {
            0 => words,
            _ => {
                escaped = emphasis::escaped(gap);
                escaped.trim_matches(is_space)
            }
        };
        let escape = match std::mem::take(&mut self.escapes_next) {
            true => Some(0),
            false => self.escape(start, words, index),
        };
        if let Some(escape) = escape {
            self.words(&words[..escape]);
            self.out.push('\\');
            self.words(&words[escape..]);
        } else {
            self.words(words);
        }
        self.wants_space = gap.ends_with(is_space);
    }

    fn words(&mut self, words: &str) {
        let bytes = words.as_bytes();
        let mut from = 0;
        for space in memchr::memchr2_iter(b' ', b'\t', bytes) {
            let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
            let length = bytes[space..].iter().take_while(is_blank).count();
            if space >= from && (length > 1 || bytes[space] == b'\t') {
                self.out.push_str(&words[from..space]);
                self.out.push(' ');
                from = space + length;
            }
        }
        self.out.push_str(&words[from..]);
    }

    /// The position where a backslash is necessary so that the words stay plain text.
    fn escape(&self, start: usize, words: &str, index: usize) -> Option<usize> {
        let after_break = index > 0 && self.pieces[index - 1].kind == Kind::HardBreak;
        let is_first =
            start == 0 && index == 0 || self.text[..start].trim_matches(is_space).is_empty();
        if self.place.is_paragraph && (after_break || (is_first && !self.place.follows_box)) {
            let next = self.pieces.get(index).filter(|_| {
                let end = self.pieces[index].start;
                !self.text[..end].ends_with(is_space)
            });
            let next = next.and_then(|piece| self.text[piece.start..].chars().next());
            let mut line = words.to_owned();
            line.extend(next.filter(|c| !c.is_whitespace()));
            let is_underline = line.trim().bytes().all(|byte| byte == b'=');
            let starts = Marker::of(&line).is_some()
                || (after_break && scan::starts_block(&line))
                || (self.place.follows_definition && !is_underline && scan::starts_block(&line));
            if starts {
                return Some(match Marker::of(&line) {
                    Some(marker) if marker.number.is_some() => marker.length - 1,
                    _ => 0,
                });
            }
        }
        if self.place.is_heading && index == self.pieces.len() {
            let open = words.trim_end_matches('#');
            let closes = open.len() < words.len() && (open.is_empty() || open.ends_with(is_space));
            return closes.then_some(open.len());
        }
        None
    }

    fn flush_space(&mut self) {
        if self.wants_space && !self.at_edge {
            self.out.push(' ');
        }
        self.wants_space = false;
        self.at_edge = false;
    }

    fn piece(&mut self, index: usize) {
        let piece = &self.pieces[index];
        let raw = &self.text[piece.start..piece.end];
        match &piece.kind {
            Kind::SoftBreak => return self.soft_break(index),
            Kind::HardBreak => return self.hard_break(index),
            _ => {}
        }
        self.flush_space();
        match &piece.kind {
            Kind::Code => self.code(raw),
            Kind::Html => self.raw_lines(raw),
            Kind::Verbatim => self.out.push_str(raw),
            Kind::Open(decoration) => {
                let marks = self.marks[*decoration];
                self.emphases += usize::from(!marks.starts_with('~'));
                self.out.push_str(marks);
            }
            Kind::Close(decoration) => {
                let marks = self.marks[*decoration];
                let closed = usize::from(!marks.starts_with('~'));
                self.emphases = self.emphases.saturating_sub(closed);
                self.out.push_str(marks);
            }
            Kind::LinkOpen { is_label } => {
                self.out.push('[');
                self.in_label = *is_label;
            }
            Kind::LinkClose(tail) => {
                self.out.push(']');
                self.tail(tail);
                self.in_label = false;
            }
            // Without formulas, the alternative may end at a bracket within one.
            Kind::Image(alternative, _) if self.text[alternative.clone()].contains('$') => {
                self.raw_lines(raw);
            }
            Kind::Image(alternative, tail) => {
                self.out.push_str("![");
                let alternative = &self.text[alternative.clone()];
                match tail {
                    Tail::Collapsed | Tail::Shortcut => link::push_label(self.out, alternative),
                    Tail::Inline { .. } | Tail::Full(_) => self.alternative(alternative),
                }
                self.out.push(']');
                self.tail(tail);
            }
            Kind::SoftBreak | Kind::HardBreak => {}
        }
    }

    /// The text of an image, as it is written.
    fn alternative(&mut self, text: &str) {
        let last = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                let is_blank = line.is_empty() && index < last;
                let would_begin_block = is_blank || scan::starts_block(line);
                self.out
                    .push(if would_begin_block { ' ' } else { RAW_LINE_END });
            }
            self.out.push_str(line);
        }
    }

    fn tail(&mut self, tail: &Tail) {
        match tail {
            Tail::Inline { destination, title } => {
                self.out.push('(');
                let destination = &self.text[destination.clone()];
                self.out
                    .push_str(&link::written_destination(destination, Target::Inline));
                if let Some(title) = title {
                    link::push_title(self.out, &self.text[title.clone()]);
                }
                self.out.push(')');
            }
            Tail::Full(label) => {
                self.out.push('[');
                link::push_label(self.out, &self.text[label.clone()]);
                self.out.push(']');
            }
            Tail::Collapsed => self.out.push_str("[]"),
            Tail::Shortcut => {}
        }
    }

    fn soft_break(&mut self, index: usize) {
        let piece = &self.pieces[index];
        self.escape_backslash(piece.start);
        self.wants_space = false;
        if self.place.is_single_line {
            self.wants_space = true;
        } else if self.underlines_next(index) {
            self.out.push('\n');
            self.at_edge = true;
            self.escapes_next = true;
        } else if self.next_starts_block(index) {
            let line = self.out.rsplit('\n').next().unwrap_or_default();
            let is_marker = Marker::of(line).is_some_and(|marker| marker.length == line.len());
            let opened = self.text[..piece.start].rsplit(']').next();
            let may_be_footnote = opened.is_some_and(|opened| opened.contains("[^"));
            if is_marker || may_be_footnote {
                // On the same line as the marker it would become a list item, and some parsers
                // read `[^a _b_]` on one line as a footnote.
                self.out.push_str("\n    ");
                self.at_edge = true;
            } else {
                self.wants_space = true;
            }
        } else {
            self.out.push('\n');
            self.at_edge = true;
        }
    }

    /// Escapes a backslash before trailing spaces. Without the spaces it would be a hard line
    /// break.
    fn escape_backslash(&mut self, end: usize) {
        let line = self.text[..end].trim_end_matches(is_space);
        let spaced = self
            .text
            .as_bytes()
            .get(line.len())
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        let is_plain = inline::ending_at(self.pieces, line.len()).is_none();
        if spaced && is_plain && emphasis::last_unescaped(line) == Some('\\') {
            self.out.push('\\');
        }
    }

    /// Whether the line after a break consists of `=` or of `-`.
    fn underlines_next(&self, index: usize) -> bool {
        let start = self.pieces[index].end;
        let next = self.pieces.get(index + 1);
        let ends_line =
            next.is_none_or(|next| matches!(next.kind, Kind::SoftBreak | Kind::HardBreak));
        let line = &self.text[start..next.map_or(self.text.len(), |next| next.start)];
        let line = line.trim_matches(is_space);
        let is_row = |mark: char| line.chars().all(|c| c == mark);
        ends_line && !line.is_empty() && (is_row('=') || is_row('-'))
    }

    /// Whether the text after a line break would begin a block.
    fn next_starts_block(&self, index: usize) -> bool {
        let start = self.pieces[index].end;
        let next = self.pieces.get(index + 1);
        let end = next.map_or(self.text.len(), |next| next.start);
        let gap = &self.text[start..end];
        let words = gap.trim_matches(is_space);
        if words.starts_with(|c: char| c.is_alphabetic()) {
            return false;
        }
        let word = words.split(is_space).next().unwrap_or_default();
        let is_alone = word == words && word == "-";
        if is_block_marker(word) && !is_alone {
            return true;
        }
        // A row of dashes and bars keeps its meaning as long as its position does not change.
        let line = self.line + 1;
        let moves = |line: &Line| line.is_lazy || line.indent >= CODE_INDENT;
        let moves = self.place.lines.get(line).is_some_and(moves);
        if !moves && super::table::is_delimiter_row(words) {
            return false;
        }
        let Some(next) = next else {
            return scan::starts_block(words);
        };
        if words.is_empty() {
            return next.kind == Kind::Html
                && self.text[next.start..].starts_with('<')
                && scan::starts_block(&self.text[next.start..next.end]);
        }
        match next.kind {
            Kind::SoftBreak | Kind::HardBreak => scan::starts_block(words),
            // The letter represents what follows on the line: `-` underlines a heading, but `-<q>`
            // does not.
            _ => scan::starts_block(&format!("{gap}x")),
        }
    }

    fn hard_break(&mut self, index: usize) {
        let piece = &self.pieces[index];
        self.wants_space = false;
        if self.place.is_single_line {
            self.wants_space = true;
            return;
        }
        let with_spaces = !self.text[piece.start..].starts_with('\\');
        if with_spaces {
            self.escape_backslash(piece.start);
        }
        if with_spaces {
            self.out.push_str("  ");
        } else {
            if self.text[..piece.start].ends_with(is_space) {
                self.out.push(' ');
            }
            self.out.push('\\');
        }
        self.out.push('\n');
        self.at_edge = true;
        let next = self.pieces.get(index + 1);
        if let Some(next) = next.filter(|next| next.kind == Kind::Html && next.start == piece.end)
            && scan::starts_block(&self.text[next.start..next.end])
        {
            self.out.push_str("    ");
        }
    }

    /// Adds raw text. Its lines keep their indentation.
    fn raw_lines(&mut self, raw: &str) {
        if !raw.contains('\n') {
            self.out.push_str(raw);
            return;
        }
        let first = self.line;
        for (index, line) in raw.split('\n').enumerate() {
            if index > 0 {
                self.out.push('\n');
                let place = self.place.lines.get(first + index);
                let mut indent = place.map_or(0, |line| line.indent);
                // A lazy line continues the paragraph. With the prefix of its containers it may begin a block.
                if place.is_some_and(|line| line.is_lazy) && scan::starts_block(line) {
                    indent = indent.max(CODE_INDENT);
                }
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            // Some parsers read two spaces at the end of a line as a hard break.
            let is_kept = !raw.starts_with("<!--");
            let trimmed = line.trim_end_matches(is_space);
            self.out.push_str(if is_kept { line } else { trimmed });
        }
    }
}

/// Whether a word would begin a quote, a heading or a list if it were the first one of a block.
fn is_block_marker(word: &str) -> bool {
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    word.starts_with('>')
        || matches!(word, "*" | "+" | "-")
        || (1..=6).contains(&word.len()) && word.bytes().all(|byte| byte == b'#')
        || word.strip_suffix(['.', ')']).is_some_and(is_number)
}
