//! Lowers ops to byte edits of the author's text. Only the text that has to change does, and
//! comments stay.

mod delete;
mod diff;
mod layout;
mod names;
mod signature;
mod text;
mod wrap;

use fixpoint_text::Span;
use serde_json::Value;

use super::error::PatchError;
use super::op::PatchOp;
use super::tree::{Tree, block_of};
use crate::ast::NodeRef;
use crate::lex::TokenKind as T;
use layout::Layout;
use text::{read_decl, read_expr, read_pattern, read_stmt, read_type, stmt_text};

/// Replaces a span of bytes with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    pub span: Span,
    pub text: String,
}

/// Lowers ops to sorted edits with the same effect. The text is the one the tree was parsed from.
pub(super) fn lower(
    tree: &Tree<'_>,
    layout: &Layout<'_>,
    ops: &[PatchOp],
) -> Result<Vec<TextEdit>, PatchError> {
    let mut lowering = Lowering {
        tree,
        layout,
        edits: Vec::new(),
    };
    for op in ops {
        op.check_names()?;
        lowering.op(op)?;
    }
    let mut edits = lowering.edits;
    edits.sort_by_key(|it| (it.span.start(), it.span.end()));
    edits.dedup();
    Ok(joined(edits))
}

/// Makes insertions at one place one edit, because an applier may reject or reorder several.
fn joined(edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut joined: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.span == edit.span && edit.span.is_empty() => {
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

/// Whether two lists of edits of one text can be applied together in either order.
pub(super) fn disjoint(a: &[TextEdit], b: &[TextEdit]) -> bool {
    a.iter().all(|a| {
        b.iter().all(|b| {
            let apart = a.span.end() < b.span.start() || b.span.end() < a.span.start();
            // Adjacent edits are allowed only if neither of them is an insertion.
            apart
                || (!a.span.is_empty()
                    && !b.span.is_empty()
                    && (a.span.end() == b.span.start() || b.span.end() == a.span.start()))
        })
    })
}

/// Applies edits that are sorted and do not overlap.
pub fn edited(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        result.push_str(text.get(copied..edit.span.start())?);
        result.push_str(&edit.text);
        copied = edit.span.end();
    }
    result.push_str(text.get(copied..)?);
    Some(result)
}

pub(super) use layout::Layout as TextLayout;

struct Lowering<'t, 'a> {
    tree: &'t Tree<'a>,
    layout: &'t Layout<'a>,
    edits: Vec<TextEdit>,
}

impl<'a> Lowering<'_, 'a> {
    fn replace(&mut self, span: Span, text: impl Into<String>) {
        let text = text.into();
        self.edits.push(TextEdit { span, text });
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(Span::at(at), text);
    }

    /// Removes the contents of a range except its comments.
    fn erase(&mut self, span: Span) {
        for piece in self.layout.between_comments(span) {
            self.replace(piece, "");
        }
    }

    fn op(&mut self, op: &PatchOp) -> Result<(), PatchError> {
        let id = op.target();
        let node = self.tree.find(id)?;
        if node.span().is_empty() && !matches!(node, NodeRef::Program(_)) {
            let reason = "it is not in the author's text";
            return Err(no_text(id, reason));
        }
        match op {
            PatchOp::ReplaceNode { new_node, .. } => self.replace_node(node, new_node),
            PatchOp::InsertBefore { new_statement, .. } => {
                self.insert_before(op, node, new_statement)
            }
            PatchOp::InsertAfter { new_statement, .. } => {
                self.insert_after(op, node, new_statement)
            }
            PatchOp::Wrap {
                wrapper, hole_ref, ..
            } => self.wrap(op, node, wrapper, hole_ref),
            PatchOp::DeleteNode { .. } => self.delete(id, node),
            PatchOp::WidenEffect { add_effects, .. } => self.widen(op, node, add_effects),
            PatchOp::RenameSymbol {
                old_name, new_name, ..
            } => self.rename_symbol(id, node, old_name, new_name),
            PatchOp::Rename { new_name, .. } => self.rename(id, new_name),
            PatchOp::RenameField {
                old_name, new_name, ..
            } => self.rename_field(op, node, old_name, new_name),
            PatchOp::AddField { field, .. } => self.add_field(op, node, field),
            PatchOp::AddParam {
                param, position, ..
            } => self.add_param(op, node, param, *position),
            PatchOp::AddRefinement { predicate, .. } => self.refine(op, node, predicate),
        }
    }

    fn replace_node(&mut self, old: NodeRef<'a>, new: &Value) -> Result<(), PatchError> {
        match old {
            NodeRef::Expr(_) => self.diff(old, NodeRef::Expr(&read_expr(new)?)),
            NodeRef::Block(_) => {
                let block = read_expr(new)?;
                self.diff(old, NodeRef::Expr(&block));
            }
            NodeRef::Stmt(_) => self.diff(old, NodeRef::Stmt(&read_stmt(new)?)),
            NodeRef::Pattern(_) => self.diff(old, NodeRef::Pattern(&read_pattern(new)?)),
            NodeRef::Type(_) => self.diff(old, NodeRef::Type(&read_type(new)?)),
            NodeRef::Decl(_) => self.diff(old, NodeRef::Decl(&read_decl(new)?)),
            _ => {
                let id = self.tree.name(old.id());
                return Err(no_text(&id, "it is a part of another node"));
            }
        }
        Ok(())
    }

    fn insert_before(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        statement: &Value,
    ) -> Result<(), PatchError> {
        let text = stmt_text(&read_stmt(statement)?);
        let is_tail = self
            .tree
            .parent(node.id())
            .and_then(block_of)
            .and_then(|it| it.tail.as_ref())
            .is_some_and(|it| it.id == node.id());
        if !is_tail && !matches!(node, NodeRef::Stmt(_)) {
            return Err(PatchError::wrong_node(
                op,
                "not a statement of a block",
                "a statement",
            ));
        }
        let at = self.outer(node).start();
        self.insert(at, self.layout.item_before(at, &text, ";"));
        Ok(())
    }

    fn insert_after(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        statement: &Value,
    ) -> Result<(), PatchError> {
        let text = stmt_text(&read_stmt(statement)?);
        if !matches!(node, NodeRef::Stmt(_)) {
            return Err(PatchError::wrong_node(
                op,
                "not a statement of a block",
                "a statement",
            ));
        }
        let (start, end) = (node.span().start(), node.span().end());
        let next = self.layout.next(end);
        let (at, before) = match next.kind {
            T::Semicolon => (next.span.end(), ""),
            _ => (end, ";"),
        };
        let text = self.layout.indented(start, &text);
        if !self.layout.starts_line(start) {
            self.insert(at, format!("{before} {text};"));
            return Ok(());
        }
        let indent = self.layout.indent(start);
        match self.layout.rest_of_line(at) {
            // A comment at the end of the line belongs to the existing statement.
            Some(line_end) if line_end > at => {
                if !before.is_empty() {
                    self.insert(at, before);
                }
                self.insert(line_end, format!("\n{indent}{text};"));
            }
            _ => self.insert(at, format!("{before}\n{indent}{text};")),
        }
        Ok(())
    }

    /// The span of a node including the parentheses around it.
    fn outer(&self, node: NodeRef<'a>) -> Span {
        let span = node.span();
        let parens = match node {
            NodeRef::Expr(it) => it.parens,
            NodeRef::Type(it) => it.parens,
            NodeRef::Param(it) => {
                return Span::from(span.start()..self.outer(NodeRef::Type(&it.ty)).end());
            }
            _ => false,
        };
        if !parens {
            return span;
        }
        let (before, after) = (
            self.layout.previous(span.start()),
            self.layout.next(span.end()),
        );
        if before.kind == T::OpenParen && after.kind == T::CloseParen {
            return Span::from(before.span.start()..after.span.end());
        }
        span
    }
}

fn no_text(id: &str, reason: &'static str) -> PatchError {
    PatchError::NoText {
        id: id.to_owned(),
        reason,
    }
}
