//! Matches the shape of a change in a tree and computes what the change makes of it.

use super::align::common;
use super::source::{Run, Source};
use super::unify::{Shape, Unified, What};
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
                let children = children.iter().map(|child| Self::of(child, source, example));
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
        let children = tree.children(node).map(|child| Self::exactly(source, child));
        Self::Node(tree.kind(node), children.collect())
    }

    /// All matches in source order, also those inside of others.
    pub fn matches(&self, source: &Source, variables: usize) -> Vec<Match> {
        let nodes = source.tree.all();
        nodes
            .filter_map(|node| {
                let mut bound = vec![None; variables];
                let mut steps = 0;
                self.at(source, node, &mut bound, &mut steps).then_some(Match { node, bound })
            })
            .collect()
    }

    fn at(&self, source: &Source, node: NodeId, bound: &mut Vec<Option<Run>>, steps: &mut usize) -> bool {
        *steps += 1;
        if *steps > MAX_STEPS {
            return false;
        }
        let tree = &source.tree;
        match self {
            Self::Token(kind, text) => tree.is_token(node) && tree.kind(node) == *kind && tree.text_of(node) == text,
            Self::Comma => tree.text_of(node) == ",",
            Self::Hole(variable) => !source.is_mark(node) && bind(source, bound, *variable, Run::one(node)),
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

fn sequence(patterns: &[Pattern], nodes: &[NodeId], source: &Source, bound: &mut Vec<Option<Run>>, steps: &mut usize) -> bool {
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
            if length > 0 && (marks.contains(&",") || nodes[..length].iter().any(|node| is_bracket(source, *node))) {
                continue;
            }
            bound.clone_from(&saved);
            let (tail, ok) = if length == 0 {
                let tail = if let Some((Pattern::Comma, tail)) = rest.split_first() { tail } else { rest };
                (tail, bound[*variable].is_none())
            } else {
                let run = Run { first: nodes[0], last: nodes[length - 1] };
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
    let closes = matches!(first, Pattern::Token(_, text) if matches!(text.as_str(), ")" | "]" | "}"));
    closes && text(0) == "," && sequence(patterns, others, source, bound, steps)
}

fn is_bracket(source: &Source, node: NodeId) -> bool {
    matches!(source.tree.text_of(node), "(" | ")" | "[" | "]" | "{" | "}")
}

/// An element of a flat pattern or template: a token, or a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Element {
    Token(String),
    Variable(usize),
}

/// How the text of a match changes.
#[derive(Clone, Debug)]
pub(super) struct Template {
    before: Vec<Element>,
    after: Vec<Element>,
    /// The white space before each element of the template.
    gaps: Vec<String>,
    /// For each element of the template, the element of the pattern that it is.
    kept: Vec<Option<usize>>,
}

impl Template {
    pub fn of(unified: &Unified, before: &Source, after: &Source, example: usize) -> Self {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        flatten(&unified.before, before, example, &mut old);
        flatten(&unified.after, after, example, &mut new);
        let mut gaps = Vec::new();
        let mut end = new.first().map_or(0, |(_, span)| span.0);
        for (_, span) in &new {
            let gap = after.tree.text().get(end..span.0).unwrap_or("");
            gaps.push(if gap.trim().is_empty() { gap.to_owned() } else { " ".to_owned() });
            end = span.1.max(end);
        }
        let old: Vec<_> = old.into_iter().map(|(element, _)| element).collect();
        let new: Vec<_> = new.into_iter().map(|(element, _)| element).collect();
        let mut kept = vec![None; new.len()];
        for (left, right) in common(old.len(), new.len(), |l, r| old[l] == new[r]).unwrap_or_default() {
            kept[right] = Some(left);
        }
        Self { before: old, after: new, gaps, kept }
    }

    /// The text that replaces a match; none if a comment would be lost.
    pub fn apply(&self, source: &Source, found: &Match) -> Option<String> {
        let tree = &source.tree;
        let spans = self.spans(source, found)?;
        let mut text = String::new();
        let mut last: Option<usize> = None;
        let mut wants_comma = false;
        for (at, element) in self.after.iter().enumerate() {
            let (content, empty) = match element {
                Element::Token(token) => (token.as_str(), false),
                Element::Variable(variable) => match found.bound[*variable] {
                    Some(run) => (source.text(run), false),
                    None => ("", true),
                },
            };
            let is_comma = content == ",";
            if empty {
                wants_comma = true;
                continue;
            }
            // No comma beside an empty list.
            if is_comma && (wants_comma || text.trim_end().ends_with(['(', '['])) {
                wants_comma = text.trim_end().ends_with(['(', '[']);
                continue;
            }
            if wants_comma && content.starts_with([')', ']', '}']) {
                let trimmed = text.trim_end().trim_end_matches(',').len();
                text.truncate(trimmed);
            }
            wants_comma = false;
            let adjacent = last.zip(self.kept[at]).filter(|(last, kept)| {
                last < kept && spans[last + 1..*kept].iter().all(Option::is_none)
            });
            if let Some((last, kept)) = adjacent {
                let gap = spans[last].zip(spans[kept]).and_then(|(last, next)| tree.text().get(last.1..next.0));
                text.push_str(gap?);
            } else if !text.is_empty() {
                text.push_str(&self.gaps[at]);
            }
            text.push_str(content);
            last = self.kept[at];
        }
        let comments = tree.comments_in(tree.span(found.node));
        let is_kept = |comment: &&fixpoint_text::Span| text.contains(&tree.text()[comment.start()..comment.end()]);
        let kept = comments.iter().filter(is_kept).count();
        (kept == comments.len()).then_some(text)
    }

    /// Where the elements of the pattern are in a match.
    fn spans(&self, source: &Source, found: &Match) -> Option<Vec<Option<(usize, usize)>>> {
        let tree = &source.tree;
        let tokens = source.tokens_of(Run::one(found.node));
        let mut at = 0;
        let mut spans = Vec::new();
        for element in &self.before {
            match element {
                Element::Variable(variable) => match found.bound[*variable] {
                    None => spans.push(None),
                    Some(run) => {
                        let first = tokens.get(at)?;
                        let length = source.tokens_of(run).len();
                        let last = tokens.get(at + length - 1)?;
                        spans.push(Some((tree.start(*first), tree.end(*last))));
                        at += length;
                    }
                },
                Element::Token(text) => {
                    let mut token = tokens.get(at)?;
                    if tree.text_of(*token) != text && tree.text_of(*token) == "," {
                        at += 1;
                        token = tokens.get(at)?;
                    }
                    if tree.text_of(*token) != text && text == "," {
                        spans.push(None);
                        continue;
                    }
                    spans.push(Some((tree.start(*token), tree.end(*token))));
                    at += 1;
                }
            }
        }
        Some(spans)
    }
}

fn flatten(shape: &Shape, source: &Source, example: usize, out: &mut Vec<(Element, (usize, usize))>) {
    let tree = &source.tree;
    let run = shape.at[example];
    let span = run.map(|run| (tree.start(run.first), tree.end(run.last)));
    match &shape.what {
        What::Hole(variable) | What::List(variable) => {
            let end = out.last().map_or(0, |(_, span)| span.1);
            out.push((Element::Variable(*variable), span.unwrap_or((end, end))));
        }
        What::Comma => {
            // The comma is the token before the element.
            let start = span.map_or(usize::MAX, |span| span.0);
            let end = out.last().map_or(0, |(_, span)| span.1);
            let at = tree.text().get(end..start).and_then(|gap| gap.find(',')).map_or(end, |at| end + at);
            out.push((Element::Token(",".to_owned()), (at, at + 1)));
        }
        What::Fixed => {
            let Some(run) = run else { return };
            for token in source.tokens_of(run) {
                out.push((Element::Token(tree.text_of(*token).to_owned()), (tree.start(*token), tree.end(*token))));
            }
        }
        What::Node(children) => children.iter().for_each(|child| flatten(child, source, example, out)),
    }
}
