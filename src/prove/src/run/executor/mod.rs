//! Runs commands and records them.

mod recording;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fixpoint_report::FixReport;
use fixpoint_workspace::Workspace;

use crate::adapter::Adapter;
use crate::checkpoint::{Checkpoint, Step, inputs_digest};
use crate::clock::{Clock as _, SystemClock, rfc3339};
use crate::command::{Command, CommandPolicy};
use crate::config::{Network, ProveConfig, Suspicion};
use crate::engine::TokenUsage;
use crate::evidence::{ChainedRecord, Recorder};
use crate::judge::{RunResult, Tests};
use crate::record::{CommandRecord, Phase, TestResults, World};
use crate::run::ProveError;
use crate::run::asking::SandboxSpawn;
use crate::run::conclusion::{Conclusion, Stop};
use crate::run::files::{Folders, state_folder};
use crate::run::invocation::{Invocation, SentinelRun, Task, Variant};
use crate::runner::{RunOutcome, RunRequest, Runner, RunnerConfig};
use crate::scratch::{Changes, FileState, PatchRepository, Tree};
use crate::verdict::Verdict;

/// The path of scratch folders in records, so that two runs have the same records.
pub(crate) const SCRATCH_FOLDER: &str = "/scratch";

/// What an executor starts from.
pub(crate) struct Setup<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) config: &'a ProveConfig,
    pub(crate) artifacts: &'a Path,
    pub(crate) deadline: Option<Instant>,
    pub(crate) resume: bool,
    pub(crate) repro: &'a str,
    /// The digest of the base tree.
    pub(crate) base: &'a str,
}

/// Runs the commands of one proof.
pub(crate) struct Executor<'a> {
    config: &'a ProveConfig,
    root: PathBuf,
    runner: Runner,
    runner_config: RunnerConfig,
    policy: CommandPolicy,
    recorder: Recorder,
    /// How many records of an interrupted run were used again.
    used_again: usize,
    checkpoint: Checkpoint,
    state: PathBuf,
    folders: &'a mut Folders,
    patches: Option<PatchRepository>,
    deadline: Option<Instant>,
    started_at: String,
    notes: Vec<String>,
    tokens: Vec<TokenUsage>,
}

impl<'a> Executor<'a> {
    pub(crate) fn new(setup: &Setup<'a>, folders: &'a mut Folders) -> Result<Self, ProveError> {
        let root = setup.workspace.root().to_owned();
        let other = |what: &'static str| move |message: String| ProveError::Other { what, message };
        let config = serde_json::to_value(setup.config).unwrap_or_default();
        let inputs = inputs_digest(setup.repro, setup.base, &config);
        let state = state_folder(&root, setup.artifacts);
        let mut notes = Vec::new();
        let checkpoint = if setup.resume {
            let loaded = Checkpoint::load(&state, inputs)
                .map_err(|error| other("the run cannot be resumed")(error.to_string()))?;
            notes.extend(loaded.ignored);
            loaded.checkpoint
        } else {
            Checkpoint::new(inputs)
        };
        let recorder = Recorder::resume(setup.artifacts, checkpoint.records().to_vec())?;
        let runner_state = folders.fresh("runs");
        let made = std::fs::create_dir_all(&runner_state);
        made.map_err(|source| ProveError::Write {
            path: runner_state.clone(),
            source,
        })?;
        let mut runner_config = RunnerConfig::new(runner_state);
        runner_config.network = setup.config.security.network == Network::Allow;
        runner_config.require_sandbox = setup.config.security.require_sandbox;
        runner_config.secrets = setup.config.secret_env_names();
        runner_config.hidden.push(folders.hidden().to_owned());
        if !setup.artifacts.starts_with(&root) {
            runner_config.hidden.push(setup.artifacts.to_owned());
        }
        let runner = Runner::new(runner_config.clone(), std::env::vars())
            .map_err(|error| other("commands cannot be run")(error.to_string()))?;
        let policy = CommandPolicy {
            allow: setup.config.commands.allow.clone(),
            network_allowed: setup.config.security.network == Network::Allow,
        };
        Ok(Self {
            config: setup.config,
            root,
            runner,
            runner_config,
            policy,
            recorder,
            used_again: 0,
            checkpoint,
            state,
            folders,
            patches: None,
            deadline: setup.deadline,
            started_at: rfc3339(SystemClock.now()),
            notes,
            tokens: Vec::new(),
        })
    }

    /// Parses a command and checks it against the policy. Nothing runs.
    pub(crate) fn task(&self, text: &str, is_repro: bool) -> Result<Task, Stop> {
        let refuse = |error: crate::command::CommandError| {
            let text = format!("the command `{text}` is refused: {error}");
            Stop::from(Conclusion::of(Verdict::PolicyRefused, text, &[]))
        };
        let command = Command::parse(text).map_err(refuse)?;
        self.policy.check(&command).map_err(refuse)?;
        Ok(Task {
            text: text.to_owned(),
            argv: command.argv().to_vec(),
            is_repro,
        })
    }

