//! Bazel's persistent worker protocol in its JSON form: requests on standard input, one answer
//! each on standard output, in whatever order they are done.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use clap::Parser as _;
use serde_json::{Deserializer, Value, json};

use super::analyze::analyze;
use super::args::BazelCommand;
use super::memory::Memory;
use crate::Verdict;
use crate::args::{Arguments, Command};
use crate::failure::Failure;

#[derive(Clone)]
struct Request {
    arguments: Vec<String>,
    id: i64,
    /// Where its files are, if not in the working directory.
    sandbox: PathBuf,
    cancel: bool,
}

pub(crate) fn serve(arguments: &Arguments) -> Result<Verdict, Failure> {
    let start: Vec<String> = vec![
        "fixpoint".to_owned(),
        "bazel".to_owned(),
        "analyze".to_owned(),
        format!("--time-limit={}", arguments.time_limit),
    ];
    let answers = Arc::new(Mutex::new(std::io::stdout()));
    let memory = Arc::new(Memory::default());
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
            let (answers, memory) = (Arc::clone(&answers), Arc::clone(&memory));
            let (start, id) = (start.clone(), request.id);
            move || {
                let (exit_code, output) = match perform(&start, request, &memory) {
                    Ok(()) => (0, String::new()),
                    Err(failure) => (failure.status(), format!("error: {failure}\n")),
                };
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

fn perform(start: &[String], request: Request, memory: &Memory) -> Result<(), Failure> {
    let command_line = start.iter().cloned().chain(request.arguments);
    let arguments = Arguments::try_parse_from(command_line)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    match &arguments.command {
        Command::Bazel(bazel) => match &bazel.command {
            BazelCommand::Analyze(options) => {
                analyze(&arguments, options, &request.sandbox, Some(memory))
            }
            _ => Err(not_a_request()),
        },
        _ => Err(not_a_request()),
    }
}
