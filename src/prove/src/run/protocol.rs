//! The steps of a run, in order.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use fixpoint_workspace::{ChangedError, Workspace};

use crate::adapter::Adapter;
use crate::config::{EngineName, ProveConfig};
use crate::judge::{Runs, TestDemand, Tests, disagreement};
use crate::localize::{Suspect, localize};
use crate::record::{Phase, TestStatus, World};
use crate::run::artifacts::write_artifacts;
use crate::run::conclusion::{Conclusion, Proposal, Stop};
use crate::run::executor::{Executor, Setup};
use crate::run::files::Folders;
use crate::run::invocation::{Invocation, Task, Variant};
use crate::run::policies::{Checked, check_proposal};
use crate::run::proof::{Worlds, failing, prove_worlds, repeat};
use crate::run::proposals::{Recorded, propose};
use crate::run::shrink::minimal_patch;
use crate::run::split::{Split, split};
use crate::run::strength::{Candidate, test_strength, tests_of_text};
use crate::run::{Options, ProveError, RunSummary, unneeded};
use crate::scratch::{PatchRepository, ScratchError, Tree};
use crate::verdict::Verdict;

/// How many files that differ from the commit are named.
const MAX_UNCOMMITTED: usize = 100;

/// Fixes a failing command, and writes the evidence. `progress` gets a line for people at each step.
pub fn prove(options: &Options, progress: &mut dyn FnMut(&str)) -> Result<RunSummary, ProveError> {
    prove_patch(options, None, progress)
}

/// Like [`prove`], for the patch of an earlier run if there is one.
pub(crate) fn prove_patch(
    options: &Options,
    recorded: Option<Recorded>,
    progress: &mut dyn FnMut(&str),
) -> Result<RunSummary, ProveError> {
    let workspace = Workspace::open(&options.repo)?;
    let loaded = ProveConfig::load(workspace.root(), options.config.as_deref())?;
    let mut config = loaded.config;
    if let Some(name) = &options.engine {
        config.engine = EngineName::parse(name)
            .ok_or_else(|| ProveError::UnknownEngine { name: name.clone() })?;
    }
    let artifacts = match &options.artifacts {
        Some(folder) => std::path::absolute(folder).map_err(|source| ProveError::Write {
            path: folder.clone(),
            source,
        })?,
        None => workspace.root().join("artifacts"),
    };
    let mut folders = Folders::new()?;
    let earlier = recorded.as_ref().map(|it| &it.artifacts);
    let excluded = [Some(&artifacts), earlier].into_iter().flatten();
    let excluded = excluded.filter_map(|it| it.strip_prefix(workspace.root()).ok());
    let excluded: Vec<&Path> = excluded.collect();
    let copied = Tree::copy_of(&workspace, &excluded, &folders.fresh("base"));
    let (base, not_a_repository) = match copied {
        Ok(base) => (base, None),
        Err(ScratchError::List(error @ ChangedError::NotARepository)) => {
            (Tree::empty(&folders.fresh("base")), Some(error))
        }
        Err(error) => return Err(error.into()),
    };
    let base_digest = base.digest(None)?;
    let setup = Setup {
        workspace: &workspace,
        config: &config,
        artifacts: &artifacts,
        deadline: options.time_limit.map(|limit| Instant::now() + limit),
        resume: options.resume,
        repro: &options.repro,
        base: &base_digest,
    };
    let mut executor = Executor::new(&setup, &mut folders)?;
    let mut run = Run {
        workspace: &workspace,
        config: &config,
        options,
        artifacts: &artifacts,
        progress,
        base,
        base_digest: base_digest.clone(),
        uncommitted: uncommitted(&workspace, &excluded),
        recorded,
    };
    let conclusion = match not_a_repository {
        Some(_) => {
            let text = "the folder is not in a git repository; run `git init` and commit the files";
            Ok(Conclusion::of(Verdict::PolicyRefused, text, &[]))
        }
        None => run.protocol(&mut executor),
    };
    let conclusion = match conclusion {
        Ok(conclusion) => conclusion,
        Err(Stop::Concluded(conclusion)) => *conclusion,
        Err(Stop::Failed(error)) => return Err(error),
    };
    let word = serde_json::to_value(conclusion.verdict).unwrap_or_default();
    (run.progress)(&format!("verdict: {}", word.as_str().unwrap_or_default()));
    write_artifacts(&run, executor, &conclusion)
}

