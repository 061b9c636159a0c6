//! Functions that are better not called.

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Shape};

use super::attr::value_of;
use crate::file::{Call, File};
use crate::lint::{Found, Lint, told};

pub(super) const LINT: Lint = Lint {
    rules: &[FILETYPE, NATIVE_PACKAGE, PRINT, PROVIDER_PARAMS],
    applies: |kind| kind != FileKind::Default,
    check,
};

const FILETYPE: Rule = told(
    "filetype",
    "Tells of calls of `FileType`.",
    "The function is gone from Bazel; a list of endings says the same.",
);

const NATIVE_PACKAGE: Rule = told(
    "native-package",
    "Tells of `native.package()` in .bzl files.",
    "It changes the defaults of a BUILD file where its reader does not see it.",
);

const PRINT: Rule = told(
    "print",
    "Tells of calls of `print`.",
    "It is for debugging: whoever sees the message can rarely do anything about it.",
);

const PROVIDER_PARAMS: Rule = told(
    "provider-params",
    "Tells of `provider()` without a description or without its fields.",
    "The fields are the provider's interface, and Bazel checks them only when they are named.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<Found>) {
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
                found.push(Found::advice(&PRINT, "`print` is for debugging", at));
            }
            Shape::Ident("FileType") if is_bzl => {
                let message = "`FileType` is gone; use a list of endings";
                found.push(Found::warning(&FILETYPE, message, at));
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
                found.push(Found::advice(&PROVIDER_PARAMS, message, at));
            }
            Shape::Dot { .. } if is_bzl && file.dotted(callee) == Some(("native", "package")) => {
                let message = "`native.package()` changes its caller's defaults";
                found.push(Found::warning(&NATIVE_PACKAGE, message, at));
            }
            _ => {}
        }
    }
}
