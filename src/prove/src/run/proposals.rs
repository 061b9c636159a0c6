//! Where patches come from: first our own analysis, then the configured engine.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use fixpoint_report::FixReport;

use crate::candidates::{Candidate, candidates, reports_in};
use crate::checkpoint::Step;
use crate::config::{EngineName, ProveConfig};
use crate::engine::create_engine;
use crate::engine::{
    CommandResult, EditContext, Engine, EngineError, PatchResponse, Policies, PromptPack,
    SummaryContext, TokenUsage, VerifyContext, propose_patch,
};
use crate::evidence::{EngineText, Justification};
use crate::judge::Runs;
use crate::policy::TestPolicyDecision;
use crate::record::Phase;
use crate::run::conclusion::{Conclusion, Proposal, Stop};
use crate::run::executor::Executor;
use crate::run::invocation::Task;
use crate::scratch::{PatchError, PatchRepository};

/// How many files an engine gets to read, besides those that it asks for.
const MAX_FILES_SHOWN: usize = 20;
/// Larger files are not shown to an engine.
const MAX_FILE_SHOWN: usize = 256 * 1024;

/// The proposals of a run, one after another.
pub(crate) struct Proposals<'a> {
    config: &'a ProveConfig,
    repro: &'a Task,
    suspects: Vec<String>,
    /// Candidates of our own analysis; `None` until they were computed.
    own: Option<VecDeque<Candidate>>,
    /// The reports that the candidates come from.
    reports: Vec<FixReport>,
    /// The result of an earlier run. Its patch is the only proposal.
    recorded: Option<Recorded>,
    engine_was_asked: bool,
    engine: Option<Box<dyn Engine>>,
    /// Why there is no proposal.
    failures: Vec<String>,
}

/// The result of an earlier run.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// Its patch, if there was one. The engine is not asked for another.
    pub(crate) diff: Option<String>,
    pub(crate) is_safe: bool,
    pub(crate) text: EngineText,
    /// The artifacts of the earlier run, which do not belong to the repository.
    pub(crate) artifacts: PathBuf,
}

pub(crate) fn propose<'a>(
    config: &'a ProveConfig,
    repro: &'a Task,
    suspects: Vec<String>,
    recorded: Option<Recorded>,
) -> Proposals<'a> {
    Proposals {
        config,
        repro,
        suspects,
        own: recorded
            .as_ref()
            .and_then(|it| it.diff.as_ref())
            .map(|_| VecDeque::new()),
        reports: Vec::new(),
        engine_was_asked: recorded.is_some(),
        recorded,
        engine: None,
        failures: Vec::new(),
    }
}

