//! The program of a `clank_binary` or `clank_test`: runs its modules in the JavaScript engine that is part
//! of this program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annotate_snippets::Level;
use fixpoint_clank::emit::SourceMap;
use fixpoint_text::Span;

use super::args::RunOptions;
use crate::Verdict;
use crate::bazel::analyze::read_text;
use crate::clank::run::offset;
use crate::clank::script::{self, Thrown};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet::Source;

pub(crate) fn run(options: &RunOptions, output: &mut Output) -> Result<Verdict, Failure> {
    let base = runfiles(&options.module);
    let modules = options.module.iter().map(|name| {
        let code = read_text(&base.join(name))?;
        Ok((name.clone(), code))
    });
    let modules: BTreeMap<String, String> = modules.collect::<Result<_, Failure>>()?;
    let ended = script::run_modules(&modules, &options.main, None, output)?;
    output.flush()?;
    match ended {
        Ok(()) => Ok(Verdict::Done),
        Err(thrown) => {
            report_panic(&thrown, &base, output);
            Ok(Verdict::Findings)
        }
    }
}

/// The folder that the paths are relative to: the current one under Bazel, otherwise the runfiles next to
/// the program.
fn runfiles(modules: &[String]) -> PathBuf {
    let here = PathBuf::from(".");
    if modules.first().is_none_or(|it| here.join(it).exists()) {
        return here;
    }
    let mut program = std::env::args_os().next().unwrap_or_default();
    program.push(".runfiles/_main");
    PathBuf::from(program)
}

/// Reports how the program ended, and where in its source.
fn report_panic(thrown: &Thrown, base: &Path, output: &mut Output) {
    let message = thrown.description();
    let place = thrown.frames.iter().find_map(|(module, place)| {
        let map = read_text(&base.join(format!("{module}.map"))).ok()?;
        let map = SourceMap::from_json(&map)?;
        let (line, column) = map.source_of_call(place.0, place.1)?;
        Some((map, line, column))
    });
    match &place {
        Some((map, line, column)) => {
            let span = Span::at(offset(map.text(), *line, *column));
            let source = Source::new(map.file(), map.text());
            output.notice(&source.message(Level::ERROR, ("panic", &message), span, &[]));
        }
        None => output.note(Level::ERROR, &message),
    }
}
