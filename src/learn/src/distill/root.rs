//! Where the pattern of a group of changes may have its root.

use super::case::Site;
use super::cluster::Cluster;
use super::find::Known;
use super::names::is_import;
use super::unify::is_part;
use crate::{NodeId, Tree};

/// Whether a pattern may have its root at this level.
pub(super) fn is_root(known: &Known<'_>, cluster: &Cluster<'_>, level: usize) -> bool {
    let kind = |site: &Site<'_>| {
        let (old, _) = site.at(level)?;
        let tree = &known.cases[site.case].before.source.tree;
        Some((tree.kind_name(old), old, tree))
    };
    let Some((first, ..)) = kind(&cluster.sites[0]) else {
        return false;
    };
    let smallest = level == 0;
    let same = cluster
        .sites
        .iter()
        .all(|site| kind(site).is_some_and(|(name, ..)| name == first));
    let callee = cluster
        .sites
        .iter()
        .all(|site| kind(site).is_some_and(|(_, old, tree)| is_callee(tree, old)));
    let part = [
        "rgument",
        "parameters",
        "Alias",
        "Keyword",
        "dentifier",
        "clause",
        "token_tree",
        "declarator",
        "pecifier",
        "spec_list",
        "Parameters",
    ];
    let all_parts = cluster
        .sites
        .iter()
        .all(|site| kind(site).is_some_and(|(_, old, tree)| is_part(tree, old)));
    let is_part =
        all_parts || part.iter().any(|word| first.contains(word)) && first != "scoped_identifier";
    if cluster.of_imports {
        return same && kind(&cluster.sites[0]).is_some_and(|(_, old, tree)| is_import(tree, old));
    }
    // A single name or literal says nothing about where it is.
    let token = cluster
        .sites
        .iter()
        .any(|site| kind(site).is_some_and(|(_, old, tree)| tree.tokens(old).nth(1).is_none()));
    same && !callee && !is_part && !token && !stops(first, smallest)
}

pub(super) fn ends(known: &Known<'_>, cluster: &Cluster<'_>, level: usize) -> bool {
    cluster.sites.iter().any(|site| {
        site.at(level).is_none_or(|(old, _)| {
            let tree = &known.cases[site.case].before.source.tree;
            stops(tree.kind_name(old), level == 0)
        })
    })
}

/// Whether a node contains statements.
fn stops(kind: &str, smallest: bool) -> bool {
    let always = [
        "Block",
        "Module",
        "Program",
        "File",
        "source_file",
        "program",
        "block",
        "_body",
        "declaration_list",
        "Body",
        "Suite",
    ];
    let words = [
        "FunctionDef",
        "Class",
        "class_",
        "function_item",
        "function_declaration",
        "method_declaration",
        "Def",
        "impl_item",
        "if_statement",
        "for_statement",
        "while_",
        "StmtIf",
        "StmtFor",
        "StmtWhile",
        "StmtWith",
        "StmtTry",
        "IfStatement",
        "ForStatement",
        "if_expression",
        "For",
        "If",
        "match_expression",
        "switch",
        "for_expression",
    ];
    always.iter().any(|word| kind.contains(word))
        || !smallest && words.iter().any(|word| kind.starts_with(word))
}

/// Whether the node is what a call calls.
fn is_callee(tree: &Tree, node: NodeId) -> bool {
    let Some(parent) = tree.parent(node) else {
        return false;
    };
    let first = tree
        .children(parent)
        .find(|child| tree.text_of(*child) != "new");
    let mut rest = tree
        .children(parent)
        .skip_while(|child| *child != node)
        .skip(1);
    let next = rest.find(|child| tree.text_of(*child) != "!");
    let opens = next.is_some_and(|next| tree.text_of(next).starts_with('('));
    let kind = tree.kind_name(parent).to_ascii_lowercase();
    first == Some(node)
        && opens
        && (kind.contains("call") || kind.contains("invocation") || kind.contains("new"))
}
