//! The lines of the output as text, with the places they came from.

use super::Target;
use super::code::{self, Line, Origin};
use super::source_map::Mapping;
use crate::ast::Ast;
use crate::source::AST_JSON;

/// Text that knows where its end is, and where its parts came from.
#[derive(Default)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) mappings: Vec<Mapping>,
    line: usize,
    column: usize,
    /// The line of the author's text that was last come from.
    source_line: usize,
}

impl Output {
    /// One for the code of a text of so many bytes.
    pub(super) fn with_room(length: usize) -> Self {
        Self {
            // Room that is not touched costs nothing.
            text: String::with_capacity(2 * length),
            mappings: Vec::with_capacity(length / 4),
            ..Self::default()
        }
    }

    pub(super) fn lines(&mut self, lines: &[Line], target: Target, ast: &Ast) {
        for line in lines {
            self.line(line, target, ast);
        }
    }

    fn line(&mut self, Line { indent, code }: &Line, target: Target, ast: &Ast) {
        if !code.text.is_empty() {
            if target == Target::JavaScript && code::plain_length(&code.text) == 0 {
                return;
            }
            (0..*indent).for_each(|_| self.push("  "));
        }
        if code.text.bytes().all(|it| it.is_ascii() && it >= b' ') {
            // One line that all languages have: a byte is a column.
            for (offset, origin) in code.marks() {
                self.mark(origin, self.column + offset, ast);
            }
            self.text += &code.text;
        } else {
            let mut written = 0;
            for (offset, origin) in code.marks() {
                self.pieces(code.text.get(written..offset), target);
                written = offset;
                self.mark(origin, self.column, ast);
            }
            self.pieces(code.text.get(written..), target);
        }
        self.text.push('\n');
        self.line += 1;
        self.column = 0;
    }

    /// Remembers where what stands from a column on comes from.
    fn mark(&mut self, origin: Origin, column: usize, ast: &Ast) {
        let start = if ast.is_read_from_text(Some(origin.node)) {
            let source = &ast.source;
            source.position_near(origin.span.start(), &mut self.source_line)
        } else {
            let location = ast.location(Some(origin.node), origin.span);
            if location.file == AST_JSON {
                return;
            }
            location.start
        };
        let source = (start.line.saturating_sub(1), start.column.saturating_sub(1));
        let mapping = Mapping::new((self.line, column), source);
        // Of nodes that begin at the same place, the innermost tells most.
        let place = (mapping.line, mapping.column);
        self.mappings
            .pop_if(|last| (last.line, last.column) == place);
        self.mappings.push(mapping);
    }

    /// Writes what a language has of a text.
    fn pieces(&mut self, text: Option<&str>, target: Target) {
        for (piece, is_common) in code::pieces(text.unwrap_or_default()) {
            if is_common || target == Target::TypeScript {
                self.push(piece);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text += text;
        // Most pieces are short and plain.
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
