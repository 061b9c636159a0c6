//! Loaded functions whose docstring says that they are deprecated.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Shape};

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "deprecated-function",
    "Reports loads of functions whose docstring has a `Deprecated:` section.",
    "The section names the replacement. The next version may remove the function.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let Some(deprecated) = file.deprecated.filter(|it| !it.is_empty()) else {
        return;
    };
    let statements = file.tree.statements();
    for node in statements.iter().filter(|it| it.kind() == Kind::Load) {
        let Shape::Load(load) = node.shape() else {
            continue;
        };
        let module = load.module.string().unwrap_or_default();
        let label = String::from_utf8_lossy(&module);
        let Some(functions) = deprecated.get(&*label) else {
            continue;
        };
        for symbol in load.symbols() {
            let name = symbol.remote.string().unwrap_or_default();
            let name = String::from_utf8_lossy(&name);
            if functions.contains(&*name) {
                let message = format!("the function `{name}` of `{label}` is deprecated");
                found.push(LintFinding::warning(&RULE, message, symbol.remote.span()));
            }
        }
    }
}
