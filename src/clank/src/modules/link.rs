//! Links a program: puts the declarations it uses from other modules before its own.
//!
//! A type that is only mentioned by an imported declaration keeps its module's name as a prefix.
//! The new nodes belong to the program but have no text. Their problems are reported in the module
//! that contains them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use super::interface::{Sort, mentioned, name_of, rename};
use super::{Interface, Modules};
use crate::ast::{Ast, Decl, DeclKind, Name, NodeId, Use, assign_structural_ids};
use crate::diagnostic::{Code, Diagnostic, MissingPatternKind, Payload};
use crate::json::read_declarations;
use crate::names::{prelude, similar_names};

/// The links of a program to other modules.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The qualified names of names imported by `use`.
    full_names: BTreeMap<String, String>,
    /// The code file of each imported declaration. Imported declarations come first in the program.
    codes: Vec<Option<String>>,
    nodes: Range<usize>,
    /// Names imported from unknown modules.
    unknown: BTreeSet<String>,
    /// Whether any name may come from an unknown module.
    all_unknown: bool,
    /// Whether imported functions may write to elements and fields.
    writes: bool,
}

impl Links {
    /// The number of imported declarations, which come first.
    pub fn imported(&self) -> usize {
        self.codes.len()
    }

    /// Whether an imported function may write to elements and fields of its arguments.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Whether a name without a declaration may come from an unknown module.
    pub(crate) fn may_be_unknown(&self) -> bool {
        self.all_unknown || !self.unknown.is_empty()
    }

    /// The code file of the declaration at an index; `None` for one without a name here.
    pub fn code(&self, at: usize) -> Option<&str> {
        self.codes.get(at)?.as_deref()
    }

    /// The qualified name of a name imported by `use`.
    pub(super) fn full_name(&self, name: &str) -> String {
        let full = self.full_names.get(name);
        full.cloned().unwrap_or_else(|| name.to_owned())
    }

    /// The links for a part of the program that is checked separately. In it, imported declarations
    /// are like any other.
    pub(crate) fn of_part(&self) -> Self {
        Self {
            unknown: self.unknown.clone(),
            all_unknown: self.all_unknown,
            writes: self.writes,
            ..Self::default()
        }
    }

    /// Drops diagnostics about other modules' declarations, and those that an unknown module may
    /// have caused.
    pub(crate) fn drop_uncertain(&self, diagnostics: &mut Vec<Diagnostic>) {
        let holds_back = self.may_be_unknown();
        let is_unknown = |name: &String| self.all_unknown || self.unknown.contains(name);
        diagnostics.retain(|it| {
            let is_elsewhere = |node: NodeId| self.nodes.contains(&node.index());
            if it.node.is_some_and(is_elsewhere) {
                return false;
            }
            match &it.payload {
                Payload::UnresolvedName { name, .. }
                | Payload::UnresolvedType { name, .. }
                | Payload::UnresolvedVariant { name, .. } => !is_unknown(name),
                // An unknown type requires a catch-all.
                Payload::NonExhaustiveMatch { missing_patterns } if holds_back => missing_patterns
                    .iter()
                    .any(|it| it.kind != MissingPatternKind::Other),
                _ => true,
            }
        });
    }
}

