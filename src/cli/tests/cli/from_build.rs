//! The reports of a build: `bazel run //:fix -- --from-build` and `--audit`, without Bazel.

use std::fs;
use std::os::unix::fs::symlink;

use crate::bazel::{action, analyze, analyzed_file, bazel_run, fix_program, run};
use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};

/// Writes reports where `bazel build --config=fix` writes them.
fn build(project: &Project, path: &str) {
    let mut arguments = analyze(&[]);
    let folder = "bazel-out/k8/bin/t.fixpoint";
    let report = format!("{folder}/report/{path}.fix.pb");
    let canonical = format!("{folder}/canonical/{path}");
    arguments.push(analyzed_file(path, &report, &canonical));
    run(project, &arguments).exits_with(0);
}

#[test]
fn the_build_s_reports_are_applied_unless_they_are_out_of_date() {
    let project = action(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    bazel_run(&project, &["--from-build"])
        .exits_with(3)
        .complains("run `bazel build --config=fix //...` first");
    build(&project, "a.json");
    build(&project, "b.json");
    project.write("b.json", "{\"b\":2}");
    bazel_run(&project, &["--from-build"])
        .exits_with(3)
        .complains("b.json: the report of the build is out of date")
        .complains("bazel build --config=fix //...")
        .prints("Fixed a.json");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("b.json"), "{\"b\":2}");

    // The same text, but this configuration leads to another canonical text.
    build(&project, "b.json");
    project.write("fixpoint.toml", "[language.json]\nindent = 4\n");
    project.write("a.json", "{\n\"b\":1,\"a\":[\n1,2]}");
    build(&project, "a.json");
    bazel_run(&project, &["--from-build"])
        .exits_with(3)
        .complains("a.json: the report of the build is out of date")
        .prints("Fixed b.json");
    project.write("fixpoint.toml", "");
    bazel_run(&project, &["--from-build"])
        .exits_with(0)
        .prints("Fixed a.json");
    bazel_run(&project, &["--from-build"])
        .exits_with(0)
        .prints("Fixed 0");
}

