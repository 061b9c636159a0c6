//! Edits of signatures and declarations: effects, fields, parameters, refinements.

use serde_json::Value;

use super::text::{read_expr, read_type, type_text};
use super::{Lowering, no_text};
use crate::ast::{
    BinaryOp, DeclKind, Expr, ExprKind, Name, NodeRef, Signature, TypeExpr, TypeKind,
};
use crate::lex::TokenKind as T;
use crate::print::expr_text;
use crate::repair::error::PatchError;
use crate::repair::op::{NamedType, PatchOp};
use crate::repair::patch::{effect_place, place_for};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn widen(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        add: &[String],
    ) -> Result<(), PatchError> {
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

    pub(super) fn add_field(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        field: &NamedType,
    ) -> Result<(), PatchError> {
        let NodeRef::Decl(decl) = node else {
            return Err(PatchError::wrong_node(op, "not a record", "a record type"));
        };
        let DeclKind::Rec(rec) = &decl.kind else {
            return Err(PatchError::wrong_node(op, "not a record", "a record type"));
        };
        not_taken(op, &field.name, rec.fields.iter().map(|it| &it.name))?;
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

    pub(super) fn add_param(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        param: &NamedType,
        position: Option<usize>,
    ) -> Result<(), PatchError> {
        let signature = signature(op, node)?;
        let text = format!("{}: {}", param.name, type_text(&read_type(&param.ty)?));
        let params = &signature.params;
        not_taken(op, &param.name, params.iter().map(|it| &it.name))?;
        let place = place_for(position, params.len(), op.target())?;
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

    pub(super) fn refine(
        &mut self,
        op: &PatchOp,
        node: NodeRef<'a>,
        predicate: &Value,
    ) -> Result<(), PatchError> {
        let NodeRef::Type(ty) = node else {
            return Err(PatchError::wrong_node(op, "not a type", "a type"));
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
}

fn signature<'a>(op: &PatchOp, node: NodeRef<'a>) -> Result<&'a Signature, PatchError> {
    match node {
        NodeRef::Decl(decl) => match &decl.kind {
            DeclKind::Fn(function) => Ok(&function.signature),
            DeclKind::ExternalFn(function) => Ok(&function.signature),
            _ => Err(PatchError::wrong_node(op, "not a function", "a function")),
        },
        _ => Err(PatchError::wrong_node(op, "not a function", "a function")),
    }
}

fn not_taken<'n>(
    op: &PatchOp,
    name: &str,
    mut names: impl Iterator<Item = &'n Name>,
) -> Result<(), PatchError> {
    if names.any(|it| it.text == name) {
        return Err(PatchError::Taken {
            id: op.target().to_owned(),
            name: name.to_owned(),
        });
    }
    Ok(())
}
