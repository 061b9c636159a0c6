//! At-rules.

use super::text::{last_line_has_comment, lower_name};
use super::value::Context;
use super::{Place, Printer};
use crate::css::dialect::Dialect;
use crate::css::parser::{AtRule, Form};
use crate::doc::Doc;

/// At-rules whose parameters are a value.
const VALUE_RULES: [&str; 14] = [
    "namespace",
    "supports",
    "if",
    "else",
    "for",
    "each",
    "while",
    "debug",
    "mixin",
    "include",
    "function",
    "return",
    "define-mixin",
    "add-mixin",
];

/// The printed parameters of an at-rule.
enum Params<'a> {
    None,
    /// After a space.
    Plain(Doc<'a>),
    /// Ends in a line comment.
    Commented(Doc<'a>),
    /// A value that may have a line after it.
    Value {
        doc: Doc<'a>,
        is_parenthesized: bool,
    },
}

impl<'a> Printer<'a> {
    pub(super) fn at_rule(&self, rule: &AtRule<'a>, outer: Place<'_>) -> Doc<'a> {
        let place = Place {
            at_rule: Some(rule.name),
            is_in_variable: matches!(rule.form, Form::Variable { .. }),
            ..outer
        };
        match rule.form {
            Form::Plain => self.plain_at_rule(rule, place),
            Form::Variable { value, comments } => self.variable(rule, value, comments, place),
            Form::Mixin { call, is_important } => {
                let important = if is_important { " !important" } else { "" };
                let call = self.selector(call, place).doc;
                self.docs.concat(&[call, important.into(), ";".into()])
            }
            Form::Function => {
                let docs = &self.docs;
                docs.concat(&[Doc::Text(rule.name), Doc::Text(rule.params), ";".into()])
            }
        }
    }

    fn variable(
        &self,
        rule: &AtRule<'a>,
        value: &'a str,
        comments: &'a str,
        place: Place<'_>,
    ) -> Doc<'a> {
        let mut parts = vec!["@".into(), Doc::Text(rule.name)];
        let after_name = rule.after_name.trim();
        if !after_name.is_empty() {
            parts.extend([Doc::SPACE, Doc::Text(after_name)]);
        }
        parts.push(": ".into());
        if !value.is_empty() {
            let context = Context {
                property: None,
                is_variable: true,
                place,
            };
            parts.extend([self.value_of(value, &context).doc, Doc::LineSuffixBoundary]);
        }
        if !comments.is_empty() {
            let is_after_value = rule.block.is_none();
            let (before, after) = if is_after_value { (" ", "") } else { ("", " ") };
            parts.extend([before.into(), Doc::Text(comments), after.into()]);
        }
        if let Some(block) = &rule.block {
            parts.push(self.braces(block, place));
        }
        parts.push(";".into());
        self.docs.concat(&parts)
    }

    fn plain_at_rule(&self, rule: &AtRule<'a>, place: Place<'_>) -> Doc<'a> {
        let is_call = rule
            .params
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .is_some_and(|inner| inner.trim().is_empty());
        let mut parts = vec!["@".into()];
        parts.push(if is_call || rule.name.ends_with(':') {
            Doc::Text(rule.name)
        } else {
            self.cow(lower_name(rule.name))
        });
        let is_control = place.is_control(self.dialect);
        let mut brace_gap = if is_control { Doc::NIL } else { Doc::SPACE };
        match self.params(rule, place) {
            Params::None if rule.name == "else" => parts.push(Doc::SPACE),
            Params::None => {}
            Params::Plain(doc) if is_call => parts.push(doc),
            Params::Plain(doc) => parts.extend([Doc::SPACE, doc]),
            Params::Commented(doc) => {
                parts.extend([Doc::SPACE, doc]);
                brace_gap = Doc::LINE;
            }
            Params::Value {
                doc,
                is_parenthesized,
            } => {
                let gap = match is_control {
                    true if is_parenthesized => Doc::SPACE,
                    true => Doc::LINE,
                    false => Doc::NIL,
                };
                let docs = &self.docs;
                parts.push(docs.group(docs.concat(&[Doc::SPACE, doc, gap])));
            }
        }
        match &rule.block {
            Some(block) => parts.extend([brace_gap, self.braces(block, place)]),
            None if rule.name == "import" && rule.params.ends_with(';') => {}
            None => parts.push(";".into()),
        }
        self.docs.concat(&parts)
    }

    fn params(&self, rule: &AtRule<'a>, place: Place<'_>) -> Params<'a> {
        let params = rule.params;
        if params.is_empty() {
            return Params::None;
        }
        let context = Context {
            property: None,
            is_variable: false,
            place,
        };
        match rule.name {
            "warn" | "error" => return Params::Plain(Doc::Text(params)),
            "extend" | "nest" => return self.selector_params(params, place),
            "at-root" => {
                let is_query = params
                    .strip_prefix('(')
                    .filter(|_| params.ends_with(')'))
                    .and_then(|rest| {
                        let rest = rest.trim_start();
                        rest.strip_prefix("without")
                            .or_else(|| rest.strip_prefix("with"))
                    })
                    .is_some_and(|rest| rest.trim_start().starts_with(':'));
                return match is_query {
                    true => Params::Plain(self.value_of(params, &context).doc),
                    false => self.selector_params(params, place),
                };
            }
            "custom-selector" if self.dialect == Dialect::Css => {
                if let Some(params) = self.custom_selector(params, place) {
                    return params;
                }
            }
            name if VALUE_RULES.contains(&name) => {
                let params = self.arena.alloc_str(&normalized(params));
                let value = self.value_of(params, &context);
                return Params::Value {
                    doc: value.doc,
                    is_parenthesized: value.is_parenthesized,
                };
            }
            _ => {}
        }
        match rule.name.to_ascii_lowercase().as_str() {
            "import" | "use" | "forward" => Params::Plain(self.value_of(params, &context).doc),
            "media" | "custom-media" if !params.contains("#{") => Params::Plain(self.media(params)),
            _ if last_line_has_comment(params) => Params::Commented(Doc::Text(params)),
            _ => Params::Plain(Doc::Text(params)),
        }
    }

    fn selector_params(&self, params: &'a str, place: Place<'_>) -> Params<'a> {
        let printed = self.selector(params, place);
        let doc = self.docs.indent(printed.doc);
        if printed.is_unknown && last_line_has_comment(params) {
            Params::Commented(doc)
        } else {
            Params::Plain(doc)
        }
    }

    /// The name and the selectors of `@custom-selector`.
    fn custom_selector(&self, params: &'a str, place: Place<'_>) -> Option<Params<'a>> {
        let start = params.find(":--")?;
        let rest = &params[start..];
        let end = start + rest.find(char::is_whitespace)?;
        let name = Doc::Text(&params[start..end]);
        let before = self.docs.concat(&[name, Doc::LINE]);
        let printed = self.selector_after(before, params[end..].trim(), place);
        Some(Params::Plain(self.docs.indent(printed.doc)))
    }
}

/// Removes the space before `...` and between a name and its arguments.
fn normalized(params: &str) -> String {
    let mut text = params.to_owned();
    if let Some(points) = text.find("...") {
        let before = text[..points].trim_end();
        let name = before
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        if name.contains('$') {
            let end = before.len();
            text.replace_range(end..points, "");
        }
    }
    let name = text.find(|char: char| matches!(char, '"' | '\'' | '(') || char.is_whitespace());
    if let Some(end) = name.filter(|end| *end > 0 && !text.starts_with("if")) {
        let blanks = text[end..].len() - text[end..].trim_start().len();
        if blanks > 0 && text[end + blanks..].starts_with('(') {
            let blank = text[end..end + blanks].to_owned();
            text.replace_range(end..=end + blanks, &format!("({blank}"));
        }
    }
    text
}
