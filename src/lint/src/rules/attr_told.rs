//! Attributes that are better not declared.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Shape};

use super::attr::attribute_calls;
use crate::file::File;
use crate::lint::{Found, Lint, in_bzl, told};

pub(super) const LINT: Lint = Lint {
    rules: &[APPLICABLE_LICENSES, LICENSE, LICENSES, OUTPUT_DEFAULT],
    applies: in_bzl,
    check,
};

const APPLICABLE_LICENSES: Rule = told(
    "attr-applicable_licenses",
    "Tells of an attribute called `applicable_licenses`.",
    "Bazel gives every rule an attribute of that name.",
);

const LICENSE: Rule = told(
    "attr-license",
    "Tells of `attr.license()`.",
    "It is deprecated, and nothing reads what it declares.",
);

const LICENSES: Rule = told(
    "attr-licenses",
    "Tells of an attribute called `licenses`.",
    "Bazel gives every rule an attribute of that name.",
);

const OUTPUT_DEFAULT: Rule = told(
    "attr-output-default",
    "Tells of `attr.output(default = ...)`.",
    "The parameter is gone from Bazel; make the file in a macro, or declare it in the implementation.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<Found>) {
    for call in file.calls() {
        if file.dotted(call.callee) == Some(("attr", "license")) {
            let message = "`attr.license()` is deprecated";
            found.push(Found::warning(&LICENSE, message, call.node.span()));
        }
    }
    for (name, arguments) in attribute_calls(file) {
        if let ("output", Some(default)) = (name, arguments.keyword("default")) {
            let message = "an output has no default";
            found.push(Found::warning(&OUTPUT_DEFAULT, message, default.span()));
        }
    }
    for dict in file.all(Kind::Dict) {
        let Shape::Dict(entries) = dict.shape() else {
            continue;
        };
        for entry in entries.iter() {
            let Shape::Entry { key, .. } = entry.shape() else {
                continue;
            };
            let (rule, name) = match key.string().as_deref() {
                Some(b"licenses") => (&LICENSES, "licenses"),
                Some(b"applicable_licenses") => (&APPLICABLE_LICENSES, "applicable_licenses"),
                _ => continue,
            };
            let message = format!("every rule has an attribute `{name}` already");
            found.push(Found::advice(rule, message, dict.span()));
        }
    }
}
