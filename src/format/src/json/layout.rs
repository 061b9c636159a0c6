//! Prints the tokens of a JSON text.
//!
//! A container is printed on one line, except in these cases:
//!
//! - The author put a line break after the opening brace of an object.
//! - A part of it must be broken over lines.
//! - It is an array of several arrays or of several objects, each with several elements.
//! - It does not fit.
//!
//! A long array of numbers fills its lines. At most one blank line is kept between items. Printing
//! takes two passes over a flat list, regardless of depth.

use super::measure::{Lines, Measures, Piece, pieces};
use super::token::{Kind, Token};
use crate::doc::text_width;
use crate::printer::Variant;
use crate::{Language, Style};

/// The variant of JSON that prettier would choose for a file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// No commas after the last value.
    Json,
    /// A comma after the last value of a broken container.
    WithCommas,
    /// Like the output of `JSON.stringify`: every container is broken, without blank lines.
    Stringified,
}

/// Files whose readers accept a comma after the last value. Readers of other files may reject it.
const COMMA_EXTENSIONS: [&str; 5] = [
    "jsonc",
    "code-snippets",
    "code-workspace",
    "sublime-project",
    "sublime-settings",
];

impl Form {
    pub(super) fn of(variant: Variant<'_>) -> Self {
        let name = variant.path.rsplit('/').next().unwrap_or(variant.path);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_manifest = matches!(name, "package.json" | "package-lock.json" | "composer.json");
        match variant.language {
            Language::Json if is_manifest || extension == "importmap" => Self::Stringified,
            Language::Jsonc if COMMA_EXTENSIONS.contains(&extension) || !name.contains('.') => {
                Self::WithCommas
            }
            _ => Self::Json,
        }
    }
}

