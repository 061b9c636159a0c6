//! The layout engine: a text with optional breaks, fitted into lines.

use std::borrow::Cow;

/// The maximum line width, if the text allows it.
pub(super) const WIDTH: usize = 80;
const INDENT: usize = 2;

#[derive(Clone, Debug)]
enum Piece<'a> {
    Text(Cow<'a, str>),
    /// A space, or a newline if the enclosing group is broken.
    Line,
    /// Nothing, or a newline if the enclosing group is broken.
    SoftLine,
    /// Always a newline.
    HardLine,
    /// A newline after an empty line.
    BlankLine,
    /// Text that is printed only if the enclosing group is broken.
    IfBroken(&'static str),
    Open,
    Close,
    Indent,
    Dedent,
}

/// A document under construction. A group stays on one line if it fits.
#[derive(Clone, Debug, Default)]
pub(super) struct Doc<'a> {
    pieces: Vec<Piece<'a>>,
}

impl<'a> Doc<'a> {
    pub fn text(&mut self, text: impl Into<Cow<'a, str>>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    pub fn line(&mut self) {
        self.pieces.push(Piece::Line);
    }

    pub fn soft_line(&mut self) {
        self.pieces.push(Piece::SoftLine);
    }

    pub fn hard_line(&mut self) {
        self.pieces.push(Piece::HardLine);
    }

    pub fn blank_line(&mut self) {
        self.pieces.push(Piece::BlankLine);
    }

    pub fn if_broken(&mut self, text: &'static str) {
        self.pieces.push(Piece::IfBroken(text));
    }

    pub fn open(&mut self) {
        self.pieces.push(Piece::Open);
    }

    pub fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    pub fn indent(&mut self) {
        self.pieces.push(Piece::Indent);
    }

    pub fn dedent(&mut self) {
        self.pieces.push(Piece::Dedent);
    }

    /// The last piece, ignoring groups and indentation.
    fn last(&self) -> Option<&Piece<'a>> {
        self.pieces.iter().rev().find(|piece| {
            !matches!(
                piece,
                Piece::Open | Piece::Close | Piece::Indent | Piece::Dedent
            )
        })
    }

    /// Whether the last piece is a line break.
    pub fn at_line_start(&self) -> bool {
        matches!(self.last(), None | Some(Piece::HardLine | Piece::BlankLine))
    }

    /// Adds a newline, unless the last piece may be one.
    pub fn break_line(&mut self) {
        if !matches!(
            self.last(),
            None | Some(Piece::HardLine | Piece::BlankLine | Piece::Line | Piece::SoftLine)
        ) {
            self.hard_line();
        }
    }

    /// Adds a space, if the text before it needs one.
    pub fn space(&mut self) {
        let is_due = match self.last() {
            Some(Piece::Text(text)) => !text.ends_with([' ', '(', '[']),
            Some(Piece::IfBroken(_)) => true,
            _ => false,
        };
        if is_due {
            self.text(" ");
        }
    }

    pub fn render(&self) -> String {
        let widths = self.group_widths();
        let rests = self.rests();
        let mut out = Output::default();
        let mut broken = vec![true];
        for (at, piece) in self.pieces.iter().enumerate() {
            let is_broken = broken.last().copied().unwrap_or(true);
            match piece {
                Piece::Text(text) => out.write(text),
                Piece::Line if !is_broken => out.write(" "),
                Piece::SoftLine if !is_broken => {}
                Piece::Line | Piece::SoftLine | Piece::HardLine => out.new_line(),
                Piece::BlankLine => {
                    out.new_line();
                    out.blank = true;
                }
                Piece::IfBroken(text) if is_broken => out.write(text),
                Piece::IfBroken(_) => {}
                Piece::Open => {
                    let width = widths.get(at).copied().flatten();
                    let rest = rests.get(at).copied().unwrap_or_default();
                    let fits = width.is_some_and(|it| out.column() + it + rest <= WIDTH);
                    broken.push(!fits);
                }
                Piece::Close => {
                    broken.pop();
                }
                Piece::Indent => out.indent += INDENT,
                Piece::Dedent => out.indent = out.indent.saturating_sub(INDENT),
            }
        }
        out.finish()
    }

    /// The width of each group on one line, at its opening; `None` if it must be broken.
    fn group_widths(&self) -> Vec<Option<usize>> {
        let mut widths = vec![None; self.pieces.len()];
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let width = match piece {
                Piece::Open => {
                    open.push((at, Some(0)));
                    continue;
                }
                Piece::Close => {
                    let Some((start, width)) = open.pop() else {
                        continue;
                    };
                    if let Some(slot) = widths.get_mut(start) {
                        *slot = width;
                    }
                    width
                }
                Piece::Text(text) if text.contains('\n') => None,
                Piece::Text(text) => Some(text.chars().count()),
                Piece::Line => Some(1),
                Piece::HardLine | Piece::BlankLine => None,
                Piece::SoftLine | Piece::IfBroken(_) | Piece::Indent | Piece::Dedent => Some(0),
            };
            if let Some((_, sum)) = open.last_mut() {
                *sum = sum.zip(width).map(|(sum, width)| sum + width);
            }
        }
        widths
    }

    /// For each opening, the width of the text after the group up to the next possible break.
    fn rests(&self) -> Vec<usize> {
        let mut rests = vec![0; self.pieces.len()];
        let mut rest = 0;
        let mut after: Vec<usize> = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate().rev() {
            match piece {
                Piece::Text(text) => {
                    let first = text.split('\n').next().unwrap_or_default();
                    let whole = if text.contains('\n') { 0 } else { rest };
                    rest = first.chars().count() + whole;
                }
                Piece::Line | Piece::SoftLine | Piece::HardLine | Piece::BlankLine => rest = 0,
                Piece::Close => after.push(rest),
                Piece::Open => {
                    if let Some(slot) = rests.get_mut(at) {
                        *slot = after.pop().unwrap_or_default();
                    }
                }
                Piece::IfBroken(_) | Piece::Indent | Piece::Dedent => {}
            }
        }
        rests
    }
}

#[derive(Default)]
struct Output {
    text: String,
    column: usize,
    indent: usize,
    /// Whether a newline is due before the next text. It is indented like that text.
    due: bool,
    blank: bool,
}

impl Output {
    fn column(&self) -> usize {
        if self.due { self.indent } else { self.column }
    }

    fn new_line(&mut self) {
        self.due = true;
    }

    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.due {
            self.trim();
            if !self.text.is_empty() {
                self.text.push('\n');
                if self.blank {
                    self.text.push('\n');
                }
            }
            self.text.extend(std::iter::repeat_n(' ', self.indent));
            self.column = self.indent;
            self.due = false;
            self.blank = false;
        }
        self.text.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text.get(at + 1..).unwrap_or_default().chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn trim(&mut self) {
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
    }

    fn finish(mut self) -> String {
        self.trim();
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text
    }
}
