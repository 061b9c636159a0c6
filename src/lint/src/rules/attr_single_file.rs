//! The parameter `single_file` of attributes.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::NodeRef;

use super::attr::{attribute_calls, name_of, value_of};
use crate::edit::{TextEdit, remove_argument};
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "attr-single-file",
    summary: "Replaces `single_file` with `allow_single_file`, which takes over the value of `allow_files` if it is \
        set.",
    why: "Bazel has removed `single_file`.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "Bazel already rejects the old parameter. Values other than `True` and `False` are only reported.",
    example: bzl(
        "x = attr.label(single_file = True, allow_files = [\".cc\"])\n",
        "x = attr.label(allow_single_file = [\".cc\"])\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for (_, arguments) in attribute_calls(file) {
        let Some(single) = arguments.keyword("single_file") else {
            continue;
        };
        let is_free = arguments.keyword("allow_single_file").is_none();
        let edits = is_free.then(|| edits(file, single, arguments.keyword("allow_files")));
        let message = "`single_file` is gone; `allow_single_file` took its place";
        found.push(
            LintFinding::warning(&RULE, message, single.span()).with_fix(
                Safety::BehaviorPreserving,
                "Use `allow_single_file`",
                edits.flatten().unwrap_or_default(),
            ),
        );
    }
}

fn edits<'t, 'a>(
    file: &File<'t, 'a>,
    single: NodeRef<'t, 'a>,
    files: Option<NodeRef<'t, 'a>>,
) -> Option<Vec<TextEdit>> {
    let rename = |argument| {
        let name: NodeRef<'t, 'a> = name_of(argument)?;
        Some(TextEdit::replace(name.span(), "allow_single_file"))
    };
    match (files, value_of(single)?.text()) {
        (_, "False") => Some(remove_argument(file, single)),
        (None, "True") => Some(vec![rename(single)?]),
        (Some(files), "True") => {
            let mut edits = remove_argument(file, single);
            edits.push(rename(files)?);
            Some(edits)
        }
        _ => None,
    }
}
