//! Writing declarations and types.

use super::value::Json;
use super::write::Writer;
use crate::ast::{Decl, DeclKind, Field, Name, NodeId, Signature, TypeExpr, TypeKind, TypeParam};

impl Writer<'_> {
    pub(super) fn decl(&self, decl: &Decl) -> Json {
        let (id, span) = (decl.id, decl.span);
        match &decl.kind {
            DeclKind::Fn(function) => {
                let mut members = self.signature(&function.signature);
                members.extend([
                    (
                        "precondition",
                        function.precondition.as_ref().map(|it| self.expr(it)),
                    ),
                    (
                        "postcondition",
                        function.postcondition.as_ref().map(|it| self.expr(it)),
                    ),
                    (
                        "body",
                        Some(self.block(function.body.id, function.body.span, &function.body.kind)),
                    ),
                ]);
                self.node("fn", id, span, members)
            }
            DeclKind::ExternalFn(function) => {
                let mut members = self.signature(&function.signature);
                members.push(("jsName", Some(Json::text(&function.js_name))));
                self.node("externalFn", id, span, members)
            }
            DeclKind::ExternalMod(module) => {
                let path = Json::List(vec![Json::text(&module.name.text)]);
                self.node("use", id, span, [("path", Some(path))])
            }
            DeclKind::Rec(rec) => {
                let members = [
                    ("name", Some(Json::text(&rec.name.text))),
                    ("typeParams", self.type_params(&rec.type_params)),
                    ("fields", self.list(&rec.fields, |it| self.field(it))),
                ];
                self.node("rec", id, span, members)
            }
            DeclKind::Sum(sum) => {
                let members = [
                    ("name", Some(Json::text(&sum.name.text))),
                    ("typeParams", self.type_params(&sum.type_params)),
                    (
                        "variants",
                        self.list(&sum.variants, |variant| {
                            Json::object([
                                ("name", Some(Json::text(&variant.name.text))),
                                ("id", self.id(variant.id)),
                                (
                                    "fields",
                                    self.optional_list(&variant.fields, |(name, ty)| {
                                        let name = name.as_ref().map(|it| Json::text(&it.text));
                                        let ty = self.type_expr(ty);
                                        Json::object([("name", name), ("type", Some(ty))])
                                    }),
                                ),
                            ])
                        }),
                    ),
                ];
                self.node("sum", id, span, members)
            }
            DeclKind::TypeAlias(alias) => {
                let members = [
                    ("name", Some(Json::text(&alias.name.text))),
                    ("typeParams", self.type_params(&alias.type_params)),
                    ("type", Some(self.type_expr(&alias.ty))),
                ];
                self.node("typeAlias", id, span, members)
            }
            DeclKind::Mod(name) => {
                self.node("mod", id, span, [("name", Some(Json::text(&name.text)))])
            }
            DeclKind::Use(it) => {
                let members = [
                    ("path", self.list(&it.path, |name| Json::text(&name.text))),
                    (
                        "items",
                        self.optional_list(&it.items, |name| Json::text(&name.text)),
                    ),
                    (
                        "alias",
                        it.alias.as_ref().map(|name| Json::text(&name.text)),
                    ),
                    ("isExternal", self.flag(it.is_external)),
                ];
                self.node("use", id, span, members)
            }
        }
    }

    pub(super) fn signature(&self, signature: &Signature) -> Vec<(&'static str, Option<Json>)> {
        vec![
            ("name", Some(Json::text(&signature.name.text))),
            ("typeParams", self.type_params(&signature.type_params)),
            (
                "params",
                self.list(&signature.params, |it| self.named(it.id, &it.name, &it.ty)),
            ),
            ("returnType", Some(self.type_expr(&signature.return_type))),
        ]
    }

    pub(super) fn named(&self, id: NodeId, name: &Name, ty: &TypeExpr) -> Json {
        Json::object([
            ("name", Some(Json::text(&name.text))),
            ("id", self.id(id)),
            ("type", Some(self.type_expr(ty))),
        ])
    }

    pub(super) fn field(&self, field: &Field) -> Json {
        self.named(field.id, &field.name, &field.ty)
    }

    pub(super) fn type_params(&self, params: &[TypeParam]) -> Option<Json> {
        self.optional_list(params, |param| self.type_param(param))
    }

    pub(super) fn type_param(&self, param: &TypeParam) -> Json {
        Json::object([
            ("name", Some(Json::text(&param.name.text))),
            ("id", self.id(param.id)),
            (
                "constraint",
                param.constraint.as_ref().map(|it| self.type_expr(it)),
            ),
        ])
    }

    pub(super) fn type_expr(&self, ty: &TypeExpr) -> Json {
        let one = |it: &TypeExpr| Some(self.type_expr(it));
        let all = |items: &[TypeExpr]| self.list(items, |it| self.type_expr(it));
        let (kind, members) = match &ty.kind {
            TypeKind::Named { name, args } => (
                "named",
                vec![
                    ("name", Some(Json::text(&name.text))),
                    ("args", self.optional_list(args, |it| self.type_expr(it))),
                ],
            ),
            TypeKind::Array(element) => ("array", vec![("element", one(element))]),
            TypeKind::Tuple(elements) => ("tuple", vec![("elements", all(elements))]),
            TypeKind::Function { params, result } => (
                "function",
                vec![("params", all(params)), ("returnType", one(result))],
            ),
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => (
                "refined",
                vec![
                    ("base", one(base)),
                    ("varName", var.as_ref().map(|it| Json::text(&it.text))),
                    ("predicate", Some(self.expr(predicate))),
                ],
            ),
            TypeKind::Effect { effects, result } => (
                "effect",
                vec![("effects", all(effects)), ("resultType", one(result))],
            ),
            TypeKind::Record { fields, open } => (
                "recordType",
                vec![
                    ("fields", self.list(fields, |it| self.field(it))),
                    ("isOpen", self.flag(*open)),
                ],
            ),
        };
        self.node(kind, ty.id, ty.span, members)
    }
}
