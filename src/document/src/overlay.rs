//! The ops of one action on one document, before anything is written: a sparse layer of what has
//! changed over the tree of what is there. Ops see what the ops before them did; the document stays.

use std::collections::{HashMap, HashSet};

use crate::action::{Change, Expects, Op};
use crate::error::{Problem, Reason, place, quoted, shown};
use crate::format::Format;
use crate::number::Number;
use crate::pointer::{Pointer, array_index};
use crate::tree::{Content, Details, Document, LookupError, MAX_DEPTH, Missing, NodeId, Twice};
use crate::value::{Kind, Value};

#[derive(Debug)]
pub(crate) struct Overlay<'d> {
    document: &'d Document,
    /// What nodes of the document hold now, where that is something else.
    changed: HashMap<NodeId, Edited>,
    /// The nodes of the document that hold another value altogether.
    replaced: HashSet<NodeId>,
    /// Nodes that the document does not have; their numbers follow on those of its own.
    fresh: Vec<Edited>,
    /// The nodes of the document with a change in them.
    touched: HashSet<NodeId>,
    /// What aliases repeat, and everything around it.
    repeated: HashSet<NodeId>,
    around_repeated: HashSet<NodeId>,
}

/// A value with changes, or a new one.
#[derive(Debug)]
pub(crate) enum Edited {
    Scalar(Value),
    Array(Vec<NodeId>),
    Object(EditedObject),
}

