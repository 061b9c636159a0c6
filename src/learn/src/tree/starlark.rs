//! Starlark, parsed by our own parser.

use fixpoint_starlark::{Kind as StarlarkKind, LeafKind, NodeRef, TokenKind};

use super::Kind;
use super::build::{ParseError, Part, Parts};
use super::kind::{KEYWORD, MARK, NAME, NUMBER, Names, STRING};

pub(crate) static NAMES: Names = Names::new();

/// The kind of the root, above the kinds of the parser.
const FILE: u8 = 255;

#[derive(Debug)]
struct File;

pub(crate) fn parse(text: &str) -> Result<Parts, ParseError> {
    let parse = fixpoint_starlark::parse(text);
    if let Some(error) = parse.errors.first() {
        return Err(ParseError::Syntax {
            at: error.span().start(),
            message: error.to_string(),
        });
    }
    let tree = &parse.tree;
    let mut parts = Parts {
        root: NAMES.remember(FILE, &File),
        inner: Vec::new(),
        tokens: Vec::new(),
        comments: tree.comments().collect(),
    };
    let mut open: Vec<NodeRef<'_, '_>> = tree.statements().iter().rev().collect();
    while let Some(node) = open.pop() {
        if let Some(kind) = kind(node) {
            parts.inner.push(Part::new(kind, node.start(), node.end()));
        }
        let first = open.len();
        node.each_child(|child| open.push(child));
        open[first..].sort_by_key(|child| std::cmp::Reverse(child.start()));
    }
    for leaf in tree.leaves() {
        if let LeafKind::Token(kind) = leaf.kind {
            let (start, end) = (leaf.span.start(), leaf.span.end());
            if let Some(kind) = token_kind(kind, &text[start..end]) {
                parts.tokens.push(Part::new(kind, start, end));
            }
        }
    }
    Ok(parts)
}

fn kind(node: NodeRef<'_, '_>) -> Option<Kind> {
    let kind = node.kind();
    let has_no_text = matches!(
        kind,
        StarlarkKind::CommentBlock | StarlarkKind::End | StarlarkKind::Else | StarlarkKind::Error
    );
    (!has_no_text).then(|| NAMES.remember(kind as u8, &kind))
}

/// The kind of a token; none if it has no text.
fn token_kind(kind: TokenKind, text: &str) -> Option<Kind> {
    Some(match kind {
        TokenKind::Eof | TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent => return None,
        TokenKind::Ident => NAME,
        TokenKind::Number => NUMBER,
        TokenKind::String => STRING,
        _ if text.trim().is_empty() => return None,
        _ if text.starts_with(|char: char| char.is_ascii_alphabetic()) => KEYWORD,
        _ => MARK,
    })
}
