//! `check`: computes findings and fixes, and writes no source file.

use crate::project::{CANONICAL_JSON, MESSY_JSON, Project};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn findings_are_reported_and_nothing_is_written() {
    // C-01 C-08 C-10 C-45 C-46 C-85 C-93c X-41: there is not even a PATH to find another tool by.
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("dir/b.yaml", "a:   1\n"),
        ("c.toml", "a = 1\n"),
    ]);
    let before = project.tree();
    project
        .run(&["check"])
        .exits_with(0)
        .prints("warning[format-json]: not in canonical form")
        .prints("--> a.json:1:1")
        .prints("warning[format-yaml]")
        .prints("Checked 4 files: 2 are not canonical, 2 safe fixes pending; `fixpoint fix` applies them");
    for form in ["json", "diff", "human"] {
        project
            .run(&["check", &format!("--format={form}")])
            .exits_with(0);
    }
    assert_eq!(project.tree(), before);
}

#[test]
fn strict_fails_where_permissive_only_reports() {
    // C-56 C-57 C-65 C-90 C-93e: permissive is the default.
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project
        .run(&["check"])
        .exits_with(0)
        .prints("permissive: this does not fail");
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints("strict: this fails");
    // An error fails the check, and the mode is not mentioned.
    project.write("b.json", "{\"a\": }\n");
    let failed = project.run(&["check"]).exits_with(1).stdout;
    assert!(!failed.contains("permissive"), "{failed}");
    project.write("a.json", CANONICAL_JSON);
    project.write("b.json", CANONICAL_JSON);
    project
        .run(&["check", "--strict"])
        .exits_with(0)
        .prints("Checked 3 files: all canonical");
}

#[test]
fn strict_fails_if_no_file_was_checked() {
    let project = Project::new(&[]);
    project.write("fixpoint.toml", "exclude = [\"fixpoint.toml\"]\n");
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints("Checked 0 files");
    project.run(&["check"]).exits_with(0);
}

#[test]
fn a_syntax_error_fails_in_both_modes_and_is_not_a_style_finding() {
    // C-14
    let project = Project::new(&[("a.json", "{\"a\": }\n")]);
    project
        .run(&["check"])
        .exits_with(1)
        .prints("error[syntax]")
        .prints("--> a.json:1:7");
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints("Checked 2 files, 1 error");
}

#[test]
fn git_applies_the_diff() {
    // C-47
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("with space/b.py", "x = { }\r\ny = [ ]\r\n"),
        ("c.md", "* item\n"),
        ("gone.yaml", "\n\n"),
    ]);
    let diff = project
        .run(&["check", "--format=diff"])
        .exits_with(0)
        .stdout;
    project.write("../patch.diff", &diff);
    project.git(&["init", "-q"]);
    let patch = project.path("../patch.diff");
    project.git(&[
        "apply",
        "--whitespace=nowarn",
        patch.to_str().expect("UTF-8"),
    ]);
    std::fs::remove_file(&patch).expect("removed");
    assert_eq!(project.read("a.json"), CANONICAL_JSON);
    assert_eq!(project.read("with space/b.py"), "x = {}\r\ny = []\r\n");
    assert_eq!(project.read("c.md"), "- item\n");
    project.run(&["check", "--strict"]).exits_with(0);
}

