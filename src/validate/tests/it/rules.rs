//! Tests declarative rules: their findings, their fixes, and the errors for mistakes in a rules
//! file.

use crate::common::{findings, library, ruled, run, settings};
use fixpoint_text::Snapshot;
use fixpoint_validate::{Library, RulesFile, ValidatePhase};

/// A rules file with one rule for all files.
fn rule(parts: &str) -> String {
    format!(
        "files: [\"**\"]\nrules:\n  - id: own\n    message: \"{{key}}={{value}}, wanted {{wanted}}\"\n{parts}"
    )
}

const FIX: &str = "    fix: { safety: behavior_preserving, reason: Because. }\n";

#[track_caller]
fn expect(parts: &str, text: &str, found: &[&str], fixed: &str) {
    let (reported, canonical) = ruled(&rule(parts), "app.yaml", text);
    assert_eq!(reported, found);
    assert_eq!(canonical, fixed);
}

#[test]
fn a_value_must_equal_the_value_of_another_place() {
    // F-37
    let parts = format!("    at: /copy/name\n    require: {{ same_as: /app/name }}\n{FIX}");
    expect(
        &parts,
        "app: { name: shop }\ncopy: { name: shpo }\n",
        &["own /copy/name [Replace it by \"shop\"]"],
        "app: { name: shop }\ncopy: { name: shop }\n",
    );
    expect(&parts, "copy: { name: x }\n", &[], "copy: { name: x }\n");
}

#[test]
fn unsorted_items_are_sorted() {
    // F-43 F-70
    let parts = format!("    at: /tags\n    require: {{ sorted: true }}\n{FIX}");
    expect(
        &parts,
        "tags:\n  - c\n  - a\n  - b\n",
        &["own /tags [Sort the items]"],
        "tags:\n  - a\n  - b\n  - c\n",
    );
    // F-14: a comment belongs to its item.
    let commented = "tags:\n  - c # the third\n  - a\n";
    expect(&parts, commented, &["own /tags []"], commented);
    let by = "    at: /list\n    require: { sorted: { by: name } }\n";
    let unsorted = "list: [{ name: b }, { name: a }]\n";
    expect(by, unsorted, &["own /list []"], unsorted);
}

#[test]
fn an_inserted_item_gets_the_place_that_the_workspace_rules_define() {
    // F-41 F-42: the op appends, and the rule about the order of the array moves the item.
    let rules = "files: [\"**\"]\nrules:\n  - id: has-b\n    at: /tags\n    require: { schema: { contains: { const: b } } }\n    message: b is missing\n    fix:\n      safety: behavior_preserving\n      reason: It must be there.\n      ops: [{ op: insert_array_item, value: b }]\n";
    let sorted = "  - id: sorted\n    at: /tags\n    require: { sorted: true }\n    message: tags are sorted\n    fix: { safety: behavior_preserving, reason: Tags are a set. }\n";
    let (_, appended) = ruled(rules, "a.yaml", "tags: [a, c]\n");
    assert_eq!(appended, "tags: [a, c, b]\n");
    let (_, ordered) = ruled(&format!("{rules}{sorted}"), "a.yaml", "tags: [a, c]\n");
    assert_eq!(ordered, "tags: [a, b, c]\n");
}

#[test]
fn duplicate_items_are_removed() {
    let parts = format!("    at: /tags\n    require: {{ unique: true }}\n{FIX}");
    expect(
        &parts,
        "tags: [a, b, a]\n",
        &["own /tags/2 [Remove the second \"a\"]"],
        "tags: [a, b]\n",
    );
    let by = format!("    at: /list\n    require: {{ unique: {{ by: name }} }}\n{FIX}");
    let text = "list: [{ name: a, x: 1 }, { name: a, x: 2 }]\n";
    expect(&by, text, &["own /list/1 []"], text);
}

#[test]
fn names_must_exist_elsewhere_in_the_document() {
    let parts = format!("    at: /jobs/*/needs\n    require: {{ names_in: /jobs }}\n{FIX}");
    expect(
        &parts,
        "jobs:\n  build: {}\n  test: { needs: [biuld, nothing] }\n",
        &[
            "own /jobs/test/needs/0 [Replace it by `build`]",
            "own /jobs/test/needs/1 []",
        ],
        "jobs:\n  build: {}\n  test: { needs: [build, nothing] }\n",
    );
}

