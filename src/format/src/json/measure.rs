//! What is known about the containers of a text before it is printed.

use std::borrow::Cow;

use super::literal;
use super::token::{Kind, Token};
use crate::doc::text_width;

/// One token as it is printed.
pub(super) struct Piece<'t> {
    pub(super) kind: Kind,
    pub(super) text: Cow<'t, str>,
    /// The number of line breaks between the previous token and this one.
    pub(super) newlines: usize,
    /// The next token that is not a comment.
    pub(super) next: Option<Kind>,
    /// Whether a comma follows no value, so that it is an empty element.
    pub(super) is_hole: bool,
}

impl Piece<'_> {
    /// Whether it is a block comment on the line of the value before it.
    pub(super) fn trails_value(&self) -> bool {
        self.kind == Kind::BlockComment && self.newlines == 0
    }

    pub(super) fn is_comment(&self) -> bool {
        self.kind.is_comment()
    }
}

/// The tokens of a text as they are printed, without a comma after the last value of a container.
pub(super) fn pieces<'t>(text: &'t str, tokens: &[Token<'t>]) -> Vec<Piece<'t>> {
    let mut next = None;
    let mut nexts: Vec<_> = tokens
        .iter()
        .rev()
        .map(|token| {
            let after = next;
            if !token.kind.is_comment() {
                next = Some(token.kind);
            }
            after
        })
        .collect();
    nexts.reverse();
    let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(tokens.len());
    let (mut end, mut newlines) = (0, 0);
    let mut before = None;
    for (index, (token, next)) in tokens.iter().zip(nexts).enumerate() {
        let space = &text.as_bytes()[end..token.start];
        newlines += memchr::memchr_iter(b'\n', space).count();
        end = token.start + token.text.len();
        let is_comma = token.kind == Kind::Comma;
        let is_hole = is_comma && matches!(before, Some(Kind::Comma | Kind::Open));
        if !token.kind.is_comment() {
            before = Some(token.kind);
        }
        if is_comma && !is_hole && next == Some(Kind::Close) {
            continue;
        }
        let is_key = next == Some(Kind::Colon) && !token.kind.is_comment();
        let printed = if is_key {
            literal::key(token)
        } else {
            literal::value(token)
        };
        let after = tokens
            .get(index + 1)
            .map_or(text.len(), |token| token.start);
        let ends_line = text[end..after].contains('\n');
        let piece = Piece {
            kind: token.kind,
            text: printed,
            newlines,
            next,
            is_hole,
        };
        // A block comment between a comma and the end of the line belongs to the value before them.
        let comma = pieces.pop_if(|comma| {
            let is_comment = piece.kind == Kind::BlockComment && newlines == 0;
            is_comment && ends_line && comma.kind == Kind::Comma && !comma.is_hole
        });
        match comma {
            Some(comma) => {
                let next = Some(Kind::Comma);
                pieces.extend([Piece { next, ..piece }, comma]);
            }
            None => pieces.push(piece),
        }
        newlines = 0;
    }
    // The comma that was left out is not the next token of the last value.
    let mut closes = false;
    for piece in pieces.iter_mut().rev() {
        if closes && piece.next == Some(Kind::Comma) {
            piece.next = Some(Kind::Close);
        }
        if !piece.is_comment() {
            closes = piece.kind == Kind::Close;
        }
    }
    pieces
}

/// How the elements of a container are printed over several lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    /// One element a line.
    Each,
    /// As many elements as fit.
    Filled,
}

pub(super) struct Measures {
    /// For an opening bracket, whether its container must be broken over lines.
    pub(super) forced: Vec<bool>,
    /// For an opening bracket, how its container is broken.
    pub(super) lines: Vec<Lines>,
    /// For an opening bracket, the index of its closing bracket.
    pub(super) close: Vec<usize>,
    /// The column after each token if everything were printed on one line.
    flat_end: Vec<usize>,
}

/// A container that is still open.
struct Open {
    index: usize,
    is_object: bool,
    /// Whether only comments followed its bracket so far.
    at_start: bool,
    elements: usize,
    are_numbers: bool,
    /// Whether a blank line is between two elements.
    has_blank_line: bool,
    /// Whether the elements are containers of one kind with several elements each, and which kind.
    rows: Option<bool>,
    are_rows: bool,
}

