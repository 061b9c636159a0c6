//! `fixpoint.toml`: what a workspace excludes, how wide and how deep its languages are set, which lint
//! rules it wants, and what its documents are checked against.

use std::collections::BTreeMap;

use fixpoint_text::Span;
use thiserror::Error;
use toml_edit::{Document, Item, TableLike, Value};

use crate::globs::Globs;
use crate::validate_config::{ValidateConfig, validate_table};

const ROOT_KEYS: [&str; 4] = ["exclude", "language", "lint", "validate"];
const LINT_KEYS: [&str; 2] = ["disable", "enable"];
const LANGUAGE_KEYS: [&str; 3] = ["enabled", "indent", "line_width"];
const TEXT: &str = "text";
const TEXT_KEYS: [&str; 2] = ["enabled", "include"];
const LINE_WIDTHS: std::ops::RangeInclusive<i64> = 20..=320;
const INDENTS: std::ops::RangeInclusive<i64> = 1..=16;

/// The workspace's settings. Whatever is unset means the canonical default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    exclude: Vec<String>,
    languages: BTreeMap<String, LanguageConfig>,
    text: Globs,
    lint: BTreeMap<String, bool>,
    validate: ValidateConfig,
}

/// What a program has that a workspace can name in its settings.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    pub languages: &'a [&'a str],
    /// Those of the languages whose layout cannot be set.
    pub fixed: &'a [&'a str],
    pub lint_rules: &'a [&'a str],
    /// The rules for documents that are shipped, and the packs they come in. Asked for only where a
    /// workspace names one.
    pub document_rules: fn() -> Vec<&'static str>,
}

/// What a workspace says about one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageConfig {
    pub enabled: bool,
    pub line_width: Option<u16>,
    pub indent: Option<Indent>,
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            line_width: None,
            indent: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    Spaces(u8),
    Tab,
}

/// What is wrong in the file, and where.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct ConfigError {
    pub message: String,
    pub span: Span,
}

impl Config {
    /// Reads the text of a `fixpoint.toml`.
    pub fn parse(text: &str, known: Known<'_>) -> Result<Self, ConfigError> {
        let document = Document::parse(text).map_err(|error| ConfigError {
            message: error.message().to_owned(),
            span: error.span().map_or(Span::at(0), Span::from),
        })?;
        let mut config = Self::default();
        for (key, item, at) in entries(document.as_table()) {
            match known_key(key, &ROOT_KEYS, at)? {
                "exclude" => config.exclude = strings(item, key, at)?,
                "validate" => config.validate = validate_table(item, at, known.document_rules)?,
                "lint" => config.lint = lint_table(item, at, known.lint_rules)?,
                _ => {
                    let (languages, text) =
                        language_tables(item, at, known.languages, known.fixed)?;
                    (config.languages, config.text) = (languages, text);
                }
            }
        }
        Ok(config)
    }

    /// Globs of paths that are not looked at.
    pub fn exclude(&self) -> &[String] {
        &self.exclude
    }

    /// Whether the workspace wants a lint rule; nothing where it does not say.
    pub fn lint(&self, rule: &str) -> Option<bool> {
        self.lint.get(rule).copied()
    }

    /// What documents are checked against.
    pub fn validate(&self) -> &ValidateConfig {
        &self.validate
    }

    pub fn language(&self, name: &str) -> LanguageConfig {
        self.languages.get(name).copied().unwrap_or_default()
    }

    /// Whether a file of unknown format at this workspace path is formatted as text.
    pub fn includes_text(&self, path: &str) -> bool {
        self.language(TEXT).enabled && self.text.cover(path)
    }
}

/// For each rule that is named, whether it is wanted.
fn lint_table(
    item: &Item,
    at: Span,
    rules: &[&str],
) -> Result<BTreeMap<String, bool>, ConfigError> {
    let Some(table) = item.as_table_like() else {
        return fail(at, "`lint` must be a table with `disable` and `enable`");
    };
    let mut wanted = BTreeMap::new();
    for (key, item, at) in entries(table) {
        let enable = known_key(key, &LINT_KEYS, at)? == "enable";
        switch(&mut wanted, item, key, at, enable, rules)?;
    }
    Ok(wanted)
}

/// Notes for each name in a list whether it is wanted.
pub(crate) fn switch(
    wanted: &mut BTreeMap<String, bool>,
    item: &Item,
    key: &str,
    at: Span,
    enable: bool,
    known: &[&str],
) -> Result<(), ConfigError> {
    let Some(names) = item.as_array() else {
        return fail(at, format!("`{key}` must be an array of rule names"));
    };
    for name in names {
        let at = name.span().map_or(at, Span::from);
        let Some(name) = name.as_str() else {
            return fail(at, format!("`{key}` must be an array of rule names"));
        };
        known_key(name, known, at)?;
        if wanted.insert(name.to_owned(), enable).is_some() {
            return fail(at, format!("`{name}` is named twice"));
        }
    }
    Ok(())
}

