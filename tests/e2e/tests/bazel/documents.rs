//! Tests documents and their schemas in Bazel: reports, strict mode and writer work as for other
//! files.

use fixpoint_e2e::Workspace;

use crate::VIEW_ASPECT;
use crate::cache::processes;

const SCHEMA: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": { "name": { "type": "string" }, "port": { "$ref": "parts/port.json" } },
  "additionalProperties": false,
  "x-fixpoint-former-keys": {
    "title": { "rename": "name", "safety": "behavior_preserving" },
    "debug": { "remove": true, "safety": "behavior_preserving" }
  }
}
"#;
const PORT: &str = "{ \"type\": \"integer\" }\n";
const OLD: &str = "# the shop\ntitle: shop # its name\nport: 80\n";
const NEW: &str = "# the shop\nname: shop # its name\nport: 80\n";

const DECLARED: &str = r#"load("@fixpoint//rules:defs.bzl", "document_schema", "fix_test")

package(default_visibility = ["//visibility:public"])

document_schema(
    name = "settings",
    srcs = ["shop.yaml"],
    data = ["parts/port.json"],
    schema = "settings.schema.json",
)

filegroup(
    name = "files",
    srcs = ["shop.yaml"],
)

fix_test(
    name = "canonical",
    targets = [":settings"],
)
"#;

fn with_schema_of_a_package(fix: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("conf/BUILD.bazel", DECLARED);
    workspace.write("conf/settings.schema.json", SCHEMA);
    workspace.write("conf/parts/port.json", PORT);
    workspace.write("conf/shop.yaml", OLD);
    workspace.write(
        "BUILD.bazel",
        format!("load(\"@fixpoint//rules:defs.bzl\", \"fix\")\n\n{fix}\n"),
    );
    workspace
}

#[test]
fn documents_that_violate_a_package_schema_are_fixed_and_keep_comments() {
    let workspace = with_schema_of_a_package(
        "fix(\n    name = \"fix\",\n    schemas = [\"//conf:settings\"],\n)",
    );
    workspace
        .bazel(["build", "--config=strict", "//conf:settings"])
        .exits(1)
        .says("conf/shop.yaml:2:1: the schema knows no key `title` here [schema-unknown-key]")
        .says("+name: shop # its name");
    workspace
        .bazel(["test", "--config=strict", "//conf:canonical"])
        .fails();
    let group = "--output_groups=fixpoint_json";
    workspace
        .bazel(["build", VIEW_ASPECT, group, "//conf:settings"])
        .succeeds();
    let report = "bazel-bin/conf/settings.fixpoint/json/conf/shop.yaml.fix.json";
    let report = workspace.read(report);
    assert!(
        report.contains("rename_key") && report.contains("\"json_pointer\": \"/title\""),
        "{report}"
    );
    workspace
        .bazel(["run", "//:fix"])
        .succeeds()
        .says("Fixed conf/shop.yaml");
    assert_eq!(workspace.read("conf/shop.yaml"), NEW);
    workspace
        .bazel(["build", "--config=strict", "//conf/..."])
        .succeeds();
    workspace
        .bazel(["test", "--config=strict", "//conf:canonical"])
        .succeeds();
}

#[test]
fn a_document_that_violates_its_schema_fails_only_strict_mode() {
    let workspace = with_schema_of_a_package("fix(name = \"fix\")");
    workspace.write("conf/shop.yaml", "name: shop\nport: eighty\n");
    let found = "conf/shop.yaml:2:7: expected integer, found the string \"eighty\" [schema-type]";
    workspace
        .bazel(["test", "--test_output=all", "//conf/..."])
        .succeeds()
        .says("//conf:canonical: examined 1 file; 1 error")
        .says(found)
        .says("permissive: this does not fail");
    workspace
        .bazel(["build", "--config=strict", "//conf:settings"])
        .exits(1)
        .says("//conf:settings: examined 1 file; 1 error")
        .says(found);
    workspace
        .bazel(["test", "--config=strict", "//conf:canonical"])
        .fails()
        .says("1 fails locally")
        .does_not_say("PASSED");
    // Strict mode may check one target of the same files and skip another.
    let permissive = DECLARED.replace(
        "    schema = \"settings.schema.json\",",
        "    schema = \"settings.schema.json\",\n    tags = [\"fixpoint-permissive\"],",
    );
    workspace.write("conf/BUILD.bazel", permissive);
    workspace
        .bazel([
            "build",
            "--config=strict",
            "//conf:settings",
            "//conf:files",
        ])
        .succeeds();
    workspace
        .bazel(["build", "--config=strict", "//conf:canonical"])
        .exits(1)
        .says(found);
}

