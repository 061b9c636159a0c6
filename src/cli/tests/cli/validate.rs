//! `fixpoint validate`, and schemas and rules in the other commands.

use crate::project::Project;

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "port": { "type": "integer" },
    "kind": { "enum": ["service", "worker"] }
  },
  "required": ["name"],
  "additionalProperties": false
}
"#;
pub const SETTINGS: &str =
    "[[validate.schema]]\nfiles = [\"conf/*.yaml\"]\nschema = \"schema.json\"\n";

pub fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new(files);
    project.write("schema.json", SCHEMA);
    project.write("fixpoint.toml", SETTINGS);
    project
}

#[test]
fn findings_are_reported_and_nothing_is_written() {
    // F-06 F-71: whoever wants the fixes applies them.
    let project = project(&[("conf/a.yaml", "nmae: shop\nport: \"80\"\n")]);
    let before = project.tree();
    project
        .run(&["validate"])
        .exits_with(1)
        .prints("error[schema-unknown-key]: the schema knows no key `nmae` here")
        .prints("Rename `nmae` to `name`")
        .prints("Validated 1 document, 3 errors; `fixpoint fix --safety=likely` fixes 2 of them");
    assert_eq!(project.tree(), before);
}

#[test]
fn one_command_applies_all_fixes_and_the_next_finds_nothing() {
    // F-11 F-12
    let project = project(&[("conf/a.yaml", "# Ours.\nnmae: shop\nport: \"80\" # open\n")]);
    project.run(&["fix"]).exits_with(1);
    project.run(&["fix", "--safety=likely"]).exits_with(0);
    assert_eq!(
        project.read("conf/a.yaml"),
        "# Ours.\nname: shop\nport: 80 # open\n"
    );
    project
        .run(&["validate"])
        .exits_with(0)
        .prints("Validated 1 document: all valid");
}

#[test]
fn apply_accepts_the_output_of_validate() {
    // F-01 F-21
    for form in ["json", "yaml"] {
        let project = project(&[("conf/a.yaml", "# Ours.\nnmae: shop\nport: \"80\" # open\n")]);
        let validated = project
            .run(&["validate", &format!("--format={form}")])
            .exits_with(1);
        let pack = format!("pack.{form}");
        project.write(&pack, validated.stdout);
        project.run(&["apply", "--actions", &pack]).exits_with(0);
        let fixed = "# Ours.\nname: shop\nport: 80 # open\n";
        assert_eq!(project.read("conf/a.yaml"), fixed, "{form}");
    }
}

#[test]
fn the_output_does_not_depend_on_order_threads_or_place() {
    // F-05 F-53 F-55 F-58
    let files: Vec<(String, &str)> = (0..40)
        .map(|number| (format!("conf/{number}.yaml"), "nmae: a\nkind: servcie\n"))
        .collect();
    let output = |files: Vec<&(String, &str)>, options: &[&str]| {
        let project = project(&[]);
        for (path, text) in files {
            project.write(path, text);
        }
        let mut arguments = vec!["validate", "--format=json"];
        arguments.extend(options);
        let ended = project.run(&arguments).exits_with(1);
        assert!(!ended.stdout.contains(&project.root().display().to_string()));
        ended.stdout
    };
    let one = output(files.iter().collect(), &["--jobs=1"]);
    let two = output(files.iter().rev().collect(), &["--jobs=4"]);
    let three = output(files.iter().collect(), &["conf/3.yaml", "conf", "."]);
    assert_eq!(one, two);
    assert_eq!(one, three);
    assert!(one.contains("\"pack_version\"") && one.contains("\"workspace_root\": \".\""));
}

#[test]
fn the_output_can_be_yaml() {
    // F-21
    let project = project(&[("conf/a.yaml", "nmae: shop\n")]);
    project
        .run(&["validate", "--format=yaml"])
        .exits_with(1)
        .prints("\"op\": \"rename_key\"")
        .complains("Validated 1 document");
}

