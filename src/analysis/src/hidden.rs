//! What an analysis cannot see, such as a file that is not an input of a Bazel action. Checks that
//! need it are left out, and the report lists them.

#[cfg(feature = "clank")]
use fixpoint_clank::modules::{Modules, unknown_modules};
use fixpoint_lint::{loaded_labels, local_label};
use fixpoint_report::NotChecked;
use fixpoint_starlark::ParsedOnce;
use fixpoint_validate::{Library, NamedSchema};
use globset::GlobSet;

use crate::project::ProjectError;

const NOT_AN_INPUT: &str =
    "an action sees only the schemas and rules files that are its inputs; pass it in";

/// Schemas and rules files of a project that are not visible, in the order of the settings.
#[derive(Debug, Default)]
pub(crate) struct HiddenFiles {
    /// Schemas, with the files that they apply to.
    schemas: Vec<(GlobSet, String)>,
    pub(crate) rules: Vec<String>,
}

impl HiddenFiles {
    pub(crate) fn add_schema(
        &mut self,
        path: &str,
        documents: &[String],
    ) -> Result<(), ProjectError> {
        let documents = Library::globs(documents).map_err(ProjectError::Globs)?;
        self.schemas.push((documents, path.to_owned()));
        Ok(())
    }

    /// The checks of the document at `path` that are left out.
    pub(crate) fn not_checked(&self, path: &str) -> Vec<NotChecked> {
        if !Library::reads(path) {
            return Vec::new();
        }
        let schemas = self.schemas.iter().filter(|(it, _)| it.is_match(path));
        let schemas = schemas.map(|(_, schema)| format!("the schema {schema}"));
        let rules = self.rules.iter().map(|it| format!("the rules file {it}"));
        let not_checked = schemas.chain(rules).map(|what| NotChecked {
            what,
            why: NOT_AN_INPUT.to_owned(),
        });
        not_checked.collect()
    }
}

pub(crate) fn schema_not_visible(named: &NamedSchema) -> NotChecked {
    NotChecked {
        what: format!("the schema {} that the document names", named.written),
        why: "an action sees only the schemas that fixpoint.toml or a target names".to_owned(),
    }
}

pub(crate) fn loads_not_visible(starlark: &ParsedOnce<'_>) -> Vec<NotChecked> {
    let parse = starlark.nodes();
    if !parse.errors.is_empty() {
        return Vec::new();
    }
    let labels = loaded_labels(parse).into_iter();
    let labels = labels.filter(|label| local_label(label).is_some());
    let not_checked = labels.map(|label| NotChecked {
        what: format!("whether symbols loaded from {label} are deprecated"),
        why: "an action does not see the files that its sources load".to_owned(),
    });
    not_checked.collect()
}

/// The modules that a Clank program uses, although their interfaces are not known.
#[cfg(feature = "clank")]
pub(crate) fn modules_not_visible(text: &str, modules: &Modules) -> Vec<NotChecked> {
    if !modules.is_partial() {
        return Vec::new();
    }
    let unknown = unknown_modules(text, modules).into_iter();
    let not_checked = unknown.map(|name| NotChecked {
        what: format!("uses of the Clank module {name}"),
        why: "its interface is not visible here".to_owned(),
    });
    not_checked.collect()
}