#[test]
fn a_file_of_two_targets_gets_the_fixes_of_both_reports() {
    let untidy = OLD.replace("port: 80", "port:   80");
    // The order of targets does not matter, nor whether the reports were built before.
    for targets in [
        ["//conf:settings", "//conf:files"],
        ["//conf:files", "//conf:settings"],
    ] {
        let workspace = with_schema_of_a_package(&format!(
            "fix(\n    name = \"fix\",\n    targets = {targets:?},\n)"
        ));
        workspace.write("conf/shop.yaml", &untidy);
        workspace
            .bazel(["run", "//:fix"])
            .succeeds()
            .says("Fixed conf/shop.yaml");
        assert_eq!(workspace.read("conf/shop.yaml"), NEW);
    }
    let workspace = with_schema_of_a_package(
        "fix(\n    name = \"fix\",\n    schemas = [\"//conf:settings\"],\n)\n\nfix(name = \"plain\")",
    );
    workspace.write("conf/shop.yaml", &untidy);
    workspace
        .bazel(["build", "--config=fix", "//conf/..."])
        .succeeds();
    // A `fix` target without the schema must not write fixes that depend on it.
    workspace
        .bazel(["run", "//:plain", "--", "--from-build"])
        .exits(3)
        .says("name that target in `schemas`");
    assert_eq!(workspace.read("conf/shop.yaml"), untidy);
    workspace
        .bazel(["run", "//:fix", "--", "--from-build"])
        .succeeds();
    assert_eq!(workspace.read("conf/shop.yaml"), NEW);
}

#[test]
fn two_schemas_of_one_file_both_apply() {
    let workspace = with_schema_of_a_package(
        "fix(\n    name = \"fix\",\n    targets = [\n        \"//conf:other\",\n        \"//conf:settings\",\n    ],\n)",
    );
    let other = "\ndocument_schema(\n    name = \"other\",\n    srcs = [\"shop.yaml\"],\n    schema = \"other.schema.json\",\n)\n";
    workspace.write("conf/BUILD.bazel", format!("{DECLARED}{other}"));
    workspace.write(
        "conf/other.schema.json",
        "{\"properties\": {\"name\": {}, \"title\": {}, \"port\": {}}, \"additionalProperties\": false, \
         \"x-fixpoint-former-keys\": {\"debug\": {\"remove\": true, \"safety\": \"behavior_preserving\"}}}",
    );
    workspace.write("conf/shop.yaml", format!("{OLD}debug: true\n"));
    workspace.bazel(["run", "//:fix"]).succeeds();
    assert_eq!(workspace.read("conf/shop.yaml"), NEW);
}

