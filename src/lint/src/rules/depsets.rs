//! Outdated and slow ways to create depsets.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, NodeRef, Op, Shape};

use super::attr::value_of;
use crate::file::{Call, File};
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[ITEMS, UNION, OVERLY_NESTED],
    applies: everywhere,
    check,
};

const ITEMS: Rule = report_only(
    "depset-items",
    "Reports `depset(items = ...)`, and a depset as the first argument of `depset()`.",
    "Bazel has removed the parameter. Pass elements in `direct` and depsets in `transitive`.",
);

const UNION: Rule = report_only(
    "depset-union",
    "Reports depsets that are joined with `+`, `|` or `.union()`.",
    "These are errors in current Bazel. Use `depset(transitive = [a, b])`.",
);

const OVERLY_NESTED: Rule = report_only(
    "overly-nested-depset",
    "Reports loops that wrap a depset in another depset on every iteration.",
    "Every iteration adds a level of nesting, and flattening the depset visits all levels. Collect the parts in a \
     list, and create one depset from the list.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for &Call {
        node,
        callee,
        arguments,
        name,
    } in file.calls()
    {
        if name == Some("depset") && file.is_builtin(callee) {
            if let Some(items) = arguments.keyword("items") {
                let message = "`items` is gone; use `direct` and `transitive`";
                found.push(LintFinding::warning(&ITEMS, message, items.span()));
            }
            if let Some(first) = arguments.first()
                && file.type_of(first) == Type::Depset
            {
                let message = "a depset in a depset goes into `transitive`";
                found.push(LintFinding::warning(&ITEMS, message, first.span()));
            }
        }
        if let Shape::Dot {
            object,
            name: "union",
            ..
        } = callee.shape()
            && file.type_of(object) == Type::Depset
        {
            found.push(LintFinding::warning(&UNION, JOIN, node.span()));
        }
    }
    for node in file.all(Kind::Binary) {
        if let Shape::Binary {
            op: Op::Plus | Op::Pipe,
            left,
            right,
        } = node.shape()
            && [left, right]
                .iter()
                .any(|it| file.type_of(*it) == Type::Depset)
        {
            found.push(LintFinding::warning(&UNION, JOIN, node.span()));
        }
    }
    for node in file.all(Kind::Assign) {
        if let Some(name) = wrapped(file, node)
            && file.ancestors(node).any(|it| it.kind() == Kind::For)
        {
            let message = format!("`{name}` is wrapped into a new depset each time round");
            found.push(LintFinding::advice(&OVERLY_NESTED, message, node.span()));
        }
    }
}

const JOIN: &str = "depsets are joined with `depset(transitive = [...])`";

/// The `x` of `x = depset(..., transitive = [..., x, ...])`.
fn wrapped<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> Option<&'a str> {
    let Shape::Assign {
        op: Op::Assign,
        target,
        value,
    } = node.shape()
    else {
        return None;
    };
    let name = target.name()?;
    let Shape::Call { callee, arguments } = value.shape() else {
        return None;
    };
    if !file.is_builtin_named(callee, "depset") {
        return None;
    }
    let Shape::List(parts) = arguments.keyword("transitive").and_then(value_of)?.shape() else {
        return None;
    };
    parts.iter().any(|it| it.is_name(name)).then_some(name)
}
