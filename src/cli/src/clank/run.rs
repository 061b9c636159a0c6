//! `fixpoint run`: compiles and runs a Clank program.

mod with_modules;

use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::ast::Program;
use fixpoint_clank::emit::{SourceMap, Target};
use fixpoint_text::Span;

use super::args::RunOptions;
use super::given_modules::read_any_modules;
use super::mode::accepts_compiled;
use super::program::{AsModule, Main, code_name, compiled, from_canonical, main_of};
use super::script::{self, Place};
use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet::Source;

pub(crate) fn run(
    arguments: &Arguments,
    options: &RunOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let limit = options.run_limit.map(Duration::from_secs);
    let others = read_any_modules(arguments, &options.module_options)?;
    let as_module = others.as_ref().map(|it| AsModule {
        modules: Arc::clone(&it.modules),
        main: Main::Run,
    });
    let targets: &'static [Target] = &[Target::JavaScript];
    let program = &options.program;
    let Ok(compiled) = compiled(arguments, program, (targets, false), as_module, output)? else {
        return Ok(Verdict::Findings);
    };
    let source = (program.file.as_path(), targets);
    let compiled = from_canonical(arguments, compiled, source, output)?;
    // An error in a module may cause errors in the program, so it is reported first.
    let modules = match &others {
        Some(others) => with_modules::compiled(arguments, others, output)?,
        None => Some(Vec::new()),
    };
    compiled.report_diagnostics(output);
    let code = compiled.code.first().filter(|_| compiled.has_code());
    let (Some(code), Some(modules)) = (code, modules) else {
        return Ok(Verdict::Findings);
    };
    let (file, is_strict) = (&program.file, options.mode.strict);
    let is_accepted = accepts_compiled(arguments, &compiled, file, is_strict, output)?;
    let mut others = others.iter();
    if !others.all(|it| it.are_accepted(is_strict, output)) || !is_accepted {
        return Ok(Verdict::Findings);
    }
    has_main(&compiled.result.canonical, compiled.file.path())?;
    let main = code_name(compiled.file.path());
    let ended = if modules.is_empty() {
        script::run(&code.code, limit, output)?
    } else {
        let codes = with_modules::codes(&main, code, &modules)?;
        script::run_modules(&codes, &main, limit, output)?
    };
    output.flush()?;
    let Err(thrown) = ended else {
        return Ok(Verdict::Done);
    };
    let own = compiled.source();
    let own = own.map(|source| (main.clone(), &code.map, source));
    let places: Vec<_> = own
        .into_iter()
        .chain(modules.iter().map(with_modules::place))
        .collect();
    // Places in a script have no file name; places in modules have one.
    let own = thrown.places.iter().map(|place| (main.as_str(), *place));
    let frames = thrown.frames.iter();
    let frames = own.chain(frames.map(|(module, place)| (module.as_str(), *place)));
    report_panic(&thrown.description(), frames, &places, output);
    Ok(Verdict::Findings)
}

/// Fails if a program cannot be run.
pub(crate) fn has_main(program: &Program, path: &str) -> Result<(), Failure> {
    match main_of(program) {
        Some(main) if main.signature.params.is_empty() => Ok(()),
        Some(_) => Err(Failure::Usage(format!(
            "cannot run {path}: its function `main` takes parameters; write a `main` without parameters \
             that calls it"
        ))),
        None => Err(Failure::Usage(format!(
            "{path} has no function `main` to run; add `fn main() -> IO + Unit {{ ... }}`, or \
             compile it with `fixpoint compile`"
        ))),
    }
}

/// The name of a code file, its source map, and its source.
pub(crate) type CodePlace<'a> = (String, &'a SourceMap, Source<'a>);

/// Reports how the program ended and where: at the innermost frame that maps to source.
fn report_panic<'c>(
    message: &str,
    mut frames: impl Iterator<Item = (&'c str, Place)>,
    places: &[CodePlace<'_>],
    output: &mut Output,
) {
    let place = frames.find_map(|(code, (line, column))| {
        let (_, map, source) = places.iter().find(|it| it.0 == code)?;
        Some((source, map.source_of_call(line, column)?))
    });
    match place {
        Some((source, (line, column))) => {
            let span = Span::at(offset(source.text(), line, column));
            output.notice(&source.message(Level::ERROR, ("panic", message), span, &[]));
        }
        None => output.note(Level::ERROR, message),
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
