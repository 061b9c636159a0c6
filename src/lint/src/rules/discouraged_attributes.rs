//! Attributes that rules should not declare.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Shape};

use super::attr::attribute_calls;
use crate::file::File;
use crate::lint::{Lint, LintFinding, in_bzl, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[APPLICABLE_LICENSES, LICENSE, LICENSES, OUTPUT_DEFAULT],
    applies: in_bzl,
    check,
};

const APPLICABLE_LICENSES: Rule = report_only(
    "attr-applicable_licenses",
    "Reports attributes named `applicable_licenses`.",
    "Bazel adds an attribute of this name to every rule.",
);

const LICENSE: Rule = report_only(
    "attr-license",
    "Reports calls of `attr.license()`.",
    "The function is deprecated, and nothing reads the licenses that it declares.",
);

const LICENSES: Rule = report_only(
    "attr-licenses",
    "Reports attributes named `licenses`.",
    "Bazel adds an attribute of this name to every rule.",
);

const OUTPUT_DEFAULT: Rule = report_only(
    "attr-output-default",
    "Reports `attr.output(default = ...)`.",
    "Bazel has removed the parameter. Set the default in a macro, or declare the file in the rule's implementation.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for call in file.calls() {
        if file.dotted(call.callee) == Some(("attr", "license")) {
            let message = "`attr.license()` is deprecated";
            found.push(LintFinding::warning(&LICENSE, message, call.node.span()));
        }
    }
    for (name, arguments) in attribute_calls(file) {
        if let ("output", Some(default)) = (name, arguments.keyword("default")) {
            let message = "an output has no default";
            found.push(LintFinding::warning(
                &OUTPUT_DEFAULT,
                message,
                default.span(),
            ));
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
            found.push(LintFinding::advice(rule, message, dict.span()));
        }
    }
}
