//! Flow mappings and sequences.

use super::{Context, TreePrinter};
use crate::doc::{Align, Doc};
use crate::yaml::tree::{Kind, NodeId};

impl<'a> TreePrinter<'a> {
    pub(super) fn flow_collection(&self, id: NodeId, context: Context) -> Doc<'a> {
        let is_mapping = self.tree.kind(id) == Kind::FlowMapping;
        let (open, close) = if is_mapping { ("{", "}") } else { ("[", "]") };
        let last = self.tree.last_child(id);
        let spacing = match last {
            Some(_) if is_mapping => Doc::LINE,
            _ => Doc::SOFTLINE,
        };
        let end_comments = &self.tree.extras(id).end;
        // The line end before the comments begins the only line of a collection without entries.
        let has_entries_or_nothing = last.is_some() || end_comments.is_empty();
        let mut inner = vec![if has_entries_or_nothing {
            spacing
        } else {
            Doc::NIL
        }];
        for (child, doc) in self.children(id, context) {
            inner.push(doc);
            let node = self.tree.get(child);
            if let Some(next) = node.next {
                inner.extend([Doc::Text(","), Doc::LINE]);
                if node.start.line != self.tree.get(next).start.line {
                    inner.push(self.blank_line_after(child));
                }
            }
        }
        if last.is_some() {
            inner.push(self.build.if_break(",", Doc::NIL));
        }
        if !end_comments.is_empty() {
            inner.extend([Doc::HARDLINE, self.comments(end_comments)]);
        }
        let inner = self.build.concat(&inner);
        let is_last_empty = last.is_some_and(|last| {
            self.tree.kind(last) == Kind::FlowPair
                && self
                    .tree
                    .pair(last)
                    .is_some_and(|(key, value)| self.is_empty(key) && self.is_empty(value))
        });
        self.build.concat(&[
            Doc::Text(open),
            self.build
                .align(Align::Spaces(self.layout.indent_width), inner),
            if is_last_empty { Doc::NIL } else { spacing },
            Doc::Text(close),
        ])
    }
}
