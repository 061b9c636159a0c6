//! Matches the shape of a change in a tree.

use super::source::{Run, Source};
use super::unify::{Shape, What};
use crate::{Kind, NodeId};

/// A pattern for one tree.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Token(Kind, String),
    Node(Kind, Vec<Pattern>),
    Hole(usize),
    List(usize),
    Comma,
}

/// What a pattern matched, and the runs of its variables. An empty list has none.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub node: NodeId,
    pub bound: Vec<Option<Run>>,
}

/// Tries per node. Patterns with several lists may be matched in many ways.
const MAX_STEPS: usize = 2_000;

impl Pattern {
    /// The pattern of a shape, as it is in one example.
    pub fn of(shape: &Shape, source: &Source, example: usize) -> Self {
        let node = || shape.at[example].map(|run| run.first);
        match &shape.what {
            What::Hole(variable) => Self::Hole(*variable),
            What::List(variable) => Self::List(*variable),
            What::Comma => Self::Comma,
            What::Fixed => node().map_or(Self::Comma, |node| Self::exactly(source, node)),
            What::Node(children) => {
                let children = children
                    .iter()
                    .map(|child| Self::of(child, source, example));
                node().map_or(Self::Comma, |node| {
                    Self::Node(source.tree.kind(node), children.collect())
                })
            }
        }
    }

    fn exactly(source: &Source, node: NodeId) -> Self {
        let tree = &source.tree;
        if tree.is_token(node) {
            return Self::Token(tree.kind(node), tree.text_of(node).to_owned());
        }
        let children = tree
            .children(node)
            .map(|child| Self::exactly(source, child));
        Self::Node(tree.kind(node), children.collect())
    }

    /// All matches in source order, also those inside of others.
    pub fn matches(&self, source: &Source, variables: usize) -> Vec<Match> {
        let nodes = source.tree.all();
        nodes
            .filter_map(|node| {
                let mut bound = vec![None; variables];
                let mut steps = 0;
                self.at(source, node, &mut bound, &mut steps)
                    .then_some(Match { node, bound })
            })
            .collect()
    }

    fn at(
        &self,
        source: &Source,
        node: NodeId,
        bound: &mut Vec<Option<Run>>,
        steps: &mut usize,
    ) -> bool {
        *steps += 1;
        if *steps > MAX_STEPS {
            return false;
        }
        let tree = &source.tree;
        match self {
            Self::Token(kind, text) => {
                tree.is_token(node) && tree.kind(node) == *kind && tree.text_of(node) == text
            }
            Self::Comma => tree.text_of(node) == ",",
            Self::Hole(variable) => {
                !source.is_mark(node) && bind(source, bound, *variable, Run::one(node))
            }
            Self::List(_) => false,
            Self::Node(kind, children) => {
                if tree.is_token(node) || tree.kind(node) != *kind {
                    return false;
                }
                let nodes: Vec<_> = tree.children(node).collect();
                sequence(children, &nodes, source, bound, steps)
            }
        }
    }
}

fn bind(source: &Source, bound: &mut [Option<Run>], variable: usize, run: Run) -> bool {
    match bound[variable] {
        Some(other) => source.digest_of(other) == source.digest_of(run),
        None => {
            bound[variable] = Some(run);
            true
        }
    }
}

fn sequence(
    patterns: &[Pattern],
    nodes: &[NodeId],
    source: &Source,
    bound: &mut Vec<Option<Run>>,
    steps: &mut usize,
) -> bool {
    *steps += 1;
    if *steps > MAX_STEPS {
        return false;
    }
    let text = |at: usize| nodes.get(at).map_or("", |node| source.tree.text_of(*node));
    let Some((first, rest)) = patterns.split_first() else {
        return nodes.is_empty();
    };
    let saved = bound.clone();
    if let Pattern::List(variable) = first {
        // Longest first. A list neither starts nor ends with a comma.
        for length in (0..=nodes.len()).rev() {
            let marks = [text(0), text(length.wrapping_sub(1))];
            if length > 0
                && (marks.contains(&",")
                    || nodes[..length].iter().any(|node| is_bracket(source, *node)))
            {
                continue;
            }
            bound.clone_from(&saved);
            let (tail, ok) = if length == 0 {
                let tail = if let Some((Pattern::Comma, tail)) = rest.split_first() {
                    tail
                } else {
                    rest
                };
                (tail, bound[*variable].is_none())
            } else {
                let run = Run {
                    first: nodes[0],
                    last: nodes[length - 1],
                };
                (rest, bind(source, bound, *variable, run))
            };
            if ok && sequence(tail, &nodes[length..], source, bound, steps) {
                return true;
            }
        }
        bound.clone_from(&saved);
        return false;
    }
    // The comma before an empty list.
    if let [Pattern::Comma, Pattern::List(variable), tail @ ..] = patterns
        && bound[*variable].is_none()
        && sequence(tail, nodes, source, bound, steps)
    {
        return true;
    }
    bound.clone_from(&saved);
    let Some((node, others)) = nodes.split_first() else {
        return false;
    };
    if first.at(source, *node, bound, steps) && sequence(rest, others, source, bound, steps) {
        return true;
    }
    bound.clone_from(&saved);
    // A comma after the last element.
    let closes =
        matches!(first, Pattern::Token(_, text) if matches!(text.as_str(), ")" | "]" | "}"));
    closes && text(0) == "," && sequence(patterns, others, source, bound, steps)
}

fn is_bracket(source: &Source, node: NodeId) -> bool {
    matches!(source.tree.text_of(node), "(" | ")" | "[" | "]" | "{" | "}")
}
