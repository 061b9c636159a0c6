//! Builds the tree and the table layout from the events of toml_parser.

use std::borrow::Cow;
use std::collections::HashMap;

use fixpoint_text::Span;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{Event, EventKind};
use toml_parser::{ParseError as EventError, Raw};

use super::{Builder, Parsed};
use crate::toml::{Layout, Section, TableEntry, TableKey};
use crate::tree::{Content, Details, Member, NodeId, Object, Text};

pub(super) struct Reader<'t> {
    text: &'t str,
    builder: Builder,
    layout: Layout,
    root: NodeId,
    /// The tables and arrays of tables by parent table and key.
    tables: HashMap<(NodeId, Box<str>), Table>,
    /// Whether the text may violate a rule of TOML.
    may_be_invalid: bool,
    /// The keys read since the start of the current header, entry or inline member.
    keys: Vec<(Text, Span)>,
    /// The header being read.
    header: Option<Header>,
    /// The inline containers being read.
    open: Vec<Open>,
    /// The entry being read, after its `=`.
    entry: Option<PendingEntry>,
}

/// A table or an array of tables, and how it was defined.
#[derive(Clone, Copy)]
struct Table {
    id: NodeId,
    origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Implicitly, by a header of a descendant.
    Implicit,
    /// By its own header, which may occur only once.
    Header,
    /// By the headers of its items.
    ArrayItems,
    /// By a dotted key in this section. Other sections must not extend it.
    DottedKey(usize),
}

struct Header {
    start: usize,
    is_item: bool,
}

struct PendingEntry {
    start: usize,
    keys: std::ops::Range<usize>,
    node: NodeId,
}

