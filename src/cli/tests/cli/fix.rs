//! `fix` and `apply`: the commands that write.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::project::{CANONICAL_JSON, MESSY_JSON, Project};

#[test]
fn safe_fixes_are_applied_once_and_a_second_run_writes_nothing() {
    // C-48 C-50 C-88 C-93d
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("b.py", "x = { }\n"),
        ("ok.toml", "a = 1\n"),
    ]);
    project
        .run(&["fix"])
        .exits_with(0)
        .prints("Fixed a.json (format-json)")
        .prints("Fixed b.py (format-python)")
        .prints("Fixed 2 of 4 files; 0 fixes rejected, 0 findings remaining");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("b.py"), "x = {}\n");
    let before = fs::metadata(project.path("a.json"))
        .expect("there")
        .modified()
        .expect("a time");
    project
        .run(&["fix"])
        .exits_with(0)
        .prints("Fixed 0 of 4 files");
    assert_eq!(
        fs::metadata(project.path("a.json"))
            .expect("there")
            .modified()
            .expect("a time"),
        before
    );
    assert!(!project.path(".fixpoint").exists());
}

#[test]
fn the_remaining_findings_are_those_of_a_fresh_check() {
    // C-52
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("bad.json", "{\n"),
        ("worse.py", "def (:\n"),
    ]);
    let fixed = project
        .run(&["fix"])
        .exits_with(1)
        .prints("2 findings remaining")
        .stdout;
    let checked = project.run(&["check"]).exits_with(1).stdout;
    let findings = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.starts_with("Fixed") && !line.starts_with("Checked"))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(findings(&fixed), findings(&checked));
    assert!(fixed.contains("bad.json") && fixed.contains("worse.py"));
}

#[test]
fn dry_runs_and_diffs_write_nothing() {
    // C-46 X-41
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let before = project.tree();
    project
        .run(&["fix", "--dry-run"])
        .exits_with(0)
        .prints("Would fix a.json (format-json)");
    let diff = project
        .run(&["fix", "--diff"])
        .exits_with(0)
        .prints("+++ b/a.json")
        .stdout;
    assert_eq!(diff, project.run(&["check", "--format=diff"]).stdout);
    assert_eq!(project.tree(), before);
}

#[test]
fn only_the_asked_rule_is_applied() {
    let project = Project::new(&[("a.json", MESSY_JSON), ("b.py", "x = { }\n")]);
    project
        .run(&["fix", "--only", "format-python"])
        .exits_with(1)
        .prints("1 finding remaining");
    assert_eq!(
        (
            project.read("a.json").as_str(),
            project.read("b.py").as_str()
        ),
        (MESSY_JSON, "x = {}\n")
    );
    project
        .run(&["fix", "--only", "fromat"])
        .exits_with(2)
        .complains("did you mean `format`?");
    project.run(&["fix", "--only", "format"]).exits_with(0);
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
}

#[test]
fn an_approval_of_an_unknown_id_is_an_error() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project
        .run(&["fix", "--approve", "f-123"])
        .exits_with(2)
        .complains("cannot approve fix f-123")
        .complains("nothing was written");
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn a_symbol_that_a_comment_keeps_is_not_removed_with_its_load() {
    for text in [
        "load(\n    \":c.bzl\",\n    \"y\",\n    # fixpoint: ignore[load]\n    \"z\",\n)\n",
        "load(\n    \":c.bzl\",\n    \"y\",\n    \"z\",  # buildifier: disable=load\n)\n",
    ] {
        let project = Project::new(&[("BUILD", text)]);
        project.run(&["fix"]).exits_with(0);
        assert!(project.read("BUILD").contains("\"z\""), "{text}");
    }
}

#[test]
fn a_fix_is_applied_where_only_the_layout_is_kept() {
    let text = "a(name='x')\n# fixpoint: off\nb( name='y')\n# fixpoint: on\nload(':u.bzl', 'z')\n";
    let project = Project::new(&[("BUILD", text)]);
    project.run(&["check", "--strict"]).exits_with(1);
    project.run(&["fix"]);
    assert!(!project.read("BUILD").contains("load"));
    project.run(&["check", "--strict"]).exits_with(0);
}

