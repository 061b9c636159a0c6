//! A dense table of values by index, with an optional offset for the first index.

/// `T::default()` means that nothing is known about an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<T> {
    first: usize,
    items: Vec<T>,
    /// The values for the indices that follow.
    rest: Option<Box<Self>>,
}

impl<T: Copy + Default> Table<T> {
    /// A table for this range of indices.
    pub fn of(numbers: std::ops::Range<usize>) -> Self {
        Self {
            first: numbers.start,
            items: vec![T::default(); numbers.len()],
            rest: None,
        }
    }

    pub fn get(&self, at: usize) -> T {
        match (self.items.get(at.wrapping_sub(self.first)), &self.rest) {
            (Some(item), _) => *item,
            (None, Some(rest)) => rest.get(at),
            (None, None) => T::default(),
        }
    }

    /// Ignores indices outside the table's own range.
    pub fn set(&mut self, at: usize, value: T) {
        if let Some(slot) = self.items.get_mut(at.wrapping_sub(self.first)) {
            *slot = value;
        }
    }

    /// Appends a table for the indices that follow. The appended part is read-only.
    pub fn append(&mut self, rest: Self) {
        self.rest = Some(Box::new(rest));
    }
}
