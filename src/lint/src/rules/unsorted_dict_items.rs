//! Dictionaries whose keys are not sorted.

use std::collections::BTreeSet;

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "unsorted-dict-items",
    summary: "Sorts dictionaries by their string keys. The rule is off unless `fixpoint.toml` enables it.",
    why: "Sorted keys are easier to find, and changes to them conflict less often.",
    safety: Some(Safety::BehaviorChanging),
    safety_reason: "The order of the keys is also the order in which the dictionary is iterated and its values are \
        evaluated. `@unsorted-dict-items` in a comment keeps the order.",
    example: bzl(
        "x = {\n    \"b\": 1,\n    \"a\": 2,\n}\n",
        "x = {\n    \"a\": 2,\n    \"b\": 1,\n}\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut unsorted = Vec::new();
    let mut holds_unsorted = BTreeSet::new();
    for dict in file.all(Kind::Dict) {
        let Shape::Dict(entries) = dict.shape() else {
            continue;
        };
        let Some(order) = order(entries).filter(|order| !order.is_sorted()) else {
            continue;
        };
        if !asks_to_keep(file, dict) {
            holds_unsorted.extend(file.ancestors(dict).map(NodeRef::index));
            unsorted.push((dict, entries, order));
        }
    }
    for (dict, entries, order) in unsorted {
        // Nested dictionaries are sorted first, because one fix must not move the text of another.
        let edits = match holds_unsorted.contains(&dict.index()) {
            true => Vec::new(),
            false => sorted(file, entries, &order).unwrap_or_default(),
        };
        found.push(
            LintFinding::advice(&RULE, "the keys are not sorted", dict.span()).with_fix(
                Safety::BehaviorChanging,
                "Sort the keys",
                edits,
            ),
        );
    }
}

fn asks_to_keep<'t, 'a>(file: &File<'t, 'a>, dict: NodeRef<'t, 'a>) -> bool {
    let around = std::iter::once(dict).chain(file.ancestors(dict));
    around
        .flat_map(NodeRef::comments)
        .any(|comment| comment.text.contains("@unsorted-dict-items"))
}

/// The sorted position of each entry. `None` if a key is not a string or occurs twice.
fn order(entries: Nodes<'_, '_>) -> Option<Vec<usize>> {
    let mut keys = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let Shape::Entry { key, .. } = entry.shape() else {
            return None;
        };
        let key = key.string()?.into_owned();
        let private = key.starts_with(b"_");
        let last = key == b"//conditions:default";
        keys.push(((private, last, key), at));
    }
    keys.sort();
    let twice = keys.windows(2).any(|pair| pair[0].0 == pair[1].0);
    let mut places = vec![0; keys.len()];
    for (place, (_, at)) in keys.iter().enumerate() {
        places[*at] = place;
    }
    (!twice).then_some(places)
}

/// Edits that sort the entries, with the comments above and beside them. `None` if it is unclear
/// which entry a comment belongs to.
fn sorted(file: &File<'_, '_>, entries: Nodes<'_, '_>, places: &[usize]) -> Option<Vec<TextEdit>> {
    let tree = file.tree;
    let text = tree.source_text();
    let mut areas = Vec::with_capacity(entries.len());
    let mut from = entries.first()?.start();
    for entry in entries.iter() {
        let above = entry.comments_above().map(|it| it.span.start()).min();
        let start = above.unwrap_or(entry.start()).min(entry.start());
        let before = Span::from(from.min(start)..start);
        if tree.comments_in(before).next().is_some() {
            return None;
        }
        areas.push(Span::from(start..entry.end()));
        from = entry.end();
    }
    // A comment beside an entry is behind its comma, and would not move with it.
    let whole = Span::from(areas.first()?.start()..areas.last()?.end());
    let inside = |comment: &Span| {
        areas
            .iter()
            .any(|it| it.start() <= comment.start() && comment.end() <= it.end())
    };
    if !tree.comments_in(whole).all(|comment| inside(&comment)) {
        return None;
    }
    let mut at_place = vec![0; places.len()];
    for (at, place) in places.iter().enumerate() {
        at_place[*place] = at;
    }
    let moved = areas
        .iter()
        .zip(&at_place)
        .filter(|(area, from)| **area != areas[**from]);
    Some(
        moved
            .map(|(area, from)| TextEdit::replace(*area, &text[areas[*from].range()]))
            .collect(),
    )
}
