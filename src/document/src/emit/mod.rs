//! From the changes of an overlay to byte edits of the document's text.
//!
//! Nothing is printed anew but what is new. A container whose members come and go keeps the bytes of
//! those that stay, of the comments between them and of its brackets or indentation.

mod block;
mod flow;
mod place;
mod render;
mod tables;

use fixpoint_text::Span;

use crate::format::Format;
use crate::overlay::{Changes, Overlay};
use crate::toml::Places;
use crate::tree::{Content, Details, Document, NodeId};
use crate::value::Value;
use place::{Comments, Lines};
use render::Style;

/// One replaced range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub span: Span,
    pub text: String,
}

/// The edits that lead from the document's text to one that says what the overlay says, ascending,
/// none touching another.
pub(crate) fn emit(overlay: &Overlay<'_>) -> Vec<Patch> {
    let document = overlay.document();
    let mut emitter = Emitter {
        overlay,
        document,
        lines: Lines::new(document.text()),
        style: Style::of(document),
        patches: Vec::new(),
    };
    match &document.details {
        Details::Toml(layout) => {
            let places = Places::of(layout, &overlay.concerned());
            emitter.root_table(&places);
        }
        _ => emitter.documents(),
    }
    joined(emitter.patches, document.text())
}

pub(crate) struct Emitter<'o, 'd> {
    overlay: &'o Overlay<'d>,
    document: &'d Document,
    lines: Lines<'d>,
    style: Style,
    patches: Vec<Patch>,
}

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Inside of brackets.
    pub in_flow: bool,
    /// Behind the `:`, `-` or `---` in front of it; nothing for a key that stands alone.
    pub indicator: Option<usize>,
    pub role: Role,
    /// The column of the entry it is the value of.
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Root,
    Member,
    Item,
}

impl Emitter<'_, '_> {
    fn text(&self) -> &str {
        self.document.text()
    }

    fn patch(&mut self, span: impl Into<Span>, text: impl Into<String>) {
        self.patches.push(Patch {
            span: span.into(),
            text: text.into(),
        });
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.patch(at..at, text);
    }

    fn delete(&mut self, span: impl Into<Span>) {
        self.patch(span, "");
    }

    fn comments(&self) -> Comments {
        match self.document.format() {
            Format::Json => Comments::None,
            Format::Jsonc => Comments::Slashes,
            Format::Yaml | Format::Toml => Comments::Hash,
        }
    }

    fn changes(&self, id: NodeId) -> Option<Changes> {
        self.overlay.changes(id)
    }

    fn value(&self, id: NodeId) -> Value {
        self.overlay.value(id)
    }

    /// JSON, or YAML: each document of the file.
    fn documents(&mut self) {
        let document = self.document;
        let roots: Vec<NodeId> = document.documents().map(|it| it.id()).collect();
        for root in roots {
            let start = document.data(root).span.start();
            let slot = Slot {
                in_flow: document.format() != Format::Yaml,
                indicator: self.lines.marker_before(start),
                role: Role::Root,
                column: 0,
            };
            self.walk(root, slot);
        }
    }

    /// Emits the changes at and under a node of the document that stays.
    fn walk(&mut self, id: NodeId, slot: Slot) {
        if !self.overlay.is_touched(id) {
            return;
        }
        if self.overlay.is_replaced(id) {
            self.replace(id, slot);
            return;
        }
        match self.shape(id) {
            Shape::Flow { open } => self.flow(id, open),
            Shape::Block if !slot.in_flow => self.block(id, slot),
            Shape::Block if self.only_values_change(id) => self.walk_values(id),
            // A pair without braces in a flow sequence, or keys with dots in an inline table.
            Shape::Block => self.replace(id, slot),
        }
    }

    fn members(&self, id: NodeId) -> Vec<NodeId> {
        match &self.document.data(id).content {
            Content::Object(object) => object.members.iter().map(|it| it.node).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a node is a table that only keys with dots name, inside of an inline one.
    fn is_dotted(&self, id: NodeId) -> bool {
        let data = self.document.data(id);
        let first = self.text().as_bytes().get(data.span.start());
        matches!(data.content, Content::Object(_)) && first != Some(&b'{')
    }

    /// Whether the keys of an inline table stay, those with dots and all: then its values can be changed
    /// where they stand.
    fn only_values_change(&self, id: NodeId) -> bool {
        self.document.format() == Format::Toml
            && self.changes(id).is_none()
            && !self.overlay.is_replaced(id)
            && self
                .members(id)
                .into_iter()
                .filter(|it| self.is_dotted(*it))
                .all(|it| self.only_values_change(it))
    }

    fn walk_values(&mut self, id: NodeId) {
        for member in self.members(id) {
            if self.is_dotted(member) {
                self.walk_values(member);
                continue;
            }
            let slot = Slot {
                in_flow: true,
                indicator: None,
                role: Role::Member,
                column: 0,
            };
            self.walk(member, slot);
        }
    }

    fn replace(&mut self, id: NodeId, slot: Slot) {
        if slot.in_flow {
            self.replace_in_flow(id, slot);
        } else {
            self.replace_in_block(id, slot);
        }
    }

    fn shape(&self, id: NodeId) -> Shape {
        let data = self.document.data(id);
        let body = match &self.document.details {
            Details::Yaml(details) => match details.properties.get(&id) {
                Some(properties) => self.lines.skip(properties.end(), Comments::Hash),
                None => data.span.start(),
            },
            _ => data.span.start(),
        };
        let first = self.text().as_bytes().get(body);
        let is_flow = match &data.content {
            Content::Array(_) => first == Some(&b'['),
            Content::Object(object) => {
                let key = object.members.first().map(|it| it.key_span.start());
                first == Some(&b'{') && key.is_none_or(|key| key > body) && !self.has_dots(id)
            }
            _ => false,
        };
        if is_flow {
            Shape::Flow { open: body }
        } else {
            Shape::Block
        }
    }

    /// Whether a member of an inline table of TOML is written `a.b = 1`.
    fn has_dots(&self, id: NodeId) -> bool {
        let Content::Object(object) = &self.document.data(id).content else {
            return false;
        };
        self.document.format() == Format::Toml
            && object.members.iter().any(|member| {
                let after = self.lines.skip(member.key_span.end(), Comments::Hash);
                self.text().as_bytes().get(after) == Some(&b'.')
            })
    }
}

enum Shape {
    /// In brackets, which open there.
    Flow {
        open: usize,
    },
    Block,
}

/// Puts patches in order and joins those that touch. What one of them deletes the other may too.
fn joined(mut patches: Vec<Patch>, text: &str) -> Vec<Patch> {
    // What goes in before a range goes before what replaces it.
    patches.sort_by_key(|patch| (patch.span.start(), !patch.span.is_empty()));
    let mut joined: Vec<Patch> = Vec::with_capacity(patches.len());
    for patch in patches {
        match joined.last_mut() {
            Some(last) if patch.span.start() <= last.span.end() => {
                let end = last.span.end().max(patch.span.end());
                last.span = Span::from(last.span.start()..end);
                last.text.push_str(&patch.text);
            }
            _ => joined.push(patch),
        }
    }
    joined.retain(|patch| text.get(patch.span.range()) != Some(&patch.text));
    joined
}