pub(super) fn print(text: &str, tokens: &[Token<'_>], style: Style, form: Form) -> String {
    let pieces = pieces(text, tokens);
    let measures = Measures::of(&pieces);
    let step = match style.tabs() {
        true => "\t".to_owned(),
        false => " ".repeat(style.indent_width(2).into()),
    };
    let mut printer = Printer {
        out: String::with_capacity(text.len() + text.len() / 8 + 1),
        column: 0,
        step,
        step_width: style.indent_width(2).into(),
        line_width: style.line_width().into(),
    };
    let mut frames: Vec<Frame> = Vec::new();
    let mut written = None;
    let mut in_value = false;
    // Whether the last token is a value, or a comment that belongs to it.
    let mut ends_value = false;
    for (index, piece) in pieces.iter().enumerate() {
        if piece.kind == Kind::Comma && !piece.is_hole {
            // The comma is already written after its value, before any line comment between them.
            written = written.map(|last| match last {
                Kind::LineComment => last,
                _ => Kind::Comma,
            });
            in_value = false;
            continue;
        }
        let frame = frames.last().copied().unwrap_or(Frame::ROOT);
        if piece.kind == Kind::Close {
            frames.pop();
        }
        match printer.space(&pieces, index, frame, written) {
            Space::None => {}
            Space::One => printer.write(" "),
            Space::Line { blank } => {
                let hanging = usize::from(in_value && piece.kind != Kind::Close);
                let blank = blank && form != Form::Stringified;
                printer.new_line(blank, frames.len() + hanging);
            }
        }
        let is_broken = frames.last().is_some_and(|frame| frame.is_broken);
        let has_comma = |next: Option<Kind>| {
            next == Some(Kind::Comma)
                || next == Some(Kind::Close) && is_broken && form == Form::WithCommas
        };
        if piece.kind == Kind::Open {
            let close = measures.close[index];
            let width =
                measures.flat_width(index, &pieces) + usize::from(has_comma(pieces[close].next));
            let must_break = measures.forced[index]
                || form == Form::Stringified
                || printer.column + width > printer.line_width;
            frames.push(Frame {
                is_broken: close > index + 1
                    && must_break
                    && !is_comment_in_line(&pieces, index, close),
                is_object: piece.text == "{",
                lines: measures.lines[index],
            });
        }
        printer.write(&piece.text);
        let is_value = match piece.kind {
            Kind::BlockComment => ends_value && piece.newlines == 0,
            Kind::Open | Kind::Colon | Kind::Comma | Kind::LineComment => false,
            _ => true,
        };
        let goes_on = pieces.get(index + 1).is_some_and(Piece::trails_value);
        if is_value && !goes_on && has_comma(piece.next) {
            printer.write(",");
        }
        ends_value = is_value;
        in_value = piece.kind == Kind::Colon || (in_value && piece.is_comment());
        written = Some(piece.kind);
    }
    printer.out.push('\n');
    printer.out
}

/// Whether a container has only a block comment on its line: `[/* none */]`.
fn is_comment_in_line(pieces: &[Piece<'_>], open: usize, close: usize) -> bool {
    let inside = &pieces[open + 1..close];
    matches!(inside, [comment] if comment.kind == Kind::BlockComment && comment.newlines == 0)
        && pieces[open].text == "["
}

/// The container that is being printed.
#[derive(Clone, Copy)]
struct Frame {
    is_broken: bool,
    is_object: bool,
    lines: Lines,
}

impl Frame {
    const ROOT: Self = Self {
        is_broken: true,
        is_object: false,
        lines: Lines::Each,
    };
}

enum Space {
    None,
    One,
    Line { blank: bool },
}

/// Whether only comments are between a comment and the end of its line.
fn ends_line(pieces: &[Piece<'_>], comment: usize) -> bool {
    pieces[comment..]
        .iter()
        .zip(pieces[comment + 1..].iter().map(Some).chain([None]))
        .find_map(|(piece, next)| match next {
            _ if piece.kind == Kind::LineComment => Some(true),
            None => Some(true),
            Some(next) if next.newlines > 0 || next.kind == Kind::Close => Some(true),
            Some(next) if next.is_comment() => None,
            Some(_) => Some(false),
        })
        .unwrap_or(true)
}

struct Printer {
    out: String,
    column: usize,
    step: String,
    step_width: usize,
    line_width: usize,
}

impl Printer {
    /// The space between the last written token and the one at `index`.
    fn space(
        &self,
        pieces: &[Piece<'_>],
        index: usize,
        frame: Frame,
        written: Option<Kind>,
    ) -> Space {
        let piece = &pieces[index];
        let line = Space::Line {
            blank: piece.newlines > 1,
        };
        let padding = match frame.is_object {
            true => Space::One,
            false => Space::None,
        };
        let trails = piece.is_comment() && piece.newlines == 0 && ends_line(pieces, index);
        match (piece.kind, written) {
            (_, None) => Space::None,
            (Kind::Colon, Some(last)) if last != Kind::LineComment => Space::None,
            (Kind::Close, Some(Kind::Open)) => Space::None,
            (Kind::Close, _) if frame.is_broken => Space::Line { blank: false },
            (Kind::Close, _) => padding,
            (_, Some(Kind::LineComment)) => line,
            (_, Some(Kind::Colon)) if piece.is_comment() && piece.newlines > 0 => line,
            (_, Some(Kind::Colon)) => Space::One,
            (_, Some(Kind::Open)) if !frame.is_broken => padding,
            (_, Some(Kind::Open | Kind::Comma)) if trails => Space::One,
            (_, Some(Kind::Open)) => Space::Line { blank: false },
            (_, Some(Kind::Comma)) if frame.is_broken => {
                let fills = frame.lines == Lines::Filled
                    && piece.newlines < 2
                    && !(piece.is_comment() && piece.newlines > 0);
                if fills && self.has_room(pieces, index) {
                    Space::One
                } else {
                    line
                }
            }
            _ if piece.newlines > 0 && frame.is_broken => line,
            _ => Space::One,
        }
    }

    /// Whether the comments and the number from `index` on fit on the line.
    fn has_room(&self, pieces: &[Piece<'_>], index: usize) -> bool {
        let mut column = self.column;
        for piece in &pieces[index..] {
            column += 1 + text_width(&piece.text);
            if !piece.is_comment() {
                column += usize::from(piece.next == Some(Kind::Comma));
                return column <= self.line_width;
            }
            if column > self.line_width {
                return false;
            }
        }
        true
    }

    fn write(&mut self, text: &str) {
        match text.rsplit_once('\n') {
            Some((_, last_line)) => self.column = text_width(last_line),
            None => self.column += text_width(text),
        }
        self.out.push_str(text);
    }

    fn new_line(&mut self, blank: bool, depth: usize) {
        self.out.push_str(if blank { "\n\n" } else { "\n" });
        for _ in 0..depth {
            self.out.push_str(&self.step);
        }
        self.column = depth * self.step_width;
    }
}