#[test]
fn forbidden_members_are_removed_or_renamed() {
    // F-39 F-44
    let gone = format!("    at: /app/debug\n    require: {{ absent: true }}\n{FIX}");
    expect(
        &gone,
        "app:\n  debug: true\n  name: a\n",
        &["own /app/debug [Remove `debug`]"],
        "app:\n  name: a\n",
    );
    let renamed =
        format!("    at: /app/title\n    require: {{ absent: {{ renamed_to: name }} }}\n{FIX}");
    expect(
        &renamed,
        "app:\n  title: a\n",
        &["own /app/title [Rename `title` to `name`]"],
        "app:\n  name: a\n",
    );
    let both = "app:\n  title: a\n  name: b\n";
    expect(&renamed, both, &["own /app/title []"], both);
}

#[test]
fn a_condition_can_be_a_schema_and_its_fix_any_operations() {
    // F-38 F-40 F-41 F-70
    let parts = "    at: /app\n    when: { required: [modules] }\n    require: { schema: { required: [language], properties: { modules: { minItems: 1 } } } }\n    fix:\n      title: Say the language\n      safety: behavior_preserving\n      reason: Because.\n      ops:\n        - { op: add_value, key: language, value: cel }\n        - { op: insert_array_item, json_pointer: /modules, value: core }\n";
    expect(
        parts,
        "app:\n  modules: [a]\n",
        &["own /app [Say the language]"],
        "app:\n  modules: [a, core]\n  language: cel\n",
    );
    expect(parts, "app: {}\n", &[], "app: {}\n");
}

#[test]
fn misspelt_words_are_replaced_by_listed_ones() {
    let near = format!("    at: /kind\n    require: {{ known_words: [service, worker] }}\n{FIX}");
    expect(&near, "kind: database\n", &[], "kind: database\n");
    expect(
        &near,
        "kind: wroker\n",
        &["own /kind [Replace it by `worker`]"],
        "kind: worker\n",
    );
    let listed = format!("    at: /kind\n    require: {{ one_of: [service, worker] }}\n{FIX}");
    expect(
        &listed,
        "kind: database\n",
        &["own /kind []"],
        "kind: database\n",
    );
    let typed = format!("    at: /port\n    require: {{ type: integer }}\n{FIX}");
    expect(
        &typed,
        "port: \"80\"\n",
        &["own /port [Write it as 80]"],
        "port: 80\n",
    );
}

#[test]
fn a_message_shows_the_actual_and_the_expected_value() {
    let rules = rule(
        "    at: /kind\n    tier: semantic\n    severity: warning\n    require: { one_of: [worker] }\n",
    );
    let report = run(&library(None, Some(&rules)), "a.yaml", "kind: wroker\n").report;
    let diagnostic = &report.diagnostics[0];
    assert_eq!(diagnostic.message, "kind=wroker, wanted worker");
    assert_eq!(diagnostic.tier.as_deref(), Some("semantic"));
    assert_eq!(diagnostic.severity(), fixpoint_report::Severity::Warning);
}

#[test]
fn every_built_in_rule_fixes_its_example_as_documented() {
    // F-10
    let schema = include_str!("../example.schema.json");
    let (empty, with_schema) = (library(None, None), library(Some(schema), None));
    for rule in (ValidatePhase::INFO.rules)() {
        let Some(example) = rule.example else {
            continue;
        };
        let library = match rule.name.starts_with("schema-") {
            true => &with_schema,
            false => &empty,
        };
        let run = run(library, example.path, example.before);
        let found = findings(&run);
        let names: Vec<&str> = run
            .report
            .diagnostics
            .iter()
            .map(|it| it.rule.as_str())
            .collect();
        assert!(names.contains(&rule.name), "{}: {found:?}", rule.name);
        let fix = run.report.fixes.iter().find(|fix| fix.rule == rule.name);
        let fix = fix.unwrap_or_else(|| panic!("{} has no fix: {found:?}", rule.name));
        assert!(!fix.rationale.is_empty());
        if rule.safety != Some(fixpoint_report::Safety::BehaviorChanging) {
            assert_eq!(run.canonical.text(), example.after, "{}", rule.name);
            let checks = library
                .checks(&run.canonical, &settings(""), None)
                .expect("checks");
            let phase = ValidatePhase::new(checks);
            let again = fixpoint_engine::Phase::run(&phase, &run.canonical);
            assert!(again.findings.is_empty(), "{}: {again:?}", rule.name);
        }
    }
}

