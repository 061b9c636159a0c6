//! Prints the tokens of a JSON text.
//!
//! A container is printed on one line, with three exceptions: the author put a line break after its
//! opening bracket, something inside must be broken over lines, or it does not fit. Strings,
//! numbers and comments stay as written. At most one blank line is kept between items. Printing
//! takes two passes over a flat list, regardless of depth.

use jsonc_parser::tokens::Token as Scanned;

use crate::Style;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    Scalar,
    LineComment,
    BlockComment,
}

/// One token with its source text.
pub(super) struct Token<'t> {
    kind: Kind,
    text: &'t str,
    /// The number of line breaks between the previous token and this one.
    newlines: usize,
}

impl<'t> Token<'t> {
    pub(super) fn new(scanned: &Scanned<'_>, text: &'t str, space_before: &str) -> Self {
        let kind = match scanned {
            Scanned::OpenBrace | Scanned::OpenBracket => Kind::Open,
            Scanned::CloseBrace | Scanned::CloseBracket => Kind::Close,
            Scanned::Comma => Kind::Comma,
            Scanned::Colon => Kind::Colon,
            Scanned::CommentLine(_) => Kind::LineComment,
            Scanned::CommentBlock(_) => Kind::BlockComment,
            Scanned::String(_)
            | Scanned::Word(_)
            | Scanned::Boolean(_)
            | Scanned::Number(_)
            | Scanned::Null => Kind::Scalar,
        };
        Self {
            kind,
            text: text.trim_end_matches('\r'),
            newlines: memchr::memchr_iter(b'\n', space_before.as_bytes()).count(),
        }
    }

    fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// Information about each token, computed before printing.
struct TokenInfo {
    /// For an opening bracket, whether its container must be broken over lines.
    forced: Vec<bool>,
    /// The column after each token if everything were printed on one line.
    flat_end: Vec<usize>,
    /// For an opening bracket, the index of its closing bracket.
    close: Vec<usize>,
}

impl TokenInfo {
    fn of(tokens: &[Token<'_>]) -> Self {
        let mut info = Self {
            forced: vec![false; tokens.len()],
            flat_end: Vec::with_capacity(tokens.len()),
            close: vec![0; tokens.len()],
        };
        let mut open: Vec<usize> = Vec::new();
        let mut column = 0;
        for (index, token) in tokens.iter().enumerate() {
            let parent = open.last().copied();
            if let Some(parent) = parent {
                let first = index == parent + 1 && token.kind != Kind::Close;
                info.forced[parent] |= token.kind == Kind::LineComment
                    || token.text.contains('\n')
                    || (first && token.newlines > 0);
            }
            column += flat_space(tokens, index, parent) + width(token.text);
            match token.kind {
                Kind::Open => open.push(index),
                Kind::Close => {
                    if let Some(opened) = open.pop() {
                        info.close[opened] = index;
                        if let Some(&outer) = open.last() {
                            info.forced[outer] |= info.forced[opened];
                        }
                    }
                }
                _ => {}
            }
            info.flat_end.push(column);
        }
        info
    }

    /// The width of a container on one line, from its opening to its closing bracket.
    fn flat_width(&self, open: usize, text: &str) -> usize {
        self.flat_end[self.close[open]] + width(text) - self.flat_end[open]
    }
}

/// The width of the space before a token in a container that is printed on one line.
fn flat_space(tokens: &[Token<'_>], index: usize, parent: Option<usize>) -> usize {
    let previous = index.checked_sub(1).map(|before| &tokens[before]);
    let in_object = parent.is_some_and(|open| tokens[open].text == "{");
    let opened = previous.is_some_and(|token| token.kind == Kind::Open);
    match (tokens[index].kind, opened) {
        (Kind::Close, true) | (Kind::Comma | Kind::Colon, _) => 0,
        (Kind::Close, false) | (_, true) => usize::from(in_object),
        _ => usize::from(previous.is_some()),
    }
}

fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

pub(super) fn print(tokens: &[Token<'_>], style: Style) -> String {
    let info = TokenInfo::of(tokens);
    let mut printer = Printer {
        out: String::new(),
        column: 0,
        step: if style.tabs() {
            "\t".to_owned()
        } else {
            " ".repeat(style.indent_width(2).into())
        },
        step_width: style.indent_width(2).into(),
        line_width: style.line_width().into(),
    };
    let mut frames: Vec<Frame> = Vec::new();
    let mut written = None;
    let mut in_value = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == Kind::Comma {
            // The comma is already written directly after its value, before any comment between
            // them.
            written = written.map(|last| {
                if last == Kind::LineComment {
                    last
                } else {
                    Kind::Comma
                }
            });
            in_value = false;
            continue;
        }
        let frame = frames.last().copied().unwrap_or(Frame::ROOT);
        if token.kind == Kind::Close {
            frames.pop();
        }
        match space(tokens, index, frame, written) {
            Space::None => {}
            Space::One => printer.write(" "),
            Space::Line { blank } => {
                let hanging = usize::from(in_value && token.kind != Kind::Close);
                printer.new_line(blank, frames.len() + hanging);
            }
        }
        let comma = followed_by_comma(tokens, index);
        if token.kind == Kind::Open {
            let flat = info.flat_width(index, token.text);
            let comma = usize::from(followed_by_comma(tokens, info.close[index]));
            let fits = printer.column + flat + comma <= printer.line_width;
            frames.push(Frame {
                broken: info.close[index] > index + 1 && (info.forced[index] || !fits),
                object: token.text == "{",
            });
        }
        printer.write(token.text);
        let ends_value = matches!(token.kind, Kind::Scalar | Kind::Close);
        let broken = frames.last().is_some_and(|frame| frame.broken);
        if ends_value && comma && (broken || !is_last(tokens, index)) {
            printer.write(",");
        }
        in_value = token.kind == Kind::Colon || (in_value && token.is_comment());
        written = Some(token.kind);
    }
    printer.out.push('\n');
    printer.out
}

/// The container that is being printed.
#[derive(Clone, Copy)]
struct Frame {
    broken: bool,
    object: bool,
}

impl Frame {
    const ROOT: Self = Self {
        broken: true,
        object: false,
    };
}

enum Space {
    None,
    One,
    Line { blank: bool },
}

/// The space between the last written token and the token at `index`.
fn space(tokens: &[Token<'_>], index: usize, frame: Frame, written: Option<Kind>) -> Space {
    let token = &tokens[index];
    let line = Space::Line {
        blank: token.newlines > 1,
    };
    let padding = if frame.object {
        Space::One
    } else {
        Space::None
    };
    let trails = token.is_comment() && token.newlines == 0 && ends_line(tokens, index);
    match (token.kind, written) {
        (_, None) | (Kind::Colon, Some(Kind::Scalar | Kind::BlockComment)) => Space::None,
        (Kind::Close, Some(Kind::Open)) => Space::None,
        (Kind::Close, _) if frame.broken => Space::Line { blank: false },
        (Kind::Close, _) => padding,
        (_, Some(Kind::LineComment)) => line,
        (_, Some(Kind::Colon)) if token.is_comment() && token.newlines > 0 => line,
        (_, Some(Kind::Colon)) => Space::One,
        (_, Some(Kind::Open)) if !frame.broken => padding,
        (_, Some(Kind::Open | Kind::Comma)) if trails => Space::One,
        (_, Some(Kind::Open)) => Space::Line { blank: false },
        (_, Some(Kind::Comma)) if frame.broken => line,
        _ if token.newlines > 0 && frame.broken => line,
        _ => Space::One,
    }
}

/// Whether only comments are between a comment and the end of its line.
fn ends_line(tokens: &[Token<'_>], comment: usize) -> bool {
    tokens[comment..]
        .iter()
        .zip(tokens[comment + 1..].iter().map(Some).chain([None]))
        .find_map(|(token, next)| match next {
            _ if token.kind == Kind::LineComment => Some(true),
            None => Some(true),
            Some(next) if next.newlines > 0 || next.kind == Kind::Close => Some(true),
            Some(next) if next.is_comment() => None,
            Some(_) => Some(false),
        })
        .unwrap_or(true)
}

/// Whether the next token that is not a comment is a comma.
fn followed_by_comma(tokens: &[Token<'_>], index: usize) -> bool {
    let mut rest = tokens[index + 1..]
        .iter()
        .filter(|token| !token.is_comment());
    rest.next().is_some_and(|next| next.kind == Kind::Comma)
}

/// Whether only comments and a comma are between this value and its closing bracket.
fn is_last(tokens: &[Token<'_>], index: usize) -> bool {
    tokens[index + 1..]
        .iter()
        .find(|token| !token.is_comment() && token.kind != Kind::Comma)
        .is_none_or(|next| next.kind == Kind::Close)
}

struct Printer {
    out: String,
    column: usize,
    step: String,
    step_width: usize,
    line_width: usize,
}

impl Printer {
    fn write(&mut self, text: &str) {
        match text.rsplit_once('\n') {
            Some((_, last_line)) => self.column = width(last_line),
            None => self.column += width(text),
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
