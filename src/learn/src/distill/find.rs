//! Finds the rule of a group of changes, from specific to general, and tries it on every known text.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, File, Site};
use super::cluster::Cluster;
use super::export::{self, Exported};
use super::names::Meaning;
use super::pattern::{Match, Pattern};
use super::root::{ends, is_root};
use super::rule::{Candidate, Guard, ImportChange};
use super::source::Run;
use super::unify::{self, Example, NoShape, Unified, What};
use super::{Reason, emit, guard, specialize};
use crate::{Constraint, NodeId, Rule};

/// All texts that rules are tried on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub cases: &'a [Case],
    pub negatives: &'a [File],
    /// Cases that are left out, by their index.
    pub skipped: &'a BTreeSet<usize>,
}

/// Levels above the smallest change that are tried.
const MAX_LEVELS: usize = 6;
/// Examples that may be left out.
const MAX_OUTLIERS: usize = 2;
/// This many examples from one file are enough for a pattern in which no name means the same in every file.
const MANY: usize = 5;
/// Scales the number of hits before a division by the number of guards, so that the remainder is not lost.
const SCALE: usize = 60;
/// Parts into which the examples are divided for cross-validation.
const FOLDS: usize = 5;

/// A rule, and the changes that it explains.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub exported: Exported,
    pub sites: Vec<Site<'a>>,
    /// Whether the changes are in import statements.
    pub of_imports: bool,
}

/// Finds a rule. Examples for which it is inexact are left out, and must not match then.
pub(super) fn find<'a>(known: &Known<'_>, cluster: &Cluster<'a>) -> Result<Found<'a>, Reason> {
    let mut rest = cluster.clone();
    let mut first = None;
    for _ in 0..=MAX_OUTLIERS {
        let reason = match find_for_all(known, &rest) {
            Ok(exported) => {
                return Ok(Found {
                    exported,
                    sites: rest.sites,
                    of_imports: rest.of_imports,
                });
            }
            Err(reason) => reason,
        };
        let outlier = match &reason {
            Reason::Inexact(name) | Reason::Refused { pair: name, .. } => Some(name.clone()),
            _ => None,
        };
        first.get_or_insert(reason);
        let Some(outlier) = outlier else { break };
        rest.is_part = true;
        rest.sites
            .retain(|site| known.cases[site.case].name != outlier);
        if rest.sites.is_empty() {
            break;
        }
    }
    Err(first.unwrap_or(Reason::Different))
}

fn find_for_all(known: &Known<'_>, cluster: &Cluster<'_>) -> Result<Exported, Reason> {
    let mut best: Option<(usize, Exported)> = None;
    let mut failure = None;
    for level in 0..MAX_LEVELS {
        if !is_root(known, cluster, level) {
            if ends(known, cluster, level) {
                break;
            }
            continue;
        }
        let mut last = None;
        for names in [true, false] {
            let tried = attempt(known, cluster, level, names).and_then(|found| {
                // Both attempts often give the same rule.
                if last.replace(found.rule.id.clone()).as_ref() == Some(&found.rule.id) {
                    return Ok((0, found));
                }
                Ok((validate(known, cluster, level, names)?, found))
            });
            match tried {
                Ok((hits, rule)) => {
                    let score = hits * SCALE / (1 + contexts(&rule.rule));
                    if best.as_ref().is_none_or(|(most, _)| score > *most) {
                        best = Some((score, rule));
                    }
                }
                Err(reason) => {
                    failure.get_or_insert(reason);
                }
            }
        }
    }
    match best {
        Some((_, rule)) => Ok(rule),
        None => Err(failure.unwrap_or(Reason::Different)),
    }
}

/// The number of guards that describe the code around a match. A pattern that contains this code is preferred.
fn contexts(rule: &Rule) -> usize {
    let is_context = |constraint: &&Constraint| match constraint {
        Constraint::Not(inner) => matches!(**inner, Constraint::Inside(_)),
        other => matches!(other, Constraint::Inside(_)),
    };
    rule.constraints.iter().filter(is_context).count()
}

/// The rule of these sites at one level, right on all texts of their cases and on all counter-examples.
pub(super) fn attempt(
    known: &Known<'_>,
    cluster: &Cluster<'_>,
    level: usize,
    names: bool,
) -> Result<Exported, Reason> {
    let (sites, of_imports) = (&cluster.sites, cluster.of_imports);
    let mut examples = Vec::new();
    let mut places = BTreeSet::new();
    for site in sites {
        let (old, new) = site.at(level).ok_or(Reason::Different)?;
        if places.insert((site.case, old)) {
            let case = &known.cases[site.case];
            examples.push((
                site.case,
                Example {
                    names: &case.before.names,
                    before: &case.before.source,
                    after: &case.after.source,
                    old,
                    new,
                },
            ));
        }
    }
    let list: Vec<_> = examples.iter().map(|(_, example)| *example).collect();
    let unified = unify::unify(&list, names).map_err(|error| match error {
        NoShape::Different => Reason::Different,
        NoShape::Unbound => Reason::Unbound,
        NoShape::Dropped => Reason::Dropped,
    })?;
    let exemplar = exemplar(&list, &unified);
    let example = &list[exemplar];
    let mut rule = Candidate {
        pattern: Pattern::of(&unified.before, example.before, exemplar),
        variables: unified.variables.len(),
        guards: Vec::new(),
        imports: ImportChange::default(),
        texts: (
            emit::text(
                &unified.before,
                example.before,
                exemplar,
                &unified.variables,
                true,
            ),
            emit::text(
                &unified.after,
                example.after,
                exemplar,
                &unified.variables,
                false,
            ),
        ),
        roots: guard::root_names(&unified.before, example.before, exemplar)
            .into_keys()
            .collect(),
        lists: unified
            .variables
            .iter()
            .map(|variable| variable.is_list)
            .collect(),
    };
    let positives: Vec<(usize, NodeId)> = examples
        .iter()
        .map(|(case, example)| (*case, example.old))
        .collect();
    if !of_imports {
        rule.imports = guard::imports(known, &positives, &unified, &list);
    }
    rule.guards = guard::defaults(known, &positives, &unified, &list, &rule, of_imports)?;
    evidence(&positives, &unified, &list, &rule, cluster)?;
    specialize::specialize(known, &positives, &unified, &mut rule)?;
    export::export(known, sites, level, &rule)
}