impl Measures {
    pub(super) fn of(pieces: &[Piece<'_>]) -> Self {
        let mut measures = Self {
            forced: vec![false; pieces.len()],
            lines: vec![Lines::Each; pieces.len()],
            close: vec![0; pieces.len()],
            flat_end: Vec::with_capacity(pieces.len()),
        };
        let mut open: Vec<Open> = Vec::new();
        let mut column = 0;
        for (index, piece) in pieces.iter().enumerate() {
            let in_object = open.last().is_some_and(|open| open.is_object);
            column += flat_space(pieces, index, in_object) + text_width(&piece.text);
            measures.flat_end.push(column);
            if let Some(parent) = open.last_mut() {
                measures.forced[parent.index] |= piece.kind == Kind::LineComment
                    || piece.text.contains('\n')
                    || parent.at_start
                        && in_object
                        && piece.newlines > 0
                        && piece.kind != Kind::Close;
                parent.has_blank_line |=
                    piece.newlines > 1 && !parent.at_start && piece.kind != Kind::Close;
                parent.at_start &= piece.is_comment();
            }
            match piece.kind {
                Kind::Open => open.push(Open {
                    index,
                    is_object: piece.text == "{",
                    at_start: true,
                    elements: 0,
                    are_numbers: true,
                    has_blank_line: false,
                    rows: None,
                    are_rows: true,
                }),
                Kind::Close => measures.close(&mut open, index),
                _ => {
                    if let Some(parent) = open.last_mut() {
                        parent.add(piece);
                    }
                }
            }
        }
        measures
    }

    fn close(&mut self, open: &mut Vec<Open>, index: usize) {
        let Some(closed) = open.pop() else {
            return;
        };
        self.close[closed.index] = index;
        if !closed.is_object && closed.elements > 1 {
            self.forced[closed.index] |= closed.are_rows;
            if closed.are_numbers {
                self.forced[closed.index] |= closed.has_blank_line;
                self.lines[closed.index] = Lines::Filled;
            }
        }
        if let Some(parent) = open.last_mut() {
            self.forced[parent.index] |= self.forced[closed.index];
            parent.add_container(&closed);
        }
    }

    /// The width of a container on one line, from its opening to its closing bracket, with the block
    /// comments after it.
    pub(super) fn flat_width(&self, open: usize, pieces: &[Piece<'_>]) -> usize {
        let after = &pieces[self.close[open] + 1..];
        let comments = after.iter().take_while(|piece| piece.trails_value());
        self.flat_end[self.close[open] + comments.count()] - self.flat_end[open] + 1
    }
}

impl Open {
    fn add(&mut self, piece: &Piece<'_>) {
        match piece.kind {
            Kind::LineComment => self.are_numbers &= piece.newlines > 0,
            Kind::BlockComment | Kind::Open | Kind::Close => {}
            Kind::Comma if !piece.is_hole => {}
            // The members of an object are counted by their colons.
            Kind::Colon => self.elements += 1,
            kind => {
                self.elements += usize::from(!self.is_object);
                self.are_numbers &= kind == Kind::Number;
                self.are_rows = false;
            }
        }
    }

    fn add_container(&mut self, element: &Open) {
        self.elements += usize::from(!self.is_object);
        self.are_numbers = false;
        let kind = self.rows.get_or_insert(element.is_object);
        self.are_rows &= element.elements > 1 && *kind == element.is_object;
    }
}

/// The width of the space before a token in a container that is printed on one line.
fn flat_space(pieces: &[Piece<'_>], index: usize, in_object: bool) -> usize {
    let previous = index.checked_sub(1).map(|before| &pieces[before]);
    let opened = previous.is_some_and(|piece| piece.kind == Kind::Open);
    match (pieces[index].kind, opened) {
        (Kind::Close, true) | (Kind::Colon, _) => 0,
        (Kind::Comma, _) if !pieces[index].is_hole => 0,
        (Kind::Close, false) | (_, true) => usize::from(in_object),
        _ => usize::from(previous.is_some()),
    }
}
