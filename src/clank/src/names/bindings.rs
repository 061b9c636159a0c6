//! The bindings of a program, by number.

use super::{Binding, BindingId};

#[derive(Clone, Debug, Default)]
pub struct Bindings {
    items: Vec<Binding>,
}

impl Bindings {
    /// An empty list with room for the bindings of some nodes.
    pub(super) fn of(nodes: usize) -> Self {
        Self {
            // Unused capacity costs nothing, but growing moves all entries.
            items: Vec::with_capacity(nodes / 4),
        }
    }

    pub(super) fn push(&mut self, binding: Binding) -> BindingId {
        let id = BindingId(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
        self.items.push(binding);
        id
    }

    pub fn get(&self, id: BindingId) -> Option<&Binding> {
        self.items.get(id.0 as usize)
    }

    pub(super) fn get_mut(&mut self, id: BindingId) -> Option<&mut Binding> {
        self.items.get_mut(id.0 as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (BindingId, &Binding)> {
        (0..).map(BindingId).zip(&self.items)
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}
