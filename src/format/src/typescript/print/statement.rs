//! Statements.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ForStatement, IfStatement, LabeledStatement, Statement, SwitchCase, SwitchStatement,
    TryStatement, UnaryExpression, VariableDeclaration,
};
use oxc_syntax::operator::UnaryOperator;

use super::comments::{Comment, Role};
use super::kind::ToKind;
use super::nodes::{is_binaryish, is_block};
use super::{Printer, docs, scan};
use crate::doc::{Align, Doc};

impl<'a> Printer<'a> {
    pub(super) fn print_statement(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::Program(program) => {
                match self.print_block_contents(node, &program.directives, &program.body) {
                    Some(contents) => docs!(self, contents, Doc::HARDLINE),
                    None => Doc::NIL,
                }
            }
            AstKind::BlockStatement(block) => self.print_block(node, &[], &block.body),
            AstKind::FunctionBody(body) => {
                self.print_block(node, &body.directives, &body.statements)
            }
            AstKind::EmptyStatement(_) => Doc::Text(";"),
            AstKind::Directive(_) => self.print_directive(node),
            AstKind::ExpressionStatement(it) => {
                docs!(self, self.print(it.expression.kind()), self.semicolon())
            }
            AstKind::VariableDeclaration(it) => self.print_variables(it),
            AstKind::VariableDeclarator(it) => {
                let mark = if it.definite { "!" } else { "" };
                let left = self.print_typed_pattern(&it.id, mark, it.type_annotation.as_deref());
                self.print_assignment(node, left, " =", it.init.as_ref().map(ToKind::kind))
            }
            AstKind::IfStatement(it) => self.print_if(it),
            AstKind::ForStatement(it) => self.print_for(it),
            AstKind::ForInStatement(it) => self.group(docs!(
                self,
                "for (",
                self.print(it.left.kind()),
                self.align(Align::Spaces(1), Doc::LineSuffixBoundary),
                " in ",
                self.print(it.right.kind()),
                ")",
                self.print_clause(&it.body, node),
            )),
            AstKind::ForOfStatement(it) => self.group(docs!(
                self,
                if it.r#await { "for await (" } else { "for (" },
                self.print(it.left.kind()),
                self.align(Align::Spaces(1), Doc::LineSuffixBoundary),
                " of ",
                self.print(it.right.kind()),
                ")",
                self.print_clause(&it.body, node),
            )),
            AstKind::WhileStatement(it) => self.group(docs!(
                self,
                "while (",
                self.print_condition(it.test.kind()),
                ")",
                self.print_clause(&it.body, node),
            )),
            AstKind::WithStatement(it) => self.group(docs!(
                self,
                "with (",
                self.print_condition(it.object.kind()),
                ")",
                self.print_clause(&it.body, node),
            )),
            AstKind::DoWhileStatement(it) => docs!(
                self,
                self.group(docs!(self, "do", self.print_clause(&it.body, node))),
                match it.body {
                    Statement::BlockStatement(_) => Doc::SPACE,
                    _ => Doc::HARDLINE,
                },
                "while (",
                self.print_condition(it.test.kind()),
                ")",
                self.semicolon(),
            ),
            AstKind::BreakStatement(it) => {
                let label = it.label.as_ref().map(ToKind::kind);
                self.print_jump("break", label)
            }
            AstKind::ContinueStatement(it) => {
                let label = it.label.as_ref().map(ToKind::kind);
                self.print_jump("continue", label)
            }
            AstKind::ReturnStatement(it) => docs!(
                self,
                "return",
                self.print_argument(it.argument.as_ref().map(ToKind::kind)),
                self.dangling_after_keyword(node),
                self.semicolon(),
            ),
            AstKind::ThrowStatement(it) => docs!(
                self,
                "throw",
                self.print_argument(Some(it.argument.kind())),
                self.semicolon(),
            ),
            AstKind::DebuggerStatement(_) => docs!(self, "debugger", self.semicolon()),
            AstKind::LabeledStatement(it) => self.print_labeled(it),
            AstKind::SwitchStatement(it) => self.print_switch(it),
            AstKind::SwitchCase(it) => self.print_case(it),
            AstKind::TryStatement(it) => self.print_try(it),
            AstKind::CatchClause(it) => {
                let body = self.print(it.body.kind());
                let Some(parameter) = &it.param else {
                    return docs!(self, "catch ", body);
                };
                let node = parameter.kind();
                let breaks = self.comments.any(node, |comment| {
                    !comment.is_block
                        || (comment.role == Role::Leading
                            && scan::has_newline(self.text, comment.end))
                        || (comment.role == Role::Trailing
                            && scan::has_newline_before(self.text, comment.start))
                });
                let parameter = self.print(node);
                if breaks {
                    let contents = self.indent(docs!(self, Doc::SOFTLINE, parameter));
                    docs!(self, "catch (", contents, Doc::SOFTLINE, ") ", body)
                } else {
                    docs!(self, "catch (", parameter, ") ", body)
                }
            }
            AstKind::CatchParameter(it) => {
                self.print_typed_pattern(&it.pattern, "", it.type_annotation.as_deref())
            }
            _ => self.source(node),
        }
    }

    fn dangling_after_keyword(&self, node: AstKind<'a>) -> Doc<'a> {
        if !self.comments.has_dangling(node) {
            return Doc::NIL;
        }
        docs!(self, " ", self.dangling_comments(node))
    }

    fn print_jump(&self, keyword: &'static str, label: Option<AstKind<'a>>) -> Doc<'a> {
        match label {
            Some(label) => docs!(self, keyword, " ", self.print(label), self.semicolon()),
            None => docs!(self, keyword, self.semicolon()),
        }
    }

    /// The argument of `return`, `throw` or `yield`, in parentheses if it would end before a line
    /// end.
    pub(super) fn print_argument(&self, argument: Option<AstKind<'a>>) -> Doc<'a> {
        let Some(argument) = argument else {
            return Doc::NIL;
        };
        let doc = self.print(argument);
        if self.has_leading_comment_in_argument(argument) {
            let contents = self.indent(docs!(self, Doc::HARDLINE, doc));
            return docs!(self, " (", contents, Doc::HARDLINE, ")");
        }
        if is_binaryish(argument) {
            let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
            return docs!(
                self,
                " ",
                self.group(docs!(
                    self,
                    self.if_break("(", ""),
                    contents,
                    Doc::SOFTLINE,
                    self.if_break(")", ""),
                )),
            );
        }
        docs!(self, " ", doc)
    }

    /// The condition of `if`, `while` or `with`.
    fn print_condition(&self, test: AstKind<'a>) -> Doc<'a> {
        let doc = self.print(test);
        if !self.comments.has(test) && is_negated_logical(test) {
            return doc;
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
        self.group(docs!(self, contents, Doc::SOFTLINE))
    }

    /// The body of a statement: on the same line if it is a block, otherwise indented.
    fn print_clause(&self, body: &'a Statement<'a>, parent: AstKind<'a>) -> Doc<'a> {
        let node = body.kind();
        let doc = self.print(node);
        if let Statement::EmptyStatement(_) = body {
            return match self.comments.has_leading(node) {
                true => docs!(self, " ", doc),
                false => doc,
            };
        }
        let is_block = is_block(node);
        let first = self
            .comments
            .of(node)
            .find(|comment| comment.role == Role::Leading);
        let has_line = |comment: &Comment| {
            scan::has_newline_in(self.text, comment.start, comment.end)
                || scan::has_newline_before(self.text, comment.start)
        };
        if first.is_some_and(has_line) {
            let doc = docs!(self, Doc::HARDLINE, doc);
            return match is_block {
                true => doc,
                false => self.indent(doc),
            };
        }
        let is_else_if = matches!(body, Statement::IfStatement(_))
            && matches!(parent, AstKind::IfStatement(outer)
            if outer.alternate.as_ref().is_some_and(|alternate| {
                super::tree::same(alternate.kind(), node)
            }));
        if is_block || is_else_if {
            docs!(self, " ", doc)
        } else {
            self.indent(docs!(self, Doc::LINE, doc))
        }
    }

    fn print_if(&self, statement: &'a IfStatement<'a>) -> Doc<'a> {
        let node = AstKind::IfStatement(statement);
        let opening = self.group(docs!(
            self,
            "if (",
            self.print_condition(statement.test.kind()),
            ")",
            self.print_clause(&statement.consequent, node),
        ));
        let Some(alternate) = &statement.alternate else {
            return opening;
        };
        let is_block = matches!(statement.consequent, Statement::BlockStatement(_));
        let mut parts = vec![opening];
        let mut is_on_same_line = is_block;
        if !is_block {
            parts.push(Doc::HARDLINE);
        }
        let dangling: Vec<_> = self
            .comments
            .of(node)
            .filter(|comment| comment.role == Role::Dangling)
            .collect();
        if let (Some(first), Some(last)) = (dangling.first(), dangling.last()) {
            if scan::is_previous_line_empty(self.text, first.start) {
                parts.push(Doc::HARDLINE);
                if is_block {
                    parts.push(Doc::HARDLINE);
                }
            } else if scan::has_newline_before(self.text, first.start) {
                if is_block {
                    parts.push(Doc::HARDLINE);
                }
            } else {
                parts.push(Doc::SPACE);
            }
            parts.push(self.dangling_comments(node));
            let ends_line = !last.is_block || scan::has_newline(self.text, last.end);
            parts.push(match ends_line {
                true => Doc::HARDLINE,
                false => Doc::SPACE,
            });
            is_on_same_line = false;
        }
        if is_on_same_line {
            parts.push(Doc::SPACE);
        }
        parts.push(Doc::Text("else"));
        parts.push(self.group(self.print_clause(alternate, node)));
        self.concat(&parts)
    }

    fn print_for(&self, statement: &'a ForStatement<'a>) -> Doc<'a> {
        let node = AstKind::ForStatement(statement);
        let body = self.print_clause(&statement.body, node);
        let comments = match self.comments.has_dangling(node) {
            true => docs!(self, self.dangling_comments(node), Doc::SOFTLINE),
            false => Doc::NIL,
        };
        if statement.init.is_none() && statement.test.is_none() && statement.update.is_none() {
            return docs!(self, comments, self.group(docs!(self, "for (;;)", body)));
        }
        let update = match &statement.update {
            Some(update) => docs!(self, Doc::LINE, self.print(update.kind())),
            None => Doc::NIL,
        };
        let head = self.indent(docs!(
            self,
            Doc::SOFTLINE,
            self.print_option(statement.init.as_ref().map(ToKind::kind)),
            ";",
            Doc::LINE,
            self.print_option(statement.test.as_ref().map(ToKind::kind)),
            ";",
            update,
        ));
        let head = self.group(docs!(self, head, Doc::SOFTLINE));
        docs!(
            self,
            comments,
            self.group(docs!(self, "for (", head, ")", body))
        )
    }

    fn print_variables(&self, declaration: &'a VariableDeclaration<'a>) -> Doc<'a> {
        let node = declaration.kind();
        let is_in_for = self.is_in_for(node);
        let has_value = declaration
            .declarations
            .iter()
            .any(|declarator| declarator.init.is_some());
        let mut parts = Vec::new();
        if declaration.declare {
            parts.push(Doc::Text("declare "));
        }
        parts.push(Doc::Text(declaration.kind.as_str()));
        let mut rest = Vec::new();
        for (index, declarator) in declaration.declarations.iter().enumerate() {
            let doc = self.print(declarator.kind());
            if index > 0 {
                let line = match has_value && !is_in_for {
                    true => Doc::HARDLINE,
                    false => Doc::LINE,
                };
                rest.extend([Doc::Text(","), line, doc]);
            } else if declaration.declarations.len() > 1 || self.comments.has(declarator.kind()) {
                parts.extend([Doc::SPACE, self.indent(doc)]);
            } else {
                parts.extend([Doc::SPACE, doc]);
            }
        }
        parts.push(self.indent(self.concat(&rest)));
        if !is_in_for {
            parts.push(Doc::Text(self.semicolon()));
        }
        self.group(self.concat(&parts))
    }

    fn print_labeled(&self, statement: &'a LabeledStatement<'a>) -> Doc<'a> {
        let body = statement.body.kind();
        let is_empty = matches!(statement.body, Statement::EmptyStatement(_))
            && !self.comments.has_leading(body);
        docs!(
            self,
            self.print(statement.label.kind()),
            if is_empty { ":" } else { ": " },
            self.print(body),
        )
    }

    fn print_switch(&self, statement: &'a SwitchStatement<'a>) -> Doc<'a> {
        let node = AstKind::SwitchStatement(statement);
        let discriminant = self.indent(docs!(
            self,
            Doc::SOFTLINE,
            self.print(statement.discriminant.kind())
        ));
        let head = self.group(docs!(self, "switch (", discriminant, Doc::SOFTLINE, ")"));
        let mut cases = Vec::new();
        let count = statement.cases.len();
        for (index, case) in statement.cases.iter().enumerate() {
            cases.push(Doc::HARDLINE);
            cases.push(self.print(case.kind()));
            if index + 1 < count && self.is_next_line_empty(case.kind()) {
                cases.push(Doc::HARDLINE);
            }
        }
        if cases.is_empty() && self.comments.has_dangling(node) {
            cases.extend([Doc::HARDLINE, self.dangling_comments(node)]);
        }
        docs!(
            self,
            head,
            " {",
            self.indent(self.concat(&cases)),
            Doc::HARDLINE,
            "}"
        )
    }

    fn print_case(&self, case: &'a SwitchCase<'a>) -> Doc<'a> {
        let node = case.kind();
        let mut parts = match &case.test {
            Some(test) => vec![Doc::Text("case "), self.print(test.kind()), Doc::Text(":")],
            None => vec![Doc::Text("default:")],
        };
        if self.comments.has_dangling(node) {
            parts.extend([Doc::SPACE, self.dangling_comments(node)]);
        }
        let mut statements = case
            .consequent
            .iter()
            .filter(|statement| !matches!(statement, Statement::EmptyStatement(_)));
        match (statements.next(), statements.next()) {
            (None, _) => {}
            (Some(Statement::BlockStatement(_)), None) => {
                parts.extend([Doc::SPACE, self.print_statements(&case.consequent)]);
            }
            _ => {
                let statements = self.print_statements(&case.consequent);
                parts.push(self.indent(docs!(self, Doc::HARDLINE, statements)));
            }
        }
        self.concat(&parts)
    }

    fn print_try(&self, statement: &'a TryStatement<'a>) -> Doc<'a> {
        let mut parts = vec![Doc::Text("try "), self.print(statement.block.kind())];
        if let Some(handler) = &statement.handler {
            parts.extend([Doc::SPACE, self.print(handler.kind())]);
        }
        if let Some(finalizer) = &statement.finalizer {
            parts.extend([Doc::Text(" finally "), self.print(finalizer.kind())]);
        }
        self.concat(&parts)
    }
}

/// `!(a && b)` or `!!(a && b)`.
fn is_negated_logical(node: AstKind<'_>) -> bool {
    fn negated<'a>(node: AstKind<'a>) -> Option<&'a UnaryExpression<'a>> {
        match node {
            AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot => {
                Some(unary)
            }
            _ => None,
        }
    }
    let Some(outer) = negated(node) else {
        return false;
    };
    let argument = outer.argument.kind();
    let argument = negated(argument).map_or(argument, |inner| inner.argument.kind());
    matches!(argument, AstKind::LogicalExpression(_))
}
