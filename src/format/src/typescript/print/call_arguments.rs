//! The arguments of calls.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionBody, TSType};

use super::kind::ToKind;
use super::nodes::{
    self, arguments, is_call, is_call_like, is_cast, is_function_expression, is_function_or_arrow,
    is_jsx, strip_chain_wrappers,
};
use super::simple::is_simple_type;
use super::{Args, Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints the arguments of a call, import or import type with their parentheses.
    pub(super) fn print_call_arguments(&self, node: AstKind<'a>) -> Doc<'a> {
        let arguments = arguments(node);
        let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else {
            let comments = self.dangling_comments_in_list(node);
            return self.group(docs!(self, "(", comments, ")"));
        };
        if self.is_react_hook(&arguments) {
            let printed: Vec<_> = arguments
                .iter()
                .map(|argument| self.print(*argument))
                .collect();
            return docs!(self, "(", self.join(Doc::Text(", "), &printed), ")");
        }
        let mut has_empty_line = false;
        let mut printed = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let doc = self.print(*argument);
            printed.push(if index + 1 == arguments.len() {
                doc
            } else if self.is_next_line_empty(*argument) {
                has_empty_line = true;
                docs!(self, doc, ",", Doc::HARDLINE, Doc::HARDLINE)
            } else {
                docs!(self, doc, ",", Doc::LINE)
            });
        }
        let comma = match node {
            AstKind::ImportExpression(_)
            | AstKind::TSImportType(_)
            | AstKind::TSExternalModuleReference(_) => Doc::NIL,
            _ => self.trailing_comma_of_call(),
        };
        let all = self.concat(&printed);
        let all_broken = || {
            let contents = self.indent(docs!(self, Doc::LINE, all));
            self.broken_group(docs!(self, "(", contents, comma, Doc::LINE, ")"))
        };
        let is_decorator = matches!(self.parent(node), AstKind::Decorator(_));
        if has_empty_line || (!is_decorator && is_function_composition(&arguments)) {
            return all_broken();
        }
        if self.should_expand_first(&arguments) {
            let tail = self.concat(&printed[1..]);
            if tail.will_break() {
                return all_broken();
            }
            let args = Args {
                expand_first: true,
                ..Args::default()
            };
            let Some(expanded) = self.print_expanded(*first, args) else {
                return all_broken();
            };
            let broken = docs!(self, "(", self.broken_group(expanded), ", ", tail, ")");
            if expanded.will_break() {
                let group = self.conditional_group(&[broken, all_broken()], false);
                return docs!(self, Doc::BreakParent, group);
            }
            let flat = docs!(self, "(", expanded, ", ", tail, ")");
            return self.conditional_group(&[flat, broken, all_broken()], false);
        }
        if self.should_expand_last(&arguments) {
            let head = self.concat(&printed[..printed.len() - 1]);
            if head.will_break() {
                return all_broken();
            }
            let args = Args {
                expand_last: true,
                ..Args::default()
            };
            let Some(expanded) = self.print_expanded(*last, args) else {
                return all_broken();
            };
            let broken = docs!(self, "(", head, self.broken_group(expanded), ")");
            if expanded.will_break() {
                let group = self.conditional_group(&[broken, all_broken()], false);
                return docs!(self, Doc::BreakParent, group);
            }
            let flat = docs!(self, "(", head, expanded, ")");
            return self.conditional_group(&[flat, broken, all_broken()], false);
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, all));
        let contents = docs!(self, "(", contents, comma, Doc::SOFTLINE, ")");
        if self.is_long_curried_call(node) {
            contents
        } else {
            self.group_with(contents, None, all.will_break())
        }
    }

    /// Prints an argument that breaks alone; `None` if its parameters would break.
    fn print_expanded(&self, argument: AstKind<'a>, args: Args) -> Option<Doc<'a>> {
        let outer = self.cannot_expand.replace(false);
        let doc = self.print_with(argument, args);
        let failed = self.cannot_expand.replace(outer);
        (!failed).then_some(doc)
    }

    /// A call whose result is called with fewer arguments, as in `connect(a, b)(c)`.
    pub(super) fn is_long_curried_call(&self, node: AstKind<'a>) -> bool {
        let parent = self.parent(node);
        let count = arguments(parent).len();
        is_call(node)
            && is_call(parent)
            && super::parens::is_callee(parent, node)
            && count > 0
            && arguments(node).len() > count
    }

    fn could_expand(&self, argument: AstKind<'a>, is_in_chain: bool) -> bool {
        match argument {
            AstKind::ObjectExpression(object) => {
                !object.properties.is_empty() || self.comments.has(argument)
            }
            AstKind::ArrayExpression(array) => {
                !array.elements.is_empty() || self.comments.has(argument)
            }
            AstKind::TSAsExpression(cast) => self.could_expand(cast.expression.kind(), false),
            AstKind::TSSatisfiesExpression(cast) => {
                self.could_expand(cast.expression.kind(), false)
            }
            AstKind::TSTypeAssertion(cast) => self.could_expand(cast.expression.kind(), false),
            AstKind::ArrowFunctionExpression(arrow) => match &arrow.body {
                ArrowFunctionBody::FunctionBody(_)
                | ArrowFunctionBody::ObjectExpression(_)
                | ArrowFunctionBody::ArrayExpression(_) => true,
                ArrowFunctionBody::ArrowFunctionExpression(inner) => {
                    self.could_expand(AstKind::ArrowFunctionExpression(inner), true)
                }
                body => {
                    let body = body.kind();
                    is_jsx(body)
                        || (!is_in_chain
                            && (matches!(body, AstKind::ConditionalExpression(_))
                                || is_call(strip_chain_wrappers(body))))
                }
            },
            _ => is_function_expression(argument),
        }
    }

    fn should_expand_last(&self, arguments: &[AstKind<'a>]) -> bool {
        let [head @ .., last] = arguments else {
            return false;
        };
        let before = head.last();
        !self.comments.has_leading(*last)
            && !self.comments.has_trailing(*last)
            && self.could_expand(*last, false)
            && before.is_none_or(|before| !is_same_type(*before, *last))
            && !(arguments.len() == 2
                && matches!(before, Some(AstKind::ArrowFunctionExpression(_)))
                && matches!(last, AstKind::ArrayExpression(_)))
            && !(arguments.len() > 1 && self.is_concise_array(*last))
    }

    fn should_expand_first(&self, arguments: &[AstKind<'a>]) -> bool {
        let [first, second] = arguments else {
            return false;
        };
        let is_function = match first {
            AstKind::ArrowFunctionExpression(arrow) => {
                matches!(arrow.body, ArrowFunctionBody::FunctionBody(_))
            }
            _ => is_function_expression(*first),
        };
        is_function
            && !self.comments.has(*first)
            && !is_function_or_arrow(*second)
            && !matches!(second, AstKind::ConditionalExpression(_))
            && self.is_probably_short(*second)
            && !self.could_expand(*second, false)
    }

    fn is_probably_short(&self, argument: AstKind<'a>) -> bool {
        if is_cast(argument) {
            let (expression, annotation) = match argument {
                AstKind::TSAsExpression(it) => (&it.expression, &it.type_annotation),
                AstKind::TSSatisfiesExpression(it) => (&it.expression, &it.type_annotation),
                _ => return false,
            };
            let mut annotation = annotation;
            for _ in 0..2 {
                if let TSType::TSArrayType(array) = annotation {
                    annotation = &array.element_type;
                }
            }
            if let TSType::TSTypeReference(reference) = annotation
                && let Some(arguments) = &reference.type_arguments
                && let [only] = arguments.params.as_slice()
            {
                annotation = only;
            }
            return is_simple_type(annotation) && self.is_simple_argument(expression.kind(), 1);
        }
        if is_call_like(argument) && arguments(argument).len() > 1 {
            return false;
        }
        match argument {
            AstKind::BinaryExpression(binary) => {
                self.is_simple_argument(binary.left.kind(), 1)
                    && self.is_simple_argument(binary.right.kind(), 1)
            }
            AstKind::LogicalExpression(logical) => {
                self.is_simple_argument(logical.left.kind(), 1)
                    && self.is_simple_argument(logical.right.kind(), 1)
            }
            AstKind::RegExpLiteral(_) => true,
            _ => self.is_simple_argument(argument, 2),
        }
    }

    /// `useEffect(() => {}, [a, b])`.
    fn is_react_hook(&self, arguments: &[AstKind<'a>]) -> bool {
        let (callback, dependencies) = match arguments {
            [callback, dependencies]
            | [AstKind::IdentifierReference(_), callback, dependencies] => (callback, dependencies),
            _ => return false,
        };
        let AstKind::ArrowFunctionExpression(arrow) = callback else {
            return false;
        };
        nodes::parameters(*callback).is_empty()
            && matches!(arrow.body, ArrowFunctionBody::FunctionBody(_))
            && matches!(dependencies, AstKind::ArrayExpression(_))
            && !arguments
                .iter()
                .any(|argument| self.comments.has(*argument))
    }
}

/// Whether two nodes have the same type in the terms of ESTree.
fn is_same_type(one: AstKind<'_>, two: AstKind<'_>) -> bool {
    one.ty() == two.ty()
}

/// Several functions, or a function in another call: `pipe(map((x) => x), filter(Boolean))`.
fn is_function_composition(arguments: &[AstKind<'_>]) -> bool {
    if arguments.len() <= 1 {
        return false;
    }
    let mut count = 0;
    for argument in arguments {
        if is_function_or_arrow(*argument) {
            count += 1;
            if count > 1 {
                return true;
            }
        } else if let AstKind::CallExpression(call) = strip_chain_wrappers(*argument) {
            let is_function = call
                .arguments
                .iter()
                .any(|argument| is_function_or_arrow(argument.kind()));
            if is_function {
                return true;
            }
        }
    }
    false
}
