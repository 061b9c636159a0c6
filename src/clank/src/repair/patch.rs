//! Applies ops to a program in its JSON form, such as the `canonical_ast` of a result.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::error::PatchError;
use super::op::{NamedType, PatchOp};
use super::path::{Key, at, find_after, object};
use super::rename::rename;

/// Applies ops in order. If one of them cannot be applied, the whole patch fails.
pub fn patch(program: &Value, ops: &[PatchOp]) -> Result<Value, PatchError> {
    patched(program.clone(), ops)
}

pub(super) fn patched(mut program: Value, ops: &[PatchOp]) -> Result<Value, PatchError> {
    ops.iter().try_for_each(PatchOp::check_names)?;
    each_once(&program, ops)?;
    let mut last = Vec::new();
    for op in ops {
        apply(&mut program, op, &mut last)?;
    }
    Ok(program)
}

/// `last` is the path to the node of the previous op. The next node is probably close after it.
fn apply(program: &mut Value, op: &PatchOp, last: &mut Vec<Key>) -> Result<(), PatchError> {
    let id = op.target();
    if let PatchOp::Rename { new_name, .. } = op {
        return rename(program, id, new_name);
    }
    *last = find_after(program, id, last)?;
    let path = last.as_slice();
    match op {
        PatchOp::ReplaceNode { new_node, .. } => {
            let node = at(program, path, id)?;
            let mut new_node = new_node.clone();
            // The new node keeps the id, so that references to it stay valid.
            if let Value::Object(members) = &mut new_node
                && members.contains_key("kind")
                && !members.contains_key("text")
            {
                members.entry("id").or_insert_with(|| Value::from(id));
            }
            *node = new_node;
        }
        PatchOp::InsertBefore { new_statement, .. } => {
            insert(program, path, op, new_statement, false)?;
        }
        PatchOp::InsertAfter { new_statement, .. } => {
            insert(program, path, op, new_statement, true)?;
        }
        PatchOp::Wrap {
            wrapper, hole_ref, ..
        } => {
            one_place(wrapper, hole_ref)?;
            let node = at(program, path, id)?;
            let inner = std::mem::replace(node, wrapper.clone());
            fill(node, hole_ref, &inner);
        }
        PatchOp::DeleteNode { .. } => delete(program, path, id)?,
        PatchOp::WidenEffect { add_effects, .. } => {
            let function = object(program, path, id)?;
            expect_kind(function, op, &["fn", "externalFn"], "a function")?;
            let returns = function.entry("returnType").or_insert(Value::Null);
            widen(returns, add_effects);
        }
        PatchOp::RenameSymbol {
            old_name, new_name, ..
        } => {
            let node = object(program, path, id)?;
            let kinds = ["ident", "named", "variant"];
            expect_kind(node, op, &kinds, "an identifier or a named type")?;
            set_name(node, "name", id, old_name, new_name)?;
        }
        PatchOp::RenameField {
            old_name, new_name, ..
        } => rename_field(object(program, path, id)?, op, old_name, new_name)?,
        PatchOp::AddField { field, .. } => {
            let record = object(program, path, id)?;
            expect_kind(record, op, &["rec", "recordType"], "a record type")?;
            add_named(record, "fields", id, field, None)?;
        }
        PatchOp::AddParam {
            param, position, ..
        } => {
            let function = object(program, path, id)?;
            expect_kind(function, op, &["fn", "externalFn"], "a function")?;
            add_named(function, "params", id, param, *position)?;
        }
        PatchOp::AddRefinement { predicate, .. } => {
            let node = at(program, path, id)?;
            refine(node, op, predicate)?;
        }
        PatchOp::Rename { .. } => {}
    }
    Ok(())
}

/// Rejects ops whose target id belongs to two nodes.
fn each_once(program: &Value, ops: &[PatchOp]) -> Result<(), PatchError> {
    let mut found: BTreeMap<&str, usize> = ops.iter().map(|it| (it.target(), 0)).collect();
    count_ids(program, &mut found);
    match found.into_iter().find(|(_, count)| *count > 1) {
        Some((id, _)) => Err(PatchError::DuplicateNode { id: id.to_owned() }),
        None => Ok(()),
    }
}

