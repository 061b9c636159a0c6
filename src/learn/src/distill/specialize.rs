//! Adds guards to a rule until it matches no code that stayed as it was.

use std::collections::BTreeSet;

use super::Reason;
use super::case::File;
use super::find::{Known, unexpected};
use super::guard::{meaning, seen_kinds};
use super::names::Meaning;
use super::pattern::Match;
use super::rule::{Candidate, Guard, elements, keyword, normal};
use super::source::{Run, Source, is_name};
use super::unify::Unified;
use crate::NodeId;

/// The most guards that are added to one rule.
const MAX_GUARDS: usize = 6;
/// The most texts that a variable may be limited to.
const MAX_TEXTS: usize = 8;

/// Adds guards until the rule matches only the examples.
pub(super) fn specialize(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    unified: &Unified,
    rule: &mut Candidate,
) -> Result<(), Reason> {
    for _ in 0..=MAX_GUARDS {
        let wrong = counter_examples(known, positives, rule);
        let Some((name, ..)) = wrong.first() else {
            return Ok(());
        };
        let reason = Reason::CounterExample(name.clone());
        let found = matches_of(known, positives, rule);
        let excludes = |guard: &Guard| {
            let keeps = found.iter().all(|(file, found)| guard.holds(file, found));
            let mut excluded = wrong
                .iter()
                .map(|(_, file, found)| !guard.holds(file, found));
            // An import that has nothing to do with the pattern may be there by chance.
            keeps
                && match guard {
                    Guard::Name(..) => excluded.all(|excluded| excluded),
                    _ => excluded.any(|excluded| excluded),
                }
        };
        let options = options(known, positives, unified, &wrong);
        match options.into_iter().find(excludes) {
            Some(guard) => rule.guards.push(guard),
            None => return Err(reason),
        }
    }
    Err(Reason::CounterExample("too many places".to_owned()))
}

/// Whether code contains a name that the file binds itself. Other files may use another name for the same thing.
fn has_own_name(file: &File, run: Run) -> bool {
    let tree = &file.source.tree;
    let mut names = file
        .source
        .tokens_of(run)
        .iter()
        .filter(|token| is_name(tree, **token));
    names.any(|token| {
        let meaning = file.names.meaning(tree, tree.text_of(*token), *token);
        matches!(meaning, Meaning::Local | Meaning::TopLevel)
    })
}

type Wrong<'a> = (String, &'a File, Match);

fn counter_examples<'a>(
    known: &Known<'a>,
    positives: &[(usize, NodeId)],
    rule: &Candidate,
) -> Vec<Wrong<'a>> {
    let mut wrong = Vec::new();
    for (index, case) in known.cases.iter().enumerate() {
        if known.skipped.contains(&index) {
            continue;
        }
        for found in unexpected(&case.before, rule, |node| {
            positives.contains(&(index, node))
        }) {
            wrong.push((case.name.clone(), &case.before, found));
        }
        for found in unexpected(&case.after, rule, |_| false) {
            wrong.push((case.name.clone(), &case.after, found));
        }
    }
    for file in known.negatives {
        for found in unexpected(file, rule, |_| false) {
            wrong.push((file.path.clone(), file, found));
        }
    }
    wrong
}

fn matches_of<'a>(
    known: &Known<'a>,
    positives: &[(usize, NodeId)],
    rule: &Candidate,
) -> Vec<(&'a File, Match)> {
    let mut all = Vec::new();
    let cases: BTreeSet<usize> = positives.iter().map(|(case, _)| *case).collect();
    for case in cases {
        let file = &known.cases[case].before;
        let found = rule.matches(file).into_iter();
        all.extend(
            found
                .filter(|found| positives.contains(&(case, found.node)))
                .map(|found| (file, found)),
        );
    }
    all
}

/// Guards that may exclude the wrong places, the most plausible first.
fn options(
    known: &Known<'_>,
    positives: &[(usize, NodeId)],
    unified: &Unified,
    wrong: &[Wrong<'_>],
) -> Vec<Guard> {
    let mut guards = Vec::new();
    let first = &known.cases[positives[0].0].before;
    for name in first.names.imports.keys() {
        if let Some(meaning @ Meaning::Imported(_)) = meaning(known, positives, name) {
            guards.push(Guard::Name(name.clone(), meaning));
        }
    }
    for (variable, info) in unified.variables.iter().enumerate() {
        if info.is_list {
            let names: BTreeSet<_> = wrong
                .iter()
                .filter_map(|(_, file, found)| Some((file, found.bound[variable]?)))
                .flat_map(|(file, run)| {
                    elements(file, run)
                        .filter_map(|node| keyword(file, node))
                        .collect::<Vec<_>>()
                })
                .collect();
            guards.extend(names.into_iter().map(|name| Guard::Without(variable, name)));
        }
        guards.push(Guard::Kinds(
            variable,
            seen_kinds(known, positives, unified, variable),
        ));
    }
    let ancestors = |source: &Source, node: NodeId| -> Vec<&'static str> {
        let nodes = source.tree.ancestors(node);
        nodes
            .filter(|node| *node != source.tree.root())
            .map(|node| source.tree.kind_name(node))
            .collect()
    };
    let around: Vec<Vec<&'static str>> = positives
        .iter()
        .map(|(case, node)| ancestors(&known.cases[*case].before.source, *node))
        .collect();
    for kind in &around[0] {
        if around.iter().all(|kinds| kinds.contains(kind)) {
            guards.push(Guard::Inside(kind));
        }
    }
    for (_, file, found) in wrong {
        for kind in ancestors(&file.source, found.node) {
            if !around.iter().any(|kinds| kinds.contains(&kind)) {
                guards.push(Guard::NotInside(kind));
            }
        }
    }
    for (variable, info) in unified.variables.iter().enumerate() {
        let spots = info.at.iter().zip(positives);
        let texts: BTreeSet<_> = spots
            .filter_map(|(spot, (case, _))| Some(normal(&known.cases[*case].before, (*spot)?)))
            .collect();
        let has_own_names = || {
            let mut spots = info.at.iter().zip(positives);
            spots.any(|(spot, (case, _))| {
                spot.is_some_and(|run| has_own_name(&known.cases[*case].before, run))
            })
        };
        if !info.is_list && texts.len() <= MAX_TEXTS && !has_own_names() {
            guards.push(Guard::Texts(variable, texts));
        }
    }
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map(|(folder, _)| format!("{folder}/"))
    };
    let folders: BTreeSet<_> = positives
        .iter()
        .filter_map(|(case, _)| folder(&known.cases[*case].before.path))
        .collect();
    if let [folder] = Vec::from_iter(folders)[..].as_ref() {
        guards.push(Guard::Folder(folder.clone()));
    }
    guards
}
