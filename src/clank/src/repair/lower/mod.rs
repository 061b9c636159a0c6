//! Ops as byte edits of the author's text: only what has to change does, and comments stay.

mod delete;
mod diff;
mod layout;
mod text;

use fixpoint_text::Span;
use serde_json::Value;

use super::error::PatchError;
use super::op::{NamedType, PatchOp};
use super::patch::{effect_place, fill};
use super::rename::{is_name, references};
use super::tree::{Tree, block_of};
use crate::ast::{
    BinaryOp, DeclKind, Expr, ExprKind, Name, NodeRef, PatternKind, Signature, TypeExpr, TypeKind,
};
use crate::lex::TokenKind as T;
use crate::print::expr_text;
use layout::Layout;
use text::{
    node_text, read_decl, read_expr, read_pattern, read_stmt, read_type, stmt_text, type_text,
};

/// Some bytes of a text become others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    pub span: Span,
    pub text: String,
}

/// A name no program has, where a wrapped expression goes.
const MARK: &str = "fixpoint__wrapped";

/// The edits that do to the text what the ops do to the tree, in order. The text is the one the tree
/// was read from.
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
        lowering.op(op)?;
    }
    let mut edits = lowering.edits;
    edits.sort_by_key(|it| (it.span.start(), it.span.end()));
    edits.dedup();
    Ok(edits)
}

/// Whether two lists of edits of one text can be applied together in either order.
pub(super) fn disjoint(a: &[TextEdit], b: &[TextEdit]) -> bool {
    a.iter().all(|a| {
        b.iter().all(|b| {
            let apart = a.span.end() < b.span.start() || b.span.end() < a.span.start();
            // Touching is fine only if neither of the two inserts where the other one ends.
            apart
                || (!a.span.is_empty()
                    && !b.span.is_empty()
                    && (a.span.end() == b.span.start() || b.span.end() == a.span.start()))
        })
    })
}

