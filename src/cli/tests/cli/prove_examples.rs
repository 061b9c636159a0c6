//! The examples of `fixpoint prove`: each is proved, verified and replayed, and no source file changes.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::house::repository;

const FIXPOINT: &str = env!("CARGO_BIN_EXE_fixpoint");

struct Ended {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Ended {
    let output = command.output().expect("the command starts");
    Ended {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Proves, verifies and replays an example. The script fails if a source file changes.
fn assert_proved(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("kept");
    let mut script = Command::new(repository().join("examples/prove/try"));
    let ended = run(script.arg(name).arg(&place).env("FIXPOINT", FIXPOINT));
    let shown = format!("{name}: {}\n{}", ended.stdout, ended.stderr);
    assert_eq!(ended.status, Some(0), "{shown}");
    assert!(ended.stdout.contains("\"holds\": true"), "{shown}");
    assert_in_order(&ended.stderr);
    let artifacts = place.join("artifacts");
    let evidence = read_json(&artifacts.join("evidence.json"));
    assert_eq!(evidence["verdict"], "proved", "{shown}");
    assert_eq!(evidence["commands"][0]["phase"], "reproduce", "{shown}");
    assert_ne!(evidence["commands"][0]["exitCode"], 0, "{shown}");
    // Before and after: the command fails in every run of the base, and passes with the patch.
    let commands = evidence["commands"].as_array().expect("a list");
    // A patch without tests has one tree for both.
    for (worlds, passes) in [(&["base"][..], false), (&["fix_only", "both"], true)] {
        let plain = commands.iter().filter(|record| {
            let is_in = worlds.iter().any(|world| record["world"] == *world);
            is_in && record["variant"].is_null()
        });
        let exits: Vec<bool> = plain.map(|it| it["exitCode"] == 0).collect();
        assert!(
            exits.len() >= 3 && exits.iter().all(|exit| *exit == passes),
            "{worlds:?}: {shown}"
        );
    }
    for reason in evidence["reasons"].as_array().expect("a list") {
        let is_policy = reason["text"]
            .as_str()
            .expect("a text")
            .contains("safe fixes");
        let cites = !reason["records"].as_array().expect("a list").is_empty();
        assert!(cites || is_policy, "{reason}");
    }
    for file in ["evidence.md", "patch.diff", "pr-body.md", "pr-title.txt"] {
        assert!(artifacts.join(file).is_file(), "{shown}");
    }
    // The patch applies to the base.
    let repository = place.join("repository");
    let mut git = Command::new("git");
    let check = git
        .args(["apply", "--check"])
        .arg(artifacts.join("patch.diff"));
    assert_eq!(run(check.current_dir(repository)).status, Some(0));
}

/// The steps that are reported come in the order of the protocol.
fn assert_in_order(stderr: &str) {
    let proving = stderr.split("verdict:").next().unwrap_or_default();
    let steps = ["reproduce: ", "localize: find", "fix: ", "prove: "];
    let places = steps.map(|step| {
        proving
            .find(step)
            .unwrap_or_else(|| panic!("{step}: {stderr}"))
    });
    assert!(places.is_sorted(), "{stderr}");
}

fn read_json(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

// B-54 E-06 E-35 E-87 X-27 X-39 X-40
#[test]
fn our_own_fixes_are_proved_without_an_engine_and_replay() {
    for name in ["build", "clank", "yaml"] {
        assert_proved(name);
    }
}

// E-01 E-04 E-06 E-17 E-23 E-26 E-34 E-35 E-87 E-93 E-93d X-24 X-39
#[test]
fn a_recorded_patch_is_proved_and_replays() {
    assert_proved("python");
}

/// A git repository with a failing test.
fn failing_repository(root: &Path) {
    let files = repository().join("examples/prove/python/files");
    for file in ["stats.py", "test_stats.py"] {
        std::fs::copy(files.join(file), root.join(file)).expect("a copy");
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-qm",
            "a",
        ],
    ] {
        let mut git = Command::new("git");
        assert_eq!(run(git.args(arguments).current_dir(root)).status, Some(0));
    }
}

/// Runs `prove` with artifacts outside of the repository, and returns its summary.
fn prove(root: &Path, artifacts: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(FIXPOINT);
    command.arg("prove").args(arguments).current_dir(root);
    let ended = run(command.arg("--artifacts").arg(artifacts));
    let summary = serde_json::from_str(&ended.stdout);
    let summary = summary.unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    let mut git = Command::new("git");
    let changed = run(git.args(["status", "--porcelain"]).current_dir(root));
    assert_eq!(changed.stdout, "");
    (ended.status, summary)
}

// E-20 E-22 E-63 E-93c E-93d E-93e E-93g E-95 X-22 X-24 D-12
#[test]
fn runs_that_prove_nothing_leave_evidence_and_no_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, artifacts) = (folder.path().join("r"), folder.path().join("artifacts"));
    std::fs::create_dir(&root).expect("a folder");
    failing_repository(&root);
    for (repro, verdict, records) in [
        // The command policy refuses these before anything runs.
        ("touch made", "policy_refused", Some(0)),
        ("python3 -m unittest; touch made", "policy_refused", Some(0)),
        // A command that passes has no failure to fix.
        ("python3 -c pass", "unreproduced", Some(3)),
        ("python3 -m unittest", "engine_failed", None),
    ] {
        let (status, summary) = prove(&root, &artifacts, &["--repro", repro]);
        assert_eq!(summary["verdict"], verdict, "{summary}");
        assert_eq!((status, &summary["success"]), (Some(1), &false.into()));
        assert_eq!(summary["patchPath"], Value::Null);
        let evidence = read_json(&artifacts.join("evidence.json"));
        let count = evidence["commands"].as_array().map(Vec::len);
        assert!(records.is_none() || count == records, "{evidence}");
        assert!(artifacts.join("pr-body.md").is_file());
        assert!(!artifacts.join("pr-title.txt").exists());
    }
}

// E-17 E-93 E-93c E-103
#[test]
fn a_dry_run_writes_the_patch_and_runs_no_proof() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, artifacts) = (folder.path().join("r"), folder.path().join("artifacts"));
    std::fs::create_dir(&root).expect("a folder");
    failing_repository(&root);
    let example = repository().join("examples/prove");
    let settings = folder.path().join("settings.yml");
    let (engine, answer) = (
        example.join("recorded.py"),
        example.join("python/answer.json"),
    );
    let text = format!(
        "engine: command\ncommand:\n  argv: [python3, {:?}, {:?}]\n",
        engine, answer
    );
    std::fs::write(&settings, text).expect("settings");
    let settings = settings.to_str().expect("UTF-8");
    let arguments = [
        "--repro",
        "python3 -m unittest",
        "--config",
        settings,
        "--dry-run",
    ];
    let (status, summary) = prove(&root, &artifacts, &arguments);
    assert_eq!(status, Some(1), "{summary}");
    assert_eq!(summary["verdict"], "not_fixed", "{summary}");
    let note = "a dry run: the patch was not tried; run without --dry-run to prove it";
    assert_eq!(summary["notes"], serde_json::json!([note]), "{summary}");
    let body = std::fs::read_to_string(artifacts.join("pr-body.md")).expect("a page");
    assert!(
        body.contains("a dry run") && !body.contains("still fails"),
        "{body}"
    );
    assert!(artifacts.join("patch.diff").is_file(), "{summary}");
    let evidence = read_json(&artifacts.join("evidence.json"));
    let commands = evidence["commands"].as_array().expect("a list");
    assert!(
        commands.iter().all(|it| it["phase"] != "prove"),
        "{evidence}"
    );
}

// E-101
#[test]
fn the_time_for_the_whole_run_is_limited() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, artifacts) = (folder.path().join("r"), folder.path().join("artifacts"));
    std::fs::create_dir(&root).expect("a folder");
    failing_repository(&root);
    let arguments = [
        "--repro",
        "python3 -c 'import time; time.sleep(60)'",
        "--timeout-seconds=2",
    ];
    let (status, summary) = prove(&root, &artifacts, &arguments);
    assert_eq!(
        (status, &summary["verdict"]),
        (Some(1), &"timed_out".into()),
        "{summary}"
    );
    let note = "the time for the whole run is over; raise --timeout-seconds";
    assert_eq!(summary["notes"], serde_json::json!([note]), "{summary}");
}
