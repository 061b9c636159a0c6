//! Chooses the guards that hold in every example and that are plausible from the start.

use std::collections::{BTreeMap, BTreeSet};

use super::Reason;
use super::case::File;
use super::find::Known;
use super::names::Meaning;
use super::rule::{Candidate, Guard, ImportChange, elements, kind_of, normal};
use super::source::{Run, Source, is_name};
use super::unify::{Example, Shape, Unified, What};
use crate::{Language, NodeId};

/// Kinds of expressions that bind as tightly as a name.
fn tight(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["ExprName", "ExprAttribute", "ExprSubscript", "ExprCall"],
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => &[
            "IdentifierReference",
            "StaticMemberExpression",
            "ComputedMemberExpression",
            "CallExpression",
            "ThisExpression",
        ],
        Language::Starlark => &["Ident", "Dot", "Index", "Call"],
        Language::Rust => &[
            "identifier",
            "self",
            "field_expression",
            "index_expression",
            "call_expression",
            "await_expression",
            "try_expression",
        ],
        Language::Go => &[
            "identifier",
            "selector_expression",
            "index_expression",
            "call_expression",
        ],
        Language::Java => &[
            "identifier",
            "this",
            "field_access",
            "array_access",
            "method_invocation",
        ],
        Language::C | Language::Cpp => &[
            "identifier",
            "field_expression",
            "subscript_expression",
            "call_expression",
            "this",
        ],
        #[cfg(feature = "clank")]
        Language::Clank => &["Name", "Field", "Call"],
    }
}

/// Kinds of arguments that are more than a value.
fn special(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &[
            "ExprStarred",
            "Keyword",
            "ExprGenerator",
            "ExprYield",
            "ExprNamed",
            "ExprLambda",
            "ExprAwait",
        ],
        Language::Starlark => &["Assign", "Star", "StarStar", "Unary"],
        Language::Go => &["variadic_argument"],
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => {
            &["SpreadElement"]
        }
        _ => &[],
    }
}

/// The names that a shape has in every example and that are not members of something: each with a node of the first
/// example.
pub(super) fn root_names(
    shape: &Shape,
    source: &Source,
    example: usize,
) -> BTreeMap<String, NodeId> {
    let mut names = BTreeMap::new();
    collect_names(shape, source, example, &mut names);
    names
}

fn collect_names(
    shape: &Shape,
    source: &Source,
    example: usize,
    names: &mut BTreeMap<String, NodeId>,
) {
    match &shape.what {
        What::Node(children) => children
            .iter()
            .for_each(|child| collect_names(child, source, example, names)),
        What::Fixed => {
            let Some(run) = shape.at[example] else { return };
            let tree = &source.tree;
            for token in source.tokens_of(run) {
                let before = tree.text()[..tree.start(*token)].trim_end();
                let after = tree.text()[tree.end(*token)..].trim_start();
                let member = before.ends_with(['.', '@', '\'']) && !before.ends_with("..")
                    || before.ends_with("::")
                    || before.ends_with("->");
                let keyword = after.starts_with('=') && !after.starts_with("==")
                    || after.starts_with(':')
                        && !after.starts_with("::")
                        && !after.starts_with(":=");
                if is_name(tree, *token) && !member && !keyword {
                    names
                        .entry(tree.text_of(*token).to_owned())
                        .or_insert(*token);
                }
            }
        }
        _ => {}
    }
}

