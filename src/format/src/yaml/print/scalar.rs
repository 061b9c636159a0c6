//! Plain and quoted scalars.

use std::borrow::Cow;

use super::TreePrinter;
use crate::doc::Doc;
use crate::yaml::tree::{Kind, NodeId};

impl<'a> TreePrinter<'a> {
    pub(super) fn flow_scalar(&self, id: NodeId) -> Doc<'a> {
        let text = self.slice(id);
        let kind = self.tree.kind(id);
        if kind == Kind::Plain {
            return self.scalar_lines(Cow::Borrowed(text));
        }
        let inner = text.get(1..text.len() - 1).unwrap_or_default();
        let (quote, inner) = quoted(kind, inner);
        let quote = Doc::Text(quote);
        self.build.concat(&[quote, self.scalar_lines(inner), quote])
    }

    /// The lines of a scalar, without the blanks around each line break.
    fn scalar_lines(&self, text: Cow<'a, str>) -> Doc<'a> {
        if !text.contains('\n') {
            return self.text_of(text);
        }
        let lines: Vec<&str> = text.split('\n').collect();
        let last = lines.len() - 1;
        let lines: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let line = if index > 0 { line.trim_start() } else { line };
                let line = if index < last { line.trim_end() } else { line };
                self.build.text(line)
            })
            .collect();
        self.build.join(Doc::HARDLINE, &lines)
    }

    fn text_of(&self, text: Cow<'a, str>) -> Doc<'a> {
        match text {
            Cow::Borrowed(text) => Doc::Text(text),
            Cow::Owned(text) => self.build.text(&text),
        }
    }
}

/// The preferred quotes of a scalar, and the text between them. Double quotes are preferred, unless
/// the text would need more escapes.
fn quoted(kind: Kind, inner: &str) -> (&'static str, Cow<'_, str>) {
    let is_double = kind == Kind::DoubleQuoted;
    let keeps_quotes = match is_double {
        true => has_escape_other_than_quote(inner),
        false => inner.contains('\\'),
    };
    if keeps_quotes {
        let quote = if is_double { "\"" } else { "'" };
        return (quote, Cow::Borrowed(inner));
    }
    if inner.contains('"') {
        let inner = match is_double {
            true => Cow::Owned(inner.replace("\\\"", "\"").replace('\'', "''")),
            false => Cow::Borrowed(inner),
        };
        return ("'", inner);
    }
    if !is_double && inner.contains('\'') {
        return ("\"", Cow::Owned(inner.replace("''", "'")));
    }
    ("\"", Cow::Borrowed(inner))
}

/// Whether a backslash is before anything except a double quote.
fn has_escape_other_than_quote(inner: &str) -> bool {
    let mut escapes = inner.match_indices('\\');
    escapes.any(|(at, _)| !inner[at + 1..].starts_with('"'))
}
