//! Patterns: code with metavariables.
//!
//! `$X` matches one node, `$$$ARGS` any number of siblings with their separators, and `$_` one node that is not bound.
//! A name that occurs twice matches equal code. Comments, white space, trailing commas and the quotes of simple strings
//! do not matter.

mod context;
mod fragment;
mod matching;
mod metavariable;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use context::Category;
pub(crate) use fragment::{Fragment, FragmentError, Leaf, LeafContent};
pub use matching::{Binding, PatternMatch};
pub(crate) use matching::{Expected, Matcher};
pub(crate) use metavariable::slots;

use crate::tree::{Kind, Language, NodeId, Tree};

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("the pattern does not parse as {language}: {message}")]
    Syntax {
        language: &'static str,
        message: String,
    },
    #[error("the pattern is empty")]
    Empty,
    #[error("the pattern is a single metavariable, which matches everything")]
    MatchesEverything,
    #[error("the pattern uses ${name} for one node and $$${name} for many; give them two names")]
    OneAndMany { name: String },
}

/// A pattern of one language.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    pub(crate) fragment: Fragment,
    /// Nodes that an import guard resolves, with the index of the guard.
    pub(crate) names: BTreeMap<NodeId, usize>,
}

impl Pattern {
    pub fn parse(language: Language, text: &str) -> Result<Self, PatternError> {
        let holes = metavariable::metavariables(text);
        for hole in &holes {
            let other = holes
                .iter()
                .find(|other| other.name == hole.name && other.many != hole.many);
            if let (Some(name), Some(_)) = (&hole.name, other) {
                return Err(PatternError::OneAndMany { name: name.clone() });
            }
        }
        let fragment = Fragment::parse(language, text, holes).map_err(|error| match error {
            FragmentError::Syntax(message) => PatternError::Syntax {
                language: language.name(),
                message,
            },
            FragmentError::Empty => PatternError::Empty,
        })?;
        if fragment.is_only_holes() {
            return Err(PatternError::MatchesEverything);
        }
        Ok(Self {
            text: text.to_owned(),
            fragment,
            names: BTreeMap::new(),
        })
    }

    pub fn language(&self) -> Language {
        self.fragment.tree.language()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the metavariables, without `$_`.
    pub fn captures(&self) -> BTreeSet<&str> {
        let holes = self.fragment.holes.iter();
        holes.filter_map(|hole| hole.name.as_deref()).collect()
    }

    /// Whether a match is an expression.
    pub(crate) fn is_expression(&self) -> bool {
        self.fragment.category == Category::Expression
    }

    /// Whether a capture stands for any number of siblings.
    pub fn is_many(&self, capture: &str) -> bool {
        let mut holes = self.fragment.holes.iter();
        holes.any(|hole| hole.many && hole.name.as_deref() == Some(capture))
    }

    /// The kind of the first node that a match consists of; none if that is a metavariable.
    pub fn root_kind(&self) -> Option<Kind> {
        let root = *self.fragment.roots.first()?;
        let is_hole = self.fragment.hole_at.contains_key(&root);
        (!is_hole && !self.names.contains_key(&root)).then(|| self.fragment.tree.kind(root))
    }

    /// The name of the [`NodeKind`](crate::NodeKind) of what the pattern matches, or `Other`.
    pub fn node_kind_name(&self) -> &'static str {
        let root = self.fragment.roots[0];
        crate::rule::node_kind_name(&self.fragment.tree, root)
    }

    /// The names, keywords and other words that every match contains.
    pub fn required_words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = Vec::new();
        for leaf in self.fragment.leaves(&self.names) {
            if matches!(leaf.content, LeafContent::Token(_)) {
                let text = self.fragment.token_text(leaf.node);
                let is_word = text
                    .chars()
                    .all(|char| char.is_alphanumeric() || char == '_');
                if is_word && !text.is_empty() && !words.contains(&text) {
                    words.push(text);
                }
            }
        }
        words
    }

    /// The match at a node, if there is one. For a pattern of several statements the node is the first of them.
    pub fn match_at(&self, tree: &Tree, node: NodeId) -> Option<PatternMatch> {
        Matcher::new(self, tree).match_at(node)
    }

    /// All matches in source order, an outer one before those inside it.
    pub fn matches(&self, tree: &Tree) -> Vec<PatternMatch> {
        let kind = self.root_kind();
        let nodes = tree
            .all()
            .filter(|node| kind.is_none_or(|kind| tree.kind(*node) == kind));
        nodes.filter_map(|node| self.match_at(tree, node)).collect()
    }
}
