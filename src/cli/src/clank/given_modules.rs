//! The modules that `--module` passes to a program on the command line. Those that are given as source
//! are used in their canonical text, as the program is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fixpoint_clank::modules::{Modules, interfaces, read_interfaces};
use fixpoint_language::Language;
use fixpoint_text::Snapshot;
use fixpoint_workspace::{MAX_FILE_SIZE, read_text_file};

use super::args::ModuleOptions;
use super::mode::{accepts, analyzed, fix_command};
use super::program::code_name;
use super::unit::{Done, Unit, report_errors, report_unproved};
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

/// The modules that `use` may import.
pub(crate) struct GivenModules {
    pub(crate) modules: Arc<Modules>,
    /// The modules that are given as source and therefore can be compiled.
    pub(crate) units: Arc<Vec<Unit>>,
    /// Their files, as the user named them.
    files: Vec<PathBuf>,
    /// A file that contains only the interface of a module.
    pub(crate) interface: Option<String>,
}

/// Reads the files that `--module` names: sources, and interfaces that were made from sources.
pub(crate) fn read_modules(
    arguments: &Arguments,
    options: &ModuleOptions,
) -> Result<GivenModules, Failure> {
    let (mut known, mut units, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let mut interface = None;
    for given in &options.module {
        let Some((name, file)) = given.split_once('=') else {
            return Err(Failure::Usage(format!(
                "--module={given} has no `=`; write --module NAME=FILE"
            )));
        };
        let text = read_text_file(Path::new(file), MAX_FILE_SIZE).map_err(Failure::Input)?;
        if Language::of_name(file) == Some(Language::Clank) {
            names.push((name, file));
            units.push(unit(arguments, file, text)?);
            continue;
        }
        interface.get_or_insert_with(|| file.to_owned());
        let found = read_interfaces(&text).map_err(|it| Failure::Run(format!("{file}: {it}")))?;
        let found = found.into_iter().find(|it| it.module == name);
        known.push(found.ok_or_else(|| {
            Failure::Usage(format!(
                "{file} does not contain the interface of a module `{name}`"
            ))
        })?);
    }
    let known = Modules::complete(known.into_iter().map(Into::into));
    let sources: Vec<_> = units.iter().map(Unit::source_file).collect();
    let (modules, own, errors) = interfaces(&sources, known);
    if let Some(error) = errors.first() {
        return Err(Failure::Usage(error.to_string()));
    }
    for ((name, file), own) in names.iter().zip(&own) {
        if own.module != *name {
            let module = &own.module;
            return Err(Failure::Usage(format!(
                "{file} is the module `{module}`; write --module {module}={file}"
            )));
        }
    }
    Ok(GivenModules {
        modules: Arc::new(modules),
        units: Arc::new(units),
        files: names.into_iter().map(|(_, file)| file.into()).collect(),
        interface,
    })
}

fn unit(arguments: &Arguments, file: &str, text: String) -> Result<Unit, Failure> {
    let report = analyzed(arguments, &text, Path::new(file))?;
    // Edits in a report refer to the path from the root of the workspace.
    let path = report.as_ref().map_or(file, |it| it.path()).to_owned();
    Unit::new(Snapshot::new(path, text), report, code_name(file))
}

/// The same; `None` if there is no `--module`.
pub(crate) fn read_any_modules(
    arguments: &Arguments,
    options: &ModuleOptions,
) -> Result<Option<GivenModules>, Failure> {
    if options.module.is_empty() {
        return Ok(None);
    }
    read_modules(arguments, options).map(Some)
}

impl GivenModules {
    /// Reports what is pending in the sources of the modules, and returns whether the mode accepts it.
    pub(crate) fn are_accepted(&self, is_strict: bool, output: &mut Output) -> bool {
        let mut is_accepted = true;
        for (unit, file) in self.units.iter().zip(&self.files) {
            let command = fix_command(file);
            let mode = (is_strict, command.as_str());
            is_accepted &= accepts(unit.snapshot.path(), unit.pending(), mode, output);
        }
        is_accepted
    }

    /// Reports errors and unproved obligations in the sources of the modules, which `done` are the
    /// results of. Returns whether there is no error.
    pub(crate) fn report(&self, done: &[Done], output: &mut Output) -> bool {
        let mut errors = 0;
        for ((unit, file), done) in self.units.iter().zip(&self.files).zip(done) {
            errors += report_errors(unit, done, &fix_command(file), output);
            report_unproved(unit, &done.result.obligations, output);
        }
        errors == 0
    }
}
