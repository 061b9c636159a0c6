//! Arguments that built-in functions take by position only.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{NodeRef, Nodes, Shape};
use fixpoint_text::Span;

use crate::edit::{TextEdit, has_comment};
use crate::file::{Call, File};
use crate::lint::{Found, Lint, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "keyword-positional-params",
    summary: "Passes by position what built-in functions do not take by name.",
    why: "`len(x = y)` is an error in today's Bazel.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "The call is an error as it stands. Arguments out of order are only told, and functions that the \
        file itself binds are left alone.",
    example: bzl(
        "y = getattr(x = a, name = \"b\")\n",
        "y = getattr(a, \"b\")\n",
    ),
};

/// The parameters of a built-in function that have no name for its caller.
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

/// What an argument of a built-in function passes by position, or should: the value itself.
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

fn check(file: &File<'_, '_>, found: &mut Vec<Found>) {
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
        // One fix for all of them: a name before a nameless argument is an error.
        let edits = edits(file, arguments, parameters).unwrap_or_default();
        for argument in keywords {
            let name = argument.keyword().unwrap_or_default();
            let message = format!("`{function}` takes `{name}` by position only");
            found.push(Found::warning(&RULE, message, argument.span()).with_fix(
                Safety::BehaviorPreserving,
                "Pass the arguments by position",
                edits.clone(),
            ));
        }
    }
}

/// Takes the names away, where each argument then stands at its parameter's place.
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
                // A comment between the name and the value would go with the name.
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
