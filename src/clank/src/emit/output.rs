//! The output text, with its source positions.

use super::Target;
use super::code::{self, Line, Origin};
use super::source_map::{Mapping, Mappings};
use crate::ast::Ast;
use crate::source::AST_JSON;

/// Text with its end position and source mappings.
#[derive(Default)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) mappings: Mappings,
    line: usize,
    column: usize,
    /// The source line of the last mapping.
    source_line: usize,
}

impl Output {
    /// Room for the code of a text of that many bytes.
    pub(super) fn with_room(length: usize) -> Self {
        Self {
            // Unused capacity costs nothing.
            text: String::with_capacity(2 * length),
            mappings: Mappings::with_room(length / 8),
            ..Self::default()
        }
    }

    /// Appends separately written output, which starts on a new line.
    pub(super) fn append(&mut self, other: Self) {
        let shift = u32::try_from(self.line).unwrap_or(u32::MAX);
        self.text += &other.text;
        self.mappings.append(other.mappings, shift);
        self.line += other.line;
        self.column = other.column;
    }

    pub(super) fn lines(&mut self, lines: &[Line], target: Target, ast: &Ast) {
        for line in lines {
            self.line(line, target, ast);
        }
    }

    /// Writes the same lines to both languages.
    pub(super) fn lines_of_both([js, ts]: [&mut Self; 2], lines: &[Line], ast: &Ast) {
        for line in lines {
            let Line { indent, code } = line;
            if is_plain(&code.text) {
                let margin = code.margin(*indent);
                js.margin(margin);
                ts.margin(margin);
                for (offset, origin) in code.marks() {
                    if let Some(source) = js.source_of(origin, ast) {
                        js.map(margin + offset, source);
                        ts.map(margin + offset, source);
                    }
                }
                js.end_line(&code.text);
                ts.end_line(&code.text);
                continue;
            }
            if !code::is_one_line(&code.text) || code::plain_length(&code.text) == 0 {
                js.line(line, Target::JavaScript, ast);
                ts.line(line, Target::TypeScript, ast);
                continue;
            }
            let margin = code.margin(*indent);
            js.margin(margin);
            ts.margin(margin);
            let mut marks = code.marks().peekable();
            let mut at = 0;
            for (piece, is_common) in code::pieces(&code.text) {
                let end = at + piece.len();
                while let Some((offset, origin)) = marks.next_if(|it| it.0 <= end) {
                    if let Some(source) = js.source_of(origin, ast) {
                        let inside = offset.saturating_sub(at);
                        js.map(js.column + if is_common { inside } else { 0 }, source);
                        ts.map(ts.column + inside, source);
                    }
                }
                if is_common {
                    js.text += piece;
                    js.column += piece.len();
                }
                ts.text += piece;
                ts.column += piece.len();
                // The delimiter between pieces is one byte.
                at = end + 1;
            }
            js.end_line("");
            ts.end_line("");
        }
    }

    fn line(&mut self, Line { indent, code }: &Line, target: Target, ast: &Ast) {
        let text = &code.text;
        if is_plain(text) {
            self.margin(code.margin(*indent));
            for (offset, origin) in code.marks() {
                self.mark(origin, self.column + offset, ast);
            }
            return self.end_line(text);
        }
        if target == Target::JavaScript && code::plain_length(text) == 0 {
            return;
        }
        self.margin(code.margin(*indent));
        let mut written = 0;
        for (offset, origin) in code.marks() {
            self.pieces(text.get(written..offset), target);
            written = offset;
            self.mark(origin, self.column, ast);
        }
        self.pieces(text.get(written..), target);
        self.end_line("");
    }

    /// Begins a line with that many columns of indentation.
    fn margin(&mut self, columns: usize) {
        const SPACES: &str = "                                ";
        let mut left = columns;
        while left > 0 {
            let some = left.min(SPACES.len());
            self.text += SPACES.get(..some).unwrap_or_default();
            left -= some;
        }
        self.column = columns;
    }

    fn end_line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
        self.line += 1;
        self.column = 0;
    }

    /// Records the origin of the text from a column on.
    fn mark(&mut self, origin: Origin, column: usize, ast: &Ast) {
        if let Some(source) = self.source_of(origin, ast) {
            self.map(column, source);
        }
    }

    /// The line and column of a node in the author's text, if it has a position there.
    fn source_of(&mut self, origin: Origin, ast: &Ast) -> Option<(usize, usize)> {
        let start = if ast.is_read_from_text(Some(origin.node)) {
            let source = &ast.source;
            source.position_near(origin.span.start(), &mut self.source_line)
        } else {
            let location = ast.location(Some(origin.node), origin.span);
            if location.file == AST_JSON {
                return None;
            }
            location.start
        };
        Some((start.line.saturating_sub(1), start.column.saturating_sub(1)))
    }

    fn map(&mut self, column: usize, source: (usize, usize)) {
        self.mappings
            .push(Mapping::new((self.line, column), source));
    }

    /// Writes the parts of a text that a language has.
    fn pieces(&mut self, text: Option<&str>, target: Target) {
        for (piece, is_common) in code::pieces(text.unwrap_or_default()) {
            if is_common || target == Target::TypeScript {
                self.push(piece);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text += text;
        // Most pieces are short and ASCII.
        if text.len() < 64 && text.bytes().all(|it| it.is_ascii() && it != b'\n') {
            self.column += text.len();
            return;
        }
        self.line += text.matches('\n').count();
        let width = |text: &str| text.encode_utf16().count();
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = width(last),
            None => self.column += width(text),
        }
    }
}

/// Whether a text is part of a single ASCII line in both languages, in which a byte is a column.
fn is_plain(text: &str) -> bool {
    // No early exit, so that many bytes are processed together.
    let is_odd = |odd, byte: &u8| odd | !(b' '..0x80).contains(byte);
    !text.as_bytes().iter().fold(false, is_odd)
}
