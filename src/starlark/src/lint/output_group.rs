//! # output-group
//!
//! ## What it does
//! Writes `ctx.attr.x[OutputGroupInfo]` for `ctx.attr.x.output_group`.
//!
//! ## Why
//! The old field is gone from Bazel; the provider holds the same groups.
//!
//! ## Fix safety
//! Likely preserving: it is assumed that `ctx` is the context of a rule.
//!
//! ## Example
//! ```python
//! ctx.attr.dep.output_group.bin
//! ```
//! becomes
//! ```python
//! ctx.attr.dep[OutputGroupInfo].bin
//! ```

use fixpoint_text::Span;

use super::{Edit, Finding, Rule, Safety, in_bzl};
use crate::tree::{Kind, NodeId, Tree};

const NAME: &str = "output-group";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "reads output groups from their provider",
    safety: Safety::LikelyPreserving,
    reason: "`ctx` may be something else than the context of a rule",
    applies: in_bzl,
    check,
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let dot = |id: NodeId, name: Option<&str>| {
        let node = tree.node(id);
        let named = name.is_none_or(|name| tree.slice(node.b, node.c) == name);
        (node.kind == Kind::Dot && named).then_some(node.a)
    };
    let of_context = |id: NodeId| {
        let group = dot(id, Some("output_group"))?;
        let attr = dot(dot(group, None)?, Some("attr"))?;
        tree.is_name(attr, "ctx").then_some(group)
    };
    let mut found = Vec::new();
    for id in 0..tree.nodes.len() as NodeId {
        let Some(dep) = of_context(id) else {
            continue;
        };
        let old = Span::from(tree.span(dep).end()..tree.span(id).end());
        let plain = &tree.text[old.range()] == ".output_group";
        found.push(Finding {
            rule: NAME,
            message: "`output_group` is gone; `OutputGroupInfo` holds the same".to_owned(),
            span: tree.span(id),
            edits: if plain {
                vec![Edit::replace(old, "[OutputGroupInfo]")]
            } else {
                Vec::new()
            },
        });
    }
    found
}
