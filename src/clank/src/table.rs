//! A dense table of values by index.

/// `T::default()` means that nothing is known about an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<T> {
    items: Vec<T>,
}

impl<T: Copy + Default> Table<T> {
    /// A table for the indices below `count`.
    pub fn of(count: usize) -> Self {
        Self {
            items: vec![T::default(); count],
        }
    }

    pub fn get(&self, at: usize) -> T {
        self.items.get(at).copied().unwrap_or_default()
    }

    /// Ignores indices outside the table.
    pub fn set(&mut self, at: usize, value: T) {
        if let Some(slot) = self.items.get_mut(at) {
            *slot = value;
        }
    }
}