/// An object with changes, or a new one. Members that were removed leave a gap, so that those the
/// document has stand where they stood in it; new ones follow.
#[derive(Debug, Default)]
pub(crate) struct EditedObject {
    pub members: Vec<Option<EditedMember>>,
    /// Where each key stands, and how often.
    index: HashMap<String, (usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct EditedMember {
    pub key: String,
    /// The document has another key there.
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

    fn place(&self, key: &str) -> Result<Option<usize>, Twice> {
        match self.index.get(key) {
            Some((place, 1)) => Ok(Some(*place)),
            Some(_) => Err(Twice),
            None => Ok(None),
        }
    }
}

/// What happens to the members or items of a container.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Of each that the document has, whether it stays.
    pub stays: Vec<bool>,
    pub renamed: Vec<(usize, String)>,
    /// What is new: how many of the document's stand before it, its key, and its node.
    pub fresh: Vec<(usize, Option<String>, NodeId)>,
}

impl Changes {
    pub(crate) fn is_empty_after(&self) -> bool {
        self.fresh.is_empty() && !self.stays.contains(&true)
    }
}

/// What a node holds: as the document has it, or changed.
pub(crate) enum View<'a> {
    Base(&'a Content),
    Edited(&'a Edited),
}

/// The nodes from the root to the one a pointer leads to, that one included.
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
            repeated,
            around_repeated,
        }
    }

    pub(crate) fn document(&self) -> &'d Document {
        self.document
    }

    /// Whether anything changes in or under a node of the document.
    pub(crate) fn is_touched(&self, id: NodeId) -> bool {
        self.touched.contains(&id)
    }

    /// Whether a node of the document holds another value altogether.
    pub(crate) fn is_replaced(&self, id: NodeId) -> bool {
        self.replaced.contains(&id)
    }

    /// What a node of the document holds now, where that is something else.
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

    /// The whole value of a node. Its depth has a limit.
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

    /// Which members or items of the document stay, by their places, and what is new, each with the
    /// number of those that stand before it in the document.
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

    /// The nodes of the document that hold other members or items, or another value, by number.
    pub(crate) fn changed_nodes(&self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.changed.keys().copied().collect();
        nodes.sort_unstable();
        nodes
    }

    /// The nodes of the document with a change in them, and what stands in those that are changed.
    pub(crate) fn concerned(&self) -> HashSet<NodeId> {
        let mut concerned = self.touched.clone();
        for id in self.changed_nodes() {
            match &self.document.data(id).content {
                Content::Array(items) => concerned.extend(items),
                Content::Object(object) => {
                    concerned.extend(object.members.iter().map(|it| it.node))
                }
                _ => {}
            }
        }
        concerned
    }

    /// Makes one op, or leaves everything as it was.
    pub(crate) fn make(&mut self, op: &Op) -> Result<(), Problem> {
        if let Some(expects) = &op.expects {
            self.check_expectation(expects, &op.subject())?;
        }
        let path = self.find(&op.json_pointer)?;
        let target = path.last();
        match &op.change {
            Change::ReplaceValue { value } => self.replace(&path, &op.json_pointer, value),
            Change::AddValue { key, value } => {
                self.check_kind(target, Kind::Object)?;
                match self.member(target, key) {
                    Ok(None) => {}
                    Ok(Some(place)) => {
                        let found = shown(&self.value(self.member_node(target, place)));
                        let expected = format!("no key {} yet", quoted(key));
                        return Err(Problem::new(Reason::KeyExists, expected, found));
                    }
                    Err(Twice) => return Err(duplicate(key)),
                }
                self.check_value(value, op.json_pointer.tokens().len() + 1)?;
                self.check_writable(&path, None)?;
                let node = self.add_fresh(value);
                self.with_object(&path, |it| it.push(key.clone(), node));
                Ok(())
            }
            Change::RemoveKey { key } => {
                self.check_kind(target, Kind::Object)?;
                let place = self.existing_member(target, key)?;
                self.check_writable(&path, Some(self.member_node(target, place)))?;
                self.with_object(&path, |object| object.remove(key, place));
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
                self.check_value(value, op.json_pointer.tokens().len() + 1)?;
                self.check_writable(&path, None)?;
                let node = self.add_fresh(value);
                self.with_array(&path, |items| items.insert(index, node));
                Ok(())
            }
            Change::ReplaceArrayItem { index, value } => {
                self.check_kind(target, Kind::Array)?;
                let pointer = op.json_pointer.join(index.to_string());
                let path = self.find(&pointer)?;
                self.replace(&path, &pointer, value)
            }
            Change::RemoveArrayItem { index } => {
                self.check_kind(target, Kind::Array)?;
                self.check_no_stream(target)?;
                let item = self.find(&op.json_pointer.join(index.to_string()))?.last();
                self.check_writable(&path, Some(item))?;
                self.with_array(&path, |items| {
                    items.remove(*index);
                });
                Ok(())
            }
        }
    }

    fn replace(&mut self, path: &Path, pointer: &Pointer, value: &Value) -> Result<(), Problem> {
        let target = path.last();
        self.check_no_stream(target)?;
        self.check_value(value, pointer.tokens().len())?;
        let is_root = target == self.document.root;
        if is_root && self.document.format() == Format::Toml && value.kind() != Kind::Object {
            return Err(Problem::new(
                Reason::Unrepresentable,
                "an object, which a TOML document always is",
                value.kind().name(),
            ));
        }
        let parent = Path(path.0[..path.0.len().saturating_sub(1)].to_vec());
        self.check_writable(&parent, Some(target))?;
        self.touch(path);
        let edited = self.edited(value);
        if let Some(place) = (target.0 as usize).checked_sub(self.document.nodes.len()) {
            self.fresh[place] = edited;
        } else {
            self.replaced.insert(target);
            self.changed.insert(target, edited);
        }
        Ok(())
    }

    fn find(&self, pointer: &Pointer) -> Result<Path, LookupError> {
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
                Err(Twice) => Err(Missing::Twice),
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

    fn member(&self, id: NodeId, key: &str) -> Result<Option<usize>, Twice> {
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
            Err(Twice) => Err(duplicate(key)),
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

    fn check_expectation(&self, expects: &Expects, subject: &Pointer) -> Result<(), Problem> {
        let fail = |expected: String, found: String| {
            Err(Problem::new(Reason::ExpectationFailed, expected, found))
        };
        let found = match self.find(subject) {
            Ok(path) => path.last(),
            Err(error @ LookupError::DuplicateKey { .. }) => return Err(error.into()),
            Err(_) if expects.exists == Some(false) => {
                let wants_value = expects.kind.is_some() || expects.equals.is_some();
                return if wants_value {
                    fail("a value".to_owned(), "nothing".to_owned())
                } else {
                    Ok(())
                };
            }
            Err(_) => {
                return fail(
                    format!("a value at {}", place(subject)),
                    "nothing".to_owned(),
                );
            }
        };
        if expects.exists == Some(false) {
            return fail("nothing".to_owned(), shown(&self.value(found)));
        }
        if let Some(kind) = expects.kind.filter(|kind| *kind != self.kind(found)) {
            return fail(kind.name().to_owned(), shown(&self.value(found)));
        }
        match &expects.equals {
            Some(equals) => {
                let value = self.value(found);
                if *equals == value {
                    Ok(())
                } else {
                    fail(shown(equals), shown(&value))
                }
            }
            None => Ok(()),
        }
    }

    fn check_kind(&self, id: NodeId, wanted: Kind) -> Result<(), Problem> {
        let kind = self.kind(id);
        if kind == wanted {
            return Ok(());
        }
        Err(Problem::new(Reason::WrongType, wanted.name(), kind.name()))
    }

    /// The documents of a file are no array that could be changed.
    fn check_no_stream(&self, id: NodeId) -> Result<(), Problem> {
        if id == self.document.root && self.document.is_stream() {
            return Err(Problem::new(
                Reason::Unsupported,
                "a pointer into one of the file's documents, as in /0",
                "all of them",
            ));
        }
        Ok(())
    }

    /// Whether the format can hold a value, at this depth.
    fn check_value(&self, value: &Value, depth: usize) -> Result<(), Problem> {
        let cannot = |expected: &str, found: String| {
            Err(Problem::new(Reason::Unrepresentable, expected, found))
        };
        if depth >= MAX_DEPTH {
            let expected = format!("values nested at most {MAX_DEPTH} deep");
            return Err(Problem::new(Reason::TooDeep, expected, "a deeper one"));
        }
        match (value, self.document.format()) {
            (Value::Null, Format::Toml) => cannot("a value that TOML has", "null".to_owned()),
            (Value::Number(number), Format::Toml) if toml_number(number).is_none() => {
                cannot("an integer of 64 bits or a float", number.to_string())
            }
            (Value::Number(number), Format::Json | Format::Jsonc) if number.to_json().is_none() => {
                cannot("a number that JSON has", number.to_string())
            }
            (Value::Array(items), _) => items
                .iter()
                .try_for_each(|item| self.check_value(item, depth + 1)),
            (Value::Object(members), _) => {
                let mut keys = HashSet::new();
                if let Some(twice) = members.iter().find(|it| !keys.insert(&it.0)) {
                    return Err(duplicate(&twice.0));
                }
                members
                    .iter()
                    .try_for_each(|member| self.check_value(&member.1, depth + 1))
            }
            _ => Ok(()),
        }
    }

    /// Whether nothing else changes when the last node of `path` does, and `lost` goes.
    fn check_writable(&self, path: &Path, lost: Option<NodeId>) -> Result<(), Problem> {
        let fail = |found: String| {
            let expected = "a value that stands in one place only";
            Err(Problem::new(Reason::SharedByAlias, expected, found))
        };
        for id in path.0.iter().filter(|id| !self.is_fresh(**id)) {
            if self.changed.contains_key(id) {
                continue;
            }
            if let Content::Alias(_) = self.document.data(*id).content {
                let alias = &self.document.text()[self.document.data(*id).span.range()];
                return fail(format!("the alias {alias}"));
            }
            if self.repeated.contains(id) {
                return fail("one that aliases repeat".to_owned());
            }
        }
        let Some(lost) = lost.filter(|id| self.around_repeated.contains(id)) else {
            return Ok(());
        };
        let Details::Yaml(details) = &self.document.details else {
            return Ok(());
        };
        let is_lost = |mut id: NodeId| loop {
            if id == lost {
                return true;
            }
            match self.document.data(id).parent {
                Some(parent) => id = parent,
                None => return false,
            }
        };
        let mut aliases = details.aliases.iter();
        if aliases.any(|(alias, target)| is_lost(*target) && !is_lost(*alias)) {
            return fail("an anchor that aliases elsewhere repeat".to_owned());
        }
        Ok(())
    }

    fn touch(&mut self, path: &Path) {
        for id in path.0.iter().rev() {
            if !self.is_fresh(*id) && !self.touched.insert(*id) {
                break;
            }
        }
    }

    /// The array at the end of `path`, to be changed. Its kind has been checked.
    fn with_array(&mut self, path: &Path, change: impl FnOnce(&mut Vec<NodeId>)) {
        if let Edited::Array(items) = self.edit(path) {
            change(items);
        }
    }

    /// The object at the end of `path`, to be changed. Its kind has been checked.
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

fn duplicate(key: &str) -> Problem {
    let expected = format!("one key {}", quoted(key));
    Problem::new(Reason::DuplicateKey, expected, "more than one")
}

/// A number as TOML writes it: an integer of 64 bits, or a float.
pub(crate) fn toml_number(number: &Number) -> Option<String> {
    let written = number.as_written();
    match written
        .trim_start_matches(['+', '-', '.'])
        .to_ascii_lowercase()
        .as_str()
    {
        "inf" | "infinity" if written.starts_with('-') => return Some("-inf".to_owned()),
        "inf" | "infinity" => return Some("inf".to_owned()),
        "nan" => return Some("nan".to_owned()),
        _ => {}
    }
    let json = number.to_json()?;
    let is_float = json.contains(['.', 'e', 'E']);
    let is_toml_integer = ["0x", "0o", "0b"].iter().any(|it| written.starts_with(it))
        && !written.contains(|it: char| it.is_ascii_uppercase() && !it.is_ascii_hexdigit());
    if !is_float && json.parse::<i64>().is_err() {
        return None;
    }
    Some(if is_toml_integer {
        written.to_owned()
    } else {
        json
    })
}
