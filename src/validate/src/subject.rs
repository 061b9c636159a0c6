//! The document under check: its values as checks read them, and their byte spans.

use fixpoint_document::{Change, Document, Entry, Format, Kind, Node, Number, Op, Pointer};
use fixpoint_text::Span;
use serde_json::{Map, Value};

use crate::finding::Marks;

/// One document of a file. A YAML stream has several.
pub(crate) struct Subject<'d> {
    /// The position in the file. It is empty except in a stream.
    pub base: Pointer,
    pub node: Node<'d>,
    pub value: Value,
    pub format: Format,
    text: &'d str,
    has_duplicate_keys: bool,
}

impl<'d> Subject<'d> {
    /// Every document of a file.
    pub fn all(document: &'d Document) -> Vec<Self> {
        let is_stream = document.is_stream();
        let documents = document.documents().enumerate();
        documents
            .map(|(index, node)| {
                let mut has_duplicate_keys = false;
                Self {
                    base: match is_stream {
                        true => Pointer::root().join(index.to_string()),
                        false => Pointer::root(),
                    },
                    node,
                    value: plain_noting(node, &mut has_duplicate_keys),
                    format: document.format(),
                    text: document.text(),
                    has_duplicate_keys,
                }
            })
            .collect()
    }

    /// The members whose key already occurs earlier in the same object. An object is not searched again
    /// where an alias refers to it.
    pub fn duplicate_keys(&self) -> Vec<(Pointer, Entry<'d>)> {
        if !self.has_duplicate_keys {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut open = vec![(Pointer::root(), self.node)];
        while let Some((at, node)) = open.pop() {
            let twice = node.duplicate_keys().into_iter();
            found.extend(twice.map(|it| (at.join(it.key), it)));
            let items = node.items().enumerate();
            let items = items.map(|(index, item)| (at.join(index.to_string()), item));
            let members = node.members().map(|it| (at.join(it.key), it.value));
            open.extend(items.chain(members).filter(|(_, node)| !node.is_alias()));
        }
        found
    }

    /// Converts a pointer within this document to one within the file.
    pub fn in_file(&self, pointer: &Pointer) -> Pointer {
        let tokens = self.base.tokens().iter().chain(pointer.tokens());
        tokens.map(String::as_str).collect()
    }

    pub fn node_at(&self, pointer: &Pointer) -> Option<Node<'d>> {
        let mut node = self.node;
        for token in pointer.tokens() {
            node = match token.parse::<usize>() {
                Ok(index) if node.items().len() > 0 => node.items().nth(index)?,
                _ => node.get(token)?.value,
            };
        }
        Some(node)
    }

    /// The source text of a value.
    pub fn written(&self, node: Node<'_>) -> &'d str {
        self.text.get(node.span().range()).unwrap_or_default()
    }

    /// Whether a YAML object includes the members of others with the merge key `<<`, so that it has
    /// more members than its own.
    pub fn is_merged(&self, object: Node<'_>) -> bool {
        object.get("<<").is_some_and(|it| {
            let is_bare = self.text.get(it.key_span.range()) == Some("<<");
            is_bare && matches!(it.value.kind(), Kind::Array | Kind::Object)
        })
    }

    /// Whether an operation avoids values that only the reader of the document can interpret:
    /// objects with a merge key, and values with a tag.
    pub fn can_judge(&self, op: &Op) -> bool {
        let tokens = op.json_pointer.tokens().iter();
        let tokens = tokens.skip(self.base.tokens().len());
        let at: Pointer = tokens.map(String::as_str).collect();
        let Some(node) = self.node_at(&at) else {
            return true;
        };
        match &op.change {
            Change::AddValue { .. } | Change::RemoveKey { .. } | Change::RenameKey { .. } => {
                !self.is_merged(node)
            }
            Change::ReplaceValue { .. } => !node.has_tag(),
            Change::ReplaceArrayItem { index, .. } => {
                !node.items().nth(*index).is_some_and(Node::has_tag)
            }
            Change::InsertArrayItem { .. } | Change::RemoveArrayItem { .. } => true,
        }
    }

    /// Whether the source text of a value may contain a comment. Text that only looks like a
    /// comment counts too.
    pub fn may_hold_comments(&self, node: Node<'_>) -> bool {
        let text = self.written(node);
        text.contains('#') || text.contains("//") || text.contains("/*")
    }

    /// The bytes that a finding marks.
    pub fn span(&self, pointer: &Pointer, marks: Marks) -> Span {
        let key_span = || {
            let (parent, key) = pointer.split_last()?;
            Some(self.node_at(&parent)?.get(key)?.key_span)
        };
        let node = self.node_at(pointer);
        let is_scalar = node.is_some_and(|it| !matches!(it.kind(), Kind::Array | Kind::Object));
        match (marks, node) {
            (Marks::Exactly(span), _) => span,
            (Marks::Value, Some(node)) if is_scalar && !node.span().is_empty() => node.span(),
            _ => key_span()
                .or_else(|| node.map(|it| Span::at(it.span().start())))
                .unwrap_or(Span::at(0)),
        }
    }
}

/// The value as `serde_json` represents it. A number that is too large becomes the nearest one that
/// fits. A number that JSON does not have becomes null, which no schema accepts as a number.
pub(crate) fn plain(node: Node<'_>) -> Value {
    plain_noting(node, &mut false)
}

/// Like [`plain`]. Also sets `has_duplicate_keys` if a key occurs twice in one of the objects.
fn plain_noting(node: Node<'_>, has_duplicate_keys: &mut bool) -> Value {
    if let Some(text) = node.as_str() {
        return Value::String(text.to_owned());
    }
    if let Some(number) = node.as_number() {
        return plain_number(&number);
    }
    if let Some(value) = node.as_bool() {
        return Value::Bool(value);
    }
    match node.kind() {
        Kind::Array => node
            .items()
            .map(|it| plain_noting(it, has_duplicate_keys))
            .collect(),
        Kind::Object => {
            let members = node.members();
            let count = members.len();
            let members = members.map(|it| {
                let value = plain_noting(it.value, has_duplicate_keys);
                (it.key.to_owned(), value)
            });
            let members: Map<String, Value> = members.collect();
            *has_duplicate_keys |= members.len() < count;
            Value::Object(members)
        }
        _ => Value::Null,
    }
}

fn plain_number(number: &Number) -> Value {
    let read = number
        .to_json()
        .and_then(|json| serde_json::from_str::<Value>(&json).ok());
    read.unwrap_or_else(|| {
        let nearest = number.to_f64().clamp(f64::MIN, f64::MAX);
        serde_json::Number::from_f64(nearest).map_or(Value::Null, Value::Number)
    })
}
