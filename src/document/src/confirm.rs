//! Checks that an edited text contains exactly the changes that the ops ask for.

use crate::format::Format;
use crate::number::Number;
use crate::overlay::Overlay;
use crate::parse::event::{Event, Events};
use crate::parse::{json, yaml_events::YamlEvents};
use crate::tree::{Content, Details, Document, Node, NodeId};
use crate::value::Value;

/// Whether `text` is the document of `overlays` with all overlays applied.
pub(crate) fn matches_overlays(text: String, overlays: &[&Overlay<'_>]) -> bool {
    let Some(before) = overlays.first().map(|it| it.document()) else {
        return true;
    };
    events_match(&text, before, overlays)
        || Document::parse_edited(before.format(), text)
            .is_ok_and(|after| tree_matches(&after, overlays))
}

/// A fast check that does not build a tree, because building one takes longer than parsing. `false`
/// means that the result is unknown.
fn events_match(text: &str, before: &Document, overlays: &[&Overlay<'_>]) -> bool {
    let mut walk = match (before.format(), &before.details) {
        (format @ (Format::Json | Format::Jsonc), _) => Walk {
            before,
            events: Box::new(json::Reader::new(format, text)),
        },
        (Format::Yaml, Details::Yaml(details))
            if details.aliases.is_empty() && !details.is_stream =>
        {
            Walk {
                before,
                events: Box::new(YamlEvents::new(text)),
            }
        }
        _ => return false,
    };
    let first = walk.events.next();
    first.is_some_and(|first| walk.same(first, overlays, before.root) == Some(true))
        && walk.events.next() == Some(Event::End)
}

/// Walks through a document and its edited text in parallel.
struct Walk<'b, 't> {
    before: &'b Document,
    events: Box<dyn Events<'t> + 't>,
}

impl<'t> Walk<'_, 't> {
    /// Whether the value that starts with `event` is the new value of a node. `None` if the events
    /// do not allow an answer.
    fn same(&mut self, event: Event<'t>, overlays: &[&Overlay<'_>], id: NodeId) -> Option<bool> {
        let touching = touching(overlays, id);
        if touching.is_empty() {
            return self.same_tree(&event, id);
        }
        if let Some(overlay) = touching.iter().find(|it| it.is_replaced(id)) {
            return Some(self.value(event)? == overlay.value(id));
        }
        let is_object = match (&self.before.data(id).content, event) {
            (Content::Array(_), Event::Array) => false,
            (Content::Object(_), Event::Object) => true,
            _ => return Some(false),
        };
        for (key, child) in children(self.before, &touching, id) {
            if is_object && self.events.next()? != Event::Key(key.into()) {
                return Some(false);
            }
            let first = self.events.next()?;
            let is_same = match child {
                Child::Kept(node) => self.same(first, &touching, node)?,
                Child::Fresh(value) => self.value(first)? == value,
            };
            if !is_same {
                return Some(false);
            }
        }
        Some(self.events.next()? == Event::Close)
    }

    fn same_tree(&mut self, event: &Event<'t>, id: NodeId) -> Option<bool> {
        let before = self.before;
        Some(match (&before.data(id).content, event) {
            (Content::Null, Event::Null) => true,
            (Content::Bool(a), Event::Bool(b)) => a == b,
            (Content::Number(a), Event::Number(b)) | (Content::String(a), Event::String(b)) => {
                before.str(a) == b
            }
            (Content::Array(items), Event::Array) => {
                for item in items {
                    let first = self.events.next()?;
                    if !self.same_tree(&first, *item)? {
                        return Some(false);
                    }
                }
                self.events.next()? == Event::Close
            }
            (Content::Object(object), Event::Object) => {
                for member in &object.members {
                    match self.events.next()? {
                        Event::Key(key) if before.str(&member.key) == key => {}
                        _ => return Some(false),
                    }
                    let first = self.events.next()?;
                    if !self.same_tree(&first, member.node)? {
                        return Some(false);
                    }
                }
                self.events.next()? == Event::Close
            }
            _ => false,
        })
    }

    /// The whole value that starts with `event`. Its depth is limited.
    fn value(&mut self, event: Event<'t>) -> Option<Value> {
        Some(match event {
            Event::Null => Value::Null,
            Event::Bool(value) => Value::Bool(value),
            Event::Number(written) => Value::Number(Number::written(&*written)),
            Event::String(text) => Value::String(text.into_owned()),
            Event::Array => {
                let mut items = Vec::new();
                loop {
                    match self.events.next()? {
                        Event::Close => break Value::Array(items),
                        first => items.push(self.value(first)?),
                    }
                }
            }
            Event::Object => {
                let mut members = Vec::new();
                loop {
                    match self.events.next()? {
                        Event::Key(key) => {
                            let first = self.events.next()?;
                            members.push((key.into_owned(), self.value(first)?));
                        }
                        _ => break Value::Object(members),
                    }
                }
            }
            Event::Key(_) | Event::Close | Event::End => return None,
        })
    }
}