#[test]
fn a_report_is_applied_only_where_fix_would_write() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project.run(&["check", "--report-dir", "out"]).exits_with(0);
    for configuration in [
        "exclude = [\"a.json\"]\n",
        "[language.json]\nenabled = false\n",
    ] {
        project.write("fixpoint.toml", configuration);
        project
            .run(&["apply", "out/a.json.fix.json"])
            .exits_with(3)
            .complains("a.json is excluded, or its language is unknown or switched off");
    }
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn fix_does_not_write_inside_an_action_or_a_test() {
    // C-18 C-49 C-61
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let before = project.tree();
    for variable in ["TEST_SRCDIR", "TEST_TMPDIR"] {
        let output = project
            .command(&["fix"])
            .env(variable, "/somewhere")
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&output.stderr).contains(variable));
    }
    assert_eq!(project.tree(), before);
}

#[test]
fn modes_links_and_line_ends_are_kept() {
    let messy = "#!/usr/bin/env python3\r\nx = { }\r\n";
    let project = Project::new(&[("real/run.py", messy)]);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.path("real/run.py"), mode).expect("set");
    symlink("real/run.py", project.path("link.py")).expect("a link");
    project
        .run(&["fix", "link.py"])
        .exits_with(0)
        .complains("skipped: link.py: a link; name the file that it leads to")
        .prints("Fixed 0 of 0 files");
    assert_eq!(project.read("real/run.py"), messy);
    project
        .run(&["fix", "real/run.py"])
        .exits_with(0)
        .prints("Fixed real/run.py");
    assert_eq!(
        project.read("real/run.py"),
        "#!/usr/bin/env python3\r\nx = {}\r\n"
    );
    assert_eq!(
        fs::metadata(project.path("real/run.py"))
            .expect("there")
            .permissions()
            .mode()
            & 0o777,
        0o755
    );
    assert!(
        fs::symlink_metadata(project.path("link.py"))
            .expect("there")
            .is_symlink()
    );
}

#[test]
fn two_paths_to_one_file_are_treated_as_one_file() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    symlink("a.json", project.path("b.json")).expect("a link");
    project
        .run(&["fix", "a.json", "./a.json", "b.json", "."])
        .exits_with(0)
        .prints("Fixed 1 of 2 files");
}

#[test]
fn nothing_outside_the_root_is_touched() {
    let outside = tempfile::tempdir().expect("a folder");
    let victim = outside.path().join("victim.json");
    fs::write(&victim, MESSY_JSON).expect("written");
    let project = Project::new(&[]);
    symlink(&victim, project.path("link.json")).expect("a link");
    symlink(outside.path(), project.path("folder")).expect("a link");
    project.run(&["fix"]).exits_with(0);
    for (path, status) in [("link.json", 0), ("folder", 0), ("folder/victim.json", 3)] {
        for command in [&["--root", ".", "fix", path][..], &["fix", path]] {
            project.run(command).exits_with(status);
        }
    }
    let up = format!(
        "../{}/victim.json",
        outside
            .path()
            .file_name()
            .expect("a name")
            .to_string_lossy()
    );
    assert_ne!(project.run(&["--root", ".", "fix", &up]).status, Some(0));
    assert_eq!(fs::read_to_string(&victim).expect("there"), MESSY_JSON);
}

#[test]
fn a_file_that_git_ignores_is_written_if_it_or_its_report_is_named() {
    let project = Project::new(&[
        (".gitignore", "/out/\n*.gen.json\n"),
        ("a.gen.json", MESSY_JSON),
        ("out/b.json", MESSY_JSON),
    ]);
    let ignored = ["a.gen.json", "out/b.json"];
    project.run(&["fix"]).exits_with(0).prints("Fixed 0");
    let reports = tempfile::tempdir().expect("a folder");
    let folder = reports.path().to_str().expect("UTF-8");
    project
        .run(&[&["check", "--report-dir", folder][..], &ignored].concat())
        .exits_with(0);
    for path in ignored {
        let report = format!("{folder}/{path}.fix.json");
        for command in [&["fix", path], &["apply", report.as_str()]] {
            project.write(path, MESSY_JSON);
            project
                .run(command)
                .exits_with(0)
                .prints(&format!("Fixed {path}"));
            assert_eq!(project.read(path), CANONICAL_JSON);
        }
    }
}

fn reports(project: &Project) -> tempfile::TempDir {
    let out = tempfile::tempdir().expect("a folder");
    project
        .run(&["check", "--report-dir", out.path().to_str().expect("UTF-8")])
        .exits_with(0);
    out
}