pub(crate) fn entries(table: &dyn TableLike) -> impl Iterator<Item = (&str, &Item, Span)> {
    table.iter().map(|(key, item)| {
        let span = table
            .key(key)
            .and_then(toml_edit::Key::span)
            .or_else(|| item.span());
        (key, item, span.map_or(Span::at(0), Span::from))
    })
}

pub(crate) fn known_key<'k>(
    key: &'k str,
    known: &[&str],
    at: Span,
) -> Result<&'k str, ConfigError> {
    if known.contains(&key) {
        return Ok(key);
    }
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(key, candidate), *candidate))
        .min();
    let advice = match nearest {
        Some((distance, nearest)) if distance <= 3 => format!("did you mean `{nearest}`?"),
        _ => format!("expected one of {}", known.join(", ")),
    };
    fail(at, format!("unknown key `{key}`; {advice}"))
}

pub(crate) fn strings(item: &Item, key: &str, at: Span) -> Result<Vec<String>, ConfigError> {
    let strings = item
        .as_array()
        .map(|array| array.iter().map(|value| value.as_str().map(str::to_owned)));
    strings.and_then(Iterator::collect).map_or_else(
        || fail(at, format!("`{key}` must be an array of strings")),
        Ok,
    )
}

fn language_tables(
    item: &Item,
    at: Span,
    languages: &[&str],
    fixed: &[&str],
) -> Result<(BTreeMap<String, LanguageConfig>, Globs), ConfigError> {
    let Some(table) = item.as_table_like() else {
        return fail(at, "`language` must be a table, such as [language.python]");
    };
    let mut read = BTreeMap::new();
    let mut text = Globs::default();
    for (name, item, at) in entries(table) {
        known_key(name, languages, at)?;
        let Some(settings) = item.as_table_like() else {
            return fail(at, format!("`language.{name}` must be a table"));
        };
        let mut config = LanguageConfig::default();
        for (key, item, at) in entries(settings) {
            let is_layout = LANGUAGE_KEYS[1..].contains(&key);
            let known = match name {
                TEXT if !is_layout => &TEXT_KEYS[..],
                _ => &LANGUAGE_KEYS[..],
            };
            match known_key(key, known, at)? {
                "include" => text = globs(item, key, at)?,
                "indent" | "line_width" if fixed.contains(&name) => {
                    return fail(
                        at,
                        format!("the layout of {name} is fixed; it has no `{key}`"),
                    );
                }
                "enabled" => {
                    config.enabled = item
                        .as_bool()
                        .map_or_else(|| fail(at, "`enabled` must be true or false"), Ok)?
                }
                "indent" => config.indent = Some(indent(item.as_value(), at)?),
                _ => {
                    config.line_width =
                        Some(number(item.as_integer(), &LINE_WIDTHS, "line_width", at)?)
                }
            }
        }
        read.insert(name.to_owned(), config);
    }
    Ok((read, text))
}

fn globs(item: &Item, key: &str, at: Span) -> Result<Globs, ConfigError> {
    let written = strings(item, key, at)?;
    Globs::new(written.clone()).or_else(|(index, reason)| {
        let value = item.as_array().and_then(|array| array.get(index));
        let at = value.and_then(Value::span).map_or(at, Span::from);
        let glob = written.get(index).map_or("", String::as_str);
        fail(at, format!("`{glob}` is not a glob: {reason}"))
    })
}

fn indent(value: Option<&Value>, at: Span) -> Result<Indent, ConfigError> {
    match value {
        Some(Value::String(word)) if word.value() == "tab" => Ok(Indent::Tab),
        Some(Value::Integer(spaces)) => Ok(Indent::Spaces(number(
            Some(*spaces.value()),
            &INDENTS,
            "indent",
            at,
        )?)),
        _ => fail(at, "`indent` must be a number of spaces or \"tab\""),
    }
}

fn number<T: TryFrom<i64>>(
    value: Option<i64>,
    allowed: &std::ops::RangeInclusive<i64>,
    key: &str,
    at: Span,
) -> Result<T, ConfigError> {
    let number = value
        .filter(|value| allowed.contains(value))
        .and_then(|value| T::try_from(value).ok());
    number.map_or_else(
        || {
            fail(
                at,
                format!(
                    "`{key}` must be a number from {} to {}",
                    allowed.start(),
                    allowed.end()
                ),
            )
        },
        Ok,
    )
}

