//! Paths to the nodes of a JSON document.

use serde_json::{Map, Value};

use super::error::PatchError;

/// The node with an id.
pub(super) fn node<'v>(program: &'v Value, id: &str) -> Result<&'v Value, PatchError> {
    let unknown = || PatchError::UnknownNode { id: id.to_owned() };
    down(program, &find(program, id)?).ok_or_else(unknown)
}

/// One step of a path into a document.
#[derive(Clone, Debug)]
pub(super) enum Key {
    Member(String),
    Item(usize),
}

/// Searches the lists along the previous path first, the innermost list first and from the previous
/// position on. Then it searches the whole document.
pub(super) fn find_after(program: &Value, id: &str, last: &[Key]) -> Result<Vec<Key>, PatchError> {
    for (depth, key) in last.iter().enumerate().rev() {
        let (list, rest) = last.split_at(depth);
        let (Key::Item(from), Some(Value::Array(items))) = (key, down(program, list)) else {
            continue;
        };
        let from_there = items.iter().enumerate().skip(*from);
        for (place, item) in from_there {
            let mut path = Vec::with_capacity(rest.len());
            if seek(item, id, &mut path) {
                path.push(Key::Item(place));
                path.extend(list.iter().rev().cloned());
                path.reverse();
                return Ok(path);
            }
        }
    }
    find(program, id)
}

fn down<'v>(program: &'v Value, path: &[Key]) -> Option<&'v Value> {
    path.iter().try_fold(program, |here, key| match key {
        Key::Member(name) => here.get(name),
        Key::Item(place) => here.get(place),
    })
}

/// The path to the node with an id.
fn find(program: &Value, id: &str) -> Result<Vec<Key>, PatchError> {
    let mut path = Vec::new();
    if seek(program, id, &mut path) {
        path.reverse();
        return Ok(path);
    }
    Err(PatchError::UnknownNode { id: id.to_owned() })
}

/// Collects the path in reverse order.
fn seek(value: &Value, id: &str, path: &mut Vec<Key>) -> bool {
    match value {
        Value::Object(members) => {
            if members.get("id").and_then(Value::as_str) == Some(id) {
                return true;
            }
            for (name, member) in members {
                if seek(member, id, path) {
                    path.push(Key::Member(name.clone()));
                    return true;
                }
            }
            false
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                if seek(item, id, path) {
                    path.push(Key::Item(place));
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

pub(super) fn at<'v>(
    program: &'v mut Value,
    path: &[Key],
    id: &str,
) -> Result<&'v mut Value, PatchError> {
    let mut here = program;
    for key in path {
        let next = match key {
            Key::Member(name) => here.get_mut(name),
            Key::Item(place) => here.get_mut(place),
        };
        here = next.ok_or_else(|| PatchError::UnknownNode { id: id.to_owned() })?;
    }
    Ok(here)
}

pub(super) fn object<'v>(
    program: &'v mut Value,
    path: &[Key],
    id: &str,
) -> Result<&'v mut Map<String, Value>, PatchError> {
    let unknown = || PatchError::UnknownNode { id: id.to_owned() };
    at(program, path, id)?.as_object_mut().ok_or_else(unknown)
}
