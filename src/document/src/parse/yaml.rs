//! Parses YAML 1.2 from the events of saphyr-parser.
//!
//! The events give the exact meaning of a text, but only approximate positions. They count
//! characters, the position of a block scalar lacks its header, and that of a quoted scalar
//! includes the comment after it. So each part is located in the text again, starting at the end of
//! the previous part.
//!
//! yaml-edit is not used because all of its edits go through its own tree, and this crate needs
//! byte ranges.

use std::collections::HashMap;

use fixpoint_text::Span;
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::yaml_plain;
use super::yaml_scalar::{self, Resolved};
use super::yaml_text::{Positions, block_scalar_end, opening_bracket, quoted_end, skip_trivia};
use super::{Builder, Parsed};
use crate::tree::{self, Content, MAX_DEPTH, Member, NodeId, Object, ParseError, Text};

/// The maximum number of values that expanding aliases may add to a file.
const ALIAS_LIMIT: usize = 1_000_000;

/// The maximum nesting of brackets, as in saphyr-parser.
pub(crate) const MAX_BRACKETS: usize = 255;

/// YAML-specific data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Details {
    /// Whether the file has several documents.
    pub is_stream: bool,
    /// The anchors and tags before values. They are part of the value.
    pub properties: HashMap<NodeId, Span>,
    /// Each alias and its target. An alias used as a key is represented by its mapping.
    pub aliases: Vec<(NodeId, NodeId)>,
}

pub(crate) fn parse(text: &str) -> Result<Parsed, ParseError> {
    match yaml_plain::parse(text) {
        Some(parsed) => Ok(parsed),
        None => parse_any(text),
    }
}

/// Parses any YAML, including the constructs that `yaml_plain` does not support.
pub(super) fn parse_any(text: &str) -> Result<Parsed, ParseError> {
    let mut reader = Reader {
        text,
        positions: Positions::new(text),
        cursor: 0,
        builder: Builder::for_text(text),
        details: Details::default(),
        anchors: HashMap::new(),
        sizes: HashMap::new(),
        open: Vec::new(),
        documents: Vec::new(),
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let span = Span::at(reader.positions.byte(*error.marker()));
            if error.info().contains("recursion limit") {
                return ParseError::TooDeep { span };
            }
            ParseError::Syntax {
                message: error.info().to_owned(),
                span,
            }
        })?;
        reader.event(event, span)?;
    }
    Ok(reader.finish())
}

/// A collection being read.
struct Open {
    id: NodeId,
    start: usize,
    is_flow: bool,
    is_anchored: bool,
    collection: Collection,
    /// The number of values in it, with aliases expanded.
    size: usize,
}

enum Collection {
    Sequence(Vec<NodeId>),
    Mapping {
        members: Vec<Member>,
        key: Option<(Text, Span)>,
    },
}

struct Reader<'t> {
    text: &'t str,
    positions: Positions<'t>,
    /// The end of the text that has been read.
    cursor: usize,
    builder: Builder,
    details: Details,
    anchors: HashMap<usize, NodeId>,
    /// The number of values in each anchored collection, with aliases expanded. Scalars count as
    /// one.
    sizes: HashMap<NodeId, usize>,
    open: Vec<Open>,
    documents: Vec<NodeId>,
}

