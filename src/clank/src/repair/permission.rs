//! Which repairs the loop may apply without asking, and which a user approved.

use std::collections::BTreeSet;

use fixpoint_report::Safety;

use super::candidate::Candidate;

/// Which repairs may be applied.
#[derive(Clone, Debug)]
pub struct Permission {
    /// The least safe level that needs no approval. Behavior-changing repairs always need one.
    pub safety: Safety,
    pub approved: Approved,
    pub max_rounds: usize,
}

#[derive(Clone, Debug)]
pub enum Approved {
    Ids(BTreeSet<String>),
    Everything,
}

impl Permission {
    pub fn admits(&self, candidate: &Candidate) -> bool {
        let by_itself = candidate.safety <= self.safety;
        let approved = match &self.approved {
            Approved::Ids(ids) => ids.contains(&candidate.id),
            Approved::Everything => true,
        };
        approved || (by_itself && candidate.safety != Safety::BehaviorChanging)
    }

    /// Whether the user approved the repair by its id.
    pub(super) fn names(&self, candidate: &Candidate) -> bool {
        matches!(&self.approved, Approved::Ids(ids) if ids.contains(&candidate.id))
    }
}
