//! Anti-unification: the most specific shape that several pieces of code share.
//!
//! Code that moves from before to after as a whole becomes a variable; everything else stays as written. The same code in
//! two places of every example is the same variable.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::regions;
use super::names::{Meaning, Names};
use super::source::{Run, Source, is_name};
use crate::{NodeId, Tree};

/// Where a shape is in one example. A list may be empty there.
pub(super) type Spot = Option<Run>;

/// What several examples share at one place.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub at: Vec<Spot>,
    pub what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// The same tokens in every example.
    Fixed,
    /// A comma between the elements of a list.
    Comma,
    Hole(usize),
    /// Elements of a list with the commas between them.
    List(usize),
    Node(Vec<Shape>),
}

/// A variable, with the code that it is in each example.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub is_list: bool,
    pub at: Vec<Spot>,
}

/// Examples of one change, as the shapes of both sides.
#[derive(Clone, Debug)]
pub(super) struct Unified {
    pub before: Shape,
    pub after: Shape,
    pub variables: Vec<Variable>,
}

/// One example: both sources and the changed nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example<'a> {
    /// The names of the text before the change.
    pub names: &'a Names,
    pub before: &'a Source,
    pub after: &'a Source,
    pub old: NodeId,
    pub new: NodeId,
}

/// Why examples have no common rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoShape {
    /// The examples have nothing in common.
    Different,
    /// The result contains code that the pattern does not capture.
    Unbound,
    /// Captured code is not in the result.
    Dropped,
}

pub(super) fn unify(examples: &[Example<'_>], names: bool) -> Result<Unified, NoShape> {
    let mut unifier = Unifier {
        examples,
        moved: examples.iter().map(moved).collect(),
        variables: Vec::new(),
        known: BTreeMap::new(),
        names,
        is_wrapped: false,
    };
    unifier.is_wrapped = examples
        .iter()
        .zip(&unifier.moved)
        .all(|(example, moved)| moved.contains(&example.before.digest(example.old)));
    let olds: Vec<_> = examples.iter().map(|example| example.old).collect();
    let news: Vec<_> = examples.iter().map(|example| example.new).collect();
    let before = unifier.before(&olds)?;
    if !matches!(before.what, What::Fixed | What::Node(_)) {
        return Err(NoShape::Different);
    }
    let after = unifier.after(&news)?;
    let mut used = BTreeSet::new();
    variables_of(&after, &mut used);
    if used.len() < unifier.variables.len() {
        return Err(NoShape::Dropped);
    }
    Ok(Unified {
        before,
        after,
        variables: unifier.variables,
    })
}

fn variables_of(shape: &Shape, used: &mut BTreeSet<usize>) {
    match &shape.what {
        What::Hole(variable) | What::List(variable) => {
            used.insert(*variable);
        }
        What::Node(children) => children.iter().for_each(|child| variables_of(child, used)),
        What::Fixed | What::Comma => {}
    }
}

/// The digests of the nodes of the result.
fn moved(example: &Example<'_>) -> BTreeSet<u64> {
    let nodes = example.after.tree.subtree(example.new);
    nodes.map(|node| example.after.digest(node)).collect()
}

pub(super) struct Unifier<'a> {
    pub(super) examples: &'a [Example<'a>],
    pub(super) moved: Vec<BTreeSet<u64>>,
    pub(super) variables: Vec<Variable>,
    /// Variables by what they are in each example.
    pub(super) known: BTreeMap<Vec<u64>, usize>,
    /// Whether names of local variables are variables although all examples have the same.
    names: bool,
    /// Whether the result contains all of the code before it. Then nothing says what matters, and structure is kept.
    is_wrapped: bool,
}