#[test]
fn a_changed_schema_repeats_only_analyses_of_its_documents() {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        "filegroup(\n    name = \"files\",\n    srcs = glob([\"*.*\"]),\n)\n",
    );
    let settings =
        "[[validate.schema]]\nfiles = [\"pkg/shop.yaml\"]\nschema = \"schemas/shop.json\"\n";
    workspace.write("fixpoint.toml", settings);
    workspace.write("schemas/shop.json", "{}\n");
    workspace.write(
        "pkg/shop.yaml",
        "# yaml-language-server: $schema=../schemas/shop.json\na: 1\n",
    );
    workspace.write(
        "pkg/other.yaml",
        "# yaml-language-server: $schema=../schemas/other.json\na: 1\n",
    );
    workspace.write("schemas/other.json", "{}\n");
    workspace.write("pkg/code.py", "x = 1\n");
    let build = || {
        let group = "--output_groups=fixpoint_json";
        let built = workspace.bazel(["build", VIEW_ASPECT, group, "//pkg:files"]);
        processes(&built.succeeds()).to_owned()
    };
    build();
    let report = |name: &str| {
        workspace.read(format!(
            "bazel-bin/pkg/files.fixpoint/json/pkg/{name}.fix.json"
        ))
    };
    // A document may name a schema itself. An action sees it only if the settings name it, too.
    let shop = report("shop.yaml");
    assert!(!shop.contains("schemas/shop.json"), "{shop}");
    let other = report("other.yaml");
    assert!(
        other.contains("the schema ../schemas/other.json"),
        "{other}"
    );
    workspace.write("schemas/shop.json", "{ \"required\": [\"b\"] }\n");
    // The analysis of one document, and its view.
    let ran = build();
    assert!(ran.contains("2 worker"), "{ran}");
    assert!(report("shop.yaml").contains("schema-required"));
    // A schema that no document uses repeats nothing.
    workspace.write("schemas/other.json", "{ \"required\": [\"b\"] }\n");
    let ran = build();
    assert!(!ran.contains("worker"), "{ran}");
}

#[test]
fn schemas_in_the_configuration_are_found_with_all_their_references() {
    let workspace = Workspace::new();
    workspace.write(
        "pkg/BUILD.bazel",
        "filegroup(\n    name = \"files\",\n    srcs = [\"shop.yaml\"],\n)\n",
    );
    workspace.write("schemas/settings.json", SCHEMA);
    workspace.write("schemas/parts/port.json", PORT);
    for settings in [
        "[[validate.schema]]\nfiles = [\"pkg/*.yaml\"]\nschema = \"schemas/settings.json\"\n",
        "[[ validate . 'schema' ]] # [[x]]\nfiles = [\n  # the only one ]\n  'pkg/*.yaml',\n]\nschema = 'schemas/settings.json' # it\n",
        "[lint]\ndisable = []\n[[validate.schema]]\nschema = \"\"\"\nschemas/settings.json\"\"\"\n\"files\" = [\"pkg/*.yaml\"]\n",
    ] {
        workspace.write("fixpoint.toml", settings);
        workspace.write("pkg/shop.yaml", OLD);
        workspace
            .bazel(["build", "--config=strict", "//pkg:files"])
            .exits(1)
            .says("pkg/shop.yaml:2:1: the schema knows no key `title` here [schema-unknown-key]");
        workspace.bazel(["run", "//:fix"]).succeeds();
        assert_eq!(workspace.read("pkg/shop.yaml"), NEW);
        workspace
            .bazel(["build", "--config=strict", "//pkg:files"])
            .succeeds();
    }
    // A changed file that the schema refers to changes the findings.
    workspace.write("schemas/parts/port.json", "{ \"type\": \"string\" }\n");
    let group = "--output_groups=fixpoint_json";
    workspace
        .bazel(["build", VIEW_ASPECT, group, "//pkg:files"])
        .succeeds();
    let path = "bazel-bin/pkg/files.fixpoint/json/pkg/shop.yaml.fix.json";
    let report = workspace.read(path);
    assert!(report.contains("schema-type"), "{report}");
    workspace.write(
        "schemas/settings.json",
        SCHEMA.replace("parts/port.json", "parts/none.json"),
    );
    // A missing file cannot be an input, so an action lists the check that it could not make.
    workspace
        .bazel(["build", VIEW_ASPECT, group, "//pkg:files"])
        .succeeds();
    let report = workspace.read(path);
    assert!(
        report.contains("the schema schemas/settings.json"),
        "{report}"
    );
    workspace
        .bazel(["run", "//:fix"])
        .fails()
        .says("schemas/parts/none.json: no such schema file");
}
