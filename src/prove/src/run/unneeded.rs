//! Shows that an added test needs the part of the patch that fixes the failure. A test of a marker,
//! which the patch adds beside the fix, would pass without the fix.

use std::collections::BTreeSet;

use crate::judge::Tests;
use crate::minimize::{compose, edits};
use crate::record::{Phase, TestStatus};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::invocation::Task;
use crate::run::shrink::{contents, states_of};
use crate::scratch::{Changes, Tree};
use crate::verdict::Verdict;

/// Larger patches are not taken apart.
const MAX_EDITS: usize = 16;

/// Rejects a patch if its tests pass with only those edits that the failing command does not need.
pub(crate) fn check(
    executor: &mut Executor<'_>,
    repro: &Task,
    base: &Tree,
    fix: &Changes,
    tests: &Changes,
    distinguishing: &BTreeSet<String>,
) -> Result<Option<Conclusion>, Stop> {
    let states = base.states(fix.paths().cloned())?;
    let before = contents(states.iter());
    let parts = edits(&before, &contents(fix.iter()));
    if parts.len() < 2 || parts.len() > MAX_EDITS {
        return Ok(None);
    }
    let mut run = |chosen: &[usize], tests: &Changes, reason: String| {
        let changes = states_of(compose(&before, &parts, chosen), &before, fix).then(tests);
        executor.try_changes(repro, base, &changes, Phase::Prevent, reason)
    };
    let mut unneeded = Vec::new();
    for part in 0..parts.len() {
        let others: Vec<usize> = (0..parts.len()).filter(|other| *other != part).collect();
        let reason = format!("without the added tests and the edit {}", part + 1);
        if run(&others, &Changes::default(), reason)?.has_exit_zero {
            unneeded.push(part);
        }
    }
    if unneeded.is_empty() || unneeded.len() == parts.len() {
        return Ok(None);
    }
    let reason = "only the edits that the failing command does not need".to_owned();
    let without_fix = run(&unneeded, tests, reason)?;
    let Tests::ByName(found) = &without_fix.tests else {
        return Ok(None);
    };
    let passes = |test: &String| found.get(test) == Some(&TestStatus::Passed);
    if !distinguishing.iter().all(passes) {
        return Ok(None);
    }
    let text = "the added tests pass without the edits that fix the failure";
    let conclusion = Conclusion::of(Verdict::RegressionOnly, text, &[without_fix.record]);
    Ok(Some(conclusion))
}
