//! Uses of dictionaries that Bazel no longer supports.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Op, Shape};

use crate::file::File;
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[CONCATENATION, NAMED_ARGUMENT],
    applies: everywhere,
    check,
};

const CONCATENATION: Rule = report_only(
    "dict-concatenation",
    "Reports dictionaries that are joined with `+`.",
    "Dictionaries do not support `+` in current Bazel. Use `a | b`.",
);

const NAMED_ARGUMENT: Rule = report_only(
    "dict-method-named-arg",
    "Reports `default = ...` in calls of `dict.get`, `dict.pop` and `dict.setdefault`.",
    "Starlark accepts this argument only by position.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let is_dict = |node| file.type_of(node) == Type::Dict;
    for kind in [Kind::Binary, Kind::Assign] {
        for node in file.all(kind) {
            let adds = match node.shape() {
                Shape::Binary {
                    op: Op::Plus,
                    left,
                    right,
                } => is_dict(left) || is_dict(right),
                Shape::Assign {
                    op: Op::PlusAssign,
                    target,
                    value,
                } => is_dict(target) || is_dict(value),
                _ => false,
            };
            if adds {
                let message = "dictionaries have no `+`";
                found.push(LintFinding::warning(&CONCATENATION, message, node.span()));
            }
        }
    }
    for call in file.calls() {
        if let Shape::Dot {
            object,
            name: name @ ("get" | "pop" | "setdefault"),
            ..
        } = call.callee.shape()
            && let Some(default) = call.arguments.keyword("default")
            && is_dict(object)
        {
            let message = format!("`{name}` takes its default by position");
            found.push(LintFinding::warning(
                &NAMED_ARGUMENT,
                message,
                default.span(),
            ));
        }
    }
}
