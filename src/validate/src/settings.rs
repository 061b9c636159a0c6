//! The table `[validate]` of `fixpoint.toml`: what documents are checked against.

use std::collections::BTreeMap;

use fixpoint_engine::ConfigError;
use fixpoint_engine::toml_table::{Item, entries, fail, known_key, read_table, strings, switch};
use fixpoint_text::Span;

use crate::phase::ValidatePhase;

const KEYS: [&str; 5] = ["disable", "enable", "rules", "schema", "unresolved_schemas"];
const SCHEMA_KEYS: [&str; 2] = ["files", "schema"];

/// What a workspace checks its documents against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidateSettings {
    /// For each shipped rule or pack that is named, whether it is on.
    switches: BTreeMap<String, bool>,
    /// The workspace's own rules files.
    pub rules: Vec<String>,
    pub schemas: Vec<SchemaSetting>,
    /// Whether the note about a named schema that cannot be found is turned off.
    pub(crate) ignores_unresolved_schemas: bool,
}

/// A schema, and the files it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaSetting {
    /// Globs of workspace paths.
    pub files: Vec<String>,
    /// A file in the workspace.
    pub schema: String,
    /// Where the schema is named.
    pub span: Span,
}

impl ValidateSettings {
    /// The key of the table.
    pub const KEY: &str = "validate";

    /// Reads the table from the text of a `fixpoint.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        read_table(text, Self::KEY, Self::read)
    }

    fn read(item: &Item, at: Span) -> Result<Self, ConfigError> {
        let Some(table) = item.as_table_like() else {
            return fail(at, "`validate` must be a table, such as [validate]");
        };
        let mut settings = Self::default();
        for (key, item, at) in entries(table) {
            match known_key(key, &KEYS, at)? {
                "rules" => settings.rules = strings(item, key, at)?,
                "schema" => settings.schemas = schemas(item, at)?,
                "unresolved_schemas" => {
                    settings.ignores_unresolved_schemas = match item.as_str() {
                        Some("note") => false,
                        Some("ignore") => true,
                        _ => {
                            return fail(at, "`unresolved_schemas` must be \"note\" or \"ignore\"");
                        }
                    }
                }
                _ => {
                    let known = ValidatePhase::switches();
                    switch(&mut settings.switches, (key, item, at), &known)?;
                }
            }
        }
        Ok(settings)
    }

    /// Whether the settings switch a shipped rule or pack off.
    pub(crate) fn disables(&self, name: &str) -> bool {
        self.switches.get(name) == Some(&false)
    }
}

fn schemas(item: &Item, at: Span) -> Result<Vec<SchemaSetting>, ConfigError> {
    let Some(tables) = item.as_array_of_tables() else {
        return fail(
            at,
            "`schema` must be a list of tables, each under [[validate.schema]]",
        );
    };
    let mut schemas = Vec::with_capacity(tables.len());
    for table in tables {
        let mut files = Vec::new();
        let mut schema = None;
        for (key, item, at) in entries(table) {
            match known_key(key, &SCHEMA_KEYS, at)? {
                "files" => files = strings(item, key, at)?,
                _ => match item.as_str() {
                    Some(path) => schema = Some((path.to_owned(), at)),
                    None => return fail(at, "`schema` must be the path of a file"),
                },
            }
        }
        let at = table.span().map_or(at, Span::from);
        let Some((schema, span)) = schema else {
            return fail(
                at,
                "`schema` is missing: name the file that holds the schema",
            );
        };
        if files.is_empty() {
            return fail(at, "`files` is missing: say which files the schema is for");
        }
        schemas.push(SchemaSetting {
            files,
            schema,
            span,
        });
    }
    Ok(schemas)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ValidateSettings, String> {
        ValidateSettings::parse(text).map_err(|error| error.message)
    }

    #[test]
    fn what_documents_are_checked_against_is_read() {
        let config = parse(
            "[validate]\ndisable = [\"kubernetes\"]\nrules = [\"a.yaml\"]\n\n\
             [[validate.schema]]\nfiles = [\"conf/*.yaml\"]\nschema = \"s.json\"\n",
        );
        let validate = config.expect("valid");
        assert!(validate.disables("kubernetes"));
        assert_eq!(validate.rules, ["a.yaml"]);
        assert_eq!(validate.schemas[0].schema, "s.json");
        assert!(!validate.ignores_unresolved_schemas);
        let config = parse("[validate]\nunresolved_schemas = \"ignore\"\n").expect("valid");
        assert!(config.ignores_unresolved_schemas);
    }

    #[test]
    fn mistakes_are_answered_with_what_to_write() {
        for (text, expected) in [
            ("validate = 1", "must be a table"),
            (
                "[validate]\nunresolved_schemas = false",
                "must be \"note\" or \"ignore\"",
            ),
            ("[validate]\nrule = []", "did you mean `rules`?"),
            (
                "[validate]\ndisable = [\"kubernets\"]",
                "did you mean `kubernetes`?",
            ),
            ("[validate]\nschema = \"a\"", "[[validate.schema]]"),
            ("[[validate.schema]]\nfile = []", "did you mean `files`?"),
            (
                "[[validate.schema]]\nfiles = [\"a\"]",
                "`schema` is missing",
            ),
            ("[[validate.schema]]\nschema = \"a\"", "`files` is missing"),
        ] {
            let error = parse(text).expect_err("a mistake");
            assert!(error.contains(expected), "{error}");
        }
    }
}