    /// Makes one run, or takes it from the records of an interrupted one.
    pub(crate) fn run(&mut self, invocation: &Invocation<'_>) -> Result<RunResult, Stop> {
        let task = invocation.task;
        let adapter = Adapter::for_command(&task.argv, invocation.tree.folder());
        let (test, variant) = match &invocation.variant {
            Variant::Plain => (None, None),
            Variant::Trial(reason) => (None, Some(reason.clone())),
            Variant::Alone(test) => (Some(test), Some(format!("alone: {test}"))),
            Variant::AloneTrial { test, reason } => {
                (Some(test), Some(format!("alone: {test}: {reason}")))
            }
        };
        let argv = match test {
            None => task.argv.clone(),
            Some(test) => {
                let alone = adapter.as_ref().and_then(|it| it.alone(&task.argv, test));
                alone.ok_or_else(|| {
                    let text = "the runner cannot run one test alone";
                    Conclusion::of(Verdict::Unparsed, text, &[])
                })?
            }
        };
        self.run_variant(invocation, adapter.as_ref(), &argv, variant)
    }

    /// Runs a task once in `base` with `changes`, in a tree that is removed afterwards.
    pub(crate) fn try_changes(
        &mut self,
        task: &Task,
        base: &Tree,
        changes: &Changes,
        phase: Phase,
        reason: String,
    ) -> Result<RunResult, Stop> {
        let tree = base.with(changes, &self.fresh("trial"))?;
        let run = self.run(&Invocation {
            task,
            tree: &tree,
            phase,
            world: None,
            run: 1,
            variant: Variant::Trial(reason),
        });
        let _ = std::fs::remove_dir_all(tree.folder());
        run
    }

    /// Runs a task beside a test that must fail. `None` if the runner has no such variant.
    pub(crate) fn sentinel(
        &mut self,
        task: &Task,
        tree: &Tree,
        world: World,
    ) -> Result<Option<SentinelRun>, Stop> {
        // Code under test cannot know the name, and two runs have the same records.
        let digest = tree.digest(None)?;
        let token =
            fixpoint_text::Digest::of_parts([task.text.as_bytes(), digest.as_bytes()]).short();
        let adapter = Adapter::for_command(&task.argv, tree.folder());
        let Some(sentinel) = adapter.as_ref().and_then(|it| it.sentinel(&token)) else {
            return Ok(None);
        };
        let files = sentinel.files.iter().map(|(path, text)| {
            let state = FileState {
                bytes: text.clone().into_bytes(),
                is_executable: false,
            };
            (path.clone(), Some(state))
        });
        let with_test = tree.with(&Changes::new(files.collect()), &self.fresh("sentinel"))?;
        let invocation = Invocation {
            task,
            tree: &with_test,
            phase: Phase::Prove,
            world: Some(world),
            run: 1,
            variant: Variant::Plain,
        };
        let variant = Some("sentinel".to_owned());
        let run = self.run_variant(&invocation, adapter.as_ref(), &sentinel.argv, variant)?;
        let was_reported = match &run.tests {
            Tests::ByName(tests) => sentinel.is_reported(&TestResults {
                source: String::new(),
                tests: tests.clone(),
            }),
            Tests::NotReported | Tests::Unparsed(_) => false,
        };
        Ok(Some(SentinelRun {
            record: run.record,
            was_reported,
        }))
    }

    fn start(&self, request: &RunRequest) -> Result<RunOutcome, Stop> {
        self.runner.run(request).map_err(|error| {
            let command = request.argv.join(" ");
            let text = format!("`{}` cannot be run: {error}", self.portable(&command));
            Conclusion::of(Verdict::PolicyRefused, text, &[]).into()
        })
    }

    /// What runs the program of an engine.
    pub(crate) fn spawn(&mut self, base: &Tree) -> Result<SandboxSpawn, Stop> {
        let mut config = self.runner_config.clone();
        config.network = true;
        let runner = Runner::new(config, std::env::vars()).map_err(|error| ProveError::Other {
            what: "commands cannot be run",
            message: error.to_string(),
        })?;
        Ok(SandboxSpawn {
            runner,
            base: base.clone(),
            tree_at: self.root.clone(),
            folder: self.fresh("engine"),
        })
    }

