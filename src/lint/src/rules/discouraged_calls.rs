//! Functions that should not be called.

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Shape};

use super::attr::value_of;
use crate::file::{Call, File};
use crate::lint::{Lint, LintFinding, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[FILETYPE, NATIVE_PACKAGE, PRINT, PROVIDER_PARAMS],
    applies: |kind| kind != FileKind::Default,
    check,
};

const FILETYPE: Rule = report_only(
    "filetype",
    "Reports calls of `FileType`.",
    "Bazel has removed the function. Use a list of file extensions.",
);

const NATIVE_PACKAGE: Rule = report_only(
    "native-package",
    "Reports `native.package()` in .bzl files.",
    "The call changes the defaults of a BUILD file, but readers of the BUILD file do not see it.",
);

const PRINT: Rule = report_only(
    "print",
    "Reports calls of `print`.",
    "`print` is for debugging. Users who see the message can rarely act on it.",
);

const PROVIDER_PARAMS: Rule = report_only(
    "provider-params",
    "Reports calls of `provider()` without a description or without fields.",
    "The fields are the provider's interface, and Bazel checks them only if they are declared.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let is_bzl = file.kind == FileKind::Bzl;
    for &Call {
        node,
        callee,
        arguments,
        ..
    } in file.calls()
    {
        let at = node.span();
        match callee.shape() {
            Shape::Ident("print") => {
                found.push(LintFinding::advice(&PRINT, "`print` is for debugging", at));
            }
            Shape::Ident("FileType") if is_bzl => {
                let message = "`FileType` is gone; use a list of endings";
                found.push(LintFinding::warning(&FILETYPE, message, at));
            }
            Shape::Ident("provider") if is_bzl => {
                let first = arguments.first().filter(|it| it.keyword().is_none());
                let doc = first.or_else(|| arguments.keyword("doc").and_then(value_of));
                let fields = arguments.keyword("fields");
                let message = match (doc, fields) {
                    (Some(_), Some(_)) => continue,
                    (None, Some(_)) => "the provider has no description",
                    (Some(_), None) => "the provider does not name its fields",
                    (None, None) => "the provider has no description, and does not name its fields",
                };
                found.push(LintFinding::advice(&PROVIDER_PARAMS, message, at));
            }
            Shape::Dot { .. } if is_bzl && file.dotted(callee) == Some(("native", "package")) => {
                let message = "`native.package()` changes its caller's defaults";
                found.push(LintFinding::warning(&NATIVE_PACKAGE, message, at));
            }
            _ => {}
        }
    }
}
