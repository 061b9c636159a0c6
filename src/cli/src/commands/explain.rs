//! `fixpoint explain`: what a rule does, why, how safe it is, with an example.

use fixpoint_analysis::{find_rule, phases, phases_named};
use fixpoint_engine::Rule;
use fixpoint_learn::{LearnedPhase, short_id};
use fixpoint_report::{Safety, word};
use fixpoint_validate::PolicyRule;
use fixpoint_view::unified_diff;

use crate::Verdict;
use crate::args::{Arguments, ExplainOptions};
use crate::clank;
use crate::failure::Failure;
use crate::output::Output;
use crate::rules::{self, OwnRule};
use crate::session::Session;

pub(crate) fn run(
    arguments: &Arguments,
    options: &ExplainOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    match options.rule.as_deref() {
        None => phases().try_for_each(|(phase, rules)| list(phase, rules, output))?,
        Some(name) => match (phases_named(name).as_slice(), find_rule(name)) {
            ([], Some((phase, rule))) => explain(phase, rule, output)?,
            ([], None) => {
                let session = Session::open(arguments, &[])?;
                match rules::find_own(name, &session) {
                    Some(OwnRule::Policy(rule)) => explain_policy(rule, output)?,
                    Some(OwnRule::Learned(rule)) => explain_learned(rule, output)?,
                    None => return Err(rules::unknown(name, &session)),
                }
            }
            (found, _) => {
                for (phase, rules) in found {
                    list(phase, rules, output)?;
                }
            }
        },
    }
    output.flush()?;
    Ok(Verdict::Done)
}

fn list(phase: &str, rules: &[Rule], output: &mut Output) -> Result<(), Failure> {
    output.line(&format!("Rules of the {phase} phase:"))?;
    let names = rules.iter().map(|rule| rule.name.len());
    let width = names.max().unwrap_or_default();
    for rule in rules {
        output.line(&format!("  {:width$}  {}", rule.name, rule.summary))?;
    }
    Ok(())
}

fn explain(phase: &str, rule: &Rule, output: &mut Output) -> Result<(), Failure> {
    let safety = rule.safety.map(|safety| (safety, rule.safety_reason));
    let example = rule
        .example
        .map(|example| (example.path, example.before, example.after));
    head(rule.name, phase, rule.summary, rule.why, output)?;
    match safety {
        Some((safety, reason)) => print_safety(safety, reason, output)?,
        None => output.line(&format!("\nSafety: no fix. {}", rule.safety_reason))?,
    }
    if let Some(repair) = clank::repair_of(phase, rule.name) {
        output.line(&format!("\nRepair of the example: {repair}"))?;
    }
    tail(rule.name, example, output)
}

fn explain_learned(rule: &fixpoint_learn::Rule, output: &mut Output) -> Result<(), Failure> {
    head(
        &rule.name(),
        LearnedPhase::INFO.name,
        &rule.summary(),
        "",
        output,
    )?;
    output.line(&format!(
        "\nA learned rule of the workspace: `fixpoint rules show {}` prints its pattern, guards and examples.",
        short_id(&rule.id)
    ))?;
    tail(&rule.name(), None, output)
}

/// A rule of the workspace's own, from its rules file.
fn explain_policy(rule: &PolicyRule, output: &mut Output) -> Result<(), Failure> {
    let phase = format!("validate, tier {}", rule.tier.name());
    head(&rule.id, &phase, &rule.summary, &rule.why, output)?;
    match rule.safety() {
        Some((safety, reason)) => print_safety(safety, reason, output)?,
        None => output.line("\nSafety: no fix.")?,
    }
    let example = rule.example.as_ref();
    let example =
        example.map(|(path, before, after)| (path.as_str(), before.as_str(), after.as_str()));
    tail(&rule.id, example, output)
}

fn head(
    name: &str,
    phase: &str,
    summary: &str,
    why: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    output.line(&format!("{name} (phase {phase})\n"))?;
    output.line(summary)?;
    match why {
        "" => Ok(()),
        why => output.line(&format!("\nWhy: {why}")),
    }
}

fn print_safety(safety: Safety, reason: &str, output: &mut Output) -> Result<(), Failure> {
    let safety = word::<Safety>(safety.into()).unwrap_or_default();
    output.line(&format!("\nSafety: {safety}. {reason}"))
}

fn tail(
    name: &str,
    example: Option<(&str, &str, &str)>,
    output: &mut Output,
) -> Result<(), Failure> {
    if let Some((path, before, after)) = example {
        output.line("\nExample:\n")?;
        output.line(unified_diff(path, before, after).trim_end_matches('\n'))?;
    }
    output.line(&format!(
        "\nTo suppress the rule for a line, add the comment `fixpoint: ignore[{name}]` on that line, or alone on the line above it."
    ))
}
