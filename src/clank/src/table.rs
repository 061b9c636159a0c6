//! What is known of things that are numbered, or of those from one number on.

/// The default of `T` says that nothing is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<T> {
    first: usize,
    items: Vec<T>,
}

impl<T: Copy + Default> Table<T> {
    /// One for the things with these numbers.
    pub fn of(numbers: std::ops::Range<usize>) -> Self {
        Self {
            first: numbers.start,
            items: vec![T::default(); numbers.len()],
        }
    }

    pub fn get(&self, at: usize) -> T {
        let own = at.checked_sub(self.first);
        own.and_then(|at| self.items.get(at))
            .copied()
            .unwrap_or_default()
    }

    /// Does nothing for what it is not for.
    pub fn set(&mut self, at: usize, value: T) {
        let own = at.checked_sub(self.first);
        if let Some(slot) = own.and_then(|at| self.items.get_mut(at)) {
            *slot = value;
        }
    }

    /// Takes over what is known of the numbers that follow.
    pub fn append(&mut self, rest: Self, change: impl Fn(T) -> T) {
        self.items.extend(rest.items.into_iter().map(change));
    }
}
