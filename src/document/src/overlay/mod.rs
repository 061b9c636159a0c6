//! The changes that the ops of one action make to one document, before anything is written. The
//! overlay is sparse and the document does not change. Each op sees the result of the ops before
//! it.

mod apply;
mod check;

use std::collections::{HashMap, HashSet};

pub(crate) use check::toml_number;

use crate::tree::{Content, Details, Document, DuplicateKey, NodeId};
use crate::value::{Kind, Value};

#[derive(Debug)]
pub(crate) struct Overlay<'d> {
    document: &'d Document,
    /// The new content of document nodes that have changed.
    changed: HashMap<NodeId, Edited>,
    /// The document nodes whose whole value was replaced.
    replaced: HashSet<NodeId>,
    /// New nodes. Their ids continue after those of the document.
    fresh: Vec<Edited>,
    /// The document nodes with a change at or below them.
    touched: HashSet<NodeId>,
    /// The document nodes that were removed or replaced. Their descendants are gone too.
    gone: HashSet<NodeId>,
    /// The targets of aliases. `around_repeated` also contains their ancestors.
    repeated: HashSet<NodeId>,
    around_repeated: HashSet<NodeId>,
}

/// A changed or new value.
#[derive(Debug)]
pub(crate) enum Edited {
    Scalar(Value),
    Array(Vec<NodeId>),
    Object(EditedObject),
}

/// A changed or new object. Removed members leave a gap, so that the document's members keep their
/// positions. New members follow them.
#[derive(Debug, Default)]
pub(crate) struct EditedObject {
    pub members: Vec<Option<EditedMember>>,
    /// For each key, its position and the number of occurrences.
    index: HashMap<String, (usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct EditedMember {
    pub key: String,
    /// Whether the document has a different key at this position.
    pub renamed: bool,
    pub node: NodeId,
}

impl EditedObject {
    pub(crate) fn live(&self) -> impl Iterator<Item = &EditedMember> {
        self.members.iter().flatten()
    }

    fn push(&mut self, key: String, node: NodeId) {
        let place = self.members.len();
        let entry = self.index.entry(key.clone()).or_insert((place, 0));
        entry.1 += 1;
        self.members.push(Some(EditedMember {
            key,
            renamed: false,
            node,
        }));
    }

    fn remove(&mut self, key: &str, place: usize) {
        self.index.remove(key);
        if let Some(member) = self.members.get_mut(place) {
            *member = None;
        }
    }

    fn rename(&mut self, from: &str, to: &str, place: usize) {
        self.index.remove(from);
        self.index.insert(to.to_owned(), (place, 1));
        if let Some(Some(member)) = self.members.get_mut(place) {
            to.clone_into(&mut member.key);
            member.renamed = true;
        }
    }

    fn place(&self, key: &str) -> Result<Option<usize>, DuplicateKey> {
        match self.index.get(key) {
            Some((place, 1)) => Ok(Some(*place)),
            Some(_) => Err(DuplicateKey),
            None => Ok(None),
        }
    }
}

/// The changes to the members or items of a container.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// For each child in the document, whether it is kept.
    pub stays: Vec<bool>,
    pub renamed: Vec<(usize, String)>,
    /// New children: the number of document children before it, its key, and its node.
    pub fresh: Vec<(usize, Option<String>, NodeId)>,
}

impl Changes {
    pub(crate) fn is_empty_after(&self) -> bool {
        self.fresh.is_empty() && !self.stays.contains(&true)
    }
}

/// The content of a node, unchanged or changed.
pub(crate) enum View<'a> {
    Base(&'a Content),
    Edited(&'a Edited),
}

/// The nodes from the root to the target of a pointer, inclusive.
struct Path(Vec<NodeId>);

impl Path {
    fn last(&self) -> NodeId {
        self.0.last().copied().unwrap_or(NodeId(0))
    }
}

impl<'d> Overlay<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        let mut repeated = HashSet::new();
        let mut around_repeated = HashSet::new();
        if let Details::Yaml(details) = &document.details {
            for (_, target) in &details.aliases {
                repeated.insert(*target);
                let mut at = Some(*target);
                while let Some(id) = at.filter(|id| around_repeated.insert(*id)) {
                    at = document.data(id).parent;
                }
            }
        }
        Self {
            document,
            changed: HashMap::new(),
            replaced: HashSet::new(),
            fresh: Vec::new(),
            touched: HashSet::new(),
            gone: HashSet::new(),
            repeated,
            around_repeated,
        }
    }

