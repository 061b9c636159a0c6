//! Literals.

use std::borrow::Cow;

use oxc_ast::AstKind;
use oxc_span::GetSpan;

use super::{Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_literal(&self, node: AstKind<'a>) -> Doc<'a> {
        let raw = self.raw(node);
        match node {
            AstKind::StringLiteral(_) => self.print_string(raw),
            AstKind::NumericLiteral(_) => self.text_of(number(raw)),
            AstKind::BigIntLiteral(_) => self.text_of(lower(raw)),
            AstKind::RegExpLiteral(_) => self.print_regex(raw),
            _ => Doc::Text(raw),
        }
    }

    /// The source text of a token.
    pub(super) fn raw(&self, node: AstKind<'_>) -> &'a str {
        let span = node.span();
        &self.text[span.start as usize..span.end as usize]
    }

    /// Prints a string of the source, including its quotes, with the preferred quotes.
    pub(super) fn print_string(&self, raw: &'a str) -> Doc<'a> {
        let text = self.string_text(raw);
        if !text.contains('\n') {
            return self.text_of(text);
        }
        match text {
            Cow::Borrowed(text) => self.lines(text, Doc::LITERALLINE),
            Cow::Owned(text) => {
                let lines: Vec<_> = text.split('\n').map(|line| self.text(line)).collect();
                self.join(Doc::LITERALLINE, &lines)
            }
        }
    }

    /// A string of the source with the preferred quotes.
    pub(super) fn string_text<'s>(&self, raw: &'s str) -> Cow<'s, str> {
        let Some(content) = raw.get(1..raw.len().saturating_sub(1)) else {
            return Cow::Borrowed(raw);
        };
        let quote = preferred_quote(content, self.options.single_quote);
        if raw.starts_with(quote) {
            return Cow::Borrowed(raw);
        }
        Cow::Owned(requote(content, quote))
    }

    /// Directives keep their escapes, so their quotes change only if there are none inside.
    pub(super) fn print_directive(&self, node: AstKind<'a>) -> Doc<'a> {
        let AstKind::Directive(directive) = node else {
            return Doc::NIL;
        };
        let raw = self.raw(AstKind::StringLiteral(&directive.expression));
        let string = AstKind::StringLiteral(&directive.expression);
        let content = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let printed = if content.contains(['"', '\'']) {
            Doc::Text(raw)
        } else {
            let quote = if self.options.single_quote { "'" } else { "\"" };
            docs!(self, quote, content, quote)
        };
        docs!(self, self.with_comments(string, printed), self.semicolon())
    }

    fn print_regex(&self, raw: &'a str) -> Doc<'a> {
        let Some(end) = raw.rfind('/') else {
            return Doc::Text(raw);
        };
        let (pattern, flags) = raw.split_at(end + 1);
        if flags.as_bytes().is_sorted() {
            return Doc::Text(raw);
        }
        let mut flags: Vec<char> = flags.chars().collect();
        flags.sort_unstable();
        let flags: String = flags.into_iter().collect();
        docs!(self, pattern, self.text(&flags))
    }
}

/// The quote that needs fewer escapes.
pub(super) fn preferred_quote(content: &str, single_quote: bool) -> char {
    let (preferred, other) = if single_quote {
        ('\'', '"')
    } else {
        ('"', '\'')
    };
    if content.matches(preferred).count() > content.matches(other).count() {
        other
    } else {
        preferred
    }
}

fn requote(content: &str, quote: char) -> String {
    let other = if quote == '"' { '\'' } else { '"' };
    let mut text = String::with_capacity(content.len() + 2);
    text.push(quote);
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped) if escaped == other => text.push(other),
                Some(escaped) => text.extend(['\\', escaped]),
                None => text.push('\\'),
            },
            _ if character == quote => text.extend(['\\', quote]),
            _ => text.push(character),
        }
    }
    text.push(quote);
    text
}

fn lower(raw: &str) -> Cow<'_, str> {
    if raw.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(raw.to_ascii_lowercase())
    } else {
        Cow::Borrowed(raw)
    }
}

/// A number in its shortest form: no `+` and zeros in the exponent, and no zeros at the end of the
/// fraction.
pub(super) fn number(raw: &str) -> Cow<'_, str> {
    let text = lower(raw);
    let is_plain = text.len() == 1 || text.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'e' | b'+' | b'-'));
    if is_plain || !is_decimal {
        return text;
    }
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (&*text, None),
    };
    let mut printed = String::with_capacity(text.len() + 1);
    if mantissa.starts_with('.') {
        printed.push('0');
    }
    match mantissa.split_once('.') {
        Some((integer, fraction)) => {
            printed.push_str(integer);
            // One zero is kept, as in `1.0`.
            let trimmed = fraction.trim_end_matches('0');
            let fraction = match trimmed.is_empty() {
                true => fraction.get(..1).unwrap_or_default(),
                false => trimmed,
            };
            if !fraction.is_empty() {
                printed.push('.');
                printed.push_str(fraction);
            }
        }
        None => printed.push_str(mantissa),
    }
    if let Some(exponent) = exponent {
        let sign = if exponent.starts_with('-') { "-" } else { "" };
        let digits = exponent
            .trim_start_matches(['+', '-'])
            .trim_start_matches('0');
        if !digits.is_empty() {
            printed.push('e');
            printed.push_str(sign);
            printed.push_str(digits);
        }
    }
    Cow::Owned(printed)
}
