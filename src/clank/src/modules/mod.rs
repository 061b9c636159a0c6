//! Modules between files.
//!
//! A program that is compiled alone knows no other: its `use` binds nothing, as Clank always had it.
//! Where modules are handed in, `use shapes.{area, Point}` binds what the interface of `shapes` has
//! under these names, and plain `use shapes` all of it; own declarations win over bound ones, later
//! `use`s over earlier ones. Constructors come with their type. `std` is the language's own: its
//! names are in scope anyway.
//!
//! [`Interface`] is what a module shows to others, [`link`] puts what a program uses of them in front
//! of its own declarations, and [`interfaces`] makes the interfaces of files that use one another.
//! Owns E1003 and E1004.

mod interface;
mod link;
mod order;

pub use interface::{Interface, InterfaceError, interface, read_interfaces, write_interfaces};
pub use link::{Links, link};
pub use order::{ModuleError, SourceFile, interfaces, module_name, uses_modules};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Ast, DeclKind};
use crate::syntax::SyntaxError;

/// The modules that a program may use.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    by_name: BTreeMap<String, Arc<Interface>>,
    /// Whether there are more that are not known here.
    partial: bool,
}

impl Modules {
    /// All there are: to use another one is an error.
    pub fn complete(interfaces: impl IntoIterator<Item = Arc<Interface>>) -> Self {
        let named = interfaces.into_iter().map(|it| (it.module.clone(), it));
        Self {
            by_name: named.collect(),
            partial: false,
        }
    }

    /// There may be others. What is named from one that is not known is taken to be there, and
    /// nothing is said about it.
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

/// The types that `use` names. Alone a program has none to name, so there they are errors.
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
                "`{}` is a type, and there is no module `{module}` here to take it from; hand it in with \
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
