//! Measures how strong the added tests are: they should fail when an edit of the fix is reverted, and
//! when an operator on a patched line is replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::evidence::{Minimal, Strength};
use crate::judge::{RunResult, Tests};
use crate::minimize::{Change, PatchEdit, edits};
use crate::mutate::{mutants, respaced};
use crate::record::{Phase, TestStatus};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::invocation::Task;
use crate::run::shrink::contents;
use crate::run::split::Split;
use crate::scratch::{Changes, FileState, Tree};
use crate::verdict::Verdict;

/// At most this many mutants are run.
const MAX_MUTANTS: usize = 12;

/// A patch that would be proved.
pub(crate) struct Candidate<'a> {
    pub(crate) base: &'a Tree,
    /// The tree with the whole patch.
    pub(crate) both: &'a Tree,
    pub(crate) parts: &'a Split,
    pub(crate) minimal: Option<&'a Minimal>,
    /// The tests that fail without the fix and pass with it.
    pub(crate) added: &'a BTreeSet<String>,
    /// The tests that fail in the base.
    pub(crate) fixed: &'a BTreeSet<String>,
}

/// How many reverted edits and mutants the added tests reject. The second result is a verdict if
/// tests of the base reject mutants, and the added tests reject none.
pub(crate) fn test_strength(
    executor: &mut Executor<'_>,
    task: &Task,
    patch: &Candidate<'_>,
) -> Result<(Option<Strength>, Option<Conclusion>), Stop> {
    let mut strength = Strength::default();
    // The runs that show that the fix needs each edit. They are of the failing command.
    let minimal = patch.minimal.filter(|_| task.is_repro);
    for hunk in minimal.iter().flat_map(|minimal| &minimal.hunks) {
        let Some(record) = hunk.fails_without.first() else {
            continue;
        };
        let tests = executor.record(*record).and_then(|it| it.tests.as_ref());
        strength.reverted += 1;
        strength.records.push(*record);
        match tests {
            Some(results) if fails(&results.tests, patch.added) => strength.reverted_killed += 1,
            Some(_) => {}
            None => strength.unknown += 1,
        }
    }
    let mut noticed_by_base = Vec::new();
    for (changes, reason) in mutated(patch)? {
        let run = executor.try_changes(task, patch.both, &changes, Phase::Prevent, reason)?;
        strength.mutants += 1;
        strength.records.push(run.record);
        match of_run(&run) {
            None => strength.unknown += 1,
            Some(tests) if fails(tests, patch.added) => strength.killed += 1,
            Some(tests) if fails(tests, patch.fixed) => noticed_by_base.push(run.record),
            Some(_) => {}
        }
    }
    let rejected = (strength.killed == 0 && !noticed_by_base.is_empty()).then(|| {
        let text =
            "the failing command notices when the fix is changed, but the added tests do not";
        Conclusion::of(Verdict::RegressionOnly, text, &noticed_by_base)
    });
    let is_measured = strength.mutants > 0 || strength.reverted > 0;
    Ok((is_measured.then_some(strength), rejected))
}

/// The results of a run that ended by itself.
fn of_run(run: &RunResult) -> Option<&BTreeMap<String, TestStatus>> {
    match &run.tests {
        Tests::ByName(tests) if !run.timed_out => Some(tests),
        Tests::ByName(_) | Tests::NotReported | Tests::Unparsed(_) => None,
    }
}

/// Whether one of the tests does not pass. If the module of a test cannot be loaded, the results lack the test.
fn fails(results: &BTreeMap<String, TestStatus>, tests: &BTreeSet<String>) -> bool {
    let mut tests = tests.iter();
    tests.any(|test| results.get(test) != Some(&TestStatus::Passed))
}

/// A patched source file with the whole patch.
struct Source {
    path: String,
    state: FileState,
    text: String,
    /// The lines of the fix, from 1.
    lines: Vec<Range<usize>>,
}

impl Source {
    fn with_text(&self, text: String) -> Changes {
        let state = FileState {
            bytes: text.into_bytes(),
            is_executable: self.state.is_executable,
        };
        Changes::new(BTreeMap::from([(self.path.clone(), Some(state))]))
    }
}

fn sources(patch: &Candidate<'_>) -> Result<Vec<Source>, Stop> {
    let fix = &patch.parts.fix;
    let states = patch.base.states(fix.paths().cloned())?;
    let parts = edits(&contents(states.iter()), &contents(fix.iter()));
    let mut found = Vec::new();
    for path in fix.paths() {
        let Some(state) = patch.both.read(path)? else {
            continue;
        };
        let Ok(text) = String::from_utf8(state.bytes.clone()) else {
            continue;
        };
        let lines = changed_lines(&parts, path, &text);
        found.push(Source {
            path: path.clone(),
            state,
            text,
            lines,
        });
    }
    Ok(found)
}

/// The mutants of the patched lines.
fn mutated(patch: &Candidate<'_>) -> Result<Vec<(Changes, String)>, Stop> {
    let mut found = Vec::new();
    for source in sources(patch)? {
        let limit = MAX_MUTANTS - found.len();
        for mutant in mutants(&source.path, &source.text, &source.lines, limit) {
            let at = format!("{}:{}", source.path, mutant.line);
            let reason = format!("mutant of {at}: {}", mutant.description);
            found.push((source.with_text(mutant.text), reason));
        }
    }
    Ok(found)
}

/// Rejects added tests that fail when the patched lines are only written with other spaces.
pub(crate) fn tests_of_text(
    executor: &mut Executor<'_>,
    task: &Task,
    patch: &Candidate<'_>,
) -> Result<Option<Conclusion>, Stop> {
    let mut changes = Changes::default();
    for source in sources(patch)? {
        if let Some(text) = respaced(&source.path, &source.text, &source.lines) {
            changes = changes.then(&source.with_text(text));
        }
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let reason = "the fix with other spaces".to_owned();
    let run = executor.try_changes(task, patch.both, &changes, Phase::Prevent, reason)?;
    let Some(results) = of_run(&run) else {
        return Ok(None);
    };
    let failed = |test: &&String| results.get(*test) == Some(&TestStatus::Failed);
    Ok(patch.added.iter().find(failed).map(|test| {
        let text = format!("the test {test:?} looks at the text of the code, not at what it does");
        Conclusion::of(Verdict::RegressionOnly, text, &[run.record])
    }))
}

/// The lines of the new text that the patch adds, counted from 1.
fn changed_lines(parts: &[PatchEdit], path: &str, text: &str) -> Vec<Range<usize>> {
    let of_file: Vec<&PatchEdit> = parts.iter().filter(|edit| edit.path == path).collect();
    if of_file
        .iter()
        .any(|edit| matches!(edit.change, Change::File(_)))
    {
        let end = text.lines().count() + 1;
        return std::iter::once(1..end).collect();
    }
    let added: Vec<&[u8]> = of_file
        .iter()
        .filter_map(|edit| match &edit.change {
            Change::Line { text, .. } => Some(text.as_slice()),
            Change::File(_) => None,
        })
        .collect();
    let is_added = |line: &str| {
        let line = line.as_bytes();
        added
            .iter()
            .any(|text| !line.is_empty() && contains(text, line))
    };
    let numbered = text.lines().enumerate();
    numbered
        .filter(|(_, line)| is_added(line))
        .map(|(index, _)| index + 1..index + 2)
        .collect()
}

fn contains(text: &[u8], line: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|other| other == line)
}
