//! Collects the inputs of an analysis: from the workspace, or from what a Bazel action was given.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fixpoint_analysis::{
    Analyzer, AssignedSchema, FileInput, FileText, Files, Loads, ProjectError, ProjectInput,
    schema_files,
};
use fixpoint_engine::Reported;
use fixpoint_language::Language;
use fixpoint_lint::Deprecated;
use fixpoint_text::Snapshot;
use fixpoint_validate::named_schema;
use fixpoint_workspace::{CONFIG_FILE, RULES_FOLDER, ReadError, RulesFolder, Workspace};

use crate::clank::ModuleSource;
use crate::failure::Failure;
use crate::formatter_lookup::FormatterLookup;
use crate::isolate::timed_out;
use crate::loaded_files::LoadedFiles;
use crate::pool::{TimedResult, with_large_stack};

/// The files that an analysis can see.
#[derive(Clone)]
pub(crate) enum VisibleFiles {
    Workspace(Arc<Workspace>),
    /// Only these: the inputs of a Bazel action.
    Given(Arc<Files>),
}

impl VisibleFiles {
    /// The file at a path; `None` if it is not visible.
    pub(crate) fn read(&self, path: &str) -> Option<FileText> {
        match self {
            Self::Given(files) => files.get(path).cloned(),
            Self::Workspace(workspace) => Some(match workspace.read(path) {
                Ok(snapshot) => FileText::Text(snapshot.text().to_owned()),
                Err(ReadError::Vanished { .. }) => FileText::Absent,
                Err(error) => FileText::Unreadable(error.to_string()),
            }),
        }
    }
}

impl VisibleFiles {
    /// The names of files directly in a folder, which is empty or ends with a slash.
    pub(crate) fn names_in(&self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        match self {
            Self::Workspace(workspace) => workspace.file_names(folder, is_wanted),
            Self::Given(files) => {
                let present = files.iter().filter(|(_, file)| **file != FileText::Absent);
                let names = present.filter_map(|(path, _)| path.strip_prefix(folder));
                let names = names.filter(|name| !name.contains('/') && is_wanted(name));
                names.map(str::to_owned).collect()
            }
        }
    }
}

/// Where the inputs of single files come from.
pub(crate) struct Inputs {
    files: VisibleFiles,
    modules: Arc<ModuleSource>,
    /// `None` if loaded files are not visible.
    loads: Option<LoadedFiles>,
    /// Schemas that documents name, each with the files that it refers to.
    schemas: Mutex<BTreeMap<String, Arc<Files>>>,
    formatters: FormatterLookup,
}

impl Inputs {
    pub(crate) fn of_workspace(workspace: &Arc<Workspace>, modules: Arc<ModuleSource>) -> Self {
        Self {
            files: VisibleFiles::Workspace(Arc::clone(workspace)),
            modules,
            loads: Some(LoadedFiles::new(Arc::clone(workspace))),
            schemas: Mutex::default(),
            formatters: FormatterLookup::default(),
        }
    }

    /// A Bazel action sees only the files that it is given.
    pub(crate) fn of_action(files: Files, modules: Arc<ModuleSource>) -> Self {
        Self {
            files: VisibleFiles::Given(Arc::new(files)),
            modules,
            loads: None,
            schemas: Mutex::default(),
            formatters: FormatterLookup::default(),
        }
    }

    /// The same with these Clank modules.
    #[cfg(feature = "clank")]
    pub(crate) fn with_modules(self, modules: ModuleSource) -> Self {
        Self {
            modules: Arc::new(modules),
            ..self
        }
    }

    /// The complete input for one file.
    pub(crate) fn of_file(&self, source: Snapshot, reported: Reported) -> FileInput {
        let (path, text) = (source.path(), source.text());
        let language = Language::of_name(path);
        let loads = match &self.loads {
            None => Loads::NotVisible,
            Some(files) if language == Some(Language::Starlark) => {
                Loads::Followed(files.deprecated(path, text))
            }
            Some(_) => Loads::Followed(Deprecated::new()),
        };
        let named = named_schema(path, text).and_then(|named| named.path);
        let schemas = named.map_or_else(Arc::default, |schema| self.schema(&schema));
        let mut input = FileInput {
            schemas,
            loads,
            formatters: self.formatters.of_file(path, &self.files),
            reported,
            ..FileInput::new(source)
        };
        self.modules.add_to(&mut input);
        input
    }

    fn schema(&self, path: &str) -> Arc<Files> {
        let lock = || self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return Arc::clone(known);
        }
        let files = Arc::new(schema_files(path, |path| self.files.read(path)));
        lock().insert(path.to_owned(), Arc::clone(&files));
        files
    }
}

/// The files of learned rules in a workspace, by path.
pub(crate) fn learned_rules(workspace: &Workspace) -> io::Result<Files> {
    let rules = RulesFolder::of_project(workspace.root())
        .read()?
        .into_iter();
    let files = rules.map(|rule| {
        let text = match rule.text {
            Ok(text) => FileText::Text(text),
            Err(error) => FileText::Unreadable(error.to_string()),
        };
        (format!("{RULES_FOLDER}/{}", rule.path), text)
    });
    Ok(files.collect())
}

/// Collects the inputs of a project and prepares its analyzer. Compiling a malicious schema may not end, so
/// this has a time limit.
pub(crate) fn open_project(
    settings: &str,
    assigned: &[AssignedSchema],
    files: &VisibleFiles,
    learned: Files,
    time_limit: Duration,
) -> Result<(Arc<ProjectInput>, Arc<Analyzer>), Failure> {
    let open = {
        let (settings, assigned) = (settings.to_owned(), assigned.to_vec());
        let (files, learned) = (files.clone(), learned);
        move || -> Result<_, ProjectError> {
            let read = |path: &str| files.read(path);
            let project = ProjectInput {
                learned: learned.clone(),
                ..ProjectInput::collect(settings.clone(), assigned.clone(), read)?
            };
            let analyzer = Analyzer::new(&project)?;
            Ok((Arc::new(project), Arc::new(analyzer)))
        }
    };
    let has_schemas = settings.contains("validate") || !assigned.is_empty();
    let opened = match has_schemas {
        false => open(),
        true => match with_large_stack(time_limit, open) {
            TimedResult::Done(opened) => opened,
            TimedResult::TimedOut => {
                return Err(Failure::Run(format!(
                    "the schemas and rules that {CONFIG_FILE} names: {}",
                    timed_out(time_limit)
                )));
            }
        },
    };
    opened.map_err(|error| Failure::of_project(error, settings))
}
