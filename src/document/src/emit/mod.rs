//! Turns the changes of an overlay into byte edits of the document's text.
//!
//! Only new values are printed. A container whose members change keeps the bytes of the remaining
//! members, of the comments between them, and of its brackets or indentation.

mod block;
mod dotted;
mod flow;
mod place;
mod removal;
mod render;
mod sections;
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

/// The edits that turn the document's text into the text of the overlay. They are ascending, and no
/// two of them touch.
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
            let places = Places::of(layout, &overlay.affected_nodes());
            emitter.root_table(&places);
        }
        _ => emitter.documents(),
    }
    let (lines, newline) = (emitter.lines, emitter.style.newline);
    let mut patches = joined(emitter.patches);
    patches
        .iter_mut()
        .for_each(|it| leave_no_blank_line(it, lines));
    let mut patches = joined(patches);
    keep_final_newline(&mut patches, document.text(), newline);
    patches.retain(|patch| document.text().get(patch.span.range()) != Some(&patch.text));
    patches
}

pub(crate) struct Emitter<'o, 'd> {
    overlay: &'o Overlay<'d>,
    document: &'d Document,
    lines: Lines<'d>,
    style: Style,
    patches: Vec<Patch>,
}

/// The context in which a value is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Whether the value is inside of brackets.
    pub in_flow: bool,
    /// The offset after the `:`, `-` or `---` before the value; `None` for a key without a `:`.
    pub indicator: Option<usize>,
    pub role: Role,
    /// The column of the entry that the value belongs to.
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

    /// Emits the changes of each document of a JSON or YAML file.
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

    /// Emits the changes at and below a node that is not removed.
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
            Shape::Block => self.pair(id, slot),
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
                first == Some(&b'{') && key.is_none_or(|key| key > body)
            }
            _ => false,
        };
        if is_flow {
            Shape::Flow { open: body }
        } else {
            Shape::Block
        }
    }
}

enum Shape {
    /// In brackets; `open` is the offset of the opening bracket.
    Flow {
        open: usize,
    },
    Block,
}

/// Sorts patches and joins those that touch or overlap. Two patches may delete the same bytes.
fn joined(mut patches: Vec<Patch>) -> Vec<Patch> {
    // An insertion at the start of a replaced range comes before its replacement.
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
    joined
}

/// Extends a deletion that would leave a blank line, or blank lines at the start of the text, so
/// that it deletes the line too.
fn leave_no_blank_line(patch: &mut Patch, lines: Lines<'_>) {
    let (start, end) = (patch.span.start(), patch.span.end());
    let after = lines.over_blanks(end);
    if !patch.text.is_empty() || patch.span.is_empty() || !lines.is_break(after) {
        return;
    }
    let is_within_lines = !lines.is_break(start) && lines.start(end) < end;
    if lines.is_beginning(start) || (is_within_lines && lines.is_first(start)) {
        patch.span = Span::from(lines.start(start)..lines.over_break(after));
    }
}

/// Keeps the presence or absence of the final newline when an edit reaches the end of the text.
fn keep_final_newline(patches: &mut Vec<Patch>, text: &str, newline: &str) {
    const BREAKS: [char; 2] = ['\r', '\n'];
    let is_empty = |it: &str| it.trim_start_matches('\u{feff}').is_empty();
    let reaches_end = |it: &mut Patch| it.span.end() == text.len() && !is_empty(text);
    let Some(mut last) = patches.pop_if(reaches_end) else {
        return;
    };
    if text.ends_with('\n') {
        let kept = &text[..last.span.start()];
        let tail = if last.text.is_empty() {
            kept
        } else {
            &last.text
        };
        if !tail.ends_with('\n') && !is_empty(tail) {
            last.text.push_str(newline);
        }
        return patches.push(last);
    }
    loop {
        last.text.truncate(last.text.trim_end_matches(BREAKS).len());
        if !last.text.is_empty() {
            break;
        }
        let start = patches.last().map_or(0, |it| it.span.end());
        let kept = text[start..last.span.start()].trim_end_matches(BREAKS);
        last.span = Span::from(start + kept.len()..text.len());
        match patches.pop_if(|_| kept.is_empty()) {
            Some(before) => {
                last.span = Span::from(before.span.start()..text.len());
                last.text = before.text;
            }
            None => break,
        }
    }
    patches.push(last);
}
