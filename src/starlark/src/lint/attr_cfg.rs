//! # attr-cfg
//!
//! ## What it does
//! Drops `cfg = "data"` from attributes and turns `cfg = "host"` into `cfg = "exec"`.
//!
//! ## Why
//! `"data"` has never meant anything but the default, and the host configuration is gone.
//!
//! ## Fix safety
//! Behaviour preserving: Bazel no longer accepts either value.
//!
//! ## Example
//! ```python
//! attr.label(cfg = "host")
//! ```
//! becomes
//! ```python
//! attr.label(cfg = "exec")
//! ```

use super::edit::remove_element;
use super::{Edit, Finding, Rule, Safety, in_bzl};
use crate::tree::{Kind, Tree};

const NAME: &str = "attr-cfg";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "drops or renames values of `cfg` that Bazel no longer knows",
    safety: Safety::BehaviorPreserving,
    reason: "the old values are errors",
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
        for argument in tree.list(id) {
            let value = tree.node(*argument).b;
            if tree.keyword(*argument) != Some("cfg") || tree.kind(value) != Kind::String {
                continue;
            }
            let (message, edits) = match &*tree.value(value) {
                b"data" => (
                    "`cfg = \"data\"` means nothing",
                    remove_element(tree, tree.span(*argument)),
                ),
                b"host" => {
                    let edit = Edit::replace(tree.span(value), "\"exec\"");
                    (
                        "the host configuration is gone; \"exec\" took its place",
                        vec![edit],
                    )
                }
                _ => continue,
            };
            found.push(Finding {
                rule: NAME,
                message: message.to_owned(),
                span: tree.span(*argument),
                edits,
            });
        }
    }
    found
}
