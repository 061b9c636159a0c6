//! Template literals and template literal types.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    TSTemplateLiteralType, TaggedTemplateExpression, TemplateElement, TemplateLiteral,
};
use oxc_span::GetSpan;

use super::comments::Role;
use super::kind::ToKind;
use super::{Printer, nodes, scan};
use crate::doc::{self, Align, Doc, PrintOptions};

impl<'a> Printer<'a> {
    /// Prints a template literal, a tagged template or a template literal type.
    pub(super) fn print_template(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::TemplateLiteral(it) => self.template_literal(it),
            AstKind::TaggedTemplateExpression(it) => self.tagged_template(it),
            AstKind::TSTemplateLiteralType(it) => self.template_literal_type(it),
            _ => self.source(node),
        }
    }

    fn template_literal(&self, node: &'a TemplateLiteral<'a>) -> Doc<'a> {
        let expressions: Vec<_> = node.expressions.iter().map(ToKind::kind).collect();
        self.template(&node.quasis, &expressions)
    }

    fn template_literal_type(&self, node: &'a TSTemplateLiteralType<'a>) -> Doc<'a> {
        let types: Vec<_> = node.types.iter().map(ToKind::kind).collect();
        self.template(&node.quasis, &types)
    }

    fn template(&self, quasis: &'a [TemplateElement<'a>], values: &[AstKind<'a>]) -> Doc<'a> {
        let mut parts = vec![Doc::LineSuffixBoundary, Doc::Text("`")];
        let mut indent = 0;
        for (index, quasi) in quasis.iter().enumerate() {
            let text = quasi.value.raw.as_str();
            parts.push(self.lines(text, Doc::LITERALLINE));
            if text.contains('\n') {
                indent = self.indentation_of_last_line(text);
            }
            if let (Some(value), Some(next)) = (values.get(index), quasis.get(index + 1)) {
                let has_newline = scan::has_newline_in(
                    self.text,
                    quasi.span.end as usize,
                    next.span.start as usize,
                );
                let printed = self.placeholder(*value, has_newline);
                let starts_line = indent == 0 && text.ends_with('\n');
                parts.push(self.aligned_placeholder(printed, indent, starts_line));
            }
        }
        parts.push(Doc::Text("`"));
        self.concat(&parts)
    }

    /// The value of a placeholder. It stays on one line if it was on one line.
    fn placeholder(&self, value: AstKind<'a>, has_newline: bool) -> Doc<'a> {
        let mut printed = self.print(value);
        let mut may_break = has_newline;
        if !has_newline && !matches!(printed, Doc::Text(_)) {
            let line = doc::print(
                printed,
                PrintOptions {
                    width: usize::MAX,
                    tab_width: self.options.tab_width,
                    use_tabs: self.options.use_tabs,
                },
            );
            if line.contains('\n') {
                may_break = true;
            } else {
                printed = self.text(&line);
            }
        }
        let breaks_at_braces = self.comments.has(value)
            || matches!(
                value,
                AstKind::IdentifierReference(_)
                    | AstKind::ConditionalExpression(_)
                    | AstKind::SequenceExpression(_)
                    | AstKind::TSAsExpression(_)
                    | AstKind::TSSatisfiesExpression(_)
                    | AstKind::BinaryExpression(_)
                    | AstKind::LogicalExpression(_)
                    | AstKind::PrivateInExpression(_)
            )
            || nodes::is_member(nodes::strip_chain_wrappers(value));
        if may_break && breaks_at_braces {
            self.concat(&[
                self.indent(self.concat(&[Doc::SOFTLINE, printed])),
                Doc::SOFTLINE,
            ])
        } else {
            printed
        }
    }

    /// Indents the value like the line on which its placeholder starts.
    fn aligned_placeholder(&self, printed: Doc<'a>, indent: usize, starts_line: bool) -> Doc<'a> {
        let mut aligned = printed;
        if starts_line {
            aligned = self.align(Align::ToRoot, aligned);
        } else if indent > 0 {
            for _ in 0..indent / self.options.tab_width {
                aligned = self.indent(aligned);
            }
            let rest = u16::try_from(indent % self.options.tab_width).unwrap_or_default();
            aligned = self.align(Align::ToRoot, self.align(Align::Spaces(rest), aligned));
        }
        self.group(self.concat(&[
            Doc::Text("${"),
            aligned,
            Doc::LineSuffixBoundary,
            Doc::Text("}"),
        ]))
    }

    fn indentation_of_last_line(&self, text: &str) -> usize {
        let line = text.rsplit('\n').next().unwrap_or_default();
        line.chars()
            .take_while(|char| matches!(char, ' ' | '\t'))
            .fold(0, |width, char| match char {
                '\t' => width + self.options.tab_width - width % self.options.tab_width,
                _ => width + 1,
            })
    }

    fn tagged_template(&self, node: &'a TaggedTemplateExpression<'a>) -> Doc<'a> {
        let quasi = node.quasi.kind();
        let tag_end = match node.type_arguments.as_deref() {
            Some(arguments) => arguments.span.end as usize,
            None => node.tag.span().end as usize,
        };
        let space = match self
            .comments
            .of(quasi)
            .find(|comment| comment.role == Role::Leading)
        {
            Some(first) if scan::has_newline_in(self.text, tag_end, first.start) => Doc::SOFTLINE,
            Some(_) => Doc::SPACE,
            None => Doc::NIL,
        };
        self.concat(&[
            self.print(node.tag.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
            space,
            Doc::LineSuffixBoundary,
            self.print(node.quasi.kind()),
        ])
    }
}
