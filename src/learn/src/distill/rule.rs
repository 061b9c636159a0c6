//! A candidate rule: pattern, guards and template, and where it applies.

use std::collections::{BTreeMap, BTreeSet};

use super::case::File;
use super::names::{Meaning, Origin};
use super::pattern::{Match, Pattern};
use super::source::Run;
use crate::NodeId;

/// A condition on a match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Guard {
    /// A name means this where the match is.
    Name(String, Meaning),
    /// The code of a variable has one of these kinds.
    Kinds(usize, BTreeSet<&'static str>),
    /// The code of a variable has none of these kinds.
    NotKinds(usize, BTreeSet<&'static str>),
    /// A list has at least one element.
    Some(usize),
    /// The code of a variable is one of these texts.
    Texts(usize, BTreeSet<String>),
    /// A list has no argument with this name.
    Without(usize, String),
    Inside(&'static str),
    NotInside(&'static str),
    /// The file does not import this symbol of a module under its own name.
    NotImported(String, String),
    /// The path starts with this folder.
    Folder(String),
}

impl Guard {
    pub fn holds(&self, file: &File, found: &Match) -> bool {
        let tree = &file.source.tree;
        let mut ancestors = tree.ancestors(found.node);
        match self {
            Self::Name(name, meaning) => file.names.meaning(tree, name, found.node) == *meaning,
            Self::Kinds(variable, kinds) => found.bound[*variable].is_none_or(|run| {
                elements(file, run).all(|node| kinds.contains(kind_of(file, node)))
            }),
            Self::NotKinds(variable, kinds) => found.bound[*variable].is_none_or(|run| {
                !elements(file, run).any(|node| kinds.contains(kind_of(file, node)))
            }),
            Self::Some(variable) => found.bound[*variable].is_some(),
            Self::Texts(variable, texts) => {
                found.bound[*variable].is_some_and(|run| texts.contains(&normal(file, run)))
            }
            Self::Without(variable, name) => found.bound[*variable].is_none_or(|run| {
                !elements(file, run).any(|node| keyword(file, node).as_deref() == Some(name))
            }),
            Self::Inside(kind) => ancestors.any(|node| tree.kind_name(node) == *kind),
            Self::NotInside(kind) => !ancestors.any(|node| tree.kind_name(node) == *kind),
            Self::NotImported(symbol, module) => {
                file.names.imports.get(symbol).is_none_or(|origin| {
                    origin.module != *module || origin.symbol.as_ref() != Some(symbol)
                })
            }
            Self::Folder(folder) => file.path.starts_with(folder.as_str()),
        }
    }
}

/// The siblings of a run, without commas.
pub(super) fn elements(file: &File, run: Run) -> impl Iterator<Item = NodeId> + '_ {
    let tree = &file.source.tree;
    let parent = tree.parent(run.first).filter(|_| run.first != run.last);
    let list: Vec<_> = match parent {
        None => vec![run.first],
        Some(parent) => tree
            .children(parent)
            .filter(|node| *node >= run.first && *node <= run.last)
            .collect(),
    };
    list.into_iter().filter(|node| tree.text_of(*node) != ",")
}

/// The kind of a node, and of what is inside if it has nothing else.
pub(super) fn kind_of(file: &File, node: NodeId) -> &'static str {
    file.source.tree.kind_name(node)
}

/// The tokens of a run with single spaces.
pub(super) fn normal(file: &File, run: Run) -> String {
    let texts: Vec<_> = file.source.token_texts(run).collect();
    texts.join(" ")
}

/// The name of an argument that is passed by name.
pub(super) fn keyword(file: &File, node: NodeId) -> Option<String> {
    let mut tokens = file.source.token_texts(Run::one(node));
    let (name, mark) = (tokens.next()?, tokens.next()?);
    (mark == "=").then(|| name.to_owned())
}

/// Imports that the template needs, and those that the pattern needed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct ImportChange {
    pub added: BTreeMap<String, Origin>,
    pub removed: BTreeMap<String, Origin>,
}

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub pattern: Pattern,
    pub variables: usize,
    pub guards: Vec<Guard>,
    pub imports: ImportChange,
    /// The source of the pattern and of the template, with their variables.
    pub texts: (String, String),
    /// Names at the start of code in the pattern.
    pub roots: BTreeSet<String>,
    /// For each variable, whether it is a list.
    pub lists: Vec<bool>,
}

impl Candidate {
    pub fn matches(&self, file: &File) -> Vec<Match> {
        let all = self.pattern.matches(&file.source, self.variables);
        let passes = |found: &Match| self.guards.iter().all(|guard| guard.holds(file, found));
        all.into_iter().filter(passes).collect()
    }
}
