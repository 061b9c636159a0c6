//! Checks that every rule has an explanation, and that its example matches its behavior.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;

use common::{findings, fixed, laid_out};
use fixpoint_lint::LintPhase;
use fixpoint_report::{Safety, word};

#[test]
fn rules_are_sorted_and_have_explanations() {
    // C-16 C-19 C-76
    let rules = (LintPhase::INFO.rules)();
    assert!(rules.is_sorted_by(|a, b| a.name < b.name));
    for rule in rules {
        assert!(
            rule.summary.ends_with('.') && rule.why.ends_with('.'),
            "{}",
            rule.name
        );
        assert!(rule.safety_reason.ends_with('.'), "{}", rule.name);
        assert_eq!(
            rule.safety.is_some(),
            rule.example.is_some(),
            "{}",
            rule.name
        );
    }
}

#[test]
fn every_example_is_fixed_as_documented() {
    // C-16 C-91
    for rule in (LintPhase::INFO.rules)() {
        let Some(example) = rule.example else {
            continue;
        };
        let (path, before) = (example.path, example.before);
        assert_eq!(
            laid_out(path, before).as_deref(),
            Ok(before),
            "{}",
            rule.name
        );
        let after = fixed(path, before, |name| name == rule.name);
        assert_eq!(
            laid_out(path, &after).as_deref(),
            Ok(example.after),
            "{}",
            rule.name
        );
        let left = findings(path, example.after);
        assert!(
            left.iter().all(|it| it.rule != rule.name),
            "{} is found again",
            rule.name
        );
    }
}

#[test]
fn no_fix_is_safer_than_its_rule_says_it_can_be() {
    // C-16 C-44: each finding has at most one fix, so a safe one is the only choice.
    for rule in (LintPhase::INFO.rules)() {
        let Some(example) = rule.example else {
            continue;
        };
        for finding in findings(example.path, example.before) {
            let of_rule = finding.rule == rule.name;
            assert!(finding.proposals.len() <= 1, "{}", rule.name);
            for proposal in finding.proposals.iter().filter(|_| of_rule) {
                assert!(Some(proposal.safety) <= rule.safety, "{}", rule.name);
            }
        }
    }
}

#[test]
fn the_starlark_page_lists_every_fix_with_its_safety() {
    let page = common::read(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/starlark.md"),
    );
    for rule in (LintPhase::INFO.rules)() {
        let Some(safety) = rule.safety else {
            continue;
        };
        let word = word::<Safety>(safety.into()).expect("a known safety");
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| {word} ")));
        let row = row.unwrap_or_else(|| panic!("no row for {word}"));
        // The page describes the rules about symbols that moved out of Bazel as one.
        let moved = rule.name.starts_with("native-") && rule.name != "native-build";
        let name = if moved { "native-*" } else { rule.name };
        assert!(
            row.contains(&format!("`{name}`")),
            "{name} is not listed as {word}"
        );
    }
}
