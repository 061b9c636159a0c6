//! Languages that another formatter lays out in the repository.

use crate::project::Project;

const SCRIPT: &str = "let a = 'x'\n";
const DATA: &str = "{\"a\":1}\n";

#[test]
fn a_language_that_another_formatter_lays_out_keeps_its_layout() {
    let project = Project::new(&[
        (".prettierrc", "semi: false\n"),
        ("a.js", SCRIPT),
        ("b.json", DATA),
        ("c.toml", "a=1\n"),
        ("doc/d.md", "*  x\n\n```js\nlet a = 'x'\n```\n"),
    ]);
    project
        .run(&["fix"])
        .exits_with(0)
        .prints("Fixed c.toml")
        .prints("Fixed 1 of")
        .complains("prettier formats 3 files (javascript, json, markdown), as .prettierrc says");
    assert_eq!(project.read("a.js"), SCRIPT);
    assert_eq!(project.read("b.json"), DATA);
    assert_eq!(project.read("c.toml"), "a = 1\n");
    project.run(&["check", "--strict"]).exits_with(0);
    project
        .run(&["format", "a.js"])
        .exits_with(0)
        .prints(SCRIPT.trim_end())
        .complains("prettier formats 1 file (javascript)");
}

#[test]
fn errors_are_reported_whoever_formats_the_language() {
    let schema = r#"{ "type": "object", "properties": { "a": { "type": "string" } } }"#;
    let project = Project::new(&[
        ("biome.json", "{}\n"),
        ("a.js", "let = = 1\n"),
        ("b.json", DATA),
        ("s.json", schema),
        (
            "fixpoint.toml",
            "[[validate.schema]]\nschema = \"s.json\"\nfiles = [\"b.json\"]\n",
        ),
    ]);
    project
        .run(&["check"])
        .exits_with(1)
        .prints("error[syntax]")
        .prints("b.json:1:6");
}

#[test]
fn settings_of_fixpoint_take_the_language_over() {
    let project = Project::new(&[("package.json", "{ \"prettier\": {} }\n"), ("a.js", SCRIPT)]);
    project
        .run(&["check", "--strict"])
        .exits_with(0)
        .complains("as package.json says");
    project.write("fixpoint.toml", "[language.javascript]\nformat = true\n");
    project
        .run(&["check", "--strict"])
        .exits_with(1)
        .prints("format-javascript");
    project.write("fixpoint.toml", "[language.javascript]\nformat = false\n");
    project.run(&["check", "--strict"]).exits_with(0);
    project.write("fixpoint.toml", "[language.javascript]\nformat = 1\n");
    project
        .run(&["check"])
        .exits_with(2)
        .complains("`format` must be true or false");
}

#[test]
fn json_output_lists_the_formatters() {
    let project = Project::new(&[
        ("py/pyproject.toml", "[tool.black]\n"),
        ("py/a.py", "x = ( 1 )\n"),
        ("b.py", "x = 1\n"),
    ]);
    let output = project.run(&["check", "--format=json"]).exits_with(0);
    let document: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(
        document["left_to_formatters"],
        serde_json::json!([{
            "formatter": "black",
            "settings": "py/pyproject.toml",
            "languages": ["python"],
            "files": 1,
        }])
    );
}

#[test]
fn the_rules_of_bazel_know_the_same_files() {
    let table = crate::house::read("toolchain/private/formatters.bzl");
    let listed = table.matches("\",\n").count();
    let formatters = fixpoint_language::OtherFormatter::ALL.iter();
    let names: std::collections::BTreeSet<_> = formatters.flat_map(|it| it.file_names()).collect();
    for name in &names {
        assert!(table.contains(&format!("\"{name}\"")), "{name}");
    }
    // All of them except `package.json` and `pyproject.toml`, which contain settings of other tools too.
    assert_eq!(listed, names.len() - 2);
}
