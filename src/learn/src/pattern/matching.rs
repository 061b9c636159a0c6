//! Compares the nodes of a pattern with those of a text.

use std::collections::BTreeMap;

use fixpoint_text::Span;

use super::{Fragment, Pattern};
use crate::tree::{Language, NodeId, Tree};

/// The maximum number of comparisons for one match. Several ellipses in one list need more than one attempt.
const MAX_STEPS: usize = 20_000;

/// What a metavariable matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// One node; or siblings with their separators, possibly none.
    pub nodes: Vec<NodeId>,
    /// Empty for no siblings.
    pub span: Span,
}

/// A place where a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// The node, or the siblings, that match.
    pub nodes: Vec<NodeId>,
    pub span: Span,
    pub captures: BTreeMap<String, Binding>,
    /// The place of each token, hole and resolved name of the pattern.
    pub(crate) places: BTreeMap<NodeId, Span>,
}

/// The places that holes must have, by their node. Used to check the result of a template.
pub(crate) type Expected = BTreeMap<NodeId, Span>;

/// A test of whether a node is the symbol of an import guard, by the guard's index.
pub(crate) type Resolve<'a> = &'a dyn Fn(NodeId, usize) -> bool;

pub(crate) struct Matcher<'a> {
    pattern: &'a Fragment,
    names: &'a BTreeMap<NodeId, usize>,
    tree: &'a Tree,
    resolve: Option<Resolve<'a>>,
    expected: Option<&'a Expected>,
    bound: Vec<(usize, Binding)>,
    places: Vec<(NodeId, Span)>,
    steps: usize,
}

impl<'a> Matcher<'a> {
    pub fn new(pattern: &'a Pattern, tree: &'a Tree) -> Self {
        Self::of(&pattern.fragment, &pattern.names, tree)
    }

    pub fn of(pattern: &'a Fragment, names: &'a BTreeMap<NodeId, usize>, tree: &'a Tree) -> Self {
        Self {
            pattern,
            names,
            tree,
            resolve: None,
            expected: None,
            bound: Vec::new(),
            places: Vec::new(),
            steps: 0,
        }
    }

    pub fn with_resolve(mut self, resolve: Resolve<'a>) -> Self {
        self.resolve = Some(resolve);
        self
    }

    pub fn with_expected(mut self, expected: &'a Expected) -> Self {
        self.expected = Some(expected);
        self
    }

    /// The match that begins at a node.
    pub fn match_at(mut self, node: NodeId) -> Option<PatternMatch> {
        let roots = &self.pattern.roots;
        let nodes = match roots.as_slice() {
            [root] => {
                self.node(*root, node).then_some(())?;
                vec![node]
            }
            roots => {
                let parent = self.tree.parent(node)?;
                let siblings: Vec<NodeId> = self
                    .tree
                    .children(parent)
                    .skip_while(|sibling| *sibling != node)
                    .collect();
                let count = self.list(roots, &siblings, true)?;
                siblings.get(..count).filter(|it| !it.is_empty())?.to_vec()
            }
        };
        let end = self.tree.end(*nodes.last()?);
        let mut span = Span::from(self.tree.start(node)..end);
        if let [only] = nodes[..]
            && let Some(last) = self.tree.children(only).last()
            && self.tree.language().has_optional_semicolons()
            && self.tree.text_of(last) == ";"
        {
            // The semicolon is not part of the pattern, and stays.
            let before = self
                .tree
                .children(only)
                .filter(|child| *child != last)
                .last();
            let end = before.map_or(end, |child| self.tree.end(child));
            span = Span::from(span.start()..end);
        }
        let names = |hole: usize| self.pattern.holes[hole].name.clone();
        let captures = self.bound.iter();
        let captures =
            captures.filter_map(|(hole, binding)| Some((names(*hole)?, binding.clone())));
        Some(PatternMatch {
            nodes,
            span,
            // The first of equal captures counts.
            captures: captures.rev().collect(),
            places: self.places.into_iter().collect(),
        })
    }

