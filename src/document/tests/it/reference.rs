//! A simple reference implementation of the ops on plain values.

use fixpoint_document::{Change, Op, Pointer, Value};

/// Applies the op to `root`; `None` if the op is invalid.
pub(crate) fn make(root: &mut Value, op: &Op) -> Option<()> {
    let target = find(root, op.json_pointer.tokens())?;
    match (&op.change, target) {
        (Change::ReplaceValue { value }, target) => *target = value.clone(),
        (Change::AddValue { key, value }, Value::Object(members)) => {
            if members.iter().any(|it| it.0 == *key) {
                return None;
            }
            members.push((key.clone(), value.clone()));
        }
        (Change::RemoveKey { key }, Value::Object(members)) => {
            let place = members.iter().position(|it| it.0 == *key)?;
            members.remove(place);
        }
        (Change::RenameKey { from, to }, Value::Object(members)) => {
            let place = members.iter().position(|it| it.0 == *from)?;
            if from != to && members.iter().any(|it| it.0 == *to) {
                return None;
            }
            members[place].0.clone_from(to);
        }
        (Change::InsertArrayItem { index, value }, Value::Array(items)) => {
            let index = index.unwrap_or(items.len());
            if index > items.len() {
                return None;
            }
            items.insert(index, value.clone());
        }
        (Change::ReplaceArrayItem { index, value }, Value::Array(items)) => {
            *items.get_mut(*index)? = value.clone();
        }
        (Change::RemoveArrayItem { index }, Value::Array(items)) => {
            if *index >= items.len() {
                return None;
            }
            items.remove(*index);
        }
        _ => return None,
    }
    Some(())
}

fn find<'v>(mut value: &'v mut Value, tokens: &[String]) -> Option<&'v mut Value> {
    for token in tokens {
        value = match value {
            Value::Object(members) => &mut members.iter_mut().find(|it| it.0 == *token)?.1,
            Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The pointers to all values in a value.
pub(crate) fn pointers(value: &Value) -> Vec<Pointer> {
    let mut all = vec![Pointer::root()];
    let mut open = vec![(Pointer::root(), value)];
    while let Some((at, value)) = open.pop() {
        let children: Vec<(String, &Value)> = match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| (index.to_string(), item))
                .collect(),
            Value::Object(members) => members.iter().map(|it| (it.0.clone(), &it.1)).collect(),
            _ => Vec::new(),
        };
        for (token, child) in children {
            let pointer = at.join(token);
            all.push(pointer.clone());
            open.push((pointer, child));
        }
    }
    all
}
