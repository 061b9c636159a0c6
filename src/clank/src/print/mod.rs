//! Prints a tree as canonical text: ASCII spellings, two spaces, lines of 80 columns.
//!
//! The author's comments, empty lines, parentheses and spelling of literals are kept where no rule
//! overrides them.

mod comments;
mod decl;
mod doc;
mod expr;
mod literal;
mod stmt;
mod types;

pub use literal::string_text;

use fixpoint_text::Span;

use crate::ast::{Ast, Expr};
use crate::json::meaning;
use crate::lex::lex;
use crate::parse::{Parse, parse};
use crate::source::Source;
use crate::syntax::SyntaxError;
use comments::{Comment, comments};
use doc::Doc;

/// The canonical text of a source, or its syntax errors.
pub fn format(file: &str, text: &str) -> Result<String, Vec<SyntaxError>> {
    let Parse { ast, errors, .. } = parse(file, text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut printer = Printer {
        source: &ast.source,
        comments: comments(text, &lex(text)),
        next_comment: 0,
        doc: Doc::default(),
    };
    printer.program(ast.own(&ast.program));
    Ok(printer.doc.render())
}

/// The text of a program without comments; `None` if no text means the same program. An empty record
/// literal has no text form, for example.
pub fn exact_text(ast: &Ast) -> Option<String> {
    let text = program_text(ast);
    let parsed = parse("", &text);
    let mut own = ast.clone();
    own.program.declarations = ast.own(&ast.program).to_vec();
    (parsed.errors.is_empty() && meaning(&parsed.ast) == meaning(&own)).then_some(text)
}

/// The text of a program without comments, which only the source contains. A node without a text form
/// is printed in a form that readers understand.
pub fn program_text(ast: &Ast) -> String {
    let mut printer = Printer::without_comments(&ast.source);
    printer.program(ast.own(&ast.program));
    printer.doc.render()
}

/// An expression as text, on as few lines as possible.
pub fn expr_text(expr: &Expr) -> String {
    let nowhere = Source::new("", "");
    let mut printer = Printer::without_comments(&nowhere);
    printer.expr(expr);
    let mut text = printer.doc.render();
    text.truncate(text.trim_end().len());
    text
}

struct Printer<'a> {
    source: &'a Source,
    comments: Vec<Comment>,
    next_comment: usize,
    doc: Doc<'a>,
}

impl<'a> Printer<'a> {
    fn without_comments(source: &'a Source) -> Self {
        Self {
            source,
            comments: Vec::new(),
            next_comment: 0,
            doc: Doc::default(),
        }
    }

    /// The next comment, if it starts before an offset.
    fn comment_before(&mut self, offset: usize) -> Option<Comment> {
        let comment = self.comments.get(self.next_comment).copied();
        let comment = comment.filter(|it| it.span.start() < offset)?;
        self.next_comment += 1;
        Some(comment)
    }