#[test]
fn stored_reports_of_either_form_are_applied() {
    for form in ["pb", "json"] {
        let project = Project::new(&[("dir/a.json", MESSY_JSON)]);
        let out = reports(&project);
        let report = out.path().join(format!("dir/a.json.fix.{form}"));
        let report = report.to_str().expect("UTF-8");
        project
            .run(&["apply", "--dry-run", report])
            .exits_with(0)
            .prints("Would fix dir/a.json");
        assert_eq!(project.read("dir/a.json"), MESSY_JSON);
        project
            .run(&["apply", report])
            .exits_with(0)
            .prints("Fixed dir/a.json");
        assert_eq!(project.read("dir/a.json"), CANONICAL_JSON);
        project
            .run(&["apply", report])
            .exits_with(0)
            .prints("Fixed 0 of 0 files");
    }
}

#[test]
fn a_stale_report_is_rejected_by_name_and_the_others_are_applied() {
    // C-23 C-31
    let project = Project::new(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    let out = reports(&project);
    let edited = "{\"edited\":   true}\n";
    project.write("b.json", edited);
    let report = |name: &str| out.path().join(name).to_str().expect("UTF-8").to_owned();
    project
        .run(&["apply", &report("a.json.fix.pb"), &report("b.json.fix.pb")])
        .exits_with(3)
        .complains("b.json has changed since its report was written")
        .complains("fixpoint check b.json")
        .complains("1 file is left as it is; the other files were written");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("b.json"), edited);
    project
        .run(&["apply", &report("b.json.fix.pb")])
        .exits_with(3)
        .complains("1 file is left as it is; nothing was written");
}

#[test]
fn a_tampered_report_writes_nothing() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let out = reports(&project);
    let path = out.path().join("a.json.fix.json");
    let honest = fs::read_to_string(&path).expect("there");
    let before = project.tree();
    let tamper = |from: &str, to: &str| {
        assert!(honest.contains(from), "{from}");
        fs::write(&path, honest.replace(from, to)).expect("written");
        project
            .run(&["apply", path.to_str().expect("UTF-8")])
            .exits_with(3)
    };
    tamper("\"path\": \"a.json\"", "\"path\": \"../a.json\"").complains("inside the workspace");
    tamper("\\\"b\\\": 1", "\\\"b\\\": 2").complains("do not lead to its canonical text");
    tamper("\"schema_version\": 1", "\"schema_version\": 9").complains("schema version 9");
    fs::write(&path, "{").expect("written");
    project
        .run(&["apply", path.to_str().expect("UTF-8")])
        .exits_with(3)
        .complains("a.json.fix.json");
    project
        .run(&["apply", "missing.fix.pb"])
        .exits_with(3)
        .complains("missing.fix.pb");
    assert_eq!(project.tree(), before);
}

#[test]
fn fix_fails_only_where_a_check_fails() {
    let kept = "<div><span style=\"white-space: pre\">a   b</span></div>\n";
    let project = Project::new(&[("kept.html", kept)]);
    project.run(&["check", "--strict"]).exits_with(0);
    project
        .run(&["fix"])
        .exits_with(0)
        .prints("1 finding remaining");
}

#[test]
fn a_stored_report_leads_to_the_text_of_fix_or_nothing_is_written() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let out = reports(&project);
    let stored = fs::read(out.path().join("a.json.fix.pb")).expect("there");
    let before = project.tree();
    let apply = |change: &dyn Fn(&mut fixpoint_report::FixReport)| {
        let mut report = fixpoint_report::from_protobuf(&stored).expect("a report");
        change(&mut report);
        let path = out.path().join("changed.fix.pb");
        fs::write(&path, fixpoint_report::to_protobuf(&report)).expect("written");
        project
            .run(&["apply", path.to_str().expect("UTF-8")])
            .exits_with(3)
    };
    apply(&|report| {
        let canonical = report.canonical.as_mut().expect("set");
        canonical.edits[0].replacement = "{{{".to_owned();
        canonical.sha256 = fixpoint_text::Digest::of(b"{{{").to_string();
        canonical.length = 3;
    })
    .complains("computes a different text than the report");
    apply(&|report| report.fixes[0].safety = fixpoint_report::Safety::BehaviorChanging.into())
        .complains("is not safe");
    apply(&|report| report.canonical.as_mut().expect("set").steps.clear())
        .complains("canonical.steps");
    apply(&|report| {
        report.outcome.as_mut().expect("set").exit = fixpoint_report::Exit::Budget.into()
    })
    .complains("canonical.edits");
    assert_eq!(project.tree(), before);
}
