//! Finds keys that occur more than once in one object.

use std::collections::HashSet;

use crate::format::Format;
use crate::parse::yaml_scalar::{Resolved, resolve_plain};
use crate::tree::{Content, Document, Entry, Node, NodeId};

impl Document {
    /// Whether a key occurs more than once in one of the objects.
    pub fn has_duplicate_keys(&self) -> bool {
        let objects = (0..)
            .zip(&self.nodes)
            .filter_map(|(id, node)| match &node.content {
                Content::Object(object) if object.members.len() > 1 => Some(NodeId(id)),
                _ => None,
            });
        let mut nodes = objects.map(|id| self.node(id));
        nodes.any(|node| !node.duplicate_keys().is_empty())
    }
}

impl<'d> Node<'d> {
    /// The second and later occurrences of the keys that occur more than once in this object. Keys
    /// that may be repeated are left out: `<<` merges objects in YAML, `//` is a comment in JSON, and
    /// placeholders such as `${{ else }}` are filled in before the document is used.
    pub fn duplicate_keys(self) -> Vec<Entry<'d>> {
        let document = self.document();
        let repeatable = match document.format() {
            Format::Yaml => "<<",
            Format::Json | Format::Jsonc => "//",
            Format::Toml => return Vec::new(),
        };
        let mut seen = HashSet::with_capacity(self.members().len());
        // In YAML, `1` and `"1"` are different keys.
        let key = |it: &Entry<'d>| (it.key, is_text(*it, document));
        let may_not_repeat = |it: &Entry<'d>| it.key != repeatable && !it.key.contains("{{");
        let repeated = self.members().filter(|it| !seen.insert(key(it)));
        repeated.filter(may_not_repeat).collect()
    }
}

/// Whether the key is a string, and not a number, a boolean or null.
fn is_text(entry: Entry<'_>, document: &Document) -> bool {
    let is_plain = document.text().get(entry.key_span.range()) == Some(entry.key);
    document.format() != Format::Yaml
        || !is_plain
        || matches!(resolve_plain(entry.key), Resolved::String)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_duplicate_keys(format: Format, text: &str) -> bool {
        let document = Document::parse(format, text).expect(text);
        document.has_duplicate_keys()
    }

    #[test]
    fn equal_keys_of_one_object_are_duplicates() {
        for text in [
            "a: 1\na: 2\n",
            "a: 1\n'a': 2\n",
            "\"a\": 1\n\"\\x61\": 2\n",
            "- {a: 1, b: 2, a: 3}\n",
            "x:\n  - y: {1: a, 1: b}\n",
            "a: 1\n---\nb: 1\nb: 1\n",
            "a: &x {b: 1, b: 2}\nc: *x\n",
            "? a\n: 1\n? a\n: 2\n",
        ] {
            assert!(has_duplicate_keys(Format::Yaml, text), "{text}");
        }
        for text in [
            "a: 1\nb: {a: 1}\n",
            "- a: 1\n- a: 1\n",
            "a: 1\n---\na: 1\n",
            "1: a\n'1': b\n",
            "true: a\n\"true\": b\n",
            "x: &x {a: 1}\ny: &y {b: 1}\nz:\n  <<: *x\n  <<: *y\n",
            "a: &x {b: 1}\nc: *x\nd: *x\n",
            "${{ if a }}:\n  x: 1\n${{ else }}:\n  x: 2\n${{ if b }}:\n  y: 1\n${{ else }}:\n  y: 2\n",
        ] {
            assert!(!has_duplicate_keys(Format::Yaml, text), "{text}");
        }
        for format in [Format::Json, Format::Jsonc] {
            assert!(has_duplicate_keys(format, "{\"a\": 1, \"\\u0061\": 2}"));
            assert!(has_duplicate_keys(
                format,
                "[[{\"\": {\"a\": 1, \"a\": 1}}]]"
            ));
            assert!(!has_duplicate_keys(
                format,
                "{\"//\": \"x\", \"//\": \"y\"}"
            ));
            assert!(!has_duplicate_keys(
                format,
                "[{\"a\": 1}, {\"a\": {\"a\": 1}}]"
            ));
        }
    }
}
