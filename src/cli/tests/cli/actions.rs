//! `apply --actions`: changes documents by JSON pointer.

use std::os::unix::fs::symlink;

use crate::project::Project;

/// A pack of one action per list of ops.
fn pack(actions: &[(&str, &str)]) -> String {
    let actions = actions.iter().map(|(id, ops)| {
        format!(
            "  - id: {id}\n    title: The action {id}\n    severity: error\n    targets:\n      \
             - {{file: app.yaml, json_pointer: /app, rule_id: RULE}}\n    ops:\n      [{ops}]\n"
        )
    });
    let actions: String = actions.collect();
    format!("pack_version: '1'\nworkspace_root: .\nfix_actions:\n{actions}")
}

const APP: &str = "# The application.\napp:\n  name: old # its name\n  tags: [a, b]\n";
const NAME: &str = "{op: replace_value, file: app.yaml, json_pointer: /app/name, value: new}";

#[test]
fn one_command_applies_actions_and_keeps_all_other_text() {
    // F-11 F-21 X-47
    let project = Project::new(&[("app.yaml", APP), ("p.yaml", &pack(&[("A", NAME)]))]);
    project
        .run(&["apply", "--actions", "p.yaml", "--dry-run"])
        .exits_with(0)
        .prints("Would apply A: The action A");
    assert_eq!(project.read("app.yaml"), APP);
    project
        .run(&["apply", "--actions", "p.yaml", "--diff"])
        .exits_with(0)
        .prints("-  name: old # its name\n+  name: new # its name\n");
    assert_eq!(project.read("app.yaml"), APP);
    project
        .run(&["apply", "--actions", "p.yaml"])
        .exits_with(0)
        .prints("Applied A: The action A\nApplied 1 of 1 action to 1 file; 0 rejected\n");
    assert_eq!(project.read("app.yaml"), APP.replace("old", "new"));
    assert!(!project.path(".fixpoint").exists());
}

#[test]
fn a_failing_action_is_reported_and_the_others_are_applied() {
    // F-50 F-51 X-21
    let failing = format!(
        "{NAME}, {{op: add_value, file: app.yaml, json_pointer: /app, key: name, value: 1}}"
    );
    let tags = "{op: insert_array_item, file: app.yaml, json_pointer: /app/tags, value: c}";
    let pack = pack(&[("BAD", &failing), ("GOOD", tags)]);
    let project = Project::new(&[("app.yaml", APP), ("p.yaml", &pack)]);
    let ended = project
        .run(&["apply", "--actions", "p.yaml", "--format=json"])
        .exits_with(1);
    assert_eq!(
        ended.stdout,
        r#"{
  "applied": [
    "GOOD"
  ],
  "files": [
    "app.yaml"
  ],
  "errors": [
    {
      "action": "BAD",
      "op": 1,
      "reason": "key_exists",
      "file": "app.yaml",
      "json_pointer": "/app",
      "expected": "no key \"name\" yet",
      "found": "\"new\""
    }
  ]
}
"#
    );
    assert_eq!(project.read("app.yaml"), APP.replace("a, b", "a, b, c"));
}

#[test]
fn an_action_over_several_files_is_applied_completely_or_not_at_all() {
    // F-35 X-21
    let both = format!("{NAME}, {{op: remove_key, file: b.json, json_pointer: '', key: x}}");
    let project = Project::new(&[
        ("app.yaml", APP),
        ("b.json", "{\"y\": 1}\n"),
        ("p.yaml", &pack(&[("A", &both)])),
    ]);
    project
        .run(&["apply", "--actions", "p.yaml"])
        .exits_with(1)
        .prints("Rejected A: no_such_key in op 1 on b.json: expected a key \"x\", found nothing");
    assert_eq!(project.read("app.yaml"), APP);
    project.write("b.json", "{\"x\": 1, \"y\": 1}\n");
    project.run(&["apply", "--actions", "p.yaml"]).exits_with(0);
    assert_eq!(project.read("app.yaml"), APP.replace("old", "new"));
    assert_eq!(project.read("b.json"), "{\"y\": 1}\n");
}

#[test]
fn nothing_outside_of_the_workspace_is_touched() {
    // F-08 F-53: the command runs with an empty environment, so it starts no other program.
    let outside = tempfile::tempdir().expect("a folder");
    let secret = outside.path().join("s.yaml");
    std::fs::write(&secret, "a: 1\n").expect("written");
    let absolute = secret.to_string_lossy().into_owned();
    for (file, reason) in [
        ("../s.yaml", "outside_workspace"),
        (absolute.as_str(), "outside_workspace"),
        ("sub/../../s.yaml", "outside_workspace"),
        ("link.yaml", "outside_workspace"),
        ("folder/s.yaml", "outside_workspace"),
        ("none.yaml", "unreadable_file"),
        ("notes.txt", "unknown_format"),
    ] {
        let ops = format!("{{op: replace_value, file: '{file}', json_pointer: /a, value: 2}}");
        let project = Project::new(&[("p.yaml", &pack(&[("A", &ops)])), ("notes.txt", "a\n")]);
        symlink(&secret, project.path("link.yaml")).expect("a link");
        symlink(outside.path(), project.path("folder")).expect("a link");
        let ended = project
            .run(&["apply", "--actions", "p.yaml"])
            .exits_with(1)
            .prints(&format!("Rejected A: {reason}"));
        // The location of the workspace must not be in the output.
        let root = project.path("").to_string_lossy().into_owned();
        assert!(!ended.stdout.contains(root.trim_end_matches('/')));
        assert_eq!(std::fs::read_to_string(&secret).expect("there"), "a: 1\n");
    }
}

