//! The author's text and its positions. Lines and columns count from 1, columns and offsets in
//! UTF-16 code units.

use std::sync::Arc;

use fixpoint_text::Span;
use serde::Serialize;

/// The file name for nodes from AST JSON without a location.
pub const AST_JSON: &str = "ast-json";

/// Allowed before any text. It is preserved and has no meaning.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
    pub offset: usize,
}

impl Position {
    pub const START: Self = Self {
        line: 1,
        column: 1,
        offset: 0,
    };
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    pub file: String,
    pub start: Position,
    pub end: Position,
}

impl Location {
    /// The location of a node without one.
    pub fn unknown() -> Self {
        Self {
            file: AST_JSON.to_owned(),
            start: Position::START,
            end: Position::START,
        }
    }
}

/// A text with the starts of its lines.
#[derive(Clone, Debug)]
pub struct Source {
    file: String,
    text: Arc<str>,
    /// The byte and the UTF-16 offset at which each line starts.
    lines: Vec<(usize, usize)>,
    ascii: bool,
}

impl Source {
    pub fn new(file: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let ascii = text.is_ascii();
        let has_mark = text.starts_with(BYTE_ORDER_MARK);
        let mark = if has_mark {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        let mut lines = vec![(mark, usize::from(has_mark))];
        if ascii {
            let newlines = text.match_indices('\n');
            lines.extend(newlines.map(|(at, _)| (at + 1, at + 1)));
        } else {
            let mut units = 0;
            for (at, char) in text.char_indices() {
                units += char.len_utf16();
                if char == '\n' {
                    lines.push((at + 1, units));
                }
            }
        }
        Self {
            file: file.into(),
            text,
            lines,
            ascii,
        }
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The text of a span, or an empty text if the span is not part of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The number of lines as editors count them: one more than there are newlines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    pub fn position(&self, offset: usize) -> Position {
        self.position_near(offset, &mut 0)
    }

    /// The position of an offset that is probably on `line`, from 0, or shortly after it. Sets
    /// `line` to the line that was found.
    pub fn position_near(&self, offset: usize, line: &mut usize) -> Position {
        let is_on = |at: usize| {
            let rest = self.lines.get(at..).unwrap_or_default();
            match rest {
                [(start, _), (next, _), ..] => *start <= offset && offset < *next,
                [(start, _)] => *start <= offset,
                [] => false,
            }
        };
        let near = (*line..*line + 4).find(|at| is_on(*at));
        let place = near.unwrap_or_else(|| {
            let after = self.lines.partition_point(|(start, _)| *start <= offset);
            after.saturating_sub(1)
        });
        *line = place;
        let line = place + 1;
        let (start, units) = self.lines.get(place).copied().unwrap_or_default();
        let column = match self.text.get(start..offset) {
            Some(before) if !self.ascii => before.encode_utf16().count(),
            _ => offset.saturating_sub(start),
        };
        Position {
            line,
            column: column + 1,
            offset: units + column,
        }
    }

    /// The byte offset of a line and a column, from 0. A position outside the text gives the
    /// nearest offset before it.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.lines.get(line).map_or(self.text.len(), |it| it.0);
        let rest = self.text.get(start..).unwrap_or_default();
        let mut units = 0;
        for (at, char) in rest.char_indices() {
            if units >= column || char == '\n' {
                return start + at;
            }
            units += char.len_utf16();
        }
        self.text.len()
    }

    pub fn location(&self, span: Span) -> Location {
        Location {
            file: self.file.clone(),
            start: self.position(span.start()),
            end: self.position(span.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let source = Source::new("a.clank", "\u{feff}x\ny");
        let places = ['x', 'y'].map(|it| source.text().find(it).unwrap_or_default());
        let columns = places
            .map(|it| source.position(it))
            .map(|it| (it.line, it.column, it.offset));
        assert_eq!(columns, [(1, 1, 1), (2, 1, 3)]);
        assert_eq!(source.position(0).column, 1);
        assert_eq!(source.offset(0, 0), places[0]);
    }

    #[test]
    fn positions_count_utf16_units() {
        let source = Source::new("a.clank", "ƒ x\n\"😀\" y");
        let y = source.text().find('y').unwrap_or_default();
        let expected = Position {
            line: 2,
            column: 6,
            offset: 9,
        };
        assert_eq!(source.position(y), expected);
        assert_eq!(source.position(0), Position::START);
        assert_eq!(source.line_count(), 2);
    }
}
