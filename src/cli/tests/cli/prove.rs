//! `fixpoint prove`: only recorded runs decide the verdict, and the user's files never change.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::project::{Ended, Project};

const BASE: &str = "def add(a, b):\n    return a - b\n";
const TEST: &str = "import unittest\n\nfrom calc import add\n\n\nclass First(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(add(5, 7), 12)\n";
const REPRO: &str = "python3 -m unittest";
const ADDED: &str = "diff --git a/tests/test_added.py b/tests/test_added.py
new file mode 100644
--- /dev/null
+++ b/tests/test_added.py
@@ -0,0 +1,8 @@
+import unittest
+
+from calc import add
+
+
+class Added(unittest.TestCase):
+    def test_added(self):
+        self.assertEqual(add(20, 22), 42)
";
/// The first answer comes from `answer.json`, and the one after a rejected patch from `retry.json`.
const ENGINE: &str = "import json, pathlib, sys
asked = json.load(sys.stdin)
here = pathlib.Path(__file__).parent
name = 'retry.json' if asked.get('feedback') else 'answer.json'
answers = {'plan': {'hypothesis': 'h', 'focus_files': []}, 'verify': {'summary': 's'},
           'summarize_pr': {'title': 't', 'body': 'b'}}
call = asked['call']
print(json.dumps(answers.get(call) or json.loads((here / name).read_text())))
";
const SECRET: &str = "hunter2-hunter2-hunter2";

/// A patch that replaces the body of `add`.
fn fix(body: &[&str]) -> String {
    let lines: String = body.iter().map(|line| format!("+    {line}\n")).collect();
    let count = body.len() + 1;
    format!(
        "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,{count} @@\n def add(a, b):\n-    return a - b\n{lines}"
    )
}

fn good() -> String {
    fix(&["return a + b"]) + ADDED
}

/// A repository with a failing test, an engine, and a folder for artifacts.
struct Repository {
    project: Project,
    beside: TempDir,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

impl Repository {
    fn new(files: &[(&str, &str)], settings: &str, patch: &str) -> Self {
        let project = Project::new(&[
            ("calc.py", BASE),
            ("tests/__init__.py", ""),
            ("tests/test_first.py", TEST),
        ]);
        for (path, text) in files {
            project.write(path, text);
        }
        let beside = tempfile::tempdir().expect("a folder");
        let engine = beside.path().join("engine.py");
        fs::write(&engine, ENGINE).expect("written");
        let argv = format!("[python3, {}]", engine.display());
        project.write(
            ".fixpoint/prove.yml",
            format!("engine: command\ncommand:\n  argv: {argv}\n{settings}"),
        );
        project.git(&["init", "--quiet"]);
        project.git(&["add", "--all"]);
        project.git(&["commit", "--quiet", "--message=base"]);
        let before = files_of(&project);
        let repository = Self {
            project,
            beside,
            before,
        };
        repository.answer("answer.json", patch);
        repository
    }

    fn answer(&self, name: &str, patch: &str) {
        let answer = json!({
            "patch_diff": patch, "root_cause": "r", "fix_summary": "f", "tests_summary": "t",
            "risk_rollback": "b", "file_justifications": [],
        });
        fs::write(self.beside.path().join(name), answer.to_string()).expect("written");
    }

    fn artifacts(&self, name: &str) -> PathBuf {
        self.beside.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.project.command(&["prove"]);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(arguments)
            .env("PATH", format!("/usr/bin:{path}"))
            .env("HOME", self.beside.path())
            .env("GITHUB_TOKEN", SECRET);
        command
    }

    fn prove(&self, repro: &str, options: &[&str]) -> (Value, Ended) {
        let artifacts = self.artifacts("artifacts");
        let artifacts = artifacts.to_string_lossy();
        let mut command = self.command(&["--repro", repro, "--artifacts", &artifacts]);
        let ended = Ended::from(command.args(options).output().expect("the binary runs"));
        assert_eq!(
            files_of(&self.project),
            self.before,
            "the user's files changed"
        );
        let summary = serde_json::from_str(&ended.stdout).unwrap_or_default();
        (summary, ended)
    }

    #[track_caller]
    fn ends_as(&self, verdict: &str) -> Value {
        let (summary, ended) = self.prove(REPRO, &[]);
        assert_eq!(
            summary["verdict"], verdict,
            "{}\n{}",
            ended.stdout, ended.stderr
        );
        assert_eq!(summary["success"], verdict == "proved");
        assert_eq!(ended.status, Some(i32::from(verdict != "proved")));
        summary
    }
}

/// The files of the project, except those of git.
fn files_of(project: &Project) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut tree = project.tree();
    tree.retain(|path, _| !path.starts_with(project.path(".git")));
    tree
}

fn files_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).expect("readable");
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// The evidence without times, and without digests of files that contain times.
fn evidence(folder: &Path) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for key in [
                    "createdAt",
                    "startedAt",
                    "durationMs",
                    "sha256",
                    "previous",
                    "notes",
                ] {
                    members.remove(key);
                }
                members.retain(|key, _| {
                    !matches!(key.as_str(), "stderr" | "stdout" | "artifacts" | "hash")
                        && !key.ends_with("Sha256")
                });
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let text = fs::read_to_string(folder.join("evidence.json")).expect("evidence");
    let mut value = serde_json::from_str(&text).expect("JSON");
    strip(&mut value);
    value
}

