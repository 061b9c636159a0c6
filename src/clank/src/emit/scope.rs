//! What a name stands for at a place, and how it is spelled there.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::names::spelled;
use crate::ast::{DeclKind, Program, Sum, TypeAlias};

/// What the program declares, the last of each name.
#[derive(Default)]
pub(super) struct Globals<'a> {
    pub(super) values: FxHashSet<&'a str>,
    /// How the values are spelled.
    pub(super) spellings: FxHashSet<String>,
    pub(super) variants: BTreeMap<&'a str, &'a Sum>,
    pub(super) aliases: BTreeMap<&'a str, &'a TypeAlias>,
    /// Records, sums and aliases.
    pub(super) types: FxHashSet<&'a str>,
}

impl<'a> Globals<'a> {
    pub(super) fn of(program: &'a Program) -> Self {
        let mut globals = Self::default();
        for declaration in &program.declarations {
            match &declaration.kind {
                DeclKind::Fn(function) => {
                    globals.values.insert(&function.signature.name.text);
                }
                DeclKind::ExternalFn(function) => {
                    globals.values.insert(&function.signature.name.text);
                }
                DeclKind::ExternalMod(module) => {
                    let names = module.functions.iter().map(|it| it.name.text.as_str());
                    globals.values.extend(names);
                }
                DeclKind::Rec(rec) => {
                    globals.values.insert(&rec.name.text);
                    globals.types.insert(&rec.name.text);
                }
                DeclKind::Sum(sum) => {
                    globals.types.insert(&sum.name.text);
                    for variant in &sum.variants {
                        globals.values.insert(&variant.name.text);
                        globals.variants.insert(&variant.name.text, sum);
                    }
                }
                DeclKind::TypeAlias(alias) => {
                    globals.types.insert(&alias.name.text);
                    globals.aliases.insert(&alias.name.text, alias);
                }
                DeclKind::Mod(_) | DeclKind::Use(_) => {}
            }
        }
        globals.spellings = globals.values.iter().map(|it| spelled(it)).collect();
        globals
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) spelled: String,
    pub(super) is_mutable: bool,
}

/// The variables of a function. Each gets a spelling of its own, so that a variable may be named as
/// one that it shadows, even in its own initialiser.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    scopes: Vec<BTreeMap<&'a str, Binding>>,
    spellings: FxHashSet<String>,
}

impl<'a> Scopes<'a> {
    pub(super) fn enter(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
        if self.scopes.is_empty() {
            self.spellings.clear();
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// A spelling that nothing else in this function has, nor anything the program declares.
    pub(super) fn fresh(&mut self, name: &str, globals: &Globals<'_>) -> String {
        let plain = spelled(name);
        let mut spelling = plain.clone();
        let mut count = 0;
        while globals.spellings.contains(&spelling) || self.spellings.contains(&spelling) {
            count += 1;
            spelling = format!("{plain}${count}");
        }
        self.spellings.insert(spelling.clone());
        spelling
    }

    pub(super) fn bind(&mut self, name: &'a str, spelled: String, is_mutable: bool) {
        let binding = Binding {
            spelled,
            is_mutable,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, binding);
        }
    }
}
