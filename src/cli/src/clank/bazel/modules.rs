//! The Clank modules of a target, from the inputs of its actions.

use std::path::Path;
use std::time::Duration;

use fixpoint_clank::modules::{
    Interface, Modules, SourceFile, interfaces, read_interfaces, write_interfaces,
};
use fixpoint_workspace::{MAX_FILE_SIZE, read_file};

use super::args::{ModuleOptions, TargetOptions};
use crate::args::Arguments;
use crate::bazel::analyze::{OutputFile, read_text};
use crate::clank::ModuleSource;
use crate::failure::Failure;
use crate::file_analyzer::FileAnalyzer;
use crate::isolate::timed_out;
use crate::pool::{TimedResult, with_large_stack};

/// Lets the analyzer see the modules that the sources of a Clank target may use. Also returns the
/// output for the interfaces of the target's own modules.
pub(crate) fn with_target_modules(
    arguments: &Arguments,
    options: &TargetOptions,
    base: &Path,
    analyzer: FileAnalyzer,
) -> Result<(FileAnalyzer, Option<OutputFile>), Failure> {
    let Some(output) = &options.interface_output else {
        return Ok((analyzer, None));
    };
    let (modules, own) = modules_of(arguments, options, base)?;
    let analyzer = FileAnalyzer {
        inputs: analyzer.inputs.with_modules(ModuleSource::given(modules)),
        ..analyzer
    };
    let interface = write_interfaces(&own).into_bytes();
    Ok((analyzer, Some((output.clone(), interface))))
}

/// The modules that the sources of a Clank target may use, and the interfaces of its own modules. Errors
/// between modules are reported by the compiler; here the modules are then not known.
fn modules_of(
    arguments: &Arguments,
    options: &TargetOptions,
    base: &Path,
) -> Result<(Modules, Vec<Interface>), Failure> {
    let Ok(known) = known_modules(&options.modules, base) else {
        return Ok((Modules::default().or_more(), Vec::new()));
    };
    let files = source_files(&options.modules, base);
    let files: Vec<SourceFile> = files.into_iter().flatten().collect();
    let limit = Duration::from_secs(arguments.time_limit);
    let work = move || interfaces(&files, known.clone());
    match with_large_stack(limit, work) {
        TimedResult::Done((modules, own, errors)) if errors.is_empty() => Ok((modules, own)),
        TimedResult::Done((modules, own, _)) => Ok((modules.or_more(), own)),
        TimedResult::TimedOut => Err(Failure::Run(timed_out(limit))),
    }
}

/// The modules of the targets that this one depends on.
pub(crate) fn known_modules(options: &ModuleOptions, base: &Path) -> Result<Modules, Failure> {
    let mut known: Vec<Interface> = Vec::new();
    for file in &options.interface {
        let text = read_text(&base.join(file))?;
        let named = |error| Failure::Run(format!("{}: {error}", file.display()));
        for module in read_interfaces(&text).map_err(named)? {
            let twin = known.iter().find(|other| other.module == module.module);
            if let Some(twin) = twin.filter(|other| other.code != module.code) {
                return Err(Failure::Usage(format!(
                    "two of the deps have a module `{}`, with the code {} and {}; rename one with `mod NAME`",
                    module.module, twin.code, module.code
                )));
            }
            known.push(module);
        }
    }
    Ok(Modules::complete(known.into_iter().map(Into::into)))
}

/// The target's own files. A file that is not text is an error only when it is compiled.
pub(crate) fn source_files(
    options: &ModuleOptions,
    base: &Path,
) -> Vec<Result<SourceFile, Failure>> {
    let files = options.module.iter().map(|module| {
        let path = &module.path;
        let bytes = read_file(&base.join(&module.source), MAX_FILE_SIZE).map_err(Failure::Input)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::Usage(format!("{path} is not UTF-8; save it as UTF-8")))?;
        Ok(SourceFile {
            path: path.clone(),
            text,
            code: module.code.clone(),
        })
    });
    files.collect()
}
