//! Prints values, arguments and directives.

use super::Builder;
use crate::doc::Doc;
use crate::graphql::string;
use crate::graphql::tree::{Node, NodeId, Role};

impl<'a> Builder<'a> {
    pub(super) fn argument(&self, id: NodeId) -> Doc<'a> {
        let value = self.after(": ", id, Role::Value);
        self.b.concat(&[self.one(id, Role::Name), value])
    }

    pub(super) fn directive(&self, id: NodeId) -> Doc<'a> {
        let name = self.after("@", id, Role::Name);
        self.b.concat(&[name, self.arguments(id)])
    }

    pub(super) fn string(&self, source: &'a str) -> Doc<'a> {
        if source.contains('\\') {
            self.b.text(&string::simplified(source))
        } else {
            Doc::Text(source)
        }
    }

    /// A block string with its quotes on lines of their own. It stays as written if that would change
    /// a value.
    pub(super) fn block_string(&self, node: &'a Node<'a>) -> Doc<'a> {
        let b = &self.b;
        let mut lines = string::block_lines(node.text);
        if self.is_value(node) && string::has_outer_space(&lines) {
            return b.lines(node.text, Doc::LITERALLINE);
        }
        if let [line] = &mut lines[..] {
            *line = line.trim();
        }
        let mut parts = vec!["\"\"\"".into()];
        parts.extend(lines.into_iter().map(Doc::Text));
        parts.push("\"\"\"".into());
        b.join(Doc::HARDLINE, &parts)
    }

    /// Whether a string is a value. White space around the text of a description has no meaning.
    fn is_value(&self, node: &Node<'_>) -> bool {
        self.text[..node.start]
            .trim_end_matches([' ', '\t', '\r', '\n', ','])
            .ends_with([':', '=', '['])
    }

    pub(super) fn list(&self, id: NodeId) -> Doc<'a> {
        let values = self.all(id, Role::Item);
        if values.is_empty() {
            return self.empty("[", id, "]");
        }
        self.in_brackets("[", &values, "]")
    }

    pub(super) fn object(&self, id: NodeId) -> Doc<'a> {
        let b = &self.b;
        let fields = self.all(id, Role::Item);
        if fields.is_empty() {
            return self.empty("{", id, "}");
        }
        let separator = b.concat(&[b.if_break("", ", "), Doc::SOFTLINE]);
        let fields = b.concat(&[Doc::SOFTLINE, b.join(separator, &fields)]);
        b.group(b.concat(&[
            "{ ".into(),
            b.indent(fields),
            Doc::SOFTLINE,
            b.if_break("", " "),
            "}".into(),
        ]))
    }

    fn empty(&self, open: &'static str, id: NodeId, close: &'static str) -> Doc<'a> {
        let b = &self.b;
        let comments = self.inside(id);
        if comments.is_nil() {
            return b.concat(&[open.into(), close.into()]);
        }
        let comments = b.indent(b.concat(&[Doc::HARDLINE, comments]));
        b.concat(&[open.into(), comments, Doc::HARDLINE, close.into()])
    }
}
