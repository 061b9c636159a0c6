//! `pr-body.md`: the pull request of a proved fix. Every claim links to the records behind it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::markdown::{code, code_of_at_most, quoted, sentence};
use super::{Citations, WORLDS, result_of, verdict_word, world_name, world_runs};
use crate::evidence::{EngineText, Evidence, PATCH};
use crate::record::{TestStatus, World};

/// GitHub accepts 65,536 characters. These limits keep every body below that.
const MAX_QUOTE: usize = 3_000;
const MAX_COMMANDS: usize = 6;
const MAX_ITEMS: usize = 15;
const MAX_RECORDS: usize = 100;
const MAX_RUNS: u32 = 5;

/// The text of the pull request.
pub fn pr_body(evidence: &Evidence) -> String {
    let mut body = String::new();
    let mut citations = Citations::default();
    problem(evidence, &mut citations, &mut body);
    root_cause(evidence, &mut body);
    runs(evidence, &mut citations, &mut body);
    tests(evidence, &mut citations, &mut body);
    policies(evidence, &mut citations, &mut body);
    minimal(evidence, &mut citations, &mut body);
    risk(evidence, &mut body);
    replay(&mut body);
    records(evidence, &citations, &mut body);
    body
}

fn problem(evidence: &Evidence, citations: &mut Citations, body: &mut String) {
    let outcome = &evidence.outcome;
    let _ = write!(
        body,
        "## Problem\n\nThis command fails at the commit {}:\n\n{}\n",
        code(&outcome.base.head),
        super::markdown::fenced(&outcome.repro_command, 10),
    );
    let first_failure = evidence
        .commands
        .iter()
        .map(|chained| (chained, &chained.record))
        .filter(|(_, record)| record.command == outcome.repro_command)
        .find(|(_, record)| record.exit_code != Some(0));
    if let Some((failure, record)) = first_failure {
        let result = result_of(record);
        let link = citations.one(failure.index);
        let _ = writeln!(body, "Recorded result before the patch: {result} {link}.\n");
    }
    if let Some(issue) = outcome.issue {
        let _ = writeln!(body, "Requested in #{issue}.\n");
    }
}

fn root_cause(evidence: &Evidence, body: &mut String) {
    let Some(engine) = &evidence.outcome.engine else {
        return;
    };
    let _ = write!(
        body,
        "## Root cause and fix\n\nThe engine {} wrote the text in the blocks below. It is quoted, and \
         the verdict does not depend on it.\n\nRoot cause:\n\n{}\nFix:\n\n{}\n",
        code(&engine.name),
        quoted(&engine.root_cause, MAX_QUOTE),
        quoted(&engine.fix_summary, MAX_QUOTE),
    );
}