/// Whether `after` is the document of `overlays` with all overlays applied.
fn tree_matches(after: &Document, overlays: &[&Overlay<'_>]) -> bool {
    match overlays.first() {
        Some(first) => {
            let before = first.document();
            before.is_stream() == after.is_stream()
                && same(after.root(), before, overlays, before.root)
        }
        None => true,
    }
}

/// An expected member or item.
enum Child {
    Kept(NodeId),
    Fresh(Value),
}

/// The overlays that change a node or a part of it.
fn touching<'o, 'd>(overlays: &[&'o Overlay<'d>], id: NodeId) -> Vec<&'o Overlay<'d>> {
    let overlays = overlays.iter().copied();
    overlays.filter(|overlay| overlay.is_touched(id)).collect()
}

fn same(after: Node<'_>, before: &Document, overlays: &[&Overlay<'_>], id: NodeId) -> bool {
    let touching = touching(overlays, id);
    if touching.is_empty() {
        return same_tree(after, before.node(id));
    }
    if let Some(overlay) = touching.iter().find(|it| it.is_replaced(id)) {
        return after.value() == overlay.value(id);
    }
    let expected = children(before, &touching, id);
    let matches = |after: Node<'_>, child: &Child| match child {
        Child::Kept(node) => same(after, before, &touching, *node),
        Child::Fresh(value) => after.value() == *value,
    };
    match &before.data(id).content {
        Content::Array(_) => {
            let items = after.items();
            items.len() == expected.len()
                && after.kind() == before.node(id).kind()
                && items
                    .zip(&expected)
                    .all(|(item, (_, child))| matches(item, child))
        }
        Content::Object(_) => {
            let members = after.members();
            if members.len() != expected.len() || after.kind() != before.node(id).kind() {
                return false;
            }
            let in_order = after
                .members()
                .zip(&expected)
                .all(|(member, (key, _))| member.key == key);
            if in_order {
                return members
                    .zip(&expected)
                    .all(|(member, (_, child))| matches(member.value, child));
            }
            expected.iter().all(|(key, child)| {
                let member = after.get(key);
                member.is_some_and(|member| matches(member.value, child))
            })
        }
        _ => false,
    }
}

/// The expected children of a container after all overlays are applied, with their keys. Array
/// items have an empty key.
fn children(before: &Document, overlays: &[&Overlay<'_>], id: NodeId) -> Vec<(String, Child)> {
    let base: Vec<(String, NodeId)> = match &before.data(id).content {
        Content::Array(items) => items.iter().map(|it| (String::new(), *it)).collect(),
        Content::Object(object) => {
            let members = object.members.iter();
            members
                .map(|it| (before.str(&it.key).to_owned(), it.node))
                .collect()
        }
        _ => Vec::new(),
    };
    let mut stays = vec![true; base.len()];
    let mut keys: Vec<String> = base.iter().map(|it| it.0.clone()).collect();
    // The new children by position: entry `i` comes after the first `i` children of the document.
    // If two overlays add at the same position, they add the same; otherwise they conflict.
    let mut fresh: Vec<Vec<(String, Value)>> = vec![Vec::new(); base.len() + 1];
    for overlay in overlays {
        let Some(changes) = overlay.changes(id) else {
            continue;
        };
        for (place, kept) in changes.stays.iter().enumerate() {
            stays[place] &= kept;
        }
        for (place, key) in changes.renamed {
            keys[place] = key;
        }
        let mut own: Vec<Vec<(String, Value)>> = vec![Vec::new(); base.len() + 1];
        for (place, key, node) in changes.fresh {
            own[place].push((key.unwrap_or_default(), overlay.value(node)));
        }
        for (all, own) in fresh.iter_mut().zip(own) {
            if *all != own {
                all.extend(own);
            }
        }
    }
    let mut expected = Vec::new();
    let mut fresh = fresh.into_iter();
    for ((key, stays), (_, node)) in keys.into_iter().zip(stays).zip(base) {
        let new = fresh.next().unwrap_or_default();
        expected.extend(
            new.into_iter()
                .map(|(key, value)| (key, Child::Fresh(value))),
        );
        if stays {
            expected.push((key, Child::Kept(node)));
        }
    }
    let last = fresh.next().unwrap_or_default();
    expected.extend(
        last.into_iter()
            .map(|(key, value)| (key, Child::Fresh(value))),
    );
    expected
}

/// Whether two trees are equal. The order of members is significant, since no op moves them.
fn same_tree(a: Node<'_>, b: Node<'_>) -> bool {
    a.kind() == b.kind()
        && a.as_str() == b.as_str()
        && a.as_bool() == b.as_bool()
        && same_number(a, b)
        && a.items().len() == b.items().len()
        && a.items().zip(b.items()).all(|(a, b)| same_tree(a, b))
        && a.members().len() == b.members().len()
        && a.members()
            .zip(b.members())
            .all(|(a, b)| a.key == b.key && same_tree(a.value, b.value))
}

fn same_number(a: Node<'_>, b: Node<'_>) -> bool {
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => a.as_written() == b.as_written(),
        (a, b) => a.is_none() && b.is_none(),
    }
}
