//! Tests learned rules in Bazel: as inputs of analyses, in strict mode and `//:fix`, and as candidates and packs that
//! `--learn` adds to the workspace.

use std::fs;
use std::process::Command;

use fixpoint_e2e::{Outcome, Workspace, binary, run};

const RULE: &str = ".fixpoint/rules/python/new.json";

fn rule(template: &str, pinned: bool) -> String {
    format!(
        "{{\"language\": \"python\", \"pattern\": \"old($X)\", \"template\": \"{template}({{{{ X }}}})\", \
         \"message\": \"Use {template}\", \"pinned\": {pinned}}}"
    )
}

/// A workspace with Python that a rule matches, and YAML that no rule is for.
fn with_rule(pinned: bool) -> Workspace {
    let workspace = Workspace::new();
    workspace.write(RULE, rule("new", pinned));
    workspace.write("a.py", "x = old(1)\n");
    workspace.write("a.yaml", "a: 1\n");
    let build = workspace.read("BUILD.bazel");
    let files = "filegroup(\n    name = \"files\",\n    srcs = [\n        \"a.py\",\n        \"a.yaml\",\n    ],\n)\n";
    workspace.write("BUILD.bazel", format!("{build}\n{files}"));
    workspace
}

fn fixpoint(workspace: &Workspace, arguments: &[&str]) -> Outcome {
    let mut command = Command::new(binary());
    run(command.args(arguments).current_dir(workspace.root()))
}

#[test]
fn strict_mode_demands_pinned_rules_and_fix_applies_them() {
    let workspace = with_rule(false);
    let strict = ["build", "--config=strict", "//:files"];
    workspace.bazel(strict).succeeds();
    workspace.bazel(["run", "//:fix"]).succeeds();
    assert_eq!(workspace.read("a.py"), "x = old(1)\n");

    workspace.write(RULE, rule("new", true));
    workspace.bazel(strict).exits(1).says("Use new");
    workspace
        .bazel(["build", "--config=fix", "//:files"])
        .succeeds();
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds();
    assert_eq!(workspace.read("a.py"), "x = new(1)\n");
    workspace.bazel(strict).succeeds();
}

#[test]
fn a_changed_rule_repeats_only_analyses_of_its_language() {
    let workspace = with_rule(true);
    let build = || {
        workspace
            .bazel(["build", "--config=fix", "//:files"])
            .succeeds()
    };
    build();
    workspace.write(RULE, rule("newer", true));
    build().says("1 worker");
    workspace
        .bazel(["build", "--config=strict", "//:files"])
        .exits(1)
        .says("Use newer");
    // A rule that is added or removed is seen, too.
    fs::remove_file(workspace.path(RULE)).expect("removed");
    workspace
        .bazel(["build", "--config=strict", "//:files"])
        .succeeds();
}

#[test]
fn candidates_and_packs_are_added_by_learn_only() {
    // B-03
    let workspace = with_rule(true);
    let exported = fixpoint(&workspace, &["rules", "export", "--output", "pack.json"]).succeeds();
    let is_digest = |word: &&str| word.len() == 64;
    let digest = exported.stdout.split_whitespace().find(is_digest);
    let digest = digest.expect("the digest of the pack");
    fs::remove_file(workspace.path(RULE)).expect("removed");
    for (name, call) in [("a", "x = os.getcwdu()"), ("b", "print(os.getcwdu())")] {
        let before = format!("import os\n\n{call}\n");
        let after = before.replace("getcwdu", "getcwd");
        workspace.write(format!("pairs/{name}.before.py"), before);
        workspace.write(format!("pairs/{name}.after.py"), after);
    }
    let pack = |attributes: &str| {
        let text = format!(
            r#"load("@fixpoint//rules:defs.bzl", "fix", "rule_candidates", "rule_pack")

rule_candidates(
    name = "candidates",
    pairs = glob(["pairs/*"]),
)

rule_pack(
    name = "pack",
    src = "pack.json",{attributes}
)

fix(
    name = "fix",
    learn = [
        ":candidates",
        ":pack",
    ],
)
"#
        );
        workspace.write("BUILD.bazel", text);
    };
    let listed = || fixpoint(&workspace, &["rules", "list"]).succeeds();

    pack("");
    workspace.bazel(["build", "//:candidates"]).succeeds();
    workspace.bazel(["run", "//:fix"]).succeeds();
    listed().says("0 rules, 0 pinned");
    workspace
        .bazel(["run", "//:fix", "--", "--learn"])
        .succeeds();
    listed().says("2 rules, 0 pinned").says("Use new");
    assert_eq!(workspace.read("a.py"), "x = old(1)\n");

    let wrong = "0".repeat(64);
    pack(&format!("\n    sha256 = \"{wrong}\","));
    workspace
        .bazel(["run", "//:fix", "--", "--learn"])
        .fails()
        .says("nothing was imported");
    fs::remove_dir_all(workspace.path(".fixpoint/rules")).expect("removed");
    pack(&format!("\n    sha256 = \"{digest}\","));
    workspace
        .bazel(["run", "//:fix", "--", "--learn"])
        .succeeds();
    listed().says("2 rules, 1 pinned");
}

