//! Anti-unification of lists, whose elements may vary in number.

use super::align::common;
use super::source::{Run, Source};
use super::unify::{NoShape, Shape, Spot, Unifier, What};
use crate::NodeId;

impl Unifier<'_> {
    /// The elements of a list: those that all examples share stay, and what is between them may vary in number.
    pub(super) fn list(
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

/// The ranges of children between brackets, if they are lists with commas or differ in length.
pub(super) fn regions(sides: &[&Source], lists: &[Vec<NodeId>]) -> Option<Vec<(usize, usize)>> {
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
