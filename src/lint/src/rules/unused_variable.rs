//! Variables and functions that are not used.

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Kind, NodeRef, Shape};
use fixpoint_text::Span;

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};
use crate::names::{Binding, BindingKind, FILE};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "unused-variable",
    "Reports variables, parameters and functions that the file does not use.",
    "Either the definition can be removed, or other code was meant to use it. To keep it, add `@unused` in a comment \
     on it. The name of a parameter or a loop variable may also start with `_`.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let names = file.names();
    let mut used = vec![false; names.all().len()];
    for name in names.uses().iter().filter(|it| !is_augmented(file, **it)) {
        if let Some(meaning) = names.meaning(*name) {
            used[meaning.index] = true;
        }
    }
    for meaning in names.all() {
        // The rule `load` reports unused loads. A load does not hide a variable of the same name.
        let mut own = meaning
            .bindings
            .iter()
            .filter(|it| it.kind != BindingKind::Loaded);
        let Some(first) = own.next() else {
            continue;
        };
        if used[meaning.index] || is_exempt(file, first) {
            continue;
        }
        let (what, at) = match first.kind {
            BindingKind::Defined => ("function", first.node.span()),
            _ => ("variable", name_span(first)),
        };
        let message = format!("the {what} `{}` is not used", first.name);
        let warning = LintFinding::warning(&RULE, message, at);
        found.push(match is_marked_unused(file, first.node) {
            true => warning.silenced(),
            false => warning,
        });
    }
}

/// Whether the node is the target of an assignment such as `x += 1`. That does not count as a use.
fn is_augmented<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> bool {
    let holder = file.parent(node).filter(|it| it.kind() == Kind::Assign);
    match holder.map(NodeRef::shape) {
        Some(Shape::Assign { target, .. }) => target == node,
        _ => false,
    }
}

fn is_exempt<'t, 'a>(file: &File<'t, 'a>, first: &Binding<'t, 'a>) -> bool {
    let is_private = first.name.starts_with('_');
    let exported = first.scope == FILE
        && match file.kind {
            FileKind::Bzl | FileKind::Default => !is_private,
            _ => false,
        };
    let by_design = match first.kind {
        BindingKind::Comprehended | BindingKind::Loaded => true,
        // Every macro has a parameter `name`, whether it uses it or not.
        BindingKind::Parameter => is_private || first.name == "name" || is_of_lambda(file, first),
        BindingKind::Looped => is_private,
        BindingKind::Assigned | BindingKind::Augmented => {
            is_private && is_part_of_tuple(file, first.node)
        }
        BindingKind::Defined => false,
    };
    exported || by_design
}

fn is_of_lambda<'t, 'a>(file: &File<'t, 'a>, first: &Binding<'t, 'a>) -> bool {
    let function = file.names().function_of(first.scope);
    function.is_some_and(|it| it.kind() == Kind::Lambda)
}

fn is_part_of_tuple<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> bool {
    file.parent(node)
        .is_some_and(|it| matches!(it.kind(), Kind::Tuple | Kind::List))
}

/// Whether a comment on the name or on its statement asks to keep it.
fn is_marked_unused<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> bool {
    let holders = file.ancestors(node).take_while(|it| {
        matches!(
            it.kind(),
            Kind::Assign | Kind::Tuple | Kind::List | Kind::Paren
        )
    });
    let mut all = std::iter::once(node)
        .chain(holders)
        .flat_map(NodeRef::comments);
    all.any(|comment| comment.text.contains("@unused"))
}

fn name_span(binding: &Binding<'_, '_>) -> Span {
    let node = match binding.node.shape() {
        Shape::Assign { target, .. } => target,
        Shape::Unary {
            operand: Some(operand),
            ..
        } => operand,
        _ => binding.node,
    };
    Span::from(node.start()..node.start() + binding.name.len())
}
