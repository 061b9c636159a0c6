//! Shows that the fix changes more than the inputs of its tests. A decisive test runs with other
//! inputs, with the fix and without it. There are two signs that the fix treats the inputs of the tests
//! as special cases:
//!
//! - With any other inputs, the code behaves as without the fix.
//! - In every decisive test, any other value of one input switches the fix off, and the tests have
//!   different values there. If all tests have the same value, the fix may be meant for this value.

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
/// How many other values of an input must switch the fix off.
const MIN_SWITCHED: usize = 2;

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
    // The values that switch the fix on, and the records that show it. `None` if a test has none.
    let mut switches = Some((BTreeSet::new(), Vec::new()));
    for test in fixed.take(MAX_TESTS).chain(added.take(MAX_TESTS)) {
        match trials.scope_of_fix(test)? {
            Scope::Unknown => switches = None,
            Scope::Inputs(records) => {
                let text = format!(
                    "the fix acts only on the inputs of the test {test:?}: with other inputs, the \
                     code behaves as without the fix"
                );
                return Err(Conclusion::of(Verdict::RegressionOnly, text, &records).into());
            }
            Scope::Values(values, records) => {
                if let Some((all, shown)) = &mut switches {
                    all.extend(values);
                    shown.extend(records);
                }
            }
        }
    }
    match switches {
        Some((values, records)) if values.len() > 1 => {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let text = format!(
                "the fix acts only on values that the tests use, {}: with any other value, the code \
                 behaves as without the fix, or fails",
                values.join(", ")
            );
            Err(Conclusion::of(Verdict::RegressionOnly, text, &records).into())
        }
        _ => Ok(()),
    }
}

/// On which inputs of a test the fix acts.
enum Scope {
    /// On other inputs too, or the trials show nothing.
    Unknown,
    /// Only on the inputs of the test, as these records show.
    Inputs(Vec<u32>),
    /// Only if these inputs have the values of the test. Other inputs may differ.
    Values(Vec<String>, Vec<u32>),
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
    /// Whether both fail with the same errors and different messages. The code then rejects the other input
    /// for the same reason as the test's own input, and not because the input is invalid.
    fn fails_like(&self, other: &Self) -> bool {
        let failed = [self, other].map(|it| it.status == TestStatus::Failed);
        failed == [true; 2] && self.lines != other.lines && self.errors() == other.errors()
    }

    /// Whether it fails, and not only because a value is not the expected one.
    fn crashes(&self) -> bool {
        let expected = ["AssertionError", "assertion", "panic", "panicked"];
        let mut errors = self.errors().into_iter();
        self.status == TestStatus::Failed && errors.any(|error| !expected.contains(&error))
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
    fn scope_of_fix(&mut self, test: &str) -> Result<Scope, Stop> {
        // The two files differ if they have tests and the fix.
        let (without, with) = (inputs_of(self.without, test)?, inputs_of(self.with, test)?);
        if with.is_empty() || without.len() != with.len() {
            return Ok(Scope::Unknown);
        }
        let Some(original) = self.behaviors(test, [&without[0], &with[0]], None)? else {
            return Ok(Scope::Unknown);
        };
        let mut same = Vec::new();
        let mut acts_on_others = false;
        // The records of the trials in which another value of an input switched the fix off. `None` if one did not.
        let mut switched: Vec<Option<Vec<u32>>> = vec![Some(Vec::new()); with.len()];
        let mut tried = BTreeSet::new();
        let others = interleaved(&with).into_iter().take(MAX_TRIALS);
        for (index, value) in others {
            let may_switch = match &switched[index] {
                None => false,
                Some(records) => !records.is_empty() || tried.insert(index),
            };
            if acts_on_others && !may_switch {
                continue;
            }
            let inputs = [&without[index], &with[index]];
            let Some(trial) = self.behaviors(test, inputs, Some(value))? else {
                continue;
            };
            // An input that changes nothing in either tree is not one of the tested code.
            if trial.without == original.without && trial.with == original.with {
                continue;
            }
            let is_own_failure = trial.without.fails_like(&original.without);
            if trial.without == trial.with {
                if is_own_failure {
                    same.extend(trial.records);
                }
            } else {
                acts_on_others = true;
            }
            let is_off = trial.without == trial.with || trial.with.crashes();
            match &mut switched[index] {
                Some(records) if is_off && is_own_failure => records.extend(trial.records),
                it if !is_off => *it = None,
                _ => {}
            }
        }
        if !acts_on_others && !same.is_empty() {
            return Ok(Scope::Inputs(same));
        }
        let switches = with.iter().zip(switched);
        let switches = switches.filter_map(|(input, records)| {
            let records = records.filter(|records| records.len() >= 2 * MIN_SWITCHED)?;
            Some((input.value(self.with).ok()??, records))
        });
        let (values, records): (Vec<String>, Vec<Vec<u32>>) = switches.unzip();
        Ok(match values.is_empty() {
            true => Scope::Unknown,
            false => Scope::Values(values, records.concat()),
        })
    }

    /// Runs the test alone, without the fix and with it. One input has another value, or all have their
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
    fn a_wrong_value_is_not_a_crash() {
        let failed = |line: &str| Behavior {
            status: TestStatus::Failed,
            lines: BTreeSet::from([line.to_owned()]),
        };
        assert!(failed("KeyError: 6").crashes());
        assert!(!failed("AssertionError: 8 != 12").crashes());
        assert!(!failed("thread 'a' panicked at src/lib.rs").crashes());
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