    fn node(&mut self, pattern: NodeId, node: NodeId) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        if let Some(hole) = self.pattern.hole_at.get(&pattern) {
            let hole = *hole;
            return self.may_capture(pattern, node) && self.bind(pattern, hole, vec![node]);
        }
        if let Some(name) = self.names.get(&pattern) {
            let (tree, place) = (self.tree, self.tree.span(node));
            let is_name = match (self.expected, self.resolve) {
                (Some(expected), _) => expected.get(&pattern) == Some(&place),
                (None, Some(resolve)) => resolve(node, *name),
                (None, None) => self.plain(pattern, node),
            };
            if is_name && !tree.text_of(node).is_empty() {
                self.places.push((pattern, place));
                return true;
            }
            return false;
        }
        self.plain(pattern, node)
    }

    fn plain(&mut self, pattern: NodeId, node: NodeId) -> bool {
        let tree = self.tree;
        if self.pattern.tree.kind(pattern) != tree.kind(node)
            || self.pattern.tree.is_token(pattern) != tree.is_token(node)
        {
            return false;
        }
        if tree.is_token(node) {
            let equal = texts_equal(
                tree.language(),
                self.pattern.token_text(pattern),
                tree.text_of(node),
            );
            if equal {
                self.places.push((pattern, tree.span(node)));
            }
            return equal;
        }
        let patterns: Vec<NodeId> = self.pattern.tree.children(pattern).collect();
        let nodes: Vec<NodeId> = tree.children(node).collect();
        self.list(&patterns, &nodes, false).is_some()
    }

    /// Whether one metavariable may stand for this node.
    fn may_capture(&self, pattern: NodeId, node: NodeId) -> bool {
        if self.expected.is_some() {
            return true;
        }
        if self.tree.is_token(node) {
            return self.tree.is_word(node);
        }
        // An argument with a name or a spread has a meaning only in its list.
        const PARTS: [&str; 9] = [
            "Keyword",
            "ExprStarred",
            "SpreadElement",
            "RestElement",
            "BindingRestElement",
            "variadic_argument",
            "parameter_pack_expansion",
            "JSXSpreadAttribute",
            "ElifElseClause",
        ];
        let kind = self.tree.kind_name(node);
        let is_argument = self.tree.language() == Language::Starlark
            && self
                .tree
                .parent(node)
                .is_some_and(|parent| self.tree.kind_name(parent) == "Call")
            && (kind == "Assign" || self.tree.text_of(node).starts_with('*'));
        !PARTS.contains(&kind) && !is_argument
            || self.pattern.tree.kind(pattern) == self.tree.kind(node)
    }

    fn bind(&mut self, pattern: NodeId, hole: usize, nodes: Vec<NodeId>) -> bool {
        let span = match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) => Span::from(self.tree.start(*first)..self.tree.end(*last)),
            _ => Span::at(0),
        };
        if let Some(expected) = self.expected {
            let place = expected.get(&pattern).copied().unwrap_or(Span::at(0));
            if place != span && !(place.is_empty() && nodes.is_empty()) {
                return false;
            }
        } else if let Some(name) = &self.pattern.holes[hole].name {
            let other = self
                .bound
                .iter()
                .find(|(other, _)| self.pattern.holes[*other].name.as_ref() == Some(name));
            if let Some((_, other)) = other
                && !tokens_equal(self.tree, &other.nodes, &nodes)
            {
                return false;
            }
        }
        self.places.push((pattern, span));
        self.bound.push((hole, Binding { nodes, span }));
        true
    }

    /// Matches a list of children, and returns how many nodes it takes. All of them unless the end is open.
    fn list(&mut self, patterns: &[NodeId], nodes: &[NodeId], open: bool) -> Option<usize> {
        self.rest(patterns, nodes, (0, 0), open)
    }

    fn rest(
        &mut self,
        patterns: &[NodeId],
        nodes: &[NodeId],
        (at, taken): (usize, usize),
        open: bool,
    ) -> Option<usize> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let Some(&pattern) = patterns.get(at) else {
            return (open || self.is_end(&nodes[taken..])).then_some(taken);
        };
        if let Some(hole) = self.many(pattern) {
            return self.ellipsis(patterns, nodes, (at, taken), (hole, open));
        }
        let node = nodes.get(taken).copied();
        // A separator and an ellipsis for nothing.
        if self.is_separator_of_pattern(pattern)
            && let Some(next) = patterns.get(at + 1)
            && let Some(hole) = self.many(*next)
        {
            let mark = (self.bound.len(), self.places.len());
            if self.bind(*next, hole, Vec::new())
                && let Some(count) = self.rest(patterns, nodes, (at + 2, taken), open)
            {
                return Some(count);
            }
            self.back_to(mark);
        }
        if let Some(node) = node {
            let mark = (self.bound.len(), self.places.len());
            if self.node(pattern, node)
                && let Some(count) = self.rest(patterns, nodes, (at + 1, taken + 1), open)
            {
                return Some(count);
            }
            self.back_to(mark);
            // A trailing comma of the text.
            if let Some(next) = nodes.get(taken + 1)
                && taken > 0
                && self.tree.text_of(node) == ","
                && self.tree.text_of(nodes[taken - 1]) != ","
                && is_closing(self.tree.text_of(*next))
                && self.pattern.tree.text_of(pattern) == self.tree.text_of(*next)
                && self.pattern.tree.is_token(pattern)
            {
                return self.rest(patterns, nodes, (at, taken + 1), open);
            }
        }
        // A trailing comma or an optional semicolon of the pattern.
        let is_optional = match self.pattern.tree.text_of(pattern) {
            "," => {
                at > 1
                    && patterns
                        .get(at + 1)
                        .is_some_and(|next| is_closing(self.pattern.tree.text_of(*next)))
                    && node.is_some_and(|node| is_closing(self.tree.text_of(node)))
                    && !self
                        .tree
                        .kind_name(self.tree.parent(node?)?)
                        .contains("uple")
            }
            ";" => {
                at + 1 == patterns.len()
                    && node.is_none()
                    && self.tree.language().has_optional_semicolons()
            }
            _ => false,
        };
        (is_optional && self.pattern.tree.is_token(pattern))
            .then(|| self.rest(patterns, nodes, (at + 1, taken), open))?
    }

    /// Gives an ellipsis nothing, then one sibling, then two with their separator, and so on.
    fn ellipsis(
        &mut self,
        patterns: &[NodeId],
        nodes: &[NodeId],
        (at, taken): (usize, usize),
        (hole, open): (usize, bool),
    ) -> Option<usize> {
        let pattern = patterns[at];
        let after_separator = at > 0 && self.is_separator_of_pattern(patterns[at - 1]);
        for end in taken..=nodes.len() {
            let run = &nodes[taken..end];
            let mark = (self.bound.len(), self.places.len());
            let is_run = match (run.first(), run.last()) {
                (Some(first), Some(last)) => {
                    !self.is_separator(*first) && !self.is_separator(*last)
                }
                // Nothing, and no separator without an element.
                _ => !after_separator,
            };
            if is_run && self.bind(pattern, hole, run.to_vec()) {
                let skips_separator = run.is_empty()
                    && patterns
                        .get(at + 1)
                        .is_some_and(|next| self.is_separator_of_pattern(*next));
                let next = at + 1 + usize::from(skips_separator);
                if let Some(count) = self.rest(patterns, nodes, (next, end), open) {
                    return Some(count);
                }
            }
            self.back_to(mark);
        }
        None
    }

    fn back_to(&mut self, (bound, places): (usize, usize)) {
        self.bound.truncate(bound);
        self.places.truncate(places);
    }

    fn many(&self, pattern: NodeId) -> Option<usize> {
        let hole = *self.pattern.hole_at.get(&pattern)?;
        self.pattern.holes[hole].many.then_some(hole)
    }

    fn is_end(&self, rest: &[NodeId]) -> bool {
        match rest {
            [] => true,
            [last] => {
                self.tree.language().has_optional_semicolons() && self.tree.text_of(*last) == ";"
            }
            _ => false,
        }
    }

    fn is_separator(&self, node: NodeId) -> bool {
        self.tree.is_token(node) && matches!(self.tree.text_of(node), "," | ";")
    }

    fn is_separator_of_pattern(&self, node: NodeId) -> bool {
        let tree = &self.pattern.tree;
        tree.is_token(node) && matches!(tree.text_of(node), "," | ";")
    }
}

