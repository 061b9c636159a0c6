//! Blocks and lists of statements.

use oxc_ast::AstKind;
use oxc_ast::ast::{Directive, Statement};

use super::kind::ToKind;
use super::{Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a block in braces: `{ }` of a statement, function or namespace.
    pub(super) fn print_block(
        &self,
        node: AstKind<'a>,
        directives: &'a [Directive<'a>],
        statements: &'a [Statement<'a>],
    ) -> Doc<'a> {
        let contents = self.print_block_contents(node, directives, statements);
        let open = match node {
            AstKind::StaticBlock(_) => "static {",
            _ => "{",
        };
        if let Some(contents) = contents {
            let indented = self.indent(docs!(self, Doc::HARDLINE, contents));
            return docs!(self, open, indented, Doc::HARDLINE, "}");
        }
        if self.keeps_empty_block_closed(node) {
            docs!(self, open, "}")
        } else {
            docs!(self, open, Doc::HARDLINE, "}")
        }
    }

    /// Whether an empty block is `{}`. Other ones are on two lines.
    fn keeps_empty_block_closed(&self, node: AstKind<'a>) -> bool {
        if matches!(
            node,
            AstKind::FunctionBody(_) | AstKind::StaticBlock(_) | AstKind::TSModuleBlock(_)
        ) {
            return true;
        }
        let parent = self.parent(node);
        match parent {
            AstKind::ForStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_) => true,
            AstKind::CatchClause(_) => {
                matches!(self.parent(parent), AstKind::TryStatement(statement)
                    if statement.finalizer.is_none())
            }
            _ => false,
        }
    }

    /// The directives, statements and comments of a block, if there are any.
    pub(super) fn print_block_contents(
        &self,
        node: AstKind<'a>,
        directives: &'a [Directive<'a>],
        statements: &'a [Statement<'a>],
    ) -> Option<Doc<'a>> {
        let has_statements = statements
            .iter()
            .any(|statement| !matches!(statement, Statement::EmptyStatement(_)));
        let has_dangling = self.comments.has_dangling(node);
        let mut parts = Vec::new();
        if let Some(last) = directives.last() {
            for (index, directive) in directives.iter().enumerate() {
                parts.push(self.print(directive.kind()));
                if index + 1 < directives.len() {
                    parts.push(Doc::HARDLINE);
                    if self.is_next_line_empty(directive.kind()) {
                        parts.push(Doc::HARDLINE);
                    }
                }
            }
            if has_statements || has_dangling {
                parts.push(Doc::HARDLINE);
                if self.is_next_line_empty(last.kind()) {
                    parts.push(Doc::HARDLINE);
                }
            }
        }
        if has_statements {
            parts.push(self.print_statements(statements));
        }
        if has_dangling {
            parts.push(self.dangling_comments(node));
        }
        (!parts.is_empty()).then(|| self.concat(&parts))
    }

    /// Prints statements on lines of their own, with the empty lines between them.
    pub(super) fn print_statements(&self, statements: &'a [Statement<'a>]) -> Doc<'a> {
        let statements: Vec<_> = statements
            .iter()
            .filter(|statement| !matches!(statement, Statement::EmptyStatement(_)))
            .map(ToKind::kind)
            .collect();
        let mut parts = Vec::with_capacity(statements.len() * 2);
        for (index, statement) in statements.iter().enumerate() {
            parts.push(self.print(*statement));
            if index + 1 < statements.len() {
                parts.push(Doc::HARDLINE);
                if self.is_next_line_empty(*statement) {
                    parts.push(Doc::HARDLINE);
                }
            }
        }
        self.concat(&parts)
    }
}
