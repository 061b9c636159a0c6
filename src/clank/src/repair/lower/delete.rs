//! Deletes nodes from the text.

use fixpoint_text::Span;

use super::{Lowering, no_text};
use crate::ast::{NodeRef, Step};
use crate::lex::TokenKind as T;
use crate::repair::error::PatchError;
use crate::repair::same::children;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn delete(&mut self, id: &str, node: NodeRef<'a>) -> Result<(), PatchError> {
        let needed = || PatchError::Needed { id: id.to_owned() };
        let parent = self.tree.parent(node.id()).ok_or_else(needed)?;
        let step = self.tree.step(node.id()).ok_or_else(needed)?;
        let span = self.outer(node);
        match (node, step) {
            (NodeRef::Stmt(_) | NodeRef::Decl(_), _) => {
                let next = self.layout.next(span.end());
                let end = match next.kind {
                    T::Semicolon => next.span.end(),
                    _ => span.end(),
                };
                self.erase_line(Span::from(span.start()..end));
            }
            (NodeRef::Expr(_), Step::Only("expr")) if matches!(parent, NodeRef::Stmt(_)) => {
                return Err(needed());
            }
            (NodeRef::Expr(_), Step::Only("expr")) => self.erase_line(span),
            (_, Step::Only("elseBranch" | "guard" | "precondition" | "postcondition")) => {
                let word = self.layout.previous(span.start());
                self.erase_from(word.span.start(), span.end());
            }
            (_, Step::Only("type" | "constraint"))
                if matches!(
                    parent,
                    NodeRef::Stmt(_) | NodeRef::LambdaParam(_) | NodeRef::TypeParam(_)
                ) =>
            {
                let colon = self.layout.previous(span.start());
                self.erase_from(colon.span.start(), span.end());
            }
            (_, Step::Only("value")) if matches!(parent, NodeRef::Stmt(_)) => {
                self.erase_from(span.start(), span.end());
            }
            (_, Step::At(..) | Step::Among(_)) => {
                let list = children(parent).into_iter();
                let list = list.filter(|(it, _)| role(*it) == role(step));
                let list: Vec<NodeRef<'a>> = list.map(|(_, it)| it).collect();
                let at = list.iter().position(|it| it.id() == node.id());
                let at = at.ok_or_else(|| no_text(id, "its place is not known"))?;
                self.remove_items(&list, at, at + 1);
            }
            _ => return Err(needed()),
        }
        Ok(())
    }

    /// Also erases the white space before `start`.
    fn erase_from(&mut self, start: usize, end: usize) {
        let before = self.layout.text.get(..start).unwrap_or_default();
        let start = before.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let previous_comment = self.layout.between_comments(Span::from(start..end));
        for piece in previous_comment {
            self.replace(piece, "");
        }
    }

    /// Also erases the whole line if nothing else is on it.
    fn erase_line(&mut self, span: Span) {
        let text = self.layout.text;
        let rest = text.get(span.end()..).unwrap_or_default();
        let gap = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let ends_line = rest.get(gap..).is_some_and(|it| it.starts_with('\n'));
        if self.layout.starts_line(span.start()) && ends_line {
            let indent = self.layout.indent(span.start()).len();
            let start = span.start() - indent;
            self.erase(Span::from(start..span.end() + gap + 1));
        } else {
            self.erase(span);
        }
    }
}

fn role(step: Step) -> &'static str {
    match step {
        Step::Only(role) | Step::At(role, _) | Step::Among(role) => role,
    }
}
