//! The prelude: the declarations in scope of every program, written in Clank.

use std::sync::LazyLock;

use crate::ast::{Ast, DeclKind, Signature, Sum};
use crate::parse::parse;

/// `Never` is a type only here. The canonical form turns a range into a call of `__range`.
const TEXT: &str = r#"
sum Option[T] { Some(T), None }
sum Result[T, E] { Ok(T), Err(E) }
sum Ordering { Less, Equal, Greater }
external fn len[T](xs: [T]) -> Nat = "len"
external fn is_empty[T](xs: [T]) -> Bool = "is_empty"
external fn push[T](xs: [T], x: T) -> [T] = "push"
external fn concat[T](xs: [T], ys: [T]) -> [T] = "concat"
external fn reverse[T](xs: [T]) -> [T] = "reverse"
external fn map[T, U](xs: [T], f: (T) -> U) -> [U] = "map"
external fn filter[T](xs: [T], f: (T) -> Bool) -> [T] = "filter"
external fn fold[T, U](xs: [T], start: U, f: (U, T) -> U) -> U = "fold"
external fn reduce[T](xs: [T], f: (T, T) -> T) -> Option[T] = "reduce"
external fn get[T](xs: [T], at: Nat) -> Option[T] = "get"
external fn find[T](xs: [T], f: (T) -> Bool) -> Option[T] = "find"
external fn any[T](xs: [T], f: (T) -> Bool) -> Bool = "any"
external fn all[T](xs: [T], f: (T) -> Bool) -> Bool = "all"
external fn contains[T](xs: [T], x: T) -> Bool = "contains"
external fn take[T](xs: [T], count: Nat) -> [T] = "take"
external fn drop[T](xs: [T], count: Nat) -> [T] = "drop"
external fn zip[T, U](xs: [T], ys: [U]) -> [(T, U)] = "zip"
external fn str_len(text: Str) -> Nat = "str_len"
external fn trim(text: Str) -> Str = "trim"
external fn split(text: Str, at: Str) -> [Str] = "split"
external fn join(parts: [Str], between: Str) -> Str = "join"
external fn to_string[T](value: T) -> Str = "to_string"
external fn print(text: Str) -> IO + Unit = "print"
external fn println(text: Str) -> IO + Unit = "println"
external fn panic(message: Str) -> Never = "panic"
external fn unreachable() -> Never = "unreachable"
external fn int_to_float(value: Int) -> Float = "int_to_float"
external fn float_to_int(value: Float) -> Int = "float_to_int"
external fn abs(value: Int) -> Nat = "abs"
external fn min[T](left: T, right: T) -> T = "min"
external fn max[T](left: T, right: T) -> T = "max"
external fn __range(start: Int, end: Int, inclusive: Bool) -> [Int] = "range"
"#;

/// The built-in declarations.
#[derive(Debug)]
pub struct Prelude {
    pub ast: Ast,
}

pub fn prelude() -> &'static Prelude {
    static PRELUDE: LazyLock<Prelude> = LazyLock::new(|| Prelude {
        ast: parse("prelude", TEXT).ast,
    });
    &PRELUDE
}

impl Prelude {
    /// The built-in function at an index.
    pub fn function(&self, at: usize) -> Option<&Signature> {
        match &self.ast.program.declarations.get(at)?.kind {
            DeclKind::ExternalFn(function) => Some(&function.signature),
            _ => None,
        }
    }

    pub fn functions(&self) -> impl Iterator<Item = (usize, &Signature)> {
        let places = 0..self.ast.program.declarations.len();
        places.filter_map(|at| Some((at, self.function(at)?)))
    }

    /// The names that a program can call, including constructors.
    pub fn value_names(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions().map(|(_, it)| it.name.text.as_str());
        let variants = self.sums().flat_map(|(_, it)| &it.variants);
        functions.chain(variants.map(|it| it.name.text.as_str()))
    }

    pub fn sums(&self) -> impl Iterator<Item = (usize, &Sum)> {
        let all = self.ast.program.declarations.iter().enumerate();
        all.filter_map(|(at, decl)| match &decl.kind {
            DeclKind::Sum(sum) => Some((at, sum)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prelude_parses_without_errors() {
        let parsed = parse("prelude", TEXT);
        assert_eq!(parsed.errors, []);
        assert_eq!(prelude().sums().count(), 3);
        assert_eq!(prelude().functions().count(), 32);
    }
}
