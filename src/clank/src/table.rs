//! What is known of things that are numbered, or of those from one number on.

/// The default of `T` says that nothing is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<T> {
    first: usize,
    items: Vec<T>,
    /// What is known of the numbers that follow.
    rest: Option<Box<Self>>,
}

impl<T: Copy + Default> Table<T> {
    /// One for the things with these numbers.
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

    /// Does nothing for what it is not for.
    pub fn set(&mut self, at: usize, value: T) {
        if let Some(slot) = self.items.get_mut(at.wrapping_sub(self.first)) {
            *slot = value;
        }
    }

    /// Takes over what is known of the numbers that follow. It is not changed any more.
    pub fn append(&mut self, rest: Self) {
        self.rest = Some(Box::new(rest));
    }
}
