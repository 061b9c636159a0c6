//! Media queries.

use super::Printer;
use super::text::{lower_name, with_numbers, with_strings};
use crate::doc::Doc;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// In parentheses, with a name and usually a value.
    Feature,
    /// What is at the place of a feature.
    Word,
    Type,
    Keyword,
}

#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    kind: Option<Kind>,
}

impl<'a> Printer<'a> {
    pub(super) fn media(&self, params: &'a str) -> Doc<'a> {
        let mut queries = Vec::new();
        let mut rest = params;
        if let Some(end) = url_end(params) {
            let url = params[..end].trim();
            let inner = url["url".len()..].trim_start().trim_start_matches('(');
            let inner = inner.strip_suffix(')').unwrap_or(inner).trim();
            queries.push(self.cow(with_strings(&format!("url({inner})"))));
            rest = &params[end..];
        }
        let mut depth = 0_usize;
        let is_separator = |char: char| {
            match char {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            char == ',' && depth == 0
        };
        let parts: Vec<&'a str> = rest.split(is_separator).collect();
        for (index, query) in parts.iter().enumerate() {
            if query.trim().is_empty() {
                continue;
            }
            let printed = self.query(query);
            let comma = if index + 1 < parts.len() { "," } else { "" };
            queries.push(self.docs.concat(&[printed, comma.into()]));
        }
        let list = self.docs.join(Doc::LINE, &queries);
        self.docs.group(self.docs.indent(list))
    }

    fn query(&self, query: &'a str) -> Doc<'a> {
        let mut parts = parts(query);
        classify(&mut parts);
        let printed: Vec<_> = parts.iter().map(|part| self.media_part(*part)).collect();
        self.docs.join(Doc::SPACE, &printed)
    }

    fn media_part(&self, part: Part<'a>) -> Doc<'a> {
        match part.kind {
            Some(Kind::Feature) => self.feature(part.text),
            Some(Kind::Type) => self.cow(with_numbers(&with_strings(part.text))),
            Some(Kind::Keyword) => self.cow(with_strings(part.text)),
            Some(Kind::Word) | None => Doc::Text(part.text),
        }
    }

    fn feature(&self, text: &str) -> Doc<'a> {
        let inner = text
            .strip_prefix('(')
            .and_then(|inner| inner.strip_suffix(')'));
        let inner = inner.unwrap_or(text);
        let (name, value) = match colon(inner) {
            Some(colon) => (&inner[..colon], Some(inner[colon + 1..].trim())),
            None => (inner, None),
        };
        let mut single = String::with_capacity(name.len());
        for char in name.trim().chars() {
            if char != ' ' || !single.ends_with(' ') {
                single.push(char);
            }
        }
        let mut printed = vec!["(".into(), self.cow(lower_name(&with_strings(&single)))];
        if let Some(value) = value {
            printed.push(": ".into());
            printed.push(self.cow(with_numbers(&with_strings(value))));
        }
        printed.push(")".into());
        self.docs.concat(&printed)
    }
}

/// The end of a `url()` at the start of `text`.
fn url_end(text: &str) -> Option<usize> {
    let rest = text.trim_start().strip_prefix("url")?.trim_start();
    let start = text.len() - rest.len();
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(start + at + 1);
        }
    }
    None
}

/// The colon outside of interpolations.
fn colon(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && byte == b':'
    })
}

/// The parts of a query, which end at white space and at closing parentheses.
fn parts(query: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut start = None;
    let mut depth = 0_usize;
    for (at, char) in query.char_indices() {
        if start.is_none() && char.is_whitespace() {
            continue;
        }
        let first = *start.get_or_insert(at);
        match char {
            '(' => depth += 1,
            '{' if at > first => depth += 1,
            ')' | '}' if at > first => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at + char.len_utf8();
        let next = query[end..].chars().next();
        if depth > 0 || char != ')' && next.is_some_and(|next| !next.is_whitespace()) {
            continue;
        }
        let text = &query[first..end];
        let kind = match text {
            "not" | "only" | "and" => Some(Kind::Keyword),
            _ if text.starts_with('(') => Some(Kind::Feature),
            _ => None,
        };
        parts.push(Part { text, kind });
        start = None;
    }
    if let Some(start) = start {
        parts.push(Part {
            text: &query[start..],
            kind: None,
        });
    }
    parts
}

/// Finds out what each word is by its place among the others.
fn classify(parts: &mut [Part<'_>]) {
    for index in 0..parts.len() {
        if parts[index].kind.is_some() {
            continue;
        }
        let kind_at = |ahead: usize| parts.get(index + ahead).and_then(|part| part.kind);
        if index > 0 {
            let previous = parts[index - 1];
            let next = parts.get(index + 1).map(|_| kind_at(1));
            parts[index].kind = match (previous.kind, previous.text) {
                (Some(Kind::Feature | Kind::Word), _) => Some(Kind::Keyword),
                (_, "not" | "only") => Some(Kind::Type),
                (_, "and") => Some(Kind::Word),
                (Some(Kind::Type), _) if next == Some(Some(Kind::Feature)) => Some(Kind::Keyword),
                (Some(Kind::Type), _) => Some(Kind::Word),
                _ => None,
            };
            continue;
        }
        let has = |ahead: usize| parts.len() > ahead;
        match (kind_at(1), kind_at(2), kind_at(3)) {
            (Some(Kind::Feature | Kind::Keyword), _, _) => parts[0].kind = Some(Kind::Type),
            _ if !has(1) => parts[0].kind = Some(Kind::Type),
            (_, Some(Kind::Feature), _) => {
                parts[0].kind = Some(Kind::Type);
                parts[1].kind = Some(Kind::Keyword);
            }
            (_, Some(Kind::Keyword), _) => {
                parts[0].kind = Some(Kind::Keyword);
                parts[1].kind = Some(Kind::Type);
            }
            (_, _, Some(Kind::Feature)) => {
                parts[0].kind = Some(Kind::Keyword);
                parts[1].kind = Some(Kind::Type);
                parts[2].kind = Some(Kind::Keyword);
            }
            _ => {}
        }
    }
}
