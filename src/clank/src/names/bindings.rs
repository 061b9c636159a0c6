//! The bindings of a program, by number.

use std::ops::Range;

use super::{Binding, BindingId};

/// Bindings that are numbered from `first` on, and those of a second half with greater numbers.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    first: u32,
    items: Vec<Binding>,
    rest: Option<Box<Self>>,
}

impl Bindings {
    /// An empty list with room for the bindings of some nodes. The first binding gets the number of
    /// the first node.
    pub(super) fn of(nodes: Range<usize>) -> Self {
        Self {
            first: u32::try_from(nodes.start).unwrap_or(u32::MAX),
            // Unused capacity costs nothing, but growing moves all entries.
            items: Vec::with_capacity(nodes.len() / 4),
            rest: None,
        }
    }

    pub(super) fn push(&mut self, binding: Binding) -> BindingId {
        let id = BindingId(self.number(self.items.len()));
        self.items.push(binding);
        id
    }

    /// Takes over the bindings of the second half. Each binding has a node of its own, so numbering
    /// the second half from its first node keeps the numbers disjoint.
    pub(super) fn append(&mut self, second: Self) {
        self.rest = Some(Box::new(second));
    }

    pub fn get(&self, id: BindingId) -> Option<&Binding> {
        match &self.rest {
            Some(rest) if id.0 >= rest.first => rest.get(id),
            _ => self.items.get(id.0.checked_sub(self.first)? as usize),
        }
    }

    pub(super) fn get_mut(&mut self, id: BindingId) -> Option<&mut Binding> {
        self.items.get_mut(id.0.checked_sub(self.first)? as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (BindingId, &Binding)> {
        let halves = [Some(self), self.rest.as_deref()];
        halves.into_iter().flatten().flat_map(|half| {
            let ids = (half.first..).map(BindingId);
            ids.zip(&half.items)
        })
    }

    /// All numbers, including unused ones between the two halves.
    pub(crate) fn numbers(&self) -> Range<usize> {
        let [first, second] = self.numbers_of_halves();
        first.start..first.end.max(second.end)
    }

    pub(crate) fn numbers_of_halves(&self) -> [Range<usize>; 2] {
        let own = |half: &Self| half.first as usize..half.number(half.items.len()) as usize;
        [own(self), self.rest.as_deref().map_or(0..0, own)]
    }

    fn number(&self, count: usize) -> u32 {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.first.saturating_add(count)
    }
}