#[test]
fn reports_are_written_in_both_forms_with_the_same_content() {
    // C-28 C-29 C-30 C-47 C-82
    let project = Project::new(&[("dir/a.json", MESSY_JSON), ("b.toml", "a = 1\n")]);
    let out = tempfile::tempdir().expect("a folder");
    let out_path = out.path().to_str().expect("UTF-8");
    project
        .run(&["check", "--report-dir", out_path])
        .exits_with(0);
    let read = |name: &str| std::fs::read(out.path().join(name)).expect(name);
    for name in ["dir/a.json", "b.toml", "fixpoint.toml"] {
        let binary =
            fixpoint_report::from_protobuf(&read(&format!("{name}.fix.pb"))).expect("protobuf");
        let text = fixpoint_report::from_json(&read(&format!("{name}.fix.json"))).expect("JSON");
        assert_eq!(binary, text);
        assert_eq!(binary.path(), name);
    }
    let report = json(&String::from_utf8(read("dir/a.json.fix.json")).expect("UTF-8"));
    let fix = &report["fixes"][0];
    assert_eq!(
        (&fix["phase"], &fix["rule"], &fix["safety"]),
        (
            &"format".into(),
            &"format-json".into(),
            &"behavior_preserving".into()
        )
    );
    assert_eq!(report["diagnostics"][0]["fix_ids"][0], fix["id"]);
}

#[test]
fn formatting_is_reported_as_edits_of_the_changed_lines() {
    // C-40 C-87
    let project = Project::new(&[("a.py", "a = 1\nb=2\nc = 3\nd=4\n")]);
    let document = json(
        &project
            .run(&["check", "--format=json"])
            .exits_with(0)
            .stdout,
    );
    let edits = document["reports"][0]["canonical"]["edits"]
        .as_array()
        .expect("edits")
        .clone();
    let places: Vec<_> = edits
        .iter()
        .map(|edit| {
            (
                edit["start"].as_u64(),
                edit["end"].as_u64(),
                edit["replacement"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            (Some(6), Some(10), Some("b = 2\n")),
            (Some(16), Some(20), Some("d = 4\n"))
        ]
    );
}

#[test]
fn output_does_not_depend_on_order_threads_or_place() {
    // C-07 C-35 F-52 F-53 F-54 F-55 F-56 F-57 F-58 X-09
    let files: Vec<(String, String)> = (0..60)
        .map(|n| {
            (
                format!("d{}/f{n}.json", n % 7),
                format!("{{\"n\":{n},\n\"x\":[{n}]}}"),
            )
        })
        .collect();
    let mut outputs = Vec::new();
    for (order, jobs) in [(1usize, "1"), (7, "4"), (13, "2")] {
        let project = Project::new(&[]);
        for index in 0..files.len() {
            let (path, text) = &files[index * order % files.len()];
            project.write(path, text);
        }
        for (path, text) in &files {
            project.write(path, text);
        }
        let output = project
            .run(&["check", "--format=json", "--jobs", jobs])
            .exits_with(0)
            .stdout;
        assert!(
            !output.contains(project.root().to_str().expect("UTF-8")),
            "an absolute path"
        );
        outputs.push(output);
    }
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
}

#[test]
fn an_unreadable_file_is_a_failure_and_not_a_finding() {
    // C-83
    let project = Project::new(&[("a.json", CANONICAL_JSON), ("b.json", "\"\u{e4}\"\n")]);
    project.write("b.json", [b'"', 0xe4, b'"']);
    let ended = project
        .run(&["check", "b.json", "a.json", "--format=json"])
        .exits_with(3)
        .complains("b.json");
    let document = json(&ended.stdout);
    assert_eq!(document["reports"].as_array().map(Vec::len), Some(0));
    assert_eq!(document["failed"][0]["path"], "b.json");
    assert_eq!(document["summary"]["files"], 1);
}

#[test]
fn a_file_that_is_not_text_is_skipped_with_a_warning_unless_it_was_named() {
    let project = Project::new(&[("a.json", CANONICAL_JSON), ("picture.png", "\u{0}")]);
    project.write("b.md", b"caf\xe9\n");
    project
        .run(&["check"])
        .exits_with(0)
        .complains("skipped: b.md")
        .prints("Checked 2 files");
}

#[test]
fn changed_selects_the_files_that_git_reports() {
    let project = Project::new(&[("old.json", MESSY_JSON), ("edited.json", CANONICAL_JSON)]);
    project.git(&["init", "-q"]);
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "first"]);
    project.write("edited.json", MESSY_JSON);
    project.write("new.json", MESSY_JSON);
    let run = |arguments: &[&str]| {
        let path = std::env::var_os("PATH").expect("git is on it");
        let output = project
            .command(arguments)
            .env("PATH", path)
            .output()
            .expect("runs");
        crate::project::Ended::from(output)
    };
    let ended = run(&["check", "--changed", "--strict"])
        .exits_with(1)
        .prints("edited.json")
        .prints("new.json");
    assert!(!ended.stdout.contains("old.json"));
    run(&["check", "--changed=HEAD"])
        .exits_with(0)
        .prints("Checked 2 files");
    run(&["check", "--changed=nonsense"])
        .exits_with(3)
        .complains("nonsense");
    run(&["check", "--changed=--output=x"]).exits_with(3);
}

