//! The `claude` engine: its command-line program in print mode, with JSON output and no tools.

use std::time::Duration;

use serde_json::Value;

use super::Engine;
use super::context::Request;
use super::error::EngineError;
use super::prompts::Prompt;
use super::response::{Answer, TokenUsage, envelope};
use super::spawn::Spawn;
use crate::config::ProveConfig;

/// The tools of the program that change files, run commands or use the network.
const DISALLOWED_TOOLS: &str = "Bash,Edit,MultiEdit,Write,NotebookEdit,WebFetch,WebSearch,Task";

/// Runs `claude.argv` once per call, with the prompt on stdin.
pub struct ClaudeEngine<S> {
    argv: Vec<String>,
    timeout: Duration,
    spawn: S,
    usage: Vec<TokenUsage>,
}

impl<S: Spawn> ClaudeEngine<S> {
    /// The timeout is `commands.timeout_ms`.
    pub fn new(config: &ProveConfig, spawn: S) -> Result<Self, EngineError> {
        if config.claude.argv.is_empty() {
            return Err(EngineError::NotConfigured {
                engine: "claude",
                reason: "set `claude.argv` to the program, for example [claude]".to_owned(),
            });
        }
        let options = [
            "-p",
            "--output-format",
            "json",
            "--disallowedTools",
            DISALLOWED_TOOLS,
        ];
        let options = options.map(str::to_owned);
        Ok(Self {
            argv: config.claude.argv.iter().cloned().chain(options).collect(),
            timeout: Duration::from_millis(config.commands.timeout_ms),
            spawn,
            usage: Vec::new(),
        })
    }

    fn call(&mut self, prompt: &Prompt) -> Result<Answer, EngineError> {
        let input = format!(
            "{}\n\n{}\nThe JSON schema of the answer:\n{}\n",
            prompt.system, prompt.user, prompt.schema
        );
        let output = self
            .spawn
            .call(&self.argv, input.as_bytes(), self.timeout)?;
        let envelope = envelope(&output)?;
        let names = ["input_tokens", "output_tokens"];
        self.usage
            .extend(TokenUsage::of(prompt.call, "claude", &envelope, names));
        let result = envelope.get("result").and_then(Value::as_str);
        if envelope.get("is_error").and_then(Value::as_bool) == Some(true) {
            let reason = result.or_else(|| envelope.get("subtype").and_then(Value::as_str));
            let reason = reason.unwrap_or("the program reports an error");
            return Err(EngineError::no_answer(reason));
        }
        match (envelope.get("structured_output"), result) {
            (Some(Value::Object(members)), _) => Ok(Answer::of(members.clone())),
            (_, Some(result)) => Answer::parse_answer(result),
            _ => Err(EngineError::Missing {
                fields: vec!["result"],
            }),
        }
    }
}

impl<S: Spawn> Engine for ClaudeEngine<S> {
    fn name(&self) -> &str {
        "claude"
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<Answer, EngineError> {
        self.call(&Prompt::of(request))
    }

    fn usage(&self) -> &[TokenUsage] {
        &self.usage
    }
}
