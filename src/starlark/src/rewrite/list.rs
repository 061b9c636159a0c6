//! Sorts lists whose order is not significant, and removes duplicate strings.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::mark::{LeaveAlone, any_comment_holds, marked};
use super::place::places;
use super::{callee_name, table};
use crate::tree::{Flags, Kind, NodeId, Tree};

const DO_NOT_SORT: &str = "do not sort";
const KEEP_SORTED: &str = "keep sorted";

/// Sorts the lists in arguments that are known to be sets.
pub(super) fn sort_arguments(tree: &mut Tree<'_>, calls: &[NodeId], alone: &LeaveAlone) {
    for &call in calls {
        let callee = callee_name(tree, call);
        for at in 0..tree.list(call).len() {
            let argument = tree.list(call)[at];
            let Some(name) = tree.keyword(argument) else {
                continue;
            };
            if !table::argument_info(callee, name).sorted {
                continue;
            }
            if alone.covers(tree, call) {
                break;
            }
            if alone.names(tree, argument) {
                continue;
            }
            let value = tree.node(argument).b;
            if marked(tree, argument, DO_NOT_SORT) {
                if tree.kind(value) == Kind::List {
                    deduplicate(tree, value, 0);
                }
            } else {
                sort_places(tree, value);
            }
        }
    }
}

/// Sorts the lists that a `keep sorted` comment marks.
pub(super) fn keep_sorted(tree: &mut Tree<'_>) {
    if !any_comment_holds(tree, KEEP_SORTED) {
        return;
    }
    for id in 0..tree.nodes.len() as NodeId {
        let node = *tree.node(id);
        match node.kind {
            _ if node.flags.has(Flags::DEAD) || node.flags.has(Flags::IN_TYPE) => {}
            Kind::Assign | Kind::Entry if marked(tree, id, KEEP_SORTED) => {
                sort_places(tree, node.b)
            }
            Kind::List => {
                let first = tree.list(id).first().copied();
                if let Some(first) = first
                    && (marked(tree, id, KEEP_SORTED) || marked(tree, first, KEEP_SORTED))
                {
                    sort_list(tree, id);
                }
            }
            _ => {}
        }
    }
}

/// Sorts the repositories that a MODULE file imports.
pub(super) fn sort_use_repo(tree: &mut Tree<'_>, calls: &[NodeId]) {
    for &call in calls {
        if !tree.is_name(tree.node(call).c, "use_repo") || tree.list(call).len() < 3 {
            continue;
        }
        let list = tree.list(call);
        if [call, list[0], list[1]]
            .iter()
            .any(|id| marked(tree, *id, DO_NOT_SORT))
        {
            deduplicate(tree, call, 1);
        } else {
            sort_chunks(tree, call);
        }
    }
}

fn sort_places(tree: &mut Tree<'_>, value: NodeId) {
    for place in places(tree, value) {
        if tree.kind(place) == Kind::List {
            sort_list(tree, place);
        }
    }
}

fn sort_list(tree: &mut Tree<'_>, id: NodeId) {
    let &[first, _, ..] = tree.list(id) else {
        return;
    };
    if marked(tree, first, DO_NOT_SORT) {
        return deduplicate(tree, id, 0);
    }
    if !marked(tree, id, KEEP_SORTED) && !marked(tree, first, KEEP_SORTED) {
        // A comment may refer to the elements below it, so their order is kept.
        let own = tree.attached(id);
        let end = tree.end_of(id);
        if own.is_some_and(|c| !c.before.is_empty() || !c.after.is_empty())
            || tree.list(id).iter().any(|id| !tree.before(*id).is_empty())
            || !tree.before(end).is_empty()
        {
            return deduplicate(tree, id, 0);
        }
    }
    sort_chunks(tree, id);
}

