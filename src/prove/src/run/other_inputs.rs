//! Shows that the fix changes more than the inputs of its tests. A decisive test runs with other
//! inputs, with the fix and without it. If the code then always behaves as without the fix, the fix
//! treats the inputs of the test as special cases.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_text::line_changes;

use crate::judge::Tests;
use crate::policy::is_test_path;
use crate::record::{Phase, TestStatus, World};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::inputs::{Input, inputs_of};
use crate::run::invocation::{Invocation, Task, Variant};
use crate::run::observed::observed_lines;
use crate::run::proof::Worlds;
use crate::scan::{Language, scan};
use crate::scratch::{Changes, FileState, Tree};
use crate::verdict::Verdict;

/// How many tests of each kind are tried: those that fail in the base, and added ones.
const MAX_TESTS: usize = 2;
/// How many other inputs of one test are tried.
const MAX_TRIALS: usize = 12;

/// Rejects a fix that acts only on the inputs of a decisive test. A test whose inputs are not literals,
/// or whose output does not depend on them, shows nothing.
pub(crate) fn check<'t>(
    executor: &mut Executor<'_>,
    task: &Task,
    worlds: &Worlds,
    fixed: impl Iterator<Item = &'t String>,
    added: impl Iterator<Item = &'t String>,
) -> Result<(), Stop> {
    let [Some(base), Some(without), Some(fix), Some(with)] =
        [World::Base, World::TestsOnly, World::FixOnly, World::Both]
            .map(|world| worlds.get(&world))
    else {
        return Ok(());
    };
    if !changes_logic(base, fix)? {
        return Ok(());
    }
    let mut trials = Trials {
        executor,
        task,
        without,
        with,
    };
    for test in fixed.take(MAX_TESTS).chain(added.take(MAX_TESTS)) {
        if let Some(records) = trials.of_inputs_alone(test)? {
            let text = format!(
                "the fix acts only on the inputs of the test {test:?}: with other inputs, the code \
                 behaves as without the fix"
            );
            return Err(Conclusion::of(Verdict::RegressionOnly, text, &records).into());
        }
    }
    Ok(())
}

struct Trials<'a, 'e> {
    executor: &'a mut Executor<'e>,
    task: &'a Task,
    without: &'a Tree,
    with: &'a Tree,
}

/// What a run shows about one test.
#[derive(PartialEq, Eq)]
struct Behavior {
    status: TestStatus,
    lines: BTreeSet<String>,
}

impl Behavior {
    /// Whether both fail in the same way, with another message: another input is then rejected as the
    /// test's own one, and not because it makes no sense.
    fn fails_like(&self, other: &Self) -> bool {
        let failed = [self, other].map(|it| it.status == TestStatus::Failed);
        failed == [true; 2] && self.lines != other.lines && self.errors() == other.errors()
    }

    fn errors(&self) -> BTreeSet<&str> {
        let words = self.lines.iter();
        let words = words.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        let is_error = |word: &&str| {
            ["Error", "Exception", "assertion", "panic", "panicked"]
                .iter()
                .any(|it| word.ends_with(it))
        };
        words.filter(is_error).collect()
    }
}

impl Trials<'_, '_> {
    /// The records that show that the fix acts on no other input of the test.
    fn of_inputs_alone(&mut self, test: &str) -> Result<Option<Vec<u32>>, Stop> {
        // The two files differ if they have tests and the fix.
        let (without, with) = (inputs_of(self.without, test)?, inputs_of(self.with, test)?);
        if with.is_empty() || without.len() != with.len() {
            return Ok(None);
        }
        let original = self.behaviors(test, [&without[0], &with[0]], None)?;
        let mut same = Vec::new();
        let others = interleaved(&with).into_iter().take(MAX_TRIALS);
        for (index, value) in others {
            let inputs = [&without[index], &with[index]];
            let Some(trial) = self.behaviors(test, inputs, Some(value))? else {
                continue;
            };
            let Some(original) = &original else {
                return Ok(None);
            };
            // An input that changes nothing in either tree is not one of the tested code.
            let is_relevant = trial.without != original.without || trial.with != original.with;
            if is_relevant && trial.without != trial.with {
                return Ok(None);
            }
            if is_relevant && trial.without.fails_like(&original.without) {
                same.extend(trial.records);
            }
        }
        Ok((!same.is_empty()).then_some(same))
    }

    /// Runs the test alone without the fix and with it, with another value of one input or with its
    /// own. `None` if the test does not report a result.
    fn behaviors(
        &mut self,
        test: &str,
        inputs: [&Input; 2],
        value: Option<&str>,
    ) -> Result<Option<Pair>, Stop> {
        let [first, second] = inputs;
        let without = self.behavior(test, self.without, World::TestsOnly, first, value)?;
        let with = self.behavior(test, self.with, World::Both, second, value)?;
        let both = without.zip(with);
        Ok(both.map(|((without, first), (with, second))| Pair {
            without,
            with,
            records: [first, second],
        }))
    }

