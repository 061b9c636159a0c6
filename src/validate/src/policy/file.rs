//! Reads a rules file, of the workspace or built in.

use fixpoint_document::{Document, Entry, Format, Node};
use fixpoint_report::{Safety, Severity, parse_word};
use fixpoint_text::Span;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use super::condition::Condition;
use super::fix::FixTemplate;
use super::pattern::Pattern;
use super::read::{RulesError, Table, fail, start, text};
use crate::finding::Tier;
use crate::schema::{Schema, SchemaError};
use crate::subject::plain;

const FILE_KEYS: [&str; 3] = ["document", "files", "rules"];
const RULE_KEYS: [&str; 12] = [
    "at", "example", "files", "fix", "id", "message", "require", "severity", "summary", "tier",
    "when", "why",
];

/// The rules of one file, sorted by id.
#[derive(Debug, Default)]
pub struct RulesFile {
    /// The schema that a document must match for the rules to apply.
    document: Option<Schema>,
    rules: Vec<PolicyRule>,
}

/// One declarative rule.
#[derive(Debug)]
pub struct PolicyRule {
    pub id: String,
    /// The span of the id in the rules file.
    pub id_span: Span,
    pub tier: Tier,
    pub severity: Severity,
    pub message: String,
    /// One sentence about what the rule requires. Defaults to the message.
    pub summary: String,
    pub why: String,
    pub example: Option<(String, String, String)>,
    pub(super) files: GlobSet,
    /// The places that the rule checks. A place that matches several patterns is checked once.
    pub(super) at: Vec<Pattern>,
    pub(super) when: Option<Schema>,
    pub(super) require: Condition,
    pub(super) fix: Option<FixTemplate>,
}

impl RulesFile {
    /// Parses a rules file. Its name determines the format.
    pub fn parse(path: &str, text: &str) -> Result<Self, RulesError> {
        Self::parse_for(path, text, &[])
    }

    /// Like [`Self::parse`]. `files` are additional default globs of the rules.
    pub(crate) fn parse_for(
        path: &str,
        text: &str,
        files: &[&'static str],
    ) -> Result<Self, RulesError> {
        let format = Format::of(path, text).unwrap_or(Format::Yaml);
        let document = Document::parse(format, text).map_err(|error| RulesError {
            span: error.span(),
            message: error.to_string(),
        })?;
        let table = Table::new(document.root(), "a rules file", &FILE_KEYS)?;
        let mut default_files = table.texts("files")?;
        default_files.extend(files.iter().map(|it| (*it).to_owned()));
        let list = table.required("rules")?;
        if list.value.kind() != fixpoint_document::Kind::Array {
            return fail(list.key_span, "`rules` must be an array of rules");
        }
        let rules = list
            .value
            .items()
            .map(|rule| PolicyRule::read(rule, &default_files));
        let mut rules: Vec<PolicyRule> = rules.collect::<Result<_, _>>()?;
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some(twice) = rules.windows(2).find(|it| it[0].id == it[1].id) {
            let message = format!("two rules have the id `{}`", twice[0].id);
            return fail(list.key_span, message);
        }
        Ok(Self {
            document: table.get("document").map(schema).transpose()?,
            rules,
        })
    }

    pub fn rules(&self) -> &[PolicyRule] {
        &self.rules
    }

    /// Whether the rules apply to this document.
    pub(crate) fn is_about(&self, document: &Value) -> bool {
        self.document
            .as_ref()
            .is_none_or(|it| it.is_valid(document) != Some(false))
    }
}

impl PolicyRule {
    fn read(node: Node<'_>, default_files: &[String]) -> Result<Self, RulesError> {
        let table = Table::new(node, "a rule", &RULE_KEYS)?;
        let id = table.required("id")?;
        let message = text(table.required("message")?)?;
        let require = Condition::read(table.required("require")?)?;
        let at = match table.get("at") {
            Some(entry) => patterns(entry)?,
            None => vec![Pattern::default()],
        };
        let own_files = table.texts("files")?;
        let (files, files_span) = match (table.get("files"), default_files.is_empty()) {
            (Some(entry), _) => (own_files.as_slice(), entry.key_span),
            (None, false) => (default_files, start(node)),
            (None, true) => {
                let message = "`files` is missing: say which files the rule is for, as globs";
                return fail(start(node), message);
            }
        };
        Ok(Self {
            id: rule_id(id)?,
            id_span: id.value.span(),
            tier: match table.word("tier", &["semantic", "policy"])? {
                Some("semantic") => Tier::Semantic,
                _ => Tier::Policy,
            },
            severity: match table.word("severity", &["error", "warning", "info"])? {
                Some(word) => parse_word(word).unwrap_or(Severity::Error),
                None => Severity::Error,
            },
            message: message.to_owned(),
            summary: table.text("summary")?.unwrap_or(message).to_owned(),
            why: table.text("why")?.unwrap_or_default().to_owned(),
            example: table.get("example").map(example).transpose()?,
            files: globs(files, files_span)?,
            at,
            when: table.get("when").map(schema).transpose()?,
            fix: match table.get("fix") {
                Some(entry) => Some(FixTemplate::read(entry, &require)?),
                None => None,
            },
            require,
        })
    }

