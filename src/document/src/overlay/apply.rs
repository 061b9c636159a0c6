//! Applies ops one after the other. All checks of an op run before it changes anything.

use super::check::duplicate;
use super::{Edited, EditedObject, Overlay, Path, View};
use crate::action::{Change, Op};
use crate::error::{Problem, Reason, quoted, shown};
use crate::format::Format;
use crate::pointer::{Pointer, array_index};
use crate::tree::{Content, DuplicateKey, LookupError, Missing, NodeId};
use crate::value::{Kind, Value};

impl Overlay<'_> {
    /// Applies one op. If it fails, nothing changes.
    pub(crate) fn apply(&mut self, op: &Op) -> Result<(), Problem> {
        if let Some(expects) = &op.expects {
            self.check_expectation(expects, &op.subject())?;
        }
        let path = self.find(&op.json_pointer)?;
        let target = path.last();
        match &op.change {
            Change::ReplaceValue { value } => self.replace(&path, value),
            Change::AddValue { key, value } => {
                self.check_kind(target, Kind::Object)?;
                match self.member(target, key) {
                    Ok(None) => {}
                    Ok(Some(place)) => {
                        let found = shown(&self.value(self.member_node(target, place)));
                        let expected = format!("no key {} yet", quoted(key));
                        return Err(Problem::new(Reason::KeyExists, expected, found));
                    }
                    Err(DuplicateKey) => return Err(duplicate(key)),
                }
                self.check_value(value, &path.0)?;
                self.check_writable(&path, None)?;
                let node = self.add_fresh(value);
                self.with_object(&path, |it| it.push(key.clone(), node));
                Ok(())
            }
            Change::RemoveKey { key } => {
                self.check_kind(target, Kind::Object)?;
                let place = self.existing_member(target, key)?;
                let member = self.member_node(target, place);
                self.check_writable(&path, Some(member))?;
                self.with_object(&path, |object| object.remove(key, place));
                self.gone.insert(member);
                Ok(())
            }
            Change::RenameKey { from, to } => {
                self.check_kind(target, Kind::Object)?;
                let place = self.existing_member(target, from)?;
                if from == to {
                    return Ok(());
                }
                if self.member(target, to) != Ok(None) {
                    let expected = format!("no key {} yet", quoted(to));
                    return Err(Problem::new(Reason::KeyExists, expected, "one"));
                }
                self.check_writable(&path, None)?;
                self.with_object(&path, |object| object.rename(from, to, place));
                Ok(())
            }
            Change::InsertArrayItem { index, value } => {
                self.check_kind(target, Kind::Array)?;
                let length = self.length(target);
                let index = index.unwrap_or(length);
                if index > length {
                    let expected = format!("an index of at most {length}");
                    return Err(Problem::new(
                        Reason::NoSuchItem,
                        expected,
                        index.to_string(),
                    ));
                }
                self.check_no_stream(target)?;
                self.check_item(target, value)?;
                self.check_value(value, &path.0)?;
                self.check_writable(&path, None)?;
                let node = self.add_fresh(value);
                self.with_array(&path, |items| items.insert(index, node));
                Ok(())
            }
            Change::ReplaceArrayItem { index, value } => {
                self.check_kind(target, Kind::Array)?;
                let pointer = op.json_pointer.join(index.to_string());
                let path = self.find(&pointer)?;
                self.replace(&path, value)
            }
            Change::RemoveArrayItem { index } => {
                self.check_kind(target, Kind::Array)?;
                self.check_no_stream(target)?;
                let item = self.find(&op.json_pointer.join(index.to_string()))?.last();
                self.check_writable(&path, Some(item))?;
                self.with_array(&path, |items| {
                    items.remove(*index);
                });
                self.gone.insert(item);
                Ok(())
            }
        }
    }

    fn replace(&mut self, path: &Path, value: &Value) -> Result<(), Problem> {
        let target = path.last();
        let around = &path.0[..path.0.len().saturating_sub(1)];
        self.check_no_stream(target)?;
        self.check_value(value, around)?;
        if let Some(parent) = around.last() {
            self.check_item(*parent, value)?;
        }
        let is_root = target == self.document.root;
        if is_root && self.document.format() == Format::Toml && value.kind() != Kind::Object {
            return Err(Problem::new(
                Reason::Unrepresentable,
                "an object, which a TOML document always is",
                value.kind().name(),
            ));
        }
        self.check_writable(&Path(around.to_vec()), Some(target))?;
        self.touch(path);
        let edited = self.edited(value);
        if let Some(place) = (target.0 as usize).checked_sub(self.document.nodes.len()) {
            self.fresh[place] = edited;
        } else {
            self.replaced.insert(target);
            self.gone.insert(target);
            self.changed.insert(target, edited);
        }
        Ok(())
    }

    /// The node that a pointer leads to.
    pub(crate) fn node_at(&self, pointer: &Pointer) -> Result<NodeId, LookupError> {
        Ok(self.find(pointer)?.last())
    }

    pub(super) fn find(&self, pointer: &Pointer) -> Result<Path, LookupError> {
        let mut path = vec![self.document.root];
        let mut at = self.document.root;
        for (depth, token) in pointer.tokens().iter().enumerate() {
            at = self
                .step(at, token)
                .map_err(|missing| missing.at(pointer.tokens()[..depth].iter().collect(), token))?;
            path.push(at);
        }
        Ok(Path(path))
    }

    fn step(&self, at: NodeId, token: &str) -> Result<NodeId, Missing> {
        match self.kind(at) {
            Kind::Object => match self.member(at, token) {
                Ok(Some(place)) => Ok(self.member_node(at, place)),
                Ok(None) => Err(Missing::Key),
                Err(DuplicateKey) => Err(Missing::DuplicateKey),
            },
            Kind::Array => {
                let index = array_index(token).ok_or(Missing::Index)?;
                let items = self.items(at);
                let item = items.get(index).copied();
                item.ok_or(Missing::Item(items.len()))
            }
            other => Err(Missing::Container(other)),
        }
    }

    fn items(&self, id: NodeId) -> &[NodeId] {
        match self.view(id) {
            View::Base(Content::Array(items)) | View::Edited(Edited::Array(items)) => items,
            _ => &[],
        }
    }

    fn length(&self, id: NodeId) -> usize {
        self.items(id).len()
    }

    fn member(&self, id: NodeId, key: &str) -> Result<Option<usize>, DuplicateKey> {
        match self.view(id) {
            View::Base(Content::Object(object)) => self.document.place(object, key),
            View::Edited(Edited::Object(object)) => object.place(key),
            _ => Ok(None),
        }
    }

    fn existing_member(&self, id: NodeId, key: &str) -> Result<usize, Problem> {
        match self.member(id, key) {
            Ok(Some(place)) => Ok(place),
            Ok(None) => {
                let expected = format!("a key {}", quoted(key));
                Err(Problem::new(Reason::NoSuchKey, expected, "nothing"))
            }
            Err(DuplicateKey) => Err(duplicate(key)),
        }
    }

    fn member_node(&self, id: NodeId, place: usize) -> NodeId {
        let node = match self.view(id) {
            View::Base(Content::Object(object)) => object.members.get(place).map(|it| it.node),
            View::Edited(Edited::Object(object)) => {
                let member = object.members.get(place).and_then(Option::as_ref);
                member.map(|it| it.node)
            }
            _ => None,
        };
        node.unwrap_or(id)
    }

    fn touch(&mut self, path: &Path) {
        for id in path.0.iter().rev() {
            if !self.is_fresh(*id) && !self.touched.insert(*id) {
                break;
            }
        }
    }

    /// Changes the array at the end of `path`. The caller has checked its kind.
    fn with_array(&mut self, path: &Path, change: impl FnOnce(&mut Vec<NodeId>)) {
        if let Edited::Array(items) = self.edit(path) {
            change(items);
        }
    }

    /// Changes the object at the end of `path`. The caller has checked its kind.
    fn with_object(&mut self, path: &Path, change: impl FnOnce(&mut EditedObject)) {
        if let Edited::Object(object) = self.edit(path) {
            change(object);
        }
    }

    fn edit(&mut self, path: &Path) -> &mut Edited {
        self.touch(path);
        let id = path.last();
        if let Some(place) = (id.0 as usize).checked_sub(self.document.nodes.len()) {
            return &mut self.fresh[place];
        }
        let document = self.document;
        self.changed
            .entry(id)
            .or_insert_with(|| match &document.data(id).content {
                Content::Array(items) => Edited::Array(items.clone()),
                Content::Object(base) => {
                    let mut object = EditedObject::default();
                    for member in &base.members {
                        object.push(document.str(&member.key).to_owned(), member.node);
                    }
                    Edited::Object(object)
                }
                _ => Edited::Scalar(document.node(id).value()),
            })
    }

    fn add_fresh(&mut self, value: &Value) -> NodeId {
        let edited = self.edited(value);
        let id =
            NodeId(u32::try_from(self.document.nodes.len() + self.fresh.len()).unwrap_or(u32::MAX));
        self.fresh.push(edited);
        id
    }

    fn edited(&mut self, value: &Value) -> Edited {
        match value {
            Value::Array(items) => {
                Edited::Array(items.iter().map(|item| self.add_fresh(item)).collect())
            }
            Value::Object(members) => {
                let mut object = EditedObject::default();
                for (key, value) in members {
                    let node = self.add_fresh(value);
                    object.push(key.clone(), node);
                }
                Edited::Object(object)
            }
            scalar => Edited::Scalar(scalar.clone()),
        }
    }
}
