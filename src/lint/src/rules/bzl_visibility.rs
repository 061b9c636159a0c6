//! Loads from folders that are meant to be private.

use fixpoint_engine::Rule;
use fixpoint_starlark::Shape;

use crate::file::File;
use crate::lint::{Found, Lint, everywhere, told};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = told(
    "bzl-visibility",
    "Tells of loads from a folder called `private` or `internal` by files outside of its parent.",
    "What lies there may change without notice; only files beside the folder, and below, are meant to load it.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<Found>) {
    for statement in file.tree.statements().iter() {
        let Shape::Load(load) = statement.shape() else {
            continue;
        };
        let Some(module) = load.module.string() else {
            continue;
        };
        let module = String::from_utf8_lossy(&module);
        if let Some(owner) = owner(&module)
            && !lies_in(file.path, owner)
        {
            let message = format!("`{module}` is private to `//{owner}`");
            found.push(Found::advice(&RULE, message, load.module.span()));
        }
    }
}

/// The folder whose files may load a module that lies in a private folder.
fn owner(module: &str) -> Option<&str> {
    let (_, path) = module.split_once("//")?;
    let package = path.split(':').next()?;
    let private = |at: &usize| {
        let part = package[*at..].split('/').next();
        matches!(part, Some("private" | "internal"))
    };
    let mut starts = std::iter::once(0).chain(package.match_indices('/').map(|(at, _)| at + 1));
    let at = starts.rfind(private)?;
    (at > 0).then(|| &package[..at - 1])
}

/// Whether the folder holds the file. A workspace may lie in another one, so it may hold the folder
/// at any depth.
fn lies_in(path: &str, folder: &str) -> bool {
    format!("/{path}").contains(&format!("/{folder}/"))
}
