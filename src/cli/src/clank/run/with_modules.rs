//! Compiles the modules that a program runs with from their sources.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::emit::{EmitError, Emitted, Module, Target, emit_module};
use fixpoint_clank::json::InputError;
use fixpoint_clank::modules::SourceFile;
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};

use super::CodePlace;
use crate::args::Arguments;
use crate::clank::given_modules::GivenModules;
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};
use crate::render::snippet::Source;

/// A module with its code.
pub(super) struct Unit {
    file: SourceFile,
    emitted: Emitted,
}

type Made = Result<(CompileResult, Result<Emitted, EmitError>), Vec<InputError>>;

/// Compiles the given modules; `None` if one has errors, which are reported.
pub(super) fn compiled(
    arguments: &Arguments,
    given: GivenModules,
    output: &mut Output,
) -> Result<Option<Vec<Unit>>, Failure> {
    if let Some(file) = given.interface {
        return Err(Failure::Usage(format!(
            "{file} contains only the interface of a module and cannot be run; pass its source with \
             --module NAME=FILE.clank"
        )));
    }
    let sources = Arc::new(given.sources);
    let options = Options {
        modules: Some(given.modules),
        ..Options::default()
    };
    let work = {
        let sources = Arc::clone(&sources);
        move || -> Vec<Made> { sources.iter().map(|it| made(it, &options)).collect() }
    };
    let limit = arguments.time_limit;
    let TimedResult::Done(made) = with_large_stack(Duration::from_secs(limit), work) else {
        return Err(Failure::Run(format!(
            "the modules were not compiled within {limit} seconds; raise --time-limit"
        )));
    };
    let mut units = Vec::new();
    for (file, made) in sources.iter().zip(made) {
        let (result, emitted) =
            made.map_err(|_| Failure::Run(format!("{} is not a Clank program", file.path)))?;
        let source = Source::new(&file.path, &file.text);
        for it in result.errors() {
            let message = (it.code.text(), it.message.as_str());
            output.notice(&source.message(Level::ERROR, message, it.span, &[]));
        }
        match emitted {
            Ok(emitted) if result.errors().next().is_none() => units.push(Unit {
                file: file.clone(),
                emitted,
            }),
            Ok(_) => {}
            Err(error) => output.note(Level::ERROR, &format!("{}: {error}", file.path)),
        }
    }
    Ok((units.len() == sources.len()).then_some(units))
}

fn made(file: &SourceFile, options: &Options) -> Made {
    let input = Input::Source {
        file: &file.path,
        text: &file.text,
    };
    let result = compile(input, options)?;
    let module = Module {
        code: &file.code,
        runs_main: false,
    };
    let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
    let emitted = emit_module(program, ast, typing, Target::JavaScript, module);
    Ok((result, emitted))
}

/// The code of all modules, by the names that their imports use.
pub(super) fn codes(
    main: &str,
    code: &Emitted,
    units: &[Unit],
) -> Result<BTreeMap<String, String>, Failure> {
    let mut codes = BTreeMap::from([(main.to_owned(), code.code.clone())]);
    for unit in units {
        let replaced = codes.insert(unit.file.code.clone(), unit.emitted.code.clone());
        if replaced.is_some() {
            return Err(Failure::Usage(format!(
                "two modules would be compiled to {}, one of them from {}; rename one of the files",
                unit.file.code, unit.file.path
            )));
        }
    }
    Ok(codes)
}

pub(super) fn place(unit: &Unit) -> CodePlace<'_> {
    let source = Source::new(&unit.file.path, &unit.file.text);
    (unit.file.code.clone(), &unit.emitted.map, source)
}