    fn comment_text(&self, comment: Comment) -> &'a str {
        self.source.slice(comment.span).trim_end()
    }

    /// Prints comments inside a line, before a node.
    fn inline_comments(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        while let Some(comment) = self.comment_before(span.start()) {
            self.inline_comment(comment);
            if !comment.ends_line {
                self.doc.text(" ");
            }
        }
    }

    /// Prints a comment after the previous text. It stays on that line, unless the author put it on
    /// another one.
    fn inline_comment(&mut self, comment: Comment) {
        if comment.ends_line && !comment.trailing {
            self.doc.break_line();
        } else {
            self.doc.space();
        }
        let text = self.comment_text(comment);
        self.doc.text(text);
        if comment.ends_line {
            self.doc.hard_line();
        }
    }

    /// Prints comments that follow the previous text on its line.
    fn trailing_comments(&mut self, before: usize) {
        while let Some(comment) = self.comments.get(self.next_comment).copied() {
            // The comment must be on the line of the previous item, or right after such a comment.
            if comment.span.start() >= before || !comment.trailing {
                break;
            }
            self.next_comment += 1;
            let text = self.comment_text(comment);
            self.doc.text(" ");
            self.doc.text(text);
            if comment.ends_line {
                break;
            }
        }
    }

    /// Prints comments on lines of their own before the item at an offset, each after a line break.
    /// With `alone`, an empty line precedes the first one.
    fn break_and_comments(&mut self, first: bool, start: usize, blank: bool, alone: bool) {
        let (mut first, mut alone) = (first, alone);
        while let Some(comment) = self.comment_before(start) {
            self.item_break(first, comment.blank_before || alone);
            (first, alone) = (false, false);
            let text = self.comment_text(comment);
            self.doc.text(text);
        }
        self.item_break(first, blank || alone);
    }

    /// Prints the remaining comments after the last item, up to an offset.
    fn last_comments(&mut self, first: bool, end: usize) {
        self.trailing_comments(end);
        let mut first = first;
        while let Some(comment) = self.comment_before(end) {
            self.item_break(first, comment.blank_before);
            first = false;
            let text = self.comment_text(comment);
            self.doc.text(text);
        }
    }

    fn item_break(&mut self, first: bool, blank: bool) {
        if blank && !first {
            self.doc.blank_line();
        } else {
            self.doc.hard_line();
        }
    }

    /// Whether the author left an empty line before an offset.
    fn blank_before(&self, offset: usize) -> bool {
        let before = self.source.text().get(..offset).unwrap_or_default();
        let gap = before.len() - before.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let gap = before.get(before.len() - gap..).unwrap_or_default();
        gap.matches('\n').count() > 1
    }

    /// Prints items on lines of their own between braces, with their comments. `span` is the span
    /// of an item's text. An empty line before it is kept if the position is known.
    fn lines<T>(
        &mut self,
        items: &[T],
        close: usize,
        (span, keeps_blank): (fn(&T) -> Span, bool),
        mut item: impl FnMut(&mut Self, &T),
    ) {
        self.doc.indent();
        let mut first = true;
        for it in items {
            let start = span(it).start();
            self.trailing_comments(start);
            let blank = keeps_blank && self.blank_before(start);
            self.break_and_comments(first, start, blank, false);
            item(self, it);
            first = false;
        }
        self.last_comments(first, close);
        self.doc.dedent();
        self.doc.hard_line();
    }

    /// Whether there is a comment before an offset.
    fn has_comment_before(&self, offset: usize) -> bool {
        let next = self.comments.get(self.next_comment);
        next.is_some_and(|it| it.span.start() < offset)
    }

    /// Prints `open a, b, c close` on one line, or each item on its own line. `start` is the offset
    /// of an item's text.
    fn sequence<T>(
        &mut self,
        open: &'static str,
        items: &[T],
        close: &'static str,
        end: usize,
        start: fn(&T) -> usize,
        item: impl FnMut(&mut Self, &T),
    ) {
        self.doc.text(open);
        if items.is_empty() && !self.has_comment_before(end) {
            self.doc.text(close);
            return;
        }
        self.doc.open();
        self.doc.indent();
        self.doc.soft_line();
        self.separated(items, start, item);
        self.closing_comments(end);
        self.doc.dedent();
        self.doc.soft_line();
        self.doc.close();
        self.doc.text(close);
    }

    /// Prints `a, b, c`, broken after each comma or after none.
    fn separated<T>(
        &mut self,
        items: &[T],
        start: fn(&T) -> usize,
        mut item: impl FnMut(&mut Self, &T),
    ) {
        for (at, it) in items.iter().enumerate() {
            if at > 0 {
                self.comma(start(it));
            }
            item(self, it);
        }
    }

    /// Prints the comma before the item at an offset, with the comments of the previous item. These
    /// are the comments before the comma, and those followed by a line break before the next item.
    fn comma(&mut self, next: usize) {
        let is_before_comma = |it: &Comment| {
            let after = self.source.text().get(it.span.end()..);
            after.is_some_and(|it| it.trim_start().starts_with(','))
        };
        let rest = self.comments.get(self.next_comment..).unwrap_or_default();
        let rest = rest.iter().take_while(|it| it.span.start() < next);
        let beside: Vec<Comment> = rest.take_while(|it| it.trailing).copied().collect();
        let up_to_line_end = beside.iter().position(|it| it.ends_line);
        let mut in_line = beside.iter().take(up_to_line_end.unwrap_or(beside.len()));
        let before_comma = in_line.rposition(is_before_comma);
        let before_comma = before_comma.map_or(0, |at| at + 1);
        let ends_line = up_to_line_end.is_some();
        let own = up_to_line_end.map_or(before_comma, |at| at + 1);
        self.next_comment += own;
        for (at, comment) in beside.into_iter().take(own).enumerate() {
            if at == before_comma {
                self.doc.text(",");
            }
            self.doc.text(" ");
            let text = self.comment_text(comment);
            self.doc.text(text);
        }
        if own == before_comma {
            self.doc.text(",");
        }
        if ends_line {
            self.doc.hard_line();
        } else {
            self.doc.line();
        }
    }

    /// Prints comments between the last item of a list and its end.
    fn closing_comments(&mut self, end: usize) {
        while let Some(comment) = self.comment_before(end) {
            self.inline_comment(comment);
        }
    }
}