#[test]
fn a_rule_can_check_several_places() {
    let parts = format!("    at: [/a, /b/*, /**/c, /b/c]\n    require: {{ type: string }}\n{FIX}");
    expect(
        &parts,
        "a: 1\nb: { c: 2 }\nd: { e: { c: 3 } }\nf: 4\n",
        &[
            "own /a [Write it as \"1\"]",
            "own /b/c [Write it as \"2\"]",
            "own /d/e/c [Write it as \"3\"]",
        ],
        "a: \"1\"\nb: { c: \"2\" }\nd: { e: { c: \"3\" } }\nf: 4\n",
    );
}

/// The findings of built-in rules in a text: rules and pointers.
fn shipped(path: &str, text: &str) -> Vec<String> {
    let run = run(&Library::default(), path, text);
    let found = run.report.diagnostics.iter();
    let found = found.map(|it| {
        let pointer = it.json_pointer.as_deref().unwrap_or_default();
        format!("{} {pointer}", it.rule)
    });
    found.collect()
}

#[test]
fn containers_are_found_in_every_kind_of_workload() {
    let pod =
        "{ initContainers: [{ imag: a }], containers: [{ env: [{ value: 1.10 }, { value: }] }] }";
    for (path, text) in [
        ("", format!("apiVersion: v1\nkind: Pod\nspec: {pod}\n")),
        (
            "/spec/template",
            format!(
                "apiVersion: apps/v1\nkind: Deployment\nspec: {{ template: {{ spec: {pod} }} }}\n"
            ),
        ),
        (
            "/spec/jobTemplate/spec/template",
            format!(
                "apiVersion: batch/v1\nkind: CronJob\nspec: {{ jobTemplate: {{ spec: {{ template: {{ spec: {pod} }} }} }} }}\n"
            ),
        ),
        (
            "/items/0",
            format!("apiVersion: v1\nkind: List\nitems: [{{ kind: Pod, spec: {pod} }}]\n"),
        ),
    ] {
        assert_eq!(
            shipped("a.yaml", &text),
            [
                format!("kubernetes-env-value {path}/spec/containers/0/env/0/value"),
                format!("kubernetes-container-key {path}/spec/initContainers/0/imag"),
            ],
            "{text}"
        );
    }
}

#[test]
fn labels_are_strings_in_every_place() {
    let text = "apiVersion: v1\nkind: List\nitems:\n  - kind: Deployment\n    metadata: { labels: { a: 1 } }\n    spec:\n      replicas: \"2\"\n      selector: { matchLabels: { a: 1 } }\n      template: { metadata: { labels: { a: 1, b: } } }\n";
    assert_eq!(
        shipped("a.yaml", text),
        [
            "kubernetes-label /items/0/metadata/labels/a",
            "kubernetes-replicas /items/0/spec/replicas",
            "kubernetes-label /items/0/spec/selector/matchLabels/a",
            "kubernetes-label /items/0/spec/template/metadata/labels/a",
        ]
    );
}