fn uncommitted(workspace: &Workspace, excluded: &[&Path]) -> Vec<String> {
    let changed = workspace.changed_files("HEAD", &[], &[]);
    let changed = changed.map(|it| it.files().to_vec()).unwrap_or_default();
    let is_own = |path: &String| !excluded.iter().any(|it| Path::new(path).starts_with(it));
    let own = changed.into_iter().filter(is_own);
    own.take(MAX_UNCOMMITTED).collect()
}

/// What the steps share.
pub(crate) struct Run<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) config: &'a ProveConfig,
    pub(crate) options: &'a Options,
    pub(crate) artifacts: &'a Path,
    pub(crate) progress: &'a mut dyn FnMut(&str),
    base: Tree,
    pub(crate) base_digest: String,
    /// The first files that differ from the commit.
    pub(crate) uncommitted: Vec<String>,
    recorded: Option<Recorded>,
}

impl Run<'_> {
    fn say(&mut self, line: &str) {
        (self.progress)(line);
    }

    fn protocol(&mut self, executor: &mut Executor<'_>) -> Result<Conclusion, Stop> {
        let (tasks, mut prepare) = self.tasks(executor)?;
        let is_configured = !prepare.is_empty();
        let [repro, ..] = &tasks[..] else {
            return Err(Conclusion::of(Verdict::PolicyRefused, "there is no command", &[]).into());
        };
        self.say("reproduce: run the command on the repository as it is");
        let seen = self.reproduce(executor, repro)?;
        self.say("reproduce: run the command in a scratch copy");
        let base = self.base.clone();
        if !is_configured {
            prepare = builds(&tasks, &base);
        }
        for (number, task) in (1..).zip(&prepare) {
            self.say(&format!("prepare: {}", task.text));
            // Code that does not compile may be the failure to fix.
            if let Some(record) = executor.prepare(task, number, &base)?
                && is_configured
            {
                let text = format!("`{}` cannot prepare the scratch copy", task.text);
                let verdict = Verdict::EnvironmentDiffers;
                return Err(Conclusion::of(verdict, text, &[record]).into());
            }
        }
        let base_runs = repeat(executor, repro, &base, Phase::Reproduce, World::Base)?;
        check_reproduced(repro, &seen, &base_runs)?;

        self.say("localize: find the files that the failure points at");
        let output = base_runs
            .0
            .first()
            .and_then(|run| executor.record(run.record));
        let output = output.map(|record| format!("{}\n{}", record.stderr, record.stdout));
        let suspects = localize(
            &output.unwrap_or_default(),
            base.paths(),
            &[&executor.tree_path()],
        );
        let patches = PatchRepository::new(&base, &executor.fresh("patches"))?;
        executor.keep_patches(patches.clone());
        let mut proposals = propose(
            self.config,
            repro,
            suspects_of(&suspects),
            self.recorded.take(),
        );
        let mut last: Option<Conclusion> = None;
        while let Some(proposal) =
            proposals.next(executor, &patches, &base_runs, &mut *self.progress)?
        {
            let conclusion = self.try_proposal(executor, &tasks, &patches, &base_runs, proposal)?;
            let mut conclusion = conclusion;
            if conclusion.verdict == Verdict::Proved {
                proposals.describe(executor, &patches, &base_runs, &mut conclusion)?;
            }
            let done = conclusion.verdict == Verdict::Proved || self.options.dry_run;
            last = Some(conclusion);
            if done {
                break;
            }
        }
        Ok(last.unwrap_or_else(|| {
            let text = proposals.failure();
            Conclusion::of(Verdict::EngineFailed, text, &[])
        }))
    }

    /// The repro and the required suites, and the commands that prepare a tree. All are checked
    /// before any of them runs.
    fn tasks(&mut self, executor: &mut Executor<'_>) -> Result<(Vec<Task>, Vec<Task>), Stop> {
        let mut tasks = vec![executor.task(&self.options.repro, true)?];
        for suite in &self.config.test.required_suites {
            tasks.push(executor.task(suite, false)?);
        }
        let prepare = self.config.prepare.iter();
        let prepare = prepare
            .map(|command| executor.task(command, false))
            .collect::<Result<_, _>>()?;
        Ok((tasks, prepare))
    }

    /// Runs the repro on the user's own tree, through an overlay that is thrown away.
    fn reproduce(&mut self, executor: &mut Executor<'_>, repro: &Task) -> Result<Runs, Stop> {
        let tree = Tree::in_place(self.workspace)?;
        let mut runs = Vec::new();
        for run in 1..=3 {
            runs.push(executor.run(&Invocation {
                task: repro,
                tree: &tree,
                phase: Phase::Reproduce,
                world: None,
                run,
                variant: Variant::Plain,
            })?);
            // A command that fails at once is reproduced; one that passes may be flaky.
            if runs.iter().all(|run| !run.has_exit_zero) {
                break;
            }
        }
        let records: Vec<u32> = runs.iter().map(|run| run.record).collect();
        if disagreement(&runs).is_some() {
            let text = format!("`{}` fails only sometimes", repro.text);
            return Err(Conclusion::of(Verdict::Flaky, text, &records).into());
        }
        if runs.iter().all(|run| run.has_exit_zero) {
            let text = format!("`{}` does not fail; give a command that fails", repro.text);
            return Err(Conclusion::of(Verdict::Unreproduced, text, &records).into());
        }
        if runs.iter().any(|run| run.timed_out) {
            let text = format!(
                "`{}` exceeds its time limit; raise commands.timeout_ms",
                repro.text
            );
            return Err(Conclusion::of(Verdict::TimedOut, text, &records).into());
        }
        Ok(Runs(runs))
    }

    /// Checks one proposal by policies and runs.
    fn try_proposal(
        &mut self,
        executor: &mut Executor<'_>,
        tasks: &[Task],
        patches: &PatchRepository,
        base_runs: &Runs,
        proposal: Proposal,
    ) -> Result<Conclusion, Stop> {
        let checked = check_proposal(self.config, patches, tasks, &proposal)?;
        let Checked {
            mut proposal,
            mut policies,
            test_files,
            refusal,
            test_refusal,
        } = checked;
        if let Some(text) = refusal {
            let mut conclusion = Conclusion::of(Verdict::PolicyRefused, text, &[]);
            conclusion.policies = policies;
            return Ok(conclusion.with_proposal(&proposal));
        }
        if self.options.dry_run {
            let text = "a dry run: the patch was not tried; run without --dry-run to prove it";
            let mut conclusion = Conclusion::of(Verdict::NotFixed, text, &[]);
            conclusion.policies = policies;
            return Ok(conclusion.with_proposal(&proposal));
        }
        let is_test = |path: &str| test_files.contains(path);
        let [repro, ..] = tasks else {
            return Ok(Conclusion::of(
                Verdict::PolicyRefused,
                "there is no command",
                &[],
            ));
        };
        let mut parts = split(patches.base(), &proposal.changes, &is_test)?;
        let mut minimal = None;
        if !proposal.is_final && !parts.shares_files {
            self.say("fix: remove what the fix does not need");
            if let Some((smaller, evidence)) =
                minimal_patch(executor, repro, patches.base(), &parts.fix, &parts.tests)?
            {
                proposal.changes = smaller.then(&parts.tests);
                parts.fix = smaller;
                minimal = Some(evidence);
            }
        }
        let worlds = worlds(executor, patches.base(), &proposal, &parts)?;
        let demand = match proposal.is_safe {
            true => TestDemand::SafeFixesOnly,
            false => TestDemand::AddedTest,
        };
        self.say("prove: run the commands in four trees");
        let proved = prove_worlds(executor, tasks, &worlds, base_runs, demand);
        let mut conclusion = match proved {
            Ok(conclusion) => conclusion,
            Err(Stop::Concluded(conclusion)) => *conclusion,
            Err(failed) => return Err(failed),
        };
        let would_prove = matches!(
            conclusion.verdict,
            Verdict::Proved | Verdict::RegressionOnly
        );
        if would_prove && let Some(text) = test_refusal {
            conclusion = Conclusion::of(Verdict::PolicyRefused, text, &[]);
        }
        if conclusion.verdict == Verdict::Proved && !proposal.is_safe {
            let added = &conclusion.distinguishing;
            let base = patches.base();
            // A file with tests and the fix is changed in one piece, so nothing can be left out.
            if !parts.shares_files
                && let Some(rejected) =
                    unneeded::check(executor, repro, base, &parts.fix, &parts.tests, added)?
            {
                conclusion = rejected;
            }
        }
        if conclusion.verdict == Verdict::Proved && !proposal.is_safe {
            self.say("prevent: measure how strong the added tests are");
            let candidate = Candidate {
                base: patches.base(),
                both: &worlds[&World::Both],
                parts: &parts,
                minimal: minimal.as_ref(),
                added: &conclusion.distinguishing,
                fixed: &failing(Some(base_runs)).cloned().collect(),
            };
            let task = executor.reporter(tasks, &conclusion.distinguishing);
            let task = task.unwrap_or(repro);
            let of_text = tests_of_text(executor, task, &candidate)?;
            let (strength, weak) = test_strength(executor, task, &candidate)?;
            conclusion = of_text.or(weak).unwrap_or(conclusion);
            conclusion.strength = strength;
        }
        conclusion.policies.append(&mut policies);
        conclusion.minimal = minimal;
        Ok(conclusion.with_proposal(&proposal))
    }
}

