//! # attr-single-file
//!
//! ## What it does
//! Writes `allow_single_file` for `single_file`, with the value of `allow_files` if there is one.
//!
//! ## Why
//! `single_file` is gone from Bazel.
//!
//! ## Fix safety
//! Behaviour preserving: the old parameter is an error. Values other than `True` and `False` are only
//! told.
//!
//! ## Example
//! ```python
//! attr.label(single_file = True, allow_files = [".cc"])
//! ```
//! becomes
//! ```python
//! attr.label(allow_single_file = [".cc"])
//! ```

use super::edit::remove_element;
use super::{Edit, Finding, Rule, Safety, in_bzl};
use crate::tree::{Kind, NodeId, Tree};

const NAME: &str = "attr-single-file";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "writes `allow_single_file` for `single_file`",
    safety: Safety::BehaviorPreserving,
    reason: "the old parameter is an error",
    applies: in_bzl,
    check,
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (call, id) in tree.nodes.iter().zip(0..) {
        let callee = tree.nodes.get(call.c as usize);
        let is_attr = call.kind == Kind::Call
            && callee
                .is_some_and(|callee| callee.kind == Kind::Dot && tree.is_name(callee.a, "attr"));
        if !is_attr {
            continue;
        }
        let argument = |name| {
            let mut arguments = tree.list(id).iter().copied();
            arguments.find(|argument| tree.keyword(*argument) == Some(name))
        };
        let Some(single) = argument("single_file") else {
            continue;
        };
        found.push(Finding {
            rule: NAME,
            message: "`single_file` is gone; `allow_single_file` took its place".to_owned(),
            span: tree.span(single),
            edits: edits(tree, single, argument("allow_files")),
        });
    }
    found
}

fn edits(tree: &Tree<'_>, single: NodeId, files: Option<NodeId>) -> Vec<Edit> {
    let rename =
        |argument: NodeId| Edit::replace(tree.span(tree.node(argument).a), "allow_single_file");
    let value = tree.node(single).b;
    let mut edits = match (files, tree.source(value)) {
        (_, "False") => remove_element(tree, tree.span(single)),
        (None, "True") => vec![rename(single)],
        (Some(files), "True") => {
            let mut edits = remove_element(tree, tree.span(single));
            edits.push(rename(files));
            edits
        }
        _ => Vec::new(),
    };
    edits.sort_by_key(|edit| edit.span);
    edits
}
