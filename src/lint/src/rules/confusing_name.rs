//! `l`, `I` and `O` as names.

use fixpoint_engine::Rule;

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};
use crate::names::BindingKind;

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "confusing-name",
    "Reports variables named `l`, `I` or `O`.",
    "In many fonts these names look like `1` and `0`.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for binding in file.names().all().iter().flat_map(|it| &it.bindings) {
        let counts = !matches!(
            binding.kind,
            BindingKind::Defined | BindingKind::Loaded | BindingKind::Augmented
        );
        if counts && matches!(binding.name, "l" | "I" | "O") {
            let message = format!("`{}` is easily taken for a digit", binding.name);
            found.push(LintFinding::advice(&RULE, message, binding.node.span()));
        }
    }
}
