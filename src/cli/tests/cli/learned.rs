//! Tests of learned rules as a phase: what `check`, `fix` and strict mode make of pinned and unpinned rules.

use crate::project::Project;

/// A rule that a person wrote, for one language.
fn rule(language: &str, pinned: bool) -> String {
    format!(
        "{{\"language\": \"{language}\", \"pattern\": \"old($X)\", \"template\": \"fresh({{{{ X }}}})\", \
         \"message\": \"Use fresh\", \"pinned\": {pinned}}}"
    )
}

/// A project with one rule for Python and a file that it matches.
fn python(pinned: bool, settings: &str) -> Project {
    Project::new(&[
        (".fixpoint/rules/python/new.json", &rule("python", pinned)),
        ("a.py", "x = old(1)  # why\n"),
        ("fixpoint.toml", settings),
    ])
}

#[test]
fn an_unpinned_rule_is_reported_but_never_demanded_or_applied() {
    // B-13, B-46
    let project = python(false, "");
    project
        .run(&["check", "a.py"])
        .exits_with(0)
        .prints("Use fresh");
    project.run(&["check", "--strict", "a.py"]).exits_with(0);
    project.run(&["fix", "a.py"]).exits_with(0);
    assert_eq!(project.read("a.py"), "x = old(1)  # why\n");

    project
        .run(&["fix", "--safety=likely", "a.py"])
        .exits_with(0);
    assert_eq!(project.read("a.py"), "x = fresh(1)  # why\n");
}

#[test]
fn a_pinned_rule_is_applied_by_fix_and_demanded_by_strict_mode() {
    // B-24
    let project = python(true, "");
    project.run(&["check", "a.py"]).exits_with(0);
    project
        .run(&["check", "--strict", "a.py"])
        .exits_with(1)
        .prints("Use fresh");
    let report = project.run(&["check", "--format=json", "a.py"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let fix = &report["reports"][0]["fixes"][0];
    assert_eq!(fix["provenance"], "manual");
    assert_eq!(fix["safety"], "behavior_preserving");
    assert_eq!(fix["phase"], "learned");
    let rule = fix["rule"].as_str().expect("a rule");
    let id = rule.strip_prefix("learned-").expect("the id of the rule");
    project
        .run(&["rules", "show", id])
        .exits_with(0)
        .prints("old($X)");
    project
        .run(&["explain", rule])
        .exits_with(0)
        .prints(&format!("fixpoint rules show {id}"));
    project
        .run(&["explain", "learned-0"])
        .exits_with(2)
        .complains("`fixpoint rules list` lists learned rules");

    project.run(&["fix", "--only", rule, "a.py"]).exits_with(0);
    assert_eq!(project.read("a.py"), "x = fresh(1)  # why\n");
    project.run(&["check", "--strict", "a.py"]).exits_with(0);
}

#[test]
fn the_profile_decides_which_rules_are_used() {
    // B-38
    let silent = python(false, "[learned]\nprofile = \"production\"\n");
    let checked = silent.run(&["check", "a.py"]).exits_with(0);
    assert!(!checked.stdout.contains("Use fresh"), "{}", checked.stdout);
    let used = python(true, "[learned]\nprofile = \"production\"\n");
    used.run(&["check", "--strict", "a.py"]).exits_with(1);
    let sketch = python(false, "[learned]\nprofile = \"sketch\"\n");
    sketch.run(&["check", "a.py"]).prints("Use fresh");
    let wrong = python(false, "[learned]\nprofile = \"strict\"\n");
    wrong
        .run(&["check", "a.py"])
        .exits_with(2)
        .complains("\"sketch\", \"development\" or \"production\"");
}

#[test]
fn languages_without_a_printer_have_learned_rules() {
    let sources = [
        ("go", "a.go", "package a\n\nvar x = old(1) // why\n"),
        ("rust", "a.rs", "fn f() {\n    old(1); // why\n}\n"),
        ("java", "A.java", "class A {\n  int x = old(1); // why\n}\n"),
        ("c", "a.c", "int f() {\n  return old(1); // why\n}\n"),
        ("cpp", "a.cc", "int f() {\n  return old(1); // why\n}\n"),
    ];
    for (language, path, text) in sources {
        let stored = format!(".fixpoint/rules/{language}/new.json");
        let project = Project::new(&[(&stored, &rule(language, true)), (path, text)]);
        project.run(&["check", "--strict", "."]).exits_with(1);
        project.run(&["fix", "."]).exits_with(0);
        assert_eq!(
            project.read(path),
            text.replace("old", "fresh"),
            "{language}"
        );
        project.run(&["check", "--strict", "."]).exits_with(0);

        let kept = text.replace("// why", "// fixpoint: ignore[learned]");
        project.write(path, &kept);
        project.run(&["fix", "."]).exits_with(0);
        assert_eq!(project.read(path), kept, "{language}");
    }
}

#[test]
fn a_damaged_rule_is_named_and_all_others_are_used() {
    // D-08
    let project = python(true, "");
    project.write(".fixpoint/rules/python/broken.json", "{");
    project.write(".fixpoint/rules/go/misplaced.json", rule("python", true));
    project
        .run(&["fix", "a.py"])
        .exits_with(0)
        .complains("broken.json")
        .complains("misplaced.json");
    assert_eq!(project.read("a.py"), "x = fresh(1)  # why\n");
}

#[test]
fn fixes_of_rules_and_of_other_phases_come_together() {
    let project = python(true, "");
    project.write("a.py", "x = old(old( 1 ))  # why\n");
    project.run(&["fix", "a.py"]).exits_with(0);
    assert_eq!(project.read("a.py"), "x = fresh(fresh(1))  # why\n");
}