#[test]
fn check_fix_and_explain_know_documents() {
    let rules = "files: [\"conf/*.yaml\"]\nrules:\n  - id: tags-sorted\n    at: /tags\n    require: { sorted: true }\n    message: tags are sorted\n    why: We like it.\n    fix: { safety: behavior_preserving, reason: Tags are a set. }\n";
    let project = Project::new(&[("conf/a.yaml", "tags: [b, a]\n"), ("rules.yaml", rules)]);
    project.write("fixpoint.toml", "[validate]\nrules = [\"rules.yaml\"]\n");
    project
        .run(&["check", "--strict", "conf"])
        .exits_with(1)
        .prints("[tags-sorted]: tags are sorted")
        .prints("1 safe fix pending");
    project
        .run(&["explain", "tags-sorted"])
        .exits_with(0)
        .prints("tags-sorted (phase validate, tier policy)")
        .prints("We like it.")
        .prints("Tags are a set.");
    project
        .run(&["explain", "tags-sortd"])
        .exits_with(2)
        .complains("did you mean `tags-sorted`?");
    project.run(&["fix", "--only", "tags-sorted"]).exits_with(0);
    assert_eq!(project.read("conf/a.yaml"), "tags: [a, b]\n");
    let kept = "tags: [b, a] # fixpoint: ignore[tags-sorted]\n";
    project.write("conf/a.yaml", kept);
    project.run(&["check", "--strict", "conf"]).exits_with(0);
}

#[test]
fn every_rule_can_be_explained() {
    let project = Project::new(&[]);
    let list = project.run(&["explain", "validate"]).exits_with(0).stdout;
    let names: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        project
            .run(&["explain", name])
            .exits_with(0)
            .prints("Why: ");
    }
}

#[test]
fn a_document_can_name_its_schema() {
    let project = Project::new(&[
        ("schemas/s.json", SCHEMA),
        (
            "a.yaml",
            "# yaml-language-server: $schema=schemas/s.json\nname: 1\n",
        ),
        ("b.toml", "#:schema schemas/s.json\nname = 1\n"),
        (
            "c.yaml",
            "# yaml-language-server: $schema=schemas/none.json\nname: 1\n",
        ),
        (
            "d.yaml",
            "# yaml-language-server: $schema=../out.json\nname: 1\n",
        ),
        (
            "e.yaml",
            "# yaml-language-server: $schema=https://example.com/s.json\nname: 1\n",
        ),
    ]);
    let ended = project.run(&["validate"]).exits_with(1);
    for expected in [
        "a.yaml:2:7",
        "b.toml:2:8",
        "schemas/none.json: no such schema file",
        "the schema `../out.json` is not in the workspace",
    ] {
        assert!(
            ended.stdout.contains(expected),
            "{expected}: {}",
            ended.stdout
        );
    }
    // F-07: nothing is downloaded.
    assert!(!ended.stdout.contains("e.yaml"), "{}", ended.stdout);
}

#[test]
fn a_schema_that_cannot_be_found_is_a_note_and_can_be_ignored() {
    let project = Project::new(&[
        (
            "a.json",
            "{ \"$schema\": \"./node_modules/nx/schemas/nx-schema.json\", \"a\": 1 }\n",
        ),
        ("b.yaml", "$schema: ../../out.json\n"),
        ("c.toml", "#:schema none/at/all.json\na = 1\n"),
        ("d.yaml", "$schema: schemas/far.json\n"),
        (
            "schemas/far.json",
            "{ \"$ref\": \"https://example.com/far.json\" }\n",
        ),
        ("e.yaml", "$schema: schemas\n"),
    ]);
    for command in [&["validate"][..], &["check"], &["check", "--strict"]] {
        let ended = project.run(command).exits_with(0);
        let notes = ended.stdout.matches("info[schema-unresolved]").count();
        assert_eq!(notes, 5, "{command:?}: {}", ended.stdout);
        assert!(ended.stdout.contains("unresolved_schemas = \"ignore\""));
    }
    project.run(&["fix"]).exits_with(0);
    project.write(
        "fixpoint.toml",
        "[validate]\nunresolved_schemas = \"ignore\"\n",
    );
    for command in ["validate", "check"] {
        let ended = project.run(&[command]).exits_with(0);
        assert!(!ended.stdout.contains("schema-"), "{}", ended.stdout);
    }
}

#[test]
fn a_named_schema_that_is_broken_is_an_error() {
    let project = Project::new(&[
        ("a.yaml", "$schema: s.json\n"),
        ("s.json", "{ \"type\": \"strnig\" }\n"),
        (
            "fixpoint.toml",
            "[validate]\nunresolved_schemas = \"ignore\"\n",
        ),
    ]);
    project
        .run(&["check"])
        .exits_with(1)
        .prints("error[schema-unusable]: s.json: not a valid JSON Schema");
}

