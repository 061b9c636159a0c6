//! Checks changes on the whole text: it parses, each change has the structure of its template, and nothing else is different.

use fixpoint_text::Span;

use super::{Refusal, TextEdit, apply_edits};
use crate::compiled::Change;
use crate::imports;
use crate::ruleset::RuleSet;
use crate::tree::{Kind, NodeId, Tree};

/// The changes that passed the check, and the text with them.
pub(super) struct Settled {
    pub changes: Vec<Change>,
    pub failed: Vec<(Change, Refusal)>,
    pub text: String,
}

/// Keeps the changes that can be made together. A change that fails is tried again in parentheses.
pub(super) fn settle(tree: &Tree, rules: &RuleSet, changes: Vec<Change>) -> Settled {
    let mut settled = Settled {
        changes: Vec::new(),
        failed: Vec::new(),
        text: tree.text().to_owned(),
    };
    add(tree, rules, &mut settled, changes);
    add_imports(tree, rules, &mut settled);
    settled
}

/// Adds a group of changes. If it fails, each half of it is added on its own.
fn add(tree: &Tree, rules: &RuleSet, settled: &mut Settled, mut group: Vec<Change>) {
    if group.is_empty() {
        return;
    }
    if let Some(text) = verify(tree, rules, &settled.changes, &group) {
        settled.changes.append(&mut group);
        settled.changes.sort_by_key(|change| change.place.start());
        settled.text = text;
        return;
    }
    if group.len() > 1 {
        let rest = group.split_off(group.len() / 2);
        add(tree, rules, settled, group);
        add(tree, rules, settled, rest);
        return;
    }
    for change in group {
        let is_expression = change
            .rule
            .and_then(|index| rules.get(index))
            .is_some_and(|rule| rule.template.is_expression() && rule.pattern.is_expression());
        let wrapped = in_parentheses(&change);
        let verified = is_expression
            .then(|| {
                verify(
                    tree,
                    rules,
                    &settled.changes,
                    std::slice::from_ref(&wrapped),
                )
            })
            .flatten();
        match verified {
            Some(text) => {
                settled.changes.push(wrapped);
                settled.changes.sort_by_key(|change| change.place.start());
                settled.text = text;
            }
            None => settled.failed.push((change, Refusal::Structure)),
        }
    }
}

fn in_parentheses(change: &Change) -> Change {
    let mut wrapped = change.clone();
    let insert = |at: usize, replacement: &str| TextEdit {
        span: Span::at(at),
        replacement: replacement.to_owned(),
    };
    match wrapped.edits.first_mut() {
        Some(first) if first.span.start() == change.place.start() => {
            first.replacement.insert(0, '(');
        }
        _ => wrapped.edits.insert(0, insert(change.place.start(), "(")),
    }
    match wrapped.edits.last_mut() {
        Some(last) if last.span.end() == change.place.end() => last.replacement.push(')'),
        _ => wrapped.edits.push(insert(change.place.end(), ")")),
    }
    wrapped.length += 2;
    wrapped.inner = Span::from(1..1 + change.length);
    wrapped
}

/// The text with the changes, if it passes the checks.
fn verify(tree: &Tree, rules: &RuleSet, first: &[Change], second: &[Change]) -> Option<String> {
    let mut changes: Vec<&Change> = first.iter().chain(second).collect();
    changes.sort_by_key(|change| (change.place.start(), change.place.end()));
    let text = apply_edits(tree.text(), changes.iter().flat_map(|change| &change.edits));
    let new = Tree::parse(tree.language(), &text).ok()?;
    let mut places = Vec::with_capacity(changes.len());
    let (mut added, mut removed) = (0, 0);
    for change in &changes {
        let start = change.place.start() + added - removed;
        places.push(Span::from(start..start + change.length));
        added += change.length;
        removed += change.place.len();
    }
    for (change, place) in changes.iter().zip(&places) {
        let Some(rule) = change.rule.and_then(|index| rules.get(index)) else {
            continue;
        };
        let inner = place.start() + change.inner.start()..place.start() + change.inner.end();
        if !rule.template.stands_at(&new, inner.into(), &change.slots) {
            return None;
        }
    }
    let old_places: Vec<Span> = changes.iter().map(|change| change.place).collect();
    let is_same = outside(tree, &old_places).eq(outside(&new, &places));
    (is_same && comments(tree) == comments(&new)).then_some(text)
}

/// The nodes that are not inside one of the places: their kind, depth, and text if they are tokens.
fn outside<'a>(
    tree: &'a Tree,
    places: &'a [Span],
) -> impl Iterator<Item = (Kind, usize, Option<&'a str>)> {
    let mut depths: Vec<NodeId> = Vec::new();
    tree.all().filter_map(move |node| {
        while depths
            .last()
            .is_some_and(|open| !tree.contains(*open, node))
        {
            depths.pop();
        }
        let depth = depths.len();
        depths.push(node);
        let before = places.partition_point(|place| place.start() <= tree.start(node));
        // A semicolon after the place belongs to the statement in it.
        let ends_in = |place: &Span| {
            let rest = tree.text().get(place.end()..tree.end(node));
            tree.end(node) <= place.end()
                || rest.is_some_and(|rest| rest.trim() == ";" && !tree.is_token(node))
        };
        let is_inside = node != tree.root()
            && places[..before].iter().rev().take(2).any(|place| {
                place.start() <= tree.start(node)
                    && tree.start(node) < place.end()
                    && ends_in(place)
            });
        let text = tree.is_token(node).then(|| tree.text_of(node));
        (!is_inside).then(|| (tree.kind(node), depth, text))
    })
}

fn comments(tree: &Tree) -> Vec<&str> {
    let texts = tree
        .comments()
        .iter()
        .map(|comment| &tree.text()[comment.range()]);
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_unstable();
    texts
}

/// Adds the changes of imports that the rules need. If they fail, the changes of those rules are dropped.
fn add_imports(tree: &Tree, rules: &RuleSet, settled: &mut Settled) {
    let used = |change: &Change| {
        change.rule.filter(|index| {
            rules
                .get(*index)
                .is_some_and(|rule| !rule.rule().imports.is_empty())
        })
    };
    let mut needed: Vec<usize> = settled.changes.iter().filter_map(used).collect();
    needed.sort_unstable();
    needed.dedup();
    if needed.is_empty() {
        return;
    }
    let needed = needed.iter().filter_map(|index| rules.get(*index));
    let needed: Vec<_> = needed.map(|rule| &rule.rule().imports).collect();
    let new = Tree::parse(tree.language(), &settled.text).ok();
    let changes = new.and_then(|new| imports::changes(tree, &new, &needed));
    let verified = changes.and_then(|changes| {
        let text = verify(tree, rules, &settled.changes, &changes)?;
        Some((changes, text))
    });
    if let Some((changes, text)) = verified {
        settled.changes.extend(changes);
        settled.changes.sort_by_key(|change| change.place.start());
        settled.text = text;
        return;
    }
    let (dropped, kept) = std::mem::take(&mut settled.changes)
        .into_iter()
        .partition(|change| used(change).is_some());
    let dropped: Vec<Change> = dropped;
    settled
        .failed
        .extend(dropped.into_iter().map(|change| (change, Refusal::Imports)));
    settled.text = tree.text().to_owned();
    add(tree, rules, settled, kept);
}
