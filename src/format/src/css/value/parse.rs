//! Builds the groups of a value.

use super::lexer::{Kind as Lexeme, Token, tokens};
use super::{Kind, List, Value};
use crate::css::dialect::Dialect;

/// The parts of `text`; `None` if it is printed as it is.
pub(in crate::css) fn parse(text: &str, dialect: Dialect) -> Option<Value<'_>> {
    // JavaScript in Less.
    if dialect == Dialect::Less && text.starts_with("~`") {
        return None;
    }
    let mut parser = Parser {
        text,
        dialect,
        tokens: tokens(text)?,
        at: 0,
        frames: vec![Frame::default()],
        is_spaced: false,
        last: Last::Nothing,
    };
    while let Some(token) = parser.token(0) {
        parser.part(token)?;
    }
    let root = parser.frames.pop().filter(|_| parser.frames.is_empty())?;
    Some(flat(root.into_list(false, 0..text.len(), text)))
}

/// What precedes a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Operator,
    /// The name of a function, before its parenthesis.
    Name,
    Other,
}

/// A parenthesis that is open, or the value.
#[derive(Default)]
struct Frame<'a> {
    function: Option<Value<'a>>,
    open: usize,
    items: Vec<Value<'a>>,
    sequence: Vec<Value<'a>>,
}

impl<'a> Frame<'a> {
    fn end_item(&mut self) {
        let parts = std::mem::take(&mut self.sequence);
        let start = parts.first().map_or(0, |part| part.start);
        let end = parts.last().map_or(0, |part| part.end);
        self.items.push(group(Kind::Sequence(parts), start..end));
    }

    fn into_list(
        mut self,
        is_closed: bool,
        range: std::ops::Range<usize>,
        text: &'a str,
    ) -> Value<'a> {
        if !self.sequence.is_empty() {
            self.end_item();
        }
        let items = self.items.into_iter().map(flat).collect();
        let mut list = group(Kind::List(List { items, is_closed }), range.clone());
        list.text = &text[range];
        list
    }
}

