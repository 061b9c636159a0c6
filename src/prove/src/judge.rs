//! Decides the verdict from recorded runs alone.
//!
//! Four trees are compared: the base, the base with the tests of the patch, the base with the fix but
//! without those tests, and the base with both. The tests of the base are judged in the third tree,
//! where the patch cannot have weakened them. The added tests are judged in the second and the fourth.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence::Reason;
use crate::record::{TestStatus, World};
use crate::verdict::Verdict;

/// The reason for a proof without an added test.
pub const SAFE_FIXES: &str =
    "the patch consists of safe fixes, which strict mode demands from now on";

/// The result of one run of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// The index of the record.
    pub record: u32,
    /// None if a signal ended the command.
    pub exit: Option<i32>,
    pub has_exit_zero: bool,
    pub timed_out: bool,
    pub tests: Tests,
}

/// What a run shows about single tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tests {
    ByName(BTreeMap<String, TestStatus>),
    /// The runner ended before it reported any test, for example because the code does not compile.
    NotReported,
    /// The results contradict each other. The text says how.
    Unparsed(String),
}

/// The runs of one command in one tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs(pub Vec<RunResult>);

/// All runs of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRuns {
    pub command: String,
    /// The command that the user gave, which must fail in the base.
    pub is_repro: bool,
    pub worlds: BTreeMap<World, Runs>,
}

/// Whether a patch must bring a test that fails without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestDemand {
    AddedTest,
    /// The patch consists of safe fixes that strict mode would demand, which prevents a relapse.
    SafeFixesOnly,
}

/// A verdict, and the sentences that support it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub reasons: Vec<Reason>,
    /// The tests that fail without the fix and pass with it.
    pub distinguishing: BTreeSet<String>,
}

impl Judgement {
    pub fn of(verdict: Verdict, text: impl Into<String>, records: &[u32]) -> Self {
        Self {
            verdict,
            reasons: vec![reason(text, records)],
            distinguishing: BTreeSet::new(),
        }
    }
}

fn reason(text: impl Into<String>, records: &[u32]) -> Reason {
    Reason {
        text: text.into(),
        records: records.to_vec(),
    }
}

/// What all runs of one tree agree on.
#[derive(Clone, Debug)]
struct Settled<'a> {
    passes: bool,
    tests: Option<&'a BTreeMap<String, TestStatus>>,
    records: Vec<u32>,
}

/// Judges the runs of all commands.
pub fn judge(commands: &[CommandRuns], demand: TestDemand) -> Judgement {
    let mut reasons = Vec::new();
    let mut distinguishing = BTreeSet::new();
    for command in commands {
        match judge_command(command, &mut reasons) {
            Ok(found) => distinguishing.extend(found),
            Err(judgement) => return judgement,
        }
    }
    let verdict = match demand {
        TestDemand::SafeFixesOnly => {
            reasons.push(reason(SAFE_FIXES, &[]));
            Verdict::Proved
        }
        TestDemand::AddedTest if distinguishing.is_empty() => {
            let text = "no added test fails without the fix and passes with it";
            reasons.push(reason(text, &[]));
            Verdict::RegressionOnly
        }
        TestDemand::AddedTest => {
            for test in &distinguishing {
                let text =
                    format!("the added test {test:?} fails without the fix and passes with it");
                reasons.push(reason(text, &decisive_records(commands)));
            }
            Verdict::Proved
        }
    };
    Judgement {
        verdict,
        reasons,
        distinguishing,
    }
}

/// The runs with the added tests, without the fix and with it.
fn decisive_records(commands: &[CommandRuns]) -> Vec<u32> {
    let worlds = commands.iter().flat_map(|command| {
        let worlds = [World::TestsOnly, World::Both];
        worlds
            .into_iter()
            .filter_map(|world| command.worlds.get(&world))
    });
    worlds
        .flat_map(|runs| runs.0.iter().map(|run| run.record))
        .collect()
}

/// The added tests that distinguish the fix, or the verdict that the command leads to.
fn judge_command(
    command: &CommandRuns,
    reasons: &mut Vec<Reason>,
) -> Result<BTreeSet<String>, Judgement> {
    let name = &command.command;
    let [base, tests_only, fix_only, both] =
        [World::Base, World::TestsOnly, World::FixOnly, World::Both]
            .map(|world| settle(command, world));
    let (base, tests_only, fix_only, both) = (base?, tests_only?, fix_only?, both?);
    if command.is_repro && base.passes {
        let text = format!("`{name}` passes in the base");
        return Err(Judgement::of(Verdict::Unreproduced, text, &base.records));
    }
    for (tree, what) in [(&fix_only, "the fix alone"), (&both, "the whole patch")] {
        if !tree.passes {
            let verdict = match command.is_repro || !base.passes {
                true => Verdict::NotFixed,
                false => Verdict::Regressed,
            };
            let text = format!("`{name}` fails with {what}");
            return Err(Judgement::of(verdict, text, &tree.records));
        }
        compare(name, &base, tree, what)?;
    }
    let before = if base.passes { "passes" } else { "fails" };
    for (text, tree) in [
        (format!("`{name}` {before} in the base"), &base),
        (format!("`{name}` passes with the fix alone"), &fix_only),
        (format!("`{name}` passes with the whole patch"), &both),
    ] {
        reasons.push(reason(text, &tree.records));
    }
    Ok(added_tests(&tests_only, &fix_only, &both))
}

