//! Macros without a parameter `name`.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_engine::Rule;
use fixpoint_starlark::{Function, Kind, NodeRef, Op, Shape};
use fixpoint_text::Span;

use crate::file::{Call, File};
use crate::lint::{Lint, LintFinding, in_bzl, report_only};
use crate::names::{BindingKind, FILE};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = report_only(
    "unnamed-macro",
    "Reports public functions that create targets and have no parameter `name`.",
    "Readers and tools find the targets of a BUILD file by their `name`. If only this file uses the function, its \
     name may start with `_` instead.",
);

/// Functions of `native` that create no target.
const HELPERS: &[&str] = &[
    "existing_rule",
    "existing_rules",
    "exports_files",
    "glob",
    "module_name",
    "module_version",
    "package_default_visibility",
    "package_name",
    "package_relative_label",
    "repo_name",
    "repository_name",
    "subpackages",
];

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let functions = file
        .tree
        .statements()
        .iter()
        .filter_map(|it| match it.shape() {
            Shape::Def(def) => Some((def.name, (it, def))),
            _ => None,
        });
    let functions: BTreeMap<&str, (NodeRef<'_, '_>, Function<'_, '_>)> = functions.collect();
    if functions.is_empty() {
        return;
    }
    let macros = macros(file);
    for name in macros {
        let Some((node, def)) = functions.get(name) else {
            continue;
        };
        if !name.starts_with('_') && !takes_name(def) {
            let message = format!("the macro `{name}` has no parameter `name`");
            let at = Span::from(node.start()..def.name_span.end());
            found.push(LintFinding::advice(&RULE, message, at));
        }
    }
}

/// The functions of the file that call a rule or another macro.
fn macros<'a>(file: &File<'_, 'a>) -> BTreeSet<&'a str> {
    let mut macros = BTreeSet::new();
    let mut callers: BTreeMap<&'a str, Vec<&'a str>> = BTreeMap::new();
    for &Call { node, callee, .. } in file.calls() {
        let outermost = file
            .ancestors(node)
            .filter(|it| it.kind() == Kind::Def)
            .last();
        let Some(Shape::Def(def)) = outermost.map(|it| it.shape()) else {
            continue;
        };
        let makes = match callee.shape() {
            Shape::Dot { object, name, .. } => {
                file.is_builtin_named(object, "native") && !HELPERS.contains(&name)
            }
            Shape::Ident(name)
                if file
                    .names()
                    .meaning(callee)
                    .is_some_and(|it| it.scope == FILE) =>
            {
                callers.entry(name).or_default().push(def.name);
                is_rule(file, callee)
            }
            _ => false,
        };
        if makes {
            macros.insert(def.name);
        }
    }
    let mut open: Vec<&str> = macros.iter().copied().collect();
    while let Some(name) = open.pop() {
        for caller in callers.remove(name).into_iter().flatten() {
            if macros.insert(caller) {
                open.push(caller);
            }
        }
    }
    macros
}

/// Whether the file binds a name to `rule(...)`.
fn is_rule<'t, 'a>(file: &File<'t, 'a>, name: NodeRef<'t, 'a>) -> bool {
    file.bindings(name).iter().any(|it| {
        it.kind == BindingKind::Assigned
            && it.value.is_some_and(|value| match value.shape() {
                Shape::Call { callee, .. } => file.is_builtin_named(callee, "rule"),
                _ => false,
            })
    })
}

fn takes_name(def: &Function<'_, '_>) -> bool {
    def.parameters.iter().any(|it| {
        let name = match it.shape() {
            Shape::Unary {
                op: Op::StarStar, ..
            } => return true,
            Shape::Assign { target, .. } => target,
            _ => it,
        };
        match name.shape() {
            Shape::Ident(text) | Shape::Typed { name: text, .. } => text == "name",
            _ => false,
        }
    })
}
