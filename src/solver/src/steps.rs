//! A step budget, so that the limit is reached at the same point on every machine.

/// The question needs more steps than allowed.
#[derive(Debug)]
pub(crate) struct OutOfSteps;

pub(crate) struct Steps {
    left: u64,
}

impl Steps {
    pub(crate) fn new(left: u64) -> Self {
        Self { left }
    }

    pub(crate) fn take(&mut self, count: u64) -> Result<(), OutOfSteps> {
        self.left = self.left.checked_sub(count).ok_or(OutOfSteps)?;
        Ok(())
    }
}