#[test]
fn commands_that_check_or_build_have_no_option_that_writes_sources() {
    // C-05
    let program = "fn main()->IO+Unit{println(\"x\")}\n";
    let project = Project::new(&[("a.json", MESSY_JSON), ("a.clank", program)]);
    let commands: [&[&str]; 4] = [
        &["check"],
        &["build", "--output=out"],
        &["run", "a.clank"],
        &["compile", "a.clank"],
    ];
    for command in commands {
        project.run(command).exits_with(0);
        project
            .run(&[command, &["--fix"]].concat())
            .exits_with(2)
            .complains("unexpected argument '--fix'");
    }
    assert_eq!(project.read("a.clank"), program);
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn color_is_used_on_terminals_and_on_request() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    assert!(!project.run(&["check"]).stdout.contains('\u{1b}'));
    assert!(
        project
            .run(&["check", "--color=always"])
            .stdout
            .contains("\u{1b}[")
    );
    let output = project
        .command(&["check"])
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "0")
        .output()
        .expect("runs");
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn help_teaches_every_command() {
    let project = Project::new(&[]);
    let help = project.run(&["--help"]).exits_with(0).stdout;
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // A command is indented by two spaces, and the lines after its first by more.
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands
        .filter(|it| !it.is_empty() && *it != "help")
        .collect();
    assert!(commands.len() > 8, "{help}");
    for command in commands {
        project
            .run(&[command, "--help"])
            .exits_with(0)
            .prints("Usage: fixpoint");
    }
    assert!(help.contains("Exit status: 0 clean or done"));
}

#[test]
fn a_report_overwrites_only_another_report() {
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("a.json.fix.json", "{ \"precious\": 1 }\n"),
    ]);
    let before = project.tree();
    project
        .run(&["check", "--report-dir", "."])
        .exits_with(3)
        .complains("a.json.fix.json exists and is not a report");
    assert_eq!(project.tree(), before);
    project.run(&["check", "--report-dir", "out"]).exits_with(0);
    project
        .run(&["check", "a.json", "--report-dir", "out"])
        .exits_with(0);
}

#[test]
fn reports_are_not_written_through_links_of_the_workspace() {
    let outside = tempfile::tempdir().expect("a folder");
    let project = Project::new(&[("src/a.json", MESSY_JSON)]);
    let link = |path: &str| {
        std::os::unix::fs::symlink(outside.path(), project.path(path)).expect("a link");
    };
    link("out");
    for folder in [
        "out",
        "out/",
        "out/deep",
        "./out/new",
        "src/../out",
        "out/../b",
    ] {
        project
            .run(&["check", "--report-dir", folder])
            .exits_with(3)
            .complains("is a symbolic link of the workspace")
            .complains("Nothing was written");
    }
    // The same for a link below the folder.
    std::fs::create_dir(project.path("reports")).expect("a folder");
    link("reports/src");
    project
        .run(&["check", "--report-dir", "reports"])
        .exits_with(3)
        .complains("src is not a folder");
    let left = std::fs::read_dir(outside.path()).expect("a folder").count();
    assert_eq!(left, 0);
    assert!(!outside.path().with_file_name("b").exists());
}

