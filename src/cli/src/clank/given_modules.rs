//! The modules that `--module` passes to a program on the command line.

use std::path::Path;
use std::sync::Arc;

use fixpoint_clank::modules::{Modules, SourceFile, interfaces, read_interfaces};
use fixpoint_language::Language;
use fixpoint_workspace::{MAX_FILE_SIZE, read_text_file};

use super::args::ModuleOptions;
use super::program::code_name;
use crate::failure::Failure;

/// The modules that `use` may import.
pub(crate) struct GivenModules {
    pub(crate) modules: Arc<Modules>,
    /// The modules that are given as source and therefore can be compiled.
    pub(crate) sources: Vec<SourceFile>,
    /// A file that contains only the interface of a module.
    pub(crate) interface: Option<String>,
}

/// Reads the files that `--module` names: sources, and interfaces that were made from sources.
pub(crate) fn read_modules(options: &ModuleOptions) -> Result<GivenModules, Failure> {
    let (mut known, mut sources, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let mut interface = None;
    for given in &options.module {
        let Some((name, file)) = given.split_once('=') else {
            return Err(Failure::Usage(format!(
                "--module={given} has no `=`; write --module NAME=FILE"
            )));
        };
        let text = read_text_file(Path::new(file), MAX_FILE_SIZE).map_err(Failure::Input)?;
        if Language::of_name(file) == Some(Language::Clank) {
            names.push(name);
            sources.push(SourceFile {
                path: file.to_owned(),
                text,
                code: code_name(file),
            });
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
    let (modules, own, errors) = interfaces(&sources, known);
    if let Some(error) = errors.first() {
        return Err(Failure::Usage(error.to_string()));
    }
    for ((name, source), own) in names.into_iter().zip(&sources).zip(&own) {
        if own.module != name {
            let (file, module) = (&source.path, &own.module);
            return Err(Failure::Usage(format!(
                "{file} is the module `{module}`; write --module {module}={file}"
            )));
        }
    }
    Ok(GivenModules {
        modules: Arc::new(modules),
        sources,
        interface,
    })
}

/// The same; `None` if there is no `--module`.
pub(crate) fn read_any_modules(options: &ModuleOptions) -> Result<Option<GivenModules>, Failure> {
    if options.module.is_empty() {
        return Ok(None);
    }
    read_modules(options).map(Some)
}
