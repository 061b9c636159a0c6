//! # package-name, repository-name
//!
//! ## What they do
//! Replace the variables `PACKAGE_NAME` and `REPOSITORY_NAME` by the functions that took their place.
//!
//! ## Why
//! The variables are gone from Bazel.
//!
//! ## Fix safety
//! Behaviour preserving: only names that nothing in the file binds are changed, and those are errors
//! otherwise.
//!
//! ## Example
//! ```python
//! def f():
//!     print(PACKAGE_NAME)
//! ```
//! becomes
//! ```python
//! def f():
//!     print(native.package_name())
//! ```

use super::scope::free_uses;
use super::{Edit, Finding, Rule, Safety, in_bzl};
use crate::tree::Tree;

pub(super) const PACKAGE_NAME: Rule = Rule {
    name: "package-name",
    summary: "replaces `PACKAGE_NAME` by `native.package_name()`",
    safety: Safety::BehaviorPreserving,
    reason: "the variable no longer exists",
    applies: in_bzl,
    check: |tree| {
        check(
            tree,
            "package-name",
            "PACKAGE_NAME",
            "native.package_name()",
        )
    },
};

pub(super) const REPOSITORY_NAME: Rule = Rule {
    name: "repository-name",
    summary: "replaces `REPOSITORY_NAME` by `native.repository_name()`",
    safety: Safety::BehaviorPreserving,
    reason: "the variable no longer exists",
    applies: in_bzl,
    check: |tree| {
        check(
            tree,
            "repository-name",
            "REPOSITORY_NAME",
            "native.repository_name()",
        )
    },
};

fn check(tree: &Tree<'_>, rule: &'static str, old: &str, new: &str) -> Vec<Finding> {
    let uses = free_uses(tree, old).into_iter();
    uses.map(|id| Finding {
        rule,
        message: format!("`{old}` is gone; `{new}` took its place"),
        span: tree.span(id),
        edits: vec![Edit::replace(tree.span(id), new)],
    })
    .collect()
}
