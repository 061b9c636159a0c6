//! `evidence.md`: all records by phase.

use std::fmt::Write as _;

use super::markdown::{code, fenced, sentence};
use super::{Citations, result_of, verdict_word, world_name};
use crate::evidence::{ChainedRecord, Evidence};
use crate::record::{Phase, TestResults, TestStatus};

const MAX_LINES: usize = 40;
const MAX_TESTS: usize = 20;

const PHASES: [(Phase, &str); 5] = [
    (Phase::Reproduce, "Reproduce"),
    (Phase::Localize, "Localize"),
    (Phase::Fix, "Fix"),
    (Phase::Prevent, "Prevent"),
    (Phase::Prove, "Prove"),
];

/// The text of `evidence.md`.
pub fn evidence_page(evidence: &Evidence) -> String {
    let outcome = &evidence.outcome;
    let mut citations = Citations::default();
    let mut page = format!(
        "# Evidence\n\n- Verdict: `{}`\n- Command: {}\n- Repository: {}\n- Commit: {}\n- Tree: {}\n\
         - Tool: {}\n- Records: {}\n",
        verdict_word(outcome.verdict),
        code(&outcome.repro_command),
        code(&outcome.repo_path),
        code(&outcome.base.head),
        code(&outcome.base.tree),
        code(&format!("{} {}", outcome.tool.name, outcome.tool.version)),
        evidence.commands.len(),
    );
    if let Some(patch) = &outcome.patch {
        let _ = writeln!(page, "- Patch: `{}`", patch.sha256);
    }
    if !outcome.reasons.is_empty() {
        page.push_str("\n## Reasons\n\n");
    }
    for reason in &outcome.reasons {
        let links = citations.all(&reason.records);
        let _ = writeln!(page, "- {} {links}", sentence(&reason.text));
    }
    if !outcome.notes.is_empty() {
        page.push_str("\n## Notes\n\n");
    }
    for note in &outcome.notes {
        let _ = writeln!(page, "- {}", sentence(note));
    }
    if !outcome.token_usage.is_empty() {
        page.push_str("\n## Tokens\n\n");
    }
    for usage in &outcome.token_usage {
        let _ = writeln!(
            page,
            "- {} with {}: {} in, {} out, {} in total",
            code(&usage.call),
            code(&usage.model),
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.total_tokens,
        );
    }
    for (phase, name) in PHASES {
        let mut records = evidence
            .commands
            .iter()
            .filter(|chained| chained.record.phase == phase)
            .peekable();
        if records.peek().is_some() {
            let _ = writeln!(page, "\n## {name}");
        }
        for chained in records {
            write_record(chained, &mut page);
        }
    }
    page
}

fn write_record(chained: &ChainedRecord, page: &mut String) {
    let record = &chained.record;
    let _ = write!(
        page,
        "\n### <a id=\"record-{index}\"></a>Record {index}: {result}\n\n- Command: {command}\n",
        index = chained.index,
        result = result_of(record),
        command = code(&record.command),
    );
    let argv: Vec<_> = record.argv.iter().map(|argument| code(argument)).collect();
    let _ = writeln!(page, "- Arguments: {}", argv.join(" "));
    let world = record.world.map_or("none", world_name);
    let _ = write!(page, "- Tree: {world}, run {}", record.run);
    if let Some(variant) = &record.variant {
        let _ = write!(page, ", {}", code(variant));
    }
    page.push('\n');
    if record.tree_before != record.tree_after {
        page.push_str("- The command changed its tree.\n");
    }
    if !record.allowed_by_policy {
        page.push_str("- A policy rejects this command.\n");
    }
    let layers: Vec<_> = record.sandbox.active.iter().map(|it| code(it)).collect();
    let layers = match layers.as_slice() {
        [] => "none".to_owned(),
        layers => layers.join(", "),
    };
    let _ = writeln!(page, "- Sandbox: {layers}");
    for (layer, reason) in &record.sandbox.refused {
        let (layer, reason) = (code(layer), sentence(reason));
        let _ = writeln!(page, "- The kernel refused {layer}: {reason}");
    }
    if let Some(results) = &record.tests {
        write_tests(results, page);
    }
    for (name, text, digest) in [
        ("stdout", &record.stdout, &record.stdout_sha256),
        ("stderr", &record.stderr, &record.stderr_sha256),
    ] {
        if text.trim().is_empty() {
            continue;
        }
        let whole = if record.truncated { ", in parts" } else { "" };
        let block = fenced(text, MAX_LINES);
        let _ = write!(
            page,
            "\n{name}{whole} ([whole](logs/{digest}.txt)):\n\n{block}"
        );
    }
}

fn write_tests(results: &TestResults, page: &mut String) {
    let count = |wanted| {
        let statuses = results.tests.values();
        statuses.filter(|status| **status == wanted).count()
    };
    let _ = writeln!(
        page,
        "- Tests ({}): {} passed, {} failed, {} skipped",
        code(&results.source),
        count(TestStatus::Passed),
        count(TestStatus::Failed),
        count(TestStatus::Skipped),
    );
    let failed = results.tests.iter();
    let failed = failed.filter(|(_, status)| **status == TestStatus::Failed);
    for (name, _) in failed.clone().take(MAX_TESTS) {
        let _ = writeln!(page, "  - failed: {}", code(name));
    }
    if let Some(more) = failed.count().checked_sub(MAX_TESTS + 1) {
        let _ = writeln!(page, "  - and {} more", more + 1);
    }
}