fn group(kind: Kind<'_>, range: std::ops::Range<usize>) -> Value<'_> {
    Value {
        kind,
        text: "",
        start: range.start,
        end: range.end,
        is_joined: false,
    }
}

/// A group of one part is that part.
fn flat(value: Value<'_>) -> Value<'_> {
    match value.kind {
        Kind::Sequence(mut parts) if parts.len() == 1 => parts.swap_remove(0),
        Kind::List(List {
            mut items,
            is_closed: false,
        }) if items.len() == 1 => items.swap_remove(0),
        _ => value,
    }
}

struct Parser<'a> {
    text: &'a str,
    dialect: Dialect,
    tokens: Vec<Token>,
    at: usize,
    frames: Vec<Frame<'a>>,
    is_spaced: bool,
    last: Last,
}

impl<'a> Parser<'a> {
    fn token(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn next_is(&self, kind: Lexeme) -> bool {
        self.token(1).is_some_and(|token| token.kind == kind)
    }

    fn source(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    fn part(&mut self, token: Token) -> Option<()> {
        let source = self.source(token);
        let kind = match token.kind {
            Lexeme::Space => {
                self.is_spaced = !self.next_is(Lexeme::Close);
                self.at += 1;
                return Some(());
            }
            Lexeme::Open => {
                self.open(token);
                return Some(());
            }
            Lexeme::Close => return self.close(token),
            Lexeme::Comma => {
                self.comma()?;
                return Some(());
            }
            Lexeme::Operator => {
                let is_sign = matches!(source, "+" | "-")
                    && matches!(self.last, Last::Nothing | Last::Operator)
                    && self.next_is(Lexeme::Word);
                if is_sign {
                    return self.word();
                }
                Kind::Operator
            }
            Lexeme::Word | Lexeme::AtWord | Lexeme::Mark => return self.word(),
            Lexeme::Colon => Kind::Colon,
            Lexeme::String => Kind::String,
            Lexeme::Comment => Kind::Comment {
                is_line: source.starts_with("//"),
            },
            Lexeme::UnicodeRange => Kind::UnicodeRange,
        };
        let last = if matches!(kind, Kind::Operator) {
            Last::Operator
        } else {
            Last::Other
        };
        self.push(kind, token.start..token.end, source);
        self.last = last;
        self.at += 1;
        Some(())
    }

    fn push(&mut self, kind: Kind<'a>, range: std::ops::Range<usize>, text: &'a str) {
        let is_joined = !std::mem::take(&mut self.is_spaced);
        if let Some(frame) = self.frames.last_mut() {
            frame.sequence.push(Value {
                kind,
                text,
                start: range.start,
                end: range.end,
                is_joined,
            });
        }
    }

    fn open(&mut self, token: Token) {
        self.is_spaced = false;
        let function = match self.frames.last_mut() {
            Some(frame) if self.last == Last::Name => frame.sequence.pop(),
            _ => None,
        };
        self.frames.push(Frame {
            function,
            open: token.start,
            ..Frame::default()
        });
        self.last = Last::Other;
        self.at += 1;
    }

    fn close(&mut self, token: Token) -> Option<()> {
        let mut frame = self.frames.pop()?;
        let parent = self.frames.last_mut()?;
        let function = frame.function.take();
        let range = frame.open..token.end;
        let list = frame.into_list(true, range, self.text);
        parent.sequence.push(match function {
            Some(name) => function_of(name, list, self.dialect),
            None => list,
        });
        self.is_spaced = false;
        self.last = Last::Other;
        self.at += 1;
        Some(())
    }

    fn comma(&mut self) -> Option<()> {
        self.is_spaced = false;
        self.last = Last::Other;
        self.at += 1;
        let frame = self.frames.last_mut()?;
        // A comma before a comment at the end separates nothing.
        let mut rest = self.tokens[self.at..]
            .iter()
            .filter(|token| token.kind != Lexeme::Space)
            .map(|token| token.kind);
        let is_end = rest.next() == Some(Lexeme::Comment) && rest.next() == Some(Lexeme::Close);
        if is_end && (frame.function.is_some() || rest.next().is_none()) {
            return Some(());
        }
        frame.end_item();
        Some(())
    }

    /// A word with the words directly after it, separated at every `@`.
    fn word(&mut self) -> Option<()> {
        let first = self.token(0)?;
        let mut last = first;
        let begins_with_mark = first.kind == Lexeme::Mark
            || matches!(self.source(first).as_bytes(), [b'#', next, ..] if !next.is_ascii_alphanumeric());
        self.at += 1;
        while !begins_with_mark
            && let Some(token) = self.token(0)
            && token.kind == Lexeme::Word
        {
            last = token;
            self.at += 1;
        }
        let is_before_parenthesis = self
            .token(0)
            .is_some_and(|token| token.kind == Lexeme::Open);
        let is_number = number_length(self.source(last)) > 0;
        let source = &self.text[first.start..last.end];
        let mut start = 0;
        while start < source.len() {
            let mut rest = source[start..].char_indices().skip(1);
            let end = rest.find(|(_, char)| *char == '@');
            let end = end.map_or(source.len(), |(at, _)| start + at);
            let text = &source[start..end];
            let range = first.start + start..first.start + end;
            self.last = Last::Other;
            if let Some(name) = text.strip_prefix('@') {
                self.push(Kind::AtWord, range, name);
            } else if is_number {
                let (number, unit) = self.number(text);
                self.push(Kind::Number { unit }, range, number);
            } else {
                if is_before_parenthesis && end == source.len() {
                    self.last = Last::Name;
                }
                self.push(Kind::Word, range, text);
            }
            start = end;
        }
        Some(())
    }

    fn number(&self, text: &'a str) -> (&'a str, &'a str) {
        let (number, unit) = text.split_at(number_length(text));
        match number.strip_suffix('.') {
            // The three points of an argument list.
            Some(short) if self.dialect == Dialect::Scss && unit == ".." => {
                text.split_at(short.len())
            }
            _ => (number, unit),
        }
    }
}

fn function_of<'a>(mut name: Value<'a>, mut list: Value<'a>, dialect: Dialect) -> Value<'a> {
    let is_raw = match name.text {
        "selector" => true,
        "url" => list
            .list()
            .is_some_and(|list| is_raw_url(&list.items, dialect)),
        _ => false,
    };
    if is_raw {
        let inner = list.text[1..list.text.len() - 1].trim();
        let start = list.start + 1;
        let mut item = group(Kind::Raw, start..start + inner.len());
        item.text = inner;
        list.kind = Kind::List(List {
            items: vec![item],
            is_closed: true,
        });
    }
    name.end = list.end;
    name.kind = Kind::Function(Box::new(list));
    name
}

/// Whether the argument of `url()` is printed as it is.
fn is_raw_url(items: &[Value<'_>], dialect: Dialect) -> bool {
    let mut parts: Vec<&Value<'_>> = Vec::new();
    for item in items {
        match item.sequence() {
            Some(inner) => parts.extend(inner),
            None => parts.push(item),
        }
    }
    let has_interpolation = parts.windows(2).any(|pair| {
        pair[1].is_word("{") && matches!(pair[0].kind, Kind::Word) && pair[0].text.ends_with('#')
    });
    let has_string = parts.iter().any(|part| match part.kind {
        Kind::String => true,
        Kind::Function(_) => !part.text.ends_with('\\'),
        _ => false,
    });
    let is_variable = dialect == Dialect::Scss
        && parts
            .first()
            .is_some_and(|part| matches!(part.kind, Kind::Word) && part.text.starts_with('$'));
    has_interpolation || !has_string && !is_variable
}

/// The length of the number at the start of `text`.
pub(super) fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default().iter();
        rest.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let is_sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let start = is_sign(0);
    let whole = digits(start);
    let mut end = start + whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return 0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = is_sign(end + 1);
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}
