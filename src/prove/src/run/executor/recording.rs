//! Makes a run, and appends its record. A resumed run takes records of the interrupted one instead.

use std::path::Path;

use super::Executor;
use crate::adapter::{Adapter, exit_code_results};
use crate::evidence::ChainedRecord;
use crate::judge::RunResult;
use crate::record::{CommandRecord, Phase, TestResults, World};
use crate::run::ProveError;
use crate::run::conclusion::Stop;
use crate::run::invocation::{Invocation, Task};
use crate::runner::{RunOutcome, RunRequest};
use crate::scratch::Tree;

/// The variant of a run that prepares the base.
const PREPARE: &str = "prepare";

/// The place of a run in the protocol.
struct Place<'a> {
    task: &'a Task,
    phase: Phase,
    world: Option<World>,
    run: u32,
    variant: Option<String>,
}

/// What the record of a run adds to its outcome.
struct Facts {
    tree_before: String,
    tree_after: String,
    tests: Option<TestResults>,
    unparsed: Option<String>,
}

impl Executor<'_> {
    /// Runs a task once, or takes its record from an interrupted run.
    pub(super) fn run_variant(
        &mut self,
        invocation: &Invocation<'_>,
        adapter: Option<&Adapter>,
        argv: &[String],
        variant: Option<String>,
    ) -> Result<RunResult, Stop> {
        let place = Place {
            task: invocation.task,
            phase: invocation.phase,
            world: invocation.world,
            run: invocation.run,
            variant,
        };
        if let Some(known) = self.recorded(&place)? {
            return Ok(RunResult::of(&known));
        }
        let tree_before = invocation.tree.digest(None)?;
        let results = self.folders.fresh_results();
        let prepared = match adapter {
            Some(adapter) => adapter.prepare(&results),
            None => std::fs::create_dir_all(&results),
        };
        prepared.map_err(|source| ProveError::Write {
            path: results.clone(),
            source,
        })?;
        let mut request = RunRequest::new(
            adapter.map_or_else(|| argv.to_vec(), |it| it.instrumented(argv, &results)),
            invocation.tree.folder().to_owned(),
            self.root.clone(),
            self.time_left()?,
        );
        if let Some(adapter) = adapter {
            request.environment = adapter.environment(&results);
            request.is_report = Some(Adapter::is_report);
        }
        let seed = hash_seed(&tree_before, invocation.run).to_string();
        request
            .environment
            .insert("PYTHONHASHSEED".to_owned(), seed);
        request.results = Some(results.clone());
        let outcome = self.start(&request)?;
        let (tests, unparsed) = match read(&outcome, adapter, &results, place.task) {
            Ok(tests) => (tests, None),
            Err(reason) => (None, Some(self.portable(&reason))),
        };
        let changed = outcome.changed.iter();
        let changed: Vec<String> = changed
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        let tree_after = match changed
            .iter()
            .any(|path| invocation.tree.paths().contains(path))
        {
            // The files themselves are discarded with the run.
            true => format!("{tree_before}+{}", changed.join("+")),
            false => tree_before.clone(),
        };
        let facts = Facts {
            tree_before,
            tree_after,
            tests,
            unparsed,
        };
        let record = self.append(place, &request, outcome, facts)?;
        let _ = std::fs::remove_dir_all(&results);
        self.check_time(&record)?;
        Ok(RunResult::of(&record))
    }

    /// Runs a command that prepares the base, and keeps what it writes. A resumed run starts with a
    /// new base, so that the command runs again even if it has a record. The result is the record of
    /// a failure.
    pub(crate) fn prepare(
        &mut self,
        task: &Task,
        number: u32,
        base: &Tree,
    ) -> Result<Option<u32>, Stop> {
        let place = Place {
            task,
            phase: Phase::Reproduce,
            world: Some(World::Base),
            run: number,
            variant: Some(PREPARE.to_owned()),
        };
        let known = self.recorded(&place)?;
        let tree_before = base.digest(None)?;
        let mut request = RunRequest::new(
            task.argv.clone(),
            base.folder().to_owned(),
            self.root.clone(),
            self.time_left()?,
        );
        request.keep_changes = true;
        let outcome = self.start(&request)?;
        let record = match known {
            Some(known) => known,
            None => {
                let facts = Facts {
                    tree_before,
                    tree_after: base.digest(None)?,
                    tests: None,
                    unparsed: None,
                };
                self.append(place, &request, outcome, facts)?
            }
        };
        self.check_time(&record)?;
        let has_failed = !RunResult::of(&record).has_exit_zero;
        Ok(has_failed.then_some(record.index))
    }

    /// The next record of an interrupted run, if there is one left. It must be about the same run.
    fn recorded(&mut self, place: &Place<'_>) -> Result<Option<ChainedRecord>, Stop> {
        let Some(known) = self.recorder.commands().get(self.used_again) else {
            return Ok(None);
        };
        let record = &known.record;
        let is_same = record.command == self.redact(&place.task.text)
            && record.phase == place.phase
            && record.world == place.world
            && record.run == place.run
            && record.variant == place.variant;
        if !is_same {
            return Err(ProveError::Other {
                what: "the run cannot be resumed",
                message: "its records are in another order; run without --resume".to_owned(),
            }
            .into());
        }
        let known = known.clone();
        self.used_again += 1;
        Ok(Some(known))
    }

    fn append(
        &mut self,
        place: Place<'_>,
        request: &RunRequest,
        outcome: RunOutcome,
        facts: Facts,
    ) -> Result<ChainedRecord, Stop> {
        let argv = request.argv.iter();
        let argv = argv.map(|word| self.redact(&self.portable(word)));
        let record = CommandRecord {
            command: self.redact(&place.task.text),
            argv: argv.collect(),
            phase: place.phase,
            world: place.world,
            run: place.run,
            variant: place.variant,
            started_at: outcome.started_at,
            duration_ms: outcome.duration_ms,
            exit_code: outcome.exit_code,
            timed_out: outcome.timed_out,
            stdout: self.portable(&outcome.stdout.text),
            stderr: self.portable(&outcome.stderr.text),
            truncated: outcome.stdout.truncated || outcome.stderr.truncated,
            stdout_sha256: String::new(),
            stderr_sha256: String::new(),
            allowed_by_policy: true,
            environment_sha256: outcome.environment_sha256,
            tree_before: facts.tree_before,
            tree_after: facts.tree_after,
            sandbox: outcome.layers,
            tests: facts.tests,
            unparsed: facts.unparsed,
        };
        let stdout = self.portable(&String::from_utf8_lossy(&outcome.stdout.whole));
        let stderr = self.portable(&String::from_utf8_lossy(&outcome.stderr.whole));
        self.recorder
            .append(record, stdout.as_bytes(), stderr.as_bytes())?;
        self.used_again = self.recorder.commands().len();
        self.save()?;
        match self.recorder.commands().last() {
            Some(last) => Ok(last.clone()),
            None => Err(ProveError::Other {
                what: "a run was not recorded",
                message: request.argv.join(" "),
            }
            .into()),
        }
    }
}