impl Proposals<'_> {
    /// The next patch that makes the repro pass in one run, or that the engine proposes.
    pub(crate) fn next(
        &mut self,
        executor: &mut Executor<'_>,
        patches: &PatchRepository,
        base_runs: &Runs,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Option<Proposal>, Stop> {
        if let Some(recorded) = self.recorded.take()
            && let Some(diff) = &recorded.diff
        {
            return Ok(Some(Proposal {
                changes: patches.changes_of(diff)?,
                is_safe: recorded.is_safe,
                is_final: true,
                text: recorded.text,
            }));
        }
        if self.own.is_none() {
            progress("fix: look for fixes of our own analysis");
            let output = executor.check_output(patches.base())?;
            self.reports = reports_in(&output);
            let limit = usize::try_from(self.config.budget.candidates).unwrap_or(usize::MAX);
            let found = candidates(patches.base(), &self.reports, &self.suspects, limit)?;
            self.own = Some(found.into());
        }
        while let Some(candidate) = self.own.as_mut().and_then(VecDeque::pop_front) {
            progress(&format!("fix: try \"{}\"", candidate.title));
            for report in &self.reports {
                if candidate.changes.get(report.path()).is_some() {
                    executor.keep_report(report)?;
                }
            }
            let reason = format!("candidate: {}", candidate.title);
            let (base, changes) = (patches.base(), &candidate.changes);
            let run = executor.try_changes(self.repro, base, changes, Phase::Fix, reason)?;
            if run.has_exit_zero {
                return Ok(Some(Proposal {
                    changes: candidate.changes,
                    is_safe: candidate.is_safe,
                    is_final: candidate.is_safe,
                    text: EngineText {
                        name: "fixpoint".to_owned(),
                        title: candidate.title.clone(),
                        root_cause: "The analysis reports findings in these files.".to_owned(),
                        fix_summary: candidate.title,
                        tests_summary: String::new(),
                        risk_rollback: "Revert the patch.".to_owned(),
                        file_justifications: Vec::new(),
                    },
                }));
            }
            self.failures
                .push(format!("\"{}\" does not fix the failure", candidate.title));
        }
        if self.engine_was_asked || self.config.engine == EngineName::Fixpoint {
            return Ok(None);
        }
        self.engine_was_asked = true;
        self.ask_engine(executor, patches, base_runs, progress)
    }

    /// Why there is no proposal left.
    pub(crate) fn failure(&self) -> String {
        match self.failures.last() {
            Some(last) => last.clone(),
            None => {
                "our own analysis proposes no fix for the files of the repository, and no other \
                     engine is configured"
                    .to_owned()
            }
        }
    }

    /// Lets the engine describe a proof. Its text is data, and has no influence on the verdict.
    pub(crate) fn describe(
        &mut self,
        executor: &mut Executor<'_>,
        patches: &PatchRepository,
        base_runs: &Runs,
        conclusion: &mut Conclusion,
    ) -> Result<(), Stop> {
        let (Some(engine), Some(proposal)) = (&mut self.engine, &mut conclusion.proposal) else {
            return Ok(());
        };
        let records = conclusion.reasons.iter().flat_map(|it| it.records.clone());
        let results = records.filter_map(|index| executor.record(index).map(CommandResult::from));
        let results: Vec<CommandResult> = results.collect();
        let first = base_runs.0.first();
        let Some(repro) = first.and_then(|run| executor.record(run.record)) else {
            return Ok(());
        };
        let (diff, diff_summary) = patches.diff_of(&proposal.changes)?;
        let text = &proposal.text;
        let context = SummaryContext {
            repo_path: executor.tree_path(),
            repro_command: executor.redact(&self.repro.text),
            repro_result: CommandResult::from(repro),
            verification_results: results.clone(),
            diff_summary,
            test_policy: TestPolicyDecision {
                ok: true,
                ..TestPolicyDecision::default()
            },
            patch: PatchResponse {
                patch_diff: diff,
                root_cause: text.root_cause.clone(),
                fix_summary: text.fix_summary.clone(),
                tests_summary: text.tests_summary.clone(),
                risk_rollback: text.risk_rollback.clone(),
                file_justifications: Vec::new(),
            },
        };
        let known = engine.usage().len();
        let verified = engine.verify(&VerifyContext {
            repo_path: executor.tree_path(),
            verification_results: results,
            policies: Policies::from(self.config),
        });
        let described = verified.and_then(|_| engine.summarize_pr(&context));
        executor.add_tokens(&engine.usage()[known..]);
        match described {
            Ok(pull_request) => proposal.text.title = executor.redact(&pull_request.title),
            Err(error) => {
                let error = executor.redact(&error.to_string());
                executor.note(format!("the engine did not describe its patch: {error}"));
            }
        }
        Ok(())
    }

    fn ask_engine(
        &mut self,
        executor: &mut Executor<'_>,
        patches: &PatchRepository,
        base_runs: &Runs,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Option<Proposal>, Stop> {
        let spawn = executor.spawn(patches.base())?;
        let key = std::env::var(&self.config.openai.api_key_env).ok();
        let mut engine = match create_engine(self.config, spawn, key) {
            Ok(Some(engine)) => engine,
            Ok(None) => return Ok(None),
            Err(error) => {
                self.failures.push(executor.redact(&error.to_string()));
                return Ok(None);
            }
        };
        if let Some((proposal, tokens)) =
            executor.stored::<(Proposal, Vec<TokenUsage>)>(Step::Patched)
        {
            executor.add_tokens(&tokens);
            self.engine = Some(engine);
            return Ok(Some(proposal));
        }
        let Some(record) = base_runs
            .0
            .first()
            .and_then(|run| executor.record(run.record))
        else {
            return Ok(None);
        };
        let repro_result = CommandResult::from(record);
        progress(&format!("localize: ask the engine {}", engine.name()));
        let base = patches.base();
        let mut context = EditContext {
            repo_path: executor.tree_path(),
            repro_command: self.repro.text.clone(),
            repro_result,
            files: base.paths().to_vec(),
            contents: BTreeMap::new(),
            policies: Policies::from(self.config),
            prompt_pack: PromptPack::default(),
            feedback: None,
        };
        let mut ask = || -> Result<Proposal, EngineFailure> {
            let plan = engine.plan(&context)?;
            let wanted = plan.focus_files.iter().chain(&self.suspects);
            for path in wanted.take(MAX_FILES_SHOWN) {
                if base.paths().contains(path)
                    && let Ok(Some(state)) = base.read(path)
                    && state.bytes.len() <= MAX_FILE_SHOWN
                    && let Ok(text) = String::from_utf8(state.bytes)
                {
                    context
                        .contents
                        .insert(path.clone(), executor.redact(&text));
                }
            }
            progress("fix: ask the engine for a patch");
            let retries = self.config.openai.max_retries;
            let mut attempts = 0;
            loop {
                let proposed = propose_patch(&mut *engine, &context, &plan, retries)?;
                match patches.changes_of(&proposed.response.patch_diff) {
                    Ok(changes) => {
                        let response = proposed.response;
                        let justifications = response.file_justifications.into_iter();
                        return Ok(Proposal {
                            changes,
                            is_safe: false,
                            is_final: false,
                            text: EngineText {
                                name: engine.name().to_owned(),
                                title: String::new(),
                                root_cause: response.root_cause,
                                fix_summary: response.fix_summary,
                                tests_summary: response.tests_summary,
                                risk_rollback: response.risk_rollback,
                                file_justifications: justifications
                                    .map(|it| Justification {
                                        file: it.file,
                                        reason: it.reason,
                                    })
                                    .collect(),
                            },
                        });
                    }
                    Err(error @ PatchError::DoesNotApply(_)) if attempts < retries => {
                        attempts += 1;
                        context.feedback = Some(error.to_string());
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        };
        let asked = ask();
        let tokens = engine.usage().to_vec();
        self.engine = Some(engine);
        executor.add_tokens(&tokens);
        match asked {
            Ok(proposal) => {
                executor.store(Step::Patched, &(&proposal, tokens))?;
                Ok(Some(proposal))
            }
            Err(EngineFailure::Patch(error)) => {
                self.failures.push(error.to_string());
                Ok(None)
            }
            Err(EngineFailure::Engine(error)) => {
                self.failures.push(executor.redact(&error.to_string()));
                Ok(None)
            }
        }
    }
}

/// Why an engine has no patch.
enum EngineFailure {
    Engine(EngineError),
    Patch(PatchError),
}

impl From<EngineError> for EngineFailure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<PatchError> for EngineFailure {
    fn from(error: PatchError) -> Self {
        Self::Patch(error)
    }
}
