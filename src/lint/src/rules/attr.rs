//! Helpers for the rules about `attr.*`.

use fixpoint_starlark::{NodeRef, Nodes, Shape};

use crate::file::File;

/// Calls such as `attr.label`: the name after the dot, and the arguments.
pub(super) fn attribute_calls<'f, 't, 'a>(
    file: &'f File<'t, 'a>,
) -> impl Iterator<Item = (&'a str, Nodes<'t, 'a>)> + use<'f, 't, 'a> {
    file.calls()
        .iter()
        .filter_map(|call| match call.callee.shape() {
            Shape::Dot { object, name, .. } if file.is_builtin_named(object, "attr") => {
                (!names_twice(call.arguments)).then_some((name, call.arguments))
            }
            _ => None,
        })
}

/// The value of a keyword argument.
pub(super) fn value_of<'t, 'a>(argument: NodeRef<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
    match argument.shape() {
        Shape::Assign { value, .. } => Some(value),
        _ => None,
    }
}

/// The name of a keyword argument.
pub(super) fn name_of<'t, 'a>(argument: NodeRef<'t, 'a>) -> Option<NodeRef<'t, 'a>> {
    match argument.shape() {
        Shape::Assign { target, .. } => Some(target),
        _ => None,
    }
}

/// Whether two arguments have the same name. Bazel rejects that, and it is unclear which one is
/// meant.
fn names_twice(arguments: Nodes<'_, '_>) -> bool {
    let mut names: Vec<&str> = arguments.iter().filter_map(NodeRef::keyword).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
