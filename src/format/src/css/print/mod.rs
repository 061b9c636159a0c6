//! Prints a stylesheet as prettier does.

mod at_rule;
mod declaration;
mod gap;
mod layout;
mod list;
mod media;
mod selector;
mod sequence;
mod text;
mod value;

use std::borrow::Cow;

use bumpalo::Bump;

use super::dialect::Dialect;
use super::is_same;
use super::parser::{Kind, Node, Rule};
use crate::doc::{self, Doc, DocBuilder, PrintOptions};

/// A stylesheet without its front matter.
#[derive(Clone, Copy)]
pub(super) struct Sheet<'t> {
    pub(super) text: &'t str,
    pub(super) block: &'t [Node<'t>],
    pub(super) dialect: Dialect,
    pub(super) options: PrintOptions,
}

impl Sheet<'_> {
    /// Prints the statements. Those that start at one of the `kept` positions keep their bytes.
    pub(super) fn print(self, kept: &[usize]) -> String {
        let arena = Bump::new();
        let printer = Printer {
            docs: DocBuilder::new(&arena),
            arena: &arena,
            text: self.text,
            dialect: self.dialect,
            kept,
        };
        let doc = printer.block(self.block, Place::default());
        doc::print(doc, self.options)
    }

    /// The positions of the top-level statements whose meaning would change.
    pub(super) fn changed(self) -> Vec<usize> {
        let is_changed = |at: &usize| {
            let block = &self.block[*at..self.end_with_comments(*at)];
            let (Some(first), Some(last)) = (block.first(), block.last()) else {
                return false;
            };
            let printed = Sheet { block, ..self }.print(&[]);
            let source = &self.text[first.range.start..last.range.end];
            !is_same(source, &printed, self.dialect)
        };
        let changed = (0..self.block.len()).filter(is_changed);
        changed.map(|at| self.block[at].range.start).collect()
    }

    /// The index after a statement and the comments that follow it on its last line.
    fn end_with_comments(self, at: usize) -> usize {
        let is_beside = |pair: &[Node<'_>]| {
            let gap = &self.text[pair[0].range.end..pair[1].range.start];
            matches!(pair[1].kind, Kind::Comment { .. }) && !gap.contains('\n')
        };
        let following = self.block[at..].windows(2);
        at + 1 + following.take_while(|pair| is_beside(pair)).count()
    }
}

struct Printer<'a> {
    docs: DocBuilder<'a>,
    arena: &'a Bump,
    /// The source.
    text: &'a str,
    dialect: Dialect,
    /// The positions of the top-level statements that keep their bytes.
    kept: &'a [usize],
}

/// What is around a statement.
#[derive(Clone, Copy, Default)]
struct Place<'p> {
    /// The name of the innermost at-rule.
    at_rule: Option<&'p str>,
    /// Whether the statement is directly in the block of a Less variable.
    is_in_variable: bool,
    /// Whether it is in `:import` or `:export` of CSS modules, whose names keep their case.
    is_icss: bool,
    /// Whether the innermost rule has nested properties of SCSS.
    is_nested_property: bool,
}

impl Place<'_> {
    fn is_in(self, names: &[&str]) -> bool {
        let at_rule = self.at_rule.unwrap_or_default();
        names.iter().any(|name| at_rule.eq_ignore_ascii_case(name))
    }

    /// Whether the innermost at-rule is a loop or a condition of SCSS.
    fn is_control(self, dialect: Dialect) -> bool {
        let names = ["if", "else", "for", "each", "while"];
        dialect == Dialect::Scss && self.at_rule.is_some_and(|name| names.contains(&name))
    }
}

impl<'a> Printer<'a> {
    fn cow(&self, text: Cow<'_, str>) -> Doc<'a> {
        self.docs.text(&text)
    }

    /// A block with its braces.
    fn braces(&self, block: &[Node<'a>], place: Place<'_>) -> Doc<'a> {
        let contents = if block.is_empty() {
            Doc::NIL
        } else {
            let statements = self.block(block, place);
            self.docs
                .indent(self.docs.concat(&[Doc::HARDLINE, statements]))
        };
        self.docs
            .concat(&["{".into(), contents, Doc::HARDLINE, "}".into()])
    }

    fn rule(&self, rule: &Rule<'a>, place: Place<'_>) -> Doc<'a> {
        let selector = rule.selector;
        let is_icss = selector.starts_with(":import") || selector.starts_with(":export");
        let place = Place {
            is_in_variable: false,
            is_icss: place.is_icss || is_icss,
            is_nested_property: self.is_nested_property(selector),
            ..place
        };
        let mut parts = Vec::with_capacity(4);
        let mut is_unknown = false;
        if !selector.is_empty() {
            let printed = self.rule_selector(selector, place);
            parts.push(printed.doc);
            let has_comment = printed.is_unknown && text::last_line_has_comment(selector);
            parts.push(if has_comment { Doc::LINE } else { Doc::SPACE });
            is_unknown = printed.is_unknown;
        }
        parts.push(self.braces(&rule.block, place));
        // A detached ruleset of Less that is read as a rule.
        let is_variable =
            selector.starts_with('@') && selector[1..].find(':').is_some_and(|at| at > 0);
        if is_unknown && is_variable && selector.lines().count() == 1 {
            parts.push(";".into());
        }
        self.docs.concat(&parts)
    }

    /// Whether `selector` is a property of SCSS with nested properties, such as `font:`.
    fn is_nested_property(&self, selector: &str) -> bool {
        if self.dialect != Dialect::Scss || !selector.contains(':') {
            return false;
        }
        let without = |text: &str, open: &str, close: &str| match text.split_once(open) {
            Some((before, rest)) => match rest.split_once(close) {
                Some((_, after)) => format!("{before}{after}"),
                None => text.to_owned(),
            },
            None => text.to_owned(),
        };
        let selector = without(selector, "/*", "*/");
        without(&selector, "//", "\n").trim_end().ends_with(':')
    }
}