    /// Whether checking a value against the rule's schemas takes too many steps.
    pub(super) fn takes_too_much_work(&self, node: Node<'_>) -> bool {
        let schemas = self.when.iter().chain(self.require.schema());
        let mut schemas = schemas.filter(|it| it.has_references());
        schemas.any(|it| it.steps(&plain(node)).is_err())
    }

    /// Whether the rule applies to the file at `path`.
    pub fn is_for(&self, path: &str) -> bool {
        self.files.is_match(path)
    }

    /// The safety of the rule's fix and the reason for it, if the rule has a fix.
    pub fn safety(&self) -> Option<(Safety, &str)> {
        let fix = self.fix.as_ref();
        fix.map(|it| (it.safety, it.reason.as_str()))
    }
}

/// Reads an id. It must fit into a comment `fixpoint: ignore[...]` and a command line.
fn rule_id(entry: Entry<'_>) -> Result<String, RulesError> {
    let id = text(entry)?;
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    if id.is_empty() || !id.chars().all(fits) {
        let message = format!("the id `{id}` must be of letters, digits, `-`, `_` and `.`");
        return fail(entry.value.span(), message);
    }
    Ok(id.to_owned())
}

pub(super) fn pattern(entry: Entry<'_>) -> Result<Pattern, RulesError> {
    Pattern::parse(text(entry)?).map_err(|message| RulesError {
        message,
        span: entry.value.span(),
    })
}

/// Reads one pattern or an array of patterns.
fn patterns(entry: Entry<'_>) -> Result<Vec<Pattern>, RulesError> {
    let items = entry.value.items();
    if items.len() == 0 {
        return Ok(vec![pattern(entry)?]);
    }
    let entries = items.map(|value| Entry { value, ..entry });
    entries.map(pattern).collect()
}

/// Compiles a JSON Schema that is part of a rule.
pub(super) fn schema(entry: Entry<'_>) -> Result<Schema, RulesError> {
    Schema::inline(plain(entry.value)).map_err(|error| {
        let reason = match error {
            SchemaError::Invalid { message, .. } => message,
            other => other.to_string(),
        };
        RulesError {
            message: format!("`{}` is not a valid JSON Schema: {reason}", entry.key),
            span: entry.key_span,
        }
    })
}

fn example(entry: Entry<'_>) -> Result<(String, String, String), RulesError> {
    let table = Table::new(entry.value, "`example`", &["after", "before", "path"])?;
    let part = |key: &str| table.required(key).and_then(text).map(str::to_owned);
    Ok((part("path")?, part("before")?, part("after")?))
}

fn globs(globs: &[String], at: Span) -> Result<GlobSet, RulesError> {
    file_globs(globs).map_err(|message| RulesError { message, span: at })
}

/// Compiles globs of workspace paths: `*` does not match `/`, `**` does.
pub(crate) fn file_globs<T: AsRef<str>>(globs: &[T]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = GlobBuilder::new(glob.as_ref())
            .literal_separator(true)
            .build()
            .map_err(|error| error.to_string())?;
        set.add(glob);
    }
    set.build().map_err(|error| error.to_string())
}
