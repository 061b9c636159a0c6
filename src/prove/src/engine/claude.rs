//! The `claude` engine: its command-line program in print mode, with JSON output and no tools.

use std::time::Duration;

use serde_json::Value;

use super::Engine;
use super::context::Request;
use super::error::EngineError;
use super::prompts::Prompt;
use super::response::{Answer, TokenUsage};
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
        let envelope: Value =
            serde_json::from_slice(&output).map_err(|error| EngineError::NotJson {
                reason: error.to_string(),
            })?;
        self.record_usage(prompt.call, &envelope);
        let result = envelope.get("result").and_then(Value::as_str);
        if envelope.get("is_error").and_then(Value::as_bool) == Some(true) {
            let reason = result.or_else(|| envelope.get("subtype").and_then(Value::as_str));
            return Err(EngineError::NoAnswer {
                reason: reason
                    .unwrap_or("the program reports an error")
                    .chars()
                    .take(500)
                    .collect(),
            });
        }
        match (envelope.get("structured_output"), result) {
            (Some(Value::Object(members)), _) => Ok(Answer::of(members.clone())),
            (_, Some(result)) => Answer::parse_answer(result),
            _ => Err(EngineError::Missing {
                fields: vec!["result"],
            }),
        }
    }

    fn record_usage(&mut self, call: &str, envelope: &Value) {
        let Some(usage) = envelope.get("usage") else {
            return;
        };
        let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
        let (input, output) = (count("input_tokens"), count("output_tokens"));
        self.usage.push(TokenUsage {
            call: call.to_owned(),
            model: "claude".to_owned(),
            prompt_tokens: input,
            completion_tokens: output,
            total_tokens: input.saturating_add(output),
        });
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
