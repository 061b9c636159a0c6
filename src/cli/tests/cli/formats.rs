//! Which files are changed: text of unknown format, JSON with comments, templates, and regions that
//! comments keep.

use crate::project::Project;

const HELM: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name:   {{ .Values.name }}\n{{- if .Values.x }}\ndata: {}\n{{- end }}\n";

#[test]
fn text_of_unknown_format_is_not_changed() {
    let files = [
        ("password.txt", "secret"),
        ("golden.out", "a\r\nb"),
        ("LICENSE", "MIT"),
        ("main.rs", "fn main() {}"),
        ("a.proto", "syntax = \"proto3\";"),
        ("run.sh", "#!/bin/sh\ntrue"),
        ("hook", "#!/bin/sh\ntrue"),
    ];
    let project = Project::new(&files);
    let before = project.tree();
    project.run(&["fix"]).exits_with(0);
    assert_eq!(project.tree(), before);
    for (path, _) in files {
        project
            .run(&["check", path])
            .exits_with(0)
            .complains(&format!("skipped: {path}: its format is not known"))
            .complains("`include` under [language.text]");
    }
}

#[test]
fn text_is_included_by_glob() {
    let project = Project::new(&[
        ("docs/a/b.txt", "a\r\nb\nc"),
        ("docs/c.md", "x\n"),
        ("password.txt", "secret"),
        ("src/a.rs", "fn a() {}"),
        ("yarn.lock", "a"),
    ]);
    let settings = "[language.text]\ninclude = [\"docs/**/*.txt\", \"*.rs\", \"*.lock\"]\n";
    project.write("fixpoint.toml", settings);
    project.run(&["fix"]).exits_with(0).prints("Fixed 2 of");
    assert_eq!(project.read("docs/a/b.txt"), "a\nb\nc\n");
    assert_eq!(project.read("src/a.rs"), "fn a() {}\n");
    assert_eq!(project.read("password.txt"), "secret");
    assert_eq!(project.read("yarn.lock"), "a");
    project
        .run(&["check", "yarn.lock"])
        .complains("it is a lock file");

    project.write("src/a.rs", "fn a() {}");
    project.write("fixpoint.toml", format!("{settings}enabled = false\n"));
    project.run(&["fix"]).exits_with(0).prints("Fixed 0 of");

    project.write("fixpoint.toml", "[language.text]\ninclude = [\"a[\"]\n");
    project
        .run(&["check"])
        .exits_with(2)
        .complains("`a[` is not a glob");
}

#[test]
fn json_files_may_have_comments_except_where_their_tools_reject_them() {
    let text = "{\n  // why\n  \"a\": [1,],\n}\n";
    for name in [
        "turbo.json",
        "biome.json",
        ".devcontainer/devcontainer.json",
        "renovate.json",
        "a/b.json",
    ] {
        let project = Project::new(&[(name, text)]);
        project.run(&["fix"]).exits_with(0);
        project.run(&["check", "--strict"]).exits_with(0);
        assert!(project.read(name).contains("// why"), "{name}");
    }
    for (name, text) in [
        ("package.json", text),
        ("composer.json", text),
        ("a.json", "{ \"a\": [1,] }\n"),
    ] {
        let project = Project::new(&[(name, text)]);
        project
            .run(&["check"])
            .exits_with(1)
            .prints("error[syntax]");
        project.run(&["fix"]);
        assert_eq!(project.read(name), text);
    }
}

#[test]
fn one_rule_decides_for_every_command_which_json_files_may_have_comments() {
    let text = "{\n  // why\n  \"a\": \"old\"\n}\n";
    let schema = "{ \"properties\": { \"a\": { \"const\": \"new\" } } }\n";
    let settings = "[[validate.schema]]\nfiles = [\"c/*\", \"c/.*\"]\nschema = \"s.json\"\n";
    for (name, may_have_comments) in [
        ("c/a.json", true),
        ("c/tsconfigs.json", true),
        ("c/deno.json", true),
        ("c/.babelrc", true),
        ("c/a.jsonc", true),
        ("c/a.code-snippets", true),
        ("c/package.json", false),
        ("c/a.geojson", false),
    ] {
        let action = serde_json::json!({
            "pack_version": "1", "workspace_root": ".",
            "fix_actions": [{
                "id": "A", "title": "A", "severity": "error",
                "targets": [{ "file": name, "json_pointer": "/a", "rule_id": "R" }],
                "ops": [{ "op": "replace_value", "file": name, "json_pointer": "/a", "value": "new" }],
            }],
        });
        let pack = format!("// A pack may have comments as well.\n{action}\n");
        let project = Project::new(&[
            ("fixpoint.toml", settings),
            ("s.json", schema),
            (name, text),
        ]);
        let pack_folder = tempfile::tempdir().expect("a folder");
        let file = pack_folder.path().join("pack.json");
        std::fs::write(&file, pack).expect("written");
        let apply = ["apply", "--actions", file.to_str().expect("UTF-8")];
        if may_have_comments {
            project
                .run(&["check"])
                .exits_with(1)
                .prints("[schema-value]");
            project
                .run(&["validate"])
                .exits_with(1)
                .prints("[schema-value]");
            // Some of these formats have a comma after the last value.
            project.run(&["fix"]);
            let canonical = project.read(name);
            assert_eq!(canonical.replace("\",", "\""), text, "{name}");
            project.run(&apply).exits_with(0);
            let fixed = canonical.replace("old", "new");
            assert_eq!(project.read(name), fixed, "{name}");
            project.run(&["check", "--strict"]).exits_with(0);
            project.run(&["validate"]).exits_with(0);
        } else {
            project.run(&["check"]).exits_with(1).prints("[syntax]");
            project
                .run(&["validate"])
                .exits_with(1)
                .prints("[document-unreadable]");
            project.run(&["fix"]).exits_with(1);
            project.run(&apply).exits_with(1).prints("unparsable_file");
            assert_eq!(project.read(name), text, "{name}");
        }
    }
}