fn runs(evidence: &Evidence, citations: &mut Citations, body: &mut String) {
    let verdict = verdict_word(evidence.outcome.verdict);
    let _ = writeln!(body, "## Evidence\n\nVerdict: `{verdict}`.\n");
    for reason in evidence.outcome.reasons.iter().take(MAX_ITEMS) {
        let links = citations.all(&reason.records);
        let _ = writeln!(body, "- {} {links}", sentence(&reason.text));
    }
    let mut commands = Vec::new();
    for (_, chained) in world_runs(evidence) {
        let command = chained.record.command.as_str();
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    for command in commands.iter().take(MAX_COMMANDS) {
        let _ = writeln!(body, "\nRuns of {}:\n", code(command));
        table_of_runs(evidence, command, citations, body);
    }
    if let Some(more) = commands.len().checked_sub(MAX_COMMANDS + 1) {
        let _ = writeln!(body, "\n`evidence.md` has {} more commands.", more + 1);
    }
    body.push('\n');
}

fn table_of_runs(evidence: &Evidence, command: &str, citations: &mut Citations, body: &mut String) {
    let mut cells: BTreeMap<(World, u32), String> = BTreeMap::new();
    let mut columns = 1;
    for (world, chained) in world_runs(evidence) {
        let record = &chained.record;
        if record.command != command || !(1..=MAX_RUNS).contains(&record.run) {
            continue;
        }
        columns = columns.max(record.run);
        // A repeated run of the same number replaces the earlier one in the table only.
        let cell = format!("{} {}", result_of(record), citations.one(chained.index));
        cells.insert((world, record.run), cell);
    }
    body.push_str("| tree |");
    for run in 1..=columns {
        let _ = write!(body, " run {run} |");
    }
    body.push_str("\n| --- |");
    body.push_str(&" --- |".repeat(columns as usize));
    body.push('\n');
    for world in WORLDS {
        if !cells.keys().any(|(other, _)| *other == world) {
            continue;
        }
        let _ = write!(body, "| {} |", world_name(world));
        for run in 1..=columns {
            let cell = cells.get(&(world, run)).map_or("", String::as_str);
            let _ = write!(body, " {cell} |");
        }
        body.push('\n');
    }
}

/// The runs in which a test passed or failed, by tree.
#[derive(Default)]
struct TestRuns {
    in_base: bool,
    fails_without: Vec<u32>,
    passes_without: Vec<u32>,
    passes_with: Vec<u32>,
}

fn tests(evidence: &Evidence, citations: &mut Citations, body: &mut String) {
    body.push_str("## Tests\n\n");
    let mut all: BTreeMap<&str, TestRuns> = BTreeMap::new();
    for (world, chained) in world_runs(evidence) {
        let Some(results) = &chained.record.tests else {
            continue;
        };
        for (name, status) in &results.tests {
            let runs = all.entry(name).or_default();
            match (world, status) {
                (World::Base, _) => runs.in_base = true,
                (World::TestsOnly, TestStatus::Failed) => runs.fails_without.push(chained.index),
                (World::TestsOnly, TestStatus::Passed) => runs.passes_without.push(chained.index),
                (World::Both, TestStatus::Passed) => runs.passes_with.push(chained.index),
                _ => {}
            }
        }
    }
    let added: Vec<_> = all.iter().filter(|(_, runs)| !runs.in_base).collect();
    if added.is_empty() {
        body.push_str("No run reports a test by name that the base does not have.\n");
    } else {
        body.push_str("Tests that the base does not have:\n\n");
    }
    for (name, runs) in added.iter().take(MAX_ITEMS) {
        let with = citations.all(&runs.passes_with);
        let without = match (
            runs.fails_without.as_slice(),
            runs.passes_without.as_slice(),
        ) {
            ([], []) => "has no result without the fix".to_owned(),
            (fails, []) => format!("fails without the fix {}", citations.all(fails)),
            (_, passes) => format!("passes without the fix {}", citations.all(passes)),
        };
        let with = if with.is_empty() {
            "does not pass with it".to_owned()
        } else {
            format!("passes with it {with}")
        };
        let _ = writeln!(body, "- {}: {without}, {with}", code(name));
    }
    if added.len() > MAX_ITEMS {
        let _ = writeln!(body, "- and {} more", added.len() - MAX_ITEMS);
    }
    if let Some(strength) = &evidence.outcome.strength {
        let _ = writeln!(
            body,
            "\nStrength: the added tests reject {} of {} reverted edits and {} of {} mutants of the \
             patched lines. Without a result: {}. {}",
            strength.reverted_killed,
            strength.reverted,
            strength.killed,
            strength.mutants,
            strength.unknown,
            citations.all(&strength.records),
        );
    }
    let engine = evidence.outcome.engine.as_ref();
    if let Some(EngineText { tests_summary, .. }) = engine
        && !tests_summary.trim().is_empty()
    {
        let quoted = quoted(tests_summary, MAX_QUOTE);
        let _ = write!(body, "\nThe engine about the tests:\n\n{quoted}");
    }
    body.push('\n');
}

fn policies(evidence: &Evidence, citations: &mut Citations, body: &mut String) {
    body.push_str("## Policies\n\n");
    for check in evidence.outcome.policies.iter().take(MAX_ITEMS) {
        let result = if check.ok { "passes" } else { "rejects" };
        let source = match check.records.as_slice() {
            [] => code(PATCH),
            records => citations.all(records),
        };
        let name = code(&check.policy);
        let detail = sentence(&check.detail);
        let _ = writeln!(body, "- {name} {result}: {detail} ({source})");
    }
    let engine = evidence.outcome.engine.as_ref();
    let justifications = engine.map(|engine| engine.file_justifications.as_slice());
    for justification in justifications.unwrap_or_default().iter().take(MAX_ITEMS) {
        let (file, reason) = (code(&justification.file), code(&justification.reason));
        let _ = writeln!(body, "- The engine justifies {file}: {reason}");
    }
    body.push('\n');
}

fn minimal(evidence: &Evidence, citations: &mut Citations, body: &mut String) {
    let outcome = &evidence.outcome;
    body.push_str("## Minimal patch\n\n");
    if let Some(patch) = &outcome.patch {
        let _ = writeln!(body, "Files of {} (`{}`):\n", code(PATCH), patch.sha256);
        for file in patch.files.iter().take(MAX_ITEMS) {
            let kind = if file.is_test { ", test" } else { "" };
            let (path, added, removed) = (code(&file.path), file.added, file.removed);
            let _ = writeln!(body, "- {path}: {added} added, {removed} removed{kind}");
        }
        if patch.files.len() > MAX_ITEMS {
            let _ = writeln!(body, "- and {} more", patch.files.len() - MAX_ITEMS);
        }
        body.push('\n');
    }
    let Some(minimal) = &outcome.minimal else {
        body.push_str("The patch was not minimized.\n\n");
        return;
    };
    let _ = writeln!(
        body,
        "Necessary hunks: {}. Runs to find them: {} {}\n",
        minimal.hunks.len(),
        minimal.trials.len(),
        citations.all(&minimal.trials),
    );
    for hunk in minimal.hunks.iter().take(MAX_ITEMS) {
        let (path, header) = (code(&hunk.path), code_of_at_most(&hunk.header, 80));
        let links = citations.all(&hunk.fails_without);
        let _ = writeln!(body, "- {path} {header} fails without it {links}");
    }
    body.push('\n');
}

fn risk(evidence: &Evidence, body: &mut String) {
    body.push_str("## Risk and rollback\n\n");
    let engine = evidence.outcome.engine.as_ref();
    if let Some(engine) = engine.filter(|engine| !engine.risk_rollback.trim().is_empty()) {
        let quoted = quoted(&engine.risk_rollback, MAX_QUOTE);
        let _ = writeln!(body, "The engine about risk:\n\n{quoted}");
    }
    let _ = writeln!(
        body,
        "To roll back, revert the commit, or run `git apply -R {PATCH}`.\n"
    );
}

fn replay(body: &mut String) {
    body.push_str(
        "## Replay\n\nDownload the artifacts of the run into a folder `DIR`. The first command checks \
         that they are complete and unchanged. The second runs the recorded commands again.\n\n\
         ```console\n$ fixpoint prove verify DIR\n$ fixpoint prove replay DIR\n```\n\n",
    );
}

fn records(evidence: &Evidence, citations: &Citations, body: &mut String) {
    body.push_str("## Records\n\nThe commands that this text cites:\n\n");
    let cited: BTreeSet<u32> = citations.cited.iter().take(MAX_RECORDS).copied().collect();
    for index in &cited {
        let Some(chained) = evidence.record(*index) else {
            continue;
        };
        let record = &chained.record;
        let tree = record.world.map_or("no scratch tree", world_name);
        let variant = record.variant.as_deref().map(|it| code_of_at_most(it, 40));
        let variant = variant.map(|it| format!(", {it}")).unwrap_or_default();
        let command = code_of_at_most(&record.command, 80);
        let result = result_of(record);
        let run = record.run;
        let _ = writeln!(
            body,
            "- <a id=\"record-{index}\"></a>**Record {index}**: {command}, {tree}, run {run}{variant}: {result}"
        );
    }
    if citations.cited.len() > cited.len() {
        let more = citations.cited.len() - cited.len();
        let _ = writeln!(body, "- and {more} more in `evidence.md`");
    }
}
