//! Candidates: fixes that the engine tries before it reports them.

#[path = "toy/language.rs"]
mod language;

use std::sync::atomic::{AtomicUsize, Ordering};

use fixpoint_engine::{Engine, Finding, Findings, Phase, Policy, Proposal, Rule, Run, Stage};
use fixpoint_report::{Edit, Exit, Safety, Severity};
use fixpoint_text::{Snapshot, Span};
use language::Toy;

/// Finds words, and proposes a word to use instead.
#[derive(Default)]
struct Words {
    words: Vec<(&'static str, Option<&'static str>, Safety)>,
    /// How often fixes were asked for.
    runs: AtomicUsize,
}

const SAFE: Safety = Safety::BehaviorPreserving;

impl Words {
    fn new(words: &[(&'static str, Option<&'static str>)]) -> Self {
        Self {
            words: words.iter().map(|(word, by)| (*word, *by, SAFE)).collect(),
            ..Self::default()
        }
    }

    fn findings(&self, source: &Snapshot) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (word, by, safety) in &self.words {
            for (start, found) in source.text().match_indices(word) {
                let span = Span::from(start..start + found.len());
                let message = format!("`{word}` is wrong");
                let finding = Finding::problem("words", Severity::Error, message, span);
                findings.push(match by {
                    Some(by) => finding.with_candidate(Proposal {
                        safety: *safety,
                        ..Proposal::safe("Replace", vec![Edit::replace(source, span, *by)])
                    }),
                    None => finding,
                });
            }
        }
        findings
    }
}

impl Phase for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        &[]
    }

    fn run(&self, source: &Snapshot) -> Findings {
        self.runs.fetch_add(1, Ordering::Relaxed);
        Findings {
            findings: self.findings(source),
            unparsable: false,
        }
    }

    fn check(&self, source: &Snapshot) -> Findings {
        let mut findings = self.findings(source);
        findings.iter_mut().for_each(|it| it.candidates.clear());
        Findings {
            findings,
            unparsable: false,
        }
    }
}

fn run(words: &Words, text: &str) -> Run {
    let policy = Policy::default().with_likely();
    Engine::new(&Toy, [words as &dyn Phase]).run(&Snapshot::new("a.toy", text), &policy)
}

/// The words that have a fix in the report, and the canonical text. No fix may be rejected.
fn fixed(words: &Words, text: &str) -> (Vec<String>, String) {
    let run = run(words, text);
    assert_eq!(run.report.rejected, []);
    let outcome = run.report.outcome.expect("an outcome");
    assert_eq!(outcome.exit(), Exit::Fixpoint);
    let edits = run.report.fixes.iter().flat_map(|fix| &fix.edits);
    let words = edits.map(|edit| text[edit.start as usize..edit.end as usize].to_owned());
    (words.collect(), run.canonical.text().to_owned())
}

fn expect(words: &Words, text: &str, reported: &[&str], canonical: &str) {
    let (found, result) = fixed(words, text);
    assert_eq!((found, result.as_str()), (texts(reported), canonical));
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn a_candidate_that_fails_is_not_reported() {
    let resolves_nothing = Words::new(&[("x", Some("(x)"))]);
    expect(&resolves_nothing, "x\n", &[], "x\n");
    let breaks_syntax = Words::new(&[("x", Some("("))]);
    expect(&breaks_syntax, "x\n", &[], "x\n");
    let loses_a_comment = Words::new(&[("# x", Some("x"))]);
    expect(&loses_a_comment, "# x\n", &[], "# x\n");
    let adds_a_finding = Words::new(&[("x", Some("y")), ("y", None)]);
    expect(&adds_a_finding, "x\n", &[], "x\n");
    // It stays unreported in later rounds.
    let beside_others = Words::new(&[("x", Some("y")), ("y", None), ("z", Some("!"))]);
    expect(&beside_others, "x z\n", &["z"], "x !\n");
}

#[test]
fn only_the_culprits_of_a_batch_are_dropped() {
    let words = Words::new(&[("good", Some("fine")), ("bad", Some("("))]);
    let text = "good bad good bad good\n";
    let expected = "fine bad fine bad fine\n";
    expect(&words, text, &["good", "good", "good"], expected);
}

#[test]
fn a_candidate_may_cause_a_finding_that_another_resolves() {
    let chain = [("a", Some("b")), ("b", Some("c")), ("c", Some("d"))];
    expect(&Words::new(&chain), "a\n", &["a"], "d\n");
    let too_long = [&chain[..], &[("d", Some("e")), ("e", Some("f"))]].concat();
    expect(&Words::new(&too_long), "a\n", &[], "a\n");
    let circle = Words::new(&[("a", Some("b")), ("b", Some("a"))]);
    expect(&circle, "a\n", &[], "a\n");
}

#[test]
fn a_candidate_does_not_rely_on_a_less_safe_one() {
    let likely = Safety::LikelyPreserving;
    let words = |first, second| Words {
        words: vec![("a", Some("b"), first), ("b", Some("c"), second)],
        ..Words::default()
    };
    expect(&words(SAFE, likely), "a\n", &[], "a\n");
    expect(&words(likely, SAFE), "a\n", &["a"], "c\n");
}

#[test]
fn candidates_that_conflict_are_tried_apart() {
    let words = Words::new(&[("ab", Some("!")), ("b", Some("?"))]);
    let report = run(&words, "ab\n").report;
    assert_eq!(report.fixes.len(), 2);
    let culprit = Words::new(&[("ab", Some("!")), ("b", Some("("))]);
    expect(&culprit, "ab\n", &["ab"], "!\n");
}

#[test]
fn at_most_one_candidate_of_a_finding_is_tried_at_a_time() {
    struct Marks;
    impl Phase for Marks {
        fn name(&self) -> &'static str {
            "marks"
        }
        fn stage(&self) -> Stage {
            Stage::Rewrite
        }
        fn rules(&self) -> &[Rule] {
            &[]
        }
        fn run(&self, source: &Snapshot) -> Findings {
            let count = source.text().matches('!').count();
            let mark = |title, at| Proposal::safe(title, vec![Edit::insert(source, at, "!")]);
            let finding = Finding::style("mark", "one mark is needed", (0..1).into())
                .with_candidate(mark("Mark the start", 0))
                .with_candidate(mark("Mark the end", 3));
            Findings {
                findings: (count != 1).then_some(finding).into_iter().collect(),
                unparsable: false,
            }
        }
    }
    let run = Engine::new(&Toy, [&Marks as &dyn Phase]);
    let report = run.run(&Snapshot::new("a.toy", "a b\n"), &Policy::default());
    assert_eq!(report.report.fixes.len(), 2);
}

#[test]
fn a_phase_makes_fixes_once_for_each_text_and_not_for_each_trial() {
    let words = Words::new(&[("good", Some("fine")), ("bad", Some("("))]);
    fixed(&words, "good bad good bad good\n");
    assert_eq!(words.runs.into_inner(), 2);
}
