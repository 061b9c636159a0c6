//! JSON with and without comments, by jsonc-parser.

use fixpoint_text::Span;
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{Builder, Parsed};
use crate::format::Format;
use crate::tree::{Content, Details, Member, NodeId, Object, ParseError, Text};

pub(crate) fn parse(format: Format, text: &str) -> Result<Parsed, ParseError> {
    let with_comments = format == Format::Jsonc;
    let options = ParseOptions {
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
    };
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let body = &text[skipped..];
    let ast = parse_to_ast(body, &CollectOptions::default(), &options).map_err(|error| {
        let span = span(error.range(), skipped);
        match error.kind() {
            ParseErrorKind::NestingDepthExceeded => ParseError::TooDeep { span },
            kind => ParseError::Syntax {
                message: kind.to_string(),
                span,
            },
        }
    })?;
    let Some(value) = ast.value else {
        return Err(ParseError::Syntax {
            message: "the file is empty; JSON needs a value".to_owned(),
            span: Span::at(text.len()),
        });
    };
    let mut lowering = Lowering {
        text,
        skipped,
        builder: Builder::for_text(text),
    };
    let root = lowering.value(&value, None);
    Ok(Parsed {
        nodes: lowering.builder.nodes,
        root,
        details: Details::Json,
    })
}

struct Lowering<'t> {
    text: &'t str,
    /// The length of the byte order mark, which the parser did not see.
    skipped: usize,
    builder: Builder,
}

impl Lowering<'_> {
    /// Recurses no deeper than the parser, which has a limit.
    fn value(&mut self, value: &Value<'_>, parent: Option<NodeId>) -> NodeId {
        let at = span(value.range(), self.skipped);
        let content = match value {
            Value::NullKeyword(_) => Content::Null,
            Value::BooleanLit(literal) => Content::Bool(literal.value),
            Value::NumberLit(_) => Content::Number(Text::Source(at)),
            Value::StringLit(literal) => Content::String(self.string(&literal.value, at)),
            Value::Array(array) => {
                let id = self.builder.add(parent, at, Content::Null);
                let items = array.elements.iter().map(|it| self.value(it, Some(id)));
                self.builder.node(id).content = Content::Array(items.collect());
                return id;
            }
            Value::Object(object) => {
                let id = self.builder.add(parent, at, Content::Null);
                let mut members = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    let key_span = span(property.name.range(), self.skipped);
                    let key = match &property.name {
                        ObjectPropName::String(literal) => self.string(&literal.value, key_span),
                        ObjectPropName::Word(_) => Text::Source(key_span),
                    };
                    let node = self.value(&property.value, Some(id));
                    members.push(Member {
                        key,
                        key_span,
                        node,
                    });
                }
                self.builder.node(id).content = Content::Object(Object::new(members));
                return id;
            }
        };
        self.builder.add(parent, at, content)
    }

    /// A string without escapes stays in the text, between its quotes.
    fn string(&self, value: &str, at: Span) -> Text {
        let inside = at.start() + 1..at.end().saturating_sub(1);
        if self.text.get(inside.clone()) == Some(value) {
            Text::Source(inside.into())
        } else {
            Text::Decoded(value.into())
        }
    }
}

fn span(range: Range, skipped: usize) -> Span {
    Span::from(range.start + skipped..range.end + skipped)
}
