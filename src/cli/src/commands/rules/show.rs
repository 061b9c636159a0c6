//! `fixpoint rules show`: a rule as a person reads it.

use fixpoint_learn::Rule;
use fixpoint_view::unified_diff;

use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;

pub(super) fn run(rule: &Rule, output: &mut Output) -> Result<Verdict, Failure> {
    let mut lines = vec![
        format!("rule {}", rule.id),
        format!(
            "{}, {}, {}, confidence {:.2}, priority {}, created {}",
            rule.target_id,
            word(&rule.provenance)?,
            if rule.pinned { "pinned" } else { "not pinned" },
            rule.confidence,
            rule.priority,
            rule.created
        ),
    ];
    if !rule.message.is_empty() {
        lines.push(rule.message.clone());
    }
    lines.push(String::new());
    lines.extend(rule.pattern.lines().map(|line| format!("- {line}")));
    lines.extend(rule.template.lines().map(|line| format!("+ {line}")));
    for import in &rule.imports.remove {
        lines.push(format!("- {import}  (if it is not used otherwise)"));
    }
    lines.extend(rule.imports.add.iter().map(|import| format!("+ {import}")));
    if !rule.constraints.is_empty() {
        lines.push(String::new());
        lines.push("only if".to_owned());
        for constraint in &rule.constraints {
            lines.push(format!("  {}", word(constraint)?));
        }
    }
    for (number, example) in rule.examples.iter().enumerate() {
        lines.push(String::new());
        lines.push(format!("example {}", number + 1));
        let path = example.path.as_deref().unwrap_or("example");
        let diff = unified_diff(path, &example.before, &example.after);
        lines.extend(diff.lines().skip(3).map(str::to_owned));
    }
    for (number, text) in rule.counter_examples.iter().enumerate() {
        lines.push(String::new());
        lines.push(format!("counter-example {}", number + 1));
        lines.extend(text.lines().map(|line| format!("  {line}")));
    }
    let outcomes = rule.outcomes;
    if outcomes.applied_ok + outcomes.rejected > 0 {
        lines.push(String::new());
        lines.push(format!(
            "applied {} times, rejected {} times",
            outcomes.applied_ok, outcomes.rejected
        ));
    }
    lines
        .iter()
        .try_for_each(|line| output.line(&shown(line)))?;
    Ok(Verdict::Done)
}

/// A value as in the rule file, without quotes around a single word.
fn word(value: &impl serde::Serialize) -> Result<String, Failure> {
    Ok(match serde_json::to_value(value)? {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    })
}