/// The seed of Python's hash order. It differs between runs, and is the same when they are repeated.
/// Code under test cannot contain it, because it depends on that code.
fn hash_seed(tree: &str, run: u32) -> u32 {
    let digest = fixpoint_text::Digest::of_parts([tree.as_bytes(), &run.to_be_bytes()]).short();
    digest
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .fold(0, |seed: u32, digit| {
            seed.wrapping_mul(16).wrapping_add(digit)
        })
}

/// The results by test name, if the runner has reported any.
fn read(
    outcome: &RunOutcome,
    adapter: Option<&Adapter>,
    results: &Path,
    task: &Task,
) -> Result<Option<TestResults>, String> {
    let Some(adapter) = adapter else {
        return Ok(Some(exit_code_results(&task.text, outcome.exit_code)));
    };
    if outcome.stdout.overflowed || outcome.stderr.overflowed {
        return Err("the output is larger than 64 MiB".to_owned());
    }
    let (stdout, stderr) = (&outcome.stdout.whole, &outcome.stderr.whole);
    let tests = adapter.read(results, stdout, stderr, outcome.exit_code);
    tests.map_err(|error| error.reason)
}

#[cfg(test)]
mod tests {
    use super::hash_seed;

    #[test]
    fn seeds_depend_on_the_code_and_the_run() {
        assert_eq!(hash_seed("a", 1), hash_seed("a", 1));
        assert_ne!(hash_seed("a", 1), hash_seed("a", 2));
        assert_ne!(hash_seed("a", 1), hash_seed("b", 1));
    }
}
