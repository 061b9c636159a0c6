//! Functions that return no value on some paths, and statements that are never reached.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape};

use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RETURN_VALUE, UNREACHABLE],
    applies: everywhere,
    check,
};

const RETURN_VALUE: Rule = report_only(
    "return-value",
    "Reports functions that return a value only on some paths.",
    "The caller gets `None` on the other paths. Write `return None` where this is intended, and `fail()` where the \
     end of the function is never reached.",
);

const UNREACHABLE: Rule = report_only(
    "unreachable",
    "Reports statements after `return`, `break`, `continue` or `fail()`.",
    "These statements never run.",
);

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for node in file.all(Kind::Def) {
        let Shape::Def(def) = node.shape() else {
            continue;
        };
        let mut returns = Returns::default();
        let falls_through = !walk(def.body, &mut returns, found);
        if !returns.with_value {
            continue;
        }
        let message = format!("some but not all paths of `{}` return a value", def.name);
        if falls_through {
            let at = fixpoint_text::Span::from(node.start()..def.name_span.end());
            let hint = "its end may be reached";
            found.push(LintFinding::warning(&RETURN_VALUE, message.clone(), at).with_hint(hint));
        }
        for bare in returns.bare {
            found.push(LintFinding::warning(
                &RETURN_VALUE,
                message.clone(),
                bare.span(),
            ));
        }
    }
}

#[derive(Default)]
struct Returns<'t, 'a> {
    with_value: bool,
    bare: Vec<NodeRef<'t, 'a>>,
}

/// Whether the end of a block is never reached. Reports the first statement that is never reached.
fn walk<'t, 'a>(
    block: Nodes<'t, 'a>,
    returns: &mut Returns<'t, 'a>,
    found: &mut Vec<LintFinding>,
) -> bool {
    let mut ended = false;
    let mut reported = false;
    for statement in block.iter().filter(|it| it.kind() != Kind::CommentBlock) {
        if ended && !reported {
            reported = true;
            let message = "the statement is never reached";
            found.push(LintFinding::warning(
                &UNREACHABLE,
                message,
                statement.span(),
            ));
        }
        ended |= match statement.shape() {
            Shape::Return(value) => {
                match value {
                    Some(_) => returns.with_value = true,
                    None => returns.bare.push(statement),
                }
                true
            }
            Shape::For { body, .. } => {
                walk(body, returns, found);
                false
            }
            Shape::If {
                body, otherwise, ..
            } => {
                let first = walk(body, returns, found);
                let second = otherwise.is_some_and(|it| walk(it, returns, found));
                first && second
            }
            _ => ends_block(statement),
        };
    }
    ended
}

/// Whether the statement is `break`, `continue` or a call of `fail`.
pub(super) fn ends_block(statement: NodeRef<'_, '_>) -> bool {
    match statement.shape() {
        Shape::Branch(word) => word != "pass",
        // This includes a parameter named `fail` that replaces the built-in function.
        Shape::Call { callee, .. } => callee.is_name("fail"),
        _ => false,
    }
}
