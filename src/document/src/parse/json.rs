//! Parses JSON with and without comments, with the same grammar as jsonc-parser.
//!
//! Building the tree of jsonc-parser only to copy it would be wasteful, since an edit parses the
//! document twice. So this module tokenizes the text itself. It uses jsonc-parser's scanner for
//! rare tokens, and its parser for error messages.

use std::borrow::Cow;

use fixpoint_text::Span;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::Token as Scanned;
use jsonc_parser::{CollectOptions, ParseOptions, Scanner, ScannerOptions, parse_to_ast};

use super::event::{Event, Events};
use super::{Builder, Parsed};
use crate::format::Format;
use crate::tree::{Content, Details, MAX_DEPTH, Member, NodeId, Object, ParseError, Text};

pub(crate) fn parse(format: Format, text: &str) -> Result<Parsed, ParseError> {
    let mut reader = Reader::new(format, text);
    let mut builder = Builder::for_text(text);
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    loop {
        let event = match reader.read() {
            Ok(event) => event,
            Err(ReadError::TooDeep(span)) => return Err(ParseError::TooDeep { span }),
            Err(ReadError::Syntax) => {
                return Err(syntax_error(format, reader.body, reader.skipped));
            }
        };
        let at = reader.here();
        let parent = open.last().map(|it| it.id);
        let content = match event {
            Event::Null => Content::Null,
            Event::Bool(value) => Content::Bool(value),
            Event::Number(_) => Content::Number(Text::Source(at)),
            Event::String(value) => Content::String(string(value, at)),
            Event::Key(name) => {
                let at = reader.key;
                if let Some(open) = open.last_mut() {
                    open.key = Some((string(name, at), at));
                }
                continue;
            }
            Event::Array | Event::Object => {
                open.push(Open {
                    id: builder.add(parent, at, Content::Null),
                    parts: match event {
                        Event::Array => Parts::Items(Vec::new()),
                        _ => Parts::Members(Vec::new()),
                    },
                    key: None,
                });
                continue;
            }
            Event::Close => {
                let Some(closed) = open.pop() else {
                    return Err(syntax_error(format, reader.body, reader.skipped));
                };
                let node = builder.node(closed.id);
                node.span = Span::from(node.span.start()..at.end());
                node.content = match closed.parts {
                    Parts::Items(items) => Content::Array(items),
                    Parts::Members(members) => Content::Object(Object::new(members)),
                };
                place(closed.id, &mut open, &mut root);
                continue;
            }
            Event::End => break,
        };
        let id = builder.add(parent, at, content);
        place(id, &mut open, &mut root);
    }
    match root {
        Some(root) => Ok(Parsed {
            nodes: builder.nodes,
            root,
            details: Details::Json,
        }),
        None => Err(syntax_error(format, reader.body, reader.skipped)),
    }
}

/// A container that is not yet complete.
struct Open {
    id: NodeId,
    parts: Parts,
    key: Option<(Text, Span)>,
}

enum Parts {
    Items(Vec<NodeId>),
    Members(Vec<Member>),
}

/// Adds a complete value to its container.
fn place(node: NodeId, open: &mut [Open], root: &mut Option<NodeId>) {
    let Some(around) = open.last_mut() else {
        *root = Some(node);
        return;
    };
    match (&mut around.parts, around.key.take()) {
        (Parts::Items(items), _) => items.push(node),
        (Parts::Members(members), Some((key, key_span))) => members.push(Member {
            key,
            key_span,
            node,
        }),
        (Parts::Members(_), None) => {}
    }
}

