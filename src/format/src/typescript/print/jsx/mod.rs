//! JSX elements and fragments.

mod attribute;
mod children;
mod expression;
mod tag;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, JSXChild, JSXElement, JSXElementName, JSXFragment, JSXText};

use self::children::{Child, Children, is_meaningful};
use super::Printer;
use super::kind::ToKind;
use super::nodes::is_jsx;
use super::tree::same;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_jsx(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::JSXElement(it) => self.jsx_element(it),
            AstKind::JSXFragment(it) => self.jsx_fragment(it),
            AstKind::JSXOpeningElement(it) => self.jsx_opening_element(it),
            AstKind::JSXClosingElement(it) => self.jsx_closing_element(it),
            AstKind::JSXOpeningFragment(_) | AstKind::JSXClosingFragment(_) => {
                self.jsx_fragment_tag(node)
            }
            AstKind::JSXNamespacedName(it) => self.jsx_namespaced_name(it),
            AstKind::JSXMemberExpression(it) => self.jsx_member(it),
            AstKind::JSXIdentifier(it) => Doc::Text(it.name.as_str()),
            AstKind::JSXAttribute(it) => self.jsx_attribute(it),
            AstKind::JSXSpreadAttribute(it) => self.jsx_spread(it.argument.kind()),
            AstKind::JSXSpreadChild(it) => self.jsx_spread(it.expression.kind()),
            AstKind::JSXExpressionContainer(it) => self.jsx_expression_container(it),
            AstKind::JSXEmptyExpression(_) => self.jsx_empty_expression(node),
            _ => self.source(node),
        }
    }

    /// Whether a JSX element follows a comment in braces that keeps it as it is.
    pub(super) fn is_ignored_jsx(&self, node: AstKind<'a>) -> bool {
        if !is_jsx(node) {
            return false;
        }
        let children = match self.parent(node) {
            AstKind::JSXElement(parent) => &parent.children,
            AstKind::JSXFragment(parent) => &parent.children,
            _ => return false,
        };
        let before = children
            .iter()
            .take_while(|child| !same(child.kind(), node))
            .filter(|child| !matches!(child, JSXChild::Text(text) if !is_meaningful(raw(text))));
        match before.last() {
            Some(JSXChild::ExpressionContainer(container)) => {
                let expression = container.expression.kind();
                matches!(expression, AstKind::JSXEmptyExpression(_))
                    && self.comments.is_ignored(expression)
            }
            _ => false,
        }
    }

    fn jsx_element(&self, node: &'a JSXElement<'a>) -> Doc<'a> {
        let kind = AstKind::JSXElement(node);
        let opening = self.print(node.opening_element.kind());
        let closing = self.print_option(node.closing_element.as_deref().map(ToKind::kind));
        let printed = if has_no_children(&node.children) {
            self.concat(&[opening, closing])
        } else {
            let name = &node.opening_element.name;
            let is_translation =
                matches!(name, JSXElementName::Identifier(name) if name.name == "fbt");
            let has_attributes = node.opening_element.attributes.len() > 1;
            let tags = [opening, closing];
            self.jsx_with_children(&node.children, tags, is_translation, has_attributes)
        };
        self.wrap_jsx(kind, self.with_comments(kind, printed))
    }

    fn jsx_fragment(&self, node: &'a JSXFragment<'a>) -> Doc<'a> {
        let kind = AstKind::JSXFragment(node);
        let tags = [
            self.print(node.opening_fragment.kind()),
            self.print(node.closing_fragment.kind()),
        ];
        let printed = self.jsx_with_children(&node.children, tags, false, false);
        self.wrap_jsx(kind, self.with_comments(kind, printed))
    }

    fn jsx_with_children(
        &self,
        children: &'a [JSXChild<'a>],
        [opening, closing]: [Doc<'a>; 2],
        is_translation: bool,
        has_attributes: bool,
    ) -> Doc<'a> {
        if let [only @ JSXChild::ExpressionContainer(container)] = children
            && matches!(
                container.expression.kind(),
                AstKind::TemplateLiteral(_) | AstKind::TaggedTemplateExpression(_)
            )
        {
            return self.concat(&[opening, self.print(only.kind()), closing]);
        }
        let blank = if self.options.single_quote {
            "{' '}"
        } else {
            "{\" \"}"
        };
        let parts: Vec<_> = children.iter().map(|child| self.jsx_child(child)).collect();
        let contains_text = parts
            .iter()
            .any(|part| matches!(part, Child::Text(text) if is_meaningful(text)));
        let contains_element = children
            .iter()
            .any(|child| matches!(child, JSXChild::Element(_) | JSXChild::Fragment(_)));
        let expressions = children
            .iter()
            .zip(&parts)
            .filter(|(child, part)| {
                matches!(child, JSXChild::ExpressionContainer(_))
                    && matches!(part, Child::Node { .. })
            })
            .count();
        let parts = Children::new(self, &parts, is_translation);
        let must_break = opening.will_break()
            || contains_element
            || has_attributes
            || expressions > 1
            || parts.will_break();

        let multiline = parts.multiline(self, blank);
        let contents = if contains_text {
            self.fill(&multiline)
        } else {
            self.broken_group(self.concat(&multiline))
        };
        let multiline = self.group(self.concat(&[
            opening,
            self.indent(self.concat(&[Doc::HARDLINE, contents])),
            Doc::HARDLINE,
            closing,
        ]));
        if must_break {
            return multiline;
        }
        let flat = self.group(self.concat(&[opening, parts.flat(self, blank), closing]));
        self.conditional_group(&[flat, multiline], false)
    }

    fn jsx_child(&self, child: &'a JSXChild<'a>) -> Child<'a> {
        match child {
            JSXChild::Text(text) => {
                return Child::Text(raw(text));
            }
            JSXChild::ExpressionContainer(container) => {
                if let Some(Expression::StringLiteral(literal)) =
                    container.expression.as_expression()
                    && literal.value == " "
                    && !self.comments.has(literal.kind())
                {
                    return Child::Text(" ");
                }
            }
            _ => {}
        }
        Child::Node {
            doc: self.print(child.kind()),
            is_self_closing: matches!(
                child,
                JSXChild::Element(element) if element.closing_element.is_none()
            ),
        }
    }

    /// Puts parentheses around an element on several lines, where it would not start a line otherwise.
    fn wrap_jsx(&self, node: AstKind<'a>, printed: Doc<'a>) -> Doc<'a> {
        let parent = self.parent(node);
        if matches!(
            parent,
            AstKind::ArrayExpression(_)
                | AstKind::JSXAttribute(_)
                | AstKind::JSXElement(_)
                | AstKind::JSXExpressionContainer(_)
                | AstKind::JSXFragment(_)
                | AstKind::ExpressionStatement(_)
                | AstKind::NewExpression(_)
                | AstKind::CallExpression(_)
                | AstKind::ConditionalExpression(_)
        ) {
            return printed;
        }
        let needs_parens = self.needs_parens(node);
        let paren = |text| {
            if needs_parens {
                Doc::NIL
            } else {
                self.if_break(Doc::Text(text), Doc::NIL)
            }
        };
        self.group_with(
            self.concat(&[
                paren("("),
                self.indent(self.concat(&[Doc::SOFTLINE, printed])),
                Doc::SOFTLINE,
                paren(")"),
            ]),
            None,
            self.is_mapped_in_jsx(node),
        )
    }

    /// Whether an arrow function returns the element to a call in braces, as in `{items.map(() => <a />)}`.
    fn is_mapped_in_jsx(&self, node: AstKind<'a>) -> bool {
        let arrow = self.parent(node);
        let call = self.parent(arrow);
        let container = match self.parent(call) {
            chain @ AstKind::ChainExpression(_) => self.parent(chain),
            parent => parent,
        };
        let is_argument = matches!(call, AstKind::CallExpression(call)
            if call.arguments.iter().any(|argument| same(argument.kind(), arrow)));
        matches!(arrow, AstKind::ArrowFunctionExpression(_))
            && is_argument
            && matches!(container, AstKind::JSXExpressionContainer(_))
    }
}

/// Whether there is nothing between the tags that JSX keeps.
fn has_no_children(children: &[JSXChild<'_>]) -> bool {
    match children {
        [] => true,
        [JSXChild::Text(text)] => !is_meaningful(raw(text)),
        _ => false,
    }
}

fn raw<'a>(text: &'a JSXText<'a>) -> &'a str {
    text.raw.unwrap_or(text.value).as_str()
}
