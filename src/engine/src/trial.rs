//! Tries candidates in batches. A batch that fails is halved, so that only the culprits are rejected.

/// Batches of candidates that are still to be tried.
#[derive(Debug)]
pub struct Batches<T> {
    /// The next batch is the last one.
    waiting: Vec<Vec<T>>,
}

impl<T> Default for Batches<T> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
        }
    }
}

impl<T> Batches<T> {
    /// One batch of all candidates.
    pub fn of(candidates: Vec<T>) -> Self {
        Self::in_order(vec![candidates])
    }

    /// Batches that are tried in this order.
    pub fn in_order(mut batches: Vec<Vec<T>>) -> Self {
        batches.reverse();
        Self { waiting: batches }
    }

    /// Takes the next batch, which has at least one candidate.
    pub fn take(&mut self) -> Option<Vec<T>> {
        std::iter::from_fn(|| self.waiting.pop()).find(|batch| !batch.is_empty())
    }

    /// Halves a batch that failed; its halves are next. Returns the candidate of a batch of one.
    pub fn halve(&mut self, mut failed: Vec<T>) -> Option<T> {
        if failed.len() == 1 {
            return failed.pop();
        }
        let second = failed.split_off(failed.len() / 2);
        self.waiting.extend([second, failed]);
        None
    }
}

/// The outcome of [`try_together`].
#[derive(Debug)]
pub struct Tried<T, P, R> {
    pub accepted: Vec<T>,
    /// The result of all accepted candidates together. `None` if there are none.
    pub result: Option<P>,
    /// The rejected candidates, each with the reason.
    pub rejected: Vec<(T, R)>,
}

/// Accepts as many candidates as pass together. `judge` gets the candidates accepted so far and the
/// batch to add. It applies them, and returns the result or the reason to reject it.
pub fn try_together<T: Clone, P, R>(
    candidates: Vec<T>,
    mut judge: impl FnMut(&[T]) -> Result<P, R>,
) -> Tried<T, P, R> {
    let mut tried = Tried {
        accepted: Vec::new(),
        result: None,
        rejected: Vec::new(),
    };
    let mut batches = Batches::of(candidates);
    while let Some(batch) = batches.take() {
        let together = [tried.accepted.as_slice(), &batch].concat();
        match judge(&together) {
            Ok(result) => {
                tried.accepted = together;
                tried.result = Some(result);
            }
            Err(reason) => {
                let culprit = batches.halve(batch);
                tried
                    .rejected
                    .extend(culprit.map(|culprit| (culprit, reason)));
            }
        }
    }
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rejects sums over 100.
    fn at_most_100(numbers: &[u32]) -> Result<u32, u32> {
        let sum = numbers.iter().sum();
        if sum > 100 { Err(sum) } else { Ok(sum) }
    }

    #[test]
    fn only_the_culprits_of_a_failing_batch_are_rejected() {
        let tried = try_together(vec![1, 2, 200, 3, 4, 300], at_most_100);
        assert_eq!(tried.accepted, [1, 2, 3, 4]);
        assert_eq!(tried.result, Some(10));
        assert_eq!(tried.rejected, [(200, 203), (300, 310)]);
    }

    #[test]
    fn a_candidate_is_judged_together_with_the_accepted_ones() {
        let tried = try_together(vec![60, 50, 40], at_most_100);
        assert_eq!(tried.accepted, [60, 40]);
        assert_eq!(tried.rejected, [(50, 110)]);
    }

    #[test]
    fn candidates_that_pass_together_are_judged_once() {
        let mut trials = 0;
        let tried = try_together(vec![1; 50], |numbers| {
            trials += 1;
            at_most_100(numbers)
        });
        assert_eq!((tried.accepted.len(), trials), (50, 1));
    }

    #[test]
    fn without_candidates_nothing_is_judged() {
        let tried = try_together(Vec::new(), at_most_100);
        assert_eq!((tried.accepted, tried.result), (Vec::new(), None));
    }
}