/// Answers every call: the patch is the one in the argument.
const ENGINE: &str = "import json, sys
call = json.load(sys.stdin)['call']
answers = {'plan': {'hypothesis': 'h', 'focus_files': []}, 'verify': {'summary': 's'},
           'summarize_pr': {'title': 't', 'body': 'b'}}
patch = {'patch_diff': open(sys.argv[1]).read(), 'root_cause': 'r', 'fix_summary': 'f',
         'tests_summary': 't', 'risk_rollback': 'b', 'file_justifications': []}
print(json.dumps(answers.get(call) or patch))
";

const PATCH: &str = "diff --git a/first.py b/first.py
--- a/first.py
+++ b/first.py
@@ -2,4 +2,4 @@


 def folder():
-    return os.getcwdu()
+    return os.getcwd()
diff --git a/tests/test_added.py b/tests/test_added.py
new file mode 100644
--- /dev/null
+++ b/tests/test_added.py
@@ -0,0 +1,9 @@
+import os
+import unittest
+
+from first import folder
+
+
+class Added(unittest.TestCase):
+    def test_added(self):
+        self.assertEqual(folder(), os.getcwd())
";

#[test]
fn a_rule_from_a_proved_fix_repairs_the_second_occurrence() {
    // B-02
    let workspace = Workspace::new();
    let beside = tempfile::TempDir::new().expect("a folder");
    let place = |name: &str| beside.path().join(name);
    fs::write(place("engine.py"), ENGINE).expect("written");
    fs::write(place("fix.patch"), PATCH).expect("written");
    let bug = "import os\n\n\ndef folder():\n    return os.getcwdu()\n";
    workspace.write("first.py", bug);
    workspace.write("tests/__init__.py", "");
    workspace.write(
        "tests/test_first.py",
        "import unittest\n\nfrom first import folder\n\n\nclass First(unittest.TestCase):\n    def test_first(self):\n        self.assertTrue(folder())\n",
    );
    workspace.write(
        ".fixpoint/prove.yml",
        format!(
            "engine: command\ncommand:\n  argv: [python3, {}, {}]\n",
            place("engine.py").display(),
            place("fix.patch").display()
        ),
    );
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.com"]);
        run(git.args(arguments).current_dir(workspace.root())).succeeds();
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=bug"]);
    let artifacts = place("artifacts");
    let artifacts = artifacts.to_str().expect("UTF-8");
    let repro = "python3 -m unittest";
    fixpoint(
        &workspace,
        &["prove", "--repro", repro, "--artifacts", artifacts],
    )
    .succeeds()
    .says("\"proved\"");

    fixpoint(
        &workspace,
        &["rules", "learn", "--from-evidence", artifacts],
    )
    .succeeds()
    .says("Learned 1 rule");
    let listed = fixpoint(&workspace, &["rules", "list", "--format=json"]).succeeds();
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let id = listed[0]["id"].as_str().expect("an id");
    fixpoint(&workspace, &["rules", "pin", id]).succeeds();

    let second = "import os as system\n\nprint(system.getcwdu())\n";
    workspace.write("second.py", second);
    workspace.bazel(["run", "//:fix"]).succeeds();
    let fixed = |text: &str| text.replace("getcwdu", "getcwd");
    assert_eq!(workspace.read("second.py"), fixed(second));
    assert_eq!(workspace.read("first.py"), fixed(bug));

    // The same failure is now proved without the engine.
    workspace.write("first.py", bug);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=rule"]);
    fs::write(place("engine.py"), "raise SystemExit('not asked')\n").expect("written");
    fixpoint(
        &workspace,
        &["prove", "--repro", repro, "--artifacts", artifacts],
    )
    .succeeds()
    .says("\"proved\"")
    .does_not_say("ask the engine");
}
