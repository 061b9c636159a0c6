//! Rule implementations that return a struct.

use std::collections::BTreeSet;

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Shape};

use super::attr::value_of;
use crate::file::File;
use crate::lint::{Lint, LintFinding, in_bzl, report_only};
use crate::names::FILE;

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = report_only(
    "rule-impl-return",
    "Reports rule implementations that return a struct.",
    "Structs are the legacy way to return providers, and Bazel is removing it. Return a list of providers.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut implementations = BTreeSet::new();
    for call in file.calls() {
        if call.name == Some("rule") && file.is_builtin(call.callee) {
            let named = call.arguments.keyword("implementation").and_then(value_of);
            let first = call.arguments.first().filter(|it| it.keyword().is_none());
            implementations.extend(named.or(first).and_then(|it| it.name()));
        }
    }
    if implementations.is_empty() {
        return;
    }
    for node in file.all(Kind::Return) {
        let Shape::Return(Some(value)) = node.shape() else {
            continue;
        };
        let Shape::Call { callee, .. } = value.shape() else {
            continue;
        };
        let function = file.ancestors(node).find(|it| it.kind() == Kind::Def);
        if callee.is_name("struct")
            && let Some(Shape::Def(def)) = function.map(|it| it.shape())
            && function.is_some_and(|it| file.scope(it) == FILE)
            && implementations.contains(def.name)
        {
            let message = "a rule returns a list of providers";
            found.push(LintFinding::warning(&RULE, message, node.span()));
        }
    }
}
