//! Reads types and patterns.

use fixpoint_text::Span;
use serde_json::Value;

use super::kinds;
use super::read::{NameOf, Reader};
use crate::ast::{FieldPattern, Node, Pattern, PatternKind, TypeExpr, TypeKind};

impl Reader {
    pub fn type_expr(&mut self, value: &Value) -> Option<TypeExpr> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.type_expr());
        }
        let id = self.node_id(object);
        let boxed = |it: &mut Self, value: &Value| it.type_expr(value).map(Box::new);
        let kind = match object.get("kind").and_then(Value::as_str) {
            Some("named") => {
                let args = if object.contains_key("args") {
                    "args"
                } else {
                    "typeArgs"
                };
                TypeKind::Named {
                    name: self.name(object, "name", NameOf::TypeOrWord)?,
                    args: self.list(object, args, false, Self::type_expr)?,
                }
            }
            Some("array") => TypeKind::Array(self.member(object, "element", boxed)?),
            Some("tuple") => {
                TypeKind::Tuple(self.list(object, "elements", true, Self::type_expr)?)
            }
            Some("function") => TypeKind::Function {
                params: self.list(object, "params", true, Self::type_expr)?,
                result: self.member(object, "returnType", boxed)?,
            },
            Some("refined") => {
                let var = if object.contains_key("varName") {
                    "varName"
                } else {
                    "variable"
                };
                TypeKind::Refined {
                    base: self.member(object, "base", boxed)?,
                    var: self
                        .optional(object, var, |it, value| it.bare_name(value, NameOf::Value))?,
                    predicate: self.member(object, "predicate", |it, value| {
                        it.expr(value).map(Box::new)
                    })?,
                }
            }
            Some("effect") => {
                // Some documents use `{effect, inner}` for a single effect.
                let effects = match object.get("effect") {
                    Some(effect) if !object.contains_key("effects") => vec![self.effect(effect)?],
                    _ => self.list(object, "effects", true, Self::effect)?,
                };
                TypeKind::Effect {
                    effects,
                    result: self.member_of(object, ["resultType", "inner"], boxed)?,
                }
            }
            Some("recordType") => TypeKind::Record {
                fields: self.list(object, "fields", true, Self::field)?,
                open: self.flag(object, "isOpen")?,
            },
            _ => return self.unknown_kind(object, &kinds::TYPE),
        };
        Some(Node::new(id, Span::at(0), kind))
    }

    /// Reads an effect, which is a type or only its name.
    fn effect(&mut self, value: &Value) -> Option<TypeExpr> {
        let Some(name) = value.as_str() else {
            return self.type_expr(value);
        };
        let kind = TypeKind::Named {
            name: self.checked_name(name, NameOf::TypeOrWord)?,
            args: Vec::new(),
        };
        Some(Node::new(self.ids.fresh(), Span::at(0), kind))
    }

    pub fn pattern(&mut self, value: &Value) -> Option<Pattern> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.pattern());
        }
        let id = self.node_id(object);
        let kind = match object.get("kind").and_then(Value::as_str) {
            Some("wildcard") => PatternKind::Wildcard,
            Some("ident") => PatternKind::Ident(self.name(object, "name", NameOf::Value)?.text),
            Some("literal") => PatternKind::Literal(self.member(object, "value", Self::literal)?),
            Some("tuple") => {
                PatternKind::Tuple(self.list(object, "elements", true, Self::pattern)?)
            }
            Some("record") => {
                PatternKind::Record(self.list(object, "fields", true, |it, value| {
                    let object = it.object(value)?;
                    Some(FieldPattern {
                        id: it.node_id(object),
                        name: it.name(object, "name", NameOf::Value)?,
                        pattern: it.optional(object, "pattern", Self::pattern)?,
                    })
                })?)
            }
            Some("variant") => {
                let has_payload = object.contains_key("payload");
                let list = if has_payload { "payload" } else { "fields" };
                let name = self.name(object, "name", NameOf::TypeOrWord)?;
                let payload = self.list(object, list, false, Self::pattern)?;
                PatternKind::Variant {
                    name,
                    payload: (has_payload || !payload.is_empty()).then_some(payload),
                }
            }
            _ => return self.unknown_kind(object, &kinds::PATTERN),
        };
        Some(Node::new(id, Span::at(0), kind))
    }
}
