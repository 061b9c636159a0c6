//! `fixpoint explain`: what a rule does, why, how safe it is, with an example.

use fixpoint_engine::Rule;
use fixpoint_report::{Safety, word};
use fixpoint_view::unified_diff;

use crate::Verdict;
use crate::args::ExplainOptions;
use crate::failure::Failure;
use crate::output::Output;
use crate::rules;

pub(crate) fn run(options: &ExplainOptions, output: &mut Output) -> Result<Verdict, Failure> {
    match &options.rule {
        None => rules::phases()
            .iter()
            .try_for_each(|(phase, rules)| list(phase, rules, output))?,
        Some(name) => match (rules::phase(name), rules::find(name)) {
            (Some(rules), _) => list(name, rules, output)?,
            (None, Some((phase, rule))) => explain(phase, rule, output)?,
            (None, None) => return Err(rules::unknown(name)),
        },
    }
    output.flush()?;
    Ok(Verdict::Done)
}

fn list(phase: &str, rules: &[Rule], output: &mut Output) -> Result<(), Failure> {
    output.line(&format!("Rules of the phase {phase}:"))?;
    let names = rules.iter().map(|rule| rule.name.len());
    let width = names.max().unwrap_or_default();
    for rule in rules {
        output.line(&format!("  {:width$}  {}", rule.name, rule.summary))?;
    }
    Ok(())
}

fn explain(phase: &str, rule: &Rule, output: &mut Output) -> Result<(), Failure> {
    let safety = match rule.safety {
        Some(safety) => word::<Safety>(safety.into()).unwrap_or_default(),
        None => "no fix".to_owned(),
    };
    output.line(&format!("{} (phase {phase})\n", rule.name))?;
    output.line(rule.summary)?;
    output.line(&format!("\nWhy: {}", rule.why))?;
    output.line(&format!("\nSafety: {safety}. {}", rule.safety_reason))?;
    if let Some(example) = rule.example {
        output.line("\nExample:\n")?;
        output.print(&unified_diff(example.path, example.before, example.after))?;
    }
    output.line(&format!(
        "\nTo keep a line as it is, put a comment `fixpoint: ignore[{}]` on it or above it.",
        rule.name
    ))
}
