//! Compiles a schema, which is read once and shared by all files that it applies to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use fixpoint_document::{Document, Format, Node};
use jsonschema::{PatternOptions, Registry, Uri, ValidationOptions, Validator};
use serde_json::{Value, json};
use thiserror::Error;

use super::former_keys::check_former_keys;
use super::work::{TooMuchWork, has_references, steps};
use crate::subject::plain;

/// The base URI of workspace files in references between schemas. Nothing is fetched from it.
const WORKSPACE: &str = "workspace:///";
/// The base URI of generated schemas that only refer to a part of another one.
const PART: &str = "fixpoint:///part";

/// Why a schema cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SchemaError {
    #[error("{path}: not a document in JSON, YAML or TOML: {message}")]
    Syntax { path: String, message: String },
    #[error("{path}: not a valid JSON Schema: {message}{}", at(pointer))]
    Invalid {
        path: String,
        message: String,
        pointer: String,
    },
    #[error(
        "{path}: unknown draft `{draft}`; `$schema` may be https://json-schema.org/draft/2020-12/schema or http://json-schema.org/draft-07/schema#"
    )]
    Draft { path: String, draft: String },
    #[error(
        "{path}: refers to {reference}, which is not a file of the workspace; schemas are never fetched, so keep a copy beside it and refer to that"
    )]
    Unreachable { path: String, reference: String },
    #[error(
        "{path}: refers to `{reference}`, which leads out of the workspace; keep a copy beside the schema and refer to that"
    )]
    Outside { path: String, reference: String },
    #[error("{path}: no such schema file")]
    Missing { path: String },
    #[error("the schema `{reference}` is not in the workspace; schemas are local files")]
    NotLocal { reference: String },
    #[error("{message}")]
    Unreadable { message: String },
}

impl SchemaError {
    /// Whether the schema, or a file that it refers to, cannot be found or read in the workspace.
    /// It may still be a valid schema, for example of a package that is not installed.
    pub fn is_unresolved(&self) -> bool {
        match self {
            Self::Draft { .. }
            | Self::Unreachable { .. }
            | Self::Outside { .. }
            | Self::Missing { .. }
            | Self::NotLocal { .. }
            | Self::Unreadable { .. } => true,
            Self::Syntax { .. } | Self::Invalid { .. } => false,
        }
    }
}

fn at(pointer: &str) -> String {
    match pointer {
        "" => String::new(),
        _ => format!(" (at {pointer})"),
    }
}

/// The backtracking limit of a pattern on one text, so that no pattern takes exponential time.
const MAX_BACKTRACKS: usize = 100_000;

/// The options that every schema is compiled with.
pub(super) fn options<'r>() -> ValidationOptions<'r> {
    let patterns = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS);
    jsonschema::options().with_pattern_options(patterns)
}

/// Schema files by workspace path. The caller adds the schema itself, then every file that
/// [`SchemaTexts::wanted`] returns, until it returns none.
#[derive(Clone, Debug, Default)]
pub struct SchemaTexts {
    read: BTreeMap<String, Value>,
    numbers: WrittenNumbers,
    wanted: BTreeSet<String>,
}

impl SchemaTexts {
    /// Adds a file. `text` is `None` if the file does not exist.
    pub fn add(&mut self, path: &str, text: Option<&str>) -> Result<(), SchemaError> {
        self.wanted.remove(path);
        let text = text.ok_or_else(|| SchemaError::Missing {
            path: path.to_owned(),
        })?;
        let document = parse(path, text)?;
        let schema = plain(document.root());
        note_numbers(document.root(), &mut self.numbers);
        check_former_keys(&schema).map_err(|(pointer, message)| SchemaError::Invalid {
            path: path.to_owned(),
            message,
            pointer,
        })?;
        // References of a schema with its own id are relative to that id.
        let has_address = schema.get("$id").is_some() || schema.get("id").is_some();
        for reference in references(&schema) {
            match beside(path, reference) {
                Some(file) => {
                    self.wanted.insert(file);
                }
                None if !has_address && is_path(reference) => {
                    return Err(SchemaError::Outside {
                        path: path.to_owned(),
                        reference: reference.to_owned(),
                    });
                }
                None => {}
            }
        }
        self.read.insert(path.to_owned(), schema);
        self.wanted.retain(|it| !self.read.contains_key(it));
        Ok(())
    }

