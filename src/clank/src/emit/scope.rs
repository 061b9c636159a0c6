//! Scopes: what a name refers to, and how it is spelled.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::spelled;
use crate::ast::{DeclKind, Program, Sum, Text, TypeAlias};

/// The declarations of the program, the last one of each name.
#[derive(Default)]
pub(super) struct Globals<'a> {
    pub(super) values: FxHashSet<&'a str>,
    /// The spellings of the values.
    pub(super) spellings: FxHashSet<Text>,
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

/// A variable of the emitted function.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) spelled: Text,
    pub(super) is_mutable: bool,
}

/// The variables of a function. Each has its own spelling, so a variable may have the same name as
/// one it shadows, even in its initializer.
#[derive(Default)]
pub(super) struct Scopes<'a> {
    variables: FxHashMap<&'a str, Binding>,
    /// The previous binding of each bound name, in the order of binding.
    shadowed: Vec<(&'a str, Option<Binding>)>,
    /// The number of bindings at the start of each scope.
    scopes: Vec<usize>,
    /// The spellings in use, each with the last number that was appended to make it unique.
    spellings: FxHashMap<Text, usize>,
}

pub(super) struct HiddenVariables<'a>(FxHashMap<&'a str, Binding>);

impl<'a> Scopes<'a> {
    pub(super) fn enter(&mut self) {
        self.scopes.push(self.shadowed.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or_default();
        for (name, before) in self.shadowed.drain(start..).rev() {
            match before {
                Some(binding) => self.variables.insert(name, binding),
                None => self.variables.remove(name),
            };
        }
        if self.scopes.is_empty() {
            self.spellings.clear();
        }
    }

    /// Hides all variables, for code that refers only to declarations. `show` takes them back.
    pub(super) fn hide(&mut self) -> HiddenVariables<'a> {
        HiddenVariables(std::mem::take(&mut self.variables))
    }

    pub(super) fn show(&mut self, hidden: HiddenVariables<'a>) {
        self.variables = hidden.0;
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.variables.get(name)
    }

    /// A spelling that is unique in this function and among the program's declarations.
    pub(super) fn fresh(&mut self, name: &str, globals: &Globals<'_>) -> Text {
        let plain = spelled(name);
        let is_taken = globals.spellings.contains(&plain) || self.spellings.contains_key(&plain);
        let last = self.spellings.entry(plain.clone()).or_default();
        if !is_taken {
            return plain;
        }
        let mut count = *last;
        loop {
            count += 1;
            let spelling = Text::from(format!("{plain}${count}"));
            if !globals.spellings.contains(&spelling) && !self.spellings.contains_key(&spelling) {
                self.spellings.insert(plain, count);
                self.spellings.insert(spelling.clone(), 0);
                return spelling;
            }
        }
    }

    /// Reserves a name, so that no variable of the next function gets it.
    pub(super) fn reserve(&mut self, spelling: &str) {
        self.spellings.entry(spelling.into()).or_default();
    }

    pub(super) fn bind(&mut self, name: &'a str, spelled: Text, is_mutable: bool) {
        let binding = Binding {
            spelled,
            is_mutable,
        };
        let before = self.variables.insert(name, binding);
        self.shadowed.push((name, before));
    }
}