/// The tests of the patch that fail without the fix and pass with it.
fn added_tests(
    tests_only: &Settled<'_>,
    fix_only: &Settled<'_>,
    both: &Settled<'_>,
) -> BTreeSet<String> {
    let (Some(existing), Some(after)) = (fix_only.tests, both.tests) else {
        return BTreeSet::new();
    };
    let fails_without = |name: &str| match tests_only.tests {
        Some(tests) => tests.get(name).is_none_or(|it| *it == TestStatus::Failed),
        None => true,
    };
    let passing = after
        .iter()
        .filter(|(_, status)| **status == TestStatus::Passed);
    let added = passing.filter(|(name, _)| !existing.contains_key(*name));
    added
        .map(|(name, _)| name.clone())
        .filter(|name| !tests_only.passes && fails_without(name))
        .collect()
}

/// Rejects a tree in which a test of the base no longer passes or no longer runs.
fn compare(
    command: &str,
    base: &Settled<'_>,
    tree: &Settled<'_>,
    what: &str,
) -> Result<(), Judgement> {
    let Some(before) = base.tests else {
        return Ok(());
    };
    let Some(after) = tree.tests else {
        let text = format!("`{command}` reports no tests with {what}");
        return Err(Judgement::of(Verdict::Unparsed, text, &tree.records));
    };
    for (test, status) in before {
        let after = after.get(test).copied();
        let (verdict, happened) = match (status, after) {
            (TestStatus::Skipped, _) | (_, Some(TestStatus::Passed)) => continue,
            (TestStatus::Passed, Some(TestStatus::Failed)) => (Verdict::Regressed, "fails"),
            (TestStatus::Passed, Some(TestStatus::Skipped)) => (Verdict::Regressed, "is skipped"),
            (TestStatus::Passed, None) => (Verdict::Regressed, "no longer runs"),
            (TestStatus::Failed, Some(TestStatus::Failed)) => (Verdict::NotFixed, "still fails"),
            (TestStatus::Failed, Some(TestStatus::Skipped)) => (Verdict::Tampered, "is skipped"),
            (TestStatus::Failed, None) => (Verdict::Tampered, "no longer runs"),
        };
        let was = if *status == TestStatus::Passed {
            "passes"
        } else {
            "fails"
        };
        let text = format!("the test {test:?} {was} in the base, and {happened} with {what}");
        let records = [&base.records[..], &tree.records].concat();
        return Err(Judgement::of(verdict, text, &records));
    }
    Ok(())
}

/// What the runs of a command in one tree agree on.
fn settle<'a>(command: &'a CommandRuns, world: World) -> Result<Settled<'a>, Judgement> {
    let name = &command.command;
    let no_runs = || {
        let text = format!("`{name}` was not run in every tree");
        Judgement::of(Verdict::Unparsed, text, &[])
    };
    let runs = &command.worlds.get(&world).ok_or_else(no_runs)?.0;
    let first = runs.first().ok_or_else(no_runs)?;
    let records: Vec<u32> = runs.iter().map(|run| run.record).collect();
    let with_fix = matches!(world, World::FixOnly | World::Both);
    for run in runs {
        if let Tests::Unparsed(problem) = &run.tests
            && (run.has_exit_zero || with_fix)
        {
            let text = format!("the results of `{name}` cannot be used: {problem}");
            return Err(Judgement::of(Verdict::Unparsed, text, &[run.record]));
        }
        if run.timed_out && with_fix {
            let text = format!("`{name}` exceeds its time limit");
            return Err(Judgement::of(Verdict::NotFixed, text, &[run.record]));
        }
    }
    if let Some(problem) = disagreement(runs) {
        let text = format!("runs of `{name}` in one tree disagree: {problem}");
        return Err(Judgement::of(Verdict::Flaky, text, &records));
    }
    Ok(Settled {
        passes: first.has_exit_zero,
        tests: match &first.tests {
            Tests::ByName(tests) => Some(tests),
            Tests::NotReported | Tests::Unparsed(_) => None,
        },
        records,
    })
}

