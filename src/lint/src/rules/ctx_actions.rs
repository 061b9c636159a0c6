//! Actions that old versions of Bazel had on `ctx` itself.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};
use fixpoint_text::Span;

use super::attr::name_of;
use crate::edit::TextEdit;
use crate::file::{Call, File};
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "ctx-actions",
    summary: "Replaces removed functions of `ctx` with those of `ctx.actions`, such as `ctx.new_file` with \
        `ctx.actions.declare_file`.",
    why: "Bazel has removed the old functions; `ctx.actions` has a replacement for each.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "`ctx` may be something other than the context of a rule. Calls whose arguments have no direct \
        equivalent are only reported.",
    example: bzl(
        "def _impl(ctx):\n    ctx.file_action(output = out, content = text, executable = True)\n",
        "def _impl(ctx):\n    ctx.actions.write(output = out, content = text, is_executable = True)\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for &Call {
        callee, arguments, ..
    } in file.calls()
    {
        let Shape::Dot {
            object,
            name,
            name_span,
        } = callee.shape()
        else {
            continue;
        };
        if !object.is_name("ctx") {
            continue;
        }
        let Some(new) = new_name(name, arguments) else {
            continue;
        };
        let edits = edits(file, object, name, name_span, new, arguments);
        let message = format!("`ctx.{name}` is gone; `ctx.actions.{new}` took its place");
        found.push(
            LintFinding::warning(&RULE, message, callee.span()).with_fix(
                Safety::LikelyPreserving,
                format!("Use `ctx.actions.{new}`"),
                edits.unwrap_or_default(),
            ),
        );
    }
}

fn new_name(old: &str, arguments: Nodes<'_, '_>) -> Option<&'static str> {
    Some(match old {
        "new_file" => "declare_file",
        "experimental_new_directory" => "declare_directory",
        "file_action" => "write",
        "action" if arguments.keyword("command").is_some() => "run_shell",
        "action" => "run",
        "empty_action" => "do_nothing",
        "template_action" => "expand_template",
        _ => return None,
    })
}

fn edits<'t, 'a>(
    file: &File<'t, 'a>,
    ctx: NodeRef<'t, 'a>,
    old: &str,
    name_span: Span,
    new: &str,
    arguments: Nodes<'t, 'a>,
) -> Option<Vec<TextEdit>> {
    let is_unpacked = |it: NodeRef<'_, '_>| it.kind() == Kind::Unary;
    let positional = arguments.iter().filter(|it| it.keyword().is_none()).count();
    if file.tree.source_text()[ctx.end()..name_span.start()] != *"."
        || arguments.iter().any(is_unpacked)
    {
        return None;
    }
    let mut edits = vec![TextEdit::replace(name_span, format!("actions.{new}"))];
    match old {
        "new_file" if positional == 2 && arguments.len() == 2 => {
            edits.extend(swapped(file, arguments)?);
        }
        "new_file" | "experimental_new_directory" if arguments.len() != 1 => return None,
        // It is unclear whether the call runs a command or an executable.
        "action" => {
            let has = |name| arguments.keyword(name).is_some();
            if has("command") == has("executable") || positional > 0 {
                return None;
            }
        }
        "empty_action" | "template_action" if positional > 0 => return None,
        _ => {}
    }
    if matches!(old, "file_action" | "template_action")
        && let Some(name) = arguments.keyword("executable").and_then(name_of)
    {
        edits.push(TextEdit::replace(name.span(), "is_executable"));
    }
    Some(edits)
}

/// `(sibling, name)` becomes `(name, sibling = sibling)`. There is no fix if the first argument may
/// be a root folder, directly or through a variable, because that is not a sibling.
fn swapped<'t, 'a>(file: &File<'t, 'a>, arguments: Nodes<'t, 'a>) -> Option<[TextEdit; 2]> {
    let (first, second) = (arguments.first()?, arguments.get(1)?);
    let text = file.tree.source_text();
    let both = Span::from(first.start()..second.end());
    let is_root = |it: NodeRef<'t, 'a>| {
        let text = it.text();
        text.ends_with("_dir") || text.ends_with(".root")
    };
    let may_be_root = is_root(first)
        || file
            .bindings(first)
            .iter()
            .any(|it| it.value.is_some_and(is_root));
    if may_be_root || crate::edit::has_comment(file.tree, both) {
        return None;
    }
    let (first, second) = (first.span(), second.span());
    Some([
        TextEdit::replace(first, &text[second.range()]),
        TextEdit::replace(second, format!("sibling = {}", &text[first.range()])),
    ])
}
