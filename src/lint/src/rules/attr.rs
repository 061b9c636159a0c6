//! What the rules on `attr.*` share.

use fixpoint_starlark::{NodeRef, Nodes, Shape};

use crate::file::File;

/// Calls of `attr.label` and its like: the name after the dot, and the arguments.
pub(super) fn attribute_calls<'f, 't, 'a>(
    file: &'f File<'t, 'a>,
) -> impl Iterator<Item = (&'a str, Nodes<'t, 'a>)> + use<'f, 't, 'a> {
    file.calls()
        .iter()
        .filter_map(|call| match call.callee.shape() {
            Shape::Dot { object, name, .. } if file.is_builtin_named(object, "attr") => {
                Some((name, call.arguments))
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