/// Imports the declarations that the program uses.
pub fn link(ast: &mut Ast, modules: &Modules) -> Vec<Diagnostic> {
    let mut linker = Linker {
        modules,
        links: Links::default(),
        bound: BTreeMap::new(),
        diagnostics: Vec::new(),
    };
    let mut own: BTreeSet<&str> = BTreeSet::new();
    for decl in &ast.program.declarations {
        match &decl.kind {
            DeclKind::Use(it) if !it.is_external => linker.bind_use(decl, it),
            DeclKind::Fn(it) => own.extend([it.signature.name.text.as_str()]),
            DeclKind::ExternalFn(it) => own.extend([it.signature.name.text.as_str()]),
            DeclKind::Rec(it) => own.extend([it.name.text.as_str()]),
            DeclKind::Sum(it) => own.extend([it.name.text.as_str()]),
            DeclKind::TypeAlias(it) => own.extend([it.name.text.as_str()]),
            DeclKind::Use(_) | DeclKind::Mod(_) | DeclKind::ExternalMod(_) => {}
        }
    }
    linker.bound.retain(|name, _| !own.contains(name.as_str()));
    let (declarations, codes) = linker.declarations();
    let Linker {
        mut links,
        diagnostics,
        ..
    } = linker;
    let first = ast.ids.len();
    match read_declarations(&declarations, &mut ast.ids) {
        Some(mut imported) => {
            imported.append(&mut ast.program.declarations);
            ast.program.declarations = imported;
            links.codes = codes;
        }
        // This only happens if an interface file was edited by hand.
        None => links.all_unknown = true,
    }
    assign_structural_ids(&ast.program, &mut ast.ids);
    links.nodes = first..ast.ids.len();
    ast.links = links;
    diagnostics
}

struct Linker<'m> {
    modules: &'m Modules,
    links: Links,
    /// Each imported name with its module and declaration.
    bound: BTreeMap<String, (&'m Interface, &'m Value)>,
    diagnostics: Vec<Diagnostic>,
}

impl<'m> Linker<'m> {
    fn bind_use(&mut self, decl: &Decl, used: &Use) {
        let path: Vec<&str> = used.path.iter().map(|it| it.text.as_str()).collect();
        let whole = path.join(".");
        if let Some(module) = self.modules.get(&whole) {
            return self.bind(decl, module, &used.items);
        }
        // The last part of the path may be a name in the module before it.
        let (last, before) = match used.path.split_last() {
            Some((last, before)) if used.items.is_empty() && !before.is_empty() => (last, before),
            _ => return self.unknown_module(decl, &whole, used),
        };
        let before: Vec<&str> = before.iter().map(|it| it.text.as_str()).collect();
        match self.modules.get(&before.join(".")) {
            Some(module) => self.bind(decl, module, std::slice::from_ref(last)),
            None => self.unknown_module(decl, &whole, used),
        }
    }

    fn bind(&mut self, decl: &Decl, module: &'m Interface, items: &[Name]) {
        self.links.writes |= module.writes;
        if items.is_empty() {
            let all = module.own();
            let all = all.map(|(name, it)| (name.to_owned(), (module, it)));
            self.bound.extend(all.collect::<Vec<_>>());
            return;
        }
        for item in items {
            match module.own().find(|(name, _)| *name == item.text) {
                Some((name, it)) => {
                    self.bound.insert(name.to_owned(), (module, it));
                }
                None => {
                    let constructors = module.own().find(|(_, it)| has_variant(it, &item.text));
                    let similar = match constructors {
                        Some((sum, _)) => vec![sum],
                        None => similar_names(&item.text, module.own().map(|it| it.0)),
                    };
                    let is_constructor = constructors.is_some();
                    self.no_item(decl, &module.module, item, &similar, is_constructor);
                }
            }
        }
    }

    /// `std` always exists. Any other unknown module is an error, unless there may be more modules
    /// than the known ones.
    fn unknown_module(&mut self, decl: &Decl, whole: &str, used: &Use) {
        let is_std = used.path.first().is_some_and(|it| it.text == "std");
        if is_std {
            if !self.modules.partial {
                let known: Vec<&str> = prelude().value_names().collect();
                for item in &used.items {
                    if !known.contains(&item.text.as_str()) {
                        let similar = similar_names(&item.text, known.iter().copied());
                        self.no_item(decl, whole, item, &similar, false);
                    }
                }
            }
            return;
        }
        if used.items.is_empty() {
            self.links.all_unknown = true;
        }
        let items = used.items.iter().map(|it| it.text.to_string());
        self.links.unknown.extend(items);
        if self.modules.partial {
            return;
        }
        let known = self.modules.names().chain(["std"]);
        let similar = owned(&similar_names(whole, known));
        let message = match similar.first() {
            Some(best) => format!("there is no module `{whole}` here; did you mean `{best}`?"),
            None => format!(
                "there is no module `{whole}` here; a module is one of the target's own files or of its deps"
            ),
        };
        let payload = Payload::ModuleNotFound {
            module: whole.to_owned(),
            similar_names: similar,
        };
        let span = used
            .path
            .iter()
            .map(|it| it.span)
            .fold(decl.span, |_, it| it);
        let start = used.path.first().map_or(decl.span, |it| it.span);
        let span = (start.start()..span.end().max(start.end())).into();
        let found = Diagnostic::new(Code::E1004, decl.id, span, message, payload);
        self.diagnostics.push(found);
    }

