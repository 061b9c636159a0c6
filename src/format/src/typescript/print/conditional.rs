//! Conditional expressions and conditional types.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use super::kind::ToKind;
use super::nodes::{
    self, is_call, is_cast, is_chain_wrapper, is_computed_member, is_jsx, is_member,
};
use super::parens::{is_callee, is_object};
use super::tree::same;
use super::{Printer, docs};
use crate::doc::{Align, Doc};

/// The parts of a conditional expression or type.
#[derive(Clone, Copy)]
struct Conditional<'a> {
    tests: [Option<AstKind<'a>>; 2],
    consequent: AstKind<'a>,
    alternate: AstKind<'a>,
}

fn conditional(node: AstKind<'_>) -> Option<Conditional<'_>> {
    match node {
        AstKind::ConditionalExpression(it) => Some(Conditional {
            tests: [Some(it.test.kind()), None],
            consequent: it.consequent.kind(),
            alternate: it.alternate.kind(),
        }),
        AstKind::TSConditionalType(it) => Some(Conditional {
            tests: [Some(it.check_type.kind()), Some(it.extends_type.kind())],
            consequent: it.true_type.kind(),
            alternate: it.false_type.kind(),
        }),
        _ => None,
    }
}

impl<'a> Conditional<'a> {
    fn is_test(&self, node: AstKind<'a>) -> bool {
        self.tests.iter().flatten().any(|test| same(*test, node))
    }
}

impl<'a> Printer<'a> {
    /// Prints a conditional expression or a conditional type.
    pub(super) fn print_conditional(&self, node: AstKind<'a>) -> Doc<'a> {
        let Some(parts) = conditional(node) else {
            return Doc::NIL;
        };
        let is_expression = matches!(node, AstKind::ConditionalExpression(_));
        let is_same = |other: AstKind<'a>| other.ty() == node.ty();
        let parent = self.parent(node);
        let outer = conditional(parent).filter(|_| is_same(parent));
        let is_parent_test = outer.is_some_and(|outer| outer.is_test(node));
        let mut should_not_indent = outer.is_some() && !is_parent_test;
        let (root, root_parent) = self.conditional_root(node);
        let mut is_jsx_mode = false;
        let branches = if is_expression
            && (parts.tests.iter().flatten().any(|test| is_jsx(*test))
                || is_jsx(parts.consequent)
                || is_jsx(parts.alternate)
                || contains_jsx(root))
        {
            is_jsx_mode = true;
            should_not_indent = true;
            let alternate = match is_same(parts.alternate) || is_nil(parts.alternate) {
                true => self.print(parts.alternate),
                false => self.wrap_in_parens(parts.alternate),
            };
            let consequent = match is_nil(parts.consequent) {
                true => self.print(parts.consequent),
                false => self.wrap_in_parens(parts.consequent),
            };
            docs!(self, " ? ", consequent, " : ", alternate)
        } else {
            let is_nested = is_same(parts.consequent);
            let (open, close) = match is_nested {
                true => (self.if_break("", "("), self.if_break("", ")")),
                false => (Doc::NIL, Doc::NIL),
            };
            let branches = docs!(
                self,
                Doc::LINE,
                "? ",
                open,
                self.print_branch(parts.consequent),
                close,
                Doc::LINE,
                ": ",
                self.print_branch(parts.alternate),
            );
            let is_consequent = outer.is_some_and(|outer| same(outer.consequent, node));
            if !is_consequent {
                branches
            } else if self.options.use_tabs {
                self.dedent(self.indent(branches))
            } else {
                let width = self.options.tab_width.saturating_sub(2);
                self.align(Align::Spaces(u16::try_from(width).unwrap_or(0)), branches)
            }
        };
        let breaks_closing = !is_jsx_mode && is_member(parent) && !is_computed_member(parent);
        let extra_indent = self.is_start_of_chain_value(node);
        let test = self.print_test(node, &parts, outer);
        let branches = match should_not_indent {
            true => branches,
            false => self.indent(branches),
        };
        let end = match is_expression && breaks_closing && !extra_indent {
            true => Doc::SOFTLINE,
            false => Doc::NIL,
        };
        let doc = docs!(self, test, branches, end);
        let doc = match same(parent, root_parent) {
            true => self.group(doc),
            false => doc,
        };
        if is_parent_test || extra_indent {
            let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
            self.group(docs!(self, contents, Doc::SOFTLINE))
        } else {
            doc
        }
    }

    fn print_branch(&self, branch: AstKind<'a>) -> Doc<'a> {
        let doc = self.print(branch);
        match self.options.use_tabs {
            true => self.indent(doc),
            false => self.align(Align::Spaces(2), doc),
        }
    }

    fn wrap_in_parens(&self, node: AstKind<'a>) -> Doc<'a> {
        let contents = self.indent(docs!(self, Doc::SOFTLINE, self.print(node)));
        docs!(
            self,
            self.if_break("(", ""),
            contents,
            Doc::SOFTLINE,
            self.if_break(")", "")
        )
    }

    fn print_test(
        &self,
        node: AstKind<'a>,
        parts: &Conditional<'a>,
        outer: Option<Conditional<'a>>,
    ) -> Doc<'a> {
        let test = match parts.tests {
            [Some(check), Some(extends)] => {
                docs!(self, self.print(check), " extends ", self.print(extends))
            }
            [Some(test), None] => self.print(test),
            _ => Doc::NIL,
        };
        if outer.is_some_and(|outer| same(outer.alternate, node)) {
            self.align(Align::Spaces(2), test)
        } else {
            test
        }
    }

    /// The outermost conditional of a chain, and its parent.
    fn conditional_root(&self, node: AstKind<'a>) -> (AstKind<'a>, AstKind<'a>) {
        let mut root = node;
        loop {
            let parent = self.parent(root);
            let continues = parent.ty() == node.ty()
                && !same(parent, root)
                && conditional(parent).is_some_and(|outer| !outer.is_test(root));
            if !continues {
                return (root, parent);
            }
            root = parent;
        }
    }

    /// Whether members or calls follow the conditional, and the whole is the value of an assignment
    /// or the argument of a statement.
    fn is_start_of_chain_value(&self, node: AstKind<'a>) -> bool {
        if !matches!(node, AstKind::ConditionalExpression(_)) {
            return false;
        }
        let mut child = node;
        let mut parent = self.parent(child);
        while is_chain_wrapper(parent)
            || (is_call(parent) && is_callee(parent, child))
            || is_object(parent, child)
        {
            child = parent;
            parent = self.parent(child);
        }
        let is_wrapped = match parent {
            AstKind::NewExpression(_) => is_callee(parent, child),
            _ => is_cast(parent),
        };
        if is_wrapped {
            child = parent;
            parent = self.parent(child);
        }
        if same(child, node) {
            return false;
        }
        match parent {
            AstKind::AssignmentExpression(it) => same(it.right.kind(), child),
            AstKind::VariableDeclarator(it) => {
                matches!(&it.init, Some(init) if same(init.kind(), child))
            }
            AstKind::ReturnStatement(_)
            | AstKind::ThrowStatement(_)
            | AstKind::UnaryExpression(_)
            | AstKind::YieldExpression(_)
            | AstKind::AwaitExpression(_) => true,
            _ => false,
        }
    }
}

/// Whether a chain of conditionals has a JSX element as a test or branch.
fn contains_jsx(root: AstKind<'_>) -> bool {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let AstKind::ConditionalExpression(it) = node else {
            continue;
        };
        for part in [&it.test, &it.consequent, &it.alternate] {
            if matches!(part, Expression::JSXElement(_) | Expression::JSXFragment(_)) {
                return true;
            }
            open.push(part.kind());
        }
    }
    false
}

/// `null` or `undefined`.
fn is_nil(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::NullLiteral(_)) || nodes::identifier_name(node) == Some("undefined")
}
