//! Prints statements and blocks.

use super::Printer;
use crate::ast::{Block, BlockNode, Stmt, StmtKind};
use crate::print::string_text;
use fixpoint_text::Span;

enum Item<'b> {
    Stmt(&'b Stmt),
    Tail(&'b crate::ast::Expr),
}

impl Printer<'_> {
    pub(super) fn block_on_lines(&mut self, block: &BlockNode) {
        self.items_on_lines(&block.kind, block.span);
    }

    /// Prints a block. It stays on one line if it only contains a short value.
    pub(super) fn block(&mut self, block: &Block, span: Span) {
        let Some(tail) = block.tail.as_ref().filter(|_| block.statements.is_empty()) else {
            return self.items_on_lines(block, span);
        };
        if self.has_comment_before(span.end()) {
            return self.items_on_lines(block, span);
        }
        self.doc.text("{");
        self.doc.indent();
        self.doc.line();
        self.expr(tail);
        self.doc.dedent();
        self.doc.line();
        self.doc.text("}");
    }

    fn items_on_lines(&mut self, block: &Block, span: Span) {
        let statements = block.statements.iter().map(Item::Stmt);
        let tail = block.tail.iter().map(|tail| Item::Tail(tail));
        let items: Vec<Item<'_>> = statements.chain(tail).collect();
        self.doc.text("{");
        if items.is_empty() && !self.has_comment_before(span.end()) {
            self.doc.text("}");
            return;
        }
        let place = |item: &Item<'_>| match item {
            Item::Stmt(statement) => statement.span,
            Item::Tail(tail) => tail.span,
        };
        self.lines(&items, span.end(), (place, true), |it, item| match item {
            Item::Stmt(statement) => {
                it.statement(statement);
                it.doc.text(";");
            }
            Item::Tail(tail) => it.expr_in_line(tail),
        });
        self.doc.text("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let {
                pattern,
                ty,
                mutable,
                init,
            } => {
                self.doc.text(if *mutable { "let mut " } else { "let " });
                self.pattern(pattern);
                if let Some(ty) = ty {
                    self.doc.text(": ");
                    self.type_expr(ty);
                }
                self.doc.text(" = ");
                self.expr_in_line(init);
            }
            StmtKind::Assign { target, value } => {
                self.expr(target);
                self.doc.text(" = ");
                self.expr_in_line(value);
            }
            StmtKind::Expr(expr) => self.expr_in_line(expr),
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => {
                self.doc.text("for ");
                self.pattern(pattern);
                self.doc.text(" in ");
                self.expr(iterable);
                self.doc.text(" ");
                self.block_on_lines(body);
            }
            StmtKind::While { condition, body } => {
                self.doc.text("while ");
                self.expr(condition);
                self.doc.text(" ");
                self.block_on_lines(body);
            }
            StmtKind::Loop(body) => {
                self.doc.text("loop ");
                self.block_on_lines(body);
            }
            StmtKind::Return(value) => {
                self.doc.text("return");
                if let Some(value) = value {
                    self.doc.text(" ");
                    self.expr_in_line(value);
                }
            }
            StmtKind::Break => self.doc.text("break"),
            StmtKind::Continue => self.doc.text("continue"),
            StmtKind::Assert { condition, message } => {
                self.doc.text("assert ");
                self.expr_in_line(condition);
                if let Some(message) = message {
                    self.doc.text(format!(" : {}", string_text(message)));
                }
            }
        }
    }
}