fn options(format: Format) -> ParseOptions {
    let with_comments = format == Format::Jsonc;
    ParseOptions {
        allow_comments: with_comments,
        allow_trailing_commas: with_comments,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The error for a rejected text, with the message of jsonc-parser.
fn syntax_error(format: Format, body: &str, skipped: usize) -> ParseError {
    match parse_to_ast(body, &CollectOptions::default(), &options(format)) {
        Err(error) => {
            let range = error.range();
            let span = Span::from(range.start + skipped..range.end + skipped);
            match error.kind() {
                ParseErrorKind::NestingDepthExceeded => ParseError::TooDeep { span },
                kind => ParseError::Syntax {
                    message: kind.to_string(),
                    span,
                },
            }
        }
        Ok(_) => ParseError::Syntax {
            message: "the file is empty; JSON needs a value".to_owned(),
            span: Span::at(skipped + body.len()),
        },
    }
}

enum ReadError {
    Syntax,
    TooDeep(Span),
}

/// A token. Brackets, commas and colons are marks.
#[derive(PartialEq)]
enum Token<'t> {
    Mark(u8),
    Null,
    Bool(bool),
    Number(&'t str),
    String(Cow<'t, str>),
    End,
}

/// What the reader expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    FirstPart,
    /// A comma, a closing bracket or the end.
    AfterValue,
}

/// Reads a text event by event.
pub(crate) struct Reader<'t> {
    body: &'t str,
    /// The length of the byte order mark, which is not part of the body.
    skipped: usize,
    with_comments: bool,
    /// The range of the last token in the body.
    start: usize,
    end: usize,
    /// The closing bracket of each open container.
    open: Vec<u8>,
    next: Next,
    /// The bytes of the last key.
    key: Span,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(format: Format, text: &'t str) -> Self {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            body,
            skipped: text.len() - body.len(),
            with_comments: format == Format::Jsonc,
            start: 0,
            end: 0,
            open: Vec::new(),
            next: Next::Value,
            key: Span::at(0),
        }
    }

    /// The bytes of the last token.
    fn here(&self) -> Span {
        Span::from(self.start + self.skipped..self.end + self.skipped)
    }

    /// The next token. Common tokens are recognized by their bytes; jsonc-parser's scanner handles
    /// all others.
    fn token(&mut self) -> Result<Token<'t>, ReadError> {
        let bytes = self.body.as_bytes();
        let mut at = self.end;
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
            at += 1;
        }
        self.start = at;
        let Some(&first) = bytes.get(at) else {
            self.end = at;
            return Ok(Token::End);
        };
        let (token, length) = match first {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => (Token::Mark(first), 1),
            b'"' => {
                let rest = &bytes[at + 1..];
                match rest.iter().position(|it| matches!(it, b'"' | b'\\')) {
                    Some(length) if rest[length] == b'"' => {
                        let inside = &self.body[at + 1..at + 1 + length];
                        (Token::String(Cow::Borrowed(inside)), length + 2)
                    }
                    _ => return self.rare_token(),
                }
            }
            b'0'..=b'9' | b'-' => match plain_number(&bytes[at..]) {
                Some(length) => (Token::Number(&self.body[at..at + length]), length),
                None => return self.rare_token(),
            },
            b't' if is_word(&bytes[at..], b"true") => (Token::Bool(true), 4),
            b'f' if is_word(&bytes[at..], b"false") => (Token::Bool(false), 5),
            b'n' if is_word(&bytes[at..], b"null") => (Token::Null, 4),
            _ => return self.rare_token(),
        };
        self.end = at + length;
        Ok(token)
    }

    #[cold]
    fn rare_token(&mut self) -> Result<Token<'t>, ReadError> {
        let options = ScannerOptions {
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let start = self.start;
        let mut scanner = Scanner::new(&self.body[start..], &options);
        loop {
            let token = scanner.scan().map_err(|_| ReadError::Syntax)?;
            self.start = start + scanner.token_start();
            self.end = start + scanner.token_end();
            return Ok(match token {
                Some(Scanned::CommentLine(_) | Scanned::CommentBlock(_)) if self.with_comments => {
                    continue;
                }
                None => Token::End,
                Some(Scanned::OpenBrace) => Token::Mark(b'{'),
                Some(Scanned::CloseBrace) => Token::Mark(b'}'),
                Some(Scanned::OpenBracket) => Token::Mark(b'['),
                Some(Scanned::CloseBracket) => Token::Mark(b']'),
                Some(Scanned::Comma) => Token::Mark(b','),
                Some(Scanned::Colon) => Token::Mark(b':'),
                Some(Scanned::String(text)) => Token::String(text),
                Some(Scanned::Number(written)) => Token::Number(written),
                Some(Scanned::Boolean(value)) => Token::Bool(value),
                Some(Scanned::Null) => Token::Null,
                Some(Scanned::CommentLine(_) | Scanned::CommentBlock(_) | Scanned::Word(_)) => {
                    return Err(ReadError::Syntax);
                }
            });
        }
    }

    fn read(&mut self) -> Result<Event<'t>, ReadError> {
        let mut token = self.token()?;
        let Some(close) = self.open.last().copied() else {
            return match self.next {
                Next::AfterValue if token == Token::End => Ok(Event::End),
                Next::AfterValue => Err(ReadError::Syntax),
                _ => self.value(token),
            };
        };
        let closes = |token: &Token<'_>| matches!(token, Token::Mark(mark) if *mark == close);
        match self.next {
            Next::Value => return self.value(token),
            Next::AfterValue if closes(&token) => return Ok(self.close()),
            Next::AfterValue if token == Token::Mark(b',') => {
                token = self.token()?;
                if closes(&token) && self.with_comments {
                    return Ok(self.close());
                }
            }
            Next::AfterValue => return Err(ReadError::Syntax),
            Next::FirstPart if closes(&token) => return Ok(self.close()),
            Next::FirstPart => {}
        }
        match token {
            token if close == b']' => self.value(token),
            Token::String(name) => {
                self.key = self.here();
                self.next = Next::Value;
                match self.token()? {
                    Token::Mark(b':') => Ok(Event::Key(name)),
                    _ => Err(ReadError::Syntax),
                }
            }
            _ => Err(ReadError::Syntax),
        }
    }

    fn close(&mut self) -> Event<'t> {
        self.open.pop();
        self.next = Next::AfterValue;
        Event::Close
    }

    fn value(&mut self, token: Token<'t>) -> Result<Event<'t>, ReadError> {
        self.next = Next::AfterValue;
        Ok(match token {
            Token::Null => Event::Null,
            Token::Bool(value) => Event::Bool(value),
            Token::Number(written) => Event::Number(Cow::Borrowed(written)),
            Token::String(value) => Event::String(value),
            Token::Mark(mark @ (b'[' | b'{')) => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(ReadError::TooDeep(self.here()));
                }
                self.next = Next::FirstPart;
                if mark == b'[' {
                    self.open.push(b']');
                    Event::Array
                } else {
                    self.open.push(b'}');
                    Event::Object
                }
            }
            Token::Mark(_) | Token::End => return Err(ReadError::Syntax),
        })
    }
}

