//! Properties of every text. Parsing loses nothing. Formatting is idempotent and keeps every
//! comment. Every fix keeps the text well-formed. Linting and formatting together reach a fixpoint.

use fixpoint_engine::{Config, Engine, Language as _, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::{LintPhase, LintSettings};
use fixpoint_report::{Edit, Exit};
use fixpoint_starlark::{FileKind, format, parse};
use fixpoint_text::Snapshot;

/// Panics if a property does not hold.
pub fn hold(path: &str, text: &str) {
    let parsed = parse(text);
    assert_eq!(parsed.tree.text(), text, "the leaves are not the text");
    for error in &parsed.errors {
        assert!(
            text.get(error.span().range()).is_some(),
            "{error} lies outside"
        );
    }
    if !parsed.errors.is_empty() {
        return;
    }
    let config = Config::default();
    let Some(source) = SourceLanguage::of(path, text, &config) else {
        return;
    };
    printing(path, text, &source);
    fixes(path, text, &source);
    for policy in [Policy::default(), Policy::default().with_likely()] {
        loop_settles(path, text, &source, &config, &policy);
    }
}

fn comments(source: &SourceLanguage, text: &str) -> Vec<String> {
    let mut comments = source.comments(text);
    comments.sort();
    comments
}

fn printing(path: &str, text: &str, source: &SourceLanguage) {
    let kind = FileKind::of_name(path);
    let Ok(printed) = format(kind, path, text) else {
        return;
    };
    assert_eq!(
        format(kind, path, &printed).as_ref(),
        Ok(&printed),
        "the layout is not settled"
    );
    assert_eq!(
        comments(source, text),
        comments(source, &printed),
        "the layout loses a comment"
    );
}

fn fixes(path: &str, text: &str, source: &SourceLanguage) {
    let settings = LintSettings::default();
    let findings = LintPhase::new(&settings)
        .run(&Snapshot::new(path, text))
        .findings;
    for finding in findings {
        assert!(
            text.get(finding.span.range()).is_some(),
            "{} lies outside",
            finding.rule
        );
        for proposal in &finding.proposals {
            let fixed = applied(text, &proposal.edits);
            let errors = parse(&fixed).errors;
            assert!(
                errors.is_empty(),
                "{} breaks it: {errors:?}\n{fixed}",
                finding.rule
            );
            let (before, after) = (comments(source, text), comments(source, &fixed));
            assert_eq!(before, after, "{} loses a comment\n{fixed}", finding.rule);
        }
    }
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.start as usize, edit.end as usize);
        assert!(at <= start && start <= end, "edits are out of order");
        out.push_str(&text[at..start]);
        out.push_str(&edit.replacement);
        at = end;
    }
    out + &text[at..]
}

fn loop_settles(path: &str, text: &str, source: &SourceLanguage, config: &Config, policy: &Policy) {
    let settings = LintSettings::default();
    let (lint, layout) = (LintPhase::new(&settings), FormatPhase::new(source, config));
    let engine = Engine::new(source, [&lint as &dyn Phase, &layout]);
    let run = engine.run(&Snapshot::new(path, text), policy);
    let exit = run.report.outcome.as_ref().map(|it| it.exit());
    assert!(
        matches!(exit, Some(Exit::Fixpoint | Exit::Unparsable)),
        "the loop ends as {exit:?}: {:?}",
        run.report.rejected
    );
    let canonical = run.canonical.text();
    assert_eq!(
        comments(source, text),
        comments(source, canonical),
        "the loop loses a comment"
    );
    let again = engine.run(&run.canonical, policy);
    assert_eq!(again.canonical.text(), canonical, "the loop is not settled");
}
