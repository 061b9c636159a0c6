//! Prints the text of one block.

use super::block::Line;
use super::emphasis;
use super::inline::{Inline, Kind, Labels, Style};
use super::render::Rendering;
use super::writer::RAW_LINE_END;

/// The block that a text is in.
#[derive(Clone, Copy, Default)]
pub(super) struct TextContext<'a> {
    /// Whether it is in a heading or a table cell, which have no line breaks.
    pub(super) is_single_line: bool,
    pub(super) is_heading: bool,
    /// Whether it is a paragraph, whose lines must not begin other blocks.
    pub(super) is_paragraph: bool,
    /// Whether it is a paragraph after a task list checkbox, so not at the start of a line.
    pub(super) follows_box: bool,
    pub(super) follows_definition: bool,
    /// The source lines of the text.
    pub(super) lines: &'a [Line],
}

/// Prints texts. The buffers are reused.
pub(super) struct Printer<'a> {
    labels: Labels<'a>,
    inline: Inline,
    check: Inline,
}

impl<'a> Printer<'a> {
    pub(super) fn new(labels: Labels<'a>) -> Self {
        Self {
            labels,
            inline: Inline::default(),
            check: Inline::default(),
        }
    }

    /// Adds the printed form of `text` to `out`.
    pub(super) fn print(&mut self, text: &str, place: TextContext<'_>, out: &mut String) {
        if is_canonical_prose(text) && !(place.is_single_line && text.contains('\n')) {
            out.push_str(text);
            return;
        }
        self.inline.read(text, self.labels);
        let start = out.len();
        if !place.is_single_line && self.has_formula_with_tick(text) {
            out.push_str(text);
            return;
        }
        let marks = emphasis::chosen(text, &self.inline);
        self.render(text, place, &marks, out);
        if !self.has_other_marks(text, &marks) || self.has_same_decorations(text, &out[start..]) {
            return;
        }
        out.truncate(start);
        let marks: Vec<_> = self
            .inline
            .decorations
            .iter()
            .map(|decoration| emphasis::written(text, decoration))
            .collect();
        self.render(text, place, &marks, out);
        if !self.has_same_decorations(text, &out[start..]) {
            out.truncate(start);
            out.push_str(text);
        }
    }

    /// Whether a formula contains a backtick. A parser without formulas pairs it with one outside, and
    /// reads other code spans.
    fn has_formula_with_tick(&self, text: &str) -> bool {
        let formulas = self.inline.pieces.iter();
        let mut formulas = formulas
            .filter(|piece| piece.kind == Kind::Html && text[piece.start..].starts_with('$'));
        formulas.any(|piece| text[piece.start..piece.end].contains('`'))
    }

    fn render(&self, text: &str, place: TextContext<'_>, marks: &[&'static str], out: &mut String) {
        let start = out.len();
        let mut rendering = Rendering {
            text,
            place,
            pieces: &self.inline.pieces,
            marks,
            out,
            line: 0,
            wants_space: false,
            at_edge: true,
            in_label: false,
            plain_ticks: None,
            emphases: 0,
            escapes_next: false,
        };
        rendering.run();
        if place.is_single_line && rendering.out[start..].contains(['\n', RAW_LINE_END]) {
            let line = out[start..].replace(['\n', RAW_LINE_END], " ");
            out.truncate(start);
            out.push_str(&line);
        }
    }

    /// Whether a delimiter has changed, which may affect how delimiters are paired.
    fn has_other_marks(&self, text: &str, marks: &[&'static str]) -> bool {
        let decorations = self.inline.decorations.iter().zip(marks);
        let mut changed =
            decorations.map(|(decoration, marks)| emphasis::written(text, decoration) != *marks);
        changed.any(|changed| changed)
    }

    fn has_same_decorations(&mut self, text: &str, printed: &str) -> bool {
        self.check.read(printed, self.labels);
        decorated_texts(text, &self.inline) == decorated_texts(printed, &self.check)
    }
}

/// The decorations with the letters and digits in them.
fn decorated_texts(text: &str, inline: &Inline) -> Vec<(Style, String)> {
    let letters = |range: std::ops::Range<usize>| {
        text[range]
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    inline
        .decorations
        .iter()
        .map(|decoration| (decoration.style, letters(decoration.content.clone())))
        .collect()
}

/// Whether the text consists only of words and line breaks with canonical spacing.
fn is_canonical_prose(text: &str) -> bool {
    let mut before = b'\n';
    for &byte in text.as_bytes() {
        let fits = match PROSE[byte as usize] {
            Prose::Word => true,
            Prose::Inside => before != b'\n',
            Prose::Space => before != b' ' && before != b'\n',
            Prose::Other => false,
        };
        if !fits {
            return false;
        }
        before = byte;
    }
    !matches!(before, b' ' | b'#')
}

#[derive(Clone, Copy)]
enum Prose {
    Word,
    /// Plain text only if it is not at the start of a line.
    Inside,
    Space,
    Other,
}

const PROSE: [Prose; 256] = {
    let mut prose = [Prose::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        prose[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Prose::Word,
            b'0'..=b'9' => Prose::Inside,
            b' ' | b'\n' => Prose::Space,
            b'!' | b'"' | b'#' | b'%' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b'-' | b'.'
            | b'/' | b':' | b';' | b'=' | b'>' | b'?' | b'@' | b'^' | b'{' | b'|' | b'}' => {
                Prose::Inside
            }
            _ => Prose::Other,
        };
        byte += 1;
    }
    prose
};