#[test]
fn old_reports_without_a_fix_and_reports_on_links_are_ignored() {
    let project = action(&[("a.json", MESSY_JSON), ("gone.json", CANONICAL_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    symlink("a.json", project.path("link.json")).expect("linked");
    for path in ["a.json", "gone.json", "link.json"] {
        build(&project, path);
    }
    project.write("gone.json", "{\"changed\": true}\n");
    bazel_run(&project, &["--from-build"])
        .exits_with(0)
        .prints("Fixed a.json");
    assert_eq!(project.read("link.json"), CANONICAL_JSON);
}

#[test]
fn a_report_lists_what_its_action_could_not_see_and_is_not_stale() {
    let deprecated = "def f(name):\n    \"\"\"A function.\n\n    Deprecated:\n      use g\n    \"\"\"\n    pass\n";
    let schema = "{ \"type\": \"object\", \"required\": [\"name\"] }\n";
    let former = "{\"properties\": {\"$schema\": {}}, \"additionalProperties\": false, \
                  \"x-fixpoint-former-keys\": {\"debug\": {\"remove\": true, \"safety\": \"behavior_preserving\"}}}";
    let project = action(&[
        ("MODULE.bazel", ""),
        ("old.bzl", deprecated),
        ("BUILD.bazel", "load( ':old.bzl', 'f')\nf(name = 'x')\n"),
        ("s.schema.json", schema),
        ("c.json", "{\"$schema\":\"./s.schema.json\"}"),
        ("f.schema.json", former),
        ("d.json", "{\"$schema\":\"./f.schema.json\",\"debug\":1}"),
        ("a.json", MESSY_JSON),
    ]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    for path in ["BUILD.bazel", "c.json", "d.json", "a.json"] {
        build(&project, path);
    }
    let report = |path: &str| {
        let path = format!("bazel-out/k8/bin/t.fixpoint/report/{path}.fix.pb");
        let bytes = fs::read(project.path(&path)).expect("a report");
        let report = fixpoint_report::from_protobuf(&bytes).expect("a report");
        let not_checked = report.not_checked.into_iter();
        not_checked.map(|it| it.what).collect::<Vec<_>>()
    };
    assert_eq!(
        report("BUILD.bazel"),
        ["whether symbols loaded from :old.bzl are deprecated"]
    );
    assert_eq!(
        report("c.json"),
        ["the schema ./s.schema.json that the document names"]
    );
    assert_eq!(report("a.json"), [""; 0]);
    // The remaining finding is still reported. It is an error of the document.
    bazel_run(&project, &["--from-build"])
        .exits_with(1)
        .prints("Fixed a.json")
        .prints("Fixed c.json")
        .prints("Fixed BUILD.bazel")
        .prints("deprecated-function")
        .prints("the key `name` is missing")
        .prints("schema-unknown-key");
    assert_eq!(
        project.read("d.json"),
        "{ \"$schema\": \"./f.schema.json\", \"debug\": 1 }\n"
    );
    assert_eq!(
        project.read("BUILD.bazel"),
        "load(\":old.bzl\", \"f\")\n\nf(name = \"x\")\n"
    );
}

#[test]
fn reports_that_were_not_downloaded_are_an_error_that_names_the_flag() {
    let project = action(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    bazel_run(&project, &["--from-build"])
        .exits_with(3)
        .complains("--remote_download_regex='.*[.]fix[.]pb$'");
    build(&project, "a.json");
    // The list of a target's reports always exists.
    let list = "t.fixpoint/report/a.json.fix.pb\nt.fixpoint/report/b.json.fix.pb\n";
    project.write("bazel-out/k8/bin/t.fixpoint/reports.txt", list);
    // The source of a report that a target listed earlier may no longer exist.
    let gone = "gone.fixpoint/report/gone.json.fix.pb\n";
    project.write("bazel-out/k8/bin/gone.fixpoint/reports.txt", gone);
    for argument in ["--from-build", "--audit"] {
        bazel_run(&project, &[argument])
            .exits_with(3)
            .complains("the reports for 1 file were not downloaded, so it was not examined")
            .complains("--remote_download_regex='.*[.]fix[.]pb$'");
    }
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    build(&project, "b.json");
    // A target without sources has no reports.
    project.write("bazel-out/k8/bin/other.fixpoint/check.txt", "");
    build(&project, "a.json");
    bazel_run(&project, &["--from-build"])
        .exits_with(0)
        .complains("1 file of the workspace has no report");
}

#[test]
fn a_file_of_two_targets_is_examined_and_printed_once() {
    let project = action(&[("a.json", MESSY_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    build(&project, "a.json");
    let report = fs::read(project.path("bazel-out/k8/bin/t.fixpoint/report/a.json.fix.pb"));
    let report = report.expect("a report");
    project.write(
        "bazel-out/k8/bin/other.fixpoint/report/a.json.fix.pb",
        &report,
    );
    let checked = bazel_run(&project, &["--from-build", "--check"]).exits_with(1);
    let checked = checked.prints("examined 1 file");
    assert_eq!(checked.stdout.matches("a.json:1:1").count(), 1);
    let fixed = bazel_run(&project, &["--from-build"]).exits_with(0);
    let fixed = fixed.prints("Fixed 1 of 1 file");
    assert_eq!(fixed.stdout.matches("Fixed a.json").count(), 1);
}

#[test]
fn a_forged_report_of_a_target_writes_only_the_text_of_fix() {
    let project = action(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json", "b.json"])).exits_with(0);
    let path = project.path("out/a.json.fix.pb");
    let bytes = fs::read(&path).expect("a report");
    let mut report = fixpoint_report::from_protobuf(&bytes).expect("a report");
    let canonical = report.canonical.as_mut().expect("set");
    canonical.edits[0].replacement = "{ \"b\": 2, \"a\": [1, 2] }\n".to_owned();
    let forged = canonical.edits[0].replacement.as_bytes();
    canonical.sha256 = fixpoint_text::Digest::of(forged).to_string();
    fs::write(&path, fixpoint_report::to_protobuf(&report)).expect("written");
    let arguments =
        "bazel\nfix\n--from-targets\n--report=out/a.json.fix.pb\n--report=out/b.json.fix.pb\n";
    let mut command = fix_program(&project, arguments);
    command.env("BUILD_WORKSPACE_DIRECTORY", project.root());
    Ended::from(command.output().expect("it runs"))
        .exits_with(3)
        .complains("a.json: the report of the build is out of date")
        .prints("Fixed b.json");
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn an_audit_lists_files_without_a_report() {
    let project = action(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    project.write("data.xyz", "of no known language");
    bazel_run(&project, &["--audit"]).exits_with(3);
    build(&project, "a.json");
    bazel_run(&project, &["--audit"])
        .exits_with(1)
        .prints("b.json: no target lists it, or its report was not downloaded\n")
        .prints("--remote_download_regex")
        .prints("1 of 3 files are checked by the build");
    build(&project, "b.json");
    build(&project, "fixpoint.toml");
    bazel_run(&project, &["--audit"]).exits_with(0);
    project.write("a.json", "{}");
    bazel_run(&project, &["--audit"])
        .exits_with(1)
        .prints("a.json: changed since the build");
}

#[test]
fn a_file_that_does_not_parse_fails_every_check() {
    let project = action(&[("a.json", "{"), ("b.json", CANONICAL_JSON)]);
    project.write(".gitignore", "bazel-out\nconfig\n");
    project.run(&["check"]).exits_with(1);
    project.run(&["check", "--strict"]).exits_with(1);
    project.write("b.json", MESSY_JSON);
    project.run(&["fix"]).exits_with(1).prints("Fixed b.json");
    bazel_run(&project, &["--check"]).exits_with(1);
    build(&project, "a.json");
    bazel_run(&project, &["--from-build", "--check"]).exits_with(1);
    project.write("b.json", MESSY_JSON);
    bazel_run(&project, &[])
        .exits_with(1)
        .prints("Fixed b.json");
}