/// An array or inline table being read.
struct Open {
    id: NodeId,
    /// The node for the next value of an inline table.
    member: Option<NodeId>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut builder = Builder::for_text(text);
        let whole = Span::from(0..text.len());
        let root = builder.add(None, whole, Content::Object(Object::default()));
        let mut layout = Layout::default();
        layout.sections.push(Section {
            header: None,
            keys: 0..0,
            table: root,
            entries: Vec::new(),
        });
        Self {
            text,
            builder,
            layout,
            root,
            tables: HashMap::new(),
            may_be_invalid: false,
            keys: Vec::new(),
            header: None,
            open: Vec::new(),
            entry: None,
        }
    }

    /// Whether the text may violate a rule of TOML.
    pub(super) fn may_be_invalid(&self) -> bool {
        self.may_be_invalid
    }

    pub(super) fn event(&mut self, event: &Event) {
        let at = Span::from(event.span().start()..event.span().end());
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.header = Some(Header {
                    start: at.start(),
                    is_item: event.kind() == EventKind::ArrayTableOpen,
                });
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_header(at.end()),
            EventKind::SimpleKey => {
                let key = self.key(at, event.encoding());
                self.keys.push((key, at));
            }
            EventKind::KeyValSep => self.keys_are_complete(),
            EventKind::Scalar => {
                let content = self.scalar(at, event.encoding());
                self.value(at, content);
            }
            EventKind::ArrayOpen => self.open(at, Content::Array(Vec::new())),
            EventKind::InlineTableOpen => self.open(at, Content::Object(Object::default())),
            EventKind::ArrayClose | EventKind::InlineTableClose => self.close(at.end()),
            _ => {}
        }
    }

    fn key(&mut self, at: Span, encoding: Option<Encoding>) -> Text {
        let mut decoded = Cow::Borrowed("");
        let raw = self.raw(at, encoding);
        raw.decode_key(&mut decoded, &mut |_: EventError| {
            self.may_be_invalid = true
        });
        if encoding.is_none() {
            return Text::Source(at);
        }
        self.compact(decoded, at)
    }

    fn raw(&self, at: Span, encoding: Option<Encoding>) -> Raw<'t> {
        let span = toml_parser::Span::new_unchecked(at.start(), at.end());
        Raw::new_unchecked(
            self.text.get(at.range()).unwrap_or_default(),
            encoding,
            span,
        )
    }

    /// A string without escapes is stored as a span of the text, without its quotes.
    fn compact(&self, decoded: Cow<'_, str>, at: Span) -> Text {
        let inside = at.start() + 1..at.end().saturating_sub(1);
        if self.text.get(inside.clone()) == Some(&decoded) {
            Text::Source(inside.into())
        } else {
            Text::Decoded(decoded.into())
        }
    }

    fn scalar(&mut self, at: Span, encoding: Option<Encoding>) -> Content {
        let mut decoded = Cow::Borrowed("");
        let raw = self.raw(at, encoding);
        let kind = raw.decode_scalar(&mut decoded, &mut |_: EventError| {
            self.may_be_invalid = true
        });
        self.may_be_invalid |= !is_in_range(kind, &decoded);
        match kind {
            ScalarKind::String => Content::String(self.compact(decoded, at)),
            ScalarKind::Boolean(value) => Content::Bool(value),
            // JSON has no dates, so a date is a string.
            ScalarKind::DateTime => Content::String(Text::Source(at)),
            ScalarKind::Float | ScalarKind::Integer(_) => Content::Number(Text::Source(at)),
        }
    }

    fn name(&self, key: &Text) -> Box<str> {
        match key {
            Text::Source(span) => self.text[span.range()].into(),
            Text::Decoded(text) => text.clone(),
        }
    }

    fn add_member(&mut self, parent: NodeId, (key, key_span): (Text, Span), node: NodeId) {
        if let Content::Object(object) = &mut self.builder.node(parent).content {
            object.members.push(Member {
                key,
                key_span,
                node,
            });
        }
    }

    /// The node that `key` names in `parent`, and the table it leads to. They differ for arrays of
    /// tables, which lead to their last table.
    fn table(&mut self, parent: NodeId, key: (Text, Span), origin: Origin) -> (NodeId, NodeId) {
        let name = self.name(&key.0);
        if let Some(table) = self.tables.get_mut(&(parent, name.clone())) {
            let may_be_there = match (origin, table.origin) {
                (Origin::Implicit, was) => !matches!(was, Origin::DottedKey(_)),
                (Origin::Header, was) => was == Origin::Implicit,
                (Origin::DottedKey(_), was) => was == origin,
                (Origin::ArrayItems, _) => false,
            };
            self.may_be_invalid |= !may_be_there;
            if origin == Origin::Header {
                table.origin = origin;
            }
            let id = table.id;
            let last = match &self.builder.node(id).content {
                Content::Array(items) => items.last().copied(),
                _ => None,
            };
            return (id, last.unwrap_or(id));
        }
        let content = Content::Object(Object::default());
        let id = self.builder.add(Some(parent), key.1, content);
        self.tables.insert((parent, name), Table { id, origin });
        self.add_member(parent, key, id);
        (id, id)
    }

    fn close_header(&mut self, end: usize) {
        let Some(header) = self.header.take() else {
            return;
        };
        let first = self.layout.keys.len();
        let mut keys = std::mem::take(&mut self.keys);
        let last = keys.pop();
        let mut table = self.root;
        for key in keys {
            let span = key.1;
            let (names, leads_to) = self.table(table, key, Origin::Implicit);
            self.layout.keys.push(TableKey {
                span,
                names,
                leads_to,
            });
            table = leads_to;
        }
        if let Some(key) = last {
            let span = key.1;
            let (names, leads_to) = if header.is_item {
                self.item(table, key, header.start)
            } else {
                self.table(table, key, Origin::Header)
            };
            self.layout.keys.push(TableKey {
                span,
                names,
                leads_to,
            });
            table = leads_to;
        }
        self.layout.sections.push(Section {
            header: Some(Span::from(header.start..end)),
            keys: first..self.layout.keys.len(),
            table,
            entries: Vec::new(),
        });
    }

    /// Adds a table to the array of tables that `key` names.
    fn item(&mut self, parent: NodeId, key: (Text, Span), start: usize) -> (NodeId, NodeId) {
        let name = self.name(&key.0);
        let array = match self.tables.get(&(parent, name.clone())).copied() {
            Some(table) => {
                self.may_be_invalid |= table.origin != Origin::ArrayItems;
                table.id
            }
            None => {
                let at = Span::at(start);
                let array = self
                    .builder
                    .add(Some(parent), at, Content::Array(Vec::new()));
                let origin = Origin::ArrayItems;
                self.tables
                    .insert((parent, name), Table { id: array, origin });
                self.add_member(parent, key, array);
                array
            }
        };
        let content = Content::Object(Object::default());
        let item = self.builder.add(Some(array), Span::at(start), content);
        if let Content::Array(items) = &mut self.builder.node(array).content {
            items.push(item);
        }
        (array, item)
    }

    /// Called after the keys before a `=` have been read. Creates the node of the value that they
    /// name.
    fn keys_are_complete(&mut self) {
        let mut keys = std::mem::take(&mut self.keys);
        let Some(last) = keys.pop() else {
            return;
        };
        let first = self.layout.keys.len();
        let start = keys.first().map_or(last.1, |it| it.1).start();
        let mut parent = match self.open.last() {
            Some(open) => open.id,
            None => self.layout.sections.last().map_or(self.root, |it| it.table),
        };
        let is_entry = self.open.is_empty();
        let is_dotted = !keys.is_empty();
        let origin = Origin::DottedKey(self.layout.sections.len());
        for key in keys {
            let span = key.1;
            let (names, leads_to) = self.table(parent, key, origin);
            self.layout.keys.push(TableKey {
                span,
                names,
                leads_to,
            });
            parent = leads_to;
        }
        let node = self.builder.add(Some(parent), last.1, Content::Null);
        let key_span = last.1;
        self.add_member(parent, last, node);
        if is_entry || is_dotted {
            self.layout.keys.push(TableKey {
                span: key_span,
                names: node,
                leads_to: node,
            });
        }
        let keys = first..self.layout.keys.len();
        match self.open.last_mut() {
            Some(open) => {
                open.member = Some(node);
                if is_dotted {
                    self.layout.dotted.insert(node, keys);
                }
            }
            None => {
                self.entry = Some(PendingEntry { start, keys, node });
            }
        }
    }

    /// Sets the node of a value: the node of the key before it, or a new item of the enclosing
    /// array.
    fn value(&mut self, at: Span, content: Content) -> NodeId {
        let id = match self.open.last_mut() {
            Some(open) => match open.member.take() {
                Some(member) => member,
                None => {
                    let array = open.id;
                    let id = self.builder.add(Some(array), at, Content::Null);
                    if let Content::Array(items) = &mut self.builder.node(array).content {
                        items.push(id);
                    }
                    id
                }
            },
            None => match &self.entry {
                Some(entry) => entry.node,
                None => return self.root,
            },
        };
        let is_whole = !matches!(content, Content::Array(_) | Content::Object(_));
        let node = self.builder.node(id);
        node.span = at;
        node.content = content;
        if is_whole {
            self.finish_entry(at.end());
        }
        id
    }

    fn open(&mut self, at: Span, content: Content) {
        let id = self.value(at, content);
        self.open.push(Open { id, member: None });
    }

    fn close(&mut self, end: usize) {
        if let Some(open) = self.open.pop() {
            let node = self.builder.node(open.id);
            node.span = Span::from(node.span.start()..end);
        }
        self.finish_entry(end);
    }

    fn finish_entry(&mut self, end: usize) {
        if !self.open.is_empty() {
            return;
        }
        if let (Some(entry), Some(section)) = (self.entry.take(), self.layout.sections.last_mut()) {
            section.entries.push(TableEntry {
                keys: entry.keys,
                span: Span::from(entry.start..end),
            });
        }
    }

    pub(super) fn finish(mut self) -> Parsed {
        // The span of a table reaches from the first key that names it to the end of its last part.
        for (value, keys) in &self.layout.dotted {
            let keys = &self.layout.keys[keys.clone()];
            let start = keys.first().map_or(0, |it| it.span.start());
            let end = self.builder.node(*value).span.end();
            for key in &keys[..keys.len().saturating_sub(1)] {
                let span = &mut self.builder.node(key.names).span;
                *span = Span::from(span.start().min(start)..span.end().max(end));
            }
        }
        for (number, section) in self.layout.sections.iter().enumerate() {
            let end = self.layout.section_end(number);
            let mut reach = |id: NodeId, start: usize, end: usize| {
                let span = &mut self.builder.node(id).span;
                *span = Span::from(span.start().min(start)..span.end().max(end));
            };
            let start = section.header.map_or(end, Span::start);
            for key in &self.layout.keys[section.keys.clone()] {
                reach(key.names, start, end);
                reach(key.leads_to, start, end);
            }
            for entry in &section.entries {
                let through = entry.keys.start..entry.keys.end.saturating_sub(1);
                for key in &self.layout.keys[through] {
                    reach(key.names, entry.span.start(), entry.span.end());
                }
            }
        }
        Parsed {
            nodes: self.builder.nodes,
            root: self.root,
            details: Details::Toml(self.layout),
        }
    }
}

/// Whether a value is in range: numbers have limits, and dates must be valid.
fn is_in_range(kind: ScalarKind, decoded: &str) -> bool {
    match kind {
        ScalarKind::String | ScalarKind::Boolean(_) => true,
        ScalarKind::DateTime => decoded.parse::<toml_edit::Datetime>().is_ok(),
        ScalarKind::Integer(radix) => i64::from_str_radix(decoded, radix.value()).is_ok(),
        ScalarKind::Float => {
            let is_word = || decoded.ends_with("inf");
            decoded
                .parse::<f64>()
                .is_ok_and(|it| !it.is_infinite() || is_word())
        }
    }
}