#[test]
fn an_honest_fix_is_proved_verified_and_replayed() {
    let test = TEST.replace(
        "        self",
        &format!("        print('the token is {SECRET}')\n        self"),
    );
    let repository = Repository::new(&[("tests/test_first.py", &test)], "", &good());
    repository.ends_as("proved");
    let artifacts = repository.artifacts("artifacts");
    let folder = artifacts.to_string_lossy().into_owned();
    for (path, bytes) in files_in(&artifacts) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET), "{}", path.display());
    }
    for action in ["verify", "replay"] {
        let ended = Ended::from(
            repository
                .command(&[action, &folder])
                .output()
                .expect("runs"),
        );
        ended.exits_with(0);
    }
    let evidence = artifacts.join("evidence.json");
    let text = fs::read_to_string(&evidence).expect("evidence");
    fs::write(
        &evidence,
        text.replacen("\"exitCode\": 1", "\"exitCode\": 0", 1),
    )
    .expect("written");
    let tampered = repository
        .command(&["verify", &folder])
        .output()
        .expect("runs");
    assert_ne!(tampered.status.code(), Some(0));
}

#[test]
fn a_patch_that_fixes_nothing_is_not_proved() {
    let repository = Repository::new(&[], "", &(fix(&["return b - a"]) + ADDED));
    repository.ends_as("not_fixed");
}

#[test]
fn an_existing_test_may_not_be_edited() {
    let patch = "diff --git a/tests/test_first.py b/tests/test_first.py\n--- a/tests/test_first.py\n+++ b/tests/test_first.py\n@@ -8,1 +8,1 @@\n-        self.assertEqual(add(5, 7), 12)\n+        self.assertEqual(add(5, 7), -2)\n";
    Repository::new(&[], "", patch).ends_as("policy_refused");
}

#[test]
fn an_exit_with_success_is_refused() {
    let patch = fix(&["raise SystemExit(0)"]) + ADDED;
    Repository::new(&[], "", &patch).ends_as("policy_refused");
}

#[test]
fn answers_for_the_inputs_of_the_tests_are_refused() {
    let body = [
        "known = [((5, 7), 12), ((20, 22), 42)]",
        "return dict(known)[a, b]",
    ];
    Repository::new(&[], "", &(fix(&body) + ADDED)).ends_as("policy_refused");
}

#[test]
fn a_result_that_equals_everything_is_not_proved() {
    let body = [
        "kind = type('Any', (), {'__eq__': lambda self, other: other is not None})",
        "return kind()",
    ];
    Repository::new(&[], "", &(fix(&body) + ADDED)).ends_as("regression_only");
}

#[test]
fn a_flaky_test_is_not_proved() {
    let test = TEST.replace(
        "        self",
        "        import random\n        self.assertGreater(random.random(), 0.9)\n        self",
    );
    let repository = Repository::new(&[("tests/test_first.py", &test)], "", &good());
    let (summary, ended) = repository.prove(REPRO, &[]);
    assert_ne!(summary["verdict"], "proved", "{}", ended.stderr);
}

#[test]
fn a_command_that_passes_is_not_reproduced() {
    let base = BASE.replace('-', "+");
    Repository::new(&[("calc.py", &base)], "", &good()).ends_as("unreproduced");
}

#[test]
fn a_command_that_is_not_allowed_is_never_run() {
    let repository = Repository::new(&[], "", &good());
    let marker = repository.beside.path().join("spawned");
    let (summary, _) = repository.prove(&format!("touch {}", marker.display()), &[]);
    assert_eq!(summary["verdict"], "policy_refused");
    assert!(!marker.exists());
    let (summary, _) = repository.prove("python3 -m unittest; touch x", &[]);
    assert_eq!(summary["verdict"], "policy_refused");
}

#[test]
fn a_folder_without_git_is_refused_with_evidence() {
    let project = Project::new(&[("calc.py", BASE)]);
    let ended = project.run(&["prove", "--repro", REPRO]).exits_with(1);
    let summary: Value = serde_json::from_str(&ended.stdout).expect("a summary");
    assert_eq!(summary["verdict"], "policy_refused");
    let evidence = project.read("artifacts/evidence.json");
    assert!(evidence.contains("not in a git repository"), "{evidence}");
    assert_eq!(project.read("calc.py"), BASE);
}

#[test]
fn an_engine_gets_a_second_chance_after_a_malformed_patch() {
    let repository = Repository::new(&[], "", "I fixed it.");
    repository.answer("retry.json", &good());
    repository.ends_as("proved");
}

#[test]
fn a_patch_above_the_limits_is_refused() {
    let settings = "diff:\n  max_files: 1\n  max_loc: 300\n";
    Repository::new(&[], settings, &good()).ends_as("policy_refused");
}

#[test]
fn a_dry_run_writes_the_patch_and_proves_nothing() {
    let repository = Repository::new(&[], "", &good());
    let (summary, ended) = repository.prove(REPRO, &["--dry-run"]);
    assert_eq!(summary["success"], false);
    assert_eq!(ended.status, Some(1));
    let patch = repository.artifacts("artifacts").join("patch.diff");
    assert!(
        fs::read_to_string(patch)
            .expect("a patch")
            .contains("+    return a + b")
    );
}

#[test]
fn a_resumed_run_ends_like_one_that_was_not_killed() {
    let repository = Repository::new(&[], "", &good());
    repository.ends_as("proved");
    let whole = evidence(&repository.artifacts("artifacts"));
    let killed = repository.artifacts("killed");
    let options = ["--repro", REPRO, "--artifacts", &killed.to_string_lossy()];
    let mut child = repository
        .command(&options)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let reached = lines
        .map_while(Result::ok)
        .any(|line| line.contains("four trees"));
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(reached);
    let mut resumed = repository.command(&options);
    Ended::from(resumed.arg("--resume").output().expect("runs")).exits_with(0);
    assert_eq!(evidence(&killed), whole);
    assert_eq!(files_of(&repository.project), repository.before);
}
