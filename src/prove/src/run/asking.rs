//! Runs the program of an engine.

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::{EngineError, MAX_OUTPUT, Spawn};
use crate::runner::{RunRequest, Runner};
use crate::scratch::Tree;

/// Runs the program of an engine in the sandbox, with the network. It sees the base without git's
/// history, and cannot write artifacts.
pub(crate) struct SandboxSpawn {
    pub(crate) runner: Runner,
    pub(crate) base: Tree,
    /// Where the base appears.
    pub(crate) tree_at: PathBuf,
    /// A folder for the input, which does not exist yet.
    pub(crate) folder: PathBuf,
}

impl Spawn for SandboxSpawn {
    fn call(
        &mut self,
        argv: &[String],
        stdin: &[u8],
        timeout: Duration,
    ) -> Result<Vec<u8>, EngineError> {
        let program = argv.first().cloned().unwrap_or_default();
        let failed = |reason: String| EngineError::Start {
            program: program.clone(),
            reason,
        };
        let input = self.folder.join("input.json");
        std::fs::create_dir_all(&self.folder)
            .and_then(|()| std::fs::write(&input, stdin))
            .map_err(|error| failed(error.to_string()))?;
        let mut request = RunRequest::new(
            argv.to_vec(),
            self.base.folder().to_owned(),
            self.tree_at.clone(),
            timeout,
        );
        request.stdin = Some(input);
        let outcome = self.runner.run(&request);
        let outcome = outcome.map_err(|error| failed(error.to_string()))?;
        if outcome.timed_out {
            return Err(EngineError::Timeout(timeout));
        }
        if outcome.stdout.overflowed || outcome.stdout.whole.len() > MAX_OUTPUT {
            return Err(EngineError::TooLarge { limit: MAX_OUTPUT });
        }
        match outcome.exit_code {
            Some(0) => Ok(outcome.stdout.whole),
            code => Err(EngineError::Exit {
                program,
                status: match code {
                    Some(code) => format!("exit status {code}"),
                    None => "ended by a signal".to_owned(),
                },
                stderr: outcome.stderr.text,
            }),
        }
    }
}
