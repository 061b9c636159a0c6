//! Loads from private folders.

use fixpoint_engine::Rule;
use fixpoint_starlark::Shape;

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "bzl-visibility",
    "Reports loads from a folder named `private` or `internal` by files outside its parent folder.",
    "Files in such a folder may change without notice. Only files in the parent folder and below are meant to load \
     them.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
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
            found.push(LintFinding::advice(&RULE, message, load.module.span()));
        }
    }
}

/// The folder whose files may load a module, if the module is in a private folder.
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

/// Whether the file is in the folder. The folder may be at any depth, because the workspace may be
/// in another one.
fn lies_in(path: &str, folder: &str) -> bool {
    format!("/{path}").contains(&format!("/{folder}/"))
}
