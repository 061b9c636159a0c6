//! Calls in BUILD files with positional arguments.

use std::collections::BTreeSet;

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Kind, NodeRef, Op, Shape};

use super::attr::value_of;
use super::keyword_positional::positional_parameters;
use crate::file::File;
use crate::lint::{Lint, LintFinding, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[ARGS_KWARGS, DUPLICATED_NAME, POSITIONAL_ARGS],
    applies: |kind| matches!(kind, FileKind::Build | FileKind::Workspace),
    check,
};

const ARGS_KWARGS: Rule = report_only(
    "build-args-kwargs",
    "Reports `*args` and `**kwargs` in BUILD files.",
    "They hide the attributes of a target from readers and from tools that edit BUILD files.",
);

const DUPLICATED_NAME: Rule = report_only(
    "duplicated-name",
    "Reports targets with the same name.",
    "Bazel rejects two rules with the same name. Two macros may share a name, but readers who search for it may find \
     the wrong one.",
);

const POSITIONAL_ARGS: Rule = report_only(
    "positional-args",
    "Reports calls in BUILD files that pass arguments by position.",
    "A name shows what an argument means, and the call stays correct if a parameter is added.",
);

/// Functions whose main argument is positional.
const BY_POSITION: &[&str] = &[
    "exports_files",
    "licenses",
    "print",
    "register_toolchains",
    "vardef",
];

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut names = BTreeSet::new();
    for call in file.calls() {
        let arguments = call.arguments;
        if !is_in_call(file, call.node)
            && let Some(name) = arguments.keyword("name").and_then(value_of)
            && let Some(value) = name.string()
            && !names.insert(value.clone().into_owned())
        {
            let message = format!("`{}` names a target above", String::from_utf8_lossy(&value));
            found.push(LintFinding::warning(&DUPLICATED_NAME, message, name.span()));
        }
        if file.kind != FileKind::Build {
            continue;
        }
        let unpacked = arguments.iter().filter(|it| it.kind() == Kind::Unary);
        for argument in unpacked {
            let what = match argument.op() {
                Op::Star => "`*args` in a BUILD file",
                Op::StarStar => "`**kwargs` in a BUILD file",
                _ => continue,
            };
            found.push(LintFinding::advice(&ARGS_KWARGS, what, argument.span()));
        }
    }
    if file.kind == FileKind::Build {
        let statements = file.tree.statements();
        found.extend(statements.iter().filter_map(positional));
    }
}

fn is_in_call<'t, 'a>(file: &File<'t, 'a>, node: NodeRef<'t, 'a>) -> bool {
    file.ancestors(node).any(|it| it.kind() == Kind::Call)
}

/// Reports the first positional argument of a call that is a statement.
fn positional(statement: NodeRef<'_, '_>) -> Option<LintFinding> {
    let call = match statement.shape() {
        Shape::Comprehension { body, .. } => body,
        _ => statement,
    };
    let Shape::Call { callee, arguments } = call.shape() else {
        return None;
    };
    let function = match callee.shape() {
        Shape::Dot { object, name, .. } if object.is_name("native") => name,
        _ => callee.name()?,
    };
    if BY_POSITION.contains(&function) || !positional_parameters(function).is_empty() {
        return None;
    }
    let first = arguments.iter().find(|it| it.keyword().is_none())?;
    let message = format!("`{function}` is given an argument without its name");
    Some(LintFinding::advice(&POSITIONAL_ARGS, message, first.span()))
}