#[test]
fn actions_change_no_file_that_fix_would_not_write() {
    let files = [
        "kept/a.yaml",
        "package-lock.json",
        "pnpm-lock.yaml",
        "off.toml",
        "link.yaml",
        "folder/a.yaml",
        "templates/a.yaml",
    ];
    for file in files {
        let ops = format!("{{op: replace_value, file: '{file}', json_pointer: /a, value: 2}}");
        let pack = pack(&[("A", &ops), ("B", NAME)]);
        let project = Project::new(&[
            ("app.yaml", APP),
            ("p.yaml", &pack),
            ("kept/a.yaml", "a: 1\n"),
            ("package-lock.json", "{ \"a\": 1 }\n"),
            ("pnpm-lock.yaml", "a: 1\n"),
            ("off.toml", "a = 1\n"),
            ("templates/a.yaml", "a: 1\nb: \"{{ c }}\"\n"),
        ]);
        symlink("kept/a.yaml", project.path("link.yaml")).expect("a link");
        symlink("kept", project.path("folder")).expect("a link");
        project.write(
            "fixpoint.toml",
            "exclude = [\"kept\"]\n[language.toml]\nenabled = false\n",
        );
        let before = project.read(file);
        project
            .run(&["apply", "--actions", "p.yaml"])
            .exits_with(1)
            .prints("Rejected A: left_alone")
            .prints("Applied B");
        assert_eq!(project.read(file), before);
    }
    let ops = "{op: replace_value, file: .git/config.yaml, json_pointer: /a, value: 2}";
    let project = Project::new(&[
        ("p.yaml", &pack(&[("A", ops)])),
        (".git/config.yaml", "a: 1\n"),
    ]);
    project
        .run(&["apply", "--actions", "p.yaml"])
        .exits_with(1)
        .prints("Rejected A");
    assert_eq!(project.read(".git/config.yaml"), "a: 1\n");
}

#[test]
fn two_names_of_one_file_are_treated_as_one_file() {
    let by_link = "{op: insert_array_item, file: link.yaml, json_pointer: /app/tags, value: c}, \
                   {op: add_value, file: sub/app.yaml, json_pointer: '', key: end, value: 1}";
    let pack = pack(&[("A", NAME), ("B", by_link)]);
    let project = Project::new(&[("app.yaml", APP), ("p.yaml", &pack)]);
    symlink("app.yaml", project.path("link.yaml")).expect("a link");
    symlink(".", project.path("sub")).expect("a link");
    let json = ["apply", "--actions", "p.yaml", "--format=json"];
    let dry = project
        .run(&[json.as_slice(), &["--dry-run"]].concat())
        .exits_with(0);
    assert_eq!(project.read("app.yaml"), APP);
    let real = project.run(&json).exits_with(0);
    assert_eq!(real.stdout, dry.stdout);
    let after = APP.replace("old", "new").replace("a, b", "a, b, c") + "end: 1\n";
    assert_eq!(project.read("app.yaml"), after);
    let link = std::fs::read_link(project.path("link.yaml")).expect("still a link");
    assert_eq!(link.to_str(), Some("app.yaml"));
}

#[test]
fn an_invalid_pack_is_a_usage_error_with_its_location() {
    // F-02 F-22 F-23 F-24 F-36
    let unknown = "{op: run_shell, file: app.yaml, json_pointer: /app, value: x}";
    let project = Project::new(&[
        ("app.yaml", APP),
        ("unknown.yaml", &pack(&[("A", unknown)])),
        ("list.json", "[]\n"),
        ("broken.json", "{\n"),
        ("pack.toml", ""),
    ]);
    for (file, complaint) in [
        ("unknown.yaml", "must be one of replace_value, add_value"),
        ("list.json", "must be an object"),
        ("broken.json", "broken.json"),
        ("pack.toml", "its name must end in .json or .yaml"),
    ] {
        let ended = project.run(&["apply", "--actions", file]);
        ended.exits_with(2).complains(complaint);
    }
    project
        .run(&["apply", "--actions", "none.json"])
        .exits_with(3)
        .complains("cannot read none.json");
    project
        .run(&["apply"])
        .exits_with(2)
        .complains("--actions <FILE>");
}
