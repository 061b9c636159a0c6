//! Builds placeholder values of a type that the author is expected to replace.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Rows;
use crate::ast::{DeclKind, ExprKind, Literal, NodeRef, Rec, Sum, TypeExpr, TypeKind, TypeParam};
use crate::lex::{TokenKind, word_kind};
use crate::names::prelude;
use crate::parse::parse;

/// The maximum nesting depth of values: a recursive type has no limit.
const MAX_DEPTH: usize = 8;

/// The maximum number of integers that are tried for a refined type.
const MAX_NUMBERS: usize = 8;

/// The maximum number of elements or characters of a value.
const MAX_ELEMENTS: i64 = 64;

impl Rows<'_, '_> {
    /// A placeholder for a type as messages print it, or `None` if no value can be built. Where a
    /// type is refined, `number` is the integer, or the length of an array or string.
    pub(super) fn placeholder(&self, ty: &str, number: i64) -> Option<Value> {
        if let Some(fields) = ty.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            let fields = parts(fields).into_iter().filter(|it| *it != "...");
            let fields = fields.map(|field| {
                let (name, ty) = field.split_once(": ")?;
                Some(json!({"name": name, "value": self.placeholder(ty, number)?}))
            });
            let fields: Option<Vec<Value>> = fields.collect();
            return Some(json!({"kind": "record", "fields": fields?}));
        }
        if ty.starts_with('?') {
            return Some(json!({ "source": "()" }));
        }
        let parsed = parse("", &format!("type T = {}", written(ty)));
        if !parsed.errors.is_empty() {
            return None;
        }
        let decl = parsed.ast.program.declarations.into_iter().next()?;
        match decl.kind {
            DeclKind::TypeAlias(alias) => self.node(&alias.ty, number, 0),
            _ => None,
        }
    }

    /// Builds a value as a node, because records have no text form.
    fn node(&self, ty: &TypeExpr, number: i64, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &ty.kind {
            TypeKind::Record { fields, .. } => {
                let fields = fields.iter().map(|it| {
                    let value = self.node(&it.ty, number, depth + 1)?;
                    Some(json!({"name": it.name.text, "value": value}))
                });
                let fields: Option<Vec<Value>> = fields.collect();
                Some(json!({"kind": "record", "fields": fields?}))
            }
            TypeKind::Named { name, args } if args.is_empty() => {
                let mut declarations = self.tree.ast.program.declarations.iter();
                let record = declarations.find_map(|decl| match &decl.kind {
                    DeclKind::TypeAlias(alias) if alias.name.text == name.text => {
                        let is_record = matches!(alias.ty.kind, TypeKind::Record { .. });
                        is_record.then_some(&alias.ty)
                    }
                    _ => None,
                });
                match record {
                    Some(record) => self.node(record, number, depth + 1),
                    None => Some(json!({ "source": self.value(ty, number, depth)? })),
                }
            }
            _ => Some(json!({ "source": self.value(ty, number, depth)? })),
        }
    }

    /// Candidate numbers for the refinements in a text of types. They are small numbers and the
    /// neighbors of the numbers in the text and in the types it names.
    pub(super) fn numbers_for(&self, types: &str) -> Vec<i64> {
        let mut refined = types.contains('{');
        let mut values: Vec<i64> = vec![0, 1, -1];
        let mut add = |text: &str| {
            let digits = text.split(|it: char| !it.is_ascii_digit());
            for number in digits.filter_map(|it| it.parse::<i64>().ok()) {
                let near = [number.checked_add(1), Some(number), number.checked_sub(1)];
                values.extend(near.into_iter().flatten());
            }
        };
        if refined {
            add(types);
        }
        let names_own = |it: &str| word_kind(it) == Some(TokenKind::TypeIdent);
        let mut words = types.split(|it: char| !it.is_alphanumeric() && it != '_');
        let declarations = match words.any(names_own) {
            true => self.tree.ast.program.declarations.as_slice(),
            false => &[],
        };
        for decl in declarations {
            let name = match &decl.kind {
                DeclKind::TypeAlias(it) => &it.name.text,
                DeclKind::Rec(it) => &it.name.text,
                DeclKind::Sum(it) => &it.name.text,
                _ => continue,
            };
            if types.contains(name.as_str()) {
                refined = true;
                NodeRef::Decl(decl).each(&mut |node| {
                    if let NodeRef::Expr(expr) = node
                        && let ExprKind::Literal(Literal::Int { value, .. }) = &expr.kind
                    {
                        add(value);
                    }
                });
            }
        }
        if !refined {
            values.truncate(1);
        }
        let mut seen = BTreeSet::new();
        values.retain(|it| seen.insert(*it));
        values.truncate(MAX_NUMBERS);
        values
    }

    fn value(&self, ty: &TypeExpr, number: i64, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &ty.kind {
            TypeKind::Named { name, args } => self.named_value(&name.text, args, number, depth),
            TypeKind::Array(_) => Some("[]".to_owned()),
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.value(it, number, depth + 1));
                let parts: Option<Vec<String>> = parts.collect();
                Some(format!("({})", parts?.join(", ")))
            }
            TypeKind::Function { params, result } => {
                let names = (1..=params.len()).map(|at| format!("_{at}"));
                let names: Vec<String> = names.collect();
                let result = self.value(result, number, depth + 1)?;
                Some(format!("(\\({}) -> {result})", names.join(", ")))
            }
            TypeKind::Refined { base, .. } => self.refined_value(base, number, depth),
            TypeKind::Effect { .. } | TypeKind::Record { .. } => None,
        }
    }

    fn refined_value(&self, base: &TypeExpr, number: i64, depth: usize) -> Option<String> {
        let length = usize::try_from(number.clamp(0, MAX_ELEMENTS)).unwrap_or_default();
        match &base.kind {
            TypeKind::Named { name, .. } => match name.text.as_str() {
                "Int" => Some(number.to_string()),
                "Nat" => Some(format!("abs({number})")),
                "Float" => Some(format!("{number}.0")),
                "Str" | "String" => Some(format!("\"{}\"", "x".repeat(length))),
                _ => self.value(base, number, depth + 1),
            },
            TypeKind::Array(element) if length > 0 => {
                let element = self.value(element, number, depth + 1)?;
                Some(format!("[{}]", vec![element; length].join(", ")))
            }
            _ => self.value(base, number, depth + 1),
        }
    }

    fn named_value(
        &self,
        name: &str,
        args: &[TypeExpr],
        number: i64,
        depth: usize,
    ) -> Option<String> {
        let literal = match name {
            "Int" => "0",
            "Float" => "0.0",
            "Bool" => "false",
            "Str" | "String" => "\"\"",
            "Unit" => "()",
            // Integer literals have type Int.
            "Nat" => "abs(0)",
            "Int32" => "0i32",
            "Int64" => "0i64",
            _ => "",
        };
        if !literal.is_empty() {
            return Some(literal.to_owned());
        }
        let own = self.tree.ast.program.declarations.iter();
        let known = prelude().ast.program.declarations.iter();
        own.chain(known).find_map(|decl| match &decl.kind {
            DeclKind::Rec(rec) if rec.name.text == name => self.record(rec, args, number, depth),
            DeclKind::Sum(sum) if sum.name.text == name => self.variant(sum, args, number, depth),
            DeclKind::TypeAlias(alias) if alias.name.text == name => self.value(
                substituted(&alias.ty, &alias.type_params, args),
                number,
                depth + 1,
            ),
            _ => None,
        })
    }

    fn record(&self, rec: &Rec, args: &[TypeExpr], number: i64, depth: usize) -> Option<String> {
        let fields = rec.fields.iter().map(|it| {
            let ty = substituted(&it.ty, &rec.type_params, args);
            self.value(ty, number, depth + 1)
        });
        let fields: Option<Vec<String>> = fields.collect();
        Some(format!("{}({})", rec.name.text, fields?.join(", ")))
    }

    /// The variant with the fewest fields that can be built.
    fn variant(&self, sum: &Sum, args: &[TypeExpr], number: i64, depth: usize) -> Option<String> {
        let mut variants: Vec<_> = sum.variants.iter().collect();
        variants.sort_by_key(|it| it.fields.len());
        variants.into_iter().find_map(|variant| {
            let name = &variant.name.text;
            if variant.fields.is_empty() {
                return Some(name.to_string());
            }
            let fields = variant.fields.iter().map(|(_, ty)| {
                let ty = substituted(ty, &sum.type_params, args);
                self.value(ty, number, depth + 1)
            });
            let fields: Option<Vec<String>> = fields.collect();
            Some(format!("{name}({})", fields?.join(", ")))
        })
    }
}