    /// The output of `fixpoint check` on a tree.
    pub(crate) fn check_output(&mut self, tree: &Tree) -> Result<Vec<u8>, Stop> {
        let program = std::env::current_exe().map_err(|source| ProveError::Write {
            path: PathBuf::from("/proc/self/exe"),
            source,
        })?;
        let argv = [
            &*program.to_string_lossy(),
            "check",
            "--format=json",
            "--root",
            ".",
        ];
        let request = RunRequest::new(
            argv.map(str::to_owned).to_vec(),
            tree.folder().to_owned(),
            self.root.clone(),
            self.time_left()?,
        );
        Ok(self.start(&request)?.stdout.whole)
    }

    /// The time for the next command: its limit, or what is left of the whole run.
    fn time_left(&self) -> Result<Duration, Stop> {
        let limit = Duration::from_millis(self.config.commands.timeout_ms);
        let Some(deadline) = self.deadline else {
            return Ok(limit);
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let text = "the time for the whole run is over; raise --timeout-seconds";
            return Err(Conclusion::of(Verdict::TimedOut, text, &[]).into());
        }
        Ok(limit.min(left))
    }

    /// A command that exceeds the time of the whole run, and not its own limit, ends the run.
    fn check_time(&self, record: &ChainedRecord) -> Result<(), Stop> {
        if record.record.timed_out {
            self.time_left()?;
        }
        Ok(())
    }

    /// A text without paths that differ in each run.
    fn portable(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for path in self.folders.paths() {
            text = text.replace(&*path.to_string_lossy(), SCRATCH_FOLDER);
        }
        text
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        self.runner.redactor().redact(text)
    }

    pub(crate) fn fresh(&mut self, name: &str) -> PathBuf {
        self.folders.fresh(name)
    }

    /// Where trees appear to commands.
    pub(crate) fn tree_path(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }

    pub(crate) fn record(&self, index: u32) -> Option<&CommandRecord> {
        let position = usize::try_from(index).ok()?.checked_sub(1)?;
        let chained = self.recorder.commands().get(position)?;
        Some(&chained.record)
    }

    /// Whether a patch is rejected that looks as if it evades its tests.
    pub(crate) fn refuses_suspicions(&self) -> bool {
        self.config.policy.suspicion == Suspicion::Refuse
    }

    /// The task whose results contain one of the tests.
    pub(crate) fn reporter<'t>(
        &self,
        tasks: &'t [Task],
        tests: &BTreeSet<String>,
    ) -> Option<&'t Task> {
        let records = self.recorder.commands().iter().map(|it| &it.record);
        let mut records = records.filter(|record| record.world == Some(World::Both));
        let found = records.find(|record| {
            let results = record.tests.iter().flat_map(|it| it.tests.keys());
            results.into_iter().any(|test| tests.contains(test))
        })?;
        let mut tasks = tasks.iter();
        tasks.find(|task| self.redact(&task.text) == found.command)
    }

    /// The answer of an engine that an interrupted run has stored.
    pub(crate) fn stored<T: serde::de::DeserializeOwned>(&self, step: Step) -> Option<T> {
        self.checkpoint.data(step).ok().flatten()
    }

    pub(crate) fn store(&mut self, step: Step, data: &impl serde::Serialize) -> Result<(), Stop> {
        let records = self.recorder.commands().to_vec();
        self.checkpoint.complete(step, data, &records)?;
        Ok(self.checkpoint.save(&self.state)?)
    }

    /// Saves the records, so that a killed run can be resumed.
    fn save(&mut self) -> Result<(), Stop> {
        self.checkpoint.set_records(self.recorder.commands());
        Ok(self.checkpoint.save(&self.state)?)
    }

    pub(crate) fn keep_patches(&mut self, patches: PatchRepository) {
        self.patches = Some(patches);
    }

    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Adds the tokens that calls of an engine have used.
    pub(crate) fn add_tokens(&mut self, tokens: &[TokenUsage]) {
        self.tokens.extend_from_slice(tokens);
    }

    pub(crate) fn tokens(&self) -> &[TokenUsage] {
        &self.tokens
    }

    /// Keeps a report of our own analysis as an artifact.
    pub(crate) fn keep_report(&mut self, report: &FixReport) -> Result<(), Stop> {
        let json = fixpoint_report::to_json(report).map_err(|error| ProveError::Other {
            what: "a report cannot be written",
            message: error.to_string(),
        })?;
        let text = self.redact(&json);
        let digest = fixpoint_text::Digest::of(text.as_bytes());
        self.recorder
            .add(&format!("reports/{digest}.json"), text.as_bytes())?;
        Ok(())
    }

    pub(crate) fn started_at(&self) -> &str {
        &self.started_at
    }

    /// Ends the run: it needs no checkpoint any more.
    pub(crate) fn into_recorder(self) -> (Recorder, Option<PatchRepository>) {
        let _ = Checkpoint::remove(&self.state);
        (self.recorder, self.patches)
    }
}
