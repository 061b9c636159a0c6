//! One look at one text: what the phases found, named and in order.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{
    Diagnostic, Edit, EmitKey, Fix, Names, Position, Severity, collision, emit_order, rank_order,
};
use fixpoint_text::{LineIndex, Snapshot, Span};

use crate::candidates::{CandidateKey, Candidates};
use crate::phase::{Finding, Language, Phase};

/// What was found in one text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// In emit order.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// In emit order.
    pub(crate) fixes: Vec<Fix>,
    /// Findings that suppression comments hide.
    silenced: Vec<Finding>,
    pub(crate) unparsable: bool,
    /// The candidates that became fixes.
    pub(crate) passed: BTreeSet<CandidateKey>,
}

/// A diagnostic as the gate compares it across texts: no place, no marked text.
pub(crate) type Problem<'a> = (i32, &'a str, &'a str);

impl Analysis {
    /// Runs the phases on `source`, an edited form of a base. `origin` maps its offsets to the base.
    /// Candidates in `trusted` passed on the base.
    pub(crate) fn of(
        source: &Snapshot,
        language: &dyn Language,
        phases: &[&dyn Phase],
        names: &mut Names,
        origin: &dyn Fn(usize) -> usize,
        trusted: &BTreeSet<CandidateKey>,
    ) -> Self {
        let mut passed = BTreeSet::new();
        let mut unparsable = false;
        let mut silenced = Vec::new();
        let mut found: Vec<(&dyn Phase, Finding)> = Vec::new();
        for phase in phases {
            let findings = phase.run(source);
            unparsable |= findings.unparsable;
            let mut findings = findings.findings;
            findings
                .iter_mut()
                .for_each(|finding| fit_into(finding, source));
            let candidates = Candidates {
                phase: *phase,
                language,
            };
            passed.extend(candidates.settle(source, &mut findings, trusted));
            found.extend(findings.into_iter().map(|finding| (*phase, finding)));
        }
        if !found.is_empty() {
            let suppressions = language.suppressions(source.text()).in_order();
            let lines = LineIndex::new(source.text());
            let hidden = found.extract_if(.., |(phase, finding)| {
                finding.silenced
                    || (!finding.heeds_directives
                        && suppressions.cover(
                            phase.owner(&finding.rule),
                            finding,
                            &lines,
                            source.path(),
                        ))
            });
            silenced.extend(hidden.map(|(_, finding)| finding));
        }
        Self {
            silenced,
            unparsable,
            passed,
            ..Self::named(source, found, names, origin)
        }
    }

    fn named(
        source: &Snapshot,
        found: Vec<(&dyn Phase, Finding)>,
        names: &mut Names,
        origin: &dyn Fn(usize) -> usize,
    ) -> Self {
        let mut diagnostics = Vec::with_capacity(found.len());
        let mut fixes: Vec<Fix> = Vec::new();
        let mut by_given_id: BTreeMap<String, usize> = BTreeMap::new();
        // The fixes of each diagnostic, as indices.
        let mut fixes_by_diagnostic: Vec<Vec<usize>> = Vec::with_capacity(found.len());
        for (phase, finding) in found {
            diagnostics.push(diagnostic(phase, &finding));
            let mut alternatives = Vec::with_capacity(finding.proposals.len());
            for proposal in finding.proposals {
                let next = fixes.len();
                let at = match &proposal.id {
                    Some(id) => *by_given_id.entry(id.clone()).or_insert(next),
                    None => next,
                };
                if at == next {
                    fixes.push(Fix {
                        phase: phase.owner(&finding.rule).to_owned(),
                        rule: finding.rule.clone().into_owned(),
                        ..proposal.into_fix()
                    });
                }
                if !alternatives.contains(&at) {
                    alternatives.push(at);
                }
            }
            fixes_by_diagnostic.push(alternatives);
        }
        names.name_diagnostics(source, &mut diagnostics, origin);
        names.name_fixes(source, &mut fixes, origin);
        exclude_alternatives(&mut fixes, &fixes_by_diagnostic);
        let mut severities: BTreeMap<String, i32> = BTreeMap::new();
        for (diagnostic, alternatives) in diagnostics.iter_mut().zip(&fixes_by_diagnostic) {
            for fix in alternatives {
                let fix = &mut fixes[*fix];
                let targets = fix.targets.get_or_insert_default();
                targets.diagnostic_ids.push(diagnostic.id.clone());
                if !targets.diagnostic_codes.contains(&diagnostic.rule) {
                    targets.diagnostic_codes.push(diagnostic.rule.clone());
                }
                let delta = fix.expected_delta.get_or_insert_default();
                delta.diagnostics_resolved.push(diagnostic.id.clone());
                let severity = severities
                    .entry(fix.id.clone())
                    .or_insert(diagnostic.severity);
                *severity = diagnostic.severity.min(*severity);
            }
        }
        rank_into(&mut diagnostics, &fixes, &fixes_by_diagnostic);
        diagnostics
            .sort_by(|a, b| emit_order(&diagnostic_key(source, a), &diagnostic_key(source, b)));
        fixes.sort_by(|a, b| {
            let severity = |fix: &Fix| severities.get(&fix.id).copied().unwrap_or_default();
            emit_order(
                &fix_key(source, a, severity(a)),
                &fix_key(source, b, severity(b)),
            )
        });
        Self {
            diagnostics,
            fixes,
            ..Self::default()
        }
    }