/// Whether a number or word ends before `rest`.
fn ends(rest: &[u8]) -> bool {
    rest.first().is_none_or(|it| b" \t\r\n,]}".contains(it))
}

fn is_word(rest: &[u8], word: &[u8]) -> bool {
    rest.strip_prefix(word).is_some_and(ends)
}

/// The length of a number without an exponent.
fn plain_number(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|it| it.is_ascii_digit())
            .count()
    };
    let start = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(start);
    let has_leading_zero = whole > 1 && bytes[start] == b'0';
    if whole == 0 || has_leading_zero {
        return None;
    }
    let mut end = start + whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        end += 1 + fraction;
        if fraction == 0 {
            return None;
        }
    }
    ends(&bytes[end..]).then_some(end)
}

impl<'t> Events<'t> for Reader<'t> {
    fn next(&mut self) -> Option<Event<'t>> {
        self.read().ok()
    }
}

/// A string without escapes is stored as a span of the text, without its quotes.
fn string(value: Cow<'_, str>, at: Span) -> Text {
    match value {
        Cow::Borrowed(_) => Text::Source(Span::from(at.start() + 1..at.end() - 1)),
        Cow::Owned(decoded) => Text::Decoded(decoded.into()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\\n\"",
            "1",
            "-2.5e3",
            "01",
            "true",
            "null",
            "nul",
            " ",
            "\n",
            "// c\n",
            "/* c */",
            "'",
            "\"",
            "{\"a\": 1}",
            "[1, 2]",
            "\"a\": [",
            "\u{a0}",
        ])
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            prop::collection::vec(piece(), 0..9).prop_map(|it| it.concat()),
            prop::collection::vec(piece(), 0..6).prop_map(|it| format!("[{}]", it.concat())),
            prop::collection::vec(piece(), 0..6)
                .prop_map(|it| format!("{{\"k\": {}}}", it.concat())),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5000, ..ProptestConfig::default() })]

        /// The reader accepts exactly the texts that jsonc-parser's own parser accepts.
        #[test]
        fn the_reader_accepts_exactly_what_jsonc_parser_accepts(text in any_text(), with_comments: bool) {
            let format = if with_comments { Format::Jsonc } else { Format::Json };
            let ast = parse_to_ast(&text, &CollectOptions::default(), &options(format));
            let is_valid = ast.is_ok_and(|it| it.value.is_some());
            let parsed = parse(format, &text);
            prop_assert_eq!(parsed.is_ok(), is_valid, "{}", text);
        }
    }
}
