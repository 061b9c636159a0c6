//! Globs without a wildcard.

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Shape};

use super::attr::value_of;
use super::moved::called;
use crate::file::File;
use crate::lint::{Lint, LintFinding, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: |kind| matches!(kind, FileKind::Build | FileKind::Bzl | FileKind::Workspace),
    check,
};

const RULE: Rule = report_only(
    "constant-glob",
    "Reports patterns without a wildcard in `glob()`.",
    "Such a pattern matches one file or, silently, none. List the file outside the glob, so that Bazel reports it if \
     it is missing.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for call in file.calls() {
        // In a BUILD file, `glob` and `native.glob` are the same.
        let name = match file.kind {
            FileKind::Build => called(call),
            _ => call.name,
        };
        if name != Some("glob") {
            continue;
        }
        let arguments = call.arguments;
        let first = arguments.first().filter(|it| it.keyword().is_none());
        let patterns = first.or_else(|| arguments.keyword("include").and_then(value_of));
        let Some(Shape::List(patterns)) = patterns.map(|it| it.shape()) else {
            continue;
        };
        let constant = patterns.iter().find_map(|pattern| {
            let value = pattern.string().filter(|it| !it.contains(&b'*'))?;
            Some((pattern, value))
        });
        if let Some((pattern, value)) = constant {
            let message = format!("`{}` has no wildcard", String::from_utf8_lossy(&value));
            found.push(LintFinding::advice(&RULE, message, pattern.span()));
        }
    }
}