fn worlds(
    executor: &mut Executor<'_>,
    base: &Tree,
    proposal: &Proposal,
    parts: &Split,
) -> Result<Worlds, Stop> {
    let mut worlds = BTreeMap::from([(World::Base, base.clone())]);
    for (world, name, changes) in [
        (World::TestsOnly, "tests-only", &parts.tests),
        (World::FixOnly, "fix-only", &parts.fix),
        (World::Both, "both", &proposal.changes),
    ] {
        worlds.insert(world, base.with(changes, &executor.fresh(name))?);
    }
    Ok(worlds)
}

/// The commands that build the tests of Cargo's commands, so that each run builds only what a patch
/// changes.
fn builds(tasks: &[Task], base: &Tree) -> Vec<Task> {
    let builds = tasks.iter().filter_map(|task| {
        let argv = Adapter::for_command(&task.argv, base.folder())?.build_only()?;
        Some(Task {
            text: argv.join(" "),
            argv,
            is_repro: false,
        })
    });
    builds.collect()
}

fn suspects_of(suspects: &[Suspect]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for suspect in suspects {
        if !paths.contains(&suspect.path) {
            paths.push(suspect.path.clone());
        }
    }
    paths
}

/// Rejects a failure that the scratch copy does not have, or has for another reason.
fn check_reproduced(repro: &Task, seen: &Runs, base: &Runs) -> Result<(), Stop> {
    let records: Vec<u32> = base.0.iter().map(|run| run.record).collect();
    if let Some(problem) = disagreement(&base.0) {
        let text = format!("runs of `{}` in one tree disagree: {problem}", repro.text);
        return Err(Conclusion::of(Verdict::Flaky, text, &records).into());
    }
    let (Some(seen), Some(base)) = (seen.0.first(), base.0.first()) else {
        return Ok(());
    };
    let failed = |tests: &Tests| match tests {
        Tests::ByName(tests) => {
            let failed = tests.iter().filter(|(_, it)| **it == TestStatus::Failed);
            Some(failed.map(|(name, _)| name.clone()).collect::<Vec<_>>())
        }
        Tests::NotReported | Tests::Unparsed(_) => None,
    };
    let same =
        !base.has_exit_zero && failed(&seen.tests) == failed(&base.tests) && seen.exit == base.exit;
    if same {
        return Ok(());
    }
    let text = format!(
        "`{}` does not fail in a scratch copy as it fails here. A scratch copy has no ignored files, \
         such as node_modules, a virtualenv or target/: list the commands that build them under \
         `prepare` in .fixpoint/prove.yml",
        repro.text
    );
    let records: Vec<u32> = [seen.record].into_iter().chain(records).collect();
    Err(Conclusion::of(Verdict::EnvironmentDiffers, text, &records).into())
}
