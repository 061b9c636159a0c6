//! One syntax tree for all formats: the values of a document and their locations in the text.
//!
//! The tree is flat. Nodes refer to each other by index, so that building and dropping a deep tree
//! does not recurse. Strings and keys without escapes are stored as spans of the text.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use fixpoint_text::Span;
use thiserror::Error;

use crate::format::Format;
use crate::number::Number;
use crate::pointer::{Pointer, array_index};
use crate::value::{Kind, Value};
use crate::{parse, toml};

/// The maximum nesting depth of documents, which bounds all recursion. No real document is that
/// deep.
pub(crate) const MAX_DEPTH: usize = 512;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub u32);

/// A string: a span of the document's text, or the decoded text.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    Source(Span),
    Decoded(Box<str>),
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Null,
    Bool(bool),
    Number(Text),
    String(Text),
    Array(Vec<NodeId>),
    Object(Object),
    /// An alias of another node.
    Alias(NodeId),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    pub members: Vec<Member>,
    /// The position of each key. Built on the first lookup in a large object, and boxed because few
    /// objects have one.
    index: OnceLock<Box<KeyIndex>>,
}

#[derive(Clone, Debug)]
struct KeyIndex(HashMap<Box<str>, Place>);

#[derive(Clone, Copy, Debug)]
enum Place {
    Once(u32),
    Repeated,
}

impl Object {
    pub(crate) fn new(members: Vec<Member>) -> Self {
        Self {
            members,
            index: OnceLock::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub key: Text,
    /// The key as written, including quotes.
    pub key_span: Span,
    pub node: NodeId,
}

#[derive(Clone, Debug)]
pub(crate) struct NodeData {
    pub parent: Option<NodeId>,
    pub span: Span,
    pub content: Content,
}

/// A parsed document and its text.
///
/// A YAML file with several documents is an array of them, so the first token of a pointer is the
/// index of the document. A file with one document is that document.
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    text: Arc<str>,
    pub(crate) nodes: Vec<NodeData>,
    pub(crate) root: NodeId,
    pub(crate) details: Details,
}

/// Format-specific data.
#[derive(Clone, Debug)]
pub(crate) enum Details {
    Json,
    Yaml(parse::yaml::Details),
    Toml(toml::Layout),
}

/// The reason why a text is not a valid document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    #[error("{message}")]
    Syntax { message: String, span: Span },
    #[error("values nest too deep to be read; flatten them")]
    TooDeep { span: Span },
    #[error(
        "aliases expand to more than {limit} values; write the values out, or remove the aliases"
    )]
    AliasBomb { limit: usize, span: Span },
    #[error("the alias is inside the value that it refers to; remove it")]
    AliasCycle { span: Span },
}

impl ParseError {
    /// The bytes that caused the error.
    pub fn span(&self) -> Span {
        match self {
            Self::Syntax { span, .. }
            | Self::TooDeep { span }
            | Self::AliasBomb { span, .. }
            | Self::AliasCycle { span } => *span,
        }
    }
}

/// The reason why a pointer does not lead to a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    #[error("there is no key `{key}` in the object at `{at}`")]
    NoSuchKey { at: Pointer, key: String },
    #[error("the object at `{at}` contains the key `{key}` more than once; remove one of them")]
    DuplicateKey { at: Pointer, key: String },
    #[error("the array at `{at}` has {length} items, so it has no item {index}")]
    NoSuchItem {
        at: Pointer,
        index: String,
        length: usize,
    },
    #[error(
        "`{token}` is not an index of the array at `{at}`: an index is digits without a leading zero"
    )]
    NotAnIndex { at: Pointer, token: String },
    #[error("`{token}` cannot be looked up: the value at `{at}` is a {}", kind.name())]
    NotAContainer {
        at: Pointer,
        token: String,
        kind: Kind,
    },
}

impl Document {
    /// Parses a text. A byte order mark is not part of the document.
    pub fn parse(format: Format, text: &str) -> Result<Self, ParseError> {
        let parsed = match format {
            Format::Json | Format::Jsonc => parse::json::parse(format, text),
            Format::Yaml => parse::yaml::parse(text),
            Format::Toml => parse::toml::parse(text),
        }?;
        Ok(Self::of(format, text.into(), parsed))
    }

