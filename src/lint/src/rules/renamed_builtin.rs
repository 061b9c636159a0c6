//! The variables `PACKAGE_NAME` and `REPOSITORY_NAME`.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;

use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[PACKAGE_NAME, REPOSITORY_NAME],
    applies: in_bzl,
    check,
};

const PACKAGE_NAME: Rule = Rule {
    name: "package-name",
    summary: "Replaces `PACKAGE_NAME` with `native.package_name()`.",
    why: "Bazel has removed the variable.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "Only a name that the file does not bind is changed, and such a name is already an error. There \
        is no fix if the file binds `native`.",
    example: bzl(
        "def f():\n    fail(PACKAGE_NAME)\n",
        "def f():\n    fail(native.package_name())\n",
    ),
};

const REPOSITORY_NAME: Rule = Rule {
    name: "repository-name",
    summary: "Replaces `REPOSITORY_NAME` with `native.repository_name()`.",
    example: bzl(
        "def f():\n    fail(REPOSITORY_NAME)\n",
        "def f():\n    fail(native.repository_name())\n",
    ),
    ..PACKAGE_NAME
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for name in file.names().uses() {
        let (rule, new) = match name.text() {
            "PACKAGE_NAME" => (&PACKAGE_NAME, "native.package_name()"),
            "REPOSITORY_NAME" => (&REPOSITORY_NAME, "native.repository_name()"),
            _ => continue,
        };
        if !file.is_builtin(*name) {
            continue;
        }
        // The new name must refer to Bazel's built-in, too.
        let is_free = file.is_free(*name, "native");
        let edit = TextEdit::replace(name.span(), new);
        let message = format!("`{}` is gone; `{new}` took its place", name.text());
        found.push(LintFinding::warning(rule, message, name.span()).with_fix(
            Safety::BehaviorPreserving,
            "Use the function",
            is_free.then_some(edit).into_iter().collect(),
        ));
    }
}
