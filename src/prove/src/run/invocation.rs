//! One run of a command: what is asked for, and what its record shows.

use crate::evidence::ChainedRecord;
use crate::judge::{RunResult, Tests};
use crate::record::{Phase, World};
use crate::scratch::Tree;

/// A command that was checked by the command policy.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// As the user wrote it.
    pub(crate) text: String,
    pub(crate) argv: Vec<String>,
    /// Whether it is the command that must fail in the base.
    pub(crate) is_repro: bool,
}

/// How a run differs from a plain one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Plain,
    /// Only the test of this name runs.
    Alone(String),
    /// The tree is tried for the given reason.
    Trial(String),
    /// Only the test runs, in a tree that is tried for the given reason.
    AloneTrial {
        test: String,
        reason: String,
    },
}

/// One run to make.
#[derive(Debug)]
pub(crate) struct Invocation<'a> {
    pub(crate) task: &'a Task,
    pub(crate) tree: &'a Tree,
    pub(crate) phase: Phase,
    pub(crate) world: Option<World>,
    pub(crate) run: u32,
    pub(crate) variant: Variant,
}

/// A run with a test that must fail.
pub(crate) struct SentinelRun {
    pub(crate) record: u32,
    pub(crate) was_reported: bool,
}

impl RunResult {
    /// What a record shows.
    pub(crate) fn of(chained: &ChainedRecord) -> Self {
        let record = &chained.record;
        Self {
            record: chained.index,
            exit: record.exit_code,
            has_exit_zero: record.exit_code == Some(0) && !record.timed_out,
            timed_out: record.timed_out,
            tests: match (&record.unparsed, &record.tests) {
                (Some(reason), _) => Tests::Unparsed(reason.clone()),
                (None, Some(tests)) => Tests::ByName(tests.tests.clone()),
                (None, None) => Tests::NotReported,
            },
        }
    }
}