/// Sorts each run of strings. A string with comments above it starts a new run, and its comments
/// stay at the top of the run.
fn sort_chunks(tree: &mut Tree<'_>, id: NodeId) {
    let list = tree.list(id).to_vec();
    let is_string = |tree: &Tree<'_>, id: NodeId| tree.kind(id) == Kind::String;
    let mut sorted = Vec::with_capacity(list.len());
    let mut at = 0;
    while at < list.len() {
        if !is_string(tree, list[at]) {
            sorted.push(list[at]);
            at += 1;
            continue;
        }
        let more = list[at + 1..].iter();
        let more = more.take_while(|id| is_string(tree, **id) && tree.before(**id).is_empty());
        let chunk = &list[at..at + 1 + more.count()];
        at += chunk.len();
        sort_chunk(tree, chunk, &mut sorted);
    }
    if sorted != list {
        tree.set_list(id, &sorted);
    }
}

fn sort_chunk(tree: &mut Tree<'_>, chunk: &[NodeId], out: &mut Vec<NodeId>) {
    let order = |a: &NodeId, b: &NodeId| compare(&tree.value(*a), &tree.value(*b));
    if chunk.is_sorted_by(|a, b| order(a, b).is_lt()) {
        out.extend_from_slice(chunk);
        return;
    }
    let mut sorted = chunk.to_vec();
    sorted.sort_by(order);
    let top = match tree.attached(chunk[0]) {
        Some(_) => std::mem::take(&mut tree.attached_mut(chunk[0]).before),
        None => Vec::new(),
    };
    let start = out.len();
    for id in sorted {
        match out[start..].last() {
            Some(last) if tree.value(*last) == tree.value(id) => {
                move_trailing_comments(tree, id, *last)
            }
            _ => out.push(id),
        }
    }
    if !top.is_empty() {
        tree.attached_mut(out[start]).before = top;
    }
}

/// Moves the end-of-line comments of a removed string to the equal string that remains.
fn move_trailing_comments(tree: &mut Tree<'_>, from: NodeId, to: NodeId) {
    let comments = tree.take_attached(from);
    let after = comments.suffix.into_iter().chain(comments.after);
    let after: Vec<_> = after.collect();
    if !after.is_empty() {
        tree.attached_mut(to).suffix.extend(after);
    }
}

/// Removes strings that occurred before, starting at element `from`. Comments above a removed
/// string move to the next remaining element.
fn deduplicate(tree: &mut Tree<'_>, id: NodeId, from: usize) {
    let list = tree.list(id).to_vec();
    let mut seen: BTreeMap<Vec<u8>, NodeId> = BTreeMap::new();
    let mut kept = Vec::with_capacity(list.len());
    let mut above = Vec::new();
    for (at, element) in list.iter().enumerate() {
        if at >= from && tree.kind(*element) == Kind::String {
            let value = tree.value(*element).into_owned();
            let twin = *seen.entry(value).or_insert(*element);
            if twin != *element {
                if tree.attached(*element).is_some() {
                    above.append(&mut tree.attached_mut(*element).before);
                }
                move_trailing_comments(tree, *element, twin);
                continue;
            }
        }
        if !above.is_empty() {
            let before = &mut tree.attached_mut(*element).before;
            before.splice(0..0, above.drain(..));
        }
        kept.push(*element);
    }
    if !above.is_empty() {
        let end = tree.end_of(id);
        tree.attached_mut(end).before.splice(0..0, above);
    }
    if kept.len() < list.len() {
        tree.set_list(id, &kept);
    }
}

/// The order of strings: plain names, then `:a`, `//a`, `@a`. Within a group, they are compared
/// part by part.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let group = |value: &[u8]| match value {
        [b':', ..] => 1,
        [b'/', b'/', ..] => 2,
        [b'@', ..] => 3,
        _ => 0,
    };
    let separator = |byte: &u8| matches!(byte, b'.' | b':');
    (group(a).cmp(&group(b)))
        .then_with(|| a.split(separator).cmp(b.split(separator)))
        .then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn strings_are_ordered_by_group_and_parts() {
        let order = "A a a.B a.b a:b a-b a/b :a //x //x:a //x.y //x/y @a";
        let strings: Vec<&[u8]> = order.split(' ').map(str::as_bytes).collect();
        assert!(strings.is_sorted_by(|a, b| compare(a, b).is_lt()));
    }
}
