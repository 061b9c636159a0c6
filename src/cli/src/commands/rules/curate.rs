//! Lists, tests, pins and removes stored rules.

use annotate_snippets::Level;
use fixpoint_learn::{CompiledRule, Language, Rule, RuleSet, rewrite, short_id};

use super::ListForm;
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::rule_store::RuleStore;

pub(super) fn list(
    store: &RuleStore,
    format: ListForm,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    if format == ListForm::Json {
        let rules: Vec<&Rule> = store.rules().collect();
        output.print_json(&(serde_json::to_string_pretty(&rules)? + "\n"))?;
        return Ok(Verdict::Done);
    }
    for rule in store.rules() {
        let pinned = if rule.pinned { "pinned  " } else { "unpinned" };
        let line = format!(
            "{}  {:<10}  {pinned}  {}",
            short_id(&rule.id),
            rule.target_id,
            rule.summary()
        );
        output.line(&shown(&line))?;
    }
    let rules = store.rules().count();
    let pinned = store.rules().filter(|rule| rule.pinned).count();
    output.line(&format!("{}, {pinned} pinned", count(rules, "rule")))?;
    Ok(Verdict::Done)
}

/// The rules that can be applied. The others are reported.
pub(super) fn compiled(rules: Vec<&Rule>, output: &mut Output) -> Vec<CompiledRule> {
    let mut usable = Vec::new();
    for rule in rules {
        match CompiledRule::compile(rule) {
            Ok(compiled) => usable.push(compiled),
            Err(error) => {
                let message = format!("rule {} cannot be used: {error}", short_id(&rule.id));
                output.note(Level::WARNING, &shown(&message));
            }
        }
    }
    usable
}

/// A name for a text of the language.
fn example_path(language: Language) -> &'static str {
    match language {
        Language::Python => "example.py",
        Language::JavaScript => "example.js",
        Language::Jsx => "example.jsx",
        Language::TypeScript => "example.ts",
        Language::Tsx => "example.tsx",
        Language::Starlark => "example.bzl",
        #[cfg(feature = "clank")]
        Language::Clank => "example.clank",
        Language::Rust => "example.rs",
        Language::Go => "example.go",
        Language::Java => "Example.java",
        Language::C => "example.c",
        Language::Cpp => "example.cpp",
    }
}

pub(super) fn test(
    store: &RuleStore,
    ids: &[String],
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let rules = store.select(ids)?;
    let (mut passed, mut failed) = (0, 0);
    for rule in rules {
        let id = short_id(&rule.id);
        let compiled = match CompiledRule::compile(rule) {
            Ok(compiled) => compiled,
            Err(error) => {
                failed += 1;
                output.line(&shown(&format!("{id}: cannot be used: {error}")))?;
                continue;
            }
        };
        let path = example_path(compiled.language());
        let set = RuleSet::new(vec![compiled]);
        let cases = rule.examples.iter().map(|example| {
            let path = example.path.as_deref().unwrap_or(path);
            (path, &example.before, &example.after)
        });
        let unchanged = rule.counter_examples.iter().map(|text| (path, text, text));
        for (number, (path, before, after)) in cases.chain(unchanged).enumerate() {
            let found = rewrite(path, before, &set).text;
            if found == *after {
                passed += 1;
                continue;
            }
            failed += 1;
            let what = match number.checked_sub(rule.examples.len()) {
                None => format!("example {}", number + 1),
                Some(number) => format!("counter-example {}", number + 1),
            };
            output.line(&shown(&format!(
                "{id}: {what} gives another text:\n{found}"
            )))?;
        }
    }
    output.line(&format!("{passed} passed, {failed} failed"))?;
    Ok(match failed {
        0 => Verdict::Done,
        _ => Verdict::Findings,
    })
}

pub(super) fn pin(
    store: &mut RuleStore,
    ids: &[String],
    pinned: bool,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    // All ids are checked before the first rule changes.
    let rules = store.select(ids)?.into_iter();
    let rules: Vec<Rule> = rules.cloned().collect();
    for rule in rules {
        if pinned {
            CompiledRule::compile(&rule).map_err(|error| {
                Failure::Run(format!("{}: cannot be pinned: {error}", short_id(&rule.id)))
            })?;
        }
        store.set_pinned(&rule.id, pinned)?;
        let verb = if pinned { "Pinned" } else { "Unpinned" };
        output.line(&shown(&format!(
            "{verb} {}: {}",
            short_id(&rule.id),
            rule.summary()
        )))?;
    }
    Ok(Verdict::Done)
}

pub(super) fn remove(
    store: &mut RuleStore,
    ids: &[String],
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let rules = store.select(ids)?.into_iter();
    let rules: Vec<Rule> = rules.cloned().collect();
    for rule in rules {
        store.remove(&rule.id)?;
        output.line(&shown(&format!(
            "Removed {}: {}",
            short_id(&rule.id),
            rule.summary()
        )))?;
    }
    Ok(Verdict::Done)
}
