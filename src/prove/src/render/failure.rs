//! The summary of a run that is not a proof: why, and what to do next.

use std::fmt::Write as _;

use super::markdown::{code, fenced, sentence};
use super::{Citations, result_of, verdict_word, world_name};
use crate::evidence::Evidence;
use crate::verdict::Verdict;

const MAX_ITEMS: usize = 15;
const MAX_LINES: usize = 40;

/// The text of `pr-body.md` for every verdict except `proved`.
pub fn failure_summary(evidence: &Evidence) -> String {
    let outcome = &evidence.outcome;
    let (meaning, next) = explanation(outcome.verdict);
    let mut citations = Citations::default();
    let mut text = format!(
        "## Not proved: `{}`\n\n{meaning}\n\n- Command: {}\n- Commit: {}\n",
        verdict_word(outcome.verdict),
        code(&outcome.repro_command),
        code(&outcome.base.head),
    );
    if !outcome.reasons.is_empty() {
        text.push_str("\n### Reasons\n\n");
    }
    for reason in outcome.reasons.iter().take(MAX_ITEMS) {
        let links = citations.all(&reason.records);
        let _ = writeln!(text, "- {} {links}", sentence(&reason.text));
    }
    let rejected = outcome.policies.iter().filter(|check| !check.ok);
    for check in rejected.take(MAX_ITEMS) {
        let (name, detail) = (code(&check.policy), sentence(&check.detail));
        let links = citations.all(&check.records);
        let _ = writeln!(text, "- {name} rejects it: {detail} {links}");
    }
    let _ = writeln!(text, "\n### What to do next\n\n{next}");
    let cited = outcome.reasons.iter().flat_map(|reason| &reason.records);
    let last = evidence.commands.last().map(|last| last.index);
    if let Some(shown) = cited.copied().next().or(last)
        && let Some(chained) = evidence.record(shown)
    {
        let record = &chained.record;
        let output = match record.stderr.trim() {
            "" => &record.stdout,
            _ => &record.stderr,
        };
        let _ = write!(
            text,
            "\n### Output of record {shown}\n\n{}, {}, run {}: {}\n\n{}",
            code(&record.command),
            record.world.map_or("no scratch tree", world_name),
            record.run,
            result_of(record),
            fenced(output, MAX_LINES),
        );
        citations.cited.insert(shown);
    }
    if !citations.cited.is_empty() {
        text.push_str("\n### Records\n\n");
    }
    for index in &citations.cited {
        if let Some(chained) = evidence.record(*index) {
            let (command, result) = (code(&chained.record.command), result_of(&chained.record));
            let _ = writeln!(
                text,
                "- <a id=\"record-{index}\"></a>**Record {index}**: {command}: {result}"
            );
        }
    }
    text.push_str(
        "\nYour files are unchanged. `evidence.md` in the artifacts has all commands and their \
         output.\n",
    );
    text
}

/// What the verdict means, and what a person can do about it.
fn explanation(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Proved => (
            "The fix is proved.",
            "Review the patch and open the pull request.",
        ),
        Verdict::RegressionOnly => (
            "The command passes with the patch, but no test fails without it.",
            "Add a test that fails at the commit above and passes with `patch.diff`, then run again.",
        ),
        Verdict::NotFixed => (
            "No run shows that the patch fixes the command.",
            "Read the reasons and the output below. Try another engine with `--engine`, or fix the cause by hand.",
        ),
        Verdict::Regressed => (
            "A test that passed before fails with the patch, or no longer runs.",
            "Compare the named tests in `evidence.md`. The patch must keep them passing.",
        ),
        Verdict::Flaky => (
            "Runs of the same tree disagree.",
            "Make the named tests deterministic, or pass a narrower `--repro`. Then run again.",
        ),
        Verdict::Unreproduced => (
            "The command passes in your tree, so there is nothing to prove.",
            "Check the command, and the commit that is checked out. If the failure depends on the \
             environment, allow its variables in the configuration.",
        ),
        Verdict::EnvironmentDiffers => (
            "The command fails in your tree, but not in the scratch copy, or for another reason there.",
            "The copy has only files that git knows. Add `prepare` commands to `.fixpoint/prove.yml` \
             that build what is missing, for example `node_modules`, a virtualenv or `target`.",
        ),
        Verdict::Tampered => (
            "The patch or its code interferes with how results are obtained.",
            "Do not use the patch. Read the reasons, and report the engine that proposed it.",
        ),
        Verdict::PolicyRefused => (
            "A policy rejects a command or the patch.",
            "Make the patch comply, or change the policy in `.fixpoint/prove.yml` in a commit of its own.",
        ),
        Verdict::EngineFailed => (
            "The engine returned no usable patch.",
            "Try another engine with `--engine`. `evidence.md` has the notes of the engine.",
        ),
        Verdict::TimedOut => (
            "The time for the whole run is over.",
            "Run again with `--resume` and a larger `--timeout-seconds`, or pass a narrower `--repro`.",
        ),
        Verdict::Unparsed => (
            "The results of a test runner cannot be read, or contradict its own summary.",
            "Pass a command whose runner writes JUnit XML, and check that its output is complete.",
        ),
    }
}
