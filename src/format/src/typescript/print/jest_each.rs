//! Tables of tests in templates: `` test.each`a | b …` ``.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, TemplateElement};

use super::tree::same;
use super::{Printer, docs};
use crate::doc::{Doc, text_width};

struct Row {
    cells: Vec<String>,
    /// A row with a cell over several lines is not aligned.
    has_newline: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn is_jest_each(&self, node: AstKind<'a>) -> bool {
        let AstKind::TaggedTemplateExpression(tagged) = self.parent(node) else {
            return false;
        };
        let Expression::StaticMemberExpression(each) = &tagged.tag else {
            return false;
        };
        let is_test = |expression: &Expression<'_>| matches!(expression, Expression::Identifier(name) if is_test_name(&name.name));
        same(AstKind::TemplateLiteral(&tagged.quasi), node)
            && each.property.name == "each"
            && match &each.object {
                Expression::StaticMemberExpression(inner) => {
                    matches!(inner.property.name.as_str(), "only" | "skip")
                        && is_test(&inner.object)
                }
                object => is_test(object),
            }
    }

    /// The table with aligned columns, unless its first line is empty.
    pub(super) fn jest_table(
        &self,
        quasis: &'a [TemplateElement<'a>],
        values: &[AstKind<'a>],
    ) -> Option<Doc<'a>> {
        let head = quasis.first()?.value.raw.trim();
        let names: Vec<_> = head.split('|').map(|name| name.trim().to_owned()).collect();
        if names.len() == 1 && head.is_empty() {
            return None;
        }
        let mut rows = vec![
            Row {
                cells: names,
                has_newline: false,
            },
            Row {
                cells: Vec::new(),
                has_newline: false,
            },
        ];
        let was_in_table = self.is_in_jest_table.replace(true);
        for (index, value) in values.iter().enumerate() {
            let cell = self.render_on_one_line(self.template_value(quasis, index, *value));
            if let Some(row) = rows.last_mut() {
                row.has_newline |= cell.contains('\n');
                row.cells.push(cell);
            }
            let next = quasis.get(index + 1);
            if next.is_some_and(|quasi| quasi.value.raw.contains('\n')) {
                rows.push(Row {
                    cells: Vec::new(),
                    has_newline: false,
                });
            }
        }
        self.is_in_jest_table.set(was_in_table);
        rows.retain(|row| !row.cells.is_empty());

        let mut widths: Vec<usize> = Vec::new();
        for row in rows.iter().filter(|row| !row.has_newline) {
            widths.resize(widths.len().max(row.cells.len()), 0);
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(text_width(cell));
            }
        }
        let lines: Vec<_> = rows.iter().map(|row| self.jest_row(row, &widths)).collect();
        let table = docs!(self, Doc::HARDLINE, self.join(Doc::HARDLINE, &lines));
        Some(docs!(
            self,
            Doc::LineSuffixBoundary,
            "`",
            self.indent(table),
            Doc::HARDLINE,
            "`",
        ))
    }

    fn jest_row(&self, row: &Row, widths: &[usize]) -> Doc<'a> {
        let mut parts = Vec::with_capacity(row.cells.len());
        for (index, cell) in row.cells.iter().enumerate() {
            if row.has_newline {
                let lines: Vec<_> = cell.split('\n').map(|line| self.text(line)).collect();
                parts.push(self.join(Doc::LITERALLINE, &lines));
            } else {
                let width = widths.get(index).copied().unwrap_or_default();
                let blanks = " ".repeat(width.saturating_sub(text_width(cell)));
                parts.push(docs!(self, self.text(cell), self.text(&blanks)));
            }
        }
        self.join(Doc::Text(" | "), &parts)
    }
}

fn is_test_name(name: &str) -> bool {
    let name = name.strip_prefix(['f', 'x']).unwrap_or(name);
    matches!(name, "describe" | "it" | "test")
}