    fn no_item(
        &mut self,
        decl: &Decl,
        module: &str,
        item: &Name,
        similar: &[&str],
        is_constructor: bool,
    ) {
        self.links.unknown.insert(item.text.to_string());
        let name = &item.text;
        let message = match similar.first() {
            Some(sum) if is_constructor => {
                format!("`{name}` comes with the type `{sum}` of `{module}`; use that")
            }
            Some(best) => format!("`{module}` has no `{name}`; did you mean `{best}`?"),
            None => format!("`{module}` has no `{name}`"),
        };
        let payload = Payload::ImportNotFound {
            module: module.to_owned(),
            name: name.to_string(),
            similar_names: owned(similar),
        };
        let found = Diagnostic::new(Code::E1003, decl.id, item.span, message, payload);
        self.diagnostics.push(found);
    }

    /// The imported declarations and the types they mention, under their names here. Each has the
    /// code file if it has a name here.
    fn declarations(&mut self) -> (Vec<Value>, Vec<Option<String>>) {
        let mut all: BTreeMap<&str, &Value> = BTreeMap::new();
        for (module, _) in self.bound.values() {
            all.extend(module.declarations.iter().map(|it| (name_of(it), it)));
        }
        let names: BTreeMap<&str, &str> = self
            .bound
            .iter()
            .map(|(name, (_, it))| (name_of(it), name.as_str()))
            .collect();
        let mut wanted: BTreeSet<String> = names.keys().map(ToString::to_string).collect();
        let mut taken: BTreeMap<String, &Value> = BTreeMap::new();
        while let Some(name) = wanted.pop_first() {
            if let Some(declaration) = all.get(name.as_str())
                && taken.insert(name, declaration).is_none()
            {
                mentioned(declaration, &mut wanted);
                wanted.retain(|it| !taken.contains_key(it));
            }
        }
        let mut declarations = Vec::new();
        let mut codes = Vec::new();
        for (full, declaration) in taken {
            let mut json = declaration.clone();
            rename(&mut json, &|_: Sort, name| {
                names.get(name).map(ToString::to_string)
            });
            let local = names.get(full.as_str());
            match local {
                Some(local) => json["name"] = (*local).into(),
                None => hide_variants(&mut json, &full),
            }
            let code = local.and_then(|local| self.bound.get(*local));
            codes.push(code.map(|(module, _)| module.code.clone()));
            declarations.push(json);
        }
        self.links.full_names = self
            .bound
            .iter()
            .map(|(name, (_, it))| (name.clone(), name_of(it).to_owned()))
            .collect();
        (declarations, codes)
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn has_variant(declaration: &Value, name: &str) -> bool {
    let variants = declaration.get("variants").and_then(Value::as_array);
    variants.into_iter().flatten().any(|it| name_of(it) == name)
}

/// Qualifies the constructors of a type that has no name here, so that they have none either.
fn hide_variants(declaration: &mut Value, full_name: &str) {
    let module = full_name.rsplit_once('.').map_or("", |it| it.0).to_owned();
    let variants = declaration.get_mut("variants");
    for variant in variants.and_then(Value::as_array_mut).into_iter().flatten() {
        let hidden = format!("{module}.{}", name_of(variant));
        variant["name"] = hidden.into();
    }
}