    /// Parses an edited text in order to compare it with the expected result. Duplicate keys are
    /// not rejected here, because the comparison detects them.
    pub(crate) fn parse_edited(format: Format, text: String) -> Result<Self, ParseError> {
        let parsed = match format {
            Format::Json | Format::Jsonc => parse::json::parse(format, &text),
            Format::Yaml => parse::yaml::parse(&text),
            Format::Toml => parse::toml::parse_edited(&text),
        }?;
        Ok(Self::of(format, text.into(), parsed))
    }

    fn of(format: Format, text: Arc<str>, parsed: parse::Parsed) -> Self {
        Self {
            format,
            text,
            nodes: parsed.nodes,
            root: parsed.root,
            details: parsed.details,
        }
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// The documents of the file. Only YAML files can have several.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        let documents = match (&self.details, &self.data(self.root).content) {
            (Details::Yaml(details), Content::Array(items)) if details.is_stream => {
                items.as_slice()
            }
            _ => std::slice::from_ref(&self.root),
        };
        documents.iter().map(|id| self.node(*id))
    }

    /// Whether the file has several documents, so that its root is the array of them.
    pub fn is_stream(&self) -> bool {
        matches!(&self.details, Details::Yaml(details) if details.is_stream)
    }

    /// The value at `pointer`. A key that occurs more than once is an error, because it is
    /// ambiguous.
    pub fn find(&self, pointer: &Pointer) -> Result<Node<'_>, LookupError> {
        let mut node = self.root();
        for (depth, token) in pointer.tokens().iter().enumerate() {
            node = node.step(token).map_err(|missing| {
                missing.at(pointer.tokens()[..depth].iter().collect::<Vec<_>>(), token)
            })?;
        }
        Ok(node)
    }

    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        Node { document: self, id }
    }

    pub(crate) fn data(&self, id: NodeId) -> &NodeData {
        &self.nodes[id.0 as usize]
    }

    /// The node that has the value: the node itself, or the target of the alias.
    pub(crate) fn resolved(&self, mut id: NodeId) -> NodeId {
        while let Content::Alias(target) = self.data(id).content {
            id = target;
        }
        id
    }

    pub(crate) fn str<'d>(&'d self, text: &'d Text) -> &'d str {
        match text {
            Text::Source(span) => &self.text[span.range()],
            Text::Decoded(text) => text,
        }
    }

    /// The position of `key` among the members of an object.
    pub(crate) fn place<'d>(
        &'d self,
        object: &'d Object,
        key: &str,
    ) -> Result<Option<usize>, DuplicateKey> {
        /// Below this size, a linear search is faster than building an index.
        const LARGE: usize = 24;
        if object.members.len() < LARGE {
            let mut places = object.members.iter().enumerate();
            let mut matching = places.by_ref().filter(|it| self.str(&it.1.key) == key);
            let first = matching.next().map(|it| it.0);
            return match matching.next() {
                Some(_) => Err(DuplicateKey),
                None => Ok(first),
            };
        }
        let index = object.index.get_or_init(|| {
            let mut index = HashMap::with_capacity(object.members.len());
            for (place, member) in (0..).zip(&object.members) {
                index
                    .entry(self.str(&member.key).into())
                    .and_modify(|it| *it = Place::Repeated)
                    .or_insert(Place::Once(place));
            }
            Box::new(KeyIndex(index))
        });
        match index.0.get(key) {
            Some(Place::Once(place)) => Ok(Some(*place as usize)),
            Some(Place::Repeated) => Err(DuplicateKey),
            None => Ok(None),
        }
    }
}

/// A key occurs more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DuplicateKey;

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    document: &'d Document,
    id: NodeId,
}

impl<'d> Node<'d> {
    /// The bytes of the value as written. For an alias, these are the bytes of the alias itself.
    /// For a TOML table with several parts, they reach from the first part to the last.
    pub fn span(self) -> Span {
        self.document.data(self.id).span
    }

    pub fn kind(self) -> Kind {
        match self.content() {
            Content::Null | Content::Alias(_) => Kind::Null,
            Content::Bool(_) => Kind::Boolean,
            Content::Number(_) => Kind::Number,
            Content::String(_) => Kind::String,
            Content::Array(_) => Kind::Array,
            Content::Object(_) => Kind::Object,
        }
    }

    /// Whether the value is written as an alias, `*name` in YAML.
    pub fn is_alias(self) -> bool {
        matches!(self.document.data(self.id).content, Content::Alias(_))
    }

