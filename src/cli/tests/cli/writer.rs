//! Files that cannot be written, and journals of interrupted writes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use fixpoint_text::Digest;

use crate::project::{CANONICAL_JSON, MESSY_JSON, Project};

#[test]
fn a_read_only_file_is_reported_and_every_other_fix_is_applied() {
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("b.json", MESSY_JSON),
        ("c.json", MESSY_JSON),
    ]);
    fs::set_permissions(project.path("b.json"), fs::Permissions::from_mode(0o444)).expect("set");
    let ended = project
        .run(&["fix"])
        .exits_with(3)
        .complains("b.json was not written: it is read-only; make it writable, or exclude it")
        .complains("1 file was not written; all other fixes were written")
        .prints("Fixed a.json")
        .prints("Fixed c.json")
        .prints("Fixed 2 of 4 files; 0 fixes rejected, 1 finding remaining");
    assert!(!ended.stdout.contains("Fixed b.json"), "{}", ended.stdout);
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("b.json"), MESSY_JSON);
    assert_eq!(project.read("c.json"), CANONICAL_JSON);
}

#[test]
fn stored_reports_are_applied_beside_a_read_only_file() {
    let project = Project::new(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    let out = tempfile::tempdir().expect("a folder");
    let folder = out.path().to_str().expect("UTF-8");
    project
        .run(&["check", "--report-dir", folder])
        .exits_with(0);
    fs::set_permissions(project.path("b.json"), fs::Permissions::from_mode(0o444)).expect("set");
    let report = |name: &str| format!("{folder}/{name}.fix.pb");
    project
        .run(&["apply", &report("a.json"), &report("b.json")])
        .exits_with(3)
        .complains("b.json was not written: it is read-only")
        .prints("Fixed 1 of 2 files");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("b.json"), MESSY_JSON);
}

/// A repository with an unsigned journal that writes `evil` to `victim.txt`, and the temporary with
/// that text.
fn with_journal(phase: &str) -> Project {
    let project = Project::new(&[("a.json", MESSY_JSON), ("victim.txt", "harmless\n")]);
    let (base, new) = (Digest::of(b"harmless\n"), Digest::of(b"evil\n"));
    let body = format!("fixpoint journal 1\0{}\0victim.txt\0{base}\0{new}\0", 0);
    let journal = format!("{body}{}\0", Digest::of(body.as_bytes()));
    project.write(&format!(".fixpoint/journal-{phase}"), journal);
    let id = Digest::of_parts([b"victim.txt".as_slice(), new.to_string().as_bytes()]);
    project.write(&format!(".fixpoint-{}.tmp", id.short()), "evil\n");
    project.git(&["init", "--quiet"]);
    project.git(&["add", "--force", "."]);
    project.git(&["commit", "--quiet", "-m", "all"]);
    project
}

#[test]
fn a_journal_in_a_clone_is_reported_and_not_executed() {
    for phase in ["staging", "committed", "done"] {
        let origin = with_journal(phase);
        let clone = Project::new(&[]);
        fs::remove_file(clone.path("fixpoint.toml")).expect("removed");
        let cloned = Command::new("git")
            .args(["clone", "--quiet"])
            .args([origin.root(), clone.root()])
            .status()
            .expect("git runs");
        assert!(cloned.success());
        for _ in 0..2 {
            clone
                .run(&["fix", "a.json"])
                .exits_with(0)
                .complains(&format!(
                    "ignored the journal .fixpoint/journal-{phase}: this user did not write it for \
                     this checkout on this machine"
                ))
                .complains("remove .fixpoint/journal-*");
        }
        assert_eq!(clone.read("a.json"), CANONICAL_JSON);
        let status = clone.git(&["status", "--short"]).stdout;
        assert_eq!(status, " M a.json\n", "{phase}");
    }
}
