//! What every command starts from: the workspace and its configuration.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixpoint_engine::{Config, Known};
use fixpoint_format::Language;
use fixpoint_lint::LintPhase;
use fixpoint_validate::ValidatePhase;
use fixpoint_workspace::{CONFIG_FILE, Workspace};

use crate::args::{Arguments, PolicyOptions};
use crate::documents::{Assigned, Documents, Source};
use crate::failure::Failure;
use crate::isolate::{Task, WorkspaceTask};
use crate::modules::ModuleSource;
use crate::pipeline::Phases;
use crate::render::snippet;

pub(crate) struct Session {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) config: Arc<Config>,
    /// The text `config` was read from, for processes that are handed it.
    pub(crate) config_text: Arc<str>,
    pub(crate) documents: Arc<Documents>,
    pub(crate) modules: Arc<ModuleSource>,
    /// The settings cannot be read, and their file is all that is asked about.
    is_mending: bool,
}

impl Session {
    /// Opens the workspace that holds `paths`, or the current folder where there are none.
    pub(crate) fn open(arguments: &Arguments, paths: &[PathBuf]) -> Result<Self, Failure> {
        Self::open_assigned(arguments, paths, &[])
    }

    /// The same for a command that can find and mend what is wrong with the settings themselves, if
    /// they are all that it is asked about. It ends with [`Self::check_settings`].
    pub(crate) fn open_to_mend(arguments: &Arguments, paths: &[PathBuf]) -> Result<Self, Failure> {
        Self::open_with(arguments, paths, &[], true)
    }

    /// The same, with schemas that documents are to meet beside those of the settings.
    pub(crate) fn open_assigned(
        arguments: &Arguments,
        paths: &[PathBuf],
        assigned: &[Assigned],
    ) -> Result<Self, Failure> {
        Self::open_with(arguments, paths, assigned, false)
    }

    fn open_with(
        arguments: &Arguments,
        paths: &[PathBuf],
        assigned: &[Assigned],
        may_mend: bool,
    ) -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(Failure::run)?;
        let workspace = match &arguments.root {
            Some(root) => Workspace::open(root).map_err(Failure::run)?,
            None => discover(&here, paths)?,
        };
        let workspace = workspace
            .with_working_directory(&here)
            .map_err(Failure::run)?;
        let config_text = workspace
            .read_config()
            .map_err(Failure::run)?
            .unwrap_or_default();
        let (config, config_text, is_mending) = match parse_config(&config_text) {
            Ok(config) => (config, config_text, false),
            // Its own rules can still be asked, and may mend it.
            Err(_) if may_mend && is_settings_alone(&workspace, paths) => {
                (parse_config("")?, String::new(), true)
            }
            Err(failure) => return Err(failure),
        };
        let limit = Some(Duration::from_secs(arguments.time_limit));
        Self::of_parts(
            workspace,
            (config, config_text),
            assigned,
            is_mending,
            limit,
        )
    }

    fn of_parts(
        workspace: Workspace,
        (config, config_text): (Config, String),
        assigned: &[Assigned],
        is_mending: bool,
        time_limit: Option<Duration>,
    ) -> Result<Self, Failure> {
        let (workspace, config) = (Arc::new(workspace), Arc::new(config));
        let config_text: Arc<str> = config_text.into();
        let source = Source::Workspace(Arc::clone(&workspace));
        let documents = match time_limit {
            Some(limit) => Documents::open_within(limit, &config, &config_text, source, assigned)?,
            None => Documents::open(&config, &config_text, source, assigned)?,
        };
        let documents = if is_mending {
            documents.mending()
        } else {
            documents
        };
        Ok(Self {
            modules: Arc::new(ModuleSource::of_workspace(&workspace, &config)),
            workspace,
            config,
            config_text,
            documents: Arc::new(documents),
            is_mending,
        })
    }

    /// In a helper: the session of its parent process, which enforces the time limit.
    pub(crate) fn of_task(task: &WorkspaceTask) -> Result<Self, Failure> {
        let workspace = Workspace::open(&task.root).map_err(Failure::run)?;
        let config = (parse_config(&task.config_text)?, task.config_text.clone());
        Self::of_parts(workspace, config, &task.assigned, task.is_mending, None)
    }

    /// What a helper needs to open the same session.
    pub(crate) fn task(&self, options: &PolicyOptions, wanted: Phases) -> Task {
        Task::Workspace(WorkspaceTask {
            root: self.workspace.root().to_owned(),
            config_text: self.config_text.to_string(),
            assigned: self.documents.assigned().to_vec(),
            is_mending: self.is_mending,
            wanted,
            options: options.clone(),
            is_action: false,
        })
    }

    /// What a helper needs to analyze texts of the same session with the inputs of a Bazel action.
    pub(crate) fn action_task(&self) -> Task {
        match self.task(&PolicyOptions::default(), Phases::All) {
            Task::Workspace(task) => Task::Workspace(WorkspaceTask {
                is_action: true,
                ..task
            }),
            other => other,
        }
    }

    /// What is wrong with the settings, if they could not be read and still cannot.
    pub(crate) fn check_settings(&self) -> Result<(), Failure> {
        if !self.is_mending {
            return Ok(());
        }
        let text = self.workspace.read_config().map_err(Failure::run)?;
        parse_config(&text.unwrap_or_default()).map(|_| ())
    }
}