    /// Whether the value, or a value inside it, has a tag, `!name` in YAML.
    pub fn has_tag(self) -> bool {
        self.has_property('!')
    }

    /// Whether the value, or a value inside it, has an anchor, `&name` in YAML.
    pub fn has_anchor(self) -> bool {
        self.has_property('&')
    }

    fn has_property(self, mark: char) -> bool {
        let Details::Yaml(details) = &self.document.details else {
            return false;
        };
        let properties = details.properties.get(&self.id);
        properties.is_some_and(|it| self.document.text[it.range()].contains(mark))
            || self.items().any(|item| item.has_property(mark))
            || self.members().any(|member| member.value.has_property(mark))
    }

    /// The text of a string.
    pub fn as_str(self) -> Option<&'d str> {
        match self.content() {
            Content::String(text) => Some(self.document.str(text)),
            _ => None,
        }
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.content() {
            Content::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_number(self) -> Option<Number> {
        match self.content() {
            Content::Number(text) => Some(Number::written(self.document.str(text))),
            _ => None,
        }
    }

    /// The items of an array; empty for other values.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> + DoubleEndedIterator {
        let items = match self.content() {
            Content::Array(items) => items.as_slice(),
            _ => &[],
        };
        items.iter().map(move |id| self.document.node(*id))
    }

    /// The members of an object in document order, including duplicates; empty for other values.
    pub fn members(self) -> impl ExactSizeIterator<Item = Entry<'d>> + DoubleEndedIterator {
        let members = match self.content() {
            Content::Object(object) => object.members.as_slice(),
            _ => &[],
        };
        members.iter().map(move |member| Entry {
            key: self.document.str(&member.key),
            key_span: member.key_span,
            value: self.document.node(member.node),
        })
    }

    /// The member with this key; the first one if the key occurs more than once.
    pub fn get(self, key: &str) -> Option<Entry<'d>> {
        let Content::Object(object) = self.content() else {
            return None;
        };
        match self.document.place(object, key) {
            Ok(place) => self.members().nth(place?),
            Err(DuplicateKey) => self.members().find(|it| it.key == key),
        }
    }

    /// The value with aliases expanded.
    pub fn value(self) -> Value {
        match self.content() {
            Content::Null | Content::Alias(_) => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Number(text) => Value::Number(Number::written(self.document.str(text))),
            Content::String(text) => Value::String(self.document.str(text).to_owned()),
            Content::Array(_) => Value::Array(self.items().map(Node::value).collect()),
            Content::Object(_) => {
                let members = self
                    .members()
                    .map(|it| (it.key.to_owned(), it.value.value()));
                Value::Object(members.collect())
            }
        }
    }

    fn content(self) -> &'d Content {
        &self.document.data(self.document.resolved(self.id)).content
    }

    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    pub(crate) fn document(self) -> &'d Document {
        self.document
    }

    fn step(self, token: &str) -> Result<Node<'d>, Missing> {
        match self.content() {
            Content::Object(object) => match self.document.place(object, token) {
                Ok(Some(place)) => Ok(self.document.node(object.members[place].node)),
                Ok(None) => Err(Missing::Key),
                Err(DuplicateKey) => Err(Missing::DuplicateKey),
            },
            Content::Array(items) => match array_index(token) {
                Some(index) => match items.get(index) {
                    Some(id) => Ok(self.document.node(*id)),
                    None => Err(Missing::Item(items.len())),
                },
                None => Err(Missing::Index),
            },
            _ => Err(Missing::Container(self.kind())),
        }
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'d> {
    pub key: &'d str,
    /// The key as written, including quotes.
    pub key_span: Span,
    pub value: Node<'d>,
}

/// The reason why a pointer token cannot be resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Missing {
    Key,
    DuplicateKey,
    Item(usize),
    Index,
    Container(Kind),
}

impl Missing {
    pub(crate) fn at(self, tokens: Vec<&String>, token: &str) -> LookupError {
        let at: Pointer = tokens.into_iter().map(String::as_str).collect();
        let token = token.to_owned();
        match self {
            Self::Key => LookupError::NoSuchKey { at, key: token },
            Self::DuplicateKey => LookupError::DuplicateKey { at, key: token },
            Self::Item(length) => LookupError::NoSuchItem {
                at,
                index: token,
                length,
            },
            Self::Index => LookupError::NotAnIndex { at, token },
            Self::Container(kind) => LookupError::NotAContainer { at, token, kind },
        }
    }
}
