//! Named arguments of built-in functions that accept them only by position.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{NodeRef, Nodes, Shape};
use fixpoint_text::Span;

use crate::edit::{TextEdit, has_comment};
use crate::file::{Call, File};
use crate::lint::{Lint, LintFinding, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "keyword-positional-params",
    summary: "Passes arguments by position if a built-in function does not accept them by name.",
    why: "`len(x = y)` is an error in current Bazel.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "The call is already an error. Arguments out of order are only reported, and calls of functions \
        that the file itself binds are not changed.",
    example: bzl(
        "y = getattr(x = a, name = \"b\")\n",
        "y = getattr(a, \"b\")\n",
    ),
};

/// The parameters of a built-in function that can only be passed by position.
pub(super) fn positional_parameters(function: &str) -> &'static [&'static str] {
    match function {
        "all" | "any" => &["elements"],
        "tuple" | "list" | "len" | "str" | "repr" | "bool" | "int" | "dir" | "type" | "select" => {
            &["x"]
        }
        "hasattr" => &["x", "name"],
        "getattr" => &["x", "name", "default"],
        _ => &[],
    }
}

/// The value of an argument of a built-in function that is passed by position, or should be.
pub(super) fn passed_by_position<'t, 'a>(
    function: &str,
    argument: NodeRef<'t, 'a>,
) -> Option<NodeRef<'t, 'a>> {
    match argument.shape() {
        Shape::Assign { target, value, .. } => positional_parameters(function)
            .contains(&target.text())
            .then_some(value),
        _ => Some(argument),
    }
}

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for &Call {
        callee,
        arguments,
        name,
        ..
    } in file.calls()
    {
        let Some(function) = name else {
            continue;
        };
        let parameters = positional_parameters(function);
        if parameters.is_empty() {
            continue;
        }
        let named = |name: &str| parameters.contains(&name);
        let mut keywords = arguments
            .iter()
            .filter(|it| it.keyword().is_some_and(named))
            .peekable();
        if keywords.peek().is_none() || !file.is_builtin(callee) {
            continue;
        }
        // All arguments have the same fix, because a named argument must not come before a
        // positional one.
        let edits = edits(file, arguments, parameters).unwrap_or_default();
        for argument in keywords {
            let name = argument.keyword().unwrap_or_default();
            let message = format!("`{function}` takes `{name}` by position only");
            found.push(
                LintFinding::warning(&RULE, message, argument.span()).with_fix(
                    Safety::BehaviorPreserving,
                    "Pass the arguments by position",
                    edits.clone(),
                ),
            );
        }
    }
}

/// Removes the names of the arguments. `None` if an argument would then belong to another
/// parameter.
fn edits(
    file: &File<'_, '_>,
    arguments: Nodes<'_, '_>,
    parameters: &[&str],
) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        match argument.shape() {
            Shape::Assign { target, value, .. } if parameters.contains(&target.text()) => {
                let prefix = Span::from(argument.start()..value.start());
                // A comment between the name and the value would be removed with the name.
                if parameters.get(at) != Some(&target.text()) || has_comment(file.tree, prefix) {
                    return None;
                }
                edits.push(TextEdit::delete(prefix));
            }
            Shape::Assign { .. } => {}
            Shape::Unary { .. } => return None,
            _ if at >= parameters.len() => return None,
            _ => {}
        }
    }
    Some(edits)
}
