//! A large text is read in two halves at once.
//!
//! A word that begins a declaration stands nowhere else. So where both halves are declarations and
//! nothing else, the whole is those of the first followed by those of the second.

use super::Read;
use crate::ast::Middle;
use crate::beside::both;
use crate::lex::{Token, TokenKind};

/// So many tokens take longer to read than a thread to start.
const MANY: usize = 1 << 14;

/// The declarations of a text, if it is large and nothing is wrong with it.
pub(super) fn read(text: &str, tokens: &[Token]) -> Option<(Read, Middle)> {
    let (front, back) = tokens.split_at_checked(middle(text, tokens)?)?;
    // A node has a token of its own, so that those of the second half can be numbered from there on.
    let node = front.iter().filter(|it| !it.kind.is_trivia()).count();
    let (mut first, second) = both(|| Read::of(text, front, 0), || Read::of(text, back, node));
    if !first.errors.is_empty() || !second.errors.is_empty() || first.ids.len() > node {
        return None;
    }
    let declaration = first.declarations.len();
    first.declarations.extend(second.declarations);
    first.ids.skip_to(node);
    first.ids.append(second.ids, node);
    Some((first, Middle { declaration, node }))
}

/// The first function past the middle that begins a line.
fn middle(text: &str, tokens: &[Token]) -> Option<usize> {
    if tokens.len() < MANY {
        return None;
    }
    let half = tokens.len() / 2;
    let begins = |it: &Token| {
        let before = text.get(..it.span.start()).unwrap_or_default();
        it.kind == TokenKind::Fn && before.ends_with('\n')
    };
    let at = tokens.get(half..)?.iter().position(begins)?;
    Some(half + at)
}
