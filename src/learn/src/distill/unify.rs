//! Anti-unification: the most specific shape that several pieces of code share.
//!
//! Code that moves from before to after as a whole becomes a variable; everything else stays as written. The same code in
//! two places of every example is the same variable.

use std::collections::{BTreeMap, BTreeSet};

use super::align::common;
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

struct Unifier<'a> {
    examples: &'a [Example<'a>],
    moved: Vec<BTreeSet<u64>>,
    variables: Vec<Variable>,
    /// Variables by what they are in each example.
    known: BTreeMap<Vec<u64>, usize>,
    /// Whether names of local variables are variables although all examples have the same.
    names: bool,
    /// Whether the result contains all of the code before it. Then nothing says what matters, and structure is kept.
    is_wrapped: bool,
}

impl Unifier<'_> {
    fn before(&mut self, nodes: &[NodeId]) -> Result<Shape, NoShape> {
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

    fn after(&mut self, nodes: &[NodeId]) -> Result<Shape, NoShape> {
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

    fn side(&mut self, nodes: &[NodeId], is_before: bool) -> Result<Shape, NoShape> {
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

    /// The elements of a list: those that all examples share stay, and what is between them may vary in number.
    fn list(
        &mut self,
        sides: &[&Source],
        lists: &[Vec<NodeId>],
        is_before: bool,
    ) -> Result<Vec<Shape>, NoShape> {
        let elements: Vec<Vec<NodeId>> = lists
            .iter()
            .zip(sides)
            .map(|(list, side)| {
                let elements = list.iter().copied();
                elements
                    .filter(|node| side.tree.text_of(*node) != ",")
                    .collect()
            })
            .collect();
        let commas = lists
            .iter()
            .zip(sides)
            .any(|(list, side)| list.iter().any(|node| side.tree.text_of(*node) == ","));
        let bare = lists.iter().any(|list| list.len() > 1) && !commas;
        if !is_before {
            return self.list_after(sides, &elements, bare);
        }
        let same_length = elements.iter().all(|list| list.len() == elements[0].len());
        let anchors = self.anchors(sides, &elements);
        let mut shapes: Vec<Shape> = Vec::new();
        let mut from = vec![0; elements.len()];
        let in_step = same_length
            && anchors
                .iter()
                .all(|places| places.iter().all(|place| *place == places[0]));
        for places in anchors
            .into_iter()
            .chain([elements.iter().map(Vec::len).collect()])
        {
            let segments: Vec<&[NodeId]> = elements
                .iter()
                .enumerate()
                .map(|(index, list)| &list[from[index]..places[index]])
                .collect();
            for shape in self.segment(sides, &segments, in_step)? {
                separate(&mut shapes, shape, bare);
            }
            if places
                .iter()
                .zip(&elements)
                .all(|(place, list)| *place < list.len())
            {
                let nodes: Vec<_> = places
                    .iter()
                    .zip(&elements)
                    .map(|(place, list)| list[*place])
                    .collect();
                let anchor = self.before(&nodes)?;
                separate(&mut shapes, anchor, bare);
            }
            from = places.iter().map(|place| place + 1).collect();
        }
        Ok(shapes)
    }

    /// The elements of a list in the result: known variables, and elements that have the same shape in all examples.
    fn list_after(
        &mut self,
        sides: &[&Source],
        lists: &[Vec<NodeId>],
        bare: bool,
    ) -> Result<Vec<Shape>, NoShape> {
        let mut shapes = Vec::new();
        let mut from = vec![0; lists.len()];
        while from
            .iter()
            .zip(lists)
            .any(|(from, list)| *from < list.len())
        {
            if let Some((shape, next)) = self.known_list(sides, lists, &from) {
                separate(&mut shapes, shape, bare);
                from = next;
                continue;
            }
            let nodes: Option<Vec<_>> = from
                .iter()
                .zip(lists)
                .map(|(from, list)| list.get(*from).copied())
                .collect();
            let shape = self.after(&nodes.ok_or(NoShape::Unbound)?)?;
            separate(&mut shapes, shape, bare);
            from.iter_mut().for_each(|from| *from += 1);
        }
        // Lists that are empty in every example are in their place, too.
        Ok(shapes)
    }

    /// A variable for several elements that comes next, and where it ends in each list.
    fn known_list(
        &self,
        sides: &[&Source],
        lists: &[Vec<NodeId>],
        from: &[usize],
    ) -> Option<(Shape, Vec<usize>)> {
        let mut best: Option<(usize, Shape, Vec<usize>)> = None;
        for (variable, info) in self
            .variables
            .iter()
            .enumerate()
            .filter(|(_, info)| info.is_list)
        {
            let mut at = Vec::new();
            let mut next = Vec::new();
            let mut length = 0;
            for (index, spot) in info.at.iter().enumerate() {
                let Some(run) = spot else {
                    at.push(None);
                    next.push(from[index]);
                    continue;
                };
                let wanted = self.examples[index].before.digest_of(*run);
                let rest = &lists[index][from[index]..];
                let Some(end) = (1..=rest.len()).find(|end| {
                    sides[index].digest_of(Run {
                        first: rest[0],
                        last: rest[end - 1],
                    }) == wanted
                }) else {
                    break;
                };
                at.push(Some(Run {
                    first: rest[0],
                    last: rest[end - 1],
                }));
                next.push(from[index] + end);
                length += end;
            }
            let longer = best.as_ref().is_none_or(|(most, ..)| length > *most);
            if at.len() == lists.len() && length > 0 && longer {
                best = Some((
                    length,
                    Shape {
                        at,
                        what: What::List(variable),
                    },
                    next,
                ));
            }
        }
        best.map(|(_, shape, next)| (shape, next))
    }

    fn segment(
        &mut self,
        sides: &[&Source],
        segments: &[&[NodeId]],
        in_step: bool,
    ) -> Result<Vec<Shape>, NoShape> {
        if segments.iter().all(|segment| segment.is_empty()) {
            return Ok(Vec::new());
        }
        let at: Vec<Spot> = segments
            .iter()
            .map(|segment| {
                let (first, last) = (segment.first()?, segment.last()?);
                Some(Run {
                    first: *first,
                    last: *last,
                })
            })
            .collect();
        let digests: Vec<_> = at
            .iter()
            .zip(sides)
            .map(|(spot, side)| spot.map_or(0, |run| side.digest_of(run)))
            .collect();
        if let Some(variable) = self.known.get(&digests) {
            let what = if self.variables[*variable].is_list {
                What::List(*variable)
            } else {
                What::Hole(*variable)
            };
            return Ok(vec![Shape { at, what }]);
        }
        if in_step {
            return (0..segments[0].len())
                .map(|place| {
                    let nodes: Vec<_> = segments.iter().map(|segment| segment[place]).collect();
                    self.before(&nodes)
                })
                .collect();
        }
        let all_moved = segments.iter().enumerate().all(|(index, segment)| {
            segment
                .iter()
                .all(|node| self.moved[index].contains(&sides[index].digest(*node)))
        });
        if !all_moved {
            return Err(NoShape::Dropped);
        }
        let variable = self.add(digests, true, at.clone());
        Ok(vec![Shape {
            at,
            what: What::List(variable),
        }])
    }

    /// The places of the elements that all lists share, in order.
    fn anchors(&self, sides: &[&Source], lists: &[Vec<NodeId>]) -> Vec<Vec<usize>> {
        let keys: Vec<Vec<u64>> = lists
            .iter()
            .enumerate()
            .map(|(index, list)| {
                let keys = list.iter().map(|node| {
                    let digest = sides[index].digest(*node);
                    let changed = !self.moved[index].contains(&digest);
                    if changed { 1 } else { digest }
                });
                keys.collect()
            })
            .collect();
        let mut shared = keys[0].clone();
        for other in &keys[1..] {
            let pairs =
                common(shared.len(), other.len(), |l, r| shared[l] == other[r]).unwrap_or_default();
            shared = pairs.into_iter().map(|(left, _)| shared[left]).collect();
        }
        let mut from = vec![0; lists.len()];
        let mut anchors = Vec::new();
        for key in shared {
            let places: Option<Vec<usize>> = keys
                .iter()
                .zip(&from)
                .map(|(keys, from)| {
                    Some(from + keys[*from..].iter().position(|other| *other == key)?)
                })
                .collect();
            let Some(places) = places else { break };
            from = places.iter().map(|place| place + 1).collect();
            anchors.push(places);
        }
        anchors
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

    fn add(&mut self, digests: Vec<u64>, is_list: bool, at: Vec<Spot>) -> usize {
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
        Meaning::Imported(_) => false,
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

/// Appends an element of a list, after a comma unless it is the first one.
fn separate(shapes: &mut Vec<Shape>, shape: Shape, bare: bool) {
    if !shapes.is_empty() && !bare {
        let at = shape.at.clone();
        shapes.push(Shape {
            at,
            what: What::Comma,
        });
    }
    shapes.push(shape);
}

fn same(sides: &[&Source], nodes: &[NodeId]) -> bool {
    let digest = sides[0].digest(nodes[0]);
    nodes
        .iter()
        .zip(sides)
        .all(|(node, side)| side.digest(*node) == digest)
}

/// The ranges of children between brackets, if they are lists with commas or differ in length.
fn regions(sides: &[&Source], lists: &[Vec<NodeId>]) -> Option<Vec<(usize, usize)>> {
    let text = |index: usize, at: usize| sides[index].tree.text_of(lists[index][at]);
    let open = (0..lists[0].len()).find(|at| matches!(text(0, *at), "(" | "[" | "{"))?;
    let from_end =
        (1..=lists[0].len()).find(|at| matches!(text(0, lists[0].len() - at), ")" | "]" | "}"))?;
    let mut has_comma = false;
    let mut regions = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        let close = list.len().checked_sub(from_end)?;
        if close <= open
            || text(index, open) != text(0, open)
            || text(index, close) != text(0, lists[0].len() - from_end)
        {
            return None;
        }
        let inside: Vec<_> = (open + 1..close).map(|at| text(index, at)).collect();
        has_comma |= inside.contains(&",");
        // Elements and commas alternate in a list; statements have none.
        let alternate = inside
            .iter()
            .enumerate()
            .all(|(at, text)| (*text == ",") == (at % 2 == 1));
        let marks = (open + 1..close).any(|at| sides[index].is_mark(list[at]));
        if !alternate && (inside.contains(&",") || marks) {
            return None;
        }
        regions.push((open + 1, close));
    }
    let same_length = lists.iter().all(|list| list.len() == lists[0].len());
    (has_comma || !same_length).then_some(regions)
}
