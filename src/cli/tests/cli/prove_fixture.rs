//! A repository with a failing test and an engine with a recorded answer, for tests of `fixpoint prove`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::project::{Ended, Project};

pub const BASE: &str = "def add(a, b):\n    return a - b\n";
pub const TEST: &str = "import unittest\n\nfrom calc import add\n\n\nclass First(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(add(5, 7), 12)\n";
pub const REPRO: &str = "python3 -m unittest";
pub const ADDED: &str = "diff --git a/tests/test_added.py b/tests/test_added.py
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
pub const SECRET: &str = "hunter2-hunter2-hunter2";

/// A patch that replaces the body of `add`.
pub fn fix(body: &[&str]) -> String {
    let lines: String = body.iter().map(|line| format!("+    {line}\n")).collect();
    let count = body.len() + 1;
    format!(
        "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,{count} @@\n def add(a, b):\n-    return a - b\n{lines}"
    )
}

pub fn good() -> String {
    fix(&["return a + b"]) + ADDED
}

/// A repository with a failing test, an engine, and a folder for artifacts.
pub struct Repository {
    pub project: Project,
    pub beside: TempDir,
    pub before: BTreeMap<PathBuf, Vec<u8>>,
}

impl Repository {
    pub fn new(files: &[(&str, &str)], settings: &str, patch: &str) -> Self {
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

    pub fn answer(&self, name: &str, patch: &str) {
        let answer = json!({
            "patch_diff": patch, "root_cause": "r", "fix_summary": "f", "tests_summary": "t",
            "risk_rollback": "b", "file_justifications": [],
        });
        fs::write(self.beside.path().join(name), answer.to_string()).expect("written");
    }

    /// Replaces the program of the engine.
    pub fn engine(&self, text: &str) {
        fs::write(self.beside.path().join("engine.py"), text).expect("written");
    }

    pub fn artifacts(&self, name: &str) -> PathBuf {
        self.beside.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.project.command(&["prove"]);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .args(arguments)
            .env("PATH", format!("/usr/bin:{path}"))
            .env("HOME", self.beside.path())
            .env("GITHUB_TOKEN", SECRET);
        command
    }

    pub fn prove(&self, repro: &str, options: &[&str]) -> (Value, Ended) {
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
    pub fn ends_as(&self, verdict: &str) -> Value {
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

/// The whole evidence of the run that [`Repository::prove`] made.
pub fn evidence_of(repository: &Repository) -> Value {
    let path = repository.artifacts("artifacts").join("evidence.json");
    let text = fs::read_to_string(path).expect("evidence");
    serde_json::from_str(&text).expect("JSON")
}

/// The files of the project, except those of git.
pub fn files_of(project: &Project) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut tree = project.tree();
    tree.retain(|path, _| !path.starts_with(project.path(".git")));
    tree
}

pub fn files_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
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
pub fn evidence(folder: &Path) -> Value {
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
