//! The decisions of the execution model, observed in what the commands do.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::house::read;
use crate::project::Project;

/// Needs a rewrite (an unused load) and layout.
const BUILD: &str =
    "load(\":defs.bzl\", \"old_tool\", \"tool\")\n\ntool(name=\"run\", srcs=[\"run.py\"])\n";

/// The stored report of `path`, in JSON.
fn report(project: &Project, path: &str) -> Value {
    project.run(&["check", "--report-dir", "out", path]);
    let json = project.read(&format!("out/{path}.fix.json"));
    serde_json::from_str(&json).expect("JSON")
}

/// The answer that the page gives to a question.
fn answer(question: &str) -> String {
    let page = read("docs/execution-model.md");
    let (_, decisions) = page.split_once("\n## Decisions\n").expect("a section");
    let row = decisions
        .lines()
        .find(|line| line.starts_with(&format!("| {question} ")));
    let row = row.unwrap_or_else(|| panic!("no decision on {question}"));
    row.split('|').nth(2).expect("an answer").trim().to_owned()
}

#[test]
fn fixes_are_beside_diagnostics_and_named_by_id() {
    // C-94
    assert!(answer("fixes inside diagnostics, or beside them").starts_with("beside:"));
    let project = Project::new(&[("BUILD.bazel", BUILD)]);
    let report = report(&project, "BUILD.bazel");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let ids: BTreeSet<String> = list(&report["fixes"])
        .iter()
        .map(|fix| fix["id"].to_string())
        .collect();
    assert!(!ids.is_empty());
    let mut named = BTreeSet::new();
    for diagnostic in list(&report["diagnostics"]) {
        assert!(diagnostic.get("edits").is_none() && diagnostic.get("fix").is_none());
        named.extend(list(&diagnostic["fix_ids"]).iter().map(Value::to_string));
    }
    assert_eq!(named, ids);
}

#[test]
fn the_default_is_permissive_and_ci_asks_for_strict() {
    // C-95
    assert!(answer("how strict by default").starts_with("permissive locally; CI asks"));
    let project = Project::new(&[("BUILD.bazel", BUILD)]);
    project.run(&["check"]).exits_with(0);
    project.run(&["check", "--strict"]).exits_with(1);
    let modes = read(".bazelrc");
    let is_strict_by_default = |line: &str| {
        let by_default = line.starts_with("build ") || line.starts_with("test ");
        by_default && line.contains("strict")
    };
    assert!(!modes.lines().any(is_strict_by_default), "{modes}");
}

#[test]
fn a_fix_is_stored_as_protobuf_and_json_and_a_diff_is_a_view() {
    // C-96
    let wanted = "as protobuf and JSON; a unified diff is a view";
    assert_eq!(answer("how fixes are stored"), wanted);
    let project = Project::new(&[("BUILD.bazel", BUILD)]);
    report(&project, "BUILD.bazel");
    let stored: Vec<String> = project
        .tree()
        .keys()
        .filter(|it| it.parent().is_some_and(|it| it.ends_with("out")))
        .filter_map(|it| Some(it.file_name()?.to_str()?.to_owned()))
        .collect();
    assert_eq!(stored, ["BUILD.bazel.fix.json", "BUILD.bazel.fix.pb"]);
    let diff = |form: &str| {
        let report = format!("out/BUILD.bazel.fix.{form}");
        let shown = project.run(&["show", "--format=diff", &report]);
        shown.exits_with(0).stdout
    };
    assert!(diff("pb").contains("-load(\":defs.bzl\", \"old_tool\", \"tool\")\n"));
    assert_eq!(diff("pb"), diff("json"));
}

#[test]
fn other_safe_fixes_come_before_layout() {
    // C-97
    assert_eq!(
        answer("layout or other safe fixes first"),
        "other fixes first, then layout"
    );
    let project = Project::new(&[("BUILD.bazel", BUILD)]);
    let report = report(&project, "BUILD.bazel");
    let steps = report["canonical"]["steps"].as_array().expect("steps");
    let rules: Vec<&str> = steps.iter().filter_map(|it| it["rule"].as_str()).collect();
    let is_layout = |rule: &&str| rule.starts_with("format-");
    assert!(rules.iter().any(|it| !is_layout(it)), "{rules:?}");
    assert!(rules.iter().any(is_layout), "{rules:?}");
    assert!(rules.is_sorted_by_key(is_layout), "{rules:?}");
}