#[test]
fn a_schema_may_refer_to_files_in_its_folder() {
    let project = Project::new(&[
        (
            "s/a.json",
            r##"{ "properties": { "port": { "$ref": "parts/b.yaml#/$defs/port" } } }"##,
        ),
        ("s/parts/b.yaml", "$defs:\n  port: { type: integer }\n"),
        ("conf/a.yaml", "port: \"80\"\n"),
    ]);
    project.write("fixpoint.toml", SETTINGS.replace("schema.json", "s/a.json"));
    project
        .run(&["validate", "conf"])
        .exits_with(1)
        .prints("Write it as 80");
    project
        .run(&["fix", "--safety=likely", "conf"])
        .exits_with(0);
    assert_eq!(project.read("conf/a.yaml"), "port: 80\n");
    project.write("s/a.json", r#"{ "$ref": "parts/gone.json" }"#);
    project
        .run(&["validate"])
        .exits_with(2)
        .complains("s/parts/gone.json: no such schema file");
}

#[test]
fn invalid_settings_schemas_and_rules_are_reported_with_their_location() {
    let project = project(&[("conf/a.yaml", "name: a\n")]);
    for (schema, message) in [
        ("{", "schema.json: not a document"),
        (r#"{ "type": "strnig" }"#, "not a valid JSON Schema"),
        (
            r#"{ "$schema": "https://example.com/draft" }"#,
            "unknown draft",
        ),
        (r#"{ "$ref": "https://example.com/x" }"#, "never fetched"),
    ] {
        project.write("schema.json", schema);
        let ended = project.run(&["validate"]).exits_with(2).complains(message);
        assert!(ended.stderr.contains("fixpoint.toml:3"), "{}", ended.stderr);
    }
    project.write(
        "fixpoint.toml",
        SETTINGS.replace("schema.json", "none.json"),
    );
    project
        .run(&["check"])
        .exits_with(2)
        .complains("none.json: no such schema file");
    project.write("fixpoint.toml", SETTINGS.replace("files =", "file ="));
    project
        .run(&["check"])
        .exits_with(2)
        .complains("did you mean `files`?");
    project.write("fixpoint.toml", "[validate]\nrules = [\"none.yaml\"]\n");
    project
        .run(&["check"])
        .exits_with(2)
        .complains("names the rules file none.yaml, which does not exist");
    project.write("rules.yaml", "rules:\n  - id: a\n    requires: {}\n");
    project.write("fixpoint.toml", "[validate]\nrules = [\"rules.yaml\"]\n");
    project
        .run(&["check"])
        .exits_with(2)
        .complains("did you mean `require`?")
        .complains("rules.yaml:3");
}

#[test]
fn large_documents_are_checked_like_small_ones() {
    // They are analyzed in a separate process, which gets the schema as input.
    let project = project(&[]);
    let mut text = "name: 1\n".to_owned();
    text += &"# a long comment\n".repeat(20_000);
    project.write("conf/a.yaml", &text);
    project
        .run(&["validate"])
        .exits_with(1)
        .prints("Write it as \"1\"");
}

#[test]
fn a_document_without_a_schema_or_rule_is_not_validated() {
    let project = project(&[("other/a.yaml", "x: 1\n")]);
    project
        .run(&["validate", "other/a.yaml"])
        .exits_with(0)
        .complains("no schema and no rule applies to it")
        .prints("Validated 0 documents");
}

#[test]
fn the_examples_in_the_documents_are_correct() {
    let page = |name: &str| {
        let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a page")
    };
    let block_of = |page: &str, fence: &str| {
        let (_, rest) = page.split_once(&format!("```{fence}\n")).expect("a block");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let (validate, rules) = (page("validate.md"), page("write-rules.md"));
    let block = |fence: &str| block_of(&validate, fence);
    let project = project(&[("conf/shop.yaml", "name: shop\nport: \"80\"\n")]);
    let shown = block("console");
    let (command, printed) = shown.split_once('\n').expect("a command");
    assert_eq!(command, "$ fixpoint validate");
    assert_eq!(project.run(&["validate"]).exits_with(1).stdout, printed);

    project.write("fixpoint.toml", block("toml"));
    project.write("schemas/conf.schema.json", SCHEMA);
    project.write("policy/rules.yaml", block_of(&rules, "yaml"));
    project.write(
        "conf/shop.yaml",
        "name: shop\nmetadata:\n  name: shpo\ntags: [b, a]\n",
    );
    project.write("schemas/conf.schema.json", "true");
    project
        .run(&["fix", "--safety=likely", "conf"])
        .exits_with(0);
    assert_eq!(
        project.read("conf/shop.yaml"),
        "name: shop\nmetadata:\n  name: shop\ntags: [a, b]\nowner: platform\n"
    );
    let former = block("json");
    project.write(
        "schemas/conf.schema.json",
        former.replacen(
            '{',
            "{ \"properties\": { \"name\": {} }, \"additionalProperties\": false,",
            1,
        ),
    );
    project.write(
        "fixpoint.toml",
        SETTINGS.replace("schema.json", "schemas/conf.schema.json"),
    );
    project.write("conf/shop.yaml", "title: shop\ndebug: true\n");
    project
        .run(&["fix", "--safety=likely", "conf"])
        .exits_with(0);
    assert_eq!(project.read("conf/shop.yaml"), "name: shop\n");
}

#[test]
fn the_written_text_is_kept_where_its_type_changes() {
    let project = project(&[
        ("conf/a.yaml", "name: True\n"),
        ("conf/b.yaml", "name: 0x10\n"),
    ]);
    project
        .run(&["fix", "--safety=likely", "conf"])
        .exits_with(0);
    assert_eq!(project.read("conf/a.yaml"), "name: \"True\"\n");
    assert_eq!(project.read("conf/b.yaml"), "name: \"0x10\"\n");
}

#[test]
fn a_fix_that_the_gate_rejects_is_not_shown() {
    let project = project(&[("conf/a.yaml", "tags: [a, a, b]\n")]);
    let schema = r#"{ "properties": { "tags": { "uniqueItems": true, "minItems": 3 } } }"#;
    project.write("schema.json", schema);
    for command in ["validate", "check"] {
        let ended = project.run(&[command, "conf"]).exits_with(1);
        assert!(ended.stdout.contains("holds an item twice"));
        assert!(
            !ended.stdout.contains("Remove the second"),
            "{}",
            ended.stdout
        );
        assert!(!ended.stdout.contains("of them"), "{}", ended.stdout);
    }
}

#[test]
fn all_actions_are_applied_at_once() {
    // F-10 F-12
    let schema = r#"{ "properties": { "a": { "const": 1 }, "b": { "const": 2 }, "c": { "const": 3 } },
        "required": ["a", "b", "c"] }"#;
    let project = project(&[("conf/a.yaml", "name: x\n"), ("conf/b.yaml", "{}\n")]);
    project.write("schema.json", schema);
    let validated = project
        .run(&["validate", "--format=json"])
        .exits_with(1)
        .complains("6 errors; `fixpoint fix --safety=likely` fixes 6 of them");
    let pack = validated.stdout;
    project
        .run(&["fix", "--safety=likely", "conf"])
        .exits_with(0);
    let mut fixed: Vec<String> = project
        .read("conf/a.yaml")
        .lines()
        .map(str::to_owned)
        .collect();
    fixed.sort();
    assert_eq!(fixed, ["a: 1", "b: 2", "c: 3", "name: x"]);
    project.write("conf/a.yaml", "name: x\n");
    project.write("conf/b.yaml", "{}\n");
    project.write("pack.json", pack);
    project
        .run(&["apply", "--actions", "pack.json"])
        .exits_with(0);
    // Actions add keys in the order of the list.
    assert_eq!(project.read("conf/a.yaml"), "name: x\na: 1\nb: 2\nc: 3\n");
    project.run(&["validate"]).exits_with(0);
}

#[test]
fn an_id_belongs_to_one_rule() {
    let project = Project::new(&[("a.yaml", "x: 1\n")]);
    let rule = |id: &str| {
        format!(
            "files: [\"*.yaml\"]\nrules:\n  - id: {id}\n    require: {{ type: object }}\n    message: m\n"
        )
    };
    project.write(
        "fixpoint.toml",
        "[validate]\nrules = [\"one.yaml\", \"two.yaml\"]\n",
    );
    project.write("one.yaml", rule("mine"));
    for (id, owner) in [
        ("schema-type", "a built-in rule"),
        ("kubernetes-label", "a built-in rule"),
        ("validate", "a phase"),
        ("mine", "a rule of another rules file"),
    ] {
        project.write("two.yaml", rule(id));
        project
            .run(&["validate"])
            .exits_with(2)
            .complains(owner)
            .complains("two.yaml:3");
    }
    project.write("two.yaml", rule("other"));
    project.run(&["validate"]).exits_with(0);
}

#[test]
fn a_reference_out_of_the_workspace_is_rejected() {
    // F-08
    let project = project(&[("conf/a.yaml", "name: a\n"), ("x.json", "true")]);
    for reference in ["../x.json", "../../x.json#/$defs/a", "/x.json"] {
        project.write("schema.json", format!(r#"{{ "$ref": "{reference}" }}"#));
        project
            .run(&["validate"])
            .exits_with(2)
            .complains("which leads out of the workspace");
    }
    project.write("s/schema.json", r#"{ "$ref": "../x.json" }"#);
    project.write(
        "fixpoint.toml",
        SETTINGS.replace("schema.json", "s/schema.json"),
    );
    project.run(&["validate"]).exits_with(0);
}
