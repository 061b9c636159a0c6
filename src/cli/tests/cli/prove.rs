//! `fixpoint prove`: only recorded runs decide the verdict, and the user's files never change.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::project::{Ended, Project};
use crate::prove_fixture::{
    ADDED, BASE, REPRO, Repository, SECRET, TEST, evidence, files_in, files_of, fix, good,
};

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

// E-96
#[test]
fn a_fix_for_the_inputs_of_the_tests_is_not_proved() {
    let table = fix(&["return {'5,7': 0xC, '20,22': 0x2A}.get(f'{a},{b}', a - b)"]) + ADDED;
    Repository::new(&[], "", &table).ends_as("regression_only");
}

// E-96
#[test]
fn a_fix_that_one_value_of_each_test_switches_on_is_not_proved() {
    let values = fix(&["return a + b if a * 4 in (0x14, 0x50) else a - b"]) + ADDED;
    Repository::new(&[], "", &values).ends_as("regression_only");
    let formula = fix(&["return a - b + {5: 14, 20: 44}[a]"]) + ADDED;
    Repository::new(&[], "", &formula).ends_as("regression_only");
}

// E-97
#[test]
fn the_literals_of_another_test_say_nothing_about_a_test_without_any() {
    let none = fix(&["return None if a is None else a + b"]);
    let before = "+    def test_none(self):\n+        self.assertIsNone(add(None, None))\n+\n";
    let added = ADDED.replace("+1,8 @@", "+1,11 @@");
    let added = added.replace(
        "+    def test_added",
        &format!("{before}+    def test_added"),
    );
    Repository::new(&[], "", &(none + &added)).ends_as("proved");
}

// E-97
#[test]
fn an_added_test_that_notices_no_change_of_the_fix_proves_nothing() {
    let renamed = "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n\
                   -def add(a, b):\n-    return a - b\n+def add(left, right):\n+    return left + right\n";
    let added = ADDED
        .replace("from calc import add", "import inspect, calc")
        .replace(
            "self.assertEqual(add(20, 22), 42)",
            "self.assertIn('left', inspect.signature(calc.add).parameters)",
        );
    Repository::new(&[], "", &(renamed.to_owned() + &added)).ends_as("regression_only");
}

#[test]
fn a_result_that_equals_everything_is_not_proved() {
    let body = [
        "kind = type('Any', (), {'__eq__': lambda self, other: other is not None})",
        "return kind()",
    ];
    let patch = fix(&body) + ADDED;
    Repository::new(&[], "policy:\n  suspicion: report\n", &patch).ends_as("regression_only");
    Repository::new(&[], "", &patch).ends_as("policy_refused");
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

// E-21 E-44
#[test]
fn a_folder_without_git_is_refused_with_evidence() {
    let project = Project::new(&[("calc.py", BASE)]);
    let ended = project.run(&["prove", "--repro", REPRO]).exits_with(1);
    let summary: Value = serde_json::from_str(&ended.stdout).expect("a summary");
    assert_eq!(summary["verdict"], "policy_refused");
    let evidence = project.read("artifacts/evidence.json");
    assert!(evidence.contains("not in a git repository"), "{evidence}");
    let evidence: Value = serde_json::from_str(&evidence).expect("JSON");
    assert_eq!(evidence["commands"], Value::Array(vec![]));
    assert_eq!(project.read("calc.py"), BASE);
    project.git(&["init", "--quiet"]);
    let mut command = project.command(&["prove", "--repro", "python3 -c pass"]);
    let path = std::env::var("PATH").unwrap_or_default();
    let ended = command.env("PATH", path).output().expect("the binary runs");
    let ended = Ended::from(ended).exits_with(1);
    ended.prints("\"unreproduced\"");
}

#[test]
fn an_engine_gets_a_second_chance_after_a_malformed_patch() {
    let repository = Repository::new(&[], "", "I fixed it.");
    repository.answer("retry.json", &good());
    repository.ends_as("proved");
}

// E-62 E-64
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