impl Unifier<'_> {
    pub(super) fn before(&mut self, nodes: &[NodeId]) -> Result<Shape, NoShape> {
        let sides: Vec<_> = self.examples.iter().map(|example| example.before).collect();
        let is_moved = self.all(nodes, |index, node| {
            self.moved[index].contains(&sides[index].digest(node))
        });
        let is_same = same(&sides, nodes);
        if is_same && self.names && is_moved && self.is_local(nodes) {
            return Ok(self.hole(&sides, nodes));
        }
        if is_same && !self.has_local(nodes) {
            return Ok(shape(nodes, What::Fixed));
        }
        if self.all(nodes, |index, node| sides[index].is_mark(node)) {
            return Err(NoShape::Different);
        }
        let is_part = self.all(nodes, |index, node| is_part(&sides[index].tree, node));
        if is_moved
            && !is_same
            && !is_part
            && !self.is_wrapped
            && self.is_code(nodes)
            && !self.calls_same(nodes)
        {
            return Ok(self.hole(&sides, nodes));
        }
        let first = nodes[0];
        let inner = self.all(nodes, |index, node| {
            !sides[index].tree.is_token(node)
                && sides[index].tree.kind(node) == sides[0].tree.kind(first)
        });
        if inner {
            let lists: Vec<_> = nodes
                .iter()
                .zip(&sides)
                .map(|(node, side)| side.children(*node))
                .collect();
            let saved = (self.variables.len(), self.known.clone());
            match self.children(&sides, &lists, true) {
                Ok(children) => return Ok(shape(nodes, What::Node(children))),
                Err(_) => {
                    self.variables.truncate(saved.0);
                    self.known = saved.1;
                }
            }
        }
        let is_root = self.all(nodes, |index, node| node == self.examples[index].old);
        if self.is_code(nodes) && is_moved && !is_part && !is_root {
            return Ok(self.hole(&sides, nodes));
        }
        Err(NoShape::Dropped)
    }

    /// Whether all are calls of the same function: a pattern keeps its name.
    fn calls_same(&self, nodes: &[NodeId]) -> bool {
        let callee = |index: usize, node: NodeId| -> Option<Vec<&str>> {
            let source = self.examples[index].before;
            let texts: Vec<_> = source.token_texts(Run::one(node)).collect();
            let open = texts.iter().position(|text| *text == "(")?;
            (open > 0).then(|| texts[..open].to_vec())
        };
        let first = callee(0, nodes[0]);
        let is_name =
            |text: &&str| text.starts_with(|char: char| char.is_alphabetic() || char == '_');
        first
            .as_ref()
            .is_some_and(|texts| is_name(&texts[0]) && nodes.len() > 1)
            && self.all(nodes, |index, node| callee(index, node) == first)
    }

    pub(super) fn after(&mut self, nodes: &[NodeId]) -> Result<Shape, NoShape> {
        let sides: Vec<_> = self.examples.iter().map(|example| example.after).collect();
        let digests: Vec<_> = nodes
            .iter()
            .zip(&sides)
            .map(|(node, side)| side.digest(*node))
            .collect();
        if let Some(variable) = self.known.get(&digests) {
            let what = if self.variables[*variable].is_list {
                What::List(*variable)
            } else {
                What::Hole(*variable)
            };
            return Ok(shape(nodes, what));
        }
        let holds_variable =
            same(&sides, nodes) && self.names && self.contains_known(&sides, nodes);
        if same(&sides, nodes) && !holds_variable {
            return Ok(shape(nodes, What::Fixed));
        }
        let first = sides[0].tree.kind(nodes[0]);
        let inner = self.all(nodes, |index, node| {
            !sides[index].tree.is_token(node) && sides[index].tree.kind(node) == first
        });
        if !inner {
            return Err(NoShape::Unbound);
        }
        let lists: Vec<_> = nodes
            .iter()
            .zip(&sides)
            .map(|(node, side)| side.children(*node))
            .collect();
        Ok(shape(
            nodes,
            What::Node(self.children(&sides, &lists, false)?),
        ))
    }

    pub(super) fn side(&mut self, nodes: &[NodeId], is_before: bool) -> Result<Shape, NoShape> {
        if is_before {
            self.before(nodes)
        } else {
            self.after(nodes)
        }
    }

    fn children(
        &mut self,
        sides: &[&Source],
        lists: &[Vec<NodeId>],
        is_before: bool,
    ) -> Result<Vec<Shape>, NoShape> {
        let Some(regions) = regions(sides, lists) else {
            return self.pairwise(sides, lists, is_before);
        };
        let mut shapes = Vec::new();
        let part = |from: &dyn Fn(usize) -> (usize, usize)| -> Vec<Vec<NodeId>> {
            let parts = lists.iter().enumerate();
            parts
                .map(|(index, list)| list[from(index).0..from(index).1].to_vec())
                .collect()
        };
        shapes.extend(self.pairwise(sides, &part(&|index| (0, regions[index].0)), is_before)?);
        shapes.extend(self.list(sides, &part(&|index| regions[index]), is_before)?);
        let rest = part(&|index| (regions[index].1, lists[index].len()));
        shapes.extend(self.pairwise(sides, &rest, is_before)?);
        Ok(shapes)
    }

    fn pairwise(
        &mut self,
        sides: &[&Source],
        lists: &[Vec<NodeId>],
        is_before: bool,
    ) -> Result<Vec<Shape>, NoShape> {
        let length = lists[0].len();
        if lists.iter().any(|list| list.len() != length) {
            return Err(NoShape::Different);
        }
        let mut shapes = Vec::new();
        for at in 0..length {
            let nodes: Vec<_> = lists.iter().map(|list| list[at]).collect();
            let marks = nodes
                .iter()
                .zip(sides)
                .filter(|(node, side)| side.is_mark(**node))
                .count();
            if marks > 0 && !(marks == nodes.len() && same(sides, &nodes)) {
                return Err(NoShape::Different);
            }
            shapes.push(self.side(&nodes, is_before)?);
        }
        Ok(shapes)
    }

    fn hole(&mut self, sides: &[&Source], nodes: &[NodeId]) -> Shape {
        let digests: Vec<_> = nodes
            .iter()
            .zip(sides)
            .map(|(node, side)| side.digest(*node))
            .collect();
        let variable = self.known.get(&digests).copied();
        let at = nodes.iter().map(|node| Some(Run::one(*node))).collect();
        let variable = variable.unwrap_or_else(|| self.add(digests, false, at));
        shape(nodes, What::Hole(variable))
    }

    pub(super) fn add(&mut self, digests: Vec<u64>, is_list: bool, at: Vec<Spot>) -> usize {
        self.variables.push(Variable { is_list, at });
        self.known.insert(digests, self.variables.len() - 1);
        self.variables.len() - 1
    }

    fn all(&self, nodes: &[NodeId], test: impl Fn(usize, NodeId) -> bool) -> bool {
        nodes
            .iter()
            .enumerate()
            .all(|(index, node)| test(index, *node))
    }

    /// Whether each is a name, a literal or larger.
    fn is_code(&self, nodes: &[NodeId]) -> bool {
        self.all(nodes, |index, node| {
            !self.examples[index].before.is_mark(node)
        })
    }

    /// Whether each is a name that a function or a loop of the file may bind, and not one by convention.
    fn is_local(&self, nodes: &[NodeId]) -> bool {
        self.all(nodes, |index, node| {
            local(&self.examples[index], node, nodes.len())
        })
    }

    fn has_local(&self, nodes: &[NodeId]) -> bool {
        self.names
            && !self.examples[0].before.tree.is_token(nodes[0])
            && self.examples[0]
                .before
                .tree
                .subtree(nodes[0])
                .skip(1)
                .any(|node| {
                    let digest = self.examples[0].before.digest(node);
                    let example = &self.examples[0];
                    self.moved[0].contains(&digest)
                        && example.before.tree.is_token(node)
                        && local(example, node, nodes.len())
                })
    }

    fn contains_known(&self, sides: &[&Source], nodes: &[NodeId]) -> bool {
        !sides[0].tree.is_token(nodes[0])
            && sides[0].tree.subtree(nodes[0]).skip(1).any(|node| {
                let digest = sides[0].digest(node);
                self.known
                    .keys()
                    .any(|known| known.iter().all(|other| *other == digest))
            })
    }
}

