//! Compiles the modules that a program runs with from their sources.

use std::collections::BTreeMap;

use fixpoint_clank::ast::Program;
use fixpoint_clank::emit::{Emitted, SourceMap};
use fixpoint_clank::modules::{ModuleError, Modules};

use super::CodePlace;
use crate::args::Arguments;
use crate::clank::given_modules::GivenModules;
use crate::clank::unit::{Together, Unit, compile_units};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet::Source;

/// The code of a module.
pub(super) struct ModuleCode {
    /// The name that imports use.
    name: String,
    code: String,
    /// The source map to the text of the author.
    map: SourceMap,
}

/// Compiles the given modules; `None` if one has errors, which are reported.
pub(super) fn compiled(
    arguments: &Arguments,
    given: &GivenModules,
    output: &mut Output,
) -> Result<Option<Vec<ModuleCode>>, Failure> {
    if let Some(file) = &given.interface {
        return Err(Failure::Usage(format!(
            "{file} contains only the interface of a module and cannot be run; pass its source with \
             --module NAME=FILE.clank"
        )));
    }
    let together = Together {
        known: Modules::complete([]),
        runs_main: |_: &Unit, _: &Program| false,
        is_error: |_: &ModuleError| true,
    };
    let (_, done) = compile_units(arguments, "the modules", &given.units, together)?;
    if !given.report(&done, output) {
        return Ok(None);
    }
    let codes = given.units.iter().zip(&done).filter_map(|(unit, done)| {
        let emitted = done.emitted.as_ref().ok()?.first()?;
        Some(ModuleCode {
            name: unit.code.clone(),
            code: emitted.code.clone(),
            map: unit.author_map(emitted),
        })
    });
    Ok(Some(codes.collect()))
}

/// The code of all modules, by the names that their imports use.
pub(super) fn codes(
    main: &str,
    code: &Emitted,
    modules: &[ModuleCode],
) -> Result<BTreeMap<String, String>, Failure> {
    let mut codes = BTreeMap::from([(main.to_owned(), code.code.clone())]);
    for module in modules {
        let replaced = codes.insert(module.name.clone(), module.code.clone());
        if replaced.is_some() {
            return Err(Failure::Usage(format!(
                "two modules would be compiled to {}, one of them from {}; rename one of the files",
                module.name,
                module.map.file()
            )));
        }
    }
    Ok(codes)
}

pub(super) fn place(module: &ModuleCode) -> CodePlace<'_> {
    let source = Source::new(module.map.file(), module.map.text());
    (module.name.clone(), &module.map, source)
}
