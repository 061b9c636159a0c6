//! Builds the document of a tree.

mod executable;
mod schema;
mod value;

use bumpalo::Bump;

use super::attach::{Comment, Comments, Place};
use super::tree::{Kind, Node, NodeId, Role, Tree};
use crate::doc::{Doc, DocBuilder};

pub(super) fn document<'a>(
    text: &'a str,
    tree: &'a Tree<'a>,
    comments: &'a Comments<'a>,
    arena: &'a Bump,
) -> Doc<'a> {
    let builder = Builder {
        text,
        tree,
        comments,
        b: DocBuilder::new(arena),
    };
    let root = builder.node(tree.root());
    if root.is_nil() {
        return root;
    }
    builder.b.concat(&[root, Doc::HARDLINE])
}

struct Builder<'a> {
    text: &'a str,
    tree: &'a Tree<'a>,
    comments: &'a Comments<'a>,
    b: DocBuilder<'a>,
}

impl<'a> Builder<'a> {
    /// A node with its comments.
    fn node(&self, id: NodeId) -> Doc<'a> {
        let comments = self.comments.of(id);
        let node = self.tree.node(id);
        let is_ignored = |comment: &Comment<'_>| is_ignore_comment(comment.text);
        let printed = if comments.iter().any(is_ignored) {
            let source = &self.text[node.start..node.end];
            self.b.lines(source, Doc::LITERALLINE)
        } else {
            self.contents(id, node)
        };
        if comments.is_empty() {
            return printed;
        }
        let mut parts = Vec::with_capacity(comments.len() + 1);
        let of = |place: Place| {
            comments
                .iter()
                .filter(move |comment| comment.place == place)
        };
        parts.extend(of(Place::Leading).map(|comment| self.leading(comment)));
        parts.push(printed);
        let trailing = of(Place::Trailing).enumerate();
        parts.extend(trailing.map(|(index, comment)| self.trailing(comment, index == 0)));
        self.b.concat(&parts)
    }

    fn contents(&self, id: NodeId, node: &'a Node<'a>) -> Doc<'a> {
        match node.kind {
            Kind::Document => self.definitions(id),
            Kind::Operation => self.operation(id, node),
            Kind::Fragment => self.fragment(id),
            Kind::SelectionSet => self.selection_set(id),
            Kind::Field => self.field(id),
            Kind::FragmentSpread => self.fragment_spread(id),
            Kind::InlineFragment => self.inline_fragment(id),
            Kind::VariableDefinition => self.variable_definition(id),
            Kind::Argument => self.argument(id),
            Kind::Directive => self.directive(id),
            Kind::Name | Kind::Literal => Doc::Text(node.text),
            Kind::Variable => self.after("$", id, Role::Name),
            Kind::String => self.string(node.text),
            Kind::BlockString => self.block_string(node),
            Kind::List => self.list(id),
            Kind::Object => self.object(id),
            Kind::NamedType => self.one(id, Role::Name),
            Kind::ListType => self
                .b
                .concat(&["[".into(), self.one(id, Role::Type), "]".into()]),
            Kind::NonNullType => self.b.concat(&[self.one(id, Role::Type), "!".into()]),
            Kind::Schema => self.schema(id, node),
            Kind::OperationType => self.operation_type(id, node),
            Kind::Scalar => self.scalar(id, node),
            Kind::Fields => self.fields(id, node),
            Kind::Union => self.union(id, node),
            Kind::Enum => self.enumeration(id, node),
            Kind::EnumValue => self.enum_value(id),
            Kind::FieldDefinition => self.field_definition(id),
            Kind::InputValue => self.input_value(id),
            Kind::DirectiveDefinition => self.directive_definition(id, node),
        }
    }

    fn leading(&self, comment: &Comment<'a>) -> Doc<'a> {
        let after = self.text[comment.end..].trim_start_matches([' ', '\t', '\r']);
        let next = after.strip_prefix('\n').unwrap_or(after);
        let blank = match next.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            true => Doc::HARDLINE,
            false => Doc::NIL,
        };
        self.b
            .concat(&[Doc::Text(comment.text.trim_end()), Doc::HARDLINE, blank])
    }

    /// A comment at the end of a line. Only the first one after a node can be on the node's line.
    fn trailing(&self, comment: &Comment<'a>, is_first: bool) -> Doc<'a> {
        let text = Doc::Text(comment.text.trim_end());
        let blanks = [' ', '\t', '\r'];
        let before = self.text[..comment.start].trim_end_matches(blanks);
        let own_line = before.strip_suffix('\n');
        if is_first && own_line.is_none() {
            let suffix = self.b.line_suffix(self.b.concat(&[Doc::SPACE, text]));
            return self.b.concat(&[suffix, Doc::BreakParent]);
        }
        let blank = match own_line {
            Some(before) if before.trim_end_matches(blanks).ends_with('\n') => Doc::HARDLINE,
            _ => Doc::NIL,
        };
        self.b
            .line_suffix(self.b.concat(&[Doc::HARDLINE, blank, text]))
    }

    /// The comments in a node without children.
    fn inside(&self, id: NodeId) -> Doc<'a> {
        let comments = self.comments.of(id).iter();
        let lines: Vec<_> = comments
            .filter(|comment| comment.place == Place::Inside)
            .map(|comment| Doc::Text(comment.text.trim_end()))
            .collect();
        self.b.join(Doc::HARDLINE, &lines)
    }

    /// The definitions of a document, or its comments if there are only comments.
    fn definitions(&self, id: NodeId) -> Doc<'a> {
        let items = self.sequence(id, Role::Item);
        if !items.is_empty() {
            return self.b.join(Doc::HARDLINE, &items);
        }
        let mut parts: Vec<_> = self.comments.of(id).iter().collect();
        let Some(last) = parts.pop() else {
            return Doc::NIL;
        };
        let mut lines: Vec<_> = parts.iter().map(|comment| self.leading(comment)).collect();
        lines.push(Doc::Text(last.text.trim_end()));
        self.b.concat(&lines)
    }

    fn one(&self, id: NodeId, role: Role) -> Doc<'a> {
        self.tree
            .one(id, role)
            .map_or(Doc::NIL, |child| self.node(child))
    }

    /// The child of a role after `before`, if there is one.
    fn after(&self, before: &'static str, id: NodeId, role: Role) -> Doc<'a> {
        self.tree.one(id, role).map_or(Doc::NIL, |child| {
            self.b.concat(&[before.into(), self.node(child)])
        })
    }

    fn all(&self, id: NodeId, role: Role) -> Vec<Doc<'a>> {
        self.tree
            .all(id, role)
            .map(|child| self.node(child))
            .collect()
    }

    /// The children of a role. A blank line after a child stays, except for the last one.
    fn sequence(&self, id: NodeId, role: Role) -> Vec<Doc<'a>> {
        let children: Vec<_> = self.tree.all(id, role).collect();
        let last = children.len().saturating_sub(1);
        let each = |(index, child): (usize, &NodeId)| {
            let printed = self.node(*child);
            if index < last && self.is_blank_line_after(self.tree.node(*child).end) {
                self.b.concat(&[printed, Doc::HARDLINE])
            } else {
                printed
            }
        };
        children.iter().enumerate().map(each).collect()
    }

    fn is_blank_line_after(&self, end: usize) -> bool {
        let rest = self.text[end..].trim_start_matches([' ', '\t', '\r', ',', ';']);
        let Some(next) = rest.strip_prefix('\n') else {
            return false;
        };
        next.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
    }

    /// `(a, b)` on one line, or one item a line without commas.
    fn in_brackets(&self, open: &'static str, items: &[Doc<'a>], close: &'static str) -> Doc<'a> {
        let b = &self.b;
        let separator = b.concat(&[b.if_break("", ", "), Doc::SOFTLINE]);
        let items = b.concat(&[Doc::SOFTLINE, b.join(separator, items)]);
        b.group(b.concat(&[open.into(), b.indent(items), Doc::SOFTLINE, close.into()]))
    }

    /// ` {`, one item a line, `}`. Nothing without items.
    fn block(&self, id: NodeId) -> Doc<'a> {
        let items = self.sequence(id, Role::Item);
        if items.is_empty() {
            return Doc::NIL;
        }
        let b = &self.b;
        let items = b.concat(&[Doc::HARDLINE, b.join(Doc::HARDLINE, &items)]);
        b.concat(&[" {".into(), b.indent(items), Doc::HARDLINE, "}".into()])
    }

    fn description(&self, id: NodeId) -> Doc<'a> {
        let Some(description) = self.tree.one(id, Role::Description) else {
            return Doc::NIL;
        };
        let is_inline = self.tree.node(id).kind == Kind::InputValue
            && self.tree.node(description).kind == Kind::String;
        let line = if is_inline { Doc::LINE } else { Doc::HARDLINE };
        self.b.concat(&[self.node(description), line])
    }

    fn arguments(&self, id: NodeId) -> Doc<'a> {
        let arguments = self.sequence(id, Role::Argument);
        if arguments.is_empty() {
            return Doc::NIL;
        }
        self.in_brackets("(", &arguments, ")")
    }

    fn directives(&self, id: NodeId) -> Doc<'a> {
        let directives = self.all(id, Role::Directive);
        if directives.is_empty() {
            return Doc::NIL;
        }
        let b = &self.b;
        let directives = b.join(Doc::LINE, &directives);
        if matches!(self.tree.node(id).kind, Kind::Operation | Kind::Fragment) {
            return b.group(b.concat(&[Doc::LINE, directives]));
        }
        let directives = b.indent(b.concat(&[Doc::SOFTLINE, directives]));
        b.concat(&[Doc::SPACE, b.group(directives)])
    }
}

fn is_ignore_comment(comment: &str) -> bool {
    comment.trim_start_matches('#').trim() == "prettier-ignore" && !comment.starts_with("##")
}
