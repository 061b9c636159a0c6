//! Typed access to the values of a configuration file.

use fixpoint_document::{Entry, Kind, Node};
use fixpoint_text::LineIndex;
use globset::GlobBuilder;

use super::error::{ConfigError, Reason};
use super::read::nearest_key;

/// The file that is read; it is needed for the positions in errors.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    pub(super) lines: LineIndex,
}

impl Source<'_> {
    pub(super) fn line(&self, offset: usize) -> usize {
        self.lines.position(self.text, offset).line
    }

    pub(super) fn error(&self, offset: usize, key: &str, reason: Reason) -> ConfigError {
        ConfigError::Key {
            file: self.file.to_owned(),
            line: self.line(offset),
            key: key.to_owned(),
            reason: Box::new(reason),
        }
    }
}

/// A value, and the key that it belongs to.
pub(super) struct Value<'a> {
    source: &'a Source<'a>,
    key: String,
    node: Node<'a>,
    /// Where the key is written. It is also the position of an empty value.
    offset: usize,
}

/// The members of a mapping: known keys, each at most once.
pub(super) struct Section<'a> {
    source: &'a Source<'a>,
    prefix: &'static str,
    members: Vec<Entry<'a>>,
}

impl<'a> Section<'a> {
    /// Rejects values that are not mappings, unknown keys and duplicate keys.
    pub(super) fn new(
        source: &'a Source<'a>,
        node: Node<'a>,
        prefix: &'static str,
        known: &[&str],
    ) -> Result<Self, ConfigError> {
        for entry in node.members() {
            if !known.contains(&entry.key) {
                let key = join(prefix, entry.key);
                let nearest = nearest_key(prefix, entry.key);
                let reason = Reason::UnknownKey { nearest };
                return Err(source.error(entry.key_span.start(), &key, reason));
            }
        }
        if let Some(entry) = node.duplicate_keys().first() {
            let key = join(prefix, entry.key);
            return Err(source.error(entry.key_span.start(), &key, Reason::DuplicateKey));
        }
        Ok(Self {
            source,
            prefix,
            members: node.members().collect(),
        })
    }

    pub(super) fn get(&self, key: &str) -> Result<Option<Value<'a>>, ConfigError> {
        let Some(entry) = self.members.iter().find(|entry| entry.key == key) else {
            return Ok(None);
        };
        let value = Value {
            source: self.source,
            key: join(self.prefix, key),
            node: entry.value,
            offset: entry.key_span.start(),
        };
        if entry.value.is_alias() || entry.value.has_anchor() || entry.value.has_tag() {
            return Err(value.error(Reason::UnsupportedYaml));
        }
        Ok(Some(value))
    }
}

fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "empty",
        Kind::Boolean => "a boolean",
        Kind::Number => "a number",
        Kind::String => "text",
        Kind::Array => "a list",
        Kind::Object => "a mapping",
    }
}

impl<'a> Value<'a> {
    pub(super) fn error(&self, reason: Reason) -> ConfigError {
        self.source.error(self.offset, &self.key, reason)
    }

    fn wrong_type(&self, expected: &'static str) -> ConfigError {
        self.error(Reason::WrongType {
            expected,
            found: name(self.node.kind()),
        })
    }

