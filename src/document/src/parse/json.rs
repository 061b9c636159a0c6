//! JSON with and without comments, from the tokens of jsonc-parser.
//!
//! Its own tree would be built only to be copied into ours, and a document is read twice for an edit.
//! What is no JSON is left to its parser to tell of.

use std::borrow::Cow;

use fixpoint_text::Span;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, Scanner, ScannerOptions, parse_to_ast};

use super::{Builder, Parsed};
use crate::format::Format;
use crate::tree::{Content, Details, MAX_DEPTH, Member, NodeId, Object, ParseError, Text};

pub(crate) fn parse(format: Format, text: &str) -> Result<Parsed, ParseError> {
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[skipped..];
    let mut reader = Reader {
        scanner: Scanner::new(
            body,
            &ScannerOptions {
                allow_single_quoted_strings: false,
                allow_hexadecimal_numbers: false,
                allow_unary_plus_numbers: false,
                allow_bare_decimal_point_numbers: false,
                allow_non_finite_numbers: false,
                allow_extended_string_escapes: false,
            },
        ),
        skipped,
        with_comments: format == Format::Jsonc,
        builder: Builder::for_text(text),
    };
    match reader.document() {
        Ok(root) => Ok(Parsed {
            nodes: reader.builder.nodes,
            root,
            details: Details::Json,
        }),
        Err(Refused::TooDeep(span)) => Err(ParseError::TooDeep { span }),
        Err(Refused::Syntax) => Err(syntax_error(format, body, skipped)),
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

/// What is wrong with a text that was refused, in the words of jsonc-parser's parser.
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

enum Refused {
    Syntax,
    TooDeep(Span),
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    /// The length of the byte order mark, which the scanner does not see.
    skipped: usize,
    with_comments: bool,
    builder: Builder,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<NodeId, Refused> {
        let first = self.expect()?;
        let root = self.value(first, None, 0)?;
        match self.next()? {
            None => Ok(root),
            Some(_) => Err(Refused::Syntax),
        }
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, Refused> {
        loop {
            match self.scanner.scan() {
                Ok(Some(Token::CommentLine(_) | Token::CommentBlock(_))) if self.with_comments => {}
                Ok(Some(Token::CommentLine(_) | Token::CommentBlock(_))) | Err(_) => {
                    return Err(Refused::Syntax);
                }
                Ok(token) => return Ok(token),
            }
        }
    }

    fn expect(&mut self) -> Result<Token<'t>, Refused> {
        self.next()?.ok_or(Refused::Syntax)
    }

    /// The bytes of the token read last.
    fn here(&self) -> Span {
        let start = self.scanner.token_start() + self.skipped;
        Span::from(start..self.scanner.token_end() + self.skipped)
    }

    fn value(
        &mut self,
        first: Token<'t>,
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<NodeId, Refused> {
        let at = self.here();
        let content = match first {
            Token::Null => Content::Null,
            Token::Boolean(value) => Content::Bool(value),
            Token::Number(_) => Content::Number(Text::Source(at)),
            Token::String(value) => Content::String(string(value, at)),
            Token::OpenBracket | Token::OpenBrace => {
                if depth >= MAX_DEPTH {
                    return Err(Refused::TooDeep(at));
                }
                let id = self.builder.add(parent, at, Content::Null);
                let content = match first {
                    Token::OpenBracket => self.array(id, depth)?,
                    _ => self.object(id, depth)?,
                };
                let end = self.here().end();
                let node = self.builder.node(id);
                node.span = Span::from(at.start()..end);
                node.content = content;
                return Ok(id);
            }
            _ => return Err(Refused::Syntax),
        };
        Ok(self.builder.add(parent, at, content))
    }

    fn array(&mut self, id: NodeId, depth: usize) -> Result<Content, Refused> {
        let mut items = Vec::new();
        let mut token = self.expect()?;
        while token != Token::CloseBracket {
            items.push(self.value(token, Some(id), depth + 1)?);
            token = self.behind_part(&Token::CloseBracket)?;
        }
        Ok(Content::Array(items))
    }

    fn object(&mut self, id: NodeId, depth: usize) -> Result<Content, Refused> {
        let mut members = Vec::new();
        let mut token = self.expect()?;
        while token != Token::CloseBrace {
            let Token::String(name) = token else {
                return Err(Refused::Syntax);
            };
            let key_span = self.here();
            let key = string(name, key_span);
            if self.expect()? != Token::Colon {
                return Err(Refused::Syntax);
            }
            let first = self.expect()?;
            let node = self.value(first, Some(id), depth + 1)?;
            members.push(Member {
                key,
                key_span,
                node,
            });
            token = self.behind_part(&Token::CloseBrace)?;
        }
        Ok(Content::Object(Object::new(members)))
    }

    /// The first token of the next member or item, or the bracket that closes.
    fn behind_part(&mut self, close: &Token<'_>) -> Result<Token<'t>, Refused> {
        let token = self.expect()?;
        if token != Token::Comma {
            return if token == *close {
                Ok(token)
            } else {
                Err(Refused::Syntax)
            };
        }
        let token = self.expect()?;
        if token == *close && !self.with_comments {
            return Err(Refused::Syntax);
        }
        Ok(token)
    }
}

/// A string without escapes stays in the text, between its quotes.
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

        /// What is read is what jsonc-parser's own parser takes, and nothing else.
        #[test]
        fn the_tokens_are_read_as_the_parser_reads_them(text in any_text(), with_comments: bool) {
            let format = if with_comments { Format::Jsonc } else { Format::Json };
            let ast = parse_to_ast(&text, &CollectOptions::default(), &options(format));
            let is_valid = ast.is_ok_and(|it| it.value.is_some());
            let parsed = parse(format, &text);
            prop_assert_eq!(parsed.is_ok(), is_valid, "{}", text);
        }
    }
}
