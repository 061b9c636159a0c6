//! Infers the type of an expression from one file. A wrong type is worse than an unknown one.

use fixpoint_starlark::{NodeRef, Op, Shape};

use crate::file::File;
use crate::names::BindingKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Unknown,
    Int,
    String,
    List,
    Dict,
    Depset,
    /// The result of `ctx.actions.args()`.
    Args,
}

/// BindingKind deep an expression is examined.
const MAX_DEPTH: u32 = 40;

pub(crate) fn type_of<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> Type {
    of_expression(file, node, MAX_DEPTH)
}

fn of_expression<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>, depth: u32) -> Type {
    let Some(depth) = depth.checked_sub(1) else {
        return Type::Unknown;
    };
    let inner = |node| of_expression(file, node, depth);
    match node.shape() {
        Shape::Number(text) => {
            let is_float =
                text.contains('.') || !text.starts_with("0x") && text.contains(['e', 'E']);
            if is_float { Type::Unknown } else { Type::Int }
        }
        Shape::String => Type::String,
        Shape::List(_) => Type::List,
        Shape::Dict(_) => Type::Dict,
        Shape::Comprehension { .. } if node.is_in_braces() => Type::Dict,
        Shape::Comprehension { .. } => Type::List,
        Shape::Paren(node) => inner(node),
        Shape::Conditional {
            then, otherwise, ..
        } => common([inner(then), inner(otherwise)]),
        Shape::Unary {
            op: Op::Minus | Op::Plus,
            operand: Some(operand),
        } => only(inner(operand), Type::Int),
        Shape::Binary { op, left, right } => of_operation(op, inner(left), || inner(right)),
        Shape::Call { callee, .. } => of_call(file, callee, &inner),
        Shape::Ident(_) => of_name(file, node, depth),
        _ => Type::Unknown,
    }
}

fn common(types: impl IntoIterator<Item = Type>) -> Type {
    let mut types = types.into_iter();
    let first = types.next().unwrap_or(Type::Unknown);
    if types.all(|other| other == first) {
        first
    } else {
        Type::Unknown
    }
}

fn only(found: Type, wanted: Type) -> Type {
    if found == wanted {
        found
    } else {
        Type::Unknown
    }
}

fn of_operation(op: Op, left: Type, right: impl Fn() -> Type) -> Type {
    match (op, left) {
        (Op::Plus, Type::Int | Type::String | Type::List) => common([left, right()]),
        (Op::Minus | Op::Star | Op::SlashSlash, Type::Int) => common([left, right()]),
        (Op::Percent, Type::String) => Type::String,
        (Op::Percent, Type::Int) => common([left, right()]),
        _ => Type::Unknown,
    }
}

fn of_call<'t, 'a>(
    file: &File<'t, 'a>,
    callee: NodeRef<'t, 'a>,
    inner: &dyn Fn(NodeRef<'t, 'a>) -> Type,
) -> Type {
    match callee.shape() {
        Shape::Ident(name) if file.is_builtin(callee) => match name {
            "depset" => Type::Depset,
            "dict" => Type::Dict,
            "list" | "sorted" => Type::List,
            "str" | "repr" | "type" => Type::String,
            "int" | "len" => Type::Int,
            _ => Type::Unknown,
        },
        Shape::Dot { object, name, .. } => match (name, inner(object)) {
            ("to_list", Type::Depset) | ("keys" | "values" | "items", Type::Dict) => Type::List,
            ("split" | "rsplit" | "splitlines" | "elems", Type::String) => Type::List,
            (
                "join" | "format" | "replace" | "strip" | "lstrip" | "rstrip" | "lower" | "upper"
                | "title" | "capitalize" | "removeprefix" | "removesuffix",
                Type::String,
            ) => Type::String,
            ("find" | "rfind" | "index" | "rindex" | "count", Type::String) => Type::Int,
            ("args", _) if is_actions(object) => Type::Args,
            _ => Type::Unknown,
        },
        _ => Type::Unknown,
    }
}

/// Whether the node is `ctx.actions`.
fn is_actions(node: NodeRef<'_, '_>) -> bool {
    match node.shape() {
        Shape::Dot { object, name, .. } => name == "actions" && object.is_name("ctx"),
        _ => false,
    }
}

/// The type that all values bound to a name have in common.
fn of_name<'t, 'a>(file: &File<'t, 'a>, name: NodeRef<'t, 'a>, depth: u32) -> Type {
    let Some(meaning) = file.names().meaning(name) else {
        return Type::Unknown;
    };
    let at = meaning.index;
    if let Some(known) = file.known_types().borrow()[at] {
        return known;
    }
    // Prevents endless recursion: a name that is bound to itself has an unknown type.
    file.known_types().borrow_mut()[at] = Some(Type::Unknown);
    let bindings = &meaning.bindings;
    let assigned = bindings
        .iter()
        .map(|binding| match (binding.kind, binding.value) {
            (BindingKind::Assigned, Some(value)) => of_expression(file, value, depth),
            (BindingKind::Augmented, Some(value)) => of_augmented(file, value, binding.node, depth),
            _ => Type::Unknown,
        });
    let mut known = common(assigned);
    // `x += y` keeps the type of `x`. If no other binding gives `x` a type, it is unknown.
    if bindings.iter().all(|it| it.kind == BindingKind::Augmented) {
        known = Type::Unknown;
    }
    file.known_types().borrow_mut()[at] = Some(known);
    known
}

/// The type of `x` after `x += value`.
fn of_augmented<'t, 'a>(
    file: &File<'t, 'a>,
    value: NodeRef<'t, 'a>,
    target: NodeRef<'t, 'a>,
    depth: u32,
) -> Type {
    let op = file.parent(target).map(NodeRef::op);
    match (op, of_expression(file, value, depth)) {
        (Some(Op::PlusAssign), found @ (Type::List | Type::String | Type::Int)) => found,
        (Some(Op::MinusAssign | Op::StarAssign | Op::SlashSlashAssign), Type::Int) => Type::Int,
        _ => Type::Unknown,
    }
}
