//! The current value of each binding in a function.

use super::pred::ValueId;
use crate::names::BindingId;

/// The bindings of a function have consecutive numbers, so their values are stored in a dense list.
#[derive(Default)]
pub(super) struct Current {
    /// The number of the first binding in the list.
    first: u32,
    values: Vec<Option<ValueId>>,
}

impl Current {
    pub fn clear(&mut self) {
        self.values.clear();
    }

    pub fn get(&self, binding: BindingId) -> Option<ValueId> {
        let at = binding.0.checked_sub(self.first)?;
        self.values.get(at as usize).copied().flatten()
    }

    pub fn set(&mut self, binding: BindingId, value: ValueId) {
        if self.values.is_empty() {
            self.first = binding.0;
        }
        // Bindings are not always walked in the order of their numbers.
        if let Some(missing) = self.first.checked_sub(binding.0) {
            let missing = std::iter::repeat_n(None, missing as usize);
            self.values.splice(..0, missing);
            self.first = binding.0;
        }
        let at = (binding.0 - self.first) as usize;
        if self.values.len() <= at {
            self.values.resize(at + 1, None);
        }
        if let Some(slot) = self.values.get_mut(at) {
            *slot = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_may_come_in_any_order() {
        let mut current = Current::default();
        for round in 0..2 {
            for binding in [7, 5, 9, 7, 6] {
                current.set(BindingId(binding), ValueId(binding + round));
            }
            let known = (4..11).map(|it| current.get(BindingId(it)).map(|it| it.0));
            let expected = [None, Some(5), Some(6), Some(7), None, Some(9), None];
            let expected = expected.map(|it| it.map(|it: u32| it + round));
            assert!(known.eq(expected));
            current.clear();
            assert_eq!(current.get(BindingId(7)), None);
        }
    }
}
