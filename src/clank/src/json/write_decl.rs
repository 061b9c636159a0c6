//! Writes declarations and types.

use super::sink::Sink;
use super::write::Writer;
use crate::ast::{Decl, DeclKind, Name, NodeId, Signature, TypeExpr, TypeKind, TypeParam, Variant};

impl<S: Sink> Writer<'_, S> {
    pub(super) fn decl(&mut self, decl: &Decl) {
        let (id, span) = (decl.id, decl.span);
        match &decl.kind {
            DeclKind::Fn(function) => {
                self.open("fn", id, span);
                self.signature(&function.signature);
                self.optional_expr("precondition", function.precondition.as_ref());
                self.optional_expr("postcondition", function.postcondition.as_ref());
                self.body("body", &function.body);
            }
            DeclKind::ExternalFn(function) => {
                self.open("externalFn", id, span);
                self.signature(&function.signature);
                self.text("jsName", &function.js_name);
            }
            DeclKind::ExternalMod(module) => {
                self.open("use", id, span);
                self.list("path", std::slice::from_ref(&module.name), Self::names);
                self.optional_list("items", &[], Self::names);
                self.flag("isExternal", false);
            }
            DeclKind::Rec(rec) => {
                self.open("rec", id, span);
                self.text("name", &rec.name.text);
                self.type_params(&rec.type_params);
                self.list("fields", &rec.fields, |it, field| {
                    it.named(field.id, &field.name, Some(&field.ty));
                });
            }
            DeclKind::Sum(sum) => {
                self.open("sum", id, span);
                self.text("name", &sum.name.text);
                self.type_params(&sum.type_params);
                self.list("variants", &sum.variants, Self::variant);
            }
            DeclKind::TypeAlias(alias) => {
                self.open("typeAlias", id, span);
                self.text("name", &alias.name.text);
                self.type_params(&alias.type_params);
                self.one_type("type", &alias.ty);
            }
            DeclKind::Mod(name) => {
                self.open("mod", id, span);
                self.text("name", &name.text);
            }
            DeclKind::Use(used) => {
                self.open("use", id, span);
                self.list("path", &used.path, Self::names);
                self.optional_list("items", &used.items, Self::names);
                if let Some(alias) = &used.alias {
                    self.text("alias", &alias.text);
                }
                self.flag("isExternal", used.is_external);
            }
        }
        self.close();
    }

    pub(super) fn variant(&mut self, variant: &Variant) {
        self.to.open();
        self.text("name", &variant.name.text);
        self.id(variant.id);
        self.optional_list("fields", &variant.fields, |it, (name, ty)| {
            it.to.open();
            if let Some(name) = name {
                it.text("name", &name.text);
            }
            it.one_type("type", ty);
            it.close();
        });
        self.close();
    }

    pub(super) fn signature(&mut self, signature: &Signature) {
        self.text("name", &signature.name.text);
        self.type_params(&signature.type_params);
        self.list("params", &signature.params, |it, param| {
            it.named(param.id, &param.name, Some(&param.ty));
        });
        self.one_type("returnType", &signature.return_type);
    }

    pub(super) fn named(&mut self, id: NodeId, name: &Name, ty: Option<&TypeExpr>) {
        self.to.open();
        self.text("name", &name.text);
        self.id(id);
        if let Some(ty) = ty {
            self.one_type("type", ty);
        }
        self.close();
    }

    pub(super) fn type_params(&mut self, params: &[TypeParam]) {
        self.optional_list("typeParams", params, Self::type_param);
    }

    pub(super) fn type_param(&mut self, param: &TypeParam) {
        self.to.open();
        self.text("name", &param.name.text);
        self.id(param.id);
        if let Some(constraint) = &param.constraint {
            self.one_type("constraint", constraint);
        }
        self.close();
    }

    pub(super) fn one_type(&mut self, key: &'static str, ty: &TypeExpr) {
        self.to.key(key);
        self.type_expr(ty);
    }

    pub(super) fn type_expr(&mut self, ty: &TypeExpr) {
        let (id, span) = (ty.id, ty.span);
        match &ty.kind {
            TypeKind::Named { name, args } => {
                self.open("named", id, span);
                self.text("name", &name.text);
                self.optional_list("args", args, Self::type_expr);
            }
            TypeKind::Array(element) => {
                self.open("array", id, span);
                self.one_type("element", element);
            }
            TypeKind::Tuple(elements) => {
                self.open("tuple", id, span);
                self.list("elements", elements, Self::type_expr);
            }
            TypeKind::Function { params, result } => {
                self.open("function", id, span);
                self.list("params", params, Self::type_expr);
                self.one_type("returnType", result);
            }
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => {
                self.open("refined", id, span);
                self.one_type("base", base);
                if let Some(var) = var {
                    self.text("varName", &var.text);
                }
                self.one("predicate", predicate);
            }
            TypeKind::Effect { effects, result } => {
                self.open("effect", id, span);
                self.list("effects", effects, Self::type_expr);
                self.one_type("resultType", result);
            }
            TypeKind::Record { fields, open } => {
                self.open("recordType", id, span);
                self.list("fields", fields, |it, field| {
                    it.named(field.id, &field.name, Some(&field.ty));
                });
                self.flag("isOpen", *open);
            }
        }
        self.close();
    }
}
