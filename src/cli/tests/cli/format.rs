//! `format`, `show` and `explain`: they print and never write.

use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};

#[test]
fn canonical_text_goes_to_standard_output() {
    // C-42 C-43 C-54: what a build would compile from, while the file stays as it is.
    let project = Project::new(&[("a.json", MESSY_JSON), ("b.py", "x = { }\n")]);
    let before = project.tree();
    assert_eq!(
        project.run(&["format", "a.json"]).exits_with(0).stdout,
        CANONICAL_JSON
    );
    assert_eq!(
        project
            .run(&["format", "a.json", "b.py"])
            .exits_with(0)
            .stdout,
        format!("{CANONICAL_JSON}x = {{}}\n")
    );
    assert_eq!(project.tree(), before);
}

#[test]
fn standard_input_takes_its_language_from_the_name() {
    let project = Project::new(&[]);
    let input = |path: &str, text: &str| {
        project.run_with_input(&["format", "--stdin", "--path", path], text.as_bytes())
    };
    assert_eq!(
        input("x.jsonc", "{\"a\":1,}").exits_with(0).stdout,
        "{ \"a\": 1 }\n"
    );
    assert_eq!(
        input("dir/script", "#!/usr/bin/env python3\nx = { }\n")
            .exits_with(0)
            .stdout,
        "#!/usr/bin/env python3\nx = {}\n"
    );
    assert_eq!(input("x.json", "").exits_with(0).stdout, "");
    input("x.unknown", "text")
        .exits_with(3)
        .complains("x.unknown");
    project
        .run_with_input(&["format", "--stdin", "--path", "x.json"], b"\xff")
        .exits_with(3)
        .complains("standard input");
    project.run(&["format", "--stdin"]).exits_with(2);
    project.run(&["format"]).exits_with(2);
}

/// The GraphQL printer moves these comments each time, so its output is not used.
#[test]
fn a_text_that_a_printer_would_damage_is_reported_and_not_printed() {
    let project = Project::new(&[("a.graphql", "union A # c\n = # d\n | # e\n B\n")]);
    let ended = project
        .run(&["format", "a.graphql"])
        .exits_with(1)
        .complains("warning[printer-fault]")
        .complains("a.graphql:1:1");
    assert_eq!(ended.stdout, "");
    let before = project.tree();
    project
        .run(&["fix", "a.graphql"])
        .exits_with(0)
        .prints("printer-fault");
    assert_eq!(project.tree(), before);
}

#[test]
fn a_syntax_error_is_shown_with_its_location() {
    let project = Project::new(&[("a.json", MESSY_JSON), ("bad.py", "x = 1\ndef f(:\n")]);
    let ended = project
        .run(&["format", "bad.py", "a.json"])
        .exits_with(1)
        .complains("error[syntax]")
        .complains("bad.py:2:");
    assert_eq!(ended.stdout, CANONICAL_JSON);
}

#[test]
fn two_texts_that_differ_in_layout_have_one_canonical_form() {
    // C-42 C-93b
    let project = Project::new(&[]);
    let format = |text: &str| {
        project
            .run_with_input(&["format", "--stdin", "--path", "a.py"], text.as_bytes())
            .exits_with(0)
            .stdout
    };
    let canonical = format("x=[1,2] # two\n");
    assert_eq!(canonical, "x = [1, 2]  # two\n");
    assert_eq!(format("x   =  [ 1,2 ]   # two\n"), canonical);
    assert_eq!(format(&canonical), canonical);
}

#[test]
fn switching_a_language_off_leaves_its_files_alone() {
    // C-90
    let project = Project::new(&[("a.json", MESSY_JSON), ("b.py", "x = { }\n")]);
    project.write("fixpoint.toml", "[language.json]\nenabled = false\n");
    project
        .run(&["check", "--strict", "a.json", "fixpoint.toml"])
        .exits_with(0)
        .complains("skipped: a.json");
    project.run(&["fix"]).exits_with(0);
    assert_eq!(project.read("a.json"), MESSY_JSON);
    assert_eq!(project.read("b.py"), "x = {}\n");
}

#[test]
fn width_and_indent_come_from_the_configuration() {
    let project = Project::new(&[("a.py", "def f(aaaaaaaaaa, bbbbbbbbbb):\n    return 1\n")]);
    project.write(
        "fixpoint.toml",
        "[language.python]\nline_width = 20\nindent = 2\n",
    );
    let expected = "def f(\n  aaaaaaaaaa,\n  bbbbbbbbbb,\n):\n  return 1\n";
    assert_eq!(
        project.run(&["format", "a.py"]).exits_with(0).stdout,
        expected
    );
}

