//! The operator `/` between integers.

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
    name: "integer-division",
    summary: "Replaces `/` with `//` between integers.",
    why: "`/` gave an integer before Bazel had floating point numbers, and gives a floating point number now. `//` \
        always gives an integer.",
    safety: Some(Safety::BehaviorChanging),
    safety_reason: "`7 / 2` is 3.5 in current Bazel, and `7 // 2` is 3.",
    example: bzl("x = 7 / 2\n", "x = 7 // 2\n"),
};

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for kind in [Kind::Binary, Kind::Assign] {
        for node in file.all(kind) {
            let (left, right) = match node.shape() {
                Shape::Binary {
                    op: Op::Slash,
                    left,
                    right,
                } => (left, right),
                Shape::Assign {
                    op: Op::SlashAssign,
                    target,
                    value,
                } => (target, value),
                _ => continue,
            };
            if file.type_of(right) != Type::Int || file.type_of(left) != Type::Int {
                continue;
            }
            let between = Span::from(left.end()..right.start());
            let text = &file.tree.source_text()[between.range()];
            let slash = text.find('/').filter(|_| !has_comment(file.tree, between));
            let edits = slash.map(|at| TextEdit::insert(between.start() + at, "/"));
            found.push(
                LintFinding::advice(&RULE, "`/` between integers", node.span()).with_fix(
                    Safety::BehaviorChanging,
                    "Divide without a rest",
                    edits.into_iter().collect(),
                ),
            );
        }
    }
}
