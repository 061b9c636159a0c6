//! Groups changes that remove and add the same code.

use std::collections::{BTreeMap, BTreeSet};

use super::align::{Delta, Edit};
use super::case::{Case, Site};
use super::source::Run;
use super::{Abstention, Reason};

/// Changes of one kind.
#[derive(Clone, Debug)]
pub(super) struct Cluster<'a> {
    pub sites: Vec<Site<'a>>,
    /// Whether the changes are in import statements.
    pub of_imports: bool,
    /// Whether other changes of the same kind look different.
    pub is_part: bool,
}

impl<'a> Cluster<'a> {
    pub fn abstention(&self, cases: &[Case], reason: Reason) -> Abstention {
        let mut pairs: Vec<_> = self
            .sites
            .iter()
            .map(|site| cases[site.case].name.clone())
            .collect();
        pairs.dedup();
        let site = self.sites[0];
        let (old, new) = site.edit.smallest();
        let case = &cases[site.case];
        let line = |text: &str| {
            text.lines()
                .next()
                .unwrap_or("")
                .chars()
                .take(60)
                .collect::<String>()
        };
        let old = line(case.before.source.text(Run::one(old)));
        let new = line(case.after.source.text(Run::one(new)));
        Abstention {
            pairs,
            example: format!("{old} => {new}"),
            reason,
        }
    }

    /// Groups the changes by the kind of code around them, or else by the kinds of their parts. `None` if all are
    /// alike.
    pub fn split(&self, cases: &[Case]) -> Option<Vec<Self>> {
        let kinds_around = |site: &Site<'_>| {
            let tree = &cases[site.case].before.source.tree;
            let around = site.at(1).map(|(old, _)| tree.kind_name(old));
            around.into_iter().collect()
        };
        let kinds_inside = |site: &Site<'_>| {
            let tree = &cases[site.case].before.source.tree;
            let parts = tree.children(site.edit.smallest().0);
            parts.map(|part| tree.kind_name(part)).collect()
        };
        self.split_by(kinds_around)
            .or_else(|| self.split_by(kinds_inside))
    }

    fn split_by(&self, key: impl Fn(&Site<'a>) -> Vec<&'static str>) -> Option<Vec<Self>> {
        let mut groups: BTreeMap<_, Vec<Site<'a>>> = BTreeMap::new();
        for site in &self.sites {
            groups.entry(key(site)).or_default().push(*site);
        }
        let part = |sites| Self {
            sites,
            of_imports: self.of_imports,
            is_part: true,
        };
        (groups.len() > 1).then(|| groups.into_values().map(part).collect())
    }
}

/// The key of a change: kinds, and the tokens that it removes and adds.
type Key = (bool, &'static str, Delta);

/// Groups changes of code, or those of import statements that `explained` does not contain.
pub(super) fn clusters<'a>(
    cases: &'a [Case],
    of_imports: bool,
    explained: &BTreeSet<usize>,
) -> Vec<Cluster<'a>> {
    let mut groups: BTreeMap<Key, Vec<Site<'_>>> = BTreeMap::new();
    for (index, case) in cases.iter().enumerate() {
        let mut add = |edit, of_imports| {
            let key = key(case, edit, of_imports);
            groups
                .entry(key)
                .or_default()
                .push(Site { case: index, edit });
        };
        let edits = if of_imports {
            &case.import_edits
        } else {
            &case.edits
        };
        if !explained.contains(&index) {
            edits.iter().for_each(|edit| add(edit, of_imports));
        }
    }
    let mut clusters: Vec<_> = groups
        .into_iter()
        .map(|((of_imports, ..), sites)| Cluster {
            sites,
            of_imports,
            is_part: false,
        })
        .collect();
    clusters.sort_by_key(|cluster| (cluster.sites[0].case, cluster.sites[0].edit.smallest()));
    clusters
}

fn key(case: &Case, edit: &Edit, of_imports: bool) -> Key {
    let (before, after) = (&case.before.source, &case.after.source);
    let (old, new) = edit.smallest();
    let mut delta = Delta::of(before, after, (old, new));
    // Names that only the example has: those that are left, and those of a closure's parameters.
    let left: Vec<&str> = after.token_texts(Run::one(new)).collect();
    let count = |token: &String| delta.removed.iter().filter(|other| *other == token).count();
    let own: Vec<String> = delta
        .removed
        .iter()
        .filter(|token| is_lower(token) && (left.contains(&token.as_str()) || count(token) > 1))
        .cloned()
        .collect();
    delta.removed.retain(|token| !own.contains(token));
    (of_imports, before.tree.kind_name(old), delta)
}

fn is_lower(token: &str) -> bool {
    token.starts_with(|char: char| char.is_lowercase())
}