#[test]
fn layout_works_without_any_other_fix() {
    // C-41: formatting does not depend on lint rules.
    let listing = Project::new(&[]).run(&["explain"]).exits_with(0).stdout;
    assert!(listing.contains("format-starlark"), "{listing}");
    let project = Project::new(&[("BUILD.bazel", BUILD)]);
    project.write("fixpoint.toml", "[lint]\ndisable = [\"load\"]\n");
    project.run(&["fix", "BUILD.bazel"]).exits_with(0);
    assert_eq!(
        project.read("BUILD.bazel"),
        "load(\":defs.bzl\", \"old_tool\", \"tool\")\n\ntool(\n    name = \"run\",\n    srcs = [\"run.py\"],\n)\n"
    );
}

#[test]
fn a_program_runs_from_canonical_text_and_its_source_stays() {
    // C-12: the parentheses and the layout are not canonical.
    let messy = "fn   twice(a:Int)->Int{a*2}\nfn main()->IO+Unit{println(to_string(twice(4)))}\n";
    let project = Project::new(&[("app.clank", messy)]);
    project
        .run(&["check", "--strict", "app.clank"])
        .exits_with(1);
    assert_eq!(
        project.run(&["run", "app.clank"]).exits_with(0).stdout,
        "8\n"
    );
    let of_source = project.run(&["compile", "app.clank"]).exits_with(0).stdout;
    assert_eq!(project.read("app.clank"), messy);
    let code = |text: &str| text.split("//# sourceMappingURL").next().map(str::to_owned);
    project.run(&["fix", "app.clank"]).exits_with(0);
    assert_ne!(project.read("app.clank"), messy);
    let of_canonical = project.run(&["compile", "app.clank"]).exits_with(0).stdout;
    assert_eq!(code(&of_source), code(&of_canonical));
}

#[test]
fn phases_for_syntax_and_for_types_report_diagnostics_with_fixes() {
    // C-76
    let project = Project::new(&[
        ("BUILD.bazel", BUILD),
        (
            "app.clank",
            "fn g(a: Int, b: Str) -> Int { a }\n\nfn f() -> Int { g(1) }\n",
        ),
    ]);
    let fixed = |path: &str, rule: &str| {
        let report = report(&project, path);
        let diagnostics = report["diagnostics"].as_array().expect("a list").clone();
        let of_rule = diagnostics
            .iter()
            .find(|it| it["code"] == rule || it["rule"] == rule);
        let diagnostic = of_rule.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let ids = diagnostic["fix_ids"].as_array().expect("fixes").clone();
        let fixes = report["fixes"].as_array().expect("fixes");
        assert!(fixes.iter().any(|fix| fix["id"] == ids[0]), "{ids:?}");
        diagnostic["phase"].as_str().expect("a phase").to_owned()
    };
    let syntax = fixed("BUILD.bazel", "load");
    let types = fixed("app.clank", "E2002");
    assert_ne!(syntax, types);
}

#[test]
fn actions_are_applied_without_a_judgement_about_their_values() {
    // F-03: the applier follows the pointers. The value is wrong by a shipped rule, and the layout
    // is not canonical, and neither matters to it.
    let text = "{\"name\":\"a\",   \"type\":\"module\"}";
    let action = r#"{"pack_version": "1", "workspace_root": ".", "fix_actions": [{
        "id": "A", "title": "t", "severity": "info",
        "targets": [{"file": "package.json", "json_pointer": "/type", "rule_id": "r"}],
        "ops": [{"op": "replace_value", "file": "package.json", "json_pointer": "/type", "value": "modules"}]}]}"#;
    let project = Project::new(&[("package.json", text), ("pack.json", action)]);
    project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(0);
    assert_eq!(
        project.read("package.json"),
        text.replace("module", "modules")
    );
    project
        .run(&["validate", "package.json"])
        .exits_with(0)
        .prints("warning[package-json-type]");
}
