//! The indentation of lines outside of all brackets.
//!
//! A text without indentation gets none. If the author indented a header, its level is the number
//! of preceding headers that name a table around it. If the first entry under a header is indented
//! further than the header, all entries there are one level deeper. Comments are indented like the
//! line below them.

use super::token::{Document, Kind, Token};

/// Replaces the indentation of each line, in characters, by its level.
pub(super) fn resolve_levels(document: &mut Document<'_>) {
    if !document.indented {
        return;
    }
    let lines = lines(document);
    let tokens = &mut document.tokens;
    let mut around: Vec<usize> = Vec::new();
    let mut body = 0;
    // The level of the section of each line.
    let mut sections = Vec::with_capacity(lines.len());
    for (line, &at) in lines.iter().enumerate() {
        match tokens[at].kind {
            Kind::Header => {
                while around
                    .last()
                    .is_some_and(|outer| !is_around(tokens, *outer, at))
                {
                    around.pop();
                }
                let is_indented = tokens[at].link > 0;
                let level = if is_indented { around.len() as u32 } else { 0 };
                around.push(at);
                body = level + u32::from(indents_body(tokens, &lines[line..]));
                tokens[at].link = level;
            }
            Kind::Comment => {}
            _ => tokens[at].link = body,
        }
        sections.push(body);
    }
    // For the line after the current one: whether a blank line precedes it, and its level.
    let mut next = (true, 0);
    for (&at, section) in lines.iter().zip(sections).rev() {
        let token = &mut tokens[at];
        if token.kind == Kind::Comment {
            token.link = match next {
                (false, level) => level,
                (true, _) => section,
            };
        }
        next = (token.blank, token.link);
    }
}

/// The first token of each line outside of all brackets.
fn lines(document: &Document<'_>) -> Vec<usize> {
    let tokens = &document.tokens;
    let mut lines = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        lines.push(at);
        at = match tokens[at].kind {
            Kind::Key => document.end_of_item(at),
            _ => at,
        };
        at += 1;
        while tokens
            .get(at)
            .is_some_and(|token| goes_on(token, tokens[at - 1].kind))
        {
            at += 1;
        }
    }
    lines
}

/// Whether a token outside of all brackets is on the same line as the previous one.
fn goes_on(token: &Token<'_>, before: Kind) -> bool {
    matches!(token.kind, Kind::Trailing | Kind::Part) || before == Kind::Header
}

/// Whether the section under the header at the first of `lines` is indented further than the
/// header.
fn indents_body(tokens: &[Token<'_>], lines: &[usize]) -> bool {
    let section = || {
        let body = lines[1..].iter().map(|at| &tokens[*at]);
        body.take_while(|token| token.kind != Kind::Header)
    };
    let entry = section().find(|token| token.kind == Kind::Key);
    let first = entry.or_else(|| section().next());
    first.is_some_and(|token| token.link > tokens[lines[0]].link)
}

/// Whether the header at `outer` names a table around the table of the header at `inner`.
fn is_around(tokens: &[Token<'_>], outer: usize, inner: usize) -> bool {
    let mut inner = name(tokens, inner);
    name(tokens, outer).all(|part| inner.next() == Some(part)) && inner.next().is_some()
}

fn name<'t>(tokens: &'t [Token<'_>], header: usize) -> impl Iterator<Item = &'t str> {
    let (first, rest) = (&tokens[header + 1], &tokens[header + 2..]);
    let parts = rest.iter().take_while(|token| token.kind == Kind::Part);
    std::iter::once(first)
        .chain(parts)
        .map(|part| unquoted(part.text))
}

fn unquoted(key: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| key.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(key)
}
