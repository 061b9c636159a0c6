//! Declarations.

use std::borrow::Cow;

use super::text::{last_line_has_comment, lower_name};
use super::value::Context;
use super::{Place, Printer};
use crate::css::dialect::Dialect;
use crate::css::parser::{self, Declaration, Kind};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn declaration(&self, declaration: &Declaration<'a>, place: Place<'_>) -> Doc<'a> {
        let between = declaration.between.trim();
        let is_colon = between == ":";
        let is_blank = declaration.value.trim().is_empty();
        let keeps_case = place.is_in_variable || place.is_icss;
        let name = match keeps_case {
            true => Cow::Borrowed(&*declaration.name),
            false => lower_name(&declaration.name),
        };
        let mut parts = vec![Doc::Text(declaration.hack), self.cow(name)];
        if between.starts_with("//") {
            parts.push(Doc::SPACE);
        }
        parts.push(self.docs.text(between));
        let extended = self.extended(declaration);
        let is_extend = self.dialect == Dialect::Less && has_extend(declaration.value);
        if !is_extend && !is_blank {
            parts.push(Doc::SPACE);
        }
        let mut value = match extended {
            Some(selector) => self.extend(selector, place),
            None if is_blank && declaration.name.starts_with("--") => Doc::Text(declaration.value),
            None if is_blank => Doc::NIL,
            None => self.declared_value(declaration, place, is_colon, between),
        };
        if declaration.name.eq_ignore_ascii_case("composes") {
            value = self.docs.remove_lines(value);
        }
        parts.push(value);
        self.flags(declaration, is_blank, &mut parts);
        match &declaration.block {
            Some(block) => {
                let place = Place {
                    is_in_variable: false,
                    ..place
                };
                parts.push(Doc::SPACE);
                parts.push(self.braces(block, place));
            }
            None => parts.push(";".into()),
        }
        self.docs.concat(&parts)
    }

    fn declared_value(
        &self,
        declaration: &Declaration<'a>,
        place: Place<'_>,
        is_colon: bool,
        between: &str,
    ) -> Doc<'a> {
        if declaration.name.starts_with("--") && declaration.value.starts_with('{') {
            return self.rule_value(declaration, place);
        }
        let text = without_flags(declaration.value);
        if text.starts_with("progid:") {
            return Doc::Text(text);
        }
        let context = Context {
            property: Some(&declaration.name),
            is_variable: false,
            place,
        };
        let value = self.value_of(text, &context);
        if !is_colon && last_line_has_comment(between) && !value.is_broken_list {
            let inner = self.docs.dedent(value.doc);
            return self.docs.indent(self.docs.concat(&[Doc::HARDLINE, inner]));
        }
        value.doc
    }

    /// A custom property whose value is a block of declarations.
    fn rule_value(&self, declaration: &Declaration<'a>, place: Place<'_>) -> Doc<'a> {
        let text = declaration.value.trim_end();
        let start = declaration.value_start;
        let range = start..start + text.len();
        let block = match text.ends_with('}') {
            true => parser::parse(&self.text[..range.end], start, self.dialect).ok(),
            false => None,
        };
        match block.as_deref() {
            Some([node]) if node.range == range => match &node.kind {
                Kind::Rule(rule) => self.braces(&rule.block, place),
                _ => Doc::Text(text),
            },
            _ => Doc::Text(text),
        }
    }

    /// The selector of `:extend()` in Less.
    fn extended(&self, declaration: &Declaration<'a>) -> Option<&'a str> {
        if self.dialect != Dialect::Less || declaration.between != ":" {
            return None;
        }
        let inner = declaration.value.trim_end().strip_prefix("extend(")?;
        Some(inner.strip_suffix(')').unwrap_or(inner))
    }

    fn extend(&self, selector: &'a str, place: Place<'_>) -> Doc<'a> {
        let printed = self.selector(selector, place);
        let docs = &self.docs;
        if !printed.is_list {
            return docs.concat(&["extend(".into(), printed.doc, ")".into()]);
        }
        let inner = docs.indent(docs.concat(&[Doc::SOFTLINE, printed.doc]));
        docs.group(docs.concat(&["extend(".into(), inner, Doc::SOFTLINE, ")".into()]))
    }

    /// `!important`, and the `!default` and `!global` of SCSS.
    fn flags(&self, declaration: &Declaration<'a>, is_blank: bool, parts: &mut Vec<Doc<'a>>) {
        if let Some(important) = declaration.important {
            let word = important.trim_start().trim_start_matches('!').trim_start();
            let comments = word.get("important".len()..).unwrap_or_default();
            parts.push(if is_blank {
                "!important".into()
            } else {
                " !important".into()
            });
            parts.push(Doc::Text(comments));
        }
        for (flag, printed) in [("!default", " !default"), ("!global", " !global")] {
            let Some(start) = flag_start(declaration.value, flag) else {
                continue;
            };
            let rest = &declaration.value[start + flag.len()..];
            parts.push(printed.into());
            parts.push(Doc::Text(if rest.trim().is_empty() { "" } else { rest }));
            if flag == "!default" {
                return;
            }
        }
    }
}

/// Where a flag of SCSS starts, if nothing but its line follows.
fn flag_start(value: &str, flag: &str) -> Option<usize> {
    value
        .find(flag)
        .filter(|start| !value[*start..].contains('\n'))
}

/// Whether a value of Less contains a call of `extend()`.
fn has_extend(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let arguments = lower.split_once("extend(").map_or("", |(_, rest)| rest);
    arguments.rfind(')').is_some_and(|end| end > 0)
}

fn without_flags(value: &str) -> &str {
    let default = flag_start(value, "!default").unwrap_or(value.len());
    let value = &value[..default];
    value[..flag_start(value, "!global").unwrap_or(value.len())].trim()
}