/// The text after edits that are in order and do not overlap.
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

    /// Removes what is in a range but for its comments.
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
            PatchOp::RenameSymbol { new_name, .. } => {
                let span = name_span(node).ok_or_else(|| no_text(id, "its name is implied"))?;
                self.replace(span, new_name);
                Ok(())
            }
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
            return Err(wrong(op, "no statement of a block", "a statement"));
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
            return Err(wrong(op, "no statement of a block", "a statement"));
        }
        let end = node.span().end();
        let next = self.layout.next(end);
        let (at, before) = match next.kind {
            T::Semicolon => (next.span.end(), ""),
            _ => (end, ";"),
        };
        let start = node.span().start();
        let gap = match self.layout.starts_line(start) {
            true => format!("\n{}", self.layout.indent(start)),
            false => " ".to_owned(),
        };
        let text = self.layout.indented(start, &text);
        self.insert(at, format!("{before}{gap}{text};"));
        Ok(())
    }

    fn wrap(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        wrapper: &Value,
        hole_ref: &str,
    ) -> Result<(), PatchError> {
        let NodeRef::Expr(inner) = node else {
            return Err(wrong(op, "no expression", "an expression"));
        };
        let mut marked = wrapper.clone();
        let mark = serde_json::json!({"kind": "ident", "name": MARK});
        fill(&mut marked, hole_ref, &mark);
        let wrapper = read_expr(&marked)?;
        let text = expr_text(&wrapper);
        let (before, after) = text.split_once(MARK).ok_or_else(|| PatchError::Holes {
            hole: hole_ref.to_owned(),
            found: 0,
        })?;
        let span = inner.span;
        let (mut before, mut after) = (
            self.layout.indented(span.start(), before),
            self.layout.indented(span.start(), after),
        );
        if !inner.parens && binds_loosely(inner) && hole_binds(&wrapper) {
            before.push('(');
            after.insert(0, ')');
        }
        let above = self.tree.parent(node.id());
        if !inner.parens && above.is_some_and(|it| takes_operand(it, inner, &wrapper)) {
            before.insert(0, '(');
            after.push(')');
        }
        self.insert(span.start(), before);
        self.insert(span.end(), after);
        Ok(())
    }

    fn widen(&mut self, op: &PatchOp, node: NodeRef<'a>, add: &[String]) -> Result<(), PatchError> {
        let returns = &signature(op, node)?.return_type;
        let (mut effects, result): (Vec<(&str, &TypeExpr)>, &TypeExpr) = match &returns.kind {
            TypeKind::Effect { effects, result } => {
                let named = effects.iter().map(|it| match &it.kind {
                    TypeKind::Named { name, .. } => (name.text.as_str(), it),
                    _ => ("", it),
                });
                (named.collect(), result)
            }
            _ => (Vec::new(), returns),
        };
        let mut sorted: Vec<&String> = add.iter().collect();
        sorted.sort();
        sorted.dedup();
        let mut inserts: Vec<(usize, String)> = Vec::new();
        effects.retain(|(name, _)| !name.is_empty());
        for effect in sorted {
            let names = effects.iter().map(|(name, _)| *name);
            let Some(place) = effect_place(names, effect) else {
                continue;
            };
            let next = effects.get(place).map_or(result, |(_, ty)| ty);
            let at = self.outer(NodeRef::Type(next)).start();
            match inserts.iter_mut().find(|(it, _)| *it == at) {
                Some((_, text)) => text.push_str(&format!("{effect} + ")),
                None => inserts.push((at, format!("{effect} + "))),
            }
        }
        for (at, text) in inserts {
            self.insert(at, text);
        }
        Ok(())
    }

    fn rename(&mut self, id: &str, new_name: &str) -> Result<(), PatchError> {
        if !is_name(new_name) {
            return Err(PatchError::NoName {
                name: new_name.to_owned(),
            });
        }
        let (node, uses) = references(self.tree.ast, id)?;
        for id in uses.into_iter().chain([node]) {
            let span = self.tree.node(id).and_then(name_span);
            let name = self.tree.name(id);
            let span = span.ok_or_else(|| no_text(&name, "its name is implied"))?;
            self.replace(span, new_name);
        }
        Ok(())
    }

    fn rename_field(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        old_name: &str,
        new_name: &str,
    ) -> Result<(), PatchError> {
        let wanted = |name: &&Name| name.text == old_name;
        let span = match node {
            NodeRef::Expr(expr) => match &expr.kind {
                ExprKind::Field { field, .. } => Some(field).filter(wanted).map(|it| it.span),
                _ => None,
            },
            NodeRef::Pattern(pattern) => match &pattern.kind {
                PatternKind::Record(fields) => {
                    let field = fields.iter().find(|it| it.name.text == old_name);
                    if let Some(field) = field
                        && field.pattern.is_none()
                    {
                        self.replace(field.name.span, format!("{new_name}: {old_name}"));
                        return Ok(());
                    }
                    field.map(|it| it.name.span)
                }
                _ => None,
            },
            NodeRef::Decl(decl) => match &decl.kind {
                DeclKind::Rec(rec) => {
                    let names = rec.fields.iter().map(|it| &it.name);
                    names.clone().find(wanted).map(|it| it.span)
                }
                _ => None,
            },
            _ => None,
        };
        let span = span.ok_or_else(|| PatchError::OtherName {
            id: op.target().to_owned(),
            expected: old_name.to_owned(),
            found: node_text(node),
        })?;
        self.replace(span, new_name);
        Ok(())
    }

    fn add_field(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        field: &NamedType,
    ) -> Result<(), PatchError> {
        let NodeRef::Decl(decl) = node else {
            return Err(wrong(op, "no record", "a record type"));
        };
        let DeclKind::Rec(rec) = &decl.kind else {
            return Err(wrong(op, "no record", "a record type"));
        };
        let text = format!("{}: {}", field.name, type_text(&read_type(&field.ty)?));
        match rec.fields.last() {
            Some(last) => self.item_after(NodeRef::Field(last).span(), &text),
            None => {
                let close = self.layout.previous(decl.span.end()).span.start();
                self.insert(close, format!(" {text} "));
            }
        }
        Ok(())
    }

    fn add_param(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        param: &NamedType,
        position: Option<usize>,
    ) -> Result<(), PatchError> {
        let signature = signature(op, node)?;
        let text = format!("{}: {}", param.name, type_text(&read_type(&param.ty)?));
        let params = &signature.params;
        let place = position.unwrap_or(params.len()).min(params.len());
        if let Some(next) = params.get(place) {
            let at = next.name.span.start();
            self.insert(at, self.layout.item_before(at, &text, ","));
        } else if let Some(last) = params.last() {
            self.item_after(self.outer(NodeRef::Param(last)), &text);
        } else {
            let after = signature.type_params.last();
            let after = after.map_or(signature.name.span, |it| NodeRef::TypeParam(it).span());
            let mut open = self.layout.next(after.end());
            while !matches!(open.kind, T::OpenParen | T::End) {
                open = self.layout.next(open.span.end());
            }
            self.insert(open.span.end(), text);
        }
        Ok(())
    }

    fn refine(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        predicate: &Value,
    ) -> Result<(), PatchError> {
        let NodeRef::Type(ty) = node else {
            return Err(wrong(op, "no type", "a type"));
        };
        let added = read_expr(predicate)?;
        let binds = |it: &Expr| matches!(&it.kind, ExprKind::Binary { op, .. } if op.level() < BinaryOp::And.level());
        let operand = |it: &Expr| match binds(it) {
            true => format!("({})", expr_text(it)),
            false => expr_text(it),
        };
        match &ty.kind {
            TypeKind::Refined { predicate, .. } => {
                let span = self.outer(NodeRef::Expr(predicate));
                if !predicate.parens && binds(predicate) {
                    self.insert(span.start(), "(");
                    self.insert(span.end(), format!(") && {}", operand(&added)));
                } else {
                    self.insert(span.end(), format!(" && {}", operand(&added)));
                }
            }
            TypeKind::Named { name, .. } if name.span.is_empty() => {
                return Err(no_text(op.target(), "`T?` and `()` cannot be refined"));
            }
            TypeKind::Named { .. } | TypeKind::Array(_) => {
                let text = expr_text(&added);
                let is_result = self
                    .tree
                    .upwards(ty.id)
                    .find(|it| !matches!(it, NodeRef::Type(_)))
                    .is_some_and(|it| matches!(it, NodeRef::Decl(_)));
                if is_result && !ty.parens {
                    self.insert(ty.span.start(), "(");
                    self.insert(ty.span.end(), format!("{{{text}}})"));
                } else {
                    self.insert(ty.span.end(), format!("{{{text}}}"));
                }
            }
            _ => return Err(no_text(op.target(), "only names and arrays can be refined")),
        }
        Ok(())
    }

    /// The bytes of a node with the parentheses around it.
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

