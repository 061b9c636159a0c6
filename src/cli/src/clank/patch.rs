//! `fixpoint patch`: applies PatchOps to a Clank program and prints the result.

use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::json::parse_json;
use fixpoint_clank::repair::{PatchOp, PatchedForm, Program, patch_program};
use fixpoint_workspace::{MAX_FILE_SIZE, read_text_file};
use serde::Deserialize;

use super::args::{InputForm, PatchOptions, PatchOutput};
use super::indented::indented;
use super::program::read;
use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};

/// OPS.json with the hash of the program that the ops are for. It may also be a bare list of ops.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BasedPatch {
    base_sha256: Option<String>,
    ops: Vec<PatchOp>,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &PatchOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let (base, ops) = read_ops(options)?;
    let (file, form) = match read(arguments, &options.program)? {
        Ok(read) => read,
        Err(invalid) => {
            invalid.report(output);
            return Ok(Verdict::Findings);
        }
    };
    let digest = file.digest().to_string();
    if let Some(base) = base.filter(|it| *it != digest) {
        return Err(Failure::Run(format!(
            "the ops are for another version of {}: their base_sha256 is {base}, and its sha256 is {digest}; compile it \
             again, and use the ids of that result",
            file.path()
        )));
    }
    let emit = options.emit.unwrap_or(match form {
        InputForm::Source => PatchOutput::Clank,
        InputForm::Ast => PatchOutput::Ast,
    });
    let given = Arc::clone(&file);
    let work = move || {
        let (file, text) = (given.path().to_owned(), given.text().to_owned());
        let program = match form {
            InputForm::Source => Program::Source { file, text },
            InputForm::Ast => Program::Ast { json: text },
        };
        let form = match emit {
            PatchOutput::Clank => PatchedForm::Text,
            PatchOutput::Ast => PatchedForm::Ast,
        };
        patch_program(&program, &ops, form)
    };
    let limit = Duration::from_secs(arguments.time_limit);
    let TimedResult::Done(patched) = with_large_stack(limit, work) else {
        return Err(Failure::Run(format!(
            "{} was not patched within {} seconds; raise --time-limit",
            file.path(),
            arguments.time_limit
        )));
    };
    match patched {
        Ok(text) if emit == PatchOutput::Ast => {
            let json = parse_json(&text).map_err(|it| Failure::Run(it.message))?;
            output.print_json(&indented(&json)?)?;
        }
        Ok(text) => output.print(&text)?,
        Err(error) => {
            let path = file.path();
            let message = format!("cannot patch {path}: {error}; nothing was applied");
            output.note(Level::ERROR, &message);
            return Ok(Verdict::Findings);
        }
    }
    output.flush()?;
    Ok(Verdict::Done)
}

fn read_ops(options: &PatchOptions) -> Result<(Option<String>, Vec<PatchOp>), Failure> {
    let path = options.ops.display();
    let text = read_text_file(&options.ops, MAX_FILE_SIZE).map_err(Failure::Input)?;
    let wrong = |error: String| {
        Failure::Usage(format!(
            "{path} is not a list of PatchOps: {error}; write `[{{\"op\": ...}}]`, or `{{\"base_sha256\": ..., \"ops\": [...]}}`"
        ))
    };
    let json = parse_json(&text).map_err(|error| wrong(error.message))?;
    if json.is_array() {
        let ops = serde_json::from_value(json).map_err(|error| wrong(error.to_string()))?;
        return Ok((None, ops));
    }
    let patch: BasedPatch =
        serde_json::from_value(json).map_err(|error| wrong(error.to_string()))?;
    Ok((patch.base_sha256, patch.ops))
}
