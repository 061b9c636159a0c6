//! # native-build
//!
//! ## What it does
//! Removes `native.` in BUILD files.
//!
//! ## Why
//! The module exists for macros; in a BUILD file its members are there by their own names.
//!
//! ## Fix safety
//! Behaviour preserving: a name that the file itself binds is left alone.
//!
//! ## Example
//! ```python
//! native.cc_library(name = "a")
//! ```
//! becomes
//! ```python
//! cc_library(name = "a")
//! ```

use fixpoint_text::Span;

use super::scope::global_names;
use super::{Edit, Finding, Rule, Safety};
use crate::kind::FileKind;
use crate::tree::{Kind, Tree};

const NAME: &str = "native-build";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    summary: "removes `native.` in BUILD files",
    safety: Safety::BehaviorPreserving,
    reason: "in a BUILD file both names are the same function",
    applies: |kind| kind == FileKind::Build,
    check,
};

fn check(tree: &Tree<'_>) -> Vec<Finding> {
    let natives = tree
        .nodes
        .iter()
        .filter(|node| node.kind == Kind::Dot && tree.is_name(node.a, "native"));
    let natives: Vec<_> = natives.collect();
    if natives.is_empty() {
        return Vec::new();
    }
    let bound = global_names(tree);
    let find = |node: &&crate::tree::Node| {
        let name = tree.slice(node.b, node.c);
        let free = !bound.contains(name) && !bound.contains("native");
        let prefix = Span::from(node.start as usize..node.b as usize);
        let gap = tree.slice(node.start, node.b);
        let edits = if free && gap == "native." {
            vec![Edit::delete(prefix)]
        } else {
            Vec::new()
        };
        Finding {
            rule: NAME,
            message: format!("`native.{name}` is `{name}` in a BUILD file"),
            span: Span::from(node.start as usize..node.end as usize),
            edits,
        }
    };
    natives.iter().map(find).collect()
}