impl<'t> Reader<'t> {
    fn event(&mut self, event: Event<'t>, at: saphyr_parser::Span) -> Result<(), ParseError> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
            Event::DocumentStart(explicit) => {
                let end = self
                    .positions
                    .byte(if explicit { at.end } else { at.start });
                self.cursor = self.cursor.max(end);
            }
            Event::DocumentEnd => {
                let (start, end) = (self.positions.byte(at.start), self.positions.byte(at.end));
                if &self.text[start..end] == "..." {
                    self.cursor = self.cursor.max(end);
                }
            }
            Event::Alias(anchor) => self.alias(anchor)?,
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar(&value, style, anchor, tag.as_deref(), at)?;
            }
            Event::SequenceStart(anchor, _) => {
                self.open(anchor, at, Collection::Sequence(Vec::new()))?;
            }
            Event::MappingStart(anchor, _) => {
                let collection = Collection::Mapping {
                    members: Vec::new(),
                    key: None,
                };
                self.open(anchor, at, collection)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
        }
        Ok(())
    }

    fn parent(&self) -> Option<NodeId> {
        self.open.last().map(|it| it.id)
    }

    /// Moves to the start of the next node, past the indicator before it.
    fn approach(&mut self) {
        let Some(open) = self.open.last() else {
            self.cursor = skip_trivia(self.text, self.cursor);
            return;
        };
        let bytes = self.text.as_bytes();
        let next = skip_trivia(self.text, self.cursor);
        let indicator = match &open.collection {
            Collection::Sequence(_) if open.is_flow => b',',
            Collection::Sequence(_) => b'-',
            Collection::Mapping { key: Some(_), .. } => b':',
            Collection::Mapping { key: None, .. } if open.is_flow => b',',
            Collection::Mapping { key: None, .. } => b'?',
        };
        // `?key` is a plain scalar, `? key` is not.
        let stands_alone = |at: usize| bytes.get(at + 1).is_none_or(|it| b" \t\r\n".contains(it));
        let is_there = bytes.get(next) == Some(&indicator);
        if !is_there || (indicator == b'?' && !stands_alone(next)) {
            return;
        }
        self.cursor = next + 1;
        let after = skip_trivia(self.text, self.cursor);
        if indicator == b',' && bytes.get(after) == Some(&b'?') && stands_alone(after) {
            self.cursor = after + 1;
        }
    }

    fn alias(&mut self, anchor: usize) -> Result<(), ParseError> {
        self.approach();
        let start = skip_trivia(self.text, self.cursor);
        let rest = self.text[start..].bytes();
        let length = rest
            .take_while(|byte| !b" \t\r\n,[]{}".contains(byte))
            .count();
        let span = Span::from(start..start + length);
        self.cursor = span.end();
        let Some(target) = self.anchors.get(&anchor).copied() else {
            return Err(ParseError::AliasCycle { span });
        };
        if self.open.iter().any(|it| it.id == target) {
            return Err(ParseError::AliasCycle { span });
        }
        let size = self.sizes.get(&target).copied().unwrap_or(1);
        if self.wants_key() {
            let key = match &self.builder.node(target).content {
                Content::String(text) | Content::Number(text) => text.clone(),
                _ => Text::Source(span),
            };
            let mapping = self.parent().unwrap_or(target);
            self.details.aliases.push((mapping, target));
            self.set_key(key, span);
            return Ok(());
        }
        let id = self
            .builder
            .add(self.parent(), span, Content::Alias(target));
        self.details.aliases.push((id, target));
        self.place(id, size)
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        at: saphyr_parser::Span,
    ) -> Result<(), ParseError> {
        self.approach();
        let properties = self.properties(anchor, tag);
        let span = match style {
            ScalarStyle::Plain if value.is_empty() => Span::at(self.cursor),
            ScalarStyle::Plain => {
                let start = skip_trivia(self.text, self.cursor);
                start..self.positions.byte(at.end).max(start)
            }
            .into(),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let start = skip_trivia(self.text, self.cursor);
                Span::from(start..quoted_end(self.text, start))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let start = skip_trivia(self.text, self.cursor);
                let end = self.positions.byte(at.end);
                Span::from(start..block_scalar_end(self.text, start, end))
            }
        };
        self.cursor = span.end();
        let text = if self.text.get(span.range()) == Some(value) {
            Text::Source(span)
        } else {
            Text::Decoded(value.into())
        };
        if self.wants_key() {
            self.set_key(text, span);
            return Ok(());
        }
        let whole = match properties {
            Some(properties) => Span::from(properties.start()..span.end().max(properties.end())),
            None => span,
        };
        let content = match yaml_scalar::resolve(value, style == ScalarStyle::Plain, tag) {
            Resolved::Null => Content::Null,
            Resolved::Bool(value) => Content::Bool(value),
            Resolved::Number => Content::Number(text),
            Resolved::String => Content::String(text),
        };
        let id = self.builder.add(self.parent(), whole, content);
        self.note(id, anchor, properties);
        self.place(id, 1)
    }

    /// The anchor and the tag before a node, if it has them. Moves the cursor after them.
    fn properties(&mut self, anchor: usize, tag: Option<&Tag>) -> Option<Span> {
        let count = usize::from(anchor > 0) + usize::from(tag.is_some());
        let mut found: Option<Span> = None;
        for _ in 0..count {
            let start = skip_trivia(self.text, self.cursor);
            let rest = &self.text.as_bytes()[start..];
            if !matches!(rest.first(), Some(b'&' | b'!')) {
                break;
            }
            let is_verbatim = rest.starts_with(b"!<");
            let length = rest
                .iter()
                .take_while(|byte| {
                    !b" \t\r\n".contains(byte) && (is_verbatim || !b",[]{}".contains(byte))
                })
                .count();
            self.cursor = start + length;
            found = Some(Span::from(found.map_or(start, Span::start)..start + length));
        }
        found
    }

    fn note(&mut self, id: NodeId, anchor: usize, properties: Option<Span>) {
        if anchor > 0 {
            self.anchors.insert(anchor, id);
        }
        if let Some(properties) = properties {
            self.details.properties.insert(id, properties);
        }
    }

    fn open(
        &mut self,
        anchor: usize,
        at: saphyr_parser::Span,
        collection: Collection,
    ) -> Result<(), ParseError> {
        let end = self.positions.byte(at.end);
        let start = self.positions.byte(at.start);
        let bracket = opening_bracket(self.text, start, end);
        let is_flow = bracket.is_some();
        // A pair without braces in a flow sequence starts with its key, regardless of the reported
        // position.
        self.approach();
        // The anchor and the tag of a block collection end before its first item ends.
        let has_properties = matches!(
            self.text
                .as_bytes()
                .get(skip_trivia(self.text, self.cursor)),
            Some(b'&' | b'!')
        ) && start < end;
        let properties = if has_properties {
            let before = self.cursor;
            let found = self.properties_before(bracket.unwrap_or(end));
            if found.is_none() {
                self.cursor = before;
            }
            found
        } else {
            None
        };
        let body = skip_trivia(self.text, self.cursor);
        if is_flow {
            self.cursor = body + 1;
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(ParseError::TooDeep {
                span: Span::at(body),
            });
        }
        let span = Span::at(properties.map_or(body, Span::start));
        let id = self.builder.add(self.parent(), span, Content::Null);
        self.note(id, anchor, properties);
        self.open.push(Open {
            id,
            start: span.start(),
            is_flow,
            is_anchored: anchor > 0,
            collection,
            size: 1,
        });
        Ok(())
    }

    /// The anchors and tags between the cursor and `end`.
    fn properties_before(&mut self, end: usize) -> Option<Span> {
        let mut found: Option<Span> = None;
        loop {
            let start = skip_trivia(self.text, self.cursor);
            let is_property = matches!(self.text.as_bytes().get(start), Some(b'&' | b'!'));
            if start >= end || !is_property {
                return found;
            }
            let rest = self.text[start..].bytes();
            let length = rest.take_while(|byte| !b" \t\r\n[{".contains(byte)).count();
            self.cursor = start + length;
            found = Some(Span::from(found.map_or(start, Span::start)..start + length));
        }
    }

    fn close(&mut self) -> Result<(), ParseError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        if open.is_flow {
            let mut at = skip_trivia(self.text, self.cursor);
            if self.text.as_bytes().get(at) == Some(&b',') {
                at = skip_trivia(self.text, at + 1);
            }
            self.cursor = (at + 1).min(self.text.len());
        }
        let content = match open.collection {
            Collection::Sequence(items) => Content::Array(items),
            Collection::Mapping { members, .. } => Content::Object(Object::new(members)),
        };
        let span = Span::from(open.start..self.cursor);
        *self.builder.node(open.id) = tree::NodeData {
            parent: self.parent(),
            span,
            content,
        };
        if open.is_anchored {
            self.sizes.insert(open.id, open.size);
        }
        let limit = ALIAS_LIMIT + self.builder.nodes.len();
        if open.size > limit {
            return Err(ParseError::AliasBomb {
                limit: ALIAS_LIMIT,
                span,
            });
        }
        if self.wants_key() {
            self.set_key(Text::Source(span), span);
            return Ok(());
        }
        self.place(open.id, open.size)
    }

    fn wants_key(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Open {
                collection: Collection::Mapping { key: None, .. },
                ..
            })
        )
    }

    fn set_key(&mut self, text: Text, span: Span) {
        if let Some(Open {
            collection: Collection::Mapping { key, .. },
            ..
        }) = self.open.last_mut()
        {
            *key = Some((text, span));
        }
    }

    /// Adds a complete value to its collection.
    fn place(&mut self, id: NodeId, size: usize) -> Result<(), ParseError> {
        let Some(open) = self.open.last_mut() else {
            self.documents.push(id);
            return Ok(());
        };
        open.size = open.size.saturating_add(size);
        match &mut open.collection {
            Collection::Sequence(items) => items.push(id),
            Collection::Mapping { members, key } => {
                if let Some((key, key_span)) = key.take() {
                    members.push(Member {
                        key,
                        key_span,
                        node: id,
                    });
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Parsed {
        let root = match self.documents.as_slice() {
            [] => {
                let end = Span::at(self.text.len());
                self.builder.add(None, end, Content::Null)
            }
            [only] => *only,
            _ => {
                let documents = std::mem::take(&mut self.documents);
                let whole = Span::from(0..self.text.len());
                let root = self.builder.add(None, whole, Content::Null);
                for document in &documents {
                    self.builder.node(*document).parent = Some(root);
                }
                self.builder.node(root).content = Content::Array(documents);
                self.details.is_stream = true;
                root
            }
        };
        Parsed {
            nodes: self.builder.nodes,
            root,
            details: tree::Details::Yaml(self.details),
        }
    }
}