#[test]
fn dependencies_are_found_in_every_table() {
    for table in [
        "dependencies",
        "dev-dependencies",
        "build-dependencies",
        "workspace.dependencies",
        "target.'cfg(unix)'.dependencies",
        "target.'cfg(unix)'.dev-dependencies",
        "target.x86_64-pc-windows-gnu.build-dependencies",
    ] {
        let text =
            format!("[{table}]\na = {{ version = 1.10, default_features = false }}\nb = 1\n");
        let rules: Vec<String> = shipped("Cargo.toml", &text)
            .into_iter()
            .map(|it| it.split(' ').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(
            rules,
            [
                "cargo-toml-version",
                "cargo-toml-version",
                "cargo-toml-dependency-key"
            ],
            "{table}"
        );
    }
    assert_eq!(
        shipped(
            "Cargo.toml",
            "[workspace.package]\nedition = 2021\nlicence = \"MIT\"\n"
        ),
        [
            "cargo-toml-edition /workspace/package/edition",
            "cargo-toml-workspace-package-key /workspace/package/licence",
        ]
    );
}

#[test]
fn files_of_other_kinds_are_not_checked() {
    let nothing = Library::default();
    let checks = |path: &str, text: &str, table: &str| {
        let snapshot = Snapshot::new(path, text);
        nothing.checks(&snapshot, &settings(table), None).is_some()
    };
    assert!(checks("a/package.json", "{}", ""));
    assert!(!checks("a/other.json", "{}", ""));
    assert!(checks("a/fixpoint.toml", "", "") && !checks("fixpoint.toml", "", ""));
    assert!(!checks(
        "package.json",
        "{}",
        "[validate]\ndisable = [\"package-json\"]\n"
    ));
    assert!(checks("pod.yaml", "apiVersion: v1\n", ""));
    assert!(!checks("pod.yaml", "version: v1\n", ""));
    // A manifest that is not of Kubernetes is not checked.
    let chart = run(
        &nothing,
        "Chart.yaml",
        "apiVersion: v2\nkind: x\nmetadata: { labels: { a: 1 } }\n",
    );
    assert!(findings(&chart).is_empty());
}

#[test]
fn a_single_built_in_rule_can_be_switched_off() {
    let snapshot = Snapshot::new("Cargo.toml", "[package]\nedition = 2021\n");
    let found = |table: &str| {
        let (library, settings) = (Library::default(), settings(table));
        let checks = library.checks(&snapshot, &settings, None).expect("checks");
        let phase = ValidatePhase::new(checks);
        fixpoint_engine::Phase::run(&phase, &snapshot)
            .findings
            .len()
    };
    assert_eq!(found(""), 1);
    assert_eq!(found("[validate]\ndisable = [\"cargo-toml-edition\"]\n"), 0);
}

#[test]
fn errors_in_a_rules_file_say_what_to_write() {
    let good = "files: [\"**\"]\nrules:\n  - { id: a, message: m, require: { type: string } }\n";
    assert!(RulesFile::parse("rules.yaml", good).is_ok());
    for (from, to, expected) in [
        ("rules:", "rule:", "did you mean `rules`?"),
        ("id: a", "id: a, mesage: x", "did you mean `message`?"),
        ("id: a", "id: \"a b\"", "must be of letters"),
        ("message: m, ", "", "`message` is missing"),
        ("files: [\"**\"]\n", "", "`files` is missing"),
        ("[\"**\"]", "[\"a[\"]", "unclosed character class"),
        ("[\"**\"]", "7", "must be an array of strings"),
        (
            "{ type: string }",
            "{ tpye: string }",
            "did you mean `type`?",
        ),
        (
            "{ type: string }",
            "{ type: strnig }",
            "did you mean `string`?",
        ),
        ("{ type: string }", "{}", "exactly one condition"),
        (
            "{ type: string }",
            "{ schema: { type: strnig } }",
            "not a valid JSON Schema",
        ),
        (
            "{ type: string }",
            "{ same_as: a }",
            "must be empty or start with `/`",
        ),
        ("id: a", "id: a, at: a/b", "must be empty or start with `/`"),
        ("id: a", "id: a, at: /**/a/**", "`**` more than once"),
        (
            "id: a",
            "id: a, tier: schema",
            "expected one of semantic, policy",
        ),
        ("id: a", "id: a, severity: eror", "did you mean `error`?"),
        ("id: a", "id: a, fix: {}", "`reason` is missing"),
        (
            "id: a",
            "id: a, fix: { reason: r, ops: [{ op: remove_key, key: k }] }",
            "leave `ops` out",
        ),
        (
            "id: a, message: m, require: { type: string }",
            "id: a, message: m, require: { schema: true }, fix: { reason: r }",
            "`ops` is missing",
        ),
        (
            "id: a, message: m, require: { type: string }",
            "id: a, message: m, require: { schema: true }, fix: { reason: r, ops: [{ op: rename, from: a, to: b }] }",
            "unknown word `rename`; expected one of add_value",
        ),
        (
            "id: a, message: m, require: { type: string }",
            "id: a, message: m, require: { schema: true }, fix: { reason: r, ops: [{ op: rename_key, from: a }] }",
            "`to` is missing",
        ),
        (
            "rules:\n",
            "rules:\n  - { id: a, message: m, require: { type: string } }\n",
            "two rules have the id `a`",
        ),
        ("rules:", "rules: [", ""),
    ] {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let error = RulesFile::parse("rules.yaml", &text).expect_err(&text);
        assert!(
            error.message.contains(expected),
            "{text}\n{}",
            error.message
        );
        assert!(error.span.end() <= text.len());
    }
}
