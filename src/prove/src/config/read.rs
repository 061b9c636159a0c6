//! Reads a configuration: one line of code per key.

use fixpoint_document::{Document, Format, Kind};
use fixpoint_text::LineIndex;

use super::error::{ConfigError, Reason};
use super::value::{Section, Source, Value};
use super::{EngineName, Network, ProveConfig, Suspicion};

/// All sections and their keys. The section `""` has the keys at the top level.
const KEYS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "engine", "openai", "command", "claude", "prepare", "test", "diff", "commands",
            "security", "paths", "budget", "sign", "policy",
        ],
    ),
    (
        "openai",
        &[
            "model",
            "api_key_env",
            "timeout_ms",
            "max_retries",
            "base_url",
        ],
    ),
    ("command", &["argv"]),
    ("claude", &["argv"]),
    ("test", &["required", "required_suites"]),
    (
        "diff",
        &["max_files", "max_loc", "hard_max_files", "hard_max_loc"],
    ),
    ("commands", &["allow", "timeout_ms"]),
    ("security", &["network", "redact", "require_sandbox"]),
    ("paths", &["allow", "protect", "allow_mode_changes"]),
    ("budget", &["candidates"]),
    ("sign", &["key"]),
    ("policy", &["suspicion"]),
];

/// The longest timeout: one week.
const MAX_TIMEOUT_MS: u64 = 7 * 24 * 60 * 60 * 1000;
const MAX_COUNT: u64 = u32::MAX as u64;
const MAX_RETRIES: u32 = 100;
const MAX_CANDIDATES: u32 = 10_000;

fn keys_of(section: &str) -> &'static [&'static str] {
    let found = KEYS.iter().find(|(name, _)| *name == section);
    found.map_or(&[], |(_, keys)| keys)
}

/// The known key that is most similar to an unknown one: in the same section if possible, else a
/// key of another section with exactly this name.
pub(super) fn nearest_key(section: &str, key: &str) -> Option<String> {
    let full = |section: &str, key: &str| {
        if section.is_empty() {
            key.to_owned()
        } else {
            format!("{section}.{key}")
        }
    };
    let last = key.rsplit('.').next().unwrap_or(key);
    let elsewhere = || {
        let named = |(section, keys): &&(&str, &[&str])| {
            keys.contains(&last) && (!key.contains('.') || full(section, last) == key)
        };
        let found = KEYS.iter().find(named);
        let found = found.or_else(|| KEYS.iter().find(|(_, keys)| keys.contains(&last)));
        found.map(|(section, _)| full(section, last))
    };
    let near = keys_of(section)
        .iter()
        .map(|known| (strsim::damerau_levenshtein(known, key), *known))
        .min()
        .filter(|(distance, known)| *distance <= (known.len().max(key.len()) / 3).max(2));
    match near {
        Some((_, known)) => Some(full(section, known)),
        None => elsewhere(),
    }
}

pub(super) fn parse(file: &str, text: &str) -> Result<ProveConfig, ConfigError> {
    let source = Source {
        file,
        text,
        lines: LineIndex::new(text),
    };
    let syntax = |offset: usize, message: String| ConfigError::Syntax {
        file: file.to_owned(),
        line: source.line(offset.min(text.len())),
        message,
    };
    let document = Document::parse(Format::Yaml, text)
        .map_err(|error| syntax(error.span().start(), error.to_string()))?;
    if document.is_stream() {
        let second = document
            .documents()
            .nth(1)
            .map_or(0, |node| node.span().start());
        let message = "the file has several YAML documents; keep one of them";
        return Err(syntax(second, message.to_owned()));
    }
    let root = document.root();
    let mut config = ProveConfig::default();
    match root.kind() {
        Kind::Null => return Ok(config),
        Kind::Object => {}
        _ => {
            let message = "a mapping of settings is expected, such as `engine: fixpoint`";
            return Err(syntax(root.span().start(), message.to_owned()));
        }
    }
    let top = Section::new(&source, root, "", keys_of(""))?;
    read_engines(&top, &mut config)?;
    read_limits(&top, &mut config)?;
    read_rest(&top, &mut config)?;
    Ok(config)
}

fn section<'a>(top: &Section<'a>, name: &'static str) -> Result<Option<Section<'a>>, ConfigError> {
    let value = top.get(name)?;
    value
        .map(|value| value.section(name, keys_of(name)))
        .transpose()
}

