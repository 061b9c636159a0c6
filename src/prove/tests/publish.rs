//! A dry run of the script that pushes a proved patch, with a bare repository as the remote.
#![allow(clippy::disallowed_methods, reason = "tests write folders and run git")]

#[path = "support/sample.rs"]
mod sample;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use fixpoint_prove::evidence::{PATCH, PR_TITLE, Patch, PatchFile, Recorder};
use fixpoint_prove::verdict::Verdict;
use fixpoint_text::Digest;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Changes a file, and adds one whose name has a space.
const DIFF: &str = "diff --git a/stats.py b/stats.py\n--- a/stats.py\n+++ b/stats.py\n@@ -1 +1 @@\n\
    -old\n+new\ndiff --git a/tests/a b.py b/tests/a b.py\nnew file mode 100644\n--- /dev/null\n\
    +++ b/tests/a b.py\t\n@@ -0,0 +1 @@\n+added\n";

fn git(folder: &Path, arguments: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let output = Command::new("git")
        .args(["-c", "user.name=x", "-c", "user.email=x@example.com"])
        .args(arguments)
        .current_dir(folder)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {error}");
    Ok(text)
}

/// A repository with uncommitted changes, a bare remote, and the artifacts of a run.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new(
        verdict: Verdict,
        diff: &str,
        paths: &[&str],
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let scene = Self {
            folder: tempfile::tempdir()?,
        };
        let folder = scene.folder.path();
        let repository = folder.join("repository");
        fs::create_dir(&repository)?;
        git(folder, &["init", "--quiet", "--bare", "remote.git"])?;
        git(&repository, &["init", "--quiet", "--initial-branch=main"])?;
        fs::write(repository.join("stats.py"), "old\n")?;
        fs::write(repository.join("other.py"), "other\n")?;
        git(&repository, &["add", "."])?;
        git(&repository, &["commit", "--quiet", "-m", "base"])?;
        fs::write(repository.join("other.py"), "changed by a test\n")?;
        fs::write(repository.join("untracked.txt"), "left by a test\n")?;
        let hook = repository.join(".git/hooks/pre-commit");
        fs::create_dir_all(repository.join(".git/hooks"))?;
        fs::write(&hook, "#!/bin/sh\nexit 1\n")?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&hook, mode)?;

        let mut recorder = Recorder::create(&folder.join("artifacts"))?;
        sample::record_worlds(&mut recorder)?;
        recorder.add(PATCH, diff.as_bytes())?;
        let mut outcome = sample::outcome(verdict);
        let files = paths.iter().map(|path| PatchFile {
            path: (*path).to_owned(),
            added: 1,
            removed: 0,
            is_test: false,
        });
        outcome.patch = Some(Patch {
            sha256: Digest::of(diff.as_bytes()).to_string(),
            files: files.collect(),
        });
        recorder.finish(outcome, None)?;
        Ok(scene)
    }

    fn stage(&self) -> std::io::Result<Output> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prove/stage");
        let folder = self.folder.path();
        Command::new(script)
            .args(["repository", "artifacts", "fixpoint/prove-1"])
            .arg(folder.join("remote.git"))
            .current_dir(folder)
            .output()
    }

    fn assert_nothing_is_pushed(&self, reason: &str) -> TestResult {
        let output = self.stage()?;
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{error}");
        assert!(error.contains(reason), "{error}");
        let remote = self.folder.path().join("remote.git");
        assert_eq!(git(&remote, &["branch"])?, "");
        Ok(())
    }
}