#[test]
fn an_action_does_not_leave_a_trailing_comma_in_strict_json() {
    let pack = "pack_version: '1'\nworkspace_root: .\nfix_actions:\n  - id: A\n    title: A\n    \
                severity: error\n    targets: [{ file: a.json, json_pointer: '', rule_id: R }]\n    \
                ops: [{ op: remove_key, file: a.json, json_pointer: '', key: a }]\n";
    for (end, status) in [("", 0), (",", 1)] {
        let text = format!("{{\n  \"a\": 1, // the only comment\n  \"b\": 2{end}\n}}\n");
        let project = Project::new(&[("a.json", &text), ("p.yaml", pack)]);
        project
            .run(&["apply", "--actions", "p.yaml"])
            .exits_with(status);
        let kept = if status == 0 {
            "{\n  \"b\": 2\n}\n"
        } else {
            &text
        };
        assert_eq!(project.read("a.json"), kept);
    }
}

#[test]
fn a_schema_is_checked_in_json_with_comments() {
    let project = Project::new(&[
        (
            "schema.json",
            "{ \"properties\": { \"a\": { \"type\": \"string\" } } }\n",
        ),
        (
            "x.json",
            "{\n  // why\n  \"$schema\": \"./schema.json\",\n  \"a\": 1\n}\n",
        ),
    ]);
    for command in ["check", "validate"] {
        let ended = project.run(&[command, "x.json"]);
        assert!(
            ended.stdout.contains("/a") || ended.stdout.contains("x.json:4"),
            "{command}: {ended:?}"
        );
    }
}

#[test]
fn a_template_is_not_changed_and_gets_a_note() {
    let files = [
        ("chart/templates/map.yaml", HELM),
        ("chart/templates/quoted.yaml", "a:   '{{ .Values.a }}'\n"),
        ("deploy.yaml", "a:   {{ b }}\n"),
        ("jinja.yml", "{% if a %}\nb:   1\n{% endif %}\n"),
        ("cookie.json", "{ \"a\":   {{ cookiecutter.a }} }\n"),
        ("cookie.toml", "a   = {{ cookiecutter.a }}\n"),
        ("cookie.py", "import {{ cookiecutter.module }}\nx  = 1\n"),
        ("erb.yaml", "a:   1\n<% if b %>\nc: [\n<% end %>\n"),
    ];
    for (path, text) in files {
        let project = Project::new(&[(path, text)]);
        project
            .run(&["check"])
            .exits_with(0)
            .prints("[template]: this is a template, left alone");
        project.run(&["validate", path]).exits_with(0);
        let printed = project.run(&["format", path]).exits_with(0);
        assert_eq!(printed.stdout, text);
        project.run(&["fix"]).exits_with(0);
        assert_eq!(project.read(path), text);
    }
}

#[test]
fn placeholders_in_quotes_and_comments_do_not_make_a_template() {
    let project = Project::new(&[("a.yaml", "a:   \"{{ b }}\" # {{ c }}\nd: ${{ e }}\n")]);
    project.run(&["fix"]).exits_with(0);
    assert_eq!(
        project.read("a.yaml"),
        "a: \"{{ b }}\" # {{ c }}\nd: ${{ e }}\n"
    );
    for text in [
        "a: \"{{ b }}\"\nc: [\n",
        "a: [ # {{ b }}\n",
        "a: ${{ b }}\nc: [\n",
    ] {
        project.write("a.yaml", text);
        project
            .run(&["check"])
            .exits_with(1)
            .prints("error[syntax]");
    }
}

#[test]
fn a_directive_in_yaml_that_does_not_parse_is_a_syntax_error() {
    let project = Project::new(&[("a.yaml", ":\n : fixpoint: : : e\n :")]);
    let ended = project.run(&["check"]).exits_with(1);
    ended.prints("error[syntax]");
}

#[test]
fn a_region_inside_brackets_hides_nothing_behind_it() {
    let project = Project::new(&[
        (
            "a.py",
            "a = [1, # fixpoint: off\n  2, # fixpoint: on\n 3]\nb =   2\n",
        ),
        ("b.py", "a = [1, # fixpoint: off\n  2]\nb = 2\n"),
        ("c.yaml", "a: [1, # fixpoint: off\n  2]\nb:   2\n"),
    ]);
    project
        .run(&["check", "a.py"])
        .exits_with(0)
        .prints("1 is not canonical");
    project.run(&["fix"]).exits_with(0);
    assert!(project.read("a.py").ends_with("]\nb = 2\n"));
    assert!(project.read("b.py").ends_with("  2]\nb = 2\n"));
    assert!(project.read("c.yaml").ends_with("  2]\nb:   2\n"));
    project.run(&["check"]).exits_with(0);
}