/// How runs of one tree differ, if they do.
pub fn disagreement(runs: &[RunResult]) -> Option<String> {
    let (first, others) = runs.split_first()?;
    for run in others {
        if run.has_exit_zero != first.has_exit_zero {
            return Some("some succeed and some fail".to_owned());
        }
        let (Tests::ByName(a), Tests::ByName(b)) = (&first.tests, &run.tests) else {
            continue;
        };
        let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        if let Some(name) = names.into_iter().find(|name| a.get(*name) != b.get(*name)) {
            return Some(format!(
                "the test {name:?} does not have the same result each time"
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use TestStatus::{Failed, Passed, Skipped};

    fn runs(outcomes: &[(&str, TestStatus)]) -> Runs {
        let tests: BTreeMap<String, TestStatus> = outcomes
            .iter()
            .map(|(name, status)| ((*name).to_owned(), *status))
            .collect();
        let run = RunResult {
            record: 1,
            exit: None,
            has_exit_zero: tests.values().all(|status| *status != Failed),
            timed_out: false,
            tests: Tests::ByName(tests),
        };
        Runs(vec![run; 3])
    }

    fn command(worlds: [Runs; 4]) -> CommandRuns {
        let names = [World::Base, World::TestsOnly, World::FixOnly, World::Both];
        CommandRuns {
            command: "pytest".to_owned(),
            is_repro: true,
            worlds: names.into_iter().zip(worlds).collect(),
        }
    }

    fn verdict(worlds: [Runs; 4]) -> Verdict {
        judge(&[command(worlds)], TestDemand::AddedTest).verdict
    }

    // E-11
    #[test]
    fn an_added_test_that_fails_without_the_fix_proves_it() {
        let judgement = judge(
            &[command([
                runs(&[("a", Failed), ("b", Passed)]),
                runs(&[("a", Failed), ("b", Passed), ("new", Failed)]),
                runs(&[("a", Passed), ("b", Passed)]),
                runs(&[("a", Passed), ("b", Passed), ("new", Passed)]),
            ])],
            TestDemand::AddedTest,
        );
        assert_eq!(judgement.verdict, Verdict::Proved);
        assert_eq!(judgement.distinguishing, BTreeSet::from(["new".to_owned()]));
    }

    // E-97
    #[test]
    fn a_test_that_passes_without_the_fix_shows_nothing() {
        let worlds = [
            runs(&[("a", Failed)]),
            runs(&[("a", Failed), ("new", Passed)]),
            runs(&[("a", Passed)]),
            runs(&[("a", Passed), ("new", Passed)]),
        ];
        assert_eq!(verdict(worlds), Verdict::RegressionOnly);
    }

    // E-96 E-105
    #[test]
    fn tests_of_the_base_cannot_be_edited_away() {
        // The patch changes the failing test: without its tests, the base's version still fails.
        let edited = [
            runs(&[("a", Failed)]),
            runs(&[("a", Passed)]),
            runs(&[("a", Failed)]),
            runs(&[("a", Passed), ("new", Passed)]),
        ];
        assert_eq!(verdict(edited), Verdict::NotFixed);
        for (after, expected) in [
            (vec![("a", Skipped)], Verdict::Tampered),
            (vec![("new", Passed)], Verdict::Tampered),
        ] {
            let worlds = [
                runs(&[("a", Failed)]),
                runs(&[("a", Failed)]),
                runs(&after),
                runs(&after),
            ];
            assert_eq!(verdict(worlds), expected);
        }
        for after in [vec![("a", Passed), ("b", Skipped)], vec![("a", Passed)]] {
            let worlds = [
                runs(&[("a", Failed), ("b", Passed)]),
                runs(&[("a", Failed), ("b", Passed)]),
                runs(&after),
                runs(&after),
            ];
            assert_eq!(verdict(worlds), Verdict::Regressed);
        }
    }

    #[test]
    fn runs_that_disagree_are_flaky() {
        let mut mixed = runs(&[("a", Passed)]);
        mixed.0[1] = runs(&[("a", Failed)]).0[0].clone();
        let worlds = [
            runs(&[("a", Failed)]),
            runs(&[("a", Failed)]),
            runs(&[("a", Passed)]),
            mixed,
        ];
        assert_eq!(verdict(worlds), Verdict::Flaky);
    }

    #[test]
    fn results_that_contradict_themselves_prove_nothing() {
        let mut forged = runs(&[("a", Passed)]);
        forged.0[2].tests = Tests::Unparsed("2 tests listed, 3 counted".to_owned());
        let worlds = [
            runs(&[("a", Failed)]),
            runs(&[("a", Failed)]),
            runs(&[("a", Passed)]),
            forged,
        ];
        assert_eq!(verdict(worlds), Verdict::Unparsed);
    }
}