    /// How often each problem occurs, those included that comments silence.
    pub(crate) fn problems(&self) -> BTreeMap<Problem<'_>, usize> {
        let mut counts = BTreeMap::new();
        let reported = self.diagnostics.iter().map(problem);
        for problem in reported.chain(self.silenced()) {
            *counts.entry(problem).or_default() += 1;
        }
        counts
    }

    pub(crate) fn silenced(&self) -> impl Iterator<Item = Problem<'_>> {
        self.silenced.iter().map(problem_found)
    }

    /// The fixes of one phase list that may take part in this file's canonical text.
    pub(crate) fn fixes_of<'a>(
        &'a self,
        phases: &'a [&dyn Phase],
        path: &'a str,
    ) -> impl Iterator<Item = &'a Fix> {
        self.fixes.iter().filter(move |fix| {
            phases
                .iter()
                .any(|phase| phase.owner(&fix.rule) == fix.phase)
                && fix.edits.iter().all(|edit| edit.path == path)
        })
    }
}

/// Clamps the span of a finding to the text, and drops a fix whose edits are outside of it. A phase
/// with wrong offsets must not produce a report that no reader accepts.
fn fit_into(finding: &mut Finding, source: &Snapshot) {
    let text = source.text();
    let start = text.floor_char_boundary(finding.span.start());
    let end = text.ceil_char_boundary(finding.span.end().min(text.len()));
    finding.span = Span::from(start..end.max(start));
    if finding.message.is_empty() {
        finding.message = finding.rule.clone().into_owned();
    }
    for proposals in [&mut finding.proposals, &mut finding.candidates] {
        proposals.retain(|proposal| fit(&proposal.edits, source));
    }
}

/// Whether edits are inside the text and do not overlap. Edits of other files are not checked here.
pub(crate) fn fit(edits: &[Edit], source: &Snapshot) -> bool {
    let text = source.text();
    let is_boundary =
        |offset: u64| usize::try_from(offset).is_ok_and(|it| text.is_char_boundary(it));
    let lies_inside = |edit: &Edit| {
        edit.start <= edit.end
            && (edit.path != source.path() || is_boundary(edit.start) && is_boundary(edit.end))
    };
    !edits.is_empty() && edits.iter().all(lies_inside) && collision(edits).is_none()
}

pub(crate) fn problem(diagnostic: &Diagnostic) -> Problem<'_> {
    (diagnostic.severity, &diagnostic.rule, &diagnostic.message)
}

/// The same for a finding, which has no id yet.
pub(crate) fn problem_found(finding: &Finding) -> Problem<'_> {
    let severity = i32::from(finding.severity);
    (severity, &finding.rule, &finding.message)
}

fn diagnostic(phase: &dyn Phase, finding: &Finding) -> Diagnostic {
    let place = finding.place.as_ref();
    Diagnostic {
        rule: finding.rule.clone().into_owned(),
        phase: phase.owner(&finding.rule).to_owned(),
        severity: finding.severity.into(),
        message: finding.message.clone(),
        span: Some(finding.span.into()),
        json_pointer: place.map(|it| it.json_pointer.clone()),
        tier: place.map(|it| it.tier.to_owned()),
        hints: finding.hints.clone(),
        style: finding.style,
        ..Diagnostic::default()
    }
}

/// A proposal as a fix. Its diagnostics are not named yet.
/// The fixes of one finding are alternatives: at most one of them may be applied.
fn exclude_alternatives(fixes: &mut [Fix], fixes_by_diagnostic: &[Vec<usize>]) {
    for alternatives in fixes_by_diagnostic {
        let ids: Vec<String> = alternatives
            .iter()
            .map(|&fix| fixes[fix].id.clone())
            .collect();
        for &fix in alternatives {
            let fix = &mut fixes[fix];
            let rivals = &mut fix.compatibility.get_or_insert_default().conflicts_with;
            for id in ids.iter().filter(|id| **id != fix.id) {
                if !rivals.contains(id) {
                    rivals.push(id.clone());
                }
            }
        }
    }
}

fn rank_into(diagnostics: &mut [Diagnostic], fixes: &[Fix], fixes_by_diagnostic: &[Vec<usize>]) {
    for (diagnostic, alternatives) in diagnostics.iter_mut().zip(fixes_by_diagnostic) {
        let mut ranked: Vec<&Fix> = alternatives.iter().map(|&fix| &fixes[fix]).collect();
        ranked.sort_by(|a, b| rank_order(a, b));
        diagnostic.fix_ids = ranked.into_iter().map(|fix| fix.id.clone()).collect();
    }
}

fn diagnostic_key<'a>(source: &'a Snapshot, diagnostic: &'a Diagnostic) -> EmitKey<'a> {
    let span = diagnostic.span.unwrap_or_default();
    EmitKey {
        severity: diagnostic.severity(),
        file: source.path(),
        position: match &diagnostic.json_pointer {
            Some(pointer) => Position::of_pointer(pointer),
            None => Position::Bytes {
                start: span.start,
                end: span.end,
            },
        },
        rule: &diagnostic.rule,
        title: &diagnostic.message,
        id: &diagnostic.id,
    }
}

fn fix_key<'a>(source: &'a Snapshot, fix: &'a Fix, severity: i32) -> EmitKey<'a> {
    let (start, end) = fix
        .edits
        .first()
        .map_or((0, 0), |edit| (edit.start, edit.end));
    EmitKey {
        severity: Severity::try_from(severity).unwrap_or_default(),
        file: source.path(),
        position: Position::Bytes { start, end },
        rule: &fix.rule,
        title: &fix.title,
        id: &fix.id,
    }
}
