//! Resolves a whole program, and the prelude.

use std::sync::LazyLock;

use super::resolve::Resolver;
use super::{Globals, Names, prelude};
use crate::ast::{Ast, Decl, Middle};
use crate::diagnostic::Diagnostic;
use crate::parallel::both;

/// Resolves every name of the program. A program with a `middle` is resolved in two halves in
/// parallel.
pub fn resolve(
    ast: &Ast,
    globals: &Globals<'_>,
    middle: Option<Middle>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Names {
    let half = |declarations: &[Decl], nodes| {
        let mut resolver = Resolver::new(globals, nodes, false);
        resolver.names.writes_fields = ast.links.writes();
        resolver.declarations(declarations);
        (resolver.names, resolver.diagnostics)
    };
    let (all, nodes) = (ast.program.declarations.as_slice(), ast.ids.len());
    let halves = middle.and_then(|it| Some((it, all.split_at_checked(it.declaration)?)));
    let (names, mut found) = match halves {
        None => half(all, 0..nodes),
        Some((Middle { end, node, .. }, (front, back))) => {
            let (first, second) = both(|| half(front, 0..end), || half(back, node..nodes));
            let (mut names, mut found) = first;
            names.append(second.0);
            found.extend(second.1);
            (names, found)
        }
    };
    diagnostics.append(&mut found);
    names
}

/// The resolved types in the prelude's own declarations.
pub fn prelude_names() -> &'static Names {
    static NAMES: LazyLock<Names> = LazyLock::new(|| {
        let ast = &prelude().ast;
        let globals = Globals::collect(ast, &mut Vec::new());
        let mut resolver = Resolver::new(&globals, 0..ast.ids.len(), true);
        resolver.declarations(&ast.program.declarations);
        resolver.names
    });
    &NAMES
}
