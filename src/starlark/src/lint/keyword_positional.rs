//! # keyword-positional-params
//!
//! ## What it does
//! Passes by position what built-in functions no longer take by name.
//!
//! ## Why
//! `len(x = y)` is an error in today's Bazel.
//!
//! ## Fix safety
//! Behaviour preserving: what is changed is an error otherwise. Arguments out of order are only told,
//! and functions that the file itself binds are left alone.
//!
//! ## Example
//! ```python
//! getattr(x = a, name = "b")
//! ```
//! becomes
//! ```python
//! getattr(a, "b")
//! ```

use fixpoint_text::Span;

use super::scope::global_names;
use super::{Edit, Finding, Rule, Safety, always};
use crate::tree::{Kind, Node, Tree};

const NAME: &str = "keyword-positional-params";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "passes by position what built-in functions do not take by name",
    safety: Safety::BehaviorPreserving,
    reason: "the call is an error as it stands",
    applies: always,
    check,
};

/// The parameters of a built-in function that have no name for its caller.
fn positional(function: &str) -> &'static [&'static str] {
    match function {
        "all" | "any" => &["elements"],
        "tuple" | "list" | "len" | "str" | "repr" | "bool" | "int" | "dir" | "type" | "select" => {
            &["x"]
        }
        "hasattr" => &["x", "name"],
        "getattr" => &["x", "name", "default"],
        _ => &[],
    }
}

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut bound = None;
    for (call, id) in tree.nodes.iter().zip(0..) {
        if call.kind != Kind::Call || tree.kind(call.c) != Kind::Ident {
            continue;
        }
        let function = tree.source(call.c);
        let parameters = positional(function);
        let named = |id: &&u32| {
            tree.keyword(**id)
                .is_some_and(|name| parameters.contains(&name))
        };
        if !tree.list(id).iter().any(|id| named(&id)) {
            continue;
        }
        if bound
            .get_or_insert_with(|| global_names(tree))
            .contains(function)
        {
            continue;
        }
        found.push(finding(tree, call, id, function, parameters));
    }
    found
}

fn finding(tree: &Tree<'_>, call: &Node, id: u32, function: &str, parameters: &[&str]) -> Finding {
    let arguments = tree.list(id);
    let mut edits = Vec::new();
    let mut in_order = true;
    for (at, argument) in arguments.iter().enumerate() {
        match tree.keyword(*argument) {
            Some(name) if parameters.contains(&name) => {
                in_order &= parameters.get(at) == Some(&name);
                let node = tree.node(*argument);
                let prefix = Span::from(node.start as usize..tree.node(node.b).start as usize);
                // A comment between the name and the value would go with the name.
                in_order &= tree.comments_in(prefix).next().is_none();
                edits.push(Edit::delete(prefix));
            }
            Some(_) => {}
            None => in_order &= at < parameters.len(),
        }
    }
    Finding {
        rule: NAME,
        message: format!(
            "`{function}` takes {} by position only",
            parameters.join(", ")
        ),
        span: Span::from(call.start as usize..call.end as usize),
        edits: if in_order { edits } else { Vec::new() },
    }
}
