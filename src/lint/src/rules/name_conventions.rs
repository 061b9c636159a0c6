//! Naming conventions for variables.

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
    "name-conventions",
    "Reports variables whose names are neither `lower_snake_case`, nor `UPPER_SNAKE_CASE`, nor a provider's \
     `CamelCaseInfo`.",
    "The spelling shows what a name is: a variable, a constant or a provider.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for binding in file.names().all().iter().flat_map(|it| &it.bindings) {
        if matches!(binding.kind, BindingKind::Assigned) && !is_conventional(binding.name) {
            let message = format!("`{}` is spelled like no variable", binding.name);
            let hint = "lower_snake_case for variables, UPPER_SNAKE_CASE for constants, CamelCaseInfo for providers";
            found.push(LintFinding::advice(&RULE, message, binding.node.span()).with_hint(hint));
        }
    }
}

fn is_conventional(name: &str) -> bool {
    let bare = name.trim_start_matches('_');
    let is_provider = bare.ends_with("Info")
        && bare.starts_with(|c: char| c.is_uppercase())
        && !bare.contains('_');
    is_provider || name.to_lowercase() == name || name.to_uppercase() == name
}
