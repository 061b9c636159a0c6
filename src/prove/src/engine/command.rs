//! The `command` engine: any program that reads one JSON object and writes one.

use std::time::Duration;

use serde::Serialize;

use super::Engine;
use super::context::Request;
use super::error::EngineError;
use super::response::Answer;
use super::spawn::Spawn;
use crate::config::ProveConfig;

/// The version of the objects that are exchanged.
pub const VERSION: u32 = 1;

/// The input of one call.
#[derive(Serialize)]
struct Call<'a> {
    version: u32,
    #[serde(flatten)]
    request: &'a Request<'a>,
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
}

impl<S: Spawn> Engine for CommandEngine<S> {
    fn name(&self) -> &str {
        "command"
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<Answer, EngineError> {
        let call = Call {
            version: VERSION,
            request,
        };
        let mut input = serde_json::to_vec(&call).map_err(|error| EngineError::NotJson {
            reason: error.to_string(),
        })?;
        input.push(b'\n');
        let output = self.spawn.call(&self.argv, &input, self.timeout)?;
        Answer::parse(&output)
    }
}