/// Whether a node is a name that the file binds, or that is too short to mean something. A name that many examples share is
/// a convention.
fn local(example: &Example<'_>, node: NodeId, examples: usize) -> bool {
    let tree = &example.before.tree;
    let Some(token) = tree.tokens(node).next() else {
        return false;
    };
    let text = tree.text_of(node);
    if tree.span(token) != tree.span(node) || !is_name(tree, token) || node == example.old {
        return false;
    }
    let last = tree.text()[..tree.start(node)].trim_end();
    let next = tree.text()[tree.end(node)..].trim_start();
    let is_called =
        next.starts_with(['(', '!', '=']) && !next.starts_with("==") && !next.starts_with("!=");
    if is_called || last.ends_with(['.', ':', '@']) {
        return false;
    }
    let is_short = text.len() <= 2;
    match example.names.meaning(tree, text, node) {
        Meaning::Local | Meaning::TopLevel => is_short || examples < 3 && !next.starts_with('.'),
        Meaning::Free => is_short && text.starts_with(|char: char| char.is_lowercase()),
        Meaning::Imported(_) | Meaning::Unknown => false,
    }
}

/// Whether a node is a part of the syntax around it, which a variable cannot be.
pub(super) fn is_part(tree: &Tree, node: NodeId) -> bool {
    const PARTS: &[&str] = &[
        "rgument",
        "token_tree",
        "arameters",
        "Block",
        "block",
        "body",
        "Body",
        "clause",
        "_list",
        "Keyword",
        "declarator",
    ];
    let kind = tree.kind_name(node);
    let named = matches!(kind, "Assign")
        && tree
            .parent(node)
            .is_some_and(|parent| tree.kind_name(parent) == "Call");
    named || !tree.is_token(node) && PARTS.iter().any(|part| kind.contains(part))
}

fn shape(nodes: &[NodeId], what: What) -> Shape {
    let at = nodes.iter().map(|node| Some(Run::one(*node))).collect();
    Shape { at, what }
}

fn same(sides: &[&Source], nodes: &[NodeId]) -> bool {
    let digest = sides[0].digest(nodes[0]);
    nodes
        .iter()
        .zip(sides)
        .all(|(node, side)| side.digest(*node) == digest)
}
