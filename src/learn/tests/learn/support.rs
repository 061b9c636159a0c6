//! Builds rules in the short form and applies them.

use fixpoint_learn::{CompiledRule, Outcome, Rule, RuleError, RuleSet, rewrite};
use serde_json::{Value, json};

pub const NOW: &str = "2026-01-31T12:00:00Z";

pub fn rule(language: &str, pattern: &str, template: &str) -> Value {
    json!({ "language": language, "pattern": pattern, "template": template })
}

pub fn compile(rule: &Value) -> Result<CompiledRule, RuleError> {
    CompiledRule::compile(&Rule::from_json(&rule.to_string(), NOW)?)
}

pub fn compiled(rule: &Value) -> CompiledRule {
    compile(rule).unwrap_or_else(|error| panic!("{rule}: {error}"))
}

pub fn path(language: &str) -> &'static str {
    match language {
        "python" => "a.py",
        "javascript" => "a.js",
        "typescript" => "a.ts",
        "starlark" => "a.bzl",
        "clank" => "a.clank",
        "rust" => "a.rs",
        "go" => "a.go",
        "java" => "A.java",
        "c" => "a.c",
        "cpp" => "a.cc",
        other => panic!("{other} has no path"),
    }
}

pub fn apply_all(language: &str, rules: &[Value], text: &str) -> Outcome {
    let rules = RuleSet::new(rules.iter().map(compiled).collect());
    rewrite(path(language), text, &rules)
}

pub fn apply(language: &str, rule: &Value, text: &str) -> Outcome {
    apply_all(language, std::slice::from_ref(rule), text)
}

/// Checks what a rule makes of a text.
#[track_caller]
pub fn becomes(language: &str, rule: &Value, before: &str, after: &str) {
    let outcome = apply(language, rule, before);
    assert_eq!(outcome.text, after, "{rule} {:?}", outcome.refused);
}

/// Checks that a rule leaves a text as it is, and returns the first reason.
#[track_caller]
pub fn stays(language: &str, rule: &Value, text: &str) -> String {
    let outcome = apply(language, rule, text);
    assert_eq!(outcome.text, text, "{rule}");
    let reason = outcome
        .refused
        .first()
        .map(|refused| refused.reason.to_string());
    reason.unwrap_or_default()
}
