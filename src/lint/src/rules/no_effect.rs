//! Statements without effect.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};

use super::skylark::docstring;
use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "no-effect",
    "Reports expressions whose result is not used.",
    "The line has no effect. Either an assignment or a call was intended, or the line can be removed.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let statements = file.tree.statements();
    block(statements, docstring(statements), true, found);
    for kind in [Kind::Def, Kind::For, Kind::If] {
        for node in file.all(kind) {
            match node.shape() {
                Shape::Def(def) => block(def.body, docstring(def.body), false, found),
                Shape::For { body, .. } => block(body, None, false, found),
                Shape::If {
                    body, otherwise, ..
                } => {
                    block(body, None, false, found);
                    if let Some(otherwise) = otherwise {
                        block(otherwise, None, false, found);
                    }
                }
                _ => {}
            }
        }
    }
}

fn block(
    statements: Nodes<'_, '_>,
    docstring: Option<NodeRef<'_, '_>>,
    at_top: bool,
    found: &mut Vec<LintFinding>,
) {
    for statement in statements.iter().filter(|it| Some(*it) != docstring) {
        let hint = match statement.shape() {
            // BUILD files have no `for` loops, so a comprehension takes their place.
            Shape::Comprehension { .. } if at_top && !statement.is_in_braces() => continue,
            Shape::Comprehension { .. } => Some("a `for` loop says what is meant"),
            Shape::String => Some("a docstring comes first in its file or function"),
            Shape::Ident(_)
            | Shape::Number(_)
            | Shape::List(_)
            | Shape::Set(_)
            | Shape::Dict(_)
            | Shape::Tuple(_)
            | Shape::Paren(_)
            | Shape::Dot { .. }
            | Shape::Index { .. }
            | Shape::Slice { .. }
            | Shape::Unary { .. }
            | Shape::Binary { .. }
            | Shape::Conditional { .. }
            | Shape::Lambda { .. } => None,
            _ => continue,
        };
        let warning = LintFinding::warning(&RULE, "the result is dropped", statement.span());
        found.push(match hint {
            Some(hint) => warning.with_hint(hint),
            None => warning,
        });
    }
}
