//! Reads declarations.

use std::sync::Arc;

use fixpoint_text::Span;
use serde_json::Value;

use super::kinds;
use super::read::{NameOf, Object, Reader};
use crate::ast::{
    BlockNode, Decl, DeclKind, ExternalFn, Field, FnDecl, Name, Node, Param, Rec, Signature, Sum,
    TypeAlias, TypeExpr, TypeParam, Use, Variant,
};
use crate::host;

impl Reader {
    pub fn decl(&mut self, value: &Value) -> Option<Decl> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.declaration());
        }
        let id = self.node_id(object);
        let kind = match object.get("kind").and_then(Value::as_str) {
            Some("fn") => {
                let signature = self.signature(object);
                let precondition = self.optional(object, "precondition", Self::expr);
                let postcondition = self.optional(object, "postcondition", Self::expr);
                let body = self.member(object, "body", Self::body);
                DeclKind::Fn(Arc::new(FnDecl {
                    signature: signature?,
                    precondition: precondition?,
                    postcondition: postcondition?,
                    body: body?,
                }))
            }
            Some("externalFn") => DeclKind::ExternalFn(Box::new(ExternalFn {
                signature: self.signature(object)?,
                js_name: self.host_expression(object)?,
            })),
            Some("rec") => DeclKind::Rec(Rec {
                name: self.name(object, "name", NameOf::Type)?,
                type_params: self.type_params(object)?,
                fields: self.list(object, "fields", true, Self::field)?,
            }),
            Some("sum") => DeclKind::Sum(Sum {
                name: self.name(object, "name", NameOf::Type)?,
                type_params: self.type_params(object)?,
                variants: self.list(object, "variants", true, Self::variant)?,
            }),
            Some("typeAlias") => DeclKind::TypeAlias(Box::new(TypeAlias {
                name: self.name(object, "name", NameOf::Type)?,
                type_params: self.type_params(object)?,
                ty: self.member(object, "type", Self::type_expr)?,
            })),
            Some("mod") => DeclKind::Mod(self.name(object, "name", NameOf::Value)?),
            Some("use") => {
                let is_external = self.flag(object, "isExternal")?;
                let part = |it: &mut Self, value: &Value| match value.as_str() {
                    // External names follow the rules of JavaScript.
                    Some(text) if is_external && !text.is_empty() => Some(Name::made(text)),
                    _ => it.bare_name(value, NameOf::Value),
                };
                let path = self.list(object, "path", true, part)?;
                if path.is_empty() {
                    return self.fail("`path` is empty; the module's name goes there");
                }
                DeclKind::Use(Use {
                    path,
                    items: self.list(object, "items", false, |it, value| {
                        it.bare_name(value, NameOf::ValueOrConstructor)
                    })?,
                    alias: self.optional(object, "alias", |it, value| {
                        it.bare_name(value, NameOf::Alias)
                    })?,
                    is_external,
                })
            }
            _ => return self.unknown_kind(object, &kinds::DECLARATION),
        };
        Some(Node::new(id, Span::at(0), kind))
    }

    fn signature(&mut self, object: &Object) -> Option<Signature> {
        let name = self.name(object, "name", NameOf::Value);
        let type_params = self.type_params(object);
        let params = self.list(object, "params", true, |it, value| {
            let object = it.object(value)?;
            if let Some(source) = it.source(object) {
                return it.fragment(source, |it| it.param());
            }
            let id = it.node_id(object);
            let name = it.name(object, "name", NameOf::Value)?;
            let ty = it.member(object, "type", Self::type_expr)?;
            Some(Param { id, name, ty })
        });
        let return_type = self.member(object, "returnType", Self::type_expr);
        Some(Signature {
            name: name?,
            type_params: type_params?,
            params: params?,
            return_type: return_type?,
        })
    }

    /// The JavaScript expression that an external function is bound to.
    fn host_expression(&mut self, object: &Object) -> Option<String> {
        let path = self.text(object, "jsName")?;
        if self.is_made || host::is_expression(&path) {
            return Some(path);
        }
        let message = format!("expected {}, found {path:?}", host::EXPECTED);
        self.inside(".jsName", |it| it.fail(message))
    }

    fn body(&mut self, value: &Value) -> Option<BlockNode> {
        let object = self.object(value)?;
        if self.source(object).is_none() && object.get("kind").is_some_and(|kind| kind != "block") {
            return self.fail(
                "a function's body is a block; put the expression in one: \
                 {\"kind\": \"block\", \"statements\": [], \"expr\": ...}",
            );
        }
        self.block(value)
    }

    /// Reads type parameters, which are objects or only names.
    fn type_params(&mut self, object: &Object) -> Option<Vec<TypeParam>> {
        self.list(object, "typeParams", false, |it, value| {
            if let Some(name) = value.as_str() {
                return Some(TypeParam {
                    id: it.ids.fresh(),
                    name: it.checked_name(name, NameOf::Type)?,
                    constraint: None,
                });
            }
            let object = it.object(value)?;
            Some(TypeParam {
                id: it.node_id(object),
                name: it.name(object, "name", NameOf::Type)?,
                constraint: it.optional(object, "constraint", Self::type_expr)?,
            })
        })
    }

    pub fn field(&mut self, value: &Value) -> Option<Field> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.field());
        }
        Some(Field {
            id: self.node_id(object),
            name: self.name(object, "name", NameOf::Value)?,
            ty: self.member(object, "type", Self::type_expr)?,
        })
    }

    fn variant(&mut self, value: &Value) -> Option<Variant> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.variant());
        }
        Some(Variant {
            id: self.node_id(object),
            span: Span::at(0),
            name: self.name(object, "name", NameOf::TypeOrWord)?,
            fields: self.list(object, "fields", false, Self::variant_field)?,
        })
    }

    /// Reads `{name?, type}`, or only the type.
    fn variant_field(&mut self, value: &Value) -> Option<(Option<Name>, TypeExpr)> {
        let object = self.object(value)?;
        if !object.contains_key("type") {
            return Some((None, self.type_expr(value)?));
        }
        let name = self.optional(object, "name", |it, value| {
            it.bare_name(value, NameOf::Value)
        })?;
        let ty = self.member(object, "type", Self::type_expr)?;
        Some((name, ty))
    }
}