fn wrong(op: &PatchOp, found: &str, wanted: &'static str) -> PatchError {
    PatchError::WrongNode {
        op: op.name(),
        id: op.target().to_owned(),
        found: found.to_owned(),
        wanted,
    }
}

fn signature<'a>(op: &PatchOp, node: NodeRef<'a>) -> Result<&'a Signature, PatchError> {
    match node {
        NodeRef::Decl(decl) => match &decl.kind {
            DeclKind::Fn(function) => Ok(&function.signature),
            DeclKind::ExternalFn(function) => Ok(&function.signature),
            _ => Err(wrong(op, "no function", "a function")),
        },
        _ => Err(wrong(op, "no function", "a function")),
    }
}

/// The bytes of the name a node uses or declares.
fn name_span(node: NodeRef<'_>) -> Option<Span> {
    let span = match node {
        NodeRef::Expr(it) => match &it.kind {
            ExprKind::Ident(_) => it.span,
            _ => return None,
        },
        NodeRef::Pattern(it) => match &it.kind {
            PatternKind::Ident(_) => it.span,
            PatternKind::Variant { name, .. } => name.span,
            _ => return None,
        },
        NodeRef::Type(it) => match &it.kind {
            TypeKind::Named { name, .. } => name.span,
            _ => return None,
        },
        NodeRef::Param(it) => it.name.span,
        NodeRef::LambdaParam(it) => it.name.span,
        NodeRef::TypeParam(it) => it.name.span,
        NodeRef::Variant(it) => it.name.span,
        NodeRef::Field(it) => it.name.span,
        NodeRef::Decl(it) => match &it.kind {
            DeclKind::Fn(it) => it.signature.name.span,
            DeclKind::ExternalFn(it) => it.signature.name.span,
            DeclKind::Rec(it) => it.name.span,
            DeclKind::Sum(it) => it.name.span,
            DeclKind::TypeAlias(it) => it.name.span,
            _ => return None,
        },
        _ => return None,
    };
    (!span.is_empty()).then_some(span)
}

fn is_postfix_or_primary(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Lambda { .. }
    )
}

/// Whether an expression needs parentheses as an operand.
fn binds_loosely(expr: &Expr) -> bool {
    !is_postfix_or_primary(expr)
}

/// Whether the marked place of a wrapper is an operand.
fn hole_binds(wrapper: &Expr) -> bool {
    let is_mark = |it: &Expr| matches!(&it.kind, ExprKind::Ident(name) if name == MARK);
    let mut found = false;
    NodeRef::Expr(wrapper).each(&mut |it| {
        if let NodeRef::Expr(expr) = it {
            found |= match &expr.kind {
                ExprKind::Binary { left, right, .. } => is_mark(left) || is_mark(right),
                ExprKind::Unary { operand, .. } => is_mark(operand),
                ExprKind::Field { object, .. } | ExprKind::Index { object, .. } => is_mark(object),
                ExprKind::Call { callee, .. } => is_mark(callee),
                ExprKind::Propagate(inner) => is_mark(inner),
                _ => false,
            };
        }
    });
    found
}

/// Whether a wrapper needs parentheses where the wrapped expression stood.
fn takes_operand(above: NodeRef<'_>, inner: &Expr, wrapper: &Expr) -> bool {
    let NodeRef::Expr(above) = above else {
        return false;
    };
    let is_open = matches!(
        wrapper.kind,
        ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Block(_)
    );
    match &above.kind {
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => binds_loosely(wrapper),
        ExprKind::Field { object, .. } | ExprKind::Index { object, .. } => {
            object.id == inner.id && (is_open || binds_loosely(wrapper))
        }
        ExprKind::Call { callee, .. } => {
            callee.id == inner.id && (is_open || binds_loosely(wrapper))
        }
        ExprKind::Propagate(_) => is_open || binds_loosely(wrapper),
        _ => false,
    }
}
