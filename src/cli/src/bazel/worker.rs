//! Bazel's persistent worker protocol in its JSON form: requests on standard input, one answer
//! each on standard output, in whatever order they are done.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Parser as _;
use serde::{Deserialize, Serialize};
use serde_json::{Deserializer, Value, json};

use super::analyze::analyze;
use super::args::BazelCommand;
use crate::Verdict;
use crate::args::{Arguments, Command};
use crate::failure::Failure;
use crate::helper::{Helper, Lost};
use crate::isolate::{Task, timed_out};
use crate::pool::gave_up;

/// The minimum time of an action, in addition to the limits of its files.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Clone, Serialize, Deserialize)]
struct Request {
    arguments: Vec<String>,
    id: i64,
    /// Where its files are, if not in the working directory.
    sandbox: PathBuf,
    cancel: bool,
}

/// Answers each request in a helper process, so that work that does not end can be killed and
/// leaves nothing in this process.
pub(crate) fn serve(arguments: &Arguments) -> Result<Verdict, Failure> {
    let answers = Arc::new(Mutex::new(std::io::stdout()));
    let crew = Arc::new(Crew::new(arguments.time_limit));
    let requests = Deserializer::from_reader(std::io::stdin()).into_iter::<Value>();
    let mut running = Vec::new();
    for request in requests {
        let request = request
            .map_err(Failure::run)
            .and_then(|it| parse(&it).ok_or_else(not_a_request))?;
        if request.cancel {
            // What is being done is done in a moment, and answered then.
            continue;
        }
        let work = {
            let (answers, crew) = (Arc::clone(&answers), Arc::clone(&crew));
            move || {
                let Ended {
                    exit_code, output, ..
                } = crew.perform(&request);
                let id = request.id;
                let answer = json!({ "exitCode": exit_code, "output": output, "requestId": id });
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                writeln!(answers, "{answer}").and_then(|()| answers.flush())
            }
        };
        running.retain(|it: &thread::JoinHandle<_>| !it.is_finished());
        match thread::Builder::new().spawn(work.clone()) {
            Ok(thread) => running.push(thread),
            Err(_) => work().map_err(Failure::Output)?,
        }
    }
    for thread in running {
        // Its answer has been given, or nobody listens any more.
        let _ = thread.join();
    }
    Ok(Verdict::Done)
}

/// Idle helpers.
struct Crew {
    task: Task,
    time_limit: u64,
    resting: Mutex<Vec<Helper>>,
    /// Fallback if no helper can be started.
    alone: Performer,
}

/// How an action ended.
#[derive(Debug, Serialize, Deserialize)]
struct Ended {
    exit_code: i32,
    output: String,
    /// Whether a thread in the process may still be running.
    gave_up: bool,
}

impl Crew {
    fn new(time_limit: u64) -> Self {
        Self {
            task: Task::Worker { time_limit },
            time_limit,
            resting: Mutex::default(),
            alone: Performer::new(time_limit),
        }
    }

    fn resting(&self) -> MutexGuard<'_, Vec<Helper>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn perform(&self, request: &Request) -> Ended {
        let limit = Duration::from_secs(self.time_limit);
        let resting = self.resting().pop();
        let helper = match resting {
            Some(helper) => Ok(helper),
            None => self.task.begin(None, limit),
        };
        let (Ok(mut helper), Ok(bytes)) = (helper, serde_json::to_vec(request)) else {
            return self.alone.perform(request);
        };
        // A helper enforces the limit of each file; this limits the whole action.
        let files = u32::try_from(request.arguments.len()).unwrap_or(u32::MAX);
        let whole = limit.saturating_mul(files.saturating_add(4));
        let answer = helper.ask(&bytes, whole.saturating_add(GRACE));
        let ended = answer.map(|answer| serde_json::from_slice::<Ended>(&answer));
        match ended {
            Ok(Ok(ended)) => {
                if !ended.gave_up {
                    self.resting().push(helper);
                }
                ended
            }
            Ok(Err(_)) | Err(Lost::Crashed) => Ended::failed("the analysis crashed"),
            Err(Lost::Late) => Ended::failed(&timed_out(limit)),
        }
    }
}

impl Ended {
    fn failed(reason: &str) -> Self {
        Self {
            exit_code: Failure::run(reason).status(),
            output: format!("error: {reason}\n"),
            gave_up: true,
        }
    }
}

/// Runs actions in this process.
pub(crate) struct Performer {
    start: Vec<String>,
}

impl Performer {
    pub(crate) fn new(time_limit: u64) -> Self {
        let limit = format!("--time-limit={time_limit}");
        let start = ["fixpoint", "bazel", "analyze", &limit];
        Self {
            start: start.map(str::to_owned).to_vec(),
        }
    }

    /// The helper's side.
    pub(crate) fn answer(&self, request: &[u8]) -> Vec<u8> {
        let ended = match serde_json::from_slice::<Request>(request) {
            Ok(request) => self.perform(&request),
            Err(error) => Ended::failed(&error.to_string()),
        };
        serde_json::to_vec(&ended).unwrap_or_default()
    }

    fn perform(&self, request: &Request) -> Ended {
        let (exit_code, output) = match perform(&self.start, request) {
            Ok(()) => (0, String::new()),
            Err(failure) => (failure.status(), format!("error: {}\n", failure.plain())),
        };
        Ended {
            exit_code,
            output,
            gave_up: gave_up(),
        }
    }
}

fn parse(request: &Value) -> Option<Request> {
    let strings = |key: &str| -> Option<Vec<String>> {
        let list = request
            .get(key)
            .map_or(Some(&[][..]), |it| it.as_array().map(Vec::as_slice))?;
        list.iter()
            .map(|it| it.as_str().map(str::to_owned))
            .collect()
    };
    let text = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default();
    let sandbox = match text("sandboxDir") {
        "" => Path::new("."),
        folder => Path::new(folder),
    };
    request.is_object().then_some(())?;
    Some(Request {
        arguments: strings("arguments")?,
        id: request
            .get("requestId")
            .and_then(Value::as_i64)
            .unwrap_or_default(),
        sandbox: sandbox.to_owned(),
        cancel: request
            .get("cancel")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
    })
}

fn not_a_request() -> Failure {
    Failure::Usage("standard input is not a list of work requests; Bazel starts this".to_owned())
}

fn perform(start: &[String], request: &Request) -> Result<(), Failure> {
    let command_line = start.iter().chain(&request.arguments);
    let arguments = Arguments::try_parse_from(command_line)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    match &arguments.command {
        Command::Bazel(bazel) => match &bazel.command {
            BazelCommand::Analyze(options) => analyze(&arguments, options, &request.sandbox),
            _ => Err(not_a_request()),
        },
        _ => Err(not_a_request()),
    }
}
