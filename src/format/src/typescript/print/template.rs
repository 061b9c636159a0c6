//! Template literals and template literal types.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    TSTemplateLiteralType, TaggedTemplateExpression, TemplateElement, TemplateLiteral,
};
use oxc_span::GetSpan;

use super::comments::Role;
use super::kind::ToKind;
use super::{Printer, docs, nodes, scan};
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
        if self.is_jest_each(AstKind::TemplateLiteral(node))
            && let Some(table) = self.jest_table(&node.quasis, &expressions)
        {
            return table;
        }
        self.template(&node.quasis, &expressions)
    }

    fn template_literal_type(&self, node: &'a TSTemplateLiteralType<'a>) -> Doc<'a> {
        let types: Vec<_> = node.types.iter().map(ToKind::kind).collect();
        self.template(&node.quasis, &types)
    }

    fn template(&self, quasis: &'a [TemplateElement<'a>], values: &[AstKind<'a>]) -> Doc<'a> {
        let mut parts = vec![Doc::LineSuffixBoundary, Doc::Text("`")];
        for (index, quasi) in quasis.iter().enumerate() {
            parts.push(self.lines(quasi.value.raw.as_str(), Doc::LITERALLINE));
            if let Some(value) = values.get(index) {
                parts.push(self.template_value(quasis, index, *value));
            }
        }
        parts.push(Doc::Text("`"));
        self.concat(&parts)
    }

    /// The value after the quasi at `index`, in its braces. It stays on one line if it was on one line.
    pub(super) fn template_value(
        &self,
        quasis: &'a [TemplateElement<'a>],
        index: usize,
        value: AstKind<'a>,
    ) -> Doc<'a> {
        let span = |index: usize| quasis.get(index).map(GetSpan::span).unwrap_or_default();
        let (start, end) = (span(index).end as usize, span(index + 1).start as usize);
        let mut may_break = scan::has_newline_in(self.text, start, end);
        let mut printed = self.print(value);
        if !may_break && !matches!(printed, Doc::Text(_)) {
            let line = self.render_on_one_line(printed);
            if line.contains('\n') {
                may_break = true;
            } else {
                printed = self.text(&line);
            }
        }
        if may_break && self.may_break_at_braces(value) {
            let indented = self.indent(docs!(self, Doc::SOFTLINE, printed));
            printed = docs!(self, indented, Doc::SOFTLINE);
        }
        self.group(docs!(
            self,
            "${",
            self.aligned_like_line(quasis, index, printed),
            Doc::LineSuffixBoundary,
            "}",
        ))
    }

    /// The text of a document on a line that is never full.
    pub(super) fn render_on_one_line(&self, doc: Doc<'a>) -> String {
        let options = PrintOptions {
            width: usize::MAX,
            tab_width: self.options.tab_width,
            use_tabs: self.options.use_tabs,
        };
        doc::print(doc, options)
    }

    fn may_break_at_braces(&self, value: AstKind<'a>) -> bool {
        self.comments.has(value)
            || nodes::is_member(nodes::strip_chain_wrappers(value))
            || nodes::is_cast(value)
            || nodes::is_binaryish(value)
            || matches!(
                value,
                AstKind::IdentifierReference(_)
                    | AstKind::ConditionalExpression(_)
                    | AstKind::SequenceExpression(_)
            )
    }

    /// Indents a value like the line of the template on which it starts.
    fn aligned_like_line(
        &self,
        quasis: &'a [TemplateElement<'a>],
        index: usize,
        value: Doc<'a>,
    ) -> Doc<'a> {
        let text = |quasi: &'a TemplateElement<'a>| quasi.value.raw.as_str();
        let start_of_line = quasis
            .iter()
            .take(index + 1)
            .map(text)
            .rfind(|text| text.contains('\n'));
        let mut indentation = start_of_line.map_or(0, |text| self.indentation_of_last_line(text));
        if self.is_in_jest_table.get() {
            indentation = indentation.max(self.options.tab_width);
        }
        if indentation == 0 {
            let starts_line = quasis
                .get(index)
                .is_some_and(|quasi| text(quasi).ends_with('\n'));
            return if starts_line {
                self.align(Align::ToRoot, value)
            } else {
                value
            };
        }
        let mut aligned = value;
        for _ in 0..indentation / self.options.tab_width {
            aligned = self.indent(aligned);
        }
        let rest = u16::try_from(indentation % self.options.tab_width).unwrap_or_default();
        self.align(Align::ToRoot, self.align(Align::Spaces(rest), aligned))
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
            Some(arguments) => arguments.span.end,
            None => node.tag.span().end,
        };
        let mut comments = self.comments.of(quasi);
        let space = match comments.find(|comment| comment.role == Role::Leading) {
            Some(first) if scan::has_newline_in(self.text, tag_end as usize, first.start) => {
                Doc::SOFTLINE
            }
            Some(_) => Doc::SPACE,
            None => Doc::NIL,
        };
        docs!(
            self,
            self.print(node.tag.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
            space,
            Doc::LineSuffixBoundary,
            self.print(quasi),
        )
    }
}
