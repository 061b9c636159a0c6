//! Values of `cfg` that Bazel no longer supports.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::Kind;

use super::attr::attribute_calls;
use crate::edit::{TextEdit, remove_argument};
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "attr-cfg",
    summary: "Removes `cfg = \"data\"` from attributes, and replaces `cfg = \"host\"` with `cfg = \"exec\"`.",
    why: "`\"data\"` never differed from the default, and Bazel has removed the host configuration.",
    safety: Some(Safety::LikelyPreserving),
    safety_reason: "Bazel rejects `cfg = \"data\"`, so removing it is safe. Bazel rejects `\"host\"` since version \
        7; before that, the host and exec configurations could differ.",
    example: bzl(
        "x = attr.label(cfg = \"host\")\n",
        "x = attr.label(cfg = \"exec\")\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for (_, arguments) in attribute_calls(file) {
        let Some(argument) = arguments.keyword("cfg") else {
            continue;
        };
        let Some(value) = super::attr::value_of(argument).filter(|it| it.kind() == Kind::String)
        else {
            continue;
        };
        let at = argument.span();
        found.push(match value.string().as_deref() {
            Some(b"data") => LintFinding::warning(&RULE, "`cfg = \"data\"` means nothing", at)
                .with_fix(
                    Safety::BehaviorPreserving,
                    "Remove it",
                    remove_argument(file, argument),
                ),
            Some(b"host") => LintFinding::warning(
                &RULE,
                "the host configuration is gone; \"exec\" took its place",
                at,
            )
            .with_fix(
                Safety::LikelyPreserving,
                "Use the exec configuration",
                vec![TextEdit::replace(value.span(), "\"exec\"")],
            ),
            _ => continue,
        });
    }
}
