//! The parameter `non_empty` of attributes.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{NodeRef, Shape};

use super::attr::{attribute_calls, name_of, value_of};
use crate::edit::TextEdit;
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_bzl};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: in_bzl,
    check,
};

const RULE: Rule = Rule {
    name: "attr-non-empty",
    summary: "Replaces `non_empty = v` with `allow_empty = not v`.",
    why: "Bazel has removed `non_empty`; `allow_empty` is its negation.",
    safety: Some(Safety::BehaviorPreserving),
    safety_reason: "Bazel already rejects the old parameter. There is no fix if `allow_empty` is set too.",
    example: bzl(
        "x = attr.label_list(non_empty = True)\n",
        "x = attr.label_list(allow_empty = False)\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for (_, arguments) in attribute_calls(file) {
        let Some(argument) = arguments.keyword("non_empty") else {
            continue;
        };
        let edits = match (name_of(argument), value_of(argument)) {
            (Some(name), Some(value)) if arguments.keyword("allow_empty").is_none() => {
                let mut edits = vec![TextEdit::replace(name.span(), "allow_empty")];
                edits.extend(negated(value));
                edits
            }
            _ => Vec::new(),
        };
        let message = "`non_empty` is gone; `allow_empty` took its place";
        found.push(
            LintFinding::warning(&RULE, message, argument.span()).with_fix(
                Safety::BehaviorPreserving,
                "Use `allow_empty`",
                edits,
            ),
        );
    }
}

/// Edits that negate a value. The result is always a boolean.
fn negated(value: NodeRef<'_, '_>) -> Vec<TextEdit> {
    let at = value.span();
    match value.shape() {
        Shape::Ident("True") => vec![TextEdit::replace(at, "False")],
        Shape::Ident("False") => vec![TextEdit::replace(at, "True")],
        Shape::Ident(_) | Shape::Dot { .. } | Shape::Call { .. } | Shape::Paren(_) => {
            vec![TextEdit::insert(at.start(), "not ")]
        }
        _ => vec![
            TextEdit::insert(at.start(), "not ("),
            TextEdit::insert(at.end(), ")"),
        ],
    }
}
