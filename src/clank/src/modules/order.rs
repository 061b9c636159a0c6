//! Files that use each other: their module names, and the order in which they can be read.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{Interface, Modules, interface, link};
use crate::ast::{Ast, DeclKind};
use crate::parse::parse;

/// A source file, and the path of its code.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
    pub code: String,
}

/// Why files do not form a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModuleError {
    #[error("{first} and {second} are both the module `{module}`; rename one with `mod NAME`")]
    Twice {
        module: String,
        first: String,
        second: String,
    },
    #[error(
        "{file} is the module `{module}`, and so is one of the modules passed in; rename one with `mod NAME`"
    )]
    TakenByOther { module: String, file: String },
    #[error("modules use one another in a circle: {}; move what they share to a module of its own", .0.join(" uses "))]
    Circle(Vec<String>),
}

/// The name of a module: from its `mod`, or else the file name without its extension.
pub fn module_name(ast: &Ast, path: &str) -> String {
    let named = ast
        .program
        .declarations
        .iter()
        .find_map(|it| match &it.kind {
            DeclKind::Mod(name) => Some(name.text.to_string()),
            _ => None,
        });
    named.unwrap_or_else(|| {
        let file = path.rsplit('/').next().unwrap_or(path);
        file.strip_suffix(".clank").unwrap_or(file).to_owned()
    })
}

/// The name of a module, and the modules that its `use`s may refer to.
pub fn names_in(path: &str, text: &str) -> (String, Vec<String>) {
    let ast = parse(path, text).ast;
    (module_name(&ast, path), used(&ast))
}

/// Whether a program uses any module except the standard ones.
pub fn uses_modules(text: &str) -> bool {
    text.contains("use")
        && used(&parse("", text).ast)
            .iter()
            .any(|it| it != "std" && !it.starts_with("std."))
}

/// The modules that a program uses although `modules` does not contain them, sorted.
pub fn unknown_modules(text: &str, modules: &Modules) -> Vec<String> {
    let ast = parse("", text).ast;
    let uses = ast.program.declarations.iter();
    let unknown = uses.filter_map(|it| match &it.kind {
        DeclKind::Use(it) if !it.is_external => {
            let path: Vec<&str> = it.path.iter().map(|it| it.text.as_str()).collect();
            // The last name may be that of a declaration in the module before it.
            let before = path.split_last().map_or(&[][..], |(_, before)| before);
            let mut names = [path.join("."), before.join(".")].into_iter();
            let is_known =
                path.first() == Some(&"std") || names.any(|it| modules.get(&it).is_some());
            (!is_known).then(|| path.join("."))
        }
        _ => None,
    });
    Vec::from_iter(unknown.collect::<BTreeSet<String>>())
}

/// The modules that `files` may use: `known` and each other. Also returns each file's module name,
/// in the order of `files`. Modules with errors are not included.
pub fn interfaces(
    files: &[SourceFile],
    known: Modules,
) -> (Modules, Vec<Interface>, Vec<ModuleError>) {
    let mut trees: Vec<Ast> = files
        .iter()
        .map(|file| parse(&file.path, &file.text).ast)
        .collect();
    let names: Vec<String> = trees
        .iter()
        .zip(files)
        .map(|(tree, file)| module_name(tree, &file.path))
        .collect();
    let mut errors = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut left_out: BTreeSet<usize> = BTreeSet::new();
    for (at, name) in names.iter().enumerate() {
        let file = files[at].path.clone();
        let module = name.clone();
        if known.get(name).is_some() {
            errors.push(ModuleError::TakenByOther { module, file });
            left_out.insert(at);
        } else if let Some(first) = places.insert(name, at) {
            let (first, second) = (files[first].path.clone(), file);
            errors.push(ModuleError::Twice {
                module,
                first,
                second,
            });
        }
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    left_out.extend((0..names.len()).filter(|at| counts[names[*at].as_str()] > 1));
    let uses: Vec<Vec<usize>> = trees
        .iter()
        .map(|tree| {
            used(tree)
                .iter()
                .filter_map(|it| places.get(it.as_str()).copied())
                .collect()
        })
        .collect();
    let is_partial = known.partial;
    // Missing modules are not reported at this point.
    let mut modules = known.or_more();
    let mut made: BTreeMap<usize, Interface> = BTreeMap::new();
    let mut waiting: BTreeSet<usize> = (0..files.len()).collect();
    loop {
        let ready = waiting.iter().copied().find(|at| {
            uses[*at]
                .iter()
                .all(|it| made.contains_key(it) || left_out.contains(it))
        });
        let Some(at) = ready else { break };
        waiting.remove(&at);
        link(&mut trees[at], &modules);
        let shown = interface(&trees[at], &names[at], &files[at].code);
        if !left_out.contains(&at) {
            modules.insert(shown.clone());
        }
        made.insert(at, shown);
    }
    if let Some(first) = waiting.first() {
        let circle = circle(*first, &uses, &waiting);
        let names_in_circle = circle.into_iter().map(|at| format!("`{}`", names[at]));
        errors.push(ModuleError::Circle(names_in_circle.collect()));
    }
    modules.partial = is_partial;
    (modules, made.into_values().collect(), errors)
}

/// The modules that the `use`s of a program may refer to.
pub(super) fn used(ast: &Ast) -> Vec<String> {
    let mut names = Vec::new();
    for decl in &ast.program.declarations {
        let DeclKind::Use(it) = &decl.kind else {
            continue;
        };
        if it.is_external {
            continue;
        }
        let path: Vec<&str> = it.path.iter().map(|it| it.text.as_str()).collect();
        names.push(path.join("."));
        if let [before @ .., _] = path.as_slice()
            && it.items.is_empty()
            && !before.is_empty()
        {
            names.push(before.join("."));
        }
    }
    names
}

/// A cycle among the waiting files.
fn circle(first: usize, uses: &[Vec<usize>], waiting: &BTreeSet<usize>) -> Vec<usize> {
    let mut way = vec![first];
    loop {
        let last = *way.last().unwrap_or(&first);
        let Some(next) = uses[last].iter().find(|it| waiting.contains(it)) else {
            return way;
        };
        if let Some(start) = way.iter().position(|it| it == next) {
            way.push(*next);
            return way.split_off(start);
        }
        way.push(*next);
    }
}