fn is_settings_alone(workspace: &Workspace, paths: &[PathBuf]) -> bool {
    let is_settings = |path: &PathBuf| workspace.relative(path).is_ok_and(|it| it == CONFIG_FILE);
    !paths.is_empty() && paths.iter().all(is_settings)
}

pub(crate) fn parse_config(text: &str) -> Result<Config, Failure> {
    let lint_rules: Vec<&str> = LintPhase::all_rules().iter().map(|it| it.name).collect();
    let known = Known {
        languages: Language::all_names(),
        fixed: Language::names_with_fixed_layout(),
        lint_rules: &lint_rules,
        document_rules: ValidatePhase::switches,
    };
    Config::parse(text, known).map_err(|error| {
        Failure::Config(snippet::error(
            CONFIG_FILE,
            text,
            error.span,
            &error.message,
        ))
    })
}

/// The workspace of the current folder when all `paths` are typed as lying in it, links or not;
/// else the one workspace that holds them.
fn discover(here: &Path, paths: &[PathBuf]) -> Result<Workspace, Failure> {
    let around = Workspace::discover(here).map_err(Failure::run)?;
    let root = around.root().to_path_buf();
    let here = here.canonicalize().map_err(Failure::run)?;
    let stays_inside = |path: &PathBuf| lexical(&here.join(path)).starts_with(&root);
    if paths.iter().all(stays_inside) {
        return Ok(around);
    }
    let mut marked: Option<Workspace> = None;
    for folder in paths.iter().filter_map(|path| folder_of(path)) {
        let found = Workspace::discover(&folder).map_err(Failure::run)?;
        match &marked {
            Some(other) if found.is_marked() && found.root() != other.root() => {
                return Err(Failure::Usage(format!(
                    "the paths lie in different workspaces, {} and {}; run once for each, or give --root",
                    other.root().display(),
                    found.root().display()
                )));
            }
            None if found.is_marked() => marked = Some(found),
            _ => {}
        }
    }
    match marked {
        Some(workspace) => Ok(workspace),
        None => Workspace::discover(&common_folder(&here, paths)).map_err(Failure::run),
    }
}

/// The path without `.` and `..`, whatever is there.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// The real folder of a path that exists; those that do not are told of later.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    if real.is_dir() {
        Some(real)
    } else {
        real.parent().map(Path::to_path_buf)
    }
}

/// The innermost folder that holds all of `paths`.
fn common_folder(here: &Path, paths: &[PathBuf]) -> PathBuf {
    let shared = |a: PathBuf, b: PathBuf| {
        let common = a.ancestors().find(|ancestor| b.starts_with(ancestor));
        common.map_or_else(|| a.clone(), Path::to_path_buf)
    };
    let folders = paths.iter().filter_map(|path| folder_of(path));
    folders.reduce(shared).unwrap_or_else(|| here.to_path_buf())
}
