//! How an engine starts a program. The orchestrator implements [`Spawn`] with the sandbox.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::error::EngineError;

/// A longer output of a program, or a longer response of a server, is rejected.
pub const MAX_OUTPUT: usize = 8 * 1024 * 1024;

/// The part of stderr that an error quotes.
const MAX_STDERR: usize = 2000;

/// Runs a program once.
pub trait Spawn {
    /// Starts `argv` without a shell, writes `stdin`, and returns stdout if the program ends with
    /// status 0 within `timeout`. More than [`MAX_OUTPUT`] bytes are an error.
    fn call(
        &mut self,
        argv: &[String],
        stdin: &[u8],
        timeout: Duration,
    ) -> Result<Vec<u8>, EngineError>;
}

/// Starts a program without a sandbox, in a process group of its own. Only for tests, and for
/// programs that the user trusts.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainSpawn;

impl Spawn for PlainSpawn {
    fn call(
        &mut self,
        argv: &[String],
        stdin: &[u8],
        timeout: Duration,
    ) -> Result<Vec<u8>, EngineError> {
        let (program, arguments) = argv.split_first().ok_or_else(|| EngineError::Start {
            program: String::new(),
            reason: "there is no command".to_owned(),
        })?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| EngineError::Start {
                program: program.clone(),
                reason: error.to_string(),
            })?;
        let result = exchange(&mut child, program, stdin, timeout);
        kill_group(&child);
        // The child has ended or was killed, so this does not block.
        let _ = child.wait();
        result
    }
}

fn kill_group(child: &Child) {
    let pid = i32::try_from(child.id()).ok();
    if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Reads a stream to its end or to the limit in a thread of its own.
fn read_in_thread(
    stream: Option<impl Read + Send + 'static>,
    limit: usize,
) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _ = stream.take(limit as u64 + 1).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

fn exchange(
    child: &mut Child,
    program: &str,
    stdin: &[u8],
    timeout: Duration,
) -> Result<Vec<u8>, EngineError> {
    let deadline = Instant::now() + timeout;
    let left = || deadline.saturating_duration_since(Instant::now());
    if let Some(mut pipe) = child.stdin.take() {
        let input = stdin.to_vec();
        // A program that does not read its input closes the pipe, which is not an error.
        thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
    }
    let stdout = read_in_thread(child.stdout.take(), MAX_OUTPUT);
    let stderr = read_in_thread(child.stderr.take(), MAX_STDERR);
    let output = stdout
        .recv_timeout(left())
        .map_err(|_| EngineError::Timeout(timeout))?;
    if output.len() > MAX_OUTPUT {
        return Err(EngineError::TooLarge { limit: MAX_OUTPUT });
    }
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if left().is_zero() => return Err(EngineError::Timeout(timeout)),
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(error) => {
                return Err(EngineError::Start {
                    program: program.to_owned(),
                    reason: error.to_string(),
                });
            }
        }
    };
    if status.success() {
        return Ok(output);
    }
    let stderr = stderr
        .recv_timeout(left().min(Duration::from_secs(1)))
        .unwrap_or_default();
    Err(EngineError::Exit {
        program: program.to_owned(),
        status: status.to_string(),
        stderr: String::from_utf8_lossy(&stderr).trim().to_owned(),
    })
}
