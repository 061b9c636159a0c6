//! Calls of test frameworks, such as `it("works", () => {})`.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionBody, CallExpression};

use super::Printer;
use super::kind::ToKind;
use super::nodes::{self, is_function_expression, is_function_or_arrow};

const NAMES: &[&str] = &[
    "it",
    "it.only",
    "it.skip",
    "describe",
    "describe.only",
    "describe.skip",
    "test",
    "test.only",
    "test.skip",
    "test.fixme",
    "test.step",
    "test.describe",
    "test.describe.only",
    "test.describe.skip",
    "test.describe.fixme",
    "test.describe.parallel",
    "test.describe.parallel.only",
    "test.describe.serial",
    "test.describe.serial.only",
    "skip",
    "xit",
    "xdescribe",
    "xtest",
    "fit",
    "fdescribe",
    "ftest",
];

impl<'a> Printer<'a> {
    /// Whether the description and the function of a test stay on one line. `parent` may be a test
    /// whose function this call wraps.
    pub(super) fn is_test_call(&self, node: AstKind<'a>, parent: Option<AstKind<'a>>) -> bool {
        let AstKind::CallExpression(call) = node else {
            return false;
        };
        if call.optional {
            return false;
        }
        let arguments = nodes::arguments(node);
        if arguments
            .iter()
            .any(|argument| self.comments.has(*argument))
        {
            return false;
        }
        match arguments.as_slice() {
            [argument] => {
                if is_angular_wrapper(call)
                    && parent.is_some_and(|parent| self.is_test_call(parent, None))
                {
                    return is_function_or_arrow(*argument);
                }
                let is_setup = matches!(
                    nodes::identifier_name(call.callee.kind()),
                    Some("beforeEach" | "beforeAll" | "afterEach" | "afterAll")
                );
                is_setup && is_angular_wrapper_node(*argument)
            }
            [description, function, rest @ ..] if rest.len() <= 1 => {
                let is_text = matches!(
                    description,
                    AstKind::TemplateLiteral(_) | AstKind::StringLiteral(_)
                );
                if !is_text || !is_test_name(call.callee.kind()) {
                    return false;
                }
                match rest {
                    [] => is_function_or_arrow(*function) || is_angular_wrapper_node(*function),
                    [AstKind::NumericLiteral(_)] => {
                        (has_block_body(*function) && nodes::parameters(*function).len() <= 1)
                            || is_angular_wrapper_node(*function)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

fn is_test_name(callee: AstKind<'_>) -> bool {
    NAMES.iter().any(|name| nodes::is_path(callee, name))
}

fn has_block_body(function: AstKind<'_>) -> bool {
    is_function_expression(function)
        || matches!(function, AstKind::ArrowFunctionExpression(arrow)
            if matches!(arrow.body, ArrowFunctionBody::FunctionBody(_)))
}

/// `async(...)`, `inject(...)` and similar calls of Angular.
fn is_angular_wrapper(call: &CallExpression<'_>) -> bool {
    matches!(
        nodes::identifier_name(call.callee.kind()),
        Some("async" | "inject" | "fakeAsync" | "waitForAsync")
    )
}

fn is_angular_wrapper_node(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::CallExpression(call) if is_angular_wrapper(call))
}
