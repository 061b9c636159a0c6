//! The commands of the Bazel rules without Bazel: the same command lines in folders with the same layout.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use prost::Message as _;

use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};
use crate::worker::{WorkRequest, WorkResponse};

/// A folder as an action sees it: sources, an empty configuration, nothing else.
pub fn action(files: &[(&str, &str)]) -> Project {
    let project = Project::new(files);
    project.write("config/fixpoint.toml", "");
    project
}

/// The arguments that analyze `paths`, with outputs below `out`.
pub fn analyze(paths: &[&str]) -> Vec<String> {
    let mut arguments = vec!["bazel".to_owned(), "analyze".to_owned()];
    arguments.push("--config=config/fixpoint.toml".to_owned());
    let files = paths
        .iter()
        .map(|path| analyzed_file(path, &format!("out/{path}.fix.pb"), &format!("out/{path}")));
    arguments.extend(files);
    arguments
}

/// The flag of a file that is analyzed.
pub fn analyzed_file(path: &str, report: &str, canonical: &str) -> String {
    format!(
        r#"--file={{"source":"{path}","path":"{path}","report":"{report}","canonical":"{canonical}"}}"#
    )
}

/// The arguments that analyze `path`, with a line map as another output.
fn analyze_with_map(path: &str) -> Vec<String> {
    let mut arguments = analyze(&[path]);
    let map = format!(r#","map":"out/{path}.fix-map.json"}}"#);
    let file = arguments.pop().expect("the file");
    arguments.push(file.trim_end_matches('}').to_owned() + &map);
    arguments
}

pub fn run(project: &Project, arguments: &[String]) -> Ended {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    project.run(&arguments)
}

/// The arguments that check the reports of `paths`.
fn check(paths: &[&str], more: &[&str]) -> Vec<String> {
    let start = ["bazel", "check", "--label=//a:b", "--marker=out/marker"];
    let files = paths
        .iter()
        .map(|path| format!(r#"--file={{"source":"{path}","report":"out/{path}.fix.pb"}}"#));
    let start = start.iter().chain(more).map(|it| (*it).to_owned());
    start.chain(files).collect()
}

/// A workspace with the program that `bazel run //:fix` starts in it.
pub fn fix_program(project: &Project, arguments: &str) -> Command {
    let program = project.path("bazel-out/k8/bin/fix");
    fs::create_dir_all(program.parent().expect("a folder")).expect("made");
    if !program.exists() {
        symlink(env!("CARGO_BIN_EXE_fixpoint"), &program).expect("linked");
    }
    project.write("bazel-out/k8/bin/fix.fixpoint-args", arguments);
    let mut command = Command::new(program);
    command.current_dir(project.root()).env_clear();
    command
}

pub fn bazel_run(project: &Project, arguments: &[&str]) -> Ended {
    let mut command = fix_program(project, "bazel\nfix\n");
    command.env("BUILD_WORKSPACE_DIRECTORY", project.root());
    command.args(arguments).output().expect("it runs").into()
}

#[test]
fn an_analysis_writes_the_same_report_as_the_command_line() {
    // C-59 C-63 C-64
    let project = action(&[("a.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json"])).exits_with(0);
    assert_eq!(project.read("out/a.json"), CANONICAL_JSON);
    project
        .run(&["check", "a.json", "--report-dir", "reports"])
        .exits_with(0);
    let report = |path: &str| fs::read(project.path(path)).expect("a report");
    assert_eq!(report("out/a.json.fix.pb"), report("reports/a.json.fix.pb"));
}

#[test]
fn an_analysis_never_fails_because_of_the_content_of_a_file() {
    let project = action(&[("broken.json", "{"), ("messy.json", MESSY_JSON)]);
    project.write("binary.json", b"\0\xff");
    project.write("unknown.xyz", "who knows");
    let paths = ["broken.json", "messy.json", "binary.json", "unknown.xyz"];
    run(&project, &analyze(&paths)).exits_with(0);
    let length = |path: &str| fs::metadata(project.path(path)).expect("written").len();
    assert!(length("out/broken.json.fix.pb") > 0);
    assert_eq!(project.read("out/messy.json"), CANONICAL_JSON);
    for skipped in ["binary.json", "unknown.xyz"] {
        assert_eq!(length(&format!("out/{skipped}.fix.pb")), 0);
        let bytes = |path: &str| fs::read(project.path(path)).expect("readable");
        assert_eq!(bytes(skipped), bytes(&format!("out/{skipped}")));
    }
}

#[test]
fn an_analysis_does_not_change_its_sources() {
    // C-53 C-67 C-93
    let project = action(&[("a.json", MESSY_JSON), ("b.py", "x = { }\n")]);
    let before = project.tree();
    run(&project, &analyze(&["a.json", "b.py"])).exits_with(0);
    run(&project, &check(&["a.json", "b.py"], &[])).exits_with(1);
    let after = project.tree();
    for (path, bytes) in before {
        assert_eq!(after.get(&path), Some(&bytes), "{}", path.display());
    }
}

#[test]
fn an_output_of_an_analysis_is_neither_an_input_nor_another_output() {
    let project = action(&[("a.json", MESSY_JSON), ("b.json", MESSY_JSON)]);
    let before = project.tree();
    for (report, canonical, complaint) in [
        ("out/report", "a.json", "the output a.json is also an input"),
        ("b.json", "out/a.json", "the output b.json is also an input"),
        ("out/report", "config/fixpoint.toml", "is also an input"),
        ("out/same", "out/same", "the output out/same is named twice"),
        ("out/a", "out/a/b", "the output out/a is named twice"),
    ] {
        let mut arguments = analyze(&["b.json"]);
        arguments.push(analyzed_file("a.json", report, canonical));
        run(&project, &arguments)
            .exits_with(3)
            .complains(complaint)
            .complains("Nothing was written");
        assert_eq!(project.tree(), before);
    }
}

#[test]
fn an_action_lists_what_it_could_not_check() {
    let project = action(&[
        ("conf/a.yaml", "name: a\n"),
        ("b.py", "x = 1\n"),
        ("m.clank", "use other.thing\n"),
    ]);
    project.write(
        "config/fixpoint.toml",
        "[validate]\nrules = [\"rules.yaml\"]\n\n[[validate.schema]]\nschema = \"schema.json\"\nfiles = [\"conf/**\"]\n",
    );
    run(&project, &analyze(&["conf/a.yaml", "b.py", "m.clank"])).exits_with(0);
    let show = |path: &str| {
        project
            .run(&["show", &format!("out/{path}.fix.pb")])
            .exits_with(0)
    };
    show("conf/a.yaml")
        .prints("not checked: the schema schema.json: ")
        .prints("not checked: the rules file rules.yaml: ");
    show("m.clank").prints("not checked: uses of the Clank module other.thing: ");
    assert!(!show("b.py").stdout.contains("not checked"));
}

#[test]
fn an_action_uses_the_configuration_that_is_passed_in() {
    let project = action(&[("a.json", MESSY_JSON), ("old/b.json", MESSY_JSON)]);
    project.write("config/fixpoint.toml", "exclude = [\"old/**\"]\n");
    run(&project, &analyze(&["a.json", "old/b.json"])).exits_with(0);
    assert_eq!(project.read("out/old/b.json"), MESSY_JSON);
    assert_eq!(project.read("out/old/b.json.fix.pb"), "");
    project.write("config/fixpoint.toml", "exlude = []\n");
    run(&project, &analyze(&["a.json"]))
        .exits_with(2)
        .complains("did you mean `exclude`?");
}

#[test]
fn a_check_fails_while_a_safe_fix_is_pending_and_names_the_file_and_the_command() {
    // C-55 C-57
    let project = action(&[("a.json", MESSY_JSON), ("b.json", CANONICAL_JSON)]);
    run(&project, &analyze(&["a.json", "b.json"])).exits_with(0);
    run(&project, &check(&["a.json", "b.json"], &["--generated=2"]))
        .exits_with(1)
        .prints("//a:b: examined 2 files (left out: 2 generated); 1 not canonical")
        .prints("a.json:1:1:")
        .prints("+{ \"b\": 1, \"a\": [1, 2] }")
        .prints("bazel run //:fix");
    assert!(!project.path("out/marker").exists());
    run(&project, &check(&["b.json"], &[])).exits_with(0);
    assert_eq!(project.read("out/marker"), "//a:b: examined 1 file\n");
}

#[test]
fn a_check_without_files_does_not_pass() {
    let project = action(&[("unknown.xyz", "")]);
    run(&project, &analyze(&["unknown.xyz"])).exits_with(0);
    run(&project, &check(&["unknown.xyz"], &[]))
        .exits_with(1)
        .prints("No file was examined");
    run(&project, &check(&["unknown.xyz"], &["--allow-empty"])).exits_with(0);
}

#[test]
fn a_file_that_does_not_parse_fails_a_check_and_the_others_are_reported() {
    let project = action(&[("a.json", "{"), ("b.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json", "b.json"])).exits_with(0);
    run(&project, &check(&["a.json", "b.json"], &[]))
        .exits_with(1)
        .prints("1 of them cannot be parsed")
        .prints("a.json:1:")
        .prints("+{ \"b\": 1, \"a\": [1, 2] }");
    run(&project, &check(&["a.json"], &[]))
        .exits_with(1)
        .prints("//a:b: examined 1 file, 1 of them cannot be parsed; 1 error");
    assert!(!project.path("out/marker").exists());
}

#[test]
fn a_check_examines_and_prints_a_file_once_however_often_it_is_named() {
    let project = action(&[("a.json", MESSY_JSON), ("unknown.xyz", "")]);
    run(&project, &analyze(&["a.json", "unknown.xyz"])).exits_with(0);
    let named = ["a.json", "unknown.xyz", "a.json", "unknown.xyz"];
    let ended = run(&project, &check(&named, &[]))
        .exits_with(1)
        .prints("//a:b: examined 1 file (left out: 1 of unknown language or excluded); 1 not canonical, 1 safe fix pending\n");
    assert_eq!(ended.stdout.matches("a.json:1:1:").count(), 1);
    assert_eq!(ended.stdout.matches("+++ b/a.json").count(), 1);
}

#[test]
fn a_check_rejects_a_report_for_another_text() {
    let project = action(&[("a.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json"])).exits_with(0);
    project.write("a.json", "{}");
    run(&project, &check(&["a.json"], &[]))
        .exits_with(3)
        .complains("the report for a.json was made from a different version of the file");
}

#[test]
fn views_show_the_content_of_the_report() {
    let project = action(&[("a.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json"])).exits_with(0);
    for (form, wanted) in [
        ("canonical", CANONICAL_JSON),
        ("diff", "+++ b/a.json"),
        ("json", "\"format-json\""),
    ] {
        project
            .run(&[
                "bazel",
                "view",
                &format!("--form={form}"),
                r#"--file={"source":"a.json","report":"out/a.json.fix.pb","output":"out/view"}"#,
            ])
            .exits_with(0);
        assert!(project.read("out/view").contains(wanted), "{form}");
    }
}

#[test]
fn a_test_reports_findings_and_fails_only_in_strict_mode() {
    // C-56 C-65
    let project = action(&[("a.json", MESSY_JSON)]);
    let test = [
        "bazel",
        "test",
        "--label=//:t",
        "--config=config/fixpoint.toml",
        "--path=a.json",
    ];
    project
        .run(&test)
        .exits_with(0)
        .prints("1 not canonical")
        .prints("permissive: this does not fail");
    let strict: Vec<&str> = test.iter().copied().chain(["--strict"]).collect();
    project
        .run(&strict)
        .exits_with(1)
        .prints("bazel run //:fix");
    let by_file: Vec<&str> = test.iter().copied().chain(["--mode-file=mode"]).collect();
    for (mode, status) in [("\n", 0), ("permissive\n", 0), ("strict\n", 1)] {
        project.write("mode", mode);
        project.run(&by_file).exits_with(status);
    }
    project.write("a.json", CANONICAL_JSON);
    for arguments in [strict, by_file] {
        let ended = project.run(&arguments).exits_with(0);
        ended.prints("examined 1 file");
    }
}

#[test]
fn a_worker_answers_each_request_with_the_bytes_an_action_writes() {
    let project = action(&[("a.json", MESSY_JSON), ("ä b.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json", "ä b.json"])).exits_with(0);
    let plain = fs::read(project.path("out/ä b.json.fix.pb")).expect("written");
    fs::remove_dir_all(project.path("out")).expect("removed");

    let request = |request_id: i32, arguments: Vec<String>, sandbox: &str| {
        let request = WorkRequest {
            arguments: arguments[1..].to_vec(),
            request_id,
            sandbox_dir: sandbox.to_owned(),
            ..WorkRequest::default()
        };
        request.encode_length_delimited_to_vec()
    };
    fs::create_dir_all(project.path("box/config")).expect("made");
    project.write("box/config/fixpoint.toml", "");
    project.write("box/a.json", MESSY_JSON);
    let cancel = WorkRequest {
        request_id: 1,
        cancel: true,
        ..WorkRequest::default()
    };
    let requests = [
        request(1, analyze(&["ä b.json"]), ""),
        request(2, analyze(&["missing.json"]), ""),
        request(3, analyze(&["a.json"]), "box"),
        cancel.encode_length_delimited_to_vec(),
    ]
    .concat();
    let worker = ["bazel", "--persistent_worker"];
    let answers = |requests: &[u8]| {
        let mut command = project.command(&worker);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.spawn().expect("it starts");
        let mut stdin = process.stdin.take().expect("piped");
        stdin.write_all(requests).expect("read");
        drop(stdin);
        let output = process.wait_with_output().expect("it ends");
        assert!(output.status.success());
        let mut rest = &*output.stdout;
        let mut answers = Vec::new();
        while !rest.is_empty() {
            answers.push(WorkResponse::decode_length_delimited(&mut rest).expect("an answer"));
        }
        answers.sort_by_key(|answer| answer.request_id);
        answers
    };
    let analyzed = answers(&requests);
    let codes: Vec<_> = analyzed.iter().map(|it| it.exit_code).collect();
    assert_eq!(codes, [0, 3, 0]);
    let output = &analyzed[1].output;
    assert!(output.contains("missing.json"), "{output}");
    let written = fs::read(project.path("out/ä b.json.fix.pb")).expect("written");
    assert_eq!(written, plain);
    assert_eq!(project.read("box/out/a.json"), CANONICAL_JSON);

    // A check fails with what it prints.
    let checked = answers(&request(4, check(&["ä b.json"], &[]), ""));
    assert_eq!(checked[0].exit_code, 1);
    let output = &checked[0].output;
    assert!(
        output.contains("ä b.json:1:1: not in canonical form"),
        "{output}"
    );

    for invalid in [
        &b"no request"[..],
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x09\x0a",
    ] {
        project.run_with_input(&worker, invalid).exits_with(2);
    }
}

#[test]
fn bazel_run_fixes_the_whole_workspace_from_wherever_it_is_called() {
    // C-60 C-61
    let project = Project::new(&[
        ("BUILD", "x( name='a' )\n"),
        ("sub/a.json", MESSY_JSON),
        ("sub/below/b.json", MESSY_JSON),
    ]);
    bazel_run(&project, &["--diff"])
        .exits_with(0)
        .prints("+++ b/sub/a.json");
    bazel_run(&project, &["--check"])
        .exits_with(1)
        .prints("workspace: examined")
        .prints("bazel run //:fix");
    assert_eq!(project.read("sub/a.json"), MESSY_JSON);

    let mut below = fix_program(&project, "bazel\nfix\n");
    below
        .env("BUILD_WORKSPACE_DIRECTORY", project.root())
        .env("BUILD_WORKING_DIRECTORY", project.path("sub/below"));
    Ended::from(below.arg("b.json").output().expect("it runs"))
        .exits_with(0)
        .prints("Fixed sub/below/b.json");
    assert_eq!(project.read("sub/a.json"), MESSY_JSON);

    let mut whole = fix_program(&project, "bazel\nfix\n");
    whole
        .env("BUILD_WORKSPACE_DIRECTORY", project.root())
        .env("BUILD_WORKING_DIRECTORY", project.path("sub/below"));
    Ended::from(whole.output().expect("it runs"))
        .exits_with(0)
        .prints("Fixed BUILD")
        .prints("Fixed sub/a.json");
    bazel_run(&project, &["--check"]).exits_with(0);
}

#[test]
fn outside_of_bazel_run_the_program_says_how_to_start_it() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let ended = fix_program(&project, "bazel\nfix\n")
        .output()
        .expect("runs");
    Ended::from(ended)
        .exits_with(2)
        .complains("start it with `bazel run //:fix`");
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn reports_of_a_target_are_applied_and_stale_ones_rejected() {
    let project = action(&[("a.json", MESSY_JSON), ("other.json", MESSY_JSON)]);
    run(&project, &analyze(&["a.json"])).exits_with(0);
    let program = || {
        let arguments = "bazel\nfix\n--from-targets\n--report=out/a.json.fix.pb\n";
        let mut command = fix_program(&project, arguments);
        command.env("BUILD_WORKSPACE_DIRECTORY", project.root());
        Ended::from(command.output().expect("it runs"))
    };
    project.write("a.json", "{\"b\":2}");
    program()
        .exits_with(3)
        .complains("a.json: the report of the build is out of date")
        .complains("nothing was written");
    assert_eq!(project.read("a.json"), "{\"b\":2}");
    project.write("a.json", MESSY_JSON);
    program().exits_with(0).prints("Fixed a.json");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("other.json"), MESSY_JSON);
    program().exits_with(0).prints("Fixed 0");
}

#[test]
fn a_file_in_the_current_folder_does_not_add_arguments() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project.write("fixpoint.fixpoint-args", "fix\n");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_fixpoint"));
    let mut command = Command::new("fixpoint");
    command
        .arg("check")
        .current_dir(project.root())
        .env_clear()
        .env("PATH", binary.parent().expect("a folder"));
    Ended::from(command.output().expect("it runs")).exits_with(0);
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn a_rule_with_targets_fixes_only_their_files() {
    let project = action(&[("a.json", MESSY_JSON)]);
    let outside = Project::new(&[("b.json", MESSY_JSON)]);
    symlink(outside.path("b.json"), project.path("out.json")).expect("linked");
    run(&project, &analyze(&["a.json", "out.json"])).exits_with(0);
    let start =
        "bazel\nfix\n--from-targets\n--report=out/a.json.fix.pb\n--report=out/out.json.fix.pb\n";
    let with_targets = |arguments: &[&str]| {
        let mut command = fix_program(&project, start);
        command.env("BUILD_WORKSPACE_DIRECTORY", project.root());
        Ended::from(command.args(arguments).output().expect("it runs"))
    };
    for argument in ["--audit", "--from-build", "--changed", "a.json"] {
        with_targets(&[argument])
            .exits_with(2)
            .complains("this target fixes the files of its `targets`");
    }
    with_targets(&[])
        .exits_with(0)
        .complains("skipped: out.json: a link that leads out of the workspace")
        .prints("Fixed a.json");
    assert_eq!(outside.read("b.json"), MESSY_JSON);
}

#[test]
fn a_folder_among_the_sources_is_left_out_and_has_no_canonical_text() {
    let project = action(&[("a.json", MESSY_JSON), ("folder/b.json", MESSY_JSON)]);
    let folder = r#"--file={"source":"folder","path":"folder","report":"out/folder.fix.pb"}"#;
    let mut arguments = analyze(&["a.json"]);
    arguments.push(folder.to_owned());
    run(&project, &arguments).exits_with(0);
    assert_eq!(project.read("out/folder.fix.pb"), "");
    assert_eq!(project.read("out/a.json"), CANONICAL_JSON);
    run(&project, &check(&["folder"], &["--allow-empty"])).exits_with(0);
    run(&project, &analyze_with_map("folder"))
        .exits_with(2)
        .complains("folder is a folder, which has no canonical text");
}

#[test]
fn a_name_that_is_not_utf8_is_reported() {
    let project = action(&[("a.json", MESSY_JSON)]);
    let mut command = project.command(&["bazel", "analyze", "--config=config/fixpoint.toml"]);
    let name = OsStr::from_bytes(b"--file={\"path\":\"bad\xff.json\"}");
    Ended::from(command.arg(name).output().expect("it runs"))
        .exits_with(2)
        .complains("bad\u{fffd}.json\"} is not UTF-8");
}

#[test]
fn a_change_of_a_very_long_line_is_cut() {
    let text = format!("[{}1]", "1,".repeat(100_000));
    let project = action(&[("a.json", text.as_str())]);
    run(&project, &analyze(&["a.json"])).exits_with(0);
    let ended = run(&project, &check(&["a.json"], &[])).exits_with(1);
    assert!(ended.stdout.len() + ended.stderr.len() < 40_000);
    ended.prints("a.json:1:1: not in canonical form");
}

#[test]
fn messages_about_canonical_texts_are_mapped_to_lines_of_the_source() {
    let source = "def f( ):\n\n\n\n  return   1/0\n\n\n\n\nf( )\n";
    let project = action(&[("app/p.py", source)]);
    run(&project, &analyze_with_map("app/p.py")).exits_with(0);
    let log = "out/app/p.py: In function 'f':\n\
               out/app/p.py:3:5: error: no\n\
               \x20 File \"out/app/p.py\", line 6, in <module>\n\
               (out/app/p.py:6) and other.py:3:5: untouched\n";
    let ended = project
        .run_with_input(&["map"], log.as_bytes())
        .exits_with(0);
    let expected = "app/p.py: In function 'f':\n\
                    app/p.py:5:3: error: no\n\
                    \x20 File \"app/p.py\", line 10, in <module>\n\
                    (app/p.py:10) and other.py:3:5: untouched\n";
    assert_eq!(ended.stdout, expected);
}
