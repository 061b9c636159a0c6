//! The result of a proof: a closed set of words.

use serde::{Deserialize, Serialize};

/// What the recorded runs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The fix works, and an added test fails without it.
    Proved,
    /// The repro passes now, but no test distinguishes the fix.
    RegressionOnly,
    /// The repro still fails with the patch, or a dry run did not try the patch.
    NotFixed,
    /// A test that passed before fails with the patch, or no longer runs.
    Regressed,
    /// Runs of one tree disagree.
    Flaky,
    /// The repro does not fail in the user's tree.
    Unreproduced,
    /// The repro fails in the user's tree, but not in the scratch copy, or for another reason there.
    EnvironmentDiffers,
    /// The patch or its code interferes with how results are obtained.
    Tampered,
    /// A policy rejects a command or the patch.
    PolicyRefused,
    /// The engine returned no usable patch.
    EngineFailed,
    /// The time for the whole run is over.
    TimedOut,
    /// The results of a test runner cannot be read, or contradict its own summary.
    Unparsed,
}

impl Verdict {
    pub fn is_success(self) -> bool {
        self == Self::Proved
    }
}