    /// A file that a schema refers to and that was not added yet.
    pub fn wanted(&self) -> Option<String> {
        self.wanted.first().cloned()
    }
}

/// The source text of the numbers in schemas, by the value that they are read as. `None` if two
/// numbers with different texts are read as the same value, or the number is not a JSON number.
type WrittenNumbers = BTreeMap<String, Option<String>>;

fn note_numbers(node: Node<'_>, numbers: &mut WrittenNumbers) {
    if let Some(number) = node.as_number() {
        let written = number.as_written();
        let is_json = number.to_json().as_deref() == Some(written);
        let written = is_json.then(|| written.to_owned());
        let known = numbers
            .entry(plain(node).to_string())
            .or_insert_with(|| written.clone());
        if *known != written {
            *known = None;
        }
    }
    // The target of an alias is visited at its own position.
    if !node.is_alias() {
        node.items().for_each(|it| note_numbers(it, numbers));
        node.members()
            .for_each(|it| note_numbers(it.value, numbers));
    }
}

fn parse(path: &str, text: &str) -> Result<Document, SchemaError> {
    let format = Format::of_path(path).unwrap_or(Format::Json);
    // Schemas often contain comments, whatever their file is called.
    let format = if format == Format::Json {
        Format::Jsonc
    } else {
        format
    };
    Document::parse(format, text).map_err(|error| SchemaError::Syntax {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// Every `$ref` in a schema.
fn references(schema: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                for (key, value) in members {
                    match value {
                        Value::String(reference) if key == "$ref" || key == "$dynamicRef" => {
                            found.insert(reference.as_str());
                        }
                        other => open.push(other),
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a reference names a file by its path.
fn is_path(reference: &str) -> bool {
    let file = reference.split('#').next().unwrap_or_default();
    !file.is_empty() && !file.contains(':')
}

/// The workspace path that a reference in the file `path` names. `None` if it refers to its own
/// file or leads outside of the workspace.
pub fn beside(path: &str, reference: &str) -> Option<String> {
    let file = reference.split('#').next().unwrap_or_default();
    if file.is_empty() || file.contains(':') || file.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// A compiled schema.
pub struct Schema {
    path: String,
    validator: Validator,
    registry: Registry<'static>,
    base: Uri<String>,
    numbers: WrittenNumbers,
    /// Whether a part of the schema may be visited more than once at one value.
    has_references: bool,
    /// Validators of single parts of the schema, cached for fixes.
    parts: Mutex<BTreeMap<String, Option<Arc<Validator>>>>,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schema").field("path", &self.path).finish()
    }
}

impl Schema {
    /// Compiles the schema at `path`.
    pub fn compile(path: &str, texts: &SchemaTexts) -> Result<Self, SchemaError> {
        let root = texts.read.get(path).ok_or_else(|| SchemaError::Missing {
            path: path.to_owned(),
        })?;
        let invalid = |message: String, pointer: String| SchemaError::Invalid {
            path: path.to_owned(),
            message,
            pointer,
        };
        if !(root.is_object() || root.is_boolean()) {
            let message = "a schema is an object, or true or false".to_owned();
            return Err(invalid(message, String::new()));
        }
        let mut registry = Registry::new();
        for (file, schema) in &texts.read {
            registry = registry
                .add(uri(file), schema.clone())
                .map_err(|error| invalid(error.to_string(), String::new()))?;
        }
        let registry = registry
            .prepare()
            .map_err(|error| referencing_error(path, &error))?;
        let base = uri(path);
        let validator = options()
            .with_registry(&registry)
            .with_base_uri(base.as_str())
            .build(root)
            .map_err(|error| match error.kind() {
                jsonschema::error::ValidationErrorKind::Referencing(error) => {
                    referencing_error(path, error)
                }
                _ => invalid(
                    crate::schema::message::schema_error_text(&error),
                    error.instance_path().as_str().to_owned(),
                ),
            })?;
        let base = jsonschema::uri::from_str(&base)
            .map_err(|error| invalid(error.to_string(), String::new()))?;
        Ok(Self {
            path: path.to_owned(),
            validator,
            registry,
            base,
            numbers: texts.numbers.clone(),
            has_references: texts.read.values().any(has_references),
            parts: Mutex::default(),
        })
    }

    /// Compiles a schema that is embedded in another document.
    pub(crate) fn inline(schema: Value) -> Result<Self, SchemaError> {
        let path = "rule".to_owned();
        let texts = SchemaTexts {
            read: BTreeMap::from([(path.clone(), schema)]),
            ..SchemaTexts::default()
        };
        Self::compile(&path, &texts)
    }

    pub(crate) fn has_references(&self) -> bool {
        self.has_references
    }

    /// The maximum number of steps that a check of `value` takes.
    pub(crate) fn steps(&self, value: &Value) -> Result<u64, TooMuchWork> {
        match self.has_references {
            true => steps(&self.registry, &self.base, value),
            false => Ok(0),
        }
    }

    /// Whether `value` is valid; `None` if the check takes too many steps.
    pub(crate) fn is_valid(&self, value: &Value) -> Option<bool> {
        self.steps(value).ok()?;
        Some(self.validator.is_valid(value))
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// The part of the schema at a location that an error names.
    pub(crate) fn part(&self, location: &str) -> Option<&Value> {
        let resolver = self.registry.resolver(self.base.clone());
        resolver.lookup(location).ok().map(|it| it.contents())
    }

    /// A value of the schema with its numbers as they are written there. `None` if that is unknown.
    pub(crate) fn exact(&self, value: &Value) -> Option<fixpoint_document::Value> {
        let json = self.exact_json(value)?;
        let document = Document::parse(Format::Json, &json).ok()?;
        Some(document.root().value())
    }

    fn exact_json(&self, value: &Value) -> Option<String> {
        Some(match value {
            Value::Array(items) => {
                let items = items.iter().map(|it| self.exact_json(it));
                format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(","))
            }
            Value::Object(members) => {
                let members = members.iter().map(|(key, value)| {
                    let key = Value::from(key.as_str());
                    Some(format!("{key}:{}", self.exact_json(value)?))
                });
                format!("{{{}}}", members.collect::<Option<Vec<_>>>()?.join(","))
            }
            Value::String(_) => value.to_string(),
            // A number that JSON does not have is read as null.
            scalar => match self.numbers.get(&scalar.to_string()) {
                Some(written) => written.clone()?,
                None => scalar.to_string(),
            },
        })
    }

    /// Whether the part of the schema at a location accepts `value`. `None` if there is no such
    /// part.
    pub(crate) fn part_takes(&self, location: &str, value: &Value) -> Option<bool> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts.entry(location.to_owned()).or_insert_with(|| {
            let options = options().with_registry(&self.registry).with_base_uri(PART);
            let validator = options.build(&json!({ "$ref": location })).ok();
            validator.map(Arc::new)
        });
        let part = part.clone();
        drop(parts);
        part.map(|it| it.is_valid(value))
    }
}

/// Converts a workspace path to a URI.
fn uri(path: &str) -> String {
    let mut uri = WORKSPACE.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

fn referencing_error(path: &str, error: &jsonschema::ReferencingError) -> SchemaError {
    use jsonschema::ReferencingError as Error;
    let path = path.to_owned();
    match error {
        Error::Unretrievable { uri, .. } => match uri.strip_prefix(WORKSPACE) {
            Some(missing) => SchemaError::Missing {
                path: missing.to_owned(),
            },
            None => SchemaError::Unreachable {
                path,
                reference: uri.clone(),
            },
        },
        Error::UnknownSpecification { specification } => SchemaError::Draft {
            path,
            draft: specification.clone(),
        },
        other => SchemaError::Invalid {
            path,
            message: other.to_string(),
            pointer: String::new(),
        },
    }
}