fn count_ids(value: &Value, found: &mut BTreeMap<&str, usize>) {
    match value {
        Value::Object(members) => {
            let id = members.get("id").and_then(Value::as_str);
            if let Some(count) = id.and_then(|id| found.get_mut(id)) {
                *count += 1;
            }
            members.values().for_each(|it| count_ids(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| count_ids(it, found)),
        _ => {}
    }
}

fn kind_of(node: &Map<String, Value>) -> &str {
    let kind = node.get("kind").and_then(Value::as_str);
    kind.unwrap_or("a part of a node")
}

fn expect_kind(
    node: &Map<String, Value>,
    op: &PatchOp,
    kinds: &[&str],
    wanted: &'static str,
) -> Result<(), PatchError> {
    let kind = kind_of(node);
    if kinds.contains(&kind) {
        return Ok(());
    }
    Err(PatchError::wrong_node(op, kind, wanted))
}

/// Inserts a statement before or after another one. Before the tail expression of a block, it
/// becomes the last statement.
fn insert(
    program: &mut Value,
    path: &[Key],
    op: &PatchOp,
    statement: &Value,
    after: bool,
) -> Result<(), PatchError> {
    let wanted = "a statement";
    let no_statement = || PatchError::wrong_node(op, "not a statement of a block", wanted);
    match path {
        [block @ .., Key::Member(list), Key::Item(place)] if list == "statements" => {
            let block = object(program, block, op.target())?;
            let list = block.get_mut("statements").and_then(Value::as_array_mut);
            let list = list.ok_or_else(no_statement)?;
            list.insert(place + usize::from(after), statement.clone());
            Ok(())
        }
        [block @ .., Key::Member(tail)] if tail == "expr" && !after => {
            let block = object(program, block, op.target())?;
            if kind_of(block) != "block" {
                return Err(no_statement());
            }
            let list = block.entry("statements").or_insert_with(|| json!([]));
            let list = list.as_array_mut().ok_or_else(no_statement)?;
            list.push(statement.clone());
            Ok(())
        }
        _ => Err(no_statement()),
    }
}

/// Whether a value is the hole of that name, in any of its spellings.
fn is_hole(value: &Value, name: &str) -> bool {
    let Value::Object(members) = value else {
        return false;
    };
    let named = |member: &str| members.get(member).and_then(Value::as_str) == Some(name);
    named("hole_ref")
        || named("$hole")
        || (named("ref") && members.get("kind").and_then(Value::as_str) == Some("hole"))
}

pub(super) fn one_place(wrapper: &Value, name: &str) -> Result<(), PatchError> {
    match count_holes(wrapper, name) {
        1 => Ok(()),
        found => Err(PatchError::Holes {
            hole: name.to_owned(),
            found,
        }),
    }
}

fn count_holes(value: &Value, name: &str) -> usize {
    if is_hole(value, name) {
        return 1;
    }
    match value {
        Value::Object(members) => members.values().map(|it| count_holes(it, name)).sum(),
        Value::Array(items) => items.iter().map(|it| count_holes(it, name)).sum(),
        _ => 0,
    }
}

/// Replaces the holes of a name with a node.
pub(super) fn fill(value: &mut Value, name: &str, node: &Value) {
    if is_hole(value, name) {
        *value = node.clone();
        return;
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|it| fill(it, name, node)),
        Value::Array(items) => items.iter_mut().for_each(|it| fill(it, name, node)),
        _ => {}
    }
}

/// Optional members of nodes.
const OPTIONAL: &[&str] = &[
    "constraint",
    "elseBranch",
    "expr",
    "guard",
    "pattern",
    "postcondition",
    "precondition",
    "type",
    "value",
];

fn delete(program: &mut Value, path: &[Key], id: &str) -> Result<(), PatchError> {
    let needed = || PatchError::Needed { id: id.to_owned() };
    let (last, parent) = path.split_last().ok_or_else(needed)?;
    let parent = at(program, parent, id)?;
    match (last, parent) {
        (Key::Item(place), Value::Array(items)) => {
            items.remove(*place);
            Ok(())
        }
        (Key::Member(name), Value::Object(members)) => {
            let may_go = match (kind_of(members), name.as_str()) {
                // These nodes cannot exist without the member.
                ("let", "pattern")
                | ("expr" | "propagate", "expr")
                | ("assign" | "literal", "value")
                | ("typeAlias", "type")
                | ("a part of a node", "pattern" | "type" | "value") => false,
                (_, name) => OPTIONAL.contains(&name),
            };
            if !may_go {
                return Err(needed());
            }
            members.remove(name);
            Ok(())
        }
        _ => Err(needed()),
    }
}

/// Adds missing effects and keeps the list sorted.
fn widen(returns: &mut Value, add: &[String]) {
    if returns.get("kind").and_then(Value::as_str) != Some("effect") {
        let result = returns.take();
        *returns = json!({"kind": "effect", "effects": [], "resultType": result});
    }
    let Some(effects) = returns.get_mut("effects").and_then(Value::as_array_mut) else {
        return;
    };
    for effect in add {
        let names = effects.iter().map(effect_name);
        match effect_place(names, effect) {
            Some(place) => effects.insert(place, json!({"kind": "named", "name": effect})),
            None => continue,
        }
    }
}

pub(super) fn effect_name(effect: &Value) -> &str {
    let name = effect.as_str().or_else(|| effect.get("name")?.as_str());
    name.unwrap_or_default()
}

/// The sorted position for a new effect, or `None` if the effect is already in the list.
pub(super) fn effect_place<'e>(
    effects: impl Iterator<Item = &'e str>,
    effect: &str,
) -> Option<usize> {
    let effects: Vec<&str> = effects.collect();
    if effects.contains(&effect) {
        return None;
    }
    let place = effects.iter().position(|it| *it > effect);
    Some(place.unwrap_or(effects.len()))
}

