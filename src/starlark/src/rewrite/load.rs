//! Gathers, merges and sorts the load statements at the top level.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::mark::{file_marked, marked};
use crate::tree::{Flags, Kind, NodeId, Tree};

/// Moves loads above the first statement that is not a string, a comment, a load or `workspace()`.
pub(super) fn to_top(tree: &mut Tree<'_>) {
    let is_load = |id: &NodeId| tree.kind(*id) == Kind::Load;
    let is_head = |id: &NodeId| match tree.kind(*id) {
        Kind::Load | Kind::String | Kind::CommentBlock => true,
        Kind::Call => tree.is_name(tree.node(*id).c, "workspace"),
        _ => false,
    };
    let Some(first) = tree.statements.iter().position(|id| !is_head(id)) else {
        return;
    };
    let late = tree.statements[first..].iter().any(is_load);
    if !late || file_marked(tree, "disable=load-on-top") {
        return;
    }
    let (loads, rest): (Vec<NodeId>, Vec<NodeId>) =
        tree.statements[first..].iter().partition(|id| is_load(id));
    tree.statements.truncate(first);
    tree.statements.extend(loads);
    tree.statements.extend(rest);
}

/// Merges all loads of a module into the first one.
pub(super) fn merge(tree: &mut Tree<'_>) {
    const OFF: &str = "disable=same-origin-load";
    let loads: Vec<NodeId> = {
        let all = tree.statements.iter().copied();
        all.filter(|id| tree.kind(*id) == Kind::Load).collect()
    };
    // For each module, its first load and the symbols of all its loads. If the first load must not
    // be merged, the others are not merged either.
    let mut first_of: BTreeMap<Vec<u8>, First> = BTreeMap::new();
    for load in loads {
        let module = tree.value(tree.node(load).c).into_owned();
        let open = !marked(tree, load, OFF);
        match first_of.entry(module) {
            Entry::Vacant(entry) => {
                let pairs = tree.load_pairs(load).to_vec();
                entry.insert(First { load, open, pairs });
            }
            Entry::Occupied(mut entry) if open && entry.get().open => {
                let first = entry.get_mut();
                first.pairs.extend_from_slice(tree.load_pairs(load));
                absorb(tree, first.load, load);
            }
            Entry::Occupied(_) => {}
        }
    }
    let mut merged = false;
    for First { load, pairs, .. } in first_of.into_values() {
        if pairs.len() > tree.load_pairs(load).len() {
            tree.set_list(load, &pairs);
            merged = true;
        }
    }
    if merged {
        let nodes = &tree.nodes;
        tree.statements
            .retain(|id| !nodes[*id as usize].flags.has(Flags::DEAD));
    }
}

/// The first load of a module.
struct First {
    load: NodeId,
    /// Whether it may be merged with others.
    open: bool,
    pairs: Vec<NodeId>,
}

/// Moves the comments of a merged load to the first load and marks it as removed.
fn absorb(tree: &mut Tree<'_>, first: NodeId, load: NodeId) {
    let parts = [
        (load, first),
        (tree.node(load).c, tree.node(first).c),
        (tree.end_of(load), tree.end_of(first)),
    ];
    for (from, to) in parts {
        tree.move_comments(from, to);
    }
    tree.node_mut(load).flags.set(Flags::DEAD);
}

/// Sorts each run of adjacent loads by module.
pub(super) fn sort(tree: &mut Tree<'_>) {
    let mut statements = std::mem::take(&mut tree.statements);
    let mut allowed = None;
    for run in
        statements.chunk_by_mut(|a, b| tree.kind(*a) == Kind::Load && tree.kind(*b) == Kind::Load)
    {
        if run.len() < 2 {
            continue;
        }
        let order = |a: &NodeId, b: &NodeId| {
            let value = |id: NodeId| tree.value(tree.node(id).c);
            compare(&value(*a), &value(*b))
        };
        if run.is_sorted_by(|a, b| order(a, b) != Ordering::Greater) {
            continue;
        }
        if *allowed.get_or_insert_with(|| !file_marked(tree, "disable=out-of-order-load")) {
            run.sort_by(order);
        }
    }
    tree.statements = statements;
}

/// The order of modules: other repositories first, by name; then by package and target. Relative
/// modules come last.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let key = |module: &[u8]| {
        let module = String::from_utf8_lossy(module).into_owned();
        let external = module.starts_with('@');
        let (repository, package, target) = split(&module);
        (
            external,
            repository.to_owned(),
            package.to_owned(),
            target.to_owned(),
        )
    };
    let (a, b) = (key(a), key(b));
    (b.0.cmp(&a.0))
        .then_with(|| a.1.cmp(&b.1))
        .then_with(|| b.2.is_empty().cmp(&a.2.is_empty()))
        .then_with(|| compare_paths(&a.2, &b.2))
        .then_with(|| compare_paths(&a.3, &b.3))
}

/// Splits a module into repository, package and target.
fn split(module: &str) -> (&str, &str, &str) {
    const RELATIVE: &str = "\u{7f}";
    let (repository, rest) = match module.strip_prefix('@') {
        Some(name) => {
            let name = name.trim_start_matches('@');
            match name.find("//") {
                Some(at) => (&name[..at], &name[at..]),
                None => return (name, "", name),
            }
        }
        None => ("", module),
    };
    let Some(path) = rest.strip_prefix("//") else {
        return (repository, RELATIVE, rest.strip_prefix(':').unwrap_or(rest));
    };
    match path.split_once(':') {
        Some((package, target)) => (repository, package, target),
        None => (repository, path, path.rsplit('/').next().unwrap_or(path)),
    }
}

fn compare_paths(a: &str, b: &str) -> Ordering {
    let parts = |path: &str| -> Vec<String> { path.split('/').map(str::to_lowercase).collect() };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_ordered_by_repository_package_and_target() {
        let order = [
            "@a",
            "@a//:x.bzl",
            "@a//b:x.bzl",
            "@b//:x.bzl",
            "//:x.bzl",
            "//a:B.bzl",
            "//a:c.bzl",
            "//a/b:a.bzl",
            ":a.bzl",
            "b.bzl",
        ];
        for pair in order.windows(2) {
            let ordering = compare(pair[0].as_bytes(), pair[1].as_bytes());
            assert_eq!(ordering, Ordering::Less, "{pair:?}");
        }
    }
}
