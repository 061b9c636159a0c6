//! Additions of a single element, such as `x += [e]`.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, Op, Shape};
use fixpoint_text::Span;

use crate::edit::{TextEdit, has_comment};
use crate::file::File;
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, bzl, everywhere};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = Rule {
    name: "list-append",
    summary: "Replaces `x += [e]` with `x.append(e)`.",
    why: "`append` states the intent, and creates no temporary list.",
    safety: Some(Safety::BehaviorChanging),
    safety_reason: "`x` may be a `select`, which has no `append`. If every value that the file assigns to `x` is a \
        list, the fix is likely preserving: Starlark extends the list in place either way.",
    example: bzl(
        "def f(n):\n    x = []\n    x += [n]\n    return x\n",
        "def f(n):\n    x = []\n    x.append(n)\n    return x\n",
    ),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for node in file.all(Kind::Assign) {
        let Shape::Assign {
            op: Op::PlusAssign,
            target,
            value,
        } = node.shape()
        else {
            continue;
        };
        let Shape::List(elements) = value.shape() else {
            continue;
        };
        let (1, Some(element)) = (elements.len(), elements.first()) else {
            continue;
        };
        let opening = Span::from(target.end()..value.start() + 1);
        let is_plain = matches!(target.kind(), Kind::Ident | Kind::Dot | Kind::Index);
        let edits = if !is_plain || has_comment(file.tree, opening) || element.is_bare_tuple() {
            Vec::new()
        } else {
            let closing = Span::from(value.end() - 1..value.end());
            vec![
                TextEdit::replace(opening, ".append("),
                TextEdit::replace(closing, ")"),
            ]
        };
        let safety = match file.type_of(target) {
            Type::List => Safety::LikelyPreserving,
            _ => Safety::BehaviorChanging,
        };
        found.push(
            LintFinding::advice(&RULE, "a list of one element is added", node.span()).with_fix(
                safety,
                "Append the element",
                edits,
            ),
        );
    }
}
