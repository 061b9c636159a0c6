//! `fixpoint run`: a Clank program compiled and run.

use annotate_snippets::Level;
use fixpoint_clank::ast::{DeclKind, Program};
use fixpoint_clank::emit::{SourceMap, Target};
use fixpoint_text::Span;

use crate::Verdict;
use crate::args::{Arguments, RunOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::program::{Compiled, compiled};
use crate::script::{self, Thrown};

pub(crate) fn run(
    arguments: &Arguments,
    options: &RunOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let targets = &[Target::JavaScript];
    let program = &options.program;
    let Some(compiled) = compiled(arguments, program, (targets, false), None, output)? else {
        return Ok(Verdict::Findings);
    };
    compiled.tell(output);
    let Some(code) = compiled.code.first().filter(|_| compiled.has_code()) else {
        return Ok(Verdict::Findings);
    };
    has_main(&compiled.result.canonical, compiled.file.path())?;
    let ended = script::run(&code.code, output)?;
    output.flush()?;
    match ended {
        Ok(()) => Ok(Verdict::Done),
        Err(thrown) => {
            tell(&thrown, &code.map, &compiled, output);
            Ok(Verdict::Findings)
        }
    }
}

/// Whether a program can be run, or why not.
pub(crate) fn has_main(program: &Program, path: &str) -> Result<(), Failure> {
    let declarations = program.declarations.iter();
    let main = declarations.rev().find_map(|it| match &it.kind {
        DeclKind::Fn(function) if function.signature.name.text == "main" => Some(function),
        _ => None,
    });
    match main {
        Some(main) if main.signature.params.is_empty() => Ok(()),
        Some(_) => Err(Failure::Usage(format!(
            "the function `main` of {path} takes parameters, and there is nothing to give it; \
             call what needs them from a `main` without"
        ))),
        None => Err(Failure::Usage(format!(
            "{path} has no function `main` to run; add `fn main() -> IO + Unit {{ ... }}`, or \
             compile it with `fixpoint compile`"
        ))),
    }
}

/// Says what the program panicked with, and where in its text.
fn tell(thrown: &Thrown, map: &SourceMap, compiled: &Compiled, output: &mut Output) {
    let message = format!("the program panicked: {}", thrown.message);
    let mut lines = thrown.lines.iter();
    let place = lines.find_map(|line| map.source_of_line(*line));
    match (compiled.source(), place) {
        (Some(source), Some((line, column))) => {
            let at = offset(compiled.file.text(), line, column);
            let span = Span::at(at);
            output.notice(&source.told(Level::ERROR, ("panic", &message), span, &[]));
        }
        _ => output.note(Level::ERROR, &message),
    }
}

/// The byte at a line and column from 0, the column in UTF-16 code units.
pub(crate) fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let mut units = 0;
    for (at, char) in rest.char_indices() {
        if units >= column {
            return before + at;
        }
        units += char.len_utf16();
    }
    text.len()
}
