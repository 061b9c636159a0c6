//! Drops rules that make only a part of a change, and tries all others together on whole texts.

use std::collections::BTreeSet;

use super::align::Edit;
use super::case::{Case, File, Site};
use super::find::Found;
use super::source::Source;
use super::{Abstention, Reason};
use crate::guard::is_function;
use crate::{NodeId, RuleSet, Tree, rewrite};

/// Of this many changes that a rule explains, one may be a part of a larger change that has no rule otherwise.
const COMPLETE: usize = 10;

/// Drops rules until two conditions hold. Wherever a remaining rule explains a change, other rules explain everything
/// else that changed in the same function, with few exceptions. All rules together give exactly the second text of each
/// pair.
pub(super) fn keep_complete(
    cases: &[Case],
    found: &mut Vec<Found<'_>>,
    abstained: &mut Vec<Abstention>,
) {
    loop {
        let open = Unexplained::of(cases, found);
        let partial = found.iter().enumerate().find_map(|(index, rule)| {
            let case = open.case_of_partial(cases, rule)?;
            Some((index, case, Reason::Part(cases[case].name.clone())))
        });
        let dropped = partial.or_else(|| {
            let (index, case) = inexact(cases, found, &open)?;
            Some((index, case, Reason::Inexact(cases[case].name.clone())))
        });
        let Some((index, case, reason)) = dropped else {
            return;
        };
        let rule = found.remove(index).exported.rule;
        abstained.push(Abstention {
            pairs: vec![cases[case].name.clone()],
            example: format!("{} => {}", rule.pattern, rule.template),
            reason,
        });
    }
}

/// The cases with a rule that changes imports.
pub(super) fn cases_with_imports(found: &[Found<'_>]) -> BTreeSet<usize> {
    let changing = found
        .iter()
        .filter(|rule| !rule.exported.rule.imports.is_empty());
    let sites = changing.flat_map(|rule| &rule.sites);
    sites.map(|site| site.case).collect()
}

/// Changes without a rule.
struct Unexplained {
    /// The functions that contain such changes, and such statements outside of functions, each with its case.
    code: BTreeSet<(usize, NodeId)>,
    /// The cases in which imports have such changes.
    imports: BTreeSet<usize>,
}

impl Unexplained {
    fn of(cases: &[Case], found: &[Found<'_>]) -> Self {
        let sites = found.iter().flat_map(|rule| &rule.sites);
        let explained: BTreeSet<_> = sites
            .map(|site| (site.case, site.edit.smallest()))
            .collect();
        let with_imports = cases_with_imports(found);
        let (mut code, mut imports) = (BTreeSet::new(), BTreeSet::new());
        for (index, case) in cases.iter().enumerate() {
            let is_open = |edit: &&Edit| !explained.contains(&(index, edit.smallest()));
            let open = case.edits.iter().filter(is_open);
            code.extend(open.map(|edit| (index, unit(&case.before.source.tree, edit))));
            if !with_imports.contains(&index) && case.import_edits.iter().any(|it| is_open(&it)) {
                imports.insert(index);
            }
        }
        Self { code, imports }
    }

    fn has(&self, case: usize) -> bool {
        self.imports.contains(&case) || self.code.iter().any(|(other, _)| *other == case)
    }

    fn is_beside(&self, cases: &[Case], site: &Site<'_>) -> bool {
        let tree = &cases[site.case].before.source.tree;
        self.imports.contains(&site.case) || self.code.contains(&(site.case, unit(tree, site.edit)))
    }

    /// The first case in which a rule makes a part of a change, if the rule does so too often.
    fn case_of_partial(&self, cases: &[Case], rule: &Found<'_>) -> Option<usize> {
        let is_partial = |site: &&Site<'_>| match rule.of_imports {
            true => self.has(site.case),
            false => self.is_beside(cases, site),
        };
        let mut partial = rule.sites.iter().filter(is_partial);
        let first = partial.next()?;
        let count = 1 + partial.count();
        (count * COMPLETE > rule.sites.len()).then_some(first.case)
    }
}

/// The outermost function around a change, or the statement of the file.
fn unit(tree: &Tree, edit: &Edit) -> NodeId {
    let mut nodes = edit.chain.iter().map(|(old, _)| *old);
    let function = nodes.clone().find(|node| is_function(tree, *node));
    function
        .or_else(|| nodes.nth(1))
        .unwrap_or_else(|| tree.root())
}

/// A rule and a case. All changes of the case have rules, but all rules together give another text, and this is one of
/// the rules that applied or were refused.
fn inexact(cases: &[Case], found: &[Found<'_>], open: &Unexplained) -> Option<(usize, usize)> {
    let compiled = found.iter().map(|rule| rule.exported.compiled.clone());
    let set = RuleSet::new(compiled.collect());
    let mut complete = (0..cases.len()).filter(|case| !open.has(*case));
    complete.find_map(|index| {
        let case = &cases[index];
        let outcome = rewrite(&case.before.path, case.before.source.tree.text(), &set);
        if is_after(case, &outcome.text) {
            return None;
        }
        let applied = outcome.applied.first().map(|applied| &applied.rule);
        let refused = outcome.refused.first().map(|refused| &refused.rule);
        let id = applied.or(refused)?;
        let blamed = found.iter().position(|rule| rule.exported.rule.id == *id);
        Some((blamed?, index))
    })
}

/// Whether a text is the one after the change. Comments that a person changed do not count.
fn is_after(case: &Case, text: &str) -> bool {
    let (before, after) = (&case.before.source, &case.after.source);
    if text == after.tree.text() {
        return true;
    }
    let comments = |source: &Source| -> Vec<String> {
        let spans = source.tree.comments().iter();
        spans
            .map(|span| source.tree.text()[span.range()].to_owned())
            .collect()
    };
    comments(before) != comments(after)
        && File::parse(&case.after.path, text).is_ok_and(|file| {
            file.source.digest(file.source.tree.root()) == after.digest(after.tree.root())
        })
}
