//! Bazel's persistent worker protocol: requests on standard input, one answer for each on standard output, in the order
//! in which they finish. Each is a message in protobuf, after its length.

use std::io::{self, BufRead, Read as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Parser as _;
use prost::Message as _;
use serde::{Deserialize, Serialize};

use super::action;
use super::args::BazelCommand;
use crate::Verdict;
use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::helper::{Helper, HelperFailure};
use crate::isolate::{Task, timed_out};
use crate::pool::gave_up;

/// The minimum time of an action, in addition to the limits of its files.
const GRACE: Duration = Duration::from_secs(10);

/// The maximum length of a request.
const MAX_REQUEST: usize = 1 << 28;

/// `WorkRequest` in Bazel's `worker_protocol.proto`, without fields that are not needed.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
struct Request {
    #[prost(string, repeated, tag = "1")]
    arguments: Vec<String>,
    #[prost(int32, tag = "3")]
    id: i32,
    #[prost(bool, tag = "4")]
    cancel: bool,
    /// Where its files are, if not in the working directory.
    #[prost(string, tag = "6")]
    sandbox: String,
}

/// `WorkResponse` in Bazel's `worker_protocol.proto`.
#[derive(Clone, PartialEq, prost::Message)]
struct Response {
    #[prost(int32, tag = "1")]
    exit_code: i32,
    #[prost(string, tag = "2")]
    output: String,
    #[prost(int32, tag = "3")]
    id: i32,
}

/// Answers each request in a helper process, so that work that does not end can be killed and
/// leaves nothing in this process.
pub(crate) fn serve(arguments: &Arguments) -> Result<Verdict, Failure> {
    let answers = Arc::new(Mutex::new(io::stdout()));
    let helpers = Arc::new(HelperPool::new(arguments.time_limit));
    let mut requests = io::stdin().lock();
    let mut running = Vec::new();
    while let Some(request) = next_request(&mut requests)? {
        if request.cancel {
            // The action ends soon and is answered as usual.
            continue;
        }
        let work = {
            let (answers, helpers) = (Arc::clone(&answers), Arc::clone(&helpers));
            move || {
                let ActionResult {
                    exit_code, output, ..
                } = helpers.run(&request);
                let answer = Response {
                    exit_code,
                    output,
                    id: request.id,
                };
                let answer = answer.encode_length_delimited_to_vec();
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.write_all(&answer).and_then(|()| answers.flush())
            }
        };
        running.retain(|it: &thread::JoinHandle<_>| !it.is_finished());
        match thread::Builder::new().spawn(work.clone()) {
            Ok(thread) => running.push(thread),
            Err(_) => work().map_err(Failure::Output)?,
        }
    }
    for thread in running {
        // Its answer is written, or standard output is closed.
        let _ = thread.join();
    }
    Ok(Verdict::Done)
}

/// Runs actions in helper processes and keeps idle helpers for reuse.
struct HelperPool {
    task: Task,
    time_limit: u64,
    idle: Mutex<Vec<Helper>>,
    /// Fallback if no helper can be started.
    fallback: ActionRunner,
}

/// The result of an action.
#[derive(Debug, Serialize, Deserialize)]
struct ActionResult {
    exit_code: i32,
    output: String,
    /// Whether a thread in the process may still be running.
    gave_up: bool,
}

impl HelperPool {
    fn new(time_limit: u64) -> Self {
        Self {
            task: Task::Worker { time_limit },
            time_limit,
            idle: Mutex::default(),
            fallback: ActionRunner::new(time_limit),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Helper>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, request: &Request) -> ActionResult {
        let limit = Duration::from_secs(self.time_limit);
        let idle = self.idle().pop();
        let helper = match idle {
            Some(helper) => Ok(helper),
            None => self.task.begin(None, limit),
        };
        let (Ok(mut helper), Ok(bytes)) = (helper, serde_json::to_vec(request)) else {
            return self.fallback.run(request);
        };
        // A helper enforces the limit of each file; this limits the whole action.
        let files = u32::try_from(request.arguments.len()).unwrap_or(u32::MAX);
        let whole = limit.saturating_mul(files.saturating_add(4));
        let answer = helper.ask(&bytes, whole.saturating_add(GRACE));
        let result = answer.map(|answer| serde_json::from_slice::<ActionResult>(&answer));
        match result {
            Ok(Ok(result)) => {
                if !result.gave_up {
                    self.idle().push(helper);
                }
                result
            }
            Ok(Err(_)) | Err(HelperFailure::Crashed) => {
                ActionResult::failed("the analysis crashed")
            }
            Err(HelperFailure::TimedOut) => ActionResult::failed(&timed_out(limit)),
        }
    }
}

impl ActionResult {
    fn failed(reason: &str) -> Self {
        Self {
            exit_code: Failure::Run(reason.to_owned()).status(),
            output: format!("error: {reason}\n"),
            gave_up: true,
        }
    }
}

/// Runs actions in this process.
pub(crate) struct ActionRunner {
    start: Vec<String>,
}

impl ActionRunner {
    pub(crate) fn new(time_limit: u64) -> Self {
        let limit = format!("--time-limit={time_limit}");
        let start = ["fixpoint", &limit, "bazel"];
        Self {
            start: start.map(str::to_owned).to_vec(),
        }
    }

    /// The helper's side.
    pub(crate) fn answer(&self, request: &[u8]) -> Vec<u8> {
        let result = match serde_json::from_slice::<Request>(request) {
            Ok(request) => self.run(&request),
            Err(error) => ActionResult::failed(&error.to_string()),
        };
        serde_json::to_vec(&result).unwrap_or_default()
    }

    fn run(&self, request: &Request) -> ActionResult {
        let (exit_code, output) = match run(&self.start, request) {
            Ok(None) => (0, String::new()),
            Ok(Some(lines)) => (1, lines.join("\n") + "\n"),
            Err(failure) => (failure.status(), format!("error: {}\n", failure.plain())),
        };
        ActionResult {
            exit_code,
            output,
            gave_up: gave_up(),
        }
    }
}

/// The next request; `None` at the end of the input.
fn next_request(input: &mut impl BufRead) -> Result<Option<Request>, Failure> {
    if input.fill_buf().map_err(Failure::StandardInput)?.is_empty() {
        return Ok(None);
    }
    let mut length = Vec::new();
    loop {
        let mut byte = [0];
        input.read_exact(&mut byte).map_err(|_| not_a_request())?;
        length.extend(byte);
        // The last byte of a number has no continuation bit.
        if byte[0] < 0x80 {
            break;
        }
    }
    let length = prost::decode_length_delimiter(&*length).map_err(|_| not_a_request())?;
    if length > MAX_REQUEST {
        return Err(not_a_request());
    }
    let mut message = Vec::new();
    let read = input.take(length as u64).read_to_end(&mut message);
    read.map_err(Failure::StandardInput)?;
    match Request::decode(&*message) {
        Ok(request) if message.len() == length => Ok(Some(request)),
        _ => Err(not_a_request()),
    }
}

fn not_a_request() -> Failure {
    Failure::Usage(
        "standard input does not contain work requests of Bazel; only Bazel starts this command"
            .to_owned(),
    )
}

/// Runs an action. Returns the lines to print if it fails with findings.
fn run(start: &[String], request: &Request) -> Result<Option<Vec<String>>, Failure> {
    let command_line = start.iter().chain(&request.arguments);
    let sandbox = match request.sandbox.as_str() {
        "" => Path::new("."),
        folder => Path::new(folder),
    };
    let arguments = Arguments::try_parse_from(command_line)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    match &arguments.command {
        Command::Bazel(bazel) => match &bazel.command {
            Some(BazelCommand::Action(command)) => action(&arguments, command, sandbox),
            _ => Err(not_a_request()),
        },
        _ => Err(not_a_request()),
    }
}
