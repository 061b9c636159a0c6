//! Prints a tree as prettier does.

mod blank_lines;
mod block_scalar;
mod comments;
mod document;
mod flow;
mod mapping;
mod scalar;

use std::cell::RefCell;

use bumpalo::Bump;

use super::tree::{Kind, NodeId, Tree};
use crate::doc::{self, Align, Doc, DocBuilder, PrintOptions};

const IGNORE: &str = "prettier-ignore";

/// The layout options of YAML.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) line_width: usize,
    pub(super) indent_width: u16,
}

/// Prints a tree with attached comments.
pub(super) fn print(text: &str, tree: &Tree, layout: Layout) -> String {
    let arena = Bump::new();
    let printer = TreePrinter {
        text,
        tree,
        layout,
        build: DocBuilder::new(&arena),
        blank_lines_after: RefCell::new(vec![false; text.len() + 1]),
    };
    let root = printer.root();
    let options = PrintOptions {
        width: layout.line_width,
        tab_width: usize::from(layout.indent_width),
        use_tabs: false,
    };
    doc::print(root, options)
}

struct TreePrinter<'a> {
    text: &'a str,
    tree: &'a Tree,
    layout: Layout,
    build: DocBuilder<'a>,
    /// For each byte, whether the blank line after a node that ends there is already decided.
    blank_lines_after: RefCell<Vec<bool>>,
}

/// Where a node is.
#[derive(Clone, Copy)]
struct Context {
    /// Whether nothing except comments follows in the stream.
    is_last: bool,
}

impl<'a> TreePrinter<'a> {
    /// Prints a node with its properties and comments.
    fn node(&self, id: NodeId, context: Context) -> Doc<'a> {
        let node = self.tree.get(id);
        if !self.tree.has_extras(id) {
            match node.kind {
                Kind::Key | Kind::Value | Kind::FlowItem => {
                    return match self.only_child(id, context) {
                        text @ Doc::Text(_) => text,
                        other => self.build.group(other),
                    };
                }
                Kind::Alias => return Doc::Text(self.slice(id)),
                kind if kind.is_flow_scalar() && node.is_one_line() => {
                    return self.flow_scalar(id);
                }
                _ => {}
            }
        }
        let extras = self.tree.extras(id);
        let mut parts = Vec::new();
        if node.kind != Kind::Value && !extras.leading.is_empty() {
            parts.push(self.comments(&extras.leading));
            parts.push(Doc::HARDLINE);
        }
        let properties = self.tree.properties(id);
        for (index, property) in properties.iter().enumerate() {
            if index > 0 {
                parts.push(Doc::SPACE);
            }
            parts.push(Doc::Text(&self.text[property.range()]));
        }
        let may_precede_blank_line = matches!(
            node.kind,
            Kind::Mapping
                | Kind::Sequence
                | Kind::Directive
                | Kind::MappingItem
                | Kind::SequenceItem
        );
        let blank_line = match may_precede_blank_line && !context.is_last {
            true => self.blank_line_after(id),
            false => Doc::NIL,
        };
        if !properties.is_empty() {
            let is_above = node.kind.is_block_collection() && extras.middle.is_empty();
            parts.push(if is_above { Doc::HARDLINE } else { Doc::SPACE });
        }
        if !extras.middle.is_empty() {
            if extras.middle.len() > 1 {
                parts.push(Doc::HARDLINE);
            }
            parts.push(self.comments(&extras.middle));
            parts.push(Doc::HARDLINE);
        }
        parts.push(match self.is_ignored(id) {
            true => self.source(id),
            false => self.build.group(self.content(id, context)),
        });
        if !matches!(node.kind, Kind::Document | Kind::Head) {
            parts.extend(self.trailing_comment(id));
        }
        if self.prints_end_comments(id) {
            parts.push(self.end_comments(id));
        }
        let is_item = matches!(node.kind, Kind::MappingItem | Kind::SequenceItem);
        if is_item && node.next.is_some() && self.ends_in_blanks(id) {
            parts.push(self.literal_line());
        }
        parts.push(blank_line);
        self.build.concat(&parts)
    }

    fn content(&self, id: NodeId, context: Context) -> Doc<'a> {
        match self.tree.kind(id) {
            Kind::Root | Kind::Document => Doc::NIL,
            Kind::Head => self.head(id),
            Kind::Body => self.body(id, context),
            Kind::Directive => self.directive(id),
            Kind::Mapping | Kind::Sequence => self.block_collection(id, context),
            Kind::SequenceItem => {
                let content = self.only_child(id, context);
                self.build
                    .concat(&[Doc::Text("- "), self.build.align(Align::Spaces(2), content)])
            }
            Kind::Key | Kind::Value | Kind::FlowItem => self.only_child(id, context),
            Kind::MappingItem | Kind::FlowPair => self.mapping_item(id, context),
            Kind::FlowMapping | Kind::FlowSequence => self.flow_collection(id, context),
            Kind::Plain | Kind::SingleQuoted | Kind::DoubleQuoted => self.flow_scalar(id),
            Kind::Literal | Kind::Folded => self.block_scalar(id, context),
            Kind::Alias => Doc::Text(self.slice(id)),
        }
    }

    fn only_child(&self, id: NodeId, context: Context) -> Doc<'a> {
        let child = self.tree.first_child(id);
        child.map_or(Doc::NIL, |child| self.node(child, context))
    }

    /// Prints children, each of which is last if its parent is last and no sibling follows.
    fn children(&self, id: NodeId, context: Context) -> Vec<(NodeId, Doc<'a>)> {
        let print = |child| {
            let is_last = context.is_last && self.tree.get(child).next.is_none();
            (child, self.node(child, Context { is_last }))
        };
        self.tree.children(id).map(print).collect()
    }

    fn block_collection(&self, id: NodeId, context: Context) -> Doc<'a> {
        let mut parts = Vec::new();
        for (child, doc) in self.children(id, context) {
            parts.push(doc);
            if self.tree.get(child).next.is_some() && !self.ends_in_blanks(child) {
                parts.push(Doc::HARDLINE);
            }
        }
        self.build.concat(&parts)
    }

    /// The text of a node.
    fn slice(&self, id: NodeId) -> &'a str {
        let node = self.tree.get(id);
        &self.text[node.start.offset..node.end.offset]
    }

    /// The lines of a node as they are.
    fn source(&self, id: NodeId) -> Doc<'a> {
        self.build
            .lines(self.slice(id).trim_end(), Doc::LITERALLINE)
    }

    /// A line end that keeps the blanks before it.
    fn literal_line(&self) -> Doc<'a> {
        self.build.align(Align::Root, Doc::LITERALLINE)
    }
}
