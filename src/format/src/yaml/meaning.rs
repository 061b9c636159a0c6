//! The content of a YAML tree without its layout, as bytes to compare. It is used only if the other
//! parsers reject the text.
//!
//! Scalars are compared by their value. Plain scalars are distinguished from quoted ones, because a
//! plain `1` is a number and a quoted one is not. Block and flow collections are equal. Aliases
//! stay names; nothing is expanded.

use rowan::WalkEvent;
use yaml_parser::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

use super::scalar;

pub(super) fn meaning(tree: &SyntaxNode) -> Vec<u8> {
    let mut out = Vec::new();
    for event in tree.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(SyntaxElement::Node(node)) => enter(&mut out, &node),
            WalkEvent::Enter(SyntaxElement::Token(token)) => write_token(&mut out, &token),
            WalkEvent::Leave(SyntaxElement::Node(node)) => leave(&mut out, node.kind()),
            WalkEvent::Leave(SyntaxElement::Token(_)) => {}
        }
    }
    out
}

fn enter(out: &mut Vec<u8>, node: &SyntaxNode) {
    match node.kind() {
        SyntaxKind::BLOCK_SEQ | SyntaxKind::FLOW_SEQ => out.push(b'['),
        SyntaxKind::BLOCK_MAP | SyntaxKind::FLOW_MAP => out.push(b'{'),
        // A single pair in a flow sequence is a mapping of one entry.
        SyntaxKind::FLOW_PAIR => out.extend_from_slice(b"{("),
        SyntaxKind::BLOCK_SEQ_ENTRY
        | SyntaxKind::FLOW_SEQ_ENTRY
        | SyntaxKind::BLOCK_MAP_ENTRY
        | SyntaxKind::FLOW_MAP_ENTRY => out.push(b'('),
        SyntaxKind::BLOCK_MAP_KEY | SyntaxKind::FLOW_MAP_KEY => out.push(b'k'),
        SyntaxKind::BLOCK_MAP_VALUE | SyntaxKind::FLOW_MAP_VALUE => out.push(b'v'),
        SyntaxKind::DOCUMENT => out.push(b'D'),
        SyntaxKind::ALIAS
        | SyntaxKind::ANCHOR_PROPERTY
        | SyntaxKind::TAG_PROPERTY
        | SyntaxKind::DIRECTIVE => write_words(out, &node.text().to_string()),
        SyntaxKind::BLOCK_SCALAR => write_text(out, b'q', &block_scalar(node)),
        _ => {}
    }
}

fn leave(out: &mut Vec<u8>, kind: SyntaxKind) {
    match kind {
        SyntaxKind::BLOCK_SEQ | SyntaxKind::FLOW_SEQ => out.push(b']'),
        SyntaxKind::BLOCK_MAP | SyntaxKind::FLOW_MAP => out.push(b'}'),
        SyntaxKind::FLOW_PAIR => out.extend_from_slice(b")}"),
        SyntaxKind::BLOCK_SEQ_ENTRY
        | SyntaxKind::FLOW_SEQ_ENTRY
        | SyntaxKind::BLOCK_MAP_ENTRY
        | SyntaxKind::FLOW_MAP_ENTRY => out.push(b')'),
        _ => {}
    }
}

fn write_token(out: &mut Vec<u8>, token: &SyntaxToken) {
    match token.kind() {
        SyntaxKind::PLAIN_SCALAR => write_text(out, b'p', &scalar::plain(token.text())),
        SyntaxKind::SINGLE_QUOTED_SCALAR => write_text(out, b'q', &scalar::single(token.text())),
        SyntaxKind::DOUBLE_QUOTED_SCALAR => write_text(out, b'q', &scalar::double(token.text())),
        _ => {}
    }
}

fn block_scalar(node: &SyntaxNode) -> String {
    let mut header = String::new();
    let mut text = String::new();
    for element in node.descendants_with_tokens() {
        let Some(token) = element.as_token() else {
            continue;
        };
        match token.kind() {
            SyntaxKind::BLOCK_SCALAR_TEXT => text.push_str(token.text()),
            SyntaxKind::COMMENT | SyntaxKind::WHITESPACE => {}
            _ => header.push_str(token.text()),
        }
    }
    scalar::block(&header, &text)
}

fn write_words(out: &mut Vec<u8>, text: &str) {
    for word in text.split_ascii_whitespace() {
        write_text(out, b'w', word);
    }
}

/// Writes the length first, so that a text cannot be confused with what follows it.
fn write_text(out: &mut Vec<u8>, kind: u8, text: &str) {
    out.push(kind);
    out.extend_from_slice(text.len().to_string().as_bytes());
    out.push(b':');
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use crate::{Language, same_meaning};

    fn same(one: &str, two: &str) -> Option<bool> {
        same_meaning(Language::Yaml, "a.yaml", one, two)
    }

    #[test]
    fn layout_does_not_change_the_meaning_of_yaml() {
        assert_eq!(
            same("a:   [1, 'x']\n", "a: [\n  1, \"x\",\n]\n"),
            Some(true)
        );
        assert_eq!(
            same("a: |\n    x\n     y\n", "a: |\n  x\n   y\n"),
            Some(true)
        );
        assert_eq!(same("a: x\n  y\n", "a: x y\n"), Some(true));
        assert_eq!(same("- a\n- b\n", "- a # c\n\n- b\n"), Some(true));
    }

    #[test]
    fn values_order_and_structure_change_the_meaning_of_yaml() {
        assert_eq!(same("a: 1\n", "a: '1'\n"), Some(false));
        assert_eq!(same("a: 1\nb: 2\n", "b: 2\na: 1\n"), Some(false));
        assert_eq!(same("a:\n  b: 1\n", "a:\nb: 1\n"), Some(false));
        assert_eq!(same("a: |\n  x\n", "a: |-\n  x\n"), Some(false));
        assert_eq!(same("a: |\n  x\n   y\n", "a: |\n  x\n  y\n"), Some(false));
        assert_eq!(same("a: *x\n", "a: *y\n"), Some(false));
        assert_eq!(same("a\n---\nb\n", "a\n"), Some(false));
    }
}