/// The shortest example in which no list is empty.
fn exemplar(examples: &[Example<'_>], unified: &Unified) -> usize {
    let key = |index: &usize| {
        let example = &examples[*index];
        let empty = unified
            .variables
            .iter()
            .filter(|variable| variable.at[*index].is_none())
            .count();
        let text = example.before.text(Run::one(example.old));
        (empty, text.matches('\n').count(), text.len(), *index)
    };
    (0..examples.len()).min_by_key(key).unwrap_or(0)
}

/// Whether there are enough different examples for how much the pattern leaves open.
fn evidence(
    positives: &[(usize, NodeId)],
    unified: &Unified,
    examples: &[Example<'_>],
    rule: &Candidate,
    cluster: &Cluster<'_>,
) -> Result<(), Reason> {
    let of_imports = cluster.of_imports;
    let texts: BTreeSet<&str> = examples
        .iter()
        .map(|example| example.before.text(Run::one(example.old)))
        .collect();
    // Names that only the result contains, or that each file binds itself, say little about the code.
    let meanings = rule.guards.iter().filter_map(|guard| match guard {
        Guard::Name(name, meaning) if rule.roots.contains(name) => Some(meaning),
        _ => None,
    });
    let is_global = |meaning: &&Meaning| !matches!(meaning, Meaning::Local | Meaning::TopLevel);
    let anchored = of_imports || meanings.clone().any(|meaning| is_global(&meaning));
    let imported = meanings
        .clone()
        .any(|meaning| matches!(meaning, Meaning::Imported(_)));
    let is_imported = |name: &String| {
        let mut guards = rule.guards.iter();
        guards
            .any(|guard| matches!(guard, Guard::Name(other, Meaning::Imported(_)) if other == name))
    };
    // One example says nothing about the names of its own variables.
    let only_imported = imported && rule.roots.iter().all(is_imported);
    let needed = if (only_imported || of_imports) && matches!(unified.before.what, What::Fixed) {
        1
    } else if (imported || anchored) && !cluster.is_part {
        2
    } else {
        3
    };
    let found = if unified.variables.is_empty() {
        positives.len()
    } else {
        texts.len()
    };
    if found < needed {
        return Err(Reason::FewExamples { found, needed });
    }
    // A pattern that matches by form alone may show a habit of one file, or the type of the code may matter.
    let is_bare = matches!(unified.after.what, What::Hole(_)) || unified.variables.is_empty();
    let needed = if is_bare { 3 } else { 2 };
    let files: BTreeSet<usize> = positives.iter().map(|(case, _)| *case).collect();
    let found = files.len();
    if !anchored && found < needed && (is_bare || positives.len() < MANY) {
        return Err(Reason::FewExamples { found, needed });
    }
    Ok(())
}

/// Learns from all but some pairs, tries the rule on those, and returns how many changes it finds.
fn validate(
    known: &Known<'_>,
    cluster: &Cluster<'_>,
    level: usize,
    names: bool,
) -> Result<usize, Reason> {
    let mut cases: Vec<usize> = cluster.sites.iter().map(|site| site.case).collect();
    cases.dedup();
    if cases.len() < 2 {
        return Ok(0);
    }
    let mut hits = 0;
    for fold in 0..cases.len().min(FOLDS) {
        let left_out: BTreeSet<usize> = cases.iter().copied().skip(fold).step_by(FOLDS).collect();
        let (tested, used): (Vec<Site<'_>>, Vec<Site<'_>>) = cluster
            .sites
            .iter()
            .partition(|site| left_out.contains(&site.case));
        let others = Known {
            skipped: &left_out,
            ..*known
        };
        let used = Cluster {
            sites: used,
            ..*cluster
        };
        let Ok(rule) = attempt(&others, &used, level, names) else {
            continue;
        };
        let expected: BTreeMap<(usize, NodeId), NodeId> = tested
            .iter()
            .filter_map(|site| site.at(level).map(|(old, new)| ((site.case, old), new)))
            .collect();
        for case in left_out.iter().copied() {
            let Case {
                before,
                after,
                name,
                ..
            } = &known.cases[case];
            let tree = &before.source.tree;
            for result in export::results(&rule.compiled, tree, &before.path) {
                let mut places = expected
                    .iter()
                    .filter(|((of, old), _)| *of == case && result.is_at(tree.span(*old)));
                let right = places.any(|((_, old), new)| {
                    result.text_of(tree, tree.span(*old)) == after.source.text(Run::one(*new))
                });
                if !right {
                    return Err(Reason::CrossValidation(name.clone()));
                }
                hits += 1;
            }
        }
    }
    Ok(hits)
}

/// Matches of a rule in a text, other than the expected ones.
pub(super) fn unexpected<'a>(
    file: &'a File,
    rule: &'a Candidate,
    expected: impl Fn(NodeId) -> bool + 'a,
) -> impl Iterator<Item = Match> + 'a {
    rule.matches(file)
        .into_iter()
        .filter(move |found| !expected(found.node))
}
