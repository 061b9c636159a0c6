//! Modules across files.
//!
//! A program that is compiled alone has no modules, and its `use` imports nothing. With modules,
//! `use shapes.{area, Point}` imports these names from the interface of `shapes`, and plain `use
//! shapes` imports all of it.
//!
//! The program's own declarations take precedence over imported ones, and later `use`s over earlier
//! ones. Constructors come with their type. The names of `std` are always in scope.
//!
//! An [`Interface`] contains what a module exports. [`link`] puts the imported declarations before
//! the program's own. [`interfaces`] builds the interfaces of files that use each other. Owns E1003
//! and E1004.

mod interface;
mod link;
mod order;

pub use interface::{Interface, InterfaceError, interface, read_interfaces, write_interfaces};
pub use link::{Links, link};
pub use order::{
    ModuleError, SourceFile, interfaces, module_name, names_in, unknown_modules, uses_modules,
};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Ast, DeclKind};
use crate::syntax::SyntaxError;

/// The modules that a program may use.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    by_name: BTreeMap<String, Arc<Interface>>,
    /// Whether there may be modules that are not known here.
    partial: bool,
}

impl Modules {
    /// The complete list of modules: using any other one is an error.
    pub fn complete(interfaces: impl IntoIterator<Item = Arc<Interface>>) -> Self {
        let named = interfaces.into_iter().map(|it| (it.module.clone(), it));
        Self {
            by_name: named.collect(),
            partial: false,
        }
    }

    /// Allows for unknown modules. A name from an unknown module is assumed to exist and is not
    /// reported.
    #[must_use]
    pub fn or_more(mut self) -> Self {
        self.partial = true;
        self
    }

    pub fn get(&self, name: &str) -> Option<&Arc<Interface>> {
        self.by_name.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Interface> {
        self.by_name.values().map(AsRef::as_ref)
    }

    pub fn is_partial(&self) -> bool {
        self.partial
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    fn insert(&mut self, interface: Interface) {
        let name = interface.module.clone();
        self.by_name.insert(name, Arc::new(interface));
    }
}

/// Reports types in `use` items. A program that is compiled alone has no modules to import types
/// from.
pub(crate) fn types_in_use(ast: &Ast) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    for decl in &ast.program.declarations {
        let DeclKind::Use(used) = &decl.kind else {
            continue;
        };
        let types = used.items.iter();
        for ty in types.filter(|it| it.text.starts_with(char::is_uppercase)) {
            let path: Vec<&str> = used.path.iter().map(|it| it.text.as_str()).collect();
            let module = path.join(".");
            let message = format!(
                "`{}` is a type, and there is no module `{module}` here to take it from; pass it with \
                 `--module {module}=FILE`",
                ty.text
            );
            errors.push(SyntaxError::new(ty.span, message));
        }
    }
    errors
}

#[cfg(test)]
mod tests;
