//! Members and elements after a comment `prettier-ignore`, which stay as they are written.

use super::token::{Kind, Token};

/// The tokens, with one token for each ignored member or element.
pub(super) fn merged<'t>(text: &'t str, tokens: Vec<Token<'t>>) -> Vec<Token<'t>> {
    if !tokens.iter().any(is_directive) {
        return tokens;
    }
    let mut merged = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        merged.push(token);
        if !is_directive(&token) {
            continue;
        }
        let Some(first) = rest.next_if(|next| !ends(next.kind)) else {
            continue;
        };
        let mut depth = usize::from(first.kind == Kind::Open);
        let mut end = first.span().end();
        while let Some(next) = rest.next_if(|next| depth > 0 || !ends(next.kind)) {
            match next.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            end = next.span().end();
        }
        merged.push(Token {
            kind: Kind::Verbatim,
            text: &text[first.start..end],
            start: first.start,
        });
    }
    merged
}

/// Whether a token is not part of a member or an element.
fn ends(kind: Kind) -> bool {
    matches!(kind, Kind::Comma | Kind::Close) || kind.is_comment()
}

fn is_directive(token: &Token<'_>) -> bool {
    let comment = match token.kind {
        Kind::LineComment => token.text.strip_prefix("//"),
        Kind::BlockComment => token
            .text
            .strip_prefix("/*")
            .and_then(|body| body.strip_suffix("*/")),
        _ => None,
    };
    comment.is_some_and(|comment| comment.trim() == "prettier-ignore")
}
