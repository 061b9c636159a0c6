//! # skylark-comment, skylark-docstring
//!
//! ## What they do
//! Call the language by its name, in comments and in docstrings.
//!
//! ## Why
//! Skylark has been Starlark since 2018.
//!
//! ## Fix safety
//! Behaviour preserving: only words for people change. A word next to a slash is part of an address
//! or a path and stays.
//!
//! ## Example
//! ```python
//! # Written in Skylark.
//! ```
//! becomes
//! ```python
//! # Written in Starlark.
//! ```

use fixpoint_text::Span;

use super::{Edit, Finding, Rule, Safety, always};
use crate::tree::{Kind, NodeId, Tree};

pub(super) const IN_COMMENTS: Rule = Rule {
    name: "skylark-comment",
    summary: "writes Starlark for Skylark in comments",
    safety: Safety::BehaviorPreserving,
    reason: "comments have no meaning for Bazel",
    applies: always,
    check: |tree| {
        tree.comments()
            .filter_map(|span| finding(tree, "skylark-comment", span))
            .collect()
    },
};

pub(super) const IN_DOCSTRINGS: Rule = Rule {
    name: "skylark-docstring",
    summary: "writes Starlark for Skylark in docstrings",
    safety: Safety::BehaviorPreserving,
    reason: "docstrings have no meaning for Bazel",
    applies: always,
    check: |tree| {
        let docs = docstrings(tree).into_iter();
        docs.filter_map(|id| finding(tree, "skylark-docstring", tree.span(id)))
            .collect()
    },
};

/// The strings that open the file or a function.
fn docstrings(tree: &Tree<'_>) -> Vec<NodeId> {
    let is_comment = |id: &&NodeId| tree.kind(**id) == Kind::CommentBlock;
    let first = |list: &[NodeId]| list.iter().find(|id| !is_comment(id)).copied();
    let defs = (0..tree.nodes.len() as NodeId).filter(|id| tree.kind(*id) == Kind::Def);
    let bodies = defs.filter_map(|id| first(tree.list(tree.def(id).body)));
    let all = first(&tree.statements).into_iter().chain(bodies);
    all.filter(|id| tree.kind(*id) == Kind::String).collect()
}

fn finding(tree: &Tree<'_>, rule: &'static str, span: Span) -> Option<Finding> {
    const OLD: &str = "skylark";
    let bytes = tree.text.as_bytes();
    let mut edits = Vec::new();
    for at in span.start()..span.end().saturating_sub(OLD.len() - 1) {
        let word = &bytes[at..at + OLD.len()];
        let slash = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&b'/');
        if !word.eq_ignore_ascii_case(OLD.as_bytes())
            || slash(at.checked_sub(1))
            || slash(Some(at + OLD.len()))
        {
            continue;
        }
        let new = match (word[0], word[1]) {
            (b'S', b'K') => "STARLARK",
            (b'S', _) => "Starlark",
            _ => "starlark",
        };
        edits.push(Edit::replace(Span::from(at..at + OLD.len()), new));
    }
    let first = edits.first()?.span;
    Some(Finding {
        rule,
        message: "Skylark is called Starlark".to_owned(),
        span: first,
        edits,
    })
}
