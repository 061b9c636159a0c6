//! The settings in `fixpoint.toml` that concern all phases: excluded paths, and the layout of languages.
//!
//! A phase reads the table of its own settings itself, with the functions of [`crate::toml_table`].

use std::collections::BTreeMap;

use fixpoint_text::Span;
use thiserror::Error;
use toml_edit::{Array, DocumentMut, Item, Value, value};

use crate::globs::Globs;
use crate::toml_table::{entries, fail, known_key, parse_document, strings};

const ROOT_KEYS: [&str; 2] = ["exclude", "language"];
const LANGUAGE_KEYS: [&str; 4] = ["enabled", "format", "indent", "line_width"];
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
}

/// The languages that settings can name.
#[derive(Clone, Copy, Debug)]
pub struct LanguageNames<'a> {
    pub all: &'a [&'a str],
    /// Languages whose layout cannot be set.
    pub fixed: &'a [&'a str],
}

/// What a workspace says about one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageConfig {
    pub enabled: bool,
    /// Whether Fixpoint lays out the language. Unset, it does unless another formatter does.
    pub format: Option<bool>,
    pub line_width: Option<u16>,
    pub indent: Option<Indent>,
}

impl LanguageConfig {
    /// Whether Fixpoint lays out the language; `None` if the settings do not say so.
    pub fn formats(self) -> Option<bool> {
        let has_layout = self.indent.is_some() || self.line_width.is_some();
        self.format.or(has_layout.then_some(true))
    }
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            format: None,
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

/// An error in the file, and its place.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct ConfigError {
    pub message: String,
    pub span: Span,
}

impl Config {
    /// Reads the text of a `fixpoint.toml`. Phases read the tables with the keys `of_phases`.
    pub fn parse(
        text: &str,
        languages: LanguageNames<'_>,
        of_phases: &[&str],
    ) -> Result<Self, ConfigError> {
        let document = parse_document(text)?;
        let mut config = Self::default();
        let mut keys = [&ROOT_KEYS[..], of_phases].concat();
        keys.sort_unstable();
        for (key, item, at) in entries(document.as_table()) {
            match known_key(key, &keys, at)? {
                "exclude" => config.exclude = strings(item, key, at)?,
                "language" => {
                    (config.languages, config.text) = language_tables(item, at, languages)?;
                }
                _ => {}
            }
        }
        Ok(config)
    }

    /// Settings that say whether TOML files may be changed, taken from a `fixpoint.toml` that is
    /// invalid elsewhere. `None` if they cannot be read.
    pub fn readable_part(text: &str) -> Option<String> {
        let document = parse_document(text).ok()?;
        let mut part = DocumentMut::new();
        for (key, item, at) in entries(document.as_table()) {
            match key {
                "exclude" => {
                    let globs = strings(item, key, at).ok()?;
                    part[key] = value(Array::from_iter(globs));
                }
                "language" => {
                    let enabled = item.get("toml").and_then(|it| it.get("enabled"));
                    if let Some(enabled) = enabled {
                        part[key]["toml"]["enabled"] = value(enabled.as_bool()?);
                    }
                }
                _ => {}
            }
        }
        Some(part.to_string())
    }

    /// Globs of paths that are not analyzed.
    pub fn exclude(&self) -> &[String] {
        &self.exclude
    }

    pub fn language(&self, name: &str) -> LanguageConfig {
        self.languages.get(name).copied().unwrap_or_default()
    }

    /// Whether a file of unknown format at this workspace path is formatted as text.
    pub fn includes_text(&self, path: &str) -> bool {
        self.language(TEXT).enabled && self.text.cover(path)
    }
}

fn language_tables(
    item: &Item,
    at: Span,
    languages: LanguageNames<'_>,
) -> Result<(BTreeMap<String, LanguageConfig>, Globs), ConfigError> {
    let Some(table) = item.as_table_like() else {
        return fail(at, "`language` must be a table, such as [language.python]");
    };
    let mut read = BTreeMap::new();
    let mut text = Globs::default();
    for (name, item, at) in entries(table) {
        known_key(name, languages.all, at)?;
        let Some(settings) = item.as_table_like() else {
            return fail(at, format!("`language.{name}` must be a table"));
        };
        let mut config = LanguageConfig::default();
        for (key, item, at) in entries(settings) {
            let is_layout = ["indent", "line_width"].contains(&key);
            let known = match name {
                TEXT if !is_layout => &TEXT_KEYS[..],
                _ => &LANGUAGE_KEYS[..],
            };
            match known_key(key, known, at)? {
                "include" => text = globs(item, key, at)?,
                "indent" | "line_width" if languages.fixed.contains(&name) => {
                    return fail(
                        at,
                        format!("the layout of {name} is fixed; it has no `{key}`"),
                    );
                }
                "enabled" => config.enabled = boolean(item, key, at)?,
                "format" => config.format = Some(boolean(item, key, at)?),
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

fn boolean(item: &Item, key: &str, at: Span) -> Result<bool, ConfigError> {
    let value = item.as_bool();
    value.map_or_else(|| fail(at, format!("`{key}` must be true or false")), Ok)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        let languages = LanguageNames {
            all: &["json", "python", "text"],
            fixed: &["text"],
        };
        Config::parse(text, languages, &[])
    }

    #[test]
    fn what_an_invalid_file_excludes_is_still_read() {
        let text = "exlude = 1\nexclude = [\"a.toml\"]\n[language.toml]\nenabled = false\nx = 1\n";
        let part = Config::readable_part(text).expect("readable");
        let languages = LanguageNames {
            all: &["toml"],
            fixed: &[],
        };
        let config = Config::parse(&part, languages, &[]).expect("valid");
        assert_eq!(config.exclude(), ["a.toml"]);
        assert!(!config.language("toml").enabled);
        for unreadable in ["exclude = [", "exclude = 1", "[language.toml]\nenabled = 1"] {
            assert_eq!(Config::readable_part(unreadable), None, "{unreadable}");
        }
    }

    fn refusal(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        (error.message.clone(), text[error.span.range()].to_owned())
    }

    #[test]
    fn every_setting_is_read() {
        let config = parse("exclude = [\"third_party/**\"]\n[language.python]\nline_width = 100\nindent = 2\n[language.json]\nindent = \"tab\"\nenabled = false\nformat = true\n").expect("valid");
        assert_eq!(config.exclude(), ["third_party/**"]);
        let python = LanguageConfig {
            enabled: true,
            format: None,
            line_width: Some(100),
            indent: Some(Indent::Spaces(2)),
        };
        assert_eq!(config.language("python"), python);
        let json = LanguageConfig {
            enabled: false,
            format: Some(true),
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
            "unknown key `xyzzyx`; expected one of enabled, format, indent, line_width"
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
            "unknown key `include`; expected one of enabled, format, indent, line_width"
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
    fn the_tables_of_phases_are_left_to_them() {
        let languages = LanguageNames {
            all: &[],
            fixed: &[],
        };
        let parse = |text| Config::parse(text, languages, &["phase"]);
        assert_eq!(parse("phase = 1\n"), Ok(Config::default()));
        let error = parse("phases = 1\n").expect_err("an unknown key");
        assert_eq!(error.message, "unknown key `phases`; did you mean `phase`?");
    }
}