/// The imports that the change adds and removes for the names that it adds and removes.
pub(super) fn imports(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    unified: &Unified,
    examples: &[Example<'_>],
) -> ImportChange {
    let pattern = root_names(&unified.before, examples[0].before, 0);
    let template = root_names(&unified.after, examples[0].after, 0);
    let mut change = ImportChange::default();
    for name in template.keys() {
        let paths: BTreeSet<_> = positives
            .iter()
            .filter_map(|(case, _)| known.cases[*case].added.get(name))
            .collect();
        if let [path] = Vec::from_iter(paths)[..] {
            change.added.insert(name.clone(), path.clone());
        }
    }
    for name in pattern.keys().filter(|name| !template.contains_key(*name)) {
        let paths: BTreeSet<_> = positives
            .iter()
            .filter_map(|(case, _)| known.cases[*case].removed.get(name))
            .collect();
        if let [path] = Vec::from_iter(paths)[..] {
            change.removed.insert(name.clone(), path.clone());
        }
    }
    change
}

/// Guards that hold in every example and that most rules need.
pub(super) fn defaults(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    unified: &Unified,
    examples: &[Example<'_>],
    rule: &Candidate,
    of_imports: bool,
) -> Result<Vec<Guard>, Reason> {
    let mut guards = Vec::new();
    let (pattern, template) = if of_imports {
        (BTreeMap::new(), BTreeMap::new())
    } else {
        (
            root_names(&unified.before, examples[0].before, 0),
            root_names(&unified.after, examples[0].after, 0),
        )
    };
    for name in pattern.keys() {
        if let Some(meaning) = meaning(known, positives, name) {
            guards.push(Guard::Name(name.clone(), meaning));
        }
    }
    for name in template.keys().filter(|name| !pattern.contains_key(*name)) {
        if rule.imports.added.contains_key(name) {
            continue;
        }
        // A name that only the result uses must mean the same.
        match meaning(known, positives, name) {
            Some(meaning) => guards.push(Guard::Name(name.clone(), meaning)),
            None => return Err(Reason::Different),
        }
    }
    let files = positives.iter().map(|(case, _)| &known.cases[*case].before);
    for (symbol, module) in members_of_added(rule) {
        let is_absent = |file: &File| {
            let imported = file.names.imports.get(&symbol);
            imported.is_none_or(|origin| origin.module != module)
        };
        if files.clone().all(is_absent) {
            guards.push(Guard::NotImported(symbol, module));
        }
    }
    for (variable, info) in unified.variables.iter().enumerate() {
        let mut kinds = seen_kinds(known, positives, unified, variable);
        if of_imports && !info.is_list {
            // Other names of a module may not have moved.
            let spots = info.at.iter().zip(positives);
            let texts: BTreeSet<_> = spots
                .filter_map(|(spot, (case, _))| Some(normal(&known.cases[*case].before, (*spot)?)))
                .collect();
            guards.push(Guard::Texts(variable, texts));
            continue;
        }
        let language = examples[0].before.tree.language();
        let tight = tight(language);
        let special: BTreeSet<_> = special(language)
            .iter()
            .copied()
            .filter(|kind| !kinds.contains(kind))
            .collect();
        let is_delimited = || kinds.len() > 1 && is_delimited(unified, examples, variable);
        if info.is_list || is_delimited() {
            guards.push(Guard::NotKinds(variable, special));
        } else {
            if kinds.iter().any(|kind| tight.contains(kind)) {
                kinds.extend(tight);
            }
            guards.push(Guard::Kinds(variable, kinds));
        }
        if info.is_list
            && info.at.iter().all(Option::is_some)
            && !is_whole_list(unified, examples, variable)
        {
            guards.push(Guard::Some(variable));
        }
    }
    Ok(guards)
}

/// The members of added modules that the result uses: a file that imports one of them directly needs another result.
fn members_of_added(rule: &Candidate) -> Vec<(String, String)> {
    let mut members = Vec::new();
    for (name, origin) in &rule.imports.added {
        let start = format!("{name}.");
        let uses = rule.texts.1.split(&start).skip(1);
        for rest in uses.filter(|_| origin.symbol.is_none()) {
            let is_part = |char: char| char.is_alphanumeric() || char == '_';
            let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
            members.push((rest[..end].to_owned(), origin.module.clone()));
        }
    }
    members.sort();
    members.dedup();
    members
}

/// Whether a variable is all arguments of a call in the pattern and in the template. Then it may also be none.
fn is_whole_list(unified: &Unified, examples: &[Example<'_>], variable: usize) -> bool {
    let alone = |source: &Source, run: Run| {
        let text = source.tree.text();
        text[..source.tree.start(run.first)]
            .trim_end()
            .ends_with('(')
            && text[source.tree.end(run.last)..]
                .trim_start()
                .starts_with(')')
    };
    let spots = |shape: &Shape| {
        let mut spots = Vec::new();
        spots_of(shape, variable, &mut spots);
        spots
    };
    let first = |spots: Vec<Vec<Option<Run>>>, source: &Source| {
        spots
            .iter()
            .all(|spot| spot[0].is_some_and(|run| alone(source, run)))
    };
    first(spots(&unified.before), examples[0].before)
        && first(spots(&unified.after), examples[0].after)
}

/// Whether a variable is between brackets and commas in the pattern and in the template, so that its precedence does not
/// matter.
fn is_delimited(unified: &Unified, examples: &[Example<'_>], variable: usize) -> bool {
    let around = |source: &Source, run: Run| {
        let text = source.tree.text();
        let last = text[..source.tree.start(run.first)].trim_end();
        let next = text[source.tree.end(run.last)..].trim_start();
        last.ends_with(['(', ',', '[']) && next.starts_with([')', ',', ']'])
    };
    let mut spots = Vec::new();
    spots_of(&unified.before, variable, &mut spots);
    let before = spots
        .iter()
        .all(|spot| spot[0].is_some_and(|run| around(examples[0].before, run)));
    spots.clear();
    spots_of(&unified.after, variable, &mut spots);
    before
        && spots
            .iter()
            .all(|spot| spot[0].is_some_and(|run| around(examples[0].after, run)))
}

fn spots_of(shape: &Shape, variable: usize, spots: &mut Vec<Vec<Option<Run>>>) {
    match &shape.what {
        What::Hole(other) | What::List(other) if *other == variable => spots.push(shape.at.clone()),
        What::Node(children) => children
            .iter()
            .for_each(|child| spots_of(child, variable, spots)),
        _ => {}
    }
}

/// What a name means where the examples are, if it is the same wherever it is known.
pub(super) fn meaning(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    name: &str,
) -> Option<Meaning> {
    let meanings: BTreeSet<_> = positives
        .iter()
        .map(|(case, node)| {
            let file = &known.cases[*case].before;
            file.names.meaning(&file.source.tree, name, *node)
        })
        .collect();
    let known = |meaning: &Meaning| *meaning != Meaning::Unknown;
    let mut meanings = meanings.into_iter().filter(known);
    meanings.next().filter(|_| meanings.next().is_none())
}

/// The kinds that a variable has in the examples.
pub(super) fn seen_kinds(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    unified: &Unified,
    variable: usize,
) -> BTreeSet<&'static str> {
    let spots = unified.variables[variable].at.iter().zip(positives);
    spots
        .filter_map(|(spot, (case, _))| Some((&known.cases[*case].before, (*spot)?)))
        .flat_map(|(file, run)| {
            elements(file, run)
                .map(|node| kind_of(file, node))
                .collect::<Vec<_>>()
        })
        .collect()
}