#[test]
fn duplicate_keys_in_toml_are_errors() {
    for text in [
        "a = 1\na = 2\n",
        "[a]\n\n[a]\n",
        "a.b = 1\n\n[a]\nb = 2\n",
        "a = { b = 1, b = 2 }\n",
    ] {
        let project = Project::new(&[("a.toml", text)]);
        for command in [&["check"][..], &["check", "--strict"], &["fix"]] {
            project.run(command).exits_with(1).prints("a.toml");
        }
        assert_eq!(project.read("a.toml"), text);
    }
}

#[test]
fn duplicate_keys_in_json_and_yaml_fail_strict_and_templates_are_exempt() {
    for (path, text) in [
        ("a.json", "{ \"a\": 1, \"b\": { \"c\": 1, \"c\": 1 } }\n"),
        ("a.jsonc", "// x\n{ \"a\": 1, \"a\": 2 }\n"),
        ("a.yaml", "a: 1\nb: 2\na: 3\n"),
        ("a.yml", "x: 1\n---\n- a: 1\n  'a': 1\n"),
    ] {
        let project = Project::new(&[(path, text)]);
        let strict = project.run(&["check", "--strict"]).exits_with(1);
        strict.prints("document-duplicate-key");
        assert_eq!(project.read(path), text);
    }
    let project = Project::new(&[("a.yaml", "a: &a\n  b: 1\n  b: 2\nc: *a\n")]);
    let said = project.run(&["check"]).exits_with(1).prints("a.yaml:3:3");
    assert_eq!(said.stdout.matches("[document-duplicate-key]").count(), 1);
    let project = Project::new(&[
        ("chart/Chart.yaml", "name: x\n"),
        (
            "chart/templates/a.yaml",
            "{{ if .x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n",
        ),
        (
            "jinja.yaml",
            "# {% if x %}\na: 1\n# {% else %}\na: 2\n# {% endif %}\n",
        ),
        (
            "merged.yaml",
            "a: &a { x: 1 }\nb: &b { y: 1 }\nc:\n  <<: *a\n  <<: *b\n",
        ),
        ("package.json", "{\n  \"//\": \"x\",\n  \"//\": \"y\"\n}\n"),
    ]);
    project.run(&["check", "--strict"]).exits_with(0);
}

#[test]
fn a_name_cannot_forge_a_line_of_the_output() {
    let project = Project::new(&[("a\n::error::forged\n.json", MESSY_JSON)]);
    for command in [&["check"][..], &["fix"]] {
        let ended = project.run(command).exits_with(0);
        assert!(
            !ended.stdout.lines().any(|line| line.starts_with("::error")),
            "{}",
            ended.stdout
        );
    }
}

#[test]
fn the_column_is_counted_in_the_file_and_not_in_the_excerpt() {
    let project = Project::new(&[("a.py", &format!("x = \"{}\" )\n", "a".repeat(1000)))]);
    project.run(&["check"]).exits_with(1).prints("a.py:1:1008");
}

#[test]
fn paths_in_two_workspaces_are_rejected() {
    let (one, two) = (
        Project::new(&[("a.json", MESSY_JSON)]),
        Project::new(&[("b.json", MESSY_JSON)]),
    );
    let other = two.path("b.json");
    one.run(&["fix", "a.json", other.to_str().expect("UTF-8")])
        .exits_with(2)
        .complains("different workspaces");
    assert_eq!(one.read("a.json"), MESSY_JSON);
}

#[test]
fn strict_fails_on_code_that_nests_too_deep_to_parse() {
    let brackets = |count| {
        format!(
            "x = {}1{};\nvar = ;\n",
            "[".repeat(count),
            "]".repeat(count)
        )
    };
    let project = Project::new(&[("deep.js", &brackets(19)), ("flat.js", &brackets(1))]);
    let deep = project.run(&["check", "deep.js"]).exits_with(0);
    deep.prints("nested-too-deeply");
    project.run(&["check", "--strict", "deep.js"]).exits_with(1);
    project.run(&["check", "--strict", "flat.js"]).exits_with(1);
}
