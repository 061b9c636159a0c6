//! The content of a YAML tree without its layout, as bytes to compare. It matters most for a text
//! that the other parsers reject.
//!
//! Scalars are compared by their value. Plain scalars are distinguished from quoted ones, because a
//! plain `1` is a number and a quoted one is not. Block and flow collections are equal. Aliases
//! stay names; nothing is expanded.

use super::scalar;
use super::tree::{Kind, NodeId, Tree};

pub(super) fn meaning(text: &str, tree: &Tree) -> Vec<u8> {
    let mut out = Vec::new();
    write_node(&mut out, text, tree, NodeId::ROOT);
    out
}

fn write_node(out: &mut Vec<u8>, text: &str, tree: &Tree, id: NodeId) {
    let node = tree.get(id);
    let slice = &text[node.start.offset..node.end.offset];
    for property in tree.properties(id) {
        write_text(out, b'w', &text[property.range()]);
    }
    match node.kind {
        Kind::Plain => write_text(out, b'p', &scalar::plain(slice)),
        Kind::SingleQuoted => write_text(out, b'q', &scalar::single(slice)),
        Kind::DoubleQuoted => write_text(out, b'q', &scalar::double(slice)),
        Kind::Literal | Kind::Folded => {
            let (header, content) = slice.split_at(slice.find('\n').unwrap_or(slice.len()));
            let header = header.split('#').next().unwrap_or(header);
            write_text(out, b'q', &scalar::block(header.trim_end(), content));
        }
        Kind::Alias => write_text(out, b'w', slice),
        Kind::Directive => slice
            .split_ascii_whitespace()
            .for_each(|word| write_text(out, b'w', word)),
        // A single pair in a flow sequence is a mapping of one entry.
        Kind::FlowPair
            if tree
                .parent(id)
                .is_some_and(|parent| tree.kind(parent) == Kind::FlowSequence) =>
        {
            out.extend_from_slice(b"{(");
            write_children(out, text, tree, id);
            out.extend_from_slice(b")}");
        }
        kind => {
            let (open, close) = brackets(kind);
            out.push(open);
            write_children(out, text, tree, id);
            out.push(close);
        }
    }
}

fn write_children(out: &mut Vec<u8>, text: &str, tree: &Tree, id: NodeId) {
    for child in tree.children(id) {
        write_node(out, text, tree, child);
    }
}

/// The bytes around the children of a node.
fn brackets(kind: Kind) -> (u8, u8) {
    match kind {
        Kind::Mapping | Kind::FlowMapping => (b'{', b'}'),
        Kind::Sequence | Kind::FlowSequence => (b'[', b']'),
        Kind::Document => (b'D', b'd'),
        Kind::Head => (b'H', b'h'),
        Kind::Key => (b'K', b'k'),
        Kind::Value => (b'V', b'v'),
        _ => (b'(', b')'),
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