// E-94 X-25
#[test]
fn exactly_the_files_of_the_patch_are_pushed() -> TestResult {
    let scene = Scene::new(Verdict::Proved, DIFF, &["tests/a b.py", "stats.py"])?;
    let output = scene.stage()?;
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let remote = scene.folder.path().join("remote.git");
    let show = |arguments: &[&str]| git(&remote, arguments);
    let branch = "fixpoint/prove-1";
    let changed = show(&["diff", "--name-only", "fixpoint/prove-1~", branch])?;
    assert_eq!(changed, "stats.py\ntests/a b.py\n");
    assert_eq!(show(&["show", "fixpoint/prove-1:stats.py"])?, "new\n");
    let subject = show(&["log", "-1", "--format=%B", branch])?;
    let title = fs::read_to_string(scene.folder.path().join("artifacts").join(PR_TITLE))?;
    assert_eq!(subject.trim_end(), title.trim_end());
    let repository = scene.folder.path().join("repository");
    assert_eq!(
        fs::read_to_string(repository.join("other.py"))?,
        "changed by a test\n"
    );
    Ok(())
}

#[test]
fn nothing_is_pushed_without_a_proof_of_this_patch() -> TestResult {
    let paths = ["stats.py", "tests/a b.py"];
    Scene::new(Verdict::NotFixed, DIFF, &paths)?
        .assert_nothing_is_pushed("the verdict is not_fixed")?;

    let changed = Scene::new(Verdict::Proved, DIFF, &paths)?;
    let patch = changed.folder.path().join("artifacts").join(PATCH);
    fs::write(patch, DIFF.replace("+new", "+evil"))?;
    changed.assert_nothing_is_pushed("patch.diff differs")?;

    Scene::new(Verdict::Proved, DIFF, &["stats.py"])?
        .assert_nothing_is_pushed("other files than evidence.json lists")?;

    let outside = DIFF.replace("tests/a b.py", "../escaped.py");
    let scene = Scene::new(Verdict::Proved, &outside, &["stats.py", "../escaped.py"])?;
    scene.assert_nothing_is_pushed("the patch does not apply")?;
    assert!(!scene.folder.path().join("escaped.py").exists());

    let staged = Scene::new(Verdict::Proved, DIFF, &paths)?;
    git(
        &staged.folder.path().join("repository"),
        &["add", "other.py"],
    )?;
    staged.assert_nothing_is_pushed("the index of the repository has changes")
}

/// The workflow of this repository, and the one to copy.
const WORKFLOWS: [&str; 2] = [
    include_str!("../../../.github/workflows/prove.yml"),
    include_str!("../../../examples/prove/prove.yml"),
];

/// The lines of all scripts: those below `run: |`, and those after `run: `.
fn script_lines(workflow: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut script: Option<usize> = None;
    for line in workflow.lines() {
        let indent = line.len() - line.trim_start().len();
        if script.is_some_and(|outer| indent > outer) {
            lines.push(line);
            continue;
        }
        script = None;
        if let Some((_, inline)) = line.split_once("run: ") {
            script = Some(indent);
            lines.push(inline);
        }
    }
    lines
}

// E-04
#[test]
fn workflows_pass_no_expression_to_a_shell_and_pin_actions() {
    for workflow in WORKFLOWS {
        let scripts = script_lines(workflow);
        assert!(scripts.len() > 40, "{scripts:?}");
        for line in scripts {
            let is_evaluated = line.contains("${{") || line.contains("eval ");
            assert!(!is_evaluated, "{line}");
        }
        for line in workflow.lines().filter(|line| line.contains("uses: ")) {
            let reference = line.split('@').nth(1).unwrap_or_default();
            let (commit, version) = reference.split_once(" # v").unwrap_or_default();
            let is_commit = commit.len() == 40 && commit.chars().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit && !version.is_empty(), "{line}");
        }
        assert!(workflow.contains("\npermissions: {}\n"));
        let upload = "        if: always()\n        uses: actions/upload-artifact@";
        assert!(workflow.contains(upload));
    }
}

#[test]
fn the_workflow_to_copy_differs_only_in_how_it_installs() {
    let steps = WORKFLOWS.map(|workflow| {
        let (_, jobs) = workflow.split_once("\njobs:\n").expect("jobs");
        let (before, after) = jobs
            .split_once("          path: repository\n")
            .expect("a step");
        let (_, after) = after
            .split_once("      # The command is data")
            .expect("a step");
        let after = after.replace("examples/prove", ".github/prove");
        format!("{before}{after}")
    });
    assert_eq!(steps[0], steps[1]);
}