pub(crate) fn fail<T>(span: Span, message: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError {
        message: message.into(),
        span,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        let known = Known {
            languages: &["json", "python", "text"],
            fixed: &["text"],
            lint_rules: &["load", "print"],
            document_rules: || vec!["kubernetes"],
        };
        Config::parse(text, known)
    }

    fn refusal(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        (error.message.clone(), text[error.span.range()].to_owned())
    }

    #[test]
    fn every_setting_is_read() {
        let config = parse("exclude = [\"third_party/**\"]\n[language.python]\nline_width = 100\nindent = 2\n[language.json]\nindent = \"tab\"\nenabled = false\n").expect("valid");
        assert_eq!(config.exclude(), ["third_party/**"]);
        let python = LanguageConfig {
            enabled: true,
            line_width: Some(100),
            indent: Some(Indent::Spaces(2)),
        };
        assert_eq!(config.language("python"), python);
        let json = LanguageConfig {
            enabled: false,
            line_width: None,
            indent: Some(Indent::Tab),
        };
        assert_eq!(config.language("json"), json);
    }

    #[test]
    fn unset_means_the_default() {
        // C-90
        assert_eq!(parse("").expect("valid"), Config::default());
        assert_eq!(
            Config::default().language("json"),
            LanguageConfig::default()
        );
    }

    #[test]
    fn an_unknown_key_is_answered_with_the_nearest() {
        let (message, marked) = refusal("exlude = []\n");
        assert_eq!(message, "unknown key `exlude`; did you mean `exclude`?");
        assert_eq!(marked, "exlude");
        assert_eq!(
            refusal("[language.pyhton]\n").0,
            "unknown key `pyhton`; did you mean `python`?"
        );
        assert_eq!(
            refusal("[language.json]\nlinewidth = 3\n").0,
            "unknown key `linewidth`; did you mean `line_width`?"
        );
        assert_eq!(
            refusal("[language.json]\nxyzzyx = 3\n").0,
            "unknown key `xyzzyx`; expected one of enabled, indent, line_width"
        );
    }

    #[test]
    fn a_fixed_layout_cannot_be_set() {
        assert!(parse("[language.text]\nenabled = false\n").is_ok());
        let (message, marked) = refusal("[language.text]\nindent = 2\n");
        assert_eq!(message, "the layout of text is fixed; it has no `indent`");
        assert_eq!(marked, "indent");
    }

    #[test]
    fn text_is_included_by_glob_and_not_by_default() {
        assert!(!Config::default().includes_text("notes.txt"));
        let text = "[language.text]\ninclude = [\"docs/**/*.txt\", \"*.rs\", \"/LICENSE\"]\n";
        let config = parse(text).expect("valid");
        for path in ["docs/a.txt", "docs/a/b.txt", "a.rs", "src/a.rs", "LICENSE"] {
            assert!(config.includes_text(path), "{path}");
        }
        for path in ["a.txt", "other/docs/a.txt", "a.rst", "src/LICENSE"] {
            assert!(!config.includes_text(path), "{path}");
        }
        let off = parse(&format!("{text}enabled = false\n")).expect("valid");
        assert!(!off.includes_text("a.rs"));
    }

    #[test]
    fn an_invalid_glob_is_reported_at_its_position() {
        let (message, marked) = refusal("[language.text]\ninclude = [\"*.rs\", \"a[\"]\n");
        assert_eq!(marked, "\"a[\"");
        assert!(message.starts_with("`a[` is not a glob: "), "{message}");
        assert!(parse("[language.text]\ninclude = [\"\"]\n").is_err());
        assert_eq!(
            refusal("[language.text]\ninclude = \"*.rs\"\n").0,
            "`include` must be an array of strings"
        );
        assert_eq!(
            refusal("[language.json]\ninclude = []\n").0,
            "unknown key `include`; expected one of enabled, indent, line_width"
        );
    }

    #[test]
    fn wrong_values_say_what_is_right() {
        assert_eq!(
            refusal("exclude = \"x\"\n").0,
            "`exclude` must be an array of strings"
        );
        assert_eq!(
            refusal("language = 1\n").0,
            "`language` must be a table, such as [language.python]"
        );
        assert_eq!(
            refusal("[language.json]\nenabled = 1\n").0,
            "`enabled` must be true or false"
        );
        assert_eq!(
            refusal("[language.json]\nindent = 0\n").0,
            "`indent` must be a number from 1 to 16"
        );
        assert_eq!(
            refusal("[language.json]\nindent = \"tabs\"\n").0,
            "`indent` must be a number of spaces or \"tab\""
        );
        assert_eq!(
            refusal("[language.json]\nline_width = 9999\n").0,
            "`line_width` must be a number from 20 to 320"
        );
        assert!(parse("exclude = [").is_err());
    }

    #[test]
    fn lint_rules_are_switched_by_name() {
        let config = parse("[lint]\ndisable = [\"print\"]\nenable = [\"load\"]\n").expect("valid");
        assert_eq!(config.lint("print"), Some(false));
        assert_eq!(config.lint("load"), Some(true));
        assert_eq!(config.lint("other"), None);
        let (message, text) = refusal("[lint]\ndisable = [\"prnt\"]\n");
        assert_eq!(text, "\"prnt\"");
        assert!(message.contains("did you mean `print`?"), "{message}");
        let (message, _) = refusal("[lint]\ndisable = [\"load\"]\nenable = [\"load\"]\n");
        assert!(message.contains("named twice"), "{message}");
        let (message, _) = refusal("[lint]\ndisable = 1\n");
        assert!(message.contains("an array of rule names"), "{message}");
    }
}
