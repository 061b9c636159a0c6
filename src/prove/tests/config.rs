//! Every key of the configuration: its default, valid values, boundaries and invalid values.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests write configuration files"
)]

use std::fs;

use fixpoint_prove::config::{ConfigError, EngineName, ProveConfig, Reason};
use serde_json::{Value, json};

/// The value at a dotted path in the JSON of the evidence.
fn at(config: &ProveConfig, path: &str) -> Value {
    let json = serde_json::to_value(config).expect("configurations are JSON");
    json.pointer(&format!("/{}", path.replace('.', "/")))
        .unwrap_or_else(|| panic!("{path} is not in {json}"))
        .clone()
}

/// `a.b: value` as YAML with one line per level.
fn yaml(key: &str, value: &str) -> String {
    match key.split_once('.') {
        Some((section, key)) => format!("{section}:\n  {key}: {value}\n"),
        None => format!("{key}: {value}\n"),
    }
}

struct Row {
    key: &'static str,
    /// The path in the evidence.
    field: &'static str,
    default: Value,
    valid: Vec<(&'static str, Value)>,
    invalid: Vec<&'static str>,
}

fn row(
    key: &'static str,
    field: &'static str,
    default: Value,
    valid: &[(&'static str, Value)],
    invalid: &[&'static str],
) -> Row {
    Row {
        key,
        field,
        default,
        valid: valid.to_vec(),
        invalid: invalid.to_vec(),
    }
}

fn rows() -> Vec<Row> {
    let commands = json!([
        "node", "npm", "npx", "pnpm", "yarn", "pytest", "bazel", "bazelisk", "cargo", "go",
        "python", "python3", "mvn", "fixpoint"
    ]);
    let number = [
        "-1",
        "1.5",
        "1e3",
        "0x10",
        "010",
        "yes",
        "'5'",
        "[]",
        "99999999999999999999",
    ];
    let with = |more: &[&'static str]| [&number[..], more].concat();
    vec![
        row(
            "engine",
            "engine",
            json!("fixpoint"),
            &[
                ("openai", json!("openai")),
                ("claude", json!("claude")),
                ("fixpoint", json!("fixpoint")),
            ],
            &["OpenAI", "gpt", "1", "", "[openai]", "command"],
        ),
        row(
            "openai.model",
            "openai.model",
            json!("gpt-4.1-mini"),
            &[("any/model:1", json!("any/model:1"))],
            &["4", "", "''", "true", "\"a\\nb\""],
        ),
        row(
            "openai.api_key_env",
            "openai.apiKeyEnv",
            json!("OPENAI_API_KEY"),
            &[("_X1", json!("_X1"))],
            &["sk-abc", "1A", "'A B'", "''", "A=B", "7"],
        ),
        row(
            "openai.timeout_ms",
            "openai.timeoutMs",
            json!(120_000),
            &[("1000", json!(1000)), ("604800000", json!(604_800_000))],
            &with(&["999", "0", "604800001"]),
        ),
        row(
            "openai.max_retries",
            "openai.maxRetries",
            json!(2),
            &[("0", json!(0)), ("100", json!(100))],
            &with(&["101"]),
        ),
        row(
            "openai.base_url",
            "openai.baseUrl",
            json!("https://api.openai.com"),
            &[
                ("http://127.0.0.1:8080/", json!("http://127.0.0.1:8080")),
                ("https://a.b/proxy", json!("https://a.b/proxy")),
            ],
            &[
                "a.b",
                "ftp://a",
                "https://",
                "https://user:pw@a",
                "https://a?key=1",
                "'https://a b'",
            ],
        ),
        row(
            "command.argv",
            "command.argv",
            json!([]),
            &[("[x, --y]", json!(["x", "--y"]))],
            &["x", "[]", "[1]", "['']"],
        ),
        row(
            "claude.argv",
            "claude.argv",
            json!(["claude"]),
            &[("[/bin/c]", json!(["/bin/c"]))],
            &["x", "[]", "[true]"],
        ),
        row(
            "prepare",
            "prepare",
            json!([]),
            &[("[]", json!([])), ("[npm ci]", json!(["npm ci"]))],
            &["npm ci", "[1]", "{}"],
        ),
        row(
            "test.required",
            "test.required",
            json!(true),
            &[("false", json!(false)), ("true", json!(true))],
            &["'true'", "1", "yes", ""],
        ),
        row(
            "test.required_suites",
            "test.requiredSuites",
            json!([]),
            &[("[npm test]", json!(["npm test"]))],
            &["npm test", "[' ']", "[[a]]"],
        ),
        row(
            "diff.max_files",
            "diff.maxFiles",
            json!(8),
            &[("1", json!(1)), ("40", json!(40))],
            &with(&["0", "41"]),
        ),
        row(
            "diff.max_loc",
            "diff.maxLoc",
            json!(300),
            &[("1", json!(1))],
            &with(&["0"]),
        ),
        row(
            "diff.hard_max_files",
            "diff.hardMaxFiles",
            json!(40),
            &[("8", json!(8))],
            &with(&["0", "7"]),
        ),
        row(
            "diff.hard_max_loc",
            "diff.hardMaxLoc",
            json!(2000),
            &[("300", json!(300))],
            &with(&["0", "299"]),
        ),
        row(
            "commands.allow",
            "commands.allow",
            commands,
            &[("[make]", json!(["make"]))],
            &["[]", "make", "['']", "[2]"],
        ),
        row(
            "commands.timeout_ms",
            "commands.timeoutMs",
            json!(600_000),
            &[("1000", json!(1000))],
            &with(&["999"]),
        ),
        row(
            "security.network",
            "security.network",
            json!("deny"),
            &[("allow", json!("allow")), ("deny", json!("deny"))],
            &["off", "Deny", "true"],
        ),
        row(
            "security.redact",
            "security.redact",
            json!(["GITHUB_TOKEN", "OPENAI_API_KEY"]),
            &[("[]", json!([])), ("[A]", json!(["A"]))],
            &["A", "[a-b]", "[1]"],
        ),
        row(
            "security.require_sandbox",
            "security.requireSandbox",
            json!(false),
            &[("true", json!(true))],
            &["on", "1"],
        ),
        row(
            "paths.allow",
            "paths.allow",
            json!([]),
            &[("[src/**]", json!(["src/**"]))],
            &["src", "[/etc/**]", "['../x']", "['a[']", "['a\\b']"],
        ),
        row(
            "budget.candidates",
            "budget.candidates",
            json!(20),
            &[("1", json!(1)), ("10000", json!(10000))],
            &with(&["0", "10001"]),
        ),
        row(
            "sign.key",
            "sign.key",
            Value::Null,
            &[("~/.ssh/id", json!("~/.ssh/id"))],
            &["", "[a]", "1"],
        ),
        row(
            "policy.suspicion",
            "policy.suspicion",
            json!("refuse"),
            &[("report", json!("report")), ("refuse", json!("refuse"))],
            &["ignore", "false"],
        ),
    ]
}

// E-80 E-88 E-88a E-88b E-88c E-88d E-88e E-89 E-89a E-90 E-90a E-91 E-91a E-92 E-92a E-92b
#[test]
fn every_key_has_a_default_valid_and_invalid_values() {
    for row in rows() {
        assert_eq!(
            at(&ProveConfig::default(), row.field),
            row.default,
            "{}",
            row.key
        );
        for (written, expected) in row.valid {
            let text = yaml(row.key, written);
            let config = ProveConfig::parse("prove.yml", &text)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(at(&config, row.field), expected, "{text}");
        }
        for written in row.invalid {
            let text = yaml(row.key, written);
            let Err(error) = ProveConfig::parse("prove.yml", &text) else {
                panic!("accepted: {text}");
            };
            let message = error.to_string();
            assert!(message.starts_with("prove.yml:"), "{message}");
            let named = message.contains(&format!("`{}", row.key));
            assert!(
                named || matches!(error, ConfigError::Syntax { .. }),
                "{message}"
            );
            assert!(!message.contains("sk-abc"), "{message}");
        }
    }
}

#[test]
fn protected_paths_are_replaced_as_a_whole() {
    let config = ProveConfig::parse("f", "paths:\n  protect: [a/**]\n").unwrap();
    assert_eq!(config.paths.protect, ["a/**"]);
    let defaults = ProveConfig::default().paths.protect;
    assert!(defaults.contains(&"**/conftest.py".to_owned()));
}

#[test]
fn mode_changes_are_allowed_only_on_request() {
    assert!(!ProveConfig::default().paths.allow_mode_changes);
    let config = ProveConfig::parse("f", "paths:\n  allow_mode_changes: true\n").unwrap();
    assert!(config.paths.allow_mode_changes);
    assert!(ProveConfig::parse("f", "paths:\n  allow_mode_changes: 1\n").is_err());
}

#[test]
fn a_limit_above_the_ceiling_is_an_error() {
    let both = ProveConfig::parse("f", "diff:\n  max_files: 50\n  hard_max_files: 50\n");
    assert_eq!(both.unwrap().diff.max_files, 50);
    let error = ProveConfig::parse("f", "diff:\n  max_files: 50\n");
    assert_eq!(
        error.unwrap_err().to_string(),
        "f:2: `diff.max_files`: `diff.max_files` is 50, which is more than the ceiling \
         `diff.hard_max_files`, 40; raise the ceiling or lower the limit"
    );
    let error = ProveConfig::parse("f", "diff:\n  max_files: 50\n  hard_max_files: 49\n");
    let message = error.unwrap_err().to_string();
    assert_eq!(
        message,
        "f:3: `diff.hard_max_files`: `diff.max_files` is 50, which is more than the ceiling \
         `diff.hard_max_files`, 49; raise the ceiling or lower the limit"
    );
}

fn key_error(text: &str) -> (usize, String, Reason) {
    match ProveConfig::parse("f", text) {
        Err(ConfigError::Key {
            line, key, reason, ..
        }) => (line, key, *reason),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn unknown_keys_name_the_nearest_one() {
    for (text, line, key, nearest) in [
        ("engin: openai\n", 1, "engin", Some("engine")),
        (
            "# c\nopenai:\n  modell: x\n",
            3,
            "openai.modell",
            Some("openai.model"),
        ),
        (
            "openai:\n  timeoutMs: 5\n",
            2,
            "openai.timeoutMs",
            Some("openai.timeout_ms"),
        ),
        (
            "timeout_ms: 5\n",
            1,
            "timeout_ms",
            Some("openai.timeout_ms"),
        ),
        (
            "commands.timeout_ms: 5\n",
            1,
            "commands.timeout_ms",
            Some("commands.timeout_ms"),
        ),
        (
            "diff:\n  network: deny\n",
            2,
            "diff.network",
            Some("security.network"),
        ),
        ("zzzzzzzzzzzz: 1\n", 1, "zzzzzzzzzzzz", None),
        ("<<: {engine: openai}\n", 1, "<<", None),
    ] {
        let nearest = nearest.map(str::to_owned);
        let expected = (line, key.to_owned(), Reason::UnknownKey { nearest });
        assert_eq!(key_error(text), expected, "{text}");
    }
    let error = ProveConfig::parse(".efix.yml", "engine: opnai\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        ".efix.yml:1: `engine`: `opnai` is not one of fixpoint, command, openai, claude; did you \
         mean `openai`?"
    );
}

// E-79 E-107
#[test]
fn duplicate_keys_and_unsupported_yaml_are_errors() {
    assert_eq!(
        key_error("engine: openai\nengine: claude\n").2,
        Reason::DuplicateKey
    );
    assert_eq!(key_error("diff:\n  max_loc: 1\n  max_loc: 2\n").0, 3);
    assert_eq!(
        key_error("prepare: &a [x]\ntest:\n  required_suites: *a\n").2,
        Reason::UnsupportedYaml
    );
    assert_eq!(
        key_error("openai:\n  model: !secret x\n").2,
        Reason::UnsupportedYaml
    );
    assert_eq!(
        key_error("prepare: [&a x, *a]\n").2,
        Reason::UnsupportedYaml
    );
    for text in [
        "engine: &a openai\n",
        "diff: &a\n  max_loc: 1\n",
        "diff:\n  max_loc: &a 1\n",
        "commands:\n  allow: [&a npm]\n",
    ] {
        assert_eq!(key_error(text).2, Reason::UnsupportedYaml, "{text}");
    }
    for text in [
        "- a\n",
        "text\n",
        "5\n",
        "engine: openai\n---\nengine: claude\n",
        "a: [\n",
    ] {
        let error = ProveConfig::parse("f", text).unwrap_err();
        assert!(
            matches!(error, ConfigError::Syntax { .. }),
            "{text}: {error}"
        );
    }
    let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        let inner = vec![format!("*a{}", level - 1); 9].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    assert!(ProveConfig::parse("f", &bomb).is_err());
    assert!(ProveConfig::parse("f", &"[".repeat(100_000)).is_err());
}

#[test]
fn an_empty_file_has_the_defaults() {
    for text in ["", "# nothing\n", "---\n", "{}\n"] {
        assert_eq!(
            ProveConfig::parse("f", text).unwrap(),
            ProveConfig::default(),
            "{text}"
        );
    }
    assert!(ProveConfig::parse("f", "openai:\n").is_err());
}

// E-92c
#[test]
fn files_are_found_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let loaded = ProveConfig::load(root, None).unwrap();
    assert_eq!((loaded.config, loaded.file), (ProveConfig::default(), None));

    fs::write(root.join(".efix.yml"), "openai:\n  model: m\n").unwrap();
    let loaded = ProveConfig::load(root, None).unwrap();
    assert_eq!(loaded.file.as_deref(), Some(".efix.yml"));
    assert_eq!(loaded.config.openai.model, "m");
    assert_eq!(loaded.config.engine, EngineName::Fixpoint);

    fs::create_dir(root.join(".fixpoint")).unwrap();
    fs::write(
        root.join(".fixpoint/prove.yml"),
        "engine: command\ncommand: {argv: [x]}\n",
    )
    .unwrap();
    let loaded = ProveConfig::load(root, None).unwrap();
    assert_eq!(loaded.file.as_deref(), Some(".fixpoint/prove.yml"));
    assert_eq!(loaded.config.engine, EngineName::Command);

    let explicit = root.join("other.yml");
    assert!(ProveConfig::load(root, Some(&explicit)).is_err());
    fs::write(&explicit, "engine: claude\n").unwrap();
    let loaded = ProveConfig::load(root, Some(&explicit)).unwrap();
    assert_eq!(loaded.config.engine, EngineName::Claude);
    fs::write(&explicit, " ".repeat(300_000)).unwrap();
    assert!(ProveConfig::load(root, Some(&explicit)).is_err());
}

// E-43
#[test]
fn the_api_key_variable_is_always_secret() {
    let text = "openai: {api_key_env: MY_KEY}\nsecurity: {redact: [Z, A, A]}\n";
    let config = ProveConfig::parse("f", text).unwrap();
    assert_eq!(config.secret_env_names(), ["A", "MY_KEY", "Z"]);
}

#[test]
fn evidence_round_trips() {
    let config = ProveConfig::parse("f", "diff: {max_loc: 7}\n").unwrap();
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(serde_json::from_str::<ProveConfig>(&json).unwrap(), config);
}
