//! `fixpoint repair`: repairs a Clank program in memory.

use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::json::{INPUT_ERROR, input_error_json, parse_json, result_json};
use fixpoint_clank::repair::{
    Approved, Candidate, Ending, Permission, Program, Repaired, Step, Unapplied, repair_with,
};
use fixpoint_report::{Safety, word};
use fixpoint_text::LineIndex;
use fixpoint_view::unified_diff;
use serde::Serialize;
use serde_json::{Value, json};

use super::args::{InputForm, RepairForm, RepairOptions};
use super::given_modules::read_any_modules;
use super::indented::indented;
use super::program::{InvalidInput, read};
use crate::Verdict;
use crate::args::{Arguments, SafetyLevel};
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};

/// The JSON form: the outcome, the steps, the repaired program and its result.
#[derive(Serialize)]
struct Document<'a, E: Serialize, R: Serialize> {
    #[serde(flatten)]
    ending: E,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_sha256: Option<&'a str>,
    steps: &'a [Step],
    #[serde(skip_serializing_if = "<[Unapplied]>::is_empty")]
    unapplied: &'a [Unapplied],
    program: Value,
    result: R,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &RepairOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let (file, form) = match read(arguments, &options.program)? {
        Ok(read) => read,
        Err(invalid) => return refuse(&invalid, options, output),
    };
    let digest = file.digest().to_string();
    if let Some(base) = options.base.as_ref().filter(|it| **it != digest) {
        return Err(Failure::Run(format!(
            "{} does not match --base {base}: its sha256 is {digest}; compile it again, and use the repairs of \
             that result",
            file.path()
        )));
    }
    let permission = Permission {
        safety: match options.safety {
            SafetyLevel::Safe => Safety::BehaviorPreserving,
            SafetyLevel::Likely => Safety::LikelyPreserving,
        },
        approved: Approved::Ids(options.approve.iter().cloned().collect()),
        max_rounds: options.max_rounds,
    };
    let modules = read_any_modules(arguments, &options.module_options)?.map(|it| it.modules);
    let given = Arc::clone(&file);
    let work = move || {
        let program = match form {
            InputForm::Source => Program::Source {
                file: given.path().to_owned(),
                text: given.text().to_owned(),
            },
            InputForm::Ast => Program::Ast {
                json: given.text().to_owned(),
            },
        };
        repair_with(program, &permission, modules.clone())
    };
    let time_limit = Duration::from_secs(arguments.time_limit);
    let repaired = match with_large_stack(time_limit, work) {
        TimedResult::TimedOut => {
            return Err(Failure::Run(format!(
                "{}: not repaired within {} seconds; raise --time-limit",
                file.path(),
                arguments.time_limit
            )));
        }
        TimedResult::Done(Ok(repaired)) => repaired,
        TimedResult::Done(Err(errors)) => {
            return refuse(&InvalidInput::of(&file, errors), options, output);
        }
    };
    if !repaired.unknown.is_empty() {
        for id in &repaired.unknown {
            output.note(
                Level::ERROR,
                &format!("cannot approve repair {id}: the program has no repair with this id"),
            );
        }
        return Err(Failure::Usage(
            "nothing was repaired; run without --approve to see each repair with its id".to_owned(),
        ));
    }
    match options.format {
        RepairForm::Program => {
            report_outcome(&repaired, output);
            output.print(repaired.program.text())?;
        }
        RepairForm::Diff => {
            report_outcome(&repaired, output);
            let diff = unified_diff(file.path(), file.text(), repaired.program.text());
            output.print(&diff)?;
        }
        RepairForm::Json => {
            let document = document(&repaired, &digest)?;
            output.print_json(&document)?;
        }
    }
    output.flush()?;
    Ok(match repaired.ending {
        Ending::Success => Verdict::Done,
        _ => Verdict::Findings,
    })
}

fn document(repaired: &Repaired, base_sha256: &str) -> Result<String, Failure> {
    let program = match &repaired.program {
        Program::Source { text, .. } => Value::from(text.as_str()),
        Program::Ast { json } => parse_json(json).map_err(|error| Failure::Run(error.message))?,
    };
    indented(&Document {
        ending: &repaired.ending,
        base_sha256: Some(base_sha256),
        steps: &repaired.steps,
        unapplied: &repaired.unapplied,
        program,
        result: result_json(&repaired.result),
    })
}

/// Reports a file that is not a program.
fn refuse(
    invalid: &InvalidInput,
    options: &RepairOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    invalid.report(output);
    if options.format == RepairForm::Json {
        output.print_json(&refusal(invalid)?)?;
    }
    output.flush()?;
    Ok(Verdict::Findings)
}

fn refusal(invalid: &InvalidInput) -> Result<String, Failure> {
    indented(&Document {
        ending: json!({ "status": INPUT_ERROR }),
        base_sha256: invalid.digest.as_deref(),
        steps: &[],
        unapplied: &[],
        program: Value::Null,
        result: input_error_json(&invalid.errors, None),
    })
}

/// Reports the steps and the outcome, for people.
fn report_outcome(repaired: &Repaired, output: &mut Output) {
    for step in &repaired.steps {
        for candidate in &step.applied {
            output.note(
                Level::INFO,
                &format!("round {}: {}", step.round, describe(candidate, None)),
            );
        }
    }
    for it in &repaired.unapplied {
        let message = format!("{} was approved, but not applied: {}", it.id, it.reason);
        output.note(Level::WARNING, &message);
    }
    match &repaired.ending {
        Ending::Success => output.note(Level::INFO, "success: nothing is left to repair"),
        Ending::NeedsApproval { ids } => {
            let message = "needs approval: apply one of these with --approve ID";
            output.note(Level::WARNING, message);
            let lines = LineIndex::new(repaired.program.text());
            let repairs = repaired.result.repairs.iter();
            for candidate in repairs.filter(|it| ids.contains(&it.id)) {
                let place = place(repaired, candidate, &lines);
                output.notice(&format!("  {}", describe(candidate, place)));
            }
        }
        Ending::NeedsClarification { problems } => {
            let message = "needs clarification: the remaining problems have no repair";
            output.note(Level::WARNING, message);
            for problem in problems {
                output.notice(&format!("  {problem}"));
            }
        }
        Ending::Stuck { reason } => output.note(Level::ERROR, &format!("stuck: {reason}")),
    }
}

/// `line:column` of the first problem that a repair resolves, if the program is source text.
fn place(repaired: &Repaired, candidate: &Candidate, lines: &LineIndex) -> Option<String> {
    let Program::Source { text, .. } = &repaired.program else {
        return None;
    };
    let is_for = |refs: &[String]| refs.contains(&candidate.id);
    let diagnostics = repaired.result.diagnostics.iter();
    let of_diagnostics = diagnostics
        .filter(|found| is_for(&found.repair_refs))
        .map(|it| it.span);
    let obligations = repaired.result.obligations.iter();
    let of_obligations = obligations
        .filter(|found| is_for(&found.repair_refs))
        .map(|it| it.span);
    let span = of_diagnostics.chain(of_obligations).next()?;
    let at = lines.position(text, span.start());
    Some(format!("{}:{}", at.line, at.column))
}

fn describe(candidate: &Candidate, place: Option<String>) -> String {
    let safety = word::<Safety>(candidate.safety.into()).unwrap_or_default();
    let place = place.map_or(String::new(), |it| format!(" at {it}"));
    format!("{} {}{place} ({safety})", candidate.id, candidate.title)
}
