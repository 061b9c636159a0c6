//! A value of a type, to stand where the author has to put the right one.

use std::collections::BTreeSet;

use super::Rows;
use crate::ast::{DeclKind, Rec, Sum, TypeExpr, TypeKind, TypeParam};
use crate::names::prelude;
use crate::parse::parse;

/// How deep values are built inside one another: a type that contains itself has no end.
const MAX_DEPTH: usize = 8;

/// How many integers are tried where one is refined.
const MOST_INTEGERS: usize = 8;

impl Rows<'_, '_> {
    /// The source of a value of a type as messages write it; nothing if there is no telling one.
    /// Where an integer is refined, `refined` stands for it.
    pub(super) fn placeholder(&self, ty: &str, refined: &str) -> Option<String> {
        if ty.starts_with('?') {
            return Some("()".to_owned());
        }
        let parsed = parse("", &format!("type T = {}", written(ty)));
        if !parsed.errors.is_empty() {
            return None;
        }
        let decl = parsed.ast.program.declarations.into_iter().next()?;
        match decl.kind {
            DeclKind::TypeAlias(alias) => self.value(&alias.ty, refined, 0),
            _ => None,
        }
    }

    fn value(&self, ty: &TypeExpr, refined: &str, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &ty.kind {
            TypeKind::Named { name, args } => self.named_value(&name.text, args, refined, depth),
            TypeKind::Array(_) => Some("[]".to_owned()),
            TypeKind::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.value(it, refined, depth + 1));
                let parts: Option<Vec<String>> = parts.collect();
                Some(format!("({})", parts?.join(", ")))
            }
            TypeKind::Function { params, result } => {
                let names = (1..=params.len()).map(|at| format!("_{at}"));
                let names: Vec<String> = names.collect();
                let result = self.value(result, refined, depth + 1)?;
                Some(format!("(\\({}) -> {result})", names.join(", ")))
            }
            TypeKind::Refined { base, .. } => match &base.kind {
                TypeKind::Named { name, .. } if name.text == "Int" => Some(refined.to_owned()),
                _ => self.value(base, refined, depth + 1),
            },
            TypeKind::Effect { .. } | TypeKind::Record { .. } => None,
        }
    }

    fn named_value(
        &self,
        name: &str,
        args: &[TypeExpr],
        refined: &str,
        depth: usize,
    ) -> Option<String> {
        let literal = match name {
            "Int" => "0",
            "Float" => "0.0",
            "Bool" => "false",
            "Str" | "String" => "\"\"",
            "Unit" => "()",
            // Literals are of type Int.
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
            DeclKind::Rec(rec) if rec.name.text == name => self.record(rec, args, refined, depth),
            DeclKind::Sum(sum) if sum.name.text == name => self.variant(sum, args, refined, depth),
            DeclKind::TypeAlias(alias) if alias.name.text == name => self.value(
                substituted(&alias.ty, &alias.type_params, args),
                refined,
                depth + 1,
            ),
            _ => None,
        })
    }

    fn record(&self, rec: &Rec, args: &[TypeExpr], refined: &str, depth: usize) -> Option<String> {
        let fields = rec.fields.iter().map(|it| {
            let ty = substituted(&it.ty, &rec.type_params, args);
            self.value(ty, refined, depth + 1)
        });
        let fields: Option<Vec<String>> = fields.collect();
        Some(format!("{}({})", rec.name.text, fields?.join(", ")))
    }

    /// The variant with the fewest fields that can be built.
    fn variant(&self, sum: &Sum, args: &[TypeExpr], refined: &str, depth: usize) -> Option<String> {
        let mut variants: Vec<_> = sum.variants.iter().collect();
        variants.sort_by_key(|it| it.fields.len());
        variants.into_iter().find_map(|variant| {
            let name = &variant.name.text;
            if variant.fields.is_empty() {
                return Some(name.to_string());
            }
            let fields = variant.fields.iter().map(|(_, ty)| {
                let ty = substituted(ty, &sum.type_params, args);
                self.value(ty, refined, depth + 1)
            });
            let fields: Option<Vec<String>> = fields.collect();
            Some(format!("{name}({})", fields?.join(", ")))
        })
    }
}

/// A type of a message as it is written in a program: the parameter of a function is in parentheses
/// there, and what is not known may be anything.
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

/// Integers that may meet the refinements in a text of types: small ones, and those next to the
/// numbers in it.
pub(super) fn refined_integers(types: &str) -> Vec<String> {
    let mut values: Vec<i64> = vec![0, 1, -1];
    if types.contains('{') {
        let digits = types.split(|it: char| !it.is_ascii_digit());
        for number in digits.filter_map(|it| it.parse::<i64>().ok()) {
            values.extend(
                [number.checked_add(1), Some(number), number.checked_sub(1)]
                    .iter()
                    .flatten(),
            );
        }
    } else {
        values.truncate(1);
    }
    let mut seen = BTreeSet::new();
    values.retain(|it| seen.insert(*it));
    values.truncate(MOST_INTEGERS);
    values.into_iter().map(|it| it.to_string()).collect()
}

/// The argument for a type that is a type parameter. Parameters further down have no value, so that
/// nothing is built from them.
fn substituted<'t>(ty: &'t TypeExpr, params: &[TypeParam], args: &'t [TypeExpr]) -> &'t TypeExpr {
    match &ty.kind {
        TypeKind::Named { name, .. } => {
            let place = params.iter().position(|it| it.name.text == name.text);
            place.and_then(|at| args.get(at)).unwrap_or(ty)
        }
        _ => ty,
    }
}
