//! Resolves a whole program, and the prelude.

use std::sync::LazyLock;

use super::resolve::Resolver;
use super::{Globals, Names, prelude};
use crate::ast::Ast;
use crate::diagnostic::Diagnostic;

/// Resolves every name of the program.
pub fn resolve(ast: &Ast, globals: &Globals<'_>, diagnostics: &mut Vec<Diagnostic>) -> Names {
    let mut resolver = Resolver::new(globals, ast.ids.len(), false);
    resolver.names.writes_fields = ast.links.writes();
    resolver.declarations(&ast.program.declarations);
    diagnostics.append(&mut resolver.diagnostics);
    resolver.names
}

/// The resolved types in the prelude's own declarations.
pub fn prelude_names() -> &'static Names {
    static NAMES: LazyLock<Names> = LazyLock::new(|| {
        let ast = &prelude().ast;
        let globals = Globals::collect(ast, &mut Vec::new());
        let mut resolver = Resolver::new(&globals, ast.ids.len(), true);
        resolver.declarations(&ast.program.declarations);
        resolver.names
    });
    &NAMES
}
