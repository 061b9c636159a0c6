//! When there is no rule, and the reason.

use fixpoint_learn::{Negative, Pair, Reason, learn_from_pairs};

use crate::family::Family;

fn reasons(extension: &str, text: &str) -> Vec<Reason> {
    let learned = Family::of_text("test", extension, text).learn();
    assert_eq!(learned.rules, [], "{:?}", learned.abstained);
    learned
        .abstained
        .into_iter()
        .map(|abstention| abstention.reason)
        .collect()
}

#[test]
fn one_example_of_a_general_change_is_not_enough() {
    let reasons = reasons("py", "=== pair\nx = {-a.size() == 0-}{+a.empty()+}\n");
    assert!(
        matches!(
            reasons[..],
            [Reason::FewExamples {
                found: 1,
                needed: 3
            }]
        ),
        "{reasons:?}"
    );
}

#[test]
fn code_that_is_not_captured_is_not_invented() {
    let reasons = reasons(
        "py",
        "=== pair\nimport m\nx = {-m.f(a)-}{+m.g(a, one)+}\n\
         === pair\nimport m\nx = {-m.f(b)-}{+m.g(b, two)+}\n",
    );
    assert!(!reasons.is_empty());
}

#[test]
fn code_is_not_dropped() {
    let reasons = reasons(
        "py",
        "=== pair\nimport m\nx = {-m.f(a, 1)-}{+m.f(a)+}\n\
         === pair\nimport m\nx = {-m.f(b, 2)-}{+m.f(b)+}\n",
    );
    assert!(!reasons.is_empty());
}

#[test]
fn a_counter_example_without_a_guard_against_it_prevents_the_rule() {
    let reasons = reasons(
        "py",
        "=== pair\nimport m\nx = {-m.f()-}{+m.g()+}\n\
         === pair\nimport m\nx = {-m.f()-}{+m.g()+}\n\
         === negative same\nimport m\nx = m.f()\n",
    );
    assert!(
        matches!(reasons[..], [Reason::CounterExample(_)]),
        "{reasons:?}"
    );
}

#[test]
fn texts_that_do_not_parse_and_languages_without_a_parser_are_reported() {
    let pair = |path: &str, before: &str| Pair {
        name: path.to_owned(),
        path: path.to_owned(),
        before: before.to_owned(),
        after: String::new(),
    };
    let learned = learn_from_pairs(
        &[pair("a.py", "def"), pair("a.unknown", "x")],
        &[Negative {
            path: "b.py".to_owned(),
            text: "def".to_owned(),
        }],
    );
    let reasons: Vec<_> = learned
        .abstained
        .iter()
        .map(|abstention| &abstention.reason)
        .collect();
    assert!(
        matches!(
            reasons[..],
            [Reason::Unparsable(_), Reason::UnknownLanguage]
        ),
        "{reasons:?}"
    );
}

#[test]
fn learning_is_deterministic() {
    let family = &Family::all("learn_histories")[0];
    let (first, second) = (family.learn(), family.learn());
    assert_eq!(first.rules, second.rules);
    assert_eq!(first.abstained, second.abstained);
}

#[test]
fn a_part_of_a_change_is_no_rule() {
    let reasons = reasons(
        "py",
        "=== pair\ndef f(x={-{}-}{+None+}):\n{+    if x is None:\n        x = {}\n+}    return x\n\
         === pair\ndef g(a, x={-{}-}{+None+}):\n{+    if x is None:\n        x = {}\n+}    return a, x\n\
         === pair\ndef h(b, x={-{}-}{+None+}):\n{+    if x is None:\n        x = {}\n+}    return b, x\n",
    );
    assert!(
        reasons
            .iter()
            .any(|reason| matches!(reason, Reason::Part(_))),
        "{reasons:?}"
    );
}

#[test]
fn a_change_of_imports_needs_rules_for_the_code_that_uses_them() {
    let reasons = reasons(
        "py",
        "=== pair\nfrom enum import {-Enum-}{+StrEnum+}\n\nclass A({-str, Enum-}{+StrEnum+}):\n    X = \"x\"\n\
         === pair\nfrom enum import {-Enum-}{+StrEnum+}\n\nclass B({-Base, Enum-}{+StrEnum, Base+}):\n    X = \"x\"\n",
    );
    assert!(
        reasons
            .iter()
            .any(|reason| matches!(reason, Reason::Part(_))),
        "{reasons:?}"
    );
}