fn set_name(
    node: &mut Map<String, Value>,
    member: &str,
    id: &str,
    old_name: &str,
    new_name: &str,
) -> Result<(), PatchError> {
    let found = node.get(member).and_then(Value::as_str).unwrap_or_default();
    if found != old_name {
        return Err(PatchError::OtherName {
            id: id.to_owned(),
            expected: old_name.to_owned(),
            found: found.to_owned(),
        });
    }
    node.insert(member.to_owned(), Value::from(new_name));
    Ok(())
}

fn rename_field(
    node: &mut Map<String, Value>,
    op: &PatchOp,
    old_name: &str,
    new_name: &str,
) -> Result<(), PatchError> {
    let id = op.target();
    if kind_of(node) == "field" {
        return set_name(node, "field", id, old_name, new_name);
    }
    expect_kind(
        node,
        op,
        &["record", "recordType", "rec"],
        "a field access or a record",
    )?;
    let is_literal_or_type = node
        .get("fields")
        .and_then(Value::as_array)
        .is_some_and(|it| {
            it.iter()
                .any(|it| it.get("value").or(it.get("type")).is_some())
        });
    let fields = node.get_mut("fields").and_then(Value::as_array_mut);
    let named = |field: &Value| field.get("name").and_then(Value::as_str) == Some(old_name);
    let field = fields.and_then(|fields| fields.iter_mut().find(|it| named(it)));
    let Some(Value::Object(field)) = field else {
        return Err(PatchError::OtherName {
            id: id.to_owned(),
            expected: old_name.to_owned(),
            found: "nothing of that name".to_owned(),
        });
    };
    // A shorthand field pattern binds the field's name. It keeps binding the old name.
    if !is_literal_or_type && field.get("pattern").is_none_or(Value::is_null) {
        let binder = json!({"kind": "ident", "name": old_name});
        field.insert("pattern".to_owned(), binder);
    }
    set_name(field, "name", id, old_name, new_name)
}

fn add_named(
    node: &mut Map<String, Value>,
    list: &str,
    id: &str,
    added: &NamedType,
    position: Option<usize>,
) -> Result<(), PatchError> {
    let NamedType { name, ty } = added;
    let items = node.entry(list).or_insert_with(|| json!([]));
    let Some(items) = items.as_array_mut() else {
        return Err(PatchError::UnknownNode { id: id.to_owned() });
    };
    let taken = |it: &Value| it.get("name").and_then(Value::as_str) == Some(name);
    if items.iter().any(taken) {
        return Err(PatchError::Taken {
            id: id.to_owned(),
            name: name.clone(),
        });
    }
    let place = place_for(position, items.len(), id)?;
    items.insert(place, json!({"name": name, "type": ty}));
    Ok(())
}

/// Where a new parameter or field goes.
pub(super) fn place_for(
    position: Option<usize>,
    count: usize,
    id: &str,
) -> Result<usize, PatchError> {
    match position {
        Some(position) if position > count => Err(PatchError::NoPosition {
            id: id.to_owned(),
            position,
            count,
        }),
        position => Ok(position.unwrap_or(count)),
    }
}

/// Adds a predicate to a type. A type that is already refined must then meet both predicates.
fn refine(node: &mut Value, op: &PatchOp, predicate: &Value) -> Result<(), PatchError> {
    let kind = node.get("kind").and_then(Value::as_str);
    match kind {
        Some("refined") => {
            if let Some(before) = node.get_mut("predicate") {
                let left = before.take();
                *before = json!({"kind": "binary", "op": "&&", "left": left, "right": predicate});
            }
            Ok(())
        }
        Some("named" | "array" | "tuple" | "function" | "recordType") => {
            let base = node.take();
            *node = json!({"kind": "refined", "base": base, "predicate": predicate});
            Ok(())
        }
        other => Err(PatchError::wrong_node(
            op,
            other.unwrap_or("not a type"),
            "a type",
        )),
    }
}