    pub(crate) fn document(&self) -> &'d Document {
        self.document
    }

    /// Whether anything changes at or below a document node.
    pub(crate) fn is_touched(&self, id: NodeId) -> bool {
        self.touched.contains(&id)
    }

    /// Whether the whole value of a document node was replaced.
    pub(crate) fn is_replaced(&self, id: NodeId) -> bool {
        self.replaced.contains(&id)
    }

    /// The new content of a document node, if it has changed.
    pub(crate) fn change(&self, id: NodeId) -> Option<&Edited> {
        self.changed.get(&id)
    }

    pub(crate) fn is_fresh(&self, id: NodeId) -> bool {
        id.0 as usize >= self.document.nodes.len()
    }

    pub(crate) fn view(&self, id: NodeId) -> View<'_> {
        if let Some(place) = (id.0 as usize).checked_sub(self.document.nodes.len()) {
            return View::Edited(&self.fresh[place]);
        }
        match self.changed.get(&id) {
            Some(edited) => View::Edited(edited),
            None => {
                let resolved = self.document.resolved(id);
                View::Base(&self.document.data(resolved).content)
            }
        }
    }

    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        match self.view(id) {
            View::Edited(Edited::Scalar(value)) => value.kind(),
            View::Edited(Edited::Array(_)) => Kind::Array,
            View::Edited(Edited::Object(_)) => Kind::Object,
            View::Base(_) => self.document.node(id).kind(),
        }
    }

    /// The whole value of a node. Its depth is limited.
    pub(crate) fn value(&self, id: NodeId) -> Value {
        match self.view(id) {
            View::Edited(Edited::Scalar(value)) => value.clone(),
            View::Edited(Edited::Array(items)) => {
                Value::Array(items.iter().map(|item| self.value(*item)).collect())
            }
            View::Edited(Edited::Object(object)) => {
                let members = object.live();
                let members = members.map(|it| (it.key.clone(), self.value(it.node)));
                Value::Object(members.collect())
            }
            View::Base(_) if self.is_fresh(id) || !self.is_touched(id) => {
                self.document.node(id).value()
            }
            View::Base(Content::Array(items)) => {
                Value::Array(items.iter().map(|item| self.value(*item)).collect())
            }
            View::Base(Content::Object(object)) => {
                let members = object.members.iter();
                let members =
                    members.map(|it| (self.document.str(&it.key).to_owned(), self.value(it.node)));
                Value::Object(members.collect())
            }
            View::Base(_) => self.document.node(id).value(),
        }
    }

    /// The members or items of a document node that are kept, renamed or new. `None` if the node is
    /// unchanged or replaced.
    pub(crate) fn changes(&self, id: NodeId) -> Option<Changes> {
        if self.is_replaced(id) {
            return None;
        }
        let mut changes = Changes::default();
        match (self.changed.get(&id)?, &self.document.data(id).content) {
            (Edited::Array(items), Content::Array(base)) => {
                changes.stays = vec![false; base.len()];
                let mut place = 0;
                for item in items {
                    if self.is_fresh(*item) {
                        changes.fresh.push((place, None, *item));
                        continue;
                    }
                    while base.get(place).is_some_and(|it| it != item) {
                        place += 1;
                    }
                    if let Some(stays) = changes.stays.get_mut(place) {
                        *stays = true;
                    }
                    place += 1;
                }
            }
            (Edited::Object(object), Content::Object(base)) => {
                let count = base.members.len();
                for (place, member) in object.members.iter().enumerate() {
                    match member {
                        _ if place < count => {
                            changes.stays.push(member.is_some());
                            let renamed = member.as_ref().filter(|it| it.renamed);
                            if let Some(member) = renamed {
                                changes.renamed.push((place, member.key.clone()));
                            }
                        }
                        Some(member) => {
                            let key = Some(member.key.clone());
                            changes.fresh.push((count, key, member.node));
                        }
                        None => {}
                    }
                }
            }
            _ => return None,
        }
        Some(changes)
    }

    /// The changed document nodes in ascending order, except those inside of removed or replaced
    /// nodes.
    pub(crate) fn changed_nodes(&self) -> Vec<NodeId> {
        let is_gone = |id: NodeId| self.ancestors(id).skip(1).any(|it| self.gone.contains(&it));
        let changed = self.changed.keys().copied();
        let mut nodes: Vec<NodeId> = changed.filter(|id| !is_gone(*id)).collect();
        nodes.sort_unstable();
        nodes
    }

    /// A document node and its ancestors.
    fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.document.data(*id).parent)
    }

    /// Whether two overlays of one document can be combined: neither changes what the other removes
    /// or replaces, and they have no changed array in common.
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        let spares = |one: &Self, other: &Self| one.gone.is_disjoint(&other.touched);
        let is_object = |id: &NodeId| {
            !other.changed.contains_key(id) || matches!(self.changed[id], Edited::Object(_))
        };
        spares(self, other) && spares(other, self) && self.changed.keys().all(is_object)
    }

    /// The document nodes with a change at or below them, and the children of changed nodes.
    pub(crate) fn affected_nodes(&self) -> HashSet<NodeId> {
        let mut affected = self.touched.clone();
        for id in self.changed_nodes() {
            match &self.document.data(id).content {
                Content::Array(items) => affected.extend(items),
                Content::Object(object) => affected.extend(object.members.iter().map(|it| it.node)),
                _ => {}
            }
        }
        affected
    }
}
