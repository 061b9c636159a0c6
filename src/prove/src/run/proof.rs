//! Runs the commands in the four trees, and in variants that expose forged results.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::judge::{CommandRuns, RunResult, Runs, TestDemand, Tests, disagreement, judge};
use crate::record::{Phase, TestStatus, World};
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::executor::Executor;
use crate::run::expectations;
use crate::run::invocation::{Invocation, Task, Variant};
use crate::run::other_inputs;
use crate::scratch::Tree;
use crate::verdict::Verdict;

/// Runs of a command in one tree.
const RUNS: u32 = 3;
/// Runs if the first ones disagree.
const RUNS_ON_DISAGREEMENT: u32 = 5;
/// How many single tests are run alone.
const MAX_TESTS_ALONE: usize = 10;
/// How often a test is run alone. A test that fails once in seven runs passes all of them in one of
/// a hundred proofs.
const RUNS_ALONE: u32 = 30;
/// Slow tests are repeated less often.
const MAX_MILLISECONDS_ALONE: u64 = 60_000;

/// The four trees.
pub(crate) type Worlds = BTreeMap<World, Tree>;

/// Runs a task several times in one tree.
pub(crate) fn repeat(
    executor: &mut Executor<'_>,
    task: &Task,
    tree: &Tree,
    phase: Phase,
    world: World,
) -> Result<Runs, Stop> {
    let mut runs = Vec::new();
    let mut wanted = RUNS;
    while let Ok(done) = u32::try_from(runs.len())
        && done < wanted
    {
        runs.push(executor.run(&Invocation {
            task,
            tree,
            phase,
            world: Some(world),
            run: done + 1,
            variant: Variant::Plain,
        })?);
        if disagreement(&runs).is_some() {
            wanted = RUNS_ON_DISAGREEMENT;
        }
    }
    Ok(Runs(runs))
}

/// Judges a patch by its four trees. `base` has the runs of the repro in the base.
pub(crate) fn prove_worlds(
    executor: &mut Executor<'_>,
    tasks: &[Task],
    worlds: &Worlds,
    base: &Runs,
    demand: TestDemand,
) -> Result<Conclusion, Stop> {
    let mut all = Vec::new();
    for task in tasks {
        let mut by_tree: BTreeMap<String, Runs> = BTreeMap::new();
        let mut runs = BTreeMap::new();
        for (world, tree) in worlds {
            let digest = tree.digest(None)?;
            if *world == World::Base && task.is_repro {
                by_tree.insert(digest.clone(), base.clone());
            }
            // Without added tests, two worlds are the same tree.
            let of_world = match by_tree.entry(digest) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(place) => {
                    let repeated = repeat(executor, task, tree, Phase::Prove, *world)?;
                    place.insert(repeated).clone()
                }
            };
            runs.insert(*world, of_world);
        }
        all.push(CommandRuns {
            command: task.text.clone(),
            is_repro: task.is_repro,
            worlds: runs,
        });
    }
    let judgement = judge(&all, demand);
    if judgement.verdict != Verdict::Proved {
        return Ok(judgement.into());
    }
    for (task, runs) in tasks.iter().zip(&all) {
        expose(
            executor,
            task,
            runs,
            worlds,
            judgement.distinguishing.iter(),
        )?;
        if let Some(both) = worlds.get(&World::Both) {
            let added = judgement.distinguishing.iter();
            let fixed = failing(runs.worlds.get(&World::Base));
            expectations::check(executor, task, both, added.clone().chain(fixed.clone()))?;
            if executor.refuses_suspicions() {
                other_inputs::check(executor, task, worlds, fixed, added)?;
            }
        }
    }
    Ok(judgement.into())
}

/// Runs the decisive tests alone, and adds a test that must fail. Results that depend on the order
/// of tests, or that do not come from the runner, show here.
fn expose<'t>(
    executor: &mut Executor<'_>,
    task: &Task,
    runs: &CommandRuns,
    worlds: &Worlds,
    added: impl Iterator<Item = &'t String>,
) -> Result<(), Stop> {
    let fixed = failing(runs.worlds.get(&World::Base));
    let decisive = fixed.map(|test| (World::FixOnly, test));
    let decisive = decisive.chain(added.map(|test| (World::Both, test)));
    let mut repeated = BTreeSet::new();
    for (world, test) in decisive.take(MAX_TESTS_ALONE) {
        let Some(tree) = worlds.get(&world) else {
            continue;
        };
        // One test of each tree is repeated, so that one that fails rarely shows.
        let runs = match repeated.insert(world) {
            true => RUNS_ALONE,
            false => 1,
        };
        run_alone(executor, task, tree, world, test, runs)?;
    }
    let Some(base) = worlds.get(&World::Base) else {
        return Ok(());
    };
    if executor
        .sentinel(task, base, World::Base)?
        .is_none_or(|run| !run.was_reported)
    {
        return Ok(());
    }
    for world in [World::FixOnly, World::Both] {
        if let Some(tree) = worlds.get(&world)
            && let Some(run) = executor.sentinel(task, tree, world)?
            && !run.was_reported
        {
            let text = "a test that must fail is not reported as failed; results are forged";
            return Err(Conclusion::of(Verdict::Tampered, text, &[run.record]).into());
        }
    }
    Ok(())
}

/// Runs one test alone, up to `runs` times. A runner that cannot do this shows nothing.
fn run_alone(
    executor: &mut Executor<'_>,
    task: &Task,
    tree: &Tree,
    world: World,
    test: &str,
    runs: u32,
) -> Result<(), Stop> {
    let mut spent = 0;
    for run in 1..=runs {
        let alone = executor.run(&Invocation {
            task,
            tree,
            phase: Phase::Prove,
            world: Some(world),
            run,
            variant: Variant::Alone(test.to_owned()),
        });
        match alone {
            Ok(run) if passes_alone(&run, test) => {
                let record = executor.record(run.record);
                spent += record.map_or(0, |record| record.duration_ms);
            }
            Ok(run) => {
                let text = format!("the test {test:?} passes among the others, but not alone");
                return Err(Conclusion::of(Verdict::Flaky, text, &[run.record]).into());
            }
            Err(Stop::Concluded(conclusion)) if conclusion.verdict == Verdict::Unparsed => break,
            Err(stop) => return Err(stop),
        }
        if spent > MAX_MILLISECONDS_ALONE {
            break;
        }
    }
    Ok(())
}

/// The tests that fail in the first run.
pub(crate) fn failing(base: Option<&Runs>) -> impl Iterator<Item = &String> + Clone {
    let first = base.and_then(|runs| runs.0.first());
    let tests = first.and_then(|run| match &run.tests {
        Tests::ByName(tests) => Some(tests),
        Tests::NotReported | Tests::Unparsed(_) => None,
    });
    let failed = tests.into_iter().flatten();
    failed
        .filter(|(_, status)| **status == TestStatus::Failed)
        .map(|(name, _)| name)
}

/// Whether a run of one test reports that test as passed, and no other test as failed.
fn passes_alone(run: &RunResult, test: &str) -> bool {
    match &run.tests {
        Tests::ByName(tests) => {
            let ran: Vec<_> = tests
                .iter()
                .filter(|(_, status)| **status != TestStatus::Skipped)
                .collect();
            run.has_exit_zero
                && ran.len() == 1
                && ran
                    .iter()
                    .all(|(name, status)| name.as_str() == test && **status == TestStatus::Passed)
        }
        Tests::NotReported | Tests::Unparsed(_) => false,
    }
}
