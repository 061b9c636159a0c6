//! The gate that every batch of fixes passes before it counts: the result parses, keeps every
//! comment, adds no problem, and resolves what it promised to. A fix that removes an entry of a document
//! may remove the comments on the lines of that entry. A fix that declares that it edits comments may change those on the
//! lines of its edits.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_edit::SourceMap;
use fixpoint_report::{Diagnostic, Edit, Fix, PointerKind, RejectionReason};
use fixpoint_text::Snapshot;

use crate::analysis::{Analysis, Problem, problem};
use crate::phase::Language;
use crate::policy::Policy;

/// Why a result is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: RejectionReason,
    pub(crate) detail: String,
}

impl Refusal {
    fn new(reason: RejectionReason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}

/// Whether the gate accepts `after`, the text after applying `fixes` to `before`; if not, why.
pub fn accepts_fixes(
    language: &dyn Language,
    before: &Snapshot,
    after: &Snapshot,
    fixes: &[&Fix],
) -> Result<(), String> {
    check_text(language, before, after, fixes).map_err(|refusal| refusal.detail)
}

/// What does not need another look at the findings: syntax and comments.
pub(crate) fn check_text(
    language: &dyn Language,
    before: &Snapshot,
    after: &Snapshot,
    fixes: &[&Fix],
) -> Result<(), Refusal> {
    language
        .parses(after.text())
        .map_err(|error| Refusal::new(RejectionReason::BreaksSyntax, error))?;
    let mut kept = count(language.comments(after.text()));
    for comment in language.comments(before.text()) {
        match kept.get_mut(&comment) {
            Some(left) if *left > 0 => *left -= 1,
            _ if fixes.iter().any(|fix| removes(fix, before, &comment)) => {}
            _ if fixes.iter().any(|fix| declares(fix, before, &comment)) => {}
            _ => {
                return Err(Refusal::new(
                    RejectionReason::LosesComment,
                    format!("loses the comment `{comment}`"),
                ));
            }
        }
    }
    Ok(())
}

/// Whether a fix removes an entry of a document together with a comment on its lines.
fn removes(fix: &Fix, before: &Snapshot, comment: &str) -> bool {
    let mut pointer_ops = fix.ops.iter().filter_map(|op| op.pointer.as_ref());
    let is_removal = pointer_ops.any(|op| {
        matches!(
            op.op(),
            PointerKind::RemoveKey | PointerKind::RemoveArrayItem
        )
    });
    let comment = without_blanks(comment);
    // A block comment is compared without its stars.
    let comment = match comment.strip_prefix('/') {
        Some(body) if !body.starts_with('/') => format!("/*{body}"),
        _ => comment,
    };
    let is_alone = |line: &str| {
        let rest = line.strip_prefix(&comment);
        rest.is_some_and(|rest| rest.is_empty() || rest == "*/")
    };
    let text = before.text();
    let is_deleted = |edit: &Edit| {
        let (start, end) = (edit.start as usize, edit.end as usize);
        let (Some(deleted), Some(lines)) = (text.get(start..end), lines_of(edit, text)) else {
            return false;
        };
        let mut lines = lines.lines().map(without_blanks);
        without_blanks(deleted).contains(&comment)
            && lines.any(|line| line.contains(&comment) && !is_alone(&line))
    };
    let mut edits = fix.edits.iter().filter(|edit| edit.path == before.path());
    is_removal && edits.any(is_deleted)
}

/// Whether `fix` declares that it edits comments, and `comment` is on the lines of one of its edits.
fn declares(fix: &Fix, before: &Snapshot, comment: &str) -> bool {
    let bare = |text: &str| without_blanks(text).replace('*', "");
    let comment = bare(comment);
    let is_on_lines = |edit: &Edit| {
        let lines = bare(lines_of(edit, before.text()).unwrap_or_default());
        // An edit may be inside of a long comment.
        !lines.is_empty() && (lines.contains(&comment) || comment.contains(&lines))
    };
    let mut edits = fix.edits.iter().filter(|edit| edit.path == before.path());
    fix.edits_comments && edits.any(is_on_lines)
}

/// The whole lines that an edit touches.
fn lines_of<'t>(edit: &Edit, text: &'t str) -> Option<&'t str> {
    let (start, end) = (edit.start as usize, edit.end as usize);
    let first = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let last = text
        .get(end..)?
        .find('\n')
        .map_or(text.len(), |at| end + at);
    text.get(first..last)
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

