//! What all files of a project depend on: its settings, schemas and rules files.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixpoint_engine::ConfigError;
use fixpoint_learn::LearnedRules;
use fixpoint_text::Span;
use fixpoint_validate::{Library, RulesFile, SchemaError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::{FileText, Files, compile_schema, schema_files};
use crate::hidden::HiddenFiles;
use crate::registry::{find_rule, phases_named};
use crate::settings::Settings;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectInput {
    /// The text of `fixpoint.toml`; empty if there is none.
    pub settings: String,
    /// Schemas and rules files that the settings or `assigned` name, with the files that they refer to.
    pub files: Files,
    pub assigned: Vec<AssignedSchema>,
    /// The files of learned rules. In a Bazel action, those for the languages of its sources.
    pub learned: Files,
    /// Whether `fixpoint.toml` is invalid, so that its own rules run on it.
    pub repairs_settings: bool,
}

/// A schema that applies to a document in addition to those of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignedSchema {
    /// The workspace path of the document.
    pub document: String,
    /// The workspace path of the schema.
    pub schema: String,
}

/// Why the files of a project cannot be analyzed.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// A mistake in `fixpoint.toml`.
    #[error("{}", .0.message)]
    Settings(ConfigError),
    /// `fixpoint.toml` names a schema that cannot be used, at this place.
    #[error("{error}")]
    Schema { span: Span, error: SchemaError },
    #[error("{0}")]
    AssignedSchema(SchemaError),
    #[error("{0}")]
    UnreadableRules(String),
    #[error("fixpoint.toml names the rules file {path}, which does not exist")]
    MissingRules { path: String },
    /// A mistake in a rules file.
    #[error("{message}")]
    Rules {
        path: String,
        text: String,
        span: Span,
        message: String,
    },
    /// A glob of a schema cannot be used.
    #[error("fixpoint.toml: {0}")]
    Globs(String),
}

impl ProjectInput {
    /// Reads the files that the settings and `assigned` name. `read` returns `None` for a file that is
    /// not visible.
    pub fn collect(
        settings: String,
        assigned: Vec<AssignedSchema>,
        mut read: impl FnMut(&str) -> Option<FileText>,
    ) -> Result<Self, ProjectError> {
        let parsed = Settings::parse(&settings).map_err(ProjectError::Settings)?;
        let by_settings = parsed.validate.schemas.iter().map(|named| &named.schema);
        let schemas = by_settings.chain(assigned.iter().map(|it| &it.schema));
        let mut files = Files::new();
        for path in schemas {
            if !files.contains_key(path) {
                files.extend(schema_files(path, &mut read));
            }
        }
        for path in &parsed.validate.rules {
            files.extend(read(path).map(|file| (path.clone(), file)));
        }
        Ok(Self {
            settings,
            files,
            assigned,
            learned: Files::new(),
            repairs_settings: false,
        })
    }

    /// The learned rules of a project with these settings.
    pub(crate) fn learned_rules(&self, settings: &Settings) -> LearnedRules {
        let files = self.learned.iter().filter_map(|(path, file)| {
            let text = match file {
                FileText::Text(text) => Ok(text.as_str()),
                FileText::Unreadable(reason) => Err(reason.as_str()),
                FileText::Absent => return None,
            };
            Some((path.as_str(), text))
        });
        LearnedRules::new(files, settings.learned.profile)
    }

    /// The schemas and rules of a project with these settings, and the files that are not visible.
    pub(crate) fn library(
        &self,
        settings: &Settings,
    ) -> Result<(Library, HiddenFiles), ProjectError> {
        let mut schemas = Vec::new();
        let mut hidden = HiddenFiles::default();
        for named in &settings.validate.schemas {
            let schema = compile_schema(&named.schema, &self.files).map_err(|error| {
                let span = named.span;
                ProjectError::Schema { span, error }
            })?;
            match schema {
                Some(schema) => schemas.push((named.files.clone(), Arc::new(schema))),
                None => hidden.add_schema(&named.schema, &named.files)?,
            }
        }
        let mut documents: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for AssignedSchema { document, schema } in &self.assigned {
            let globs = documents.entry(schema).or_default();
            globs.push(Library::glob_of(document));
        }
        for (path, documents) in documents {
            let schema = compile_schema(path, &self.files).map_err(ProjectError::AssignedSchema)?;
            match schema {
                Some(schema) => schemas.push((documents, Arc::new(schema))),
                None => hidden.add_schema(path, &documents)?,
            }
        }
        let mut rules = Vec::new();
        for path in &settings.validate.rules {
            match self.files.get(path) {
                Some(FileText::Text(text)) => rules.push(rules_file(path, text, &rules)?),
                Some(FileText::Unreadable(message)) => {
                    return Err(ProjectError::UnreadableRules(message.clone()));
                }
                Some(FileText::Absent) => {
                    return Err(ProjectError::MissingRules { path: path.clone() });
                }
                None => hidden.rules.push(path.clone()),
            }
        }
        let library = Library::new(schemas, rules).map_err(ProjectError::Globs)?;
        let library = match self.repairs_settings {
            true => library.mending(),
            false => library,
        };
        Ok((library, hidden))
    }
}

/// Parses a rules file. No shipped rule, no phase and no rule of the files `before` may have one of its ids.
fn rules_file(path: &str, text: &str, before: &[RulesFile]) -> Result<RulesFile, ProjectError> {
    let error = |span: Span, message: String| ProjectError::Rules {
        path: path.to_owned(),
        text: text.to_owned(),
        span,
        message,
    };
    let file = RulesFile::parse(path, text).map_err(|wrong| error(wrong.span, wrong.message))?;
    for rule in file.rules() {
        let id = rule.id.as_str();
        let mut others = before.iter().flat_map(RulesFile::rules);
        let owner = if find_rule(id).is_some() {
            "a built-in rule"
        } else if !phases_named(id).is_empty() {
            "a phase"
        } else if others.any(|other| other.id == id) {
            "a rule of another rules file"
        } else {
            continue;
        };
        let message = format!("the id `{id}` belongs to {owner}; give this rule another id");
        return Err(error(rule.id_span, message));
    }
    Ok(file)
}
