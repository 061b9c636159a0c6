//! The `command` engine: any program that reads one JSON object and writes one.

use std::time::Duration;

use serde::Serialize;

use super::Engine;
use super::context::{EditContext, SummaryContext, VerifyContext};
use super::error::EngineError;
use super::response::{Fields, PatchResponse, Plan, PrText};
use super::spawn::Spawn;
use crate::config::ProveConfig;

/// The version of the objects that are exchanged.
pub const VERSION: u32 = 1;

/// The input of one call: the fields of the context and, for `apply_edits`, the plan.
#[derive(Serialize)]
struct Call<'a, T: Serialize> {
    version: u32,
    call: &'static str,
    #[serde(flatten)]
    context: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a Plan>,
}

/// Runs `command.argv` once per call.
pub struct CommandEngine<S> {
    argv: Vec<String>,
    timeout: Duration,
    spawn: S,
}

impl<S: Spawn> CommandEngine<S> {
    /// The timeout is `commands.timeout_ms`.
    pub fn new(config: &ProveConfig, spawn: S) -> Result<Self, EngineError> {
        if config.command.argv.is_empty() {
            return Err(EngineError::NotConfigured {
                engine: "command",
                reason: "set `command.argv` to the program and its arguments".to_owned(),
            });
        }
        Ok(Self {
            argv: config.command.argv.clone(),
            timeout: Duration::from_millis(config.commands.timeout_ms),
            spawn,
        })
    }

    fn call<T: Serialize>(
        &mut self,
        call: &'static str,
        context: &T,
        plan: Option<&Plan>,
    ) -> Result<Fields, EngineError> {
        let call = Call {
            version: VERSION,
            call,
            context,
            plan,
        };
        let mut input = serde_json::to_vec(&call).map_err(|error| EngineError::NotJson {
            reason: error.to_string(),
        })?;
        input.push(b'\n');
        let output = self.spawn.call(&self.argv, &input, self.timeout)?;
        Fields::parse(&output)
    }
}

impl<S: Spawn> Engine for CommandEngine<S> {
    fn name(&self) -> &str {
        "command"
    }

    fn plan(&mut self, context: &EditContext) -> Result<Plan, EngineError> {
        self.call("plan", context, None)?.plan()
    }

    fn apply_edits(
        &mut self,
        context: &EditContext,
        plan: &Plan,
    ) -> Result<PatchResponse, EngineError> {
        self.call("apply_edits", context, Some(plan))?.patch()
    }

    fn verify(&mut self, context: &VerifyContext) -> Result<String, EngineError> {
        self.call("verify", context, None)?.summary()
    }

    fn summarize_pr(&mut self, context: &SummaryContext) -> Result<PrText, EngineError> {
        self.call("summarize_pr", context, None)?.pr_text()
    }
}