/// Converts a type from a message to source syntax. A single function parameter gets parentheses,
/// and an unknown type becomes `Unit`.
fn written(ty: &str) -> String {
    let mut known = String::with_capacity(ty.len());
    for (at, part) in ty.split('?').enumerate() {
        if at > 0 {
            known.push_str("Unit");
        }
        let digits = |it: char| it.is_ascii_digit();
        known.push_str(if at > 0 {
            part.trim_start_matches(digits)
        } else {
            part
        });
    }
    match known.split_once(" -> ") {
        Some((param, result)) if !known.starts_with('(') => format!("({param}) -> {result}"),
        _ => known,
    }
}

/// Splits at the commas outside all brackets.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, char) in list.char_indices() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(list.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(list.get(start..));
    let parts = parts.into_iter().map(str::trim);
    parts.filter(|it| !it.is_empty()).collect()
}

/// The type argument for a type that is a type parameter. Nested type parameters are not
/// substituted, so no value is built for them.
fn substituted<'t>(ty: &'t TypeExpr, params: &[TypeParam], args: &'t [TypeExpr]) -> &'t TypeExpr {
    match &ty.kind {
        TypeKind::Named { name, .. } => {
            let place = params.iter().position(|it| it.name.text == name.text);
            place.and_then(|at| args.get(at)).unwrap_or(ty)
        }
        _ => ty,
    }
}
