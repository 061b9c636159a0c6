//! Calls of `args.add` with several values.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};

use super::attr::{name_of, value_of};
use crate::edit::TextEdit;
use crate::file::{Call, File};
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "ctx-args",
    summary: "Replaces `args.add` with `args.add_all` or `args.add_joined` if it has `before_each`, `join_with` or \
        `map_fn`.",
    why: "In current Bazel, `args.add` takes a single value. The parameters for several values have moved to the \
        other two functions.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Bazel already rejects the old parameters. But `map_fn` received all values at once, and \
        `map_each` receives them one at a time.",
    example: bzl(
        "def _impl(ctx):\n    args = ctx.actions.args()\n    args.add(srcs, join_with = \",\")\n",
        "def _impl(ctx):\n    args = ctx.actions.args()\n    args.add_joined(srcs, join_with = \",\")\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for &Call {
        node,
        callee,
        arguments,
        ..
    } in file.calls()
    {
        let Shape::Dot {
            object,
            name: "add",
            name_span,
        } = callee.shape()
        else {
            continue;
        };
        let old = ["before_each", "join_with", "map_fn"];
        let is_old = old.iter().any(|name| arguments.keyword(name).is_some());
        if !is_old || file.type_of(object) != Type::Args {
            continue;
        }
        let new = match arguments.keyword("join_with") {
            Some(_) => "add_joined",
            None => "add_all",
        };
        let edits = renamed(arguments, new).map(|parameters| {
            let name = TextEdit::replace(name_span, new);
            std::iter::once(name).chain(parameters).collect()
        });
        let message = format!("`add` takes a single value; `{new}` takes several");
        found.push(LintFinding::warning(&RULE, message, node.span()).with_fix(
            Safety::LikelyPreserving,
            format!("Use `{new}`"),
            edits.unwrap_or_default(),
        ));
    }
}

/// Edits that rename the parameters. `None` if two of them would get the same name.
fn renamed(arguments: Nodes<'_, '_>, new: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for (old, new) in [("map_fn", "map_each"), ("format", "format_each")] {
        if let Some(name) = arguments.keyword(old).and_then(name_of) {
            edits.push(TextEdit::replace(name.span(), new));
        }
    }
    let before = arguments.keyword("before_each");
    if let Some(argument) = before.filter(|_| new == "add_joined") {
        if arguments.keyword("format").is_some() {
            return None;
        }
        edits.extend(prefix_as_format(argument));
    }
    Some(edits)
}

/// Edits that rewrite `before_each = x` to `format_each = x + "%s"`.
fn prefix_as_format(argument: NodeRef<'_, '_>) -> Vec<TextEdit> {
    let (Some(name), Some(value)) = (name_of(argument), value_of(argument)) else {
        return Vec::new();
    };
    let is_plain = matches!(
        value.kind(),
        Kind::Ident | Kind::String | Kind::Dot | Kind::Call | Kind::Paren | Kind::Index
    );
    let mut edits = vec![TextEdit::replace(name.span(), "format_each")];
    if !is_plain {
        edits.push(TextEdit::insert(value.start(), "("));
    }
    let end = if is_plain { " + \"%s\"" } else { ") + \"%s\"" };
    edits.push(TextEdit::insert(value.end(), end));
    edits
}
