//! Findings beyond layout, each with the edits that resolve it.
//!
//! A rule is a pure function of the tree in a file of its own, which says what it does, why, and what
//! its fix may change. Edits are on the source text; formatting comes after them.

mod attr_cfg;
mod attr_single_file;
mod edit;
mod keyword_positional;
mod native_build;
mod output_group;
mod package_on_top;
mod renamed_builtin;
mod scope;
mod skylark;
mod suppress;
mod unused_load;

pub use edit::{Edit, Finding};

use crate::kind::FileKind;
use crate::parse::Parse;
use crate::tree::Tree;

/// What the fixes of a rule may change, from nothing up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// The file means the same for every reader of it.
    BehaviorPreserving,
    /// It means the same unless someone relies on what the rule cannot see.
    LikelyPreserving,
}

/// A rule and what there is to know before it runs.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The name that buildifier uses for the same warning, and by which comments disable it.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    pub safety: Safety,
    /// Why the safety is what it is.
    pub reason: &'static str,
    applies: fn(FileKind) -> bool,
    check: fn(&Tree<'_>) -> Vec<Finding>,
}

/// Every rule, by name.
pub fn rules() -> &'static [Rule] {
    const RULES: &[Rule] = &[
        attr_cfg::RULE,
        attr_single_file::RULE,
        keyword_positional::RULE,
        unused_load::RULE,
        native_build::RULE,
        output_group::RULE,
        renamed_builtin::PACKAGE_NAME,
        package_on_top::RULE,
        renamed_builtin::REPOSITORY_NAME,
        skylark::IN_COMMENTS,
        skylark::IN_DOCSTRINGS,
    ];
    RULES
}

/// The findings of all rules for a file of this kind, in source order. `buildifier: disable=NAME`
/// comments are honoured. A file with syntax errors has none.
pub fn lint(kind: FileKind, parse: &Parse<'_>) -> Vec<Finding> {
    if !parse.errors.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for rule in rules().iter().filter(|rule| (rule.applies)(kind)) {
        let findings = (rule.check)(&parse.tree);
        if findings.is_empty() {
            continue;
        }
        let suppressed = suppress::Suppressed::of(&parse.tree, rule.name);
        found.extend(
            findings
                .into_iter()
                .filter(|finding| !suppressed.covers(finding)),
        );
    }
    found.sort_by_key(|finding| (finding.span.start(), finding.rule));
    found
}

fn always(_: FileKind) -> bool {
    true
}

fn in_bzl(kind: FileKind) -> bool {
    kind == FileKind::Bzl
}

#[cfg(test)]
mod tests;