    fn behavior(
        &mut self,
        test: &str,
        tree: &Tree,
        world: World,
        input: &Input,
        value: Option<&str>,
    ) -> Result<Option<(Behavior, u32)>, Stop> {
        let (changes, reason) = match value {
            None => (Changes::default(), "its own inputs".to_owned()),
            Some(value) => {
                let reason = format!("the input {value} at {}:{}", input.path, input.line);
                (input.replaced_by(tree, value)?, reason)
            }
        };
        let tree = tree.with(&changes, &self.executor.fresh("input"))?;
        let run = self.executor.run(&Invocation {
            task: self.task,
            tree: &tree,
            phase: Phase::Prevent,
            world: Some(world),
            run: 1,
            variant: Variant::AloneTrial {
                test: test.to_owned(),
                reason,
            },
        });
        let source = tree.read(&input.path)?.map(|state| state.bytes);
        let _ = std::fs::remove_dir_all(tree.folder());
        let run = match run {
            Ok(run) => run,
            // The runner cannot run one test.
            Err(Stop::Concluded(it)) if it.verdict == Verdict::Unparsed => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let Tests::ByName(tests) = &run.tests else {
            return Ok(None);
        };
        let (Some(status), Some(record)) = (tests.get(test), self.executor.record(run.record))
        else {
            return Ok(None);
        };
        let mut lines = BTreeSet::new();
        if *status == TestStatus::Failed {
            let source = source.unwrap_or_default();
            let source = String::from_utf8_lossy(&source);
            for output in [&record.stdout, &record.stderr] {
                lines.append(&mut observed_lines(output, &source));
            }
        }
        let status = *status;
        Ok(Some((Behavior { status, lines }, run.record)))
    }
}

/// The behavior of one test without the fix and with it.
struct Pair {
    without: Behavior,
    with: Behavior,
    records: [u32; 2],
}

/// The index of each input with its first other value, then with its next one.
fn interleaved(inputs: &[Input]) -> Vec<(usize, &str)> {
    let most = inputs.iter().map(|input| input.others.len()).max();
    let rounds = 0..most.unwrap_or(0);
    let of_round = |round: usize| {
        let inputs = inputs.iter().enumerate();
        inputs.filter_map(move |(index, input)| Some((index, input.others.get(round)?.as_str())))
    };
    rounds.flat_map(of_round).collect()
}

/// Whether the fix changes more than literals and operators: a table with more entries or another
/// limit is meant for certain inputs.
fn changes_logic(base: &Tree, fix: &Tree) -> Result<bool, Stop> {
    let (before, after) = (base.paths().iter(), fix.paths().iter());
    let paths: BTreeSet<&String> = before.chain(after).collect();
    for path in paths {
        let Some(language) = Language::of_path(path).filter(|_| !is_test_path(path)) else {
            continue;
        };
        let text = |state: Option<FileState>| {
            let bytes = state.map(|state| state.bytes).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (old, new) = (text(base.read(path)?), text(fix.read(path)?));
        if old != new && words_differ(&old, &new, language) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn words_differ(old: &str, new: &str, language: Language) -> bool {
    let (old, new) = (scan(old, language).code, scan(new, language).code);
    let (mut removed, mut added) = (BTreeMap::new(), BTreeMap::new());
    for change in line_changes(&old, &new) {
        count_words(&old[change.old.range()], &mut removed);
        count_words(&new[change.new.range()], &mut added);
    }
    removed != added
}

fn count_words<'a>(code: &'a str, counts: &mut BTreeMap<&'a str, usize>) {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    for word in words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')) {
        *counts.entry(word).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_of_the_same_kind_are_compared() {
        let failed = |line: &str| Behavior {
            status: TestStatus::Failed,
            lines: BTreeSet::from([line.to_owned()]),
        };
        let own = failed("AssertionError: -2 != 12");
        assert!(failed("AssertionError: 8 != 12").fails_like(&own));
        assert!(!failed("IndexError: 3").fails_like(&own));
        assert!(!failed("AssertionError: -2 != 12").fails_like(&own));
        let passed = Behavior {
            status: TestStatus::Passed,
            lines: BTreeSet::new(),
        };
        assert!(!passed.fails_like(&own));
    }

    #[test]
    fn literals_and_operators_are_no_logic() {
        let differ = |old, new| words_differ(old, new, Language::Python);
        assert!(!differ("R = {'I': 1}\n", "R = {'I': 1, 'X': 10}\n"));
        assert!(!differ("return age > 18\n", "return age >= 18\n"));
        assert!(differ("return a - b\n", "return T.get(a, a - b)\n"));
        assert!(differ("return a - b\n", "return 12\n"));
    }
}
