//! Arrow functions and chains of them.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionBody, ArrowFunctionExpression};

use super::assignment::Layout;
use super::comments::Marker;
use super::kind::ToKind;
use super::nodes::{self, is_binaryish, is_block, is_call_like, is_jsx, starts_with};
use super::parens::is_callee;
use super::{Args, Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_arrow(
        &self,
        arrow: &'a ArrowFunctionExpression<'a>,
        args: Args,
    ) -> Doc<'a> {
        let node = AstKind::ArrowFunctionExpression(arrow);
        let parent = self.parent(node);
        let is_chain = !args.expand_last
            && matches!(arrow.body, ArrowFunctionBody::ArrowFunctionExpression(_));
        let mut signatures = Vec::new();
        let mut body_comments = Vec::new();
        let mut breaks_chain = false;
        let mut tail = arrow;
        loop {
            let tail_node = AstKind::ArrowFunctionExpression(tail);
            let signature = self.print_arrow_signature(tail, args);
            if signatures.is_empty() {
                signatures.push(signature);
            } else {
                let around = self.comments_around(tail_node);
                signatures.push(docs!(self, around.leading, signature));
                body_comments.insert(0, around.trailing);
            }
            if is_chain {
                let parameters = nodes::parameters(tail_node);
                breaks_chain |= (tail.return_type.is_some() && !parameters.is_empty())
                    || tail.type_parameters.is_some()
                    || !parameters.into_iter().all(nodes::is_plain_name);
            }
            match &tail.body {
                ArrowFunctionBody::ArrowFunctionExpression(next) if is_chain => tail = next,
                _ => break,
            }
        }
        let body_node = tail.body.kind();
        let body = self.print_with(body_node, args);
        let is_body_beside = !self.has_leading_own_line_comment(body_node)
            && (matches!(body_node, AstKind::SequenceExpression(_))
                || self.may_follow_arrow(body_node)
                || (!breaks_chain && needs_parens_if_flat(body_node)));
        let is_callee = is_callee(parent, node);
        let chain = self.group_id();
        let signatures = self.print_arrow_signatures(node, args, &signatures, breaks_chain);
        let indents = is_chain && (is_callee || args.layout.is_some());
        let breaks_signatures = indents
            && (args.layout == Some(Layout::ChainTailArrowChain) || (is_callee && !is_body_beside));
        let signatures = if indents {
            let softline = match self.comments.has(node) {
                true => Doc::NIL,
                false => Doc::SOFTLINE,
            };
            self.indent(docs!(self, softline, signatures))
        } else {
            signatures
        };
        let comments = self.concat(&body_comments);
        let body = self.print_arrow_body(node, args, body_node, body, comments, is_body_beside);
        let body = match is_chain {
            true => self.indent_if_break(body, chain, false),
            false => self.group(body),
        };
        let end = match is_chain && is_callee {
            true => self.if_group_breaks(chain, Doc::SOFTLINE, ""),
            false => Doc::NIL,
        };
        self.group(docs!(
            self,
            self.group_with(signatures, Some(chain), breaks_signatures),
            " =>",
            body,
            end,
        ))
    }

    fn print_arrow_signature(&self, arrow: &'a ArrowFunctionExpression<'a>, args: Args) -> Doc<'a> {
        let node = AstKind::ArrowFunctionExpression(arrow);
        let mut parts = Vec::new();
        if arrow.r#async {
            parts.push(Doc::Text("async "));
        }
        if !self.options.arrow_parens && self.can_omit_parentheses(node) {
            parts.extend(
                nodes::parameters(node)
                    .into_iter()
                    .map(|parameter| self.print(parameter)),
            );
        } else {
            let expand = args.expand_first || args.expand_last;
            let mut return_type = self.print_return_type(node);
            if expand {
                if return_type.will_break() {
                    self.cannot_expand.set(true);
                }
                return_type = self.group(self.remove_lines(return_type));
            }
            let parameters = self.print_parameters(node, expand, true);
            parts.push(self.group(docs!(self, parameters, return_type)));
        }
        let comments = self.marked_comments(node, Marker::BeforeArrow);
        if !comments.is_nil() {
            parts.extend([Doc::SPACE, comments]);
        }
        self.concat(&parts)
    }

    fn can_omit_parentheses(&self, node: AstKind<'a>) -> bool {
        let Some(signature) = nodes::signature(node) else {
            return false;
        };
        let parameters = nodes::parameters(node);
        let [parameter @ AstKind::FormalParameter(formal)] = parameters.as_slice() else {
            return false;
        };
        signature.type_parameters.is_none()
            && signature.return_type.is_none()
            && !self.comments.has_dangling(node)
            && nodes::is_plain_name(*parameter)
            && formal.type_annotation.is_none()
            && !formal.optional
            && !self.comments.has(*parameter)
            && !self.comments.has(formal.pattern.kind())
    }

    /// Whether the body starts beside the arrow and breaks inside.
    fn may_follow_arrow(&self, body: AstKind<'a>) -> bool {
        matches!(
            body,
            AstKind::ArrayExpression(_)
                | AstKind::ObjectExpression(_)
                | AstKind::ArrowFunctionExpression(_)
        ) || is_block(body)
            || is_jsx(body)
            || self.is_template_on_its_own_line(body)
    }

    fn print_arrow_signatures(
        &self,
        node: AstKind<'a>,
        args: Args,
        signatures: &[Doc<'a>],
        should_break: bool,
    ) -> Doc<'a> {
        let [first, rest @ ..] = signatures else {
            return Doc::NIL;
        };
        if rest.is_empty() {
            return *first;
        }
        let parent = self.parent(node);
        let is_callee = is_callee(parent, node);
        let separator = docs!(self, " =>", Doc::LINE);
        let contents = if (!is_callee && is_call_like(parent)) || is_binaryish(parent) {
            let rest = docs!(self, Doc::LINE, self.join(separator, rest));
            docs!(self, *first, " =>", self.indent(rest))
        } else if is_callee || args.layout.is_some() {
            self.join(separator, signatures)
        } else {
            self.indent(self.join(separator, signatures))
        };
        self.group_with(contents, None, should_break)
    }

    fn print_arrow_body(
        &self,
        node: AstKind<'a>,
        args: Args,
        body_node: AstKind<'a>,
        body: Doc<'a>,
        comments: Doc<'a>,
        is_body_beside: bool,
    ) -> Doc<'a> {
        let comma = match args.expand_last {
            true => self.trailing_comma_of_call(),
            false => Doc::NIL,
        };
        let is_in_container = matches!(self.parent(node), AstKind::JSXExpressionContainer(_));
        let end = match (args.expand_last || is_in_container) && !self.comments.has(node) {
            true => Doc::SOFTLINE,
            false => Doc::NIL,
        };
        if !is_body_beside {
            let contents = self.indent(docs!(self, Doc::LINE, body, comments));
            return docs!(self, contents, comma, end);
        }
        if needs_parens_if_flat(body_node) {
            let contents = self.indent(docs!(self, Doc::SOFTLINE, body));
            let group = self.group(docs!(
                self,
                self.if_break("", "("),
                contents,
                self.if_break("", ")"),
                comma,
                end,
            ));
            return docs!(self, " ", group, comments);
        }
        docs!(self, " ", body, comments)
    }
}

/// A conditional body has parentheses on the line of the arrow, because `a => a ? b : c` is easy to
/// misread.
fn needs_parens_if_flat(body: AstKind<'_>) -> bool {
    matches!(body, AstKind::ConditionalExpression(_))
        && !starts_with(body, &|left| matches!(left, AstKind::ObjectExpression(_)))
}