fn is_closing(text: &str) -> bool {
    matches!(text, ")" | "]" | "}" | ">")
}

/// Whether two runs of siblings have equal tokens.
pub(crate) fn tokens_equal(tree: &Tree, first: &[NodeId], second: &[NodeId]) -> bool {
    fn texts<'a>(tree: &'a Tree, nodes: &'a [NodeId]) -> impl Iterator<Item = &'a str> {
        let tokens = nodes.iter().flat_map(|node| tree.tokens(*node));
        tokens.map(|token| tree.text_of(token))
    }
    let language = tree.language();
    texts(tree, first).count() == texts(tree, second).count()
        && texts(tree, first)
            .zip(texts(tree, second))
            .all(|(first, second)| texts_equal(language, first, second))
}

/// Whether two tokens are equal, or are strings that differ only in their quotes.
fn texts_equal(language: Language, first: &str, second: &str) -> bool {
    first == second
        || language.has_two_quotes()
            && simple_string(first).is_some_and(|text| simple_string(second) == Some(text))
}

/// The value of a string on one line without prefix, escapes and quotes.
fn simple_string(token: &str) -> Option<&str> {
    let quote = token
        .chars()
        .next()
        .filter(|char| matches!(char, '"' | '\''))?;
    let value = token.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_simple = !value.contains(['\\', '"', '\'', '\n', '\r']);
    is_simple.then_some(value)
}
