//! Global variables that are assigned twice.

use std::collections::BTreeMap;

use fixpoint_engine::Rule;
use fixpoint_starlark::{Op, Shape};

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "redefined-variable",
    "Reports global variables that are assigned more than once.",
    "Bazel rejects this in .bzl files. In other files the value depends on the line that reads it.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    // Maps each name to whether its value is a list. `+=` changes a list in place and does not
    // reassign the variable.
    let mut defined: BTreeMap<&str, bool> = BTreeMap::new();
    for statement in file.tree.statements().iter() {
        let Shape::Assign { op, target, value } = statement.shape() else {
            continue;
        };
        let Some(name) = target.name() else {
            continue;
        };
        let before = defined.get(name).copied();
        let adds_list = matches!(value.shape(), Shape::List(_) | Shape::Comprehension { .. });
        let is_list = match op {
            Op::Assign => adds_list,
            Op::PlusAssign => adds_list || before == Some(true),
            _ => false,
        };
        defined.insert(name, is_list);
        if before.is_some() && (op == Op::Assign || !is_list) {
            let message = format!("`{name}` has a value already");
            found.push(LintFinding::warning(&RULE, message, target.span()));
        }
    }
}