#[test]
fn a_wrong_configuration_stops_every_command_with_advice() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project.write("fixpoint.toml", "exlude = [\"x\"]\n");
    for command in [&["check"][..], &["fix"], &["format", "a.json"]] {
        project
            .run(command)
            .exits_with(2)
            .complains("did you mean `exclude`?")
            .complains("fixpoint.toml:1:1");
    }
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn excluded_and_git_ignored_files_are_not_examined() {
    let project = Project::new(&[
        ("a.json", MESSY_JSON),
        ("third_party/b.json", MESSY_JSON),
        ("out/c.json", MESSY_JSON),
    ]);
    project.write(".gitignore", "out/\n");
    project.write("fixpoint.toml", "exclude = [\"third_party/**\"]\n");
    project
        .run(&["fix"])
        .exits_with(0)
        .prints("Fixed 1 of 2 files");
    assert_eq!(project.read("third_party/b.json"), MESSY_JSON);
    assert_eq!(project.read("out/c.json"), MESSY_JSON);
    let editor = ["format", "--stdin", "--path", "third_party/b.json"];
    let printed = project.run_with_input(&editor, MESSY_JSON.as_bytes());
    assert_eq!(printed.exits_with(0).stdout, MESSY_JSON);
}

#[test]
fn files_that_a_users_global_git_rules_ignore_are_not_examined() {
    let project = Project::new(&[("a.json", MESSY_JSON), ("mine.json", MESSY_JSON)]);
    let home = Project::new(&[]);
    let check = || {
        let mut command = project.command(&["check", "--strict"]);
        Ended::from(command.env("HOME", home.root()).output().expect("run"))
    };
    check().prints("Checked 3 files");

    home.write(".config/git/ignore", "mine.json\n");
    check().prints("Checked 2 files");

    home.write(".config/git/ignore", "");
    home.write("rules", "mine.json\n");
    let rules = home.path("rules");
    home.write(
        ".gitconfig",
        format!("[core]\n\texcludesFile = {}\n", rules.display()),
    );
    check().prints("Checked 2 files");
}

#[test]
fn comments_keep_regions_and_lines_unchanged() {
    let text = "x = { }\n# fixpoint: off\ny = { }\n# fixpoint: on\nz = { }\nw = { }  # fixpoint: ignore[format-python]\n";
    let project = Project::new(&[("a.py", text)]);
    project.run(&["fix"]).exits_with(0);
    let expected = "x = {}\n# fixpoint: off\ny = { }\n# fixpoint: on\nz = {}\nw = { }  # fixpoint: ignore[format-python]\n";
    assert_eq!(project.read("a.py"), expected);
    project.run(&["check", "--strict"]).exits_with(0);
}

#[test]
fn a_report_is_shown_for_people_and_as_json() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let out = tempfile::tempdir().expect("a folder");
    project
        .run(&["check", "--report-dir", out.path().to_str().expect("UTF-8")])
        .exits_with(0);
    let report = out.path().join("a.json.fix.pb");
    let report = report.to_str().expect("UTF-8");
    project
        .run(&["show", report])
        .exits_with(0)
        .prints("a.json (json, ")
        .prints("not in canonical form")
        .prints("behavior_preserving, high confidence, local_fix")
        .prints("ended as fixpoint after 1 round");
    let json = project
        .run(&["show", "--format=json", report])
        .exits_with(0)
        .stdout;
    assert_eq!(
        json.into_bytes(),
        std::fs::read(out.path().join("a.json.fix.json")).expect("there")
    );
    project
        .run(&["show", "--format=diff", report])
        .exits_with(0)
        .prints("--- a/a.json");
    project.write("a.json", "{}\n");
    project
        .run(&["show", report])
        .exits_with(0)
        .prints("(bytes 0..");
    project
        .run(&["show", "--format=diff", report])
        .exits_with(3)
        .complains("has changed since");
    project
        .run(&["show", "a.json"])
        .exits_with(3)
        .complains("the report lacks required fields: schema_version");
}

#[test]
fn every_rule_can_be_explained() {
    // C-91
    let project = Project::new(&[]);
    let listing = project.run(&["explain"]).exits_with(0).stdout;
    let rules: Vec<&str> = listing
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(
        rules.contains(&"format-json") && rules.contains(&"syntax"),
        "{listing}"
    );
    for rule in rules {
        project
            .run(&["explain", rule])
            .exits_with(0)
            .prints(rule)
            .prints("Why: ")
            .prints("Safety: ");
    }
    project
        .run(&["explain", "format-jsn"])
        .exits_with(2)
        .complains("did you mean `format-json`?");
}

#[test]
fn contents_are_printed_byte_for_byte() {
    let text = "x = \"\u{1b}[31mred\u{1b}[0m \u{7}\u{8}\"\n";
    let project = Project::new(&[("a.py", text)]);
    assert_eq!(project.run(&["format", "a.py"]).exits_with(0).stdout, text);
    project.write("a.py", text.replace(" = ", "="));
    let diff = project.run(&["check", "--format=diff"]).stdout;
    assert!(diff.contains("\u{1b}[31mred"), "{diff}");
}

#[test]
fn a_template_is_reported_and_not_changed() {
    let text = "<p>{%  if a %}b{% endif %}   {{ c }}</p>\n";
    let project = Project::new(&[("a.html", text)]);
    project
        .run(&["check", "--strict"])
        .exits_with(0)
        .prints("a template");
    project.run(&["fix"]).exits_with(0);
    assert_eq!(project.read("a.html"), text);
}

#[test]
fn explaining_a_phase_lists_its_rules() {
    let project = Project::new(&[]);
    project
        .run(&["explain", "format"])
        .exits_with(0)
        .prints("format-json");
}