/// What the findings before and after say about `fixes`, by the map from one text to the other.
///
/// A new problem with a fix that the policy admits does not fail the batch, because a later round can
/// apply the fix. Problems that remain after such rounds are judged at the end of the run. A problem
/// that was hidden until a fix resolved another one is not new, see [`added_problem`]. Without a policy
/// there are no later rounds.
pub(crate) fn check_findings(
    policy: Option<&Policy>,
    fixes: &[&Fix],
    before: &Analysis,
    after: &Analysis,
    source_map: &SourceMap,
) -> Result<(), Refusal> {
    if after.unparsable {
        return Err(Refusal::new(
            RejectionReason::BreaksSyntax,
            "the result does not parse",
        ));
    }
    let admitted: BTreeSet<&str> = after
        .fixes
        .iter()
        .filter(|fix| policy.is_some_and(|it| it.admits(fix)))
        .map(|fix| fix.id.as_str())
        .collect();
    let may_reveal = |fix: &&Fix| policy.map_or(0, |it| it.may_reveal(fix));
    let allowed = fixes.iter().map(may_reveal).sum();
    if let Some(added) = added_problem(before, after, allowed, |id| admitted.contains(id)) {
        return Err(Refusal::new(
            RejectionReason::AddsDiagnostic,
            format!("adds `{added}`"),
        ));
    }
    let remains = Remains::of(after, source_map);
    let before: BTreeMap<&str, &Diagnostic> = before
        .diagnostics
        .iter()
        .map(|fix| (fix.id.as_str(), fix))
        .collect();
    let promised = fixes
        .iter()
        .filter_map(|fix| fix.expected_delta.as_ref())
        .flat_map(|it| &it.diagnostics_resolved);
    for id in promised {
        if before
            .get(id.as_str())
            .is_some_and(|diagnostic| remains.hold(diagnostic))
        {
            return Err(Refusal::new(
                RejectionReason::DeltaUnmet,
                format!("does not resolve {id}"),
            ));
        }
    }
    Ok(())
}

/// The problems of an edited text by where their marked bytes came from: for each problem the first
/// and last byte, ascending by the first, and with the furthest last byte so far.
struct Remains<'a> {
    places: BTreeMap<Problem<'a>, Vec<(u64, u64)>>,
}

impl<'a> Remains<'a> {
    fn of(after: &'a Analysis, source_map: &SourceMap) -> Self {
        let origin = |offset: u64| source_map.base(offset as usize) as u64;
        let mut places: BTreeMap<Problem<'a>, Vec<(u64, u64)>> = BTreeMap::new();
        for diagnostic in &after.diagnostics {
            let span = diagnostic.span.unwrap_or_default();
            let last = span.end.saturating_sub(1).max(span.start);
            places
                .entry(problem(diagnostic))
                .or_default()
                .push((origin(span.start), origin(last)));
        }
        for list in places.values_mut() {
            list.sort_unstable();
            let mut furthest = 0;
            for (_, last) in list {
                furthest = furthest.max(*last);
                *last = furthest;
            }
        }
        Self { places }
    }

    /// Whether the same problem still marks bytes of `diagnostic`, a finding of the unedited text.
    fn hold(&self, diagnostic: &Diagnostic) -> bool {
        let span = diagnostic.span.unwrap_or_default();
        let end = span.end.max(span.start + 1);
        self.places.get(&problem(diagnostic)).is_some_and(|list| {
            let starting_before_its_end = list.partition_point(|&(start, _)| start < end);
            list[..starting_before_its_end]
                .last()
                .is_some_and(|&(_, furthest)| furthest >= span.start)
        })
    }
}

/// The first problem of `after` that occurs more often than in `before` and has no fix that
/// `fixable` accepts. A problem that a comment silences in `before` is not new, even if the comment no
/// longer applies to it in `after`: buildifier's own layout separates such comments from their code.
///
/// Up to `revealed` new problems are accepted, if the number of problems does not grow, neither in total
/// nor among those of any severity and above.
pub(crate) fn added_problem<'a>(
    before: &Analysis,
    after: &'a Analysis,
    revealed: usize,
    fixable: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let mut left = before.problems();
    for silenced in after.silenced() {
        if let Some(count) = left.get_mut(&silenced) {
            *count = count.saturating_sub(1);
        }
    }
    let mut added = after
        .diagnostics
        .iter()
        .filter(|diagnostic| match left.get_mut(&problem(diagnostic)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => !diagnostic.fix_ids.iter().any(|id| fixable(id)),
        })
        .map(|diagnostic| diagnostic.message.as_str());
    let first = added.next()?;
    let is_revealed = added.count() < revealed && !is_worse(before, after);
    (!is_revealed).then_some(first)
}

/// Whether there are more problems than before, of some severity and the worse ones.
fn is_worse(before: &Analysis, after: &Analysis) -> bool {
    let severities = after.diagnostics.iter().map(|it| it.severity);
    let count = |of: &Analysis, severity: i32| {
        let those = of
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity <= severity);
        those.count()
    };
    let severities: BTreeSet<i32> = severities.collect();
    let mut severities = severities.into_iter();
    severities.any(|severity| count(after, severity) > count(before, severity))
}

fn count(comments: Vec<String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for comment in comments {
        *counts.entry(comment).or_default() += 1;
    }
    counts
}
