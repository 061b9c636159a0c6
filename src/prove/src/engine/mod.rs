//! Engines propose patches. Recorded runs decide the verdict, and policies decide what is accepted.
//!
//! An engine receives text and returns text. It gets no git history and no secrets, chooses no
//! commands and writes no evidence. Its text is data: the pull request quotes it.

pub mod claude;
pub mod command;
mod context;
mod error;
pub mod openai;
pub mod patch;
mod prompts;
mod propose;
mod response;
mod spawn;

pub use context::{
    CommandResult, EditContext, Policies, PromptPack, Request, SummaryContext, VerifyContext,
};
pub use error::EngineError;
pub use patch::{FilePatch, Hunk, HunkLine, LineKind, ParsedPatch, PatchError, parse_patch};
pub use propose::{ProposedPatch, propose_patch};
pub use response::{Answer, PatchResponse, Plan, PrText, TokenUsage};
pub use spawn::{MAX_OUTPUT, PlainSpawn, Spawn};

use crate::config::{EngineName, ProveConfig};

/// Creates the engine that the configuration names, with the real clock. The result is None for
/// `fixpoint`, which needs no program and no server; the caller creates it.
///
/// `key` is the value of the variable `openai.api_key_env`.
pub fn create_engine(
    config: &ProveConfig,
    spawn: impl Spawn + 'static,
    key: Option<String>,
) -> Result<Option<Box<dyn Engine>>, EngineError> {
    Ok(match config.engine {
        EngineName::Fixpoint => None,
        EngineName::Command => Some(Box::new(command::CommandEngine::new(config, spawn)?)),
        EngineName::Claude => Some(Box::new(claude::ClaudeEngine::new(config, spawn)?)),
        EngineName::Openai => {
            let engine = openai::OpenAiEngine::new(config, key, openai::SystemPause)?;
            Some(Box::new(engine))
        }
    })
}

/// A source of patches. An engine only has to answer requests with an object.
pub trait Engine {
    fn name(&self) -> &str;

    /// Makes one call.
    fn ask(&mut self, request: &Request<'_>) -> Result<Answer, EngineError>;

    /// The tokens that the calls so far have used, where the engine reports them.
    fn usage(&self) -> &[TokenUsage] {
        &[]
    }

    /// Explains the failure, and names the files to read.
    fn plan(&mut self, context: &EditContext) -> Result<Plan, EngineError> {
        self.ask(&Request::Plan(context))?.plan()
    }

    /// Proposes a patch. [`propose_patch`] checks it and retries.
    fn apply_edits(
        &mut self,
        context: &EditContext,
        plan: &Plan,
    ) -> Result<PatchResponse, EngineError> {
        self.ask(&Request::ApplyEdits { context, plan })?.patch()
    }

    /// Describes the results of the verification. The text has no influence on the verdict.
    fn verify(&mut self, context: &VerifyContext) -> Result<String, EngineError> {
        self.ask(&Request::Verify(context))?.summary()
    }

    fn summarize_pr(&mut self, context: &SummaryContext) -> Result<PrText, EngineError> {
        self.ask(&Request::SummarizePr(context))?.pr_text()
    }
}
