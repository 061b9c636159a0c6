//! Renames a single use, all references to a symbol, or a field.

use fixpoint_text::Span;

use super::text::node_text;
use super::{Lowering, no_text};
use crate::ast::{DeclKind, ExprKind, Name, NodeRef, PatternKind, TypeKind};
use crate::json::node_json;
use crate::repair::error::PatchError;
use crate::repair::op::PatchOp;
use crate::repair::rename::{references, rename};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn rename_symbol(
        &mut self,
        id: &str,
        node: NodeRef<'a>,
        old_name: &str,
        new_name: &str,
    ) -> Result<(), PatchError> {
        let span = name_span(node).ok_or_else(|| no_text(id, "its name is implied"))?;
        let found = self.tree.ast.source.slice(span);
        if found != old_name {
            return Err(PatchError::OtherName {
                id: id.to_owned(),
                expected: old_name.to_owned(),
                found: found.to_owned(),
            });
        }
        self.replace(span, new_name);
        Ok(())
    }

    pub(super) fn rename(&mut self, id: &str, new_name: &str) -> Result<(), PatchError> {
        // Renaming the tree first checks that the new name is allowed.
        let ast = self.tree.ast;
        let mut program = node_json(NodeRef::Program(&ast.program), ast);
        rename(&mut program, id, new_name)?;
        let (node, uses) = references(self.tree.ast, id)?;
        for id in uses.into_iter().chain([node]) {
            let span = self.tree.node(id).and_then(name_span);
            let name = self.tree.name(id);
            let span = span.ok_or_else(|| no_text(&name, "its name is implied"))?;
            self.replace(span, new_name);
        }
        Ok(())
    }

    pub(super) fn rename_field(
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
                ExprKind::Record(fields) => {
                    let mut names = fields.iter().map(|it| &it.name);
                    names.find(wanted).map(|it| it.span)
                }
                _ => None,
            },
            NodeRef::Type(ty) => match &ty.kind {
                TypeKind::Record { fields, .. } => {
                    let mut names = fields.iter().map(|it| &it.name);
                    names.find(wanted).map(|it| it.span)
                }
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
}

/// The span of the name that a node uses or declares.
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
