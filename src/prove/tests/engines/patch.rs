//! Patches that are read, and texts that are not patches.

use std::fs;
use std::process::Command;

use fixpoint_prove::engine::{ParsedPatch, parse_patch};
use fixpoint_prove::policy::{ChangeKind, parse_raw};
use proptest::prelude::*;

use crate::fake::GOOD_DIFF;

fn section(head: &str, body: &str) -> String {
    format!("diff --git {head}\n{body}")
}

#[test]
fn kinds_of_changes() {
    let added = "new file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    let deleted = "deleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    let renamed = "similarity index 100%\nrename from old name\nrename to new name\n";
    let quoted = "--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n@@ -1 +1 @@\n-x\n+y\n";
    let text = [
        GOOD_DIFF.to_owned(),
        section("a/n b/n", added),
        section("a/d b/d", deleted),
        section("a/old name b/new name", renamed),
        section("a/m m b/m m", "old mode 100644\nnew mode 100755\n"),
        section("\"a/\\303\\244\" \"b/\\303\\244\"", quoted),
    ]
    .concat();
    let patch = parse_patch(&text).unwrap();
    let files = patch.changed_files();
    let kinds: Vec<(&str, ChangeKind)> = files.iter().map(|f| (f.path.as_str(), f.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("src/a.py", ChangeKind::Modified),
            ("n", ChangeKind::Added),
            ("d", ChangeKind::Deleted),
            ("new name", ChangeKind::Renamed),
            ("m m", ChangeKind::Modified),
            ("ä", ChangeKind::Modified),
        ]
    );
    assert_eq!(files[1].new_mode, Some(0o100_755));
    assert_eq!(files[3].old_path.as_deref(), Some("old name"));
    assert!(patch.files[1].hunks[0].lines[0].no_newline);
    let added: Vec<&str> = patch.files[0].added_lines().collect();
    assert_eq!(added, ["    return a + b"]);
}

// E-71
#[test]
fn texts_that_are_not_patches() {
    let hunk = "@@ -1 +1 @@\n-x\n+y\n";
    let both = |path: &str| format!("--- a/{path}\n+++ b/{path}\n{hunk}");
    let cases = [
        String::new(),
        "\n\n".to_owned(),
        "Here is the patch:\n".to_owned() + GOOD_DIFF,
        GOOD_DIFF.trim_end().to_owned(),
        GOOD_DIFF.replace("@@ -1,2 +1,2 @@", "@@ -1,3 +1,2 @@"),
        GOOD_DIFF.replace("@@ -1,2 +1,2 @@", "@@ -1,1 +1,2 @@"),
        GOOD_DIFF.replace("@@ -1,2 +1,2 @@", "@@ -1,99999999999 +1,2 @@"),
        GOOD_DIFF.replace("@@ -1,2 +1,2 @@", "@@ ... @@"),
        GOOD_DIFF.replace("diff --git a/src/a.py b/src/a.py\n", ""),
        GOOD_DIFF.replace("+++ b/src/a.py", "+++ b/src/b.py"),
        GOOD_DIFF.replace("--- a/src/a.py\n", ""),
        GOOD_DIFF.replace("+++ b/src/a.py\n", ""),
        GOOD_DIFF.replace("src/a.py", "../a.py"),
        GOOD_DIFF.replace("src/a.py", ".git/config"),
        GOOD_DIFF
            .replace("a/src/a.py", "a//etc/passwd")
            .replace("b/src/a.py", "b//etc/passwd"),
        GOOD_DIFF.repeat(2),
        GOOD_DIFF.replace(" b/src/a.py\n---", " b/src/other.py\n---"),
        GOOD_DIFF.to_owned() + "trailing words\n",
        GOOD_DIFF.replace("    return a + b", "a\0b"),
        section("a/x b/x", ""),
        section("a/x b/y", "rename from x\n"),
        section("a/x b/x", "rename from x\nrename to x\n"),
        section("a/x b/x", "GIT binary patch\nliteral 1\n"),
        section("a/x b/x", "index 1..2\nBinary files a/x and b/x differ\n"),
        section(
            "a/x b/x",
            "new file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
        ),
        section(
            "a/x b/x",
            "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-x\n+y\n",
        ),
        section("a/x b/x", "old mode abc\nnew mode 100644\n"),
        section("a/x b/x", "old mode 100644\nnew mode 104755\n"),
        section("a/x b/x", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n x\n"),
        section("a/x b/x", &format!("{}@@ -1 +1 @@\n-x\n+y\n", both("x"))),
        section("\"a/\\9\" b/x", &both("x")),
    ];
    for text in cases {
        assert!(parse_patch(&text).is_err(), "{text}");
    }
    let error = parse_patch(&GOOD_DIFF.replace("-1,2", "-1,3")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 8: the hunk has fewer lines than it says"
    );
    assert!(parse_patch(&GOOD_DIFF.replace("return", &"x".repeat(3_000_000))).is_err());
}

/// What git itself writes is read, and agrees with `git diff --raw`.
// E-71
#[test]
fn patches_of_git_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(arguments)
            .current_dir(root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    git(&["init", "-q"]);
    let text: String = (0..40).map(|line| format!("line {line}\n")).collect();
    for name in ["a b.txt", "ä\"q.txt", "gone", "moved", "mode"] {
        fs::write(root.join(name), format!("{name}\n{text}")).unwrap();
    }
    git(&["add", "-A"]);
    git(&["commit", "-qm", "base"]);
    fs::write(
        root.join("a b.txt"),
        text.replace("line 3\n", "--- x\n\n").trim_end(),
    )
    .unwrap();
    fs::write(root.join("ä\"q.txt"), text.replace("line 30", "+++ y")).unwrap();
    fs::remove_file(root.join("gone")).unwrap();
    fs::rename(root.join("moved"), root.join("moved here")).unwrap();
    fs::write(root.join("empty"), "").unwrap();
    fs::write(root.join("new"), "x\r\ny").unwrap();
    Command::new("chmod")
        .args(["+x", "mode"])
        .current_dir(root)
        .status()
        .unwrap();
    git(&["add", "-A"]);
    let diff = String::from_utf8(git(&["diff", "--cached", "-M"])).unwrap();
    let mut files = parse_patch(&diff).unwrap().changed_files();
    let mut raw = parse_raw(&git(&["diff", "--cached", "-M", "--raw", "-z"])).unwrap();
    for file in files.iter_mut().chain(&mut raw) {
        // A rename without a change of content does not name the mode.
        if file.kind == ChangeKind::Renamed {
            (file.old_mode, file.new_mode) = (None, None);
        }
    }
    assert_eq!(files, raw);
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "[-+ @a/b,0-9\\\\\"\n]{0,200}") {
        let _ = parse_patch(&format!("diff --git a/x b/x\n{text}\n"));
    }

    #[test]
    fn damaged_patches_are_read_without_a_panic(at in 0usize..120, byte in 0u8..128) {
        let mut bytes = GOOD_DIFF.as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let patch: Result<ParsedPatch, _> = parse_patch(&text);
        if let Ok(patch) = patch {
            prop_assert_eq!(patch.files.len(), 1);
        }
    }
}
