//! What a run ends with, before it is written.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::evidence::{EngineText, Minimal, PolicyCheck, Reason, Strength};
use crate::judge::Judgement;
use crate::scratch::Changes;
use crate::verdict::Verdict;

/// A patch that someone proposes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Proposal {
    pub(crate) changes: Changes,
    pub(crate) text: EngineText,
    /// Whether the patch consists of safe fixes of our own analysis.
    pub(crate) is_safe: bool,
    /// Whether the patch is proved as it is, without making it smaller.
    pub(crate) is_final: bool,
}

/// The result of the protocol.
#[derive(Clone, Debug)]
pub(crate) struct Conclusion {
    pub(crate) verdict: Verdict,
    pub(crate) reasons: Vec<Reason>,
    pub(crate) proposal: Option<Proposal>,
    pub(crate) policies: Vec<PolicyCheck>,
    pub(crate) minimal: Option<Minimal>,
    pub(crate) strength: Option<Strength>,
    /// The added tests that fail without the fix and pass with it.
    pub(crate) distinguishing: BTreeSet<String>,
}

impl Conclusion {
    pub(crate) fn of(verdict: Verdict, text: impl Into<String>, records: &[u32]) -> Self {
        Judgement::of(verdict, text, records).into()
    }

    pub(crate) fn with_proposal(mut self, proposal: &Proposal) -> Self {
        self.proposal = Some(proposal.clone());
        self
    }
}

impl From<Judgement> for Conclusion {
    fn from(judgement: Judgement) -> Self {
        Self {
            verdict: judgement.verdict,
            reasons: judgement.reasons,
            proposal: None,
            policies: Vec::new(),
            minimal: None,
            strength: None,
            distinguishing: judgement.distinguishing,
        }
    }
}

/// Why the protocol ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// With a verdict.
    Concluded(Box<Conclusion>),
    /// Because the run itself failed.
    Failed(super::ProveError),
}

impl From<Conclusion> for Stop {
    fn from(conclusion: Conclusion) -> Self {
        Self::Concluded(Box::new(conclusion))
    }
}

impl<E: Into<super::ProveError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}