    pub(super) fn section(
        &self,
        prefix: &'static str,
        known: &[&str],
    ) -> Result<Section<'a>, ConfigError> {
        if self.node.kind() != Kind::Object {
            return Err(self.wrong_type("a mapping"));
        }
        Section::new(self.source, self.node, prefix, known)
    }

    /// A text that is not blank and has no control characters.
    pub(super) fn text(&self) -> Result<String, ConfigError> {
        let text = self.node.as_str().ok_or_else(|| self.wrong_type("text"))?;
        if text.trim().is_empty() {
            return Err(self.error(Reason::EmptyText));
        }
        if text.chars().any(char::is_control) {
            return Err(self.error(Reason::ControlCharacter));
        }
        Ok(text.to_owned())
    }

    pub(super) fn boolean(&self) -> Result<bool, ConfigError> {
        let boolean = self.node.as_bool();
        boolean.ok_or_else(|| self.wrong_type("`true` or `false`"))
    }

    /// A whole number in decimal digits. Other notations are rejected, because readers of YAML
    /// disagree on their values: `010` is 8 or 10.
    pub(super) fn number(&self, min: u64, max: u64) -> Result<u64, ConfigError> {
        let number = self
            .node
            .as_number()
            .ok_or_else(|| self.wrong_type("a number"))?;
        let digits = number.as_written();
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        match digits.parse() {
            Ok(number) if plain && (min..=max).contains(&number) => Ok(number),
            _ => Err(self.error(Reason::OutOfRange { min, max })),
        }
    }

    pub(super) fn number32(&self, min: u32, max: u32) -> Result<u32, ConfigError> {
        let number = self.number(min.into(), max.into())?;
        u32::try_from(number).map_err(|_| {
            self.error(Reason::OutOfRange {
                min: min.into(),
                max: max.into(),
            })
        })
    }

    /// One of a closed set of words.
    pub(super) fn choice<T: Copy>(&self, accepted: &[(&str, T)]) -> Result<T, ConfigError> {
        let found = self.text()?;
        if let Some((_, value)) = accepted.iter().find(|(word, _)| *word == found) {
            return Ok(*value);
        }
        let words = accepted.iter().map(|(word, _)| *word);
        Err(self.error(Reason::NotAccepted {
            accepted: words.clone().collect::<Vec<_>>().join(", "),
            nearest: words
                .map(|word| (strsim::damerau_levenshtein(word, &found), word))
                .min()
                .filter(|(distance, word)| *distance <= word.len() / 2)
                .map(|(_, word)| word.to_owned()),
            found,
        }))
    }

    /// The items of a list. Each item is a value of its own, so that errors name its index.
    fn items(&self) -> Result<Vec<Value<'a>>, ConfigError> {
        if self.node.kind() != Kind::Array {
            return Err(self.wrong_type("a list"));
        }
        let mut items = Vec::with_capacity(self.node.items().len());
        for (index, node) in self.node.items().enumerate() {
            let item = Value {
                source: self.source,
                key: format!("{}[{index}]", self.key),
                node,
                offset: node.span().start(),
            };
            if node.is_alias() {
                return Err(item.error(Reason::UnsupportedYaml));
            }
            items.push(item);
        }
        Ok(items)
    }

    pub(super) fn texts(&self) -> Result<Vec<String>, ConfigError> {
        self.items()?.iter().map(Value::text).collect()
    }

    pub(super) fn some_texts(&self) -> Result<Vec<String>, ConfigError> {
        let texts = self.texts()?;
        if texts.is_empty() {
            return Err(self.error(Reason::EmptyList));
        }
        Ok(texts)
    }

    /// The name of an environment variable.
    pub(super) fn variable(&self) -> Result<String, ConfigError> {
        let name = self.text()?;
        let valid = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit());
        if valid {
            Ok(name)
        } else {
            Err(self.error(Reason::NotAVariable))
        }
    }

    pub(super) fn variables(&self) -> Result<Vec<String>, ConfigError> {
        self.items()?.iter().map(Value::variable).collect()
    }

    pub(super) fn globs(&self) -> Result<Vec<String>, ConfigError> {
        self.items()?.iter().map(Value::glob).collect()
    }

    fn glob(&self) -> Result<String, ConfigError> {
        let glob = self.text()?;
        let problem = if glob.starts_with('/') {
            Some("globs are relative to the repository; remove the leading `/`".to_owned())
        } else if glob.split('/').any(|part| part == "..") {
            Some("`..` is not allowed".to_owned())
        } else if glob.contains('\\') {
            Some("use `/` between folders".to_owned())
        } else {
            let built = GlobBuilder::new(&glob).literal_separator(true).build();
            built.err().map(|error| error.kind().to_string())
        };
        match problem {
            Some(problem) => Err(self.error(Reason::Glob { glob, problem })),
            None => Ok(glob),
        }
    }

    /// A URL prefix, without its trailing slashes. A URL with a user name or a query is rejected,
    /// because these may contain secrets, and the URL is part of the evidence.
    pub(super) fn url(&self) -> Result<String, ConfigError> {
        let url = self.text()?;
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"));
        let problem = match rest {
            None => Some("a URL that starts with `https://` or `http://` is expected"),
            Some(rest) if rest.is_empty() || rest.starts_with(['/', ':']) => {
                Some("the URL has no host")
            }
            Some(rest) if rest.contains('@') => {
                Some("the URL must not contain a user name or a password")
            }
            Some(rest) if rest.contains(['?', '#']) => {
                Some("the URL must not contain a query or a fragment")
            }
            Some(rest) if rest.contains(|c: char| c.is_whitespace() || !c.is_ascii()) => {
                Some("the URL must consist of ASCII characters without spaces")
            }
            Some(_) => None,
        };
        match problem {
            Some(problem) => Err(self.error(Reason::Url { problem })),
            None => Ok(url.trim_end_matches('/').to_owned()),
        }
    }
}
