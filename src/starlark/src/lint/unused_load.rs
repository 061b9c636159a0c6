//! # load
//!
//! ## What it does
//! Removes loaded symbols that the file never uses, and loads that are left without any.
//!
//! ## Why
//! An unused load makes Bazel read a file, and fetch a repository, for nothing.
//!
//! ## Fix safety
//! Likely preserving: a file that others load may re-export a symbol without using it. A symbol or
//! load with `@unused` in a comment is kept. Comments stay, also when the load that carried them goes.
//!
//! ## Example
//! ```python
//! load(":defs.bzl", "used", "unused")
//! used()
//! ```
//! becomes
//! ```python
//! load(":defs.bzl", "used")
//! used()
//! ```

use fixpoint_text::Span;

use super::edit::{is_alone_on_its_lines, remove_element};
use super::scope::used_names;
use super::{Edit, Finding, Rule, Safety, always};
use crate::tree::{Kind, NodeId, Tree};

const NAME: &str = "load";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "removes loaded symbols that the file does not use",
    safety: Safety::LikelyPreserving,
    reason: "other files may load a symbol from here that this file only passes on",
    applies: always,
    check,
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let used = used_names(tree);
    for &load in &tree.statements {
        if tree.kind(load) != Kind::Load || says_unused(tree, load) {
            continue;
        }
        let (pairs, _) = tree.load_pairs(load).as_chunks::<2>();
        let is_unused = |pair: &&[NodeId; 2]| {
            let kept = pair.iter().any(|id| says_unused(tree, *id));
            let name = tree.name(pair[0]);
            !kept && !std::str::from_utf8(&name).is_ok_and(|name| used.contains(name))
        };
        let unused: Vec<&[NodeId; 2]> = pairs.iter().filter(is_unused).collect();
        if unused.is_empty() {
            continue;
        }
        let all = unused.len() == pairs.len();
        let names = unused
            .iter()
            .map(|pair| String::from_utf8_lossy(&tree.name(pair[0])).into_owned());
        let names: Vec<String> = names.collect();
        let edits = if !all {
            unused
                .iter()
                .flat_map(|pair| remove_element(tree, symbol_span(tree, pair)))
                .collect()
        } else if is_alone_on_its_lines(tree, load) {
            vec![remove_load(tree, load)]
        } else {
            Vec::new()
        };
        found.push(Finding {
            rule: NAME,
            message: format!("loaded but not used: {}", names.join(", ")),
            span: tree.span(load),
            edits,
        });
    }
    found
}

fn says_unused(tree: &Tree<'_>, id: NodeId) -> bool {
    tree.attached(id).is_some_and(|comments| {
        let all = comments
            .before
            .iter()
            .chain(&comments.suffix)
            .chain(&comments.after);
        all.into_iter()
            .any(|id| tree.comment_text(*id).contains("@unused"))
    })
}

/// A symbol with its alias and its quotes.
fn symbol_span(tree: &Tree<'_>, [local, remote]: &[NodeId; 2]) -> Span {
    let (local, remote) = (tree.node(*local), tree.node(*remote));
    let start = local.start.min(remote.b);
    Span::from(start as usize..remote.c as usize)
}

/// Takes a whole load away; the comments inside its brackets stay, each on a line.
fn remove_load(tree: &Tree<'_>, load: NodeId) -> Edit {
    let span = tree.span(load);
    let inside = tree.comments_in(span);
    let lines = inside.map(|comment| format!("{}\n", tree.text[comment.range()].trim()));
    Edit::replace(span, lines.collect::<String>())
}