fn read_engines(top: &Section<'_>, config: &mut ProveConfig) -> Result<(), ConfigError> {
    if let Some(openai) = section(top, "openai")? {
        let to = &mut config.openai;
        set(&mut to.model, openai.get("model")?, |v| v.text())?;
        set(&mut to.api_key_env, openai.get("api_key_env")?, |v| {
            v.variable()
        })?;
        set(&mut to.timeout_ms, openai.get("timeout_ms")?, |v| {
            v.number(1000, MAX_TIMEOUT_MS)
        })?;
        set(&mut to.max_retries, openai.get("max_retries")?, |v| {
            v.number32(0, MAX_RETRIES)
        })?;
        set(&mut to.base_url, openai.get("base_url")?, |v| v.url())?;
    }
    if let Some(command) = section(top, "command")? {
        set(&mut config.command.argv, command.get("argv")?, |v| {
            v.some_texts()
        })?;
    }
    if let Some(claude) = section(top, "claude")? {
        set(&mut config.claude.argv, claude.get("argv")?, |v| {
            v.some_texts()
        })?;
    }
    let Some(engine) = top.get("engine")? else {
        return Ok(());
    };
    config.engine = engine.choice(&EngineName::ALL.map(|engine| (engine.as_str(), engine)))?;
    if config.engine == EngineName::Command && config.command.argv.is_empty() {
        return Err(engine.error(Reason::Required { engine: "command" }));
    }
    Ok(())
}

fn read_limits(top: &Section<'_>, config: &mut ProveConfig) -> Result<(), ConfigError> {
    if let Some(test) = section(top, "test")? {
        let to = &mut config.test;
        set(&mut to.required, test.get("required")?, |v| v.boolean())?;
        set(&mut to.required_suites, test.get("required_suites")?, |v| {
            v.texts()
        })?;
    }
    if let Some(diff) = section(top, "diff")? {
        let to = &mut config.diff;
        let count = |v: &Value<'_>| v.number(1, MAX_COUNT);
        set(&mut to.max_files, diff.get("max_files")?, count)?;
        set(&mut to.max_loc, diff.get("max_loc")?, count)?;
        set(&mut to.hard_max_files, diff.get("hard_max_files")?, count)?;
        set(&mut to.hard_max_loc, diff.get("hard_max_loc")?, count)?;
        for (key, ceiling_key, limit, ceiling) in [
            (
                "max_files",
                "hard_max_files",
                to.max_files,
                to.hard_max_files,
            ),
            ("max_loc", "hard_max_loc", to.max_loc, to.hard_max_loc),
        ] {
            let named = match diff.get(ceiling_key)? {
                Some(value) => Some(value),
                None => diff.get(key)?,
            };
            if let Some(value) = named.filter(|_| limit > ceiling) {
                return Err(value.error(Reason::CeilingBelowLimit {
                    key,
                    limit,
                    ceiling_key,
                    ceiling,
                }));
            }
        }
    }
    if let Some(commands) = section(top, "commands")? {
        let to = &mut config.commands;
        set(&mut to.allow, commands.get("allow")?, |v| v.some_texts())?;
        set(&mut to.timeout_ms, commands.get("timeout_ms")?, |v| {
            v.number(1000, MAX_TIMEOUT_MS)
        })?;
    }
    if let Some(budget) = section(top, "budget")? {
        set(
            &mut config.budget.candidates,
            budget.get("candidates")?,
            |v| v.number32(1, MAX_CANDIDATES),
        )?;
    }
    Ok(())
}

fn read_rest(top: &Section<'_>, config: &mut ProveConfig) -> Result<(), ConfigError> {
    set(&mut config.prepare, top.get("prepare")?, |v| v.texts())?;
    if let Some(security) = section(top, "security")? {
        let to = &mut config.security;
        set(&mut to.network, security.get("network")?, |v| {
            v.choice(&[("deny", Network::Deny), ("allow", Network::Allow)])
        })?;
        set(&mut to.redact, security.get("redact")?, |v| v.variables())?;
        set(
            &mut to.require_sandbox,
            security.get("require_sandbox")?,
            |v| v.boolean(),
        )?;
    }
    if let Some(paths) = section(top, "paths")? {
        let to = &mut config.paths;
        set(&mut to.allow, paths.get("allow")?, |v| v.globs())?;
        set(&mut to.protect, paths.get("protect")?, |v| v.globs())?;
        set(
            &mut to.allow_mode_changes,
            paths.get("allow_mode_changes")?,
            |v| v.boolean(),
        )?;
    }
    if let Some(sign) = section(top, "sign")? {
        set(&mut config.sign.key, sign.get("key")?, |v| {
            v.text().map(Some)
        })?;
    }
    if let Some(policy) = section(top, "policy")? {
        set(
            &mut config.policy.suspicion,
            policy.get("suspicion")?,
            |v| v.choice(&[("refuse", Suspicion::Refuse), ("report", Suspicion::Report)]),
        )?;
    }
    Ok(())
}

/// Replaces a default if the file has the key.
fn set<T>(
    slot: &mut T,
    value: Option<Value<'_>>,
    read: impl FnOnce(&Value<'_>) -> Result<T, ConfigError>,
) -> Result<(), ConfigError> {
    if let Some(value) = value {
        *slot = read(&value)?;
    }
    Ok(())
}
