//! The Clank modules of a target, from the inputs of its actions.

use std::path::Path;

use fixpoint_clank::modules::{Interface, Modules, SourceFile, read_interfaces};
use fixpoint_workspace::{MAX_FILE_SIZE, read_file};

use crate::bazel::analyze::read_text;
use crate::bazel::args::ModuleOptions;
use crate::failure::Failure;

/// The modules of the targets that this one depends on.
pub(crate) fn known_modules(options: &ModuleOptions, base: &Path) -> Result<Modules, Failure> {
    let mut known: Vec<Interface> = Vec::new();
    for file in &options.interface {
        let text = read_text(&base.join(file))?;
        let named = |error| Failure::Run(format!("{}: {error}", file.display()));
        for module in read_interfaces(&text).map_err(named)? {
            let twin = known.iter().find(|it| it.module == module.module);
            if let Some(twin) = twin.filter(|it| it.code != module.code) {
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
        let bytes =
            read_file(&base.join(&module.source), MAX_FILE_SIZE).map_err(Failure::unread)?;
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
