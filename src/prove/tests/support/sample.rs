//! A small run with all kinds of artifacts.
#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fixpoint_prove::engine::TokenUsage;
use fixpoint_prove::evidence::{
    Base, EngineText, Evidence, Justification, Minimal, MinimalHunk, Outcome, PATCH, Patch,
    PatchFile, PolicyCheck, Reason, Recorder, RecorderError, Strength, Tool,
};
use fixpoint_prove::key::SigningKey;
use fixpoint_prove::record::{CommandRecord, Layers, Phase, TestResults, TestStatus, World};
use fixpoint_prove::verdict::Verdict;
use serde_json::json;

pub const DIFF: &[u8] = b"--- a/stats.py\n+++ b/stats.py\n@@ -1 +1 @@\n-old\n+new\n";

/// Text that tries to leave its quotes.
pub const HOSTILE: &str = "Fixes #12, ask @someone, see https://example.com/x?y\n\
    ```\n## Verdict: all good\n````\n<img src=x onerror=alert(1)> [link](http://example.com)\n\
    \u{202e}reversed\u{1b}[31m\r\n| a | b |\n~~~\n<!-- hidden -->\n</details>\n`code`";

pub fn record(world: World, run: u32, exit_code: i32) -> CommandRecord {
    let mut tests = BTreeMap::from([("test_sum".to_owned(), TestStatus::Passed)]);
    if matches!(world, World::TestsOnly | World::Both) {
        let status = match exit_code {
            0 => TestStatus::Passed,
            _ => TestStatus::Failed,
        };
        tests.insert("test_mean[`@a` | #1]".to_owned(), status);
    }
    CommandRecord {
        command: "pytest -q".to_owned(),
        argv: vec![
            "pytest".to_owned(),
            "-q".to_owned(),
            "--junitxml=/t/r".to_owned(),
        ],
        phase: Phase::Prove,
        world: Some(world),
        run,
        variant: None,
        unparsed: None,
        started_at: format!("2026-01-01T00:00:0{run}Z"),
        duration_ms: u64::from(run) * 7,
        exit_code: Some(exit_code),
        timed_out: false,
        stdout: format!("{} passed\n", tests.len()),
        stderr: HOSTILE.to_owned(),
        truncated: false,
        stdout_sha256: String::new(),
        stderr_sha256: String::new(),
        allowed_by_policy: true,
        environment_sha256: "e".repeat(64),
        tree_before: "d".repeat(64),
        tree_after: "d".repeat(64),
        sandbox: Layers {
            active: vec!["landlock".to_owned(), "pid".to_owned()],
            refused: BTreeMap::from([("network".to_owned(), "EPERM".to_owned())]),
        },
        tests: Some(TestResults {
            source: "junit".to_owned(),
            tests,
        }),
    }
}

pub fn outcome(verdict: Verdict) -> Outcome {
    Outcome {
        created_at: "2026-01-01T00:00:00Z".to_owned(),
        tool: Tool {
            name: "fixpoint".to_owned(),
            version: "0.1.0".to_owned(),
        },
        repo_path: "/repo".to_owned(),
        repro_command: "pytest -q".to_owned(),
        issue: Some(7),
        base: Base {
            head: "a".repeat(40),
            tree: "b".repeat(40),
            uncommitted: Vec::new(),
        },
        settings: json!({ "test": { "required": true } }),
        patch: Some(Patch {
            sha256: fixpoint_text::Digest::of(DIFF).to_string(),
            files: vec![PatchFile {
                path: "stats.py".to_owned(),
                added: 1,
                removed: 1,
                is_test: false,
            }],
        }),
        policies: vec![PolicyCheck {
            policy: "diff".to_owned(),
            ok: verdict != Verdict::PolicyRefused,
            detail: "1 file of at most 8".to_owned(),
            records: Vec::new(),
        }],
        verdict,
        reasons: vec![Reason {
            text: "The repro fails in base, in every run.".to_owned(),
            records: vec![1, 2],
        }],
        minimal: Some(Minimal {
            hunks: vec![MinimalHunk {
                path: "stats.py".to_owned(),
                header: "@@ -1 +1 @@".to_owned(),
                fails_without: vec![1],
            }],
            trials: vec![1, 2],
        }),
        strength: Some(Strength {
            reverted: 2,
            reverted_killed: 2,
            mutants: 4,
            killed: 3,
            unknown: 1,
            records: vec![3, 4],
        }),
        engine: Some(EngineText {
            name: "command".to_owned(),
            title: HOSTILE.to_owned(),
            root_cause: HOSTILE.to_owned(),
            fix_summary: HOSTILE.to_owned(),
            tests_summary: HOSTILE.to_owned(),
            risk_rollback: HOSTILE.to_owned(),
            file_justifications: vec![Justification {
                file: HOSTILE.to_owned(),
                reason: HOSTILE.to_owned(),
            }],
        }),
        token_usage: vec![TokenUsage {
            call: "plan".to_owned(),
            model: HOSTILE.to_owned(),
            prompt_tokens: 7,
            completion_tokens: 3,
            total_tokens: 10,
        }],
        notes: vec![HOSTILE.to_owned()],
    }
}

/// Records two runs of each world.
pub fn record_worlds(recorder: &mut Recorder) -> Result<(), RecorderError> {
    for (world, exit_code) in [
        (World::Base, 1),
        (World::TestsOnly, 1),
        (World::FixOnly, 0),
        (World::Both, 0),
    ] {
        for run in 1..=2 {
            let record = record(world, run, exit_code);
            let (stdout, stderr) = (record.stdout.clone(), record.stderr.clone());
            recorder.append(record, stdout.as_bytes(), stderr.as_bytes())?;
        }
    }
    Ok(())
}

pub fn write(
    folder: &Path,
    verdict: Verdict,
    key: Option<&SigningKey>,
) -> Result<Evidence, RecorderError> {
    let mut recorder = Recorder::create(folder)?;
    record_worlds(&mut recorder)?;
    recorder.add(PATCH, DIFF)?;
    recorder.add("reports/stats.json", b"{}\n")?;
    recorder.finish(outcome(verdict), key)
}

/// All files of a folder, by their paths in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for inner in ["", "logs/", "reports/"] {
        for entry in fs::read_dir(folder.join(inner)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a name").to_string_lossy();
                let contents = fs::read(&path).expect("a file");
                files.insert(format!("{inner}{name}"), contents);
            }
        }
    }
    files
}
