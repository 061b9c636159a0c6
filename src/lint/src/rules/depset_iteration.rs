//! Depsets that are used as lists.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Op, Shape};

use super::keyword_positional::passed_by_position;
use crate::edit::TextEdit;
use crate::file::File;
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "depset-iteration",
    summary: "Adds `.to_list()` where code iterates over a depset, searches it or takes its length.",
    why: "Depsets are not iterable in current Bazel. An explicit `.to_list()` shows where a depset is flattened.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Iterating over a depset is already an error. A name counts as a depset only if every value that \
        the file assigns to it is `depset(...)`.",
    example: bzl(
        "def _impl(ctx):\n    files = depset(ctx.files.srcs)\n    return [f.path for f in files]\n",
        "def _impl(ctx):\n    files = depset(ctx.files.srcs)\n    return [f.path for f in files.to_list()]\n",
    ),
};

/// Built-in functions that iterate their arguments.
const ITERATING: &[&str] = &[
    "all", "any", "depset", "len", "list", "max", "min", "sorted", "tuple", "zip",
];

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut report = |node: NodeRef<'_, '_>, has_fix: bool| {
        let edit = TextEdit::insert(node.end(), ".to_list()");
        let edits = match node.kind() {
            _ if !has_fix => Vec::new(),
            Kind::Ident | Kind::Call | Kind::Paren => vec![edit],
            _ => vec![
                TextEdit::insert(node.start(), "("),
                TextEdit::replace(edit.span, ").to_list()"),
            ],
        };
        found.push(
            LintFinding::warning(&RULE, "a depset is not iterable", node.span()).with_fix(
                Safety::LikelyPreserving,
                "Add `.to_list()`",
                edits,
            ),
        );
    };
    for kind in [Kind::For, Kind::ForClause] {
        for node in file.all(kind) {
            if let Shape::For { iterable, .. } | Shape::ForClause { iterable, .. } = node.shape()
                && file.type_of(iterable) == Type::Depset
            {
                report(iterable, true);
            }
        }
    }
    for node in file.all(Kind::Binary) {
        if let Shape::Binary {
            op: Op::In | Op::NotIn,
            right,
            ..
        } = node.shape()
            && file.type_of(right) == Type::Depset
        {
            report(right, true);
        }
    }
    for call in file.calls() {
        let Some(name) = call.name.filter(|name| ITERATING.contains(name)) else {
            continue;
        };
        if !file.is_builtin(call.callee) {
            continue;
        }
        // Named arguments of `depset` are not iterated.
        let values = call
            .arguments
            .iter()
            .filter_map(|it| passed_by_position(name, it));
        for value in values.filter(|it| file.type_of(*it) == Type::Depset) {
            // A depset in a depset is joined, not flattened.
            report(value, name != "depset");
        }
    }
}
