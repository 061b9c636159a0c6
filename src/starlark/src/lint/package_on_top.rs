//! # package-on-top
//!
//! ## What it does
//! Moves `package()` above the first call that is not a load, `licenses` or `package_group`.
//!
//! ## Why
//! It sets defaults for every target of the file; readers look for it at the top, and Bazel is going
//! to demand it there.
//!
//! ## Fix safety
//! Behaviour preserving: Bazel applies the defaults to the whole package wherever the call stands. It
//! is not moved over an assignment, which it may need.
//!
//! ## Example
//! ```python
//! cc_library(name = "a")
//! package(default_visibility = ["//visibility:public"])
//! ```
//! becomes
//! ```python
//! package(default_visibility = ["//visibility:public"])
//! cc_library(name = "a")
//! ```

use fixpoint_text::Span;

use super::edit::is_alone_on_its_lines;
use super::{Edit, Finding, Rule, Safety};
use crate::kind::FileKind;
use crate::tree::{Kind, NodeId, Tree};

const NAME: &str = "package-on-top";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "moves `package()` above the targets of a file",
    safety: Safety::BehaviorPreserving,
    reason: "the defaults hold for the whole package wherever they are set",
    applies: |kind| !matches!(kind, FileKind::Workspace | FileKind::Module),
    check,
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let calls =
        |id: NodeId, name: &str| tree.kind(id) == Kind::Call && tree.is_name(tree.node(id).c, name);
    let may_precede = |id: &NodeId| {
        matches!(
            tree.kind(*id),
            Kind::String | Kind::CommentBlock | Kind::Load
        ) || ["package", "licenses", "package_group"]
            .iter()
            .any(|name| calls(*id, name))
    };
    let Some(first) = tree.statements.iter().position(|id| !may_precede(id)) else {
        return Vec::new();
    };
    let rest = &tree.statements[first..];
    let movable = rest.iter().take_while(|id| tree.kind(**id) != Kind::Assign);
    let Some(&package) = movable.into_iter().find(|id| calls(**id, "package")) else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    if is_alone_on_its_lines(tree, package) && is_alone_on_its_lines(tree, rest[0]) {
        let moved = lines_of(tree, package);
        let text = format!("{}\n", tree.text[moved.range()].trim_end_matches('\n'));
        edits = vec![
            Edit::insert(lines_of(tree, rest[0]).start(), text),
            Edit::delete(moved),
        ];
    }
    vec![Finding {
        rule: NAME,
        message: "`package()` belongs above the targets".to_owned(),
        span: tree.span(package),
        edits,
    }]
}

/// The lines of a statement with the comments above and beside it.
fn lines_of(tree: &Tree<'_>, id: NodeId) -> Span {
    let node = tree.node(id);
    let above = tree
        .before(id)
        .first()
        .map(|id| tree.comments[*id as usize].start);
    let start = above.unwrap_or(node.start).min(node.start) as usize;
    let start = tree.text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = tree.text[node.end as usize..].find('\n');
    let end = end.map_or(tree.text.len(), |at| node.end as usize + at + 1);
    Span::from(start..end)
}
