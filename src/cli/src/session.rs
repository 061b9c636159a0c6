//! The workspace and the analyzer that its settings lead to. Every command starts with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixpoint_analysis::{AnalysisOptions, Analyzer, AssignedSchema, ProjectInput, Settings};
use fixpoint_engine::Config;
use fixpoint_learn::LearnedRules;
use fixpoint_validate::Library;
use fixpoint_workspace::{CONFIG_FILE, Workspace, normalized};

use crate::args::Arguments;
use crate::clank::ModuleSource;
use crate::failure::Failure;
use crate::file_analyzer::FileAnalyzer;
use crate::inputs::{Inputs, VisibleFiles, learned_rules, open_project};
use crate::isolate::{Task, WorkspaceTask};
use crate::render::snippet;
use crate::rule_store::RuleStoreError;

pub(crate) struct Session {
    pub(crate) workspace: Arc<Workspace>,
    project: Arc<ProjectInput>,
    analyzer: Arc<Analyzer>,
    modules: Arc<ModuleSource>,
    time_limit: Duration,
}

impl Session {
    /// Opens the workspace that contains `paths`, or the current folder if there are none.
    pub(crate) fn open(arguments: &Arguments, paths: &[PathBuf]) -> Result<Self, Failure> {
        Self::open_assigned(arguments, paths, &[])
    }

    /// The same for a command that can report and repair errors in the settings themselves, if `paths`
    /// names only the settings. The command ends with [`Self::check_settings`].
    pub(crate) fn open_for_repair(
        arguments: &Arguments,
        paths: &[PathBuf],
    ) -> Result<Self, Failure> {
        let workspace = workspace_of(arguments, paths)?;
        Self::open_with(arguments, workspace, paths, &[], true)
    }

    /// The same, with schemas that apply to documents in addition to those of the settings.
    pub(crate) fn open_assigned(
        arguments: &Arguments,
        paths: &[PathBuf],
        assigned: &[AssignedSchema],
    ) -> Result<Self, Failure> {
        let workspace = workspace_of(arguments, paths)?;
        Self::open_with(arguments, workspace, paths, assigned, false)
    }

    /// Opens the workspace at `root`.
    pub(crate) fn open_root(
        arguments: &Arguments,
        root: &Path,
        assigned: &[AssignedSchema],
    ) -> Result<Self, Failure> {
        let workspace = Workspace::open(root)?.with_working_directory(root)?;
        Self::open_with(arguments, workspace, &[], assigned, false)
    }

    fn open_with(
        arguments: &Arguments,
        workspace: Workspace,
        paths: &[PathBuf],
        assigned: &[AssignedSchema],
        may_repair: bool,
    ) -> Result<Self, Failure> {
        let config_text = workspace.read_config()?.unwrap_or_default();
        let time_limit = Duration::from_secs(arguments.time_limit);
        let workspace = Arc::new(workspace);
        let files = VisibleFiles::Workspace(Arc::clone(&workspace));
        let is_repair = may_repair
            && is_settings_alone(&workspace, paths)
            && Settings::parse(&config_text).is_err();
        // Settings that cannot be read may exclude their own file, so they are not repaired.
        let readable = is_repair
            .then(|| Config::readable_part(&config_text))
            .flatten();
        let (project, analyzer) = if let Some(settings) = readable {
            let project = ProjectInput {
                settings,
                repairs_settings: true,
                ..ProjectInput::default()
            };
            let analyzer = Analyzer::new(&project)
                .map_err(|error| Failure::of_project(error, &project.settings))?;
            (Arc::new(project), Arc::new(analyzer))
        } else {
            let learned = learned_rules(&workspace).map_err(RuleStoreError::Io)?;
            open_project(&config_text, assigned, &files, learned, time_limit)?
        };
        let modules = ModuleSource::of_workspace(&workspace, analyzer.config().exclude());
        Ok(Self {
            workspace,
            project,
            analyzer,
            modules: Arc::new(modules),
            time_limit,
        })
    }

    /// The inputs that the analysis of every file depends on.
    pub(crate) fn project(&self) -> &ProjectInput {
        &self.project
    }

    pub(crate) fn config(&self) -> &Config {
        self.analyzer.config()
    }

    /// The workspace's own schemas and rules.
    pub(crate) fn library(&self) -> &Library {
        self.analyzer.library()
    }

    pub(crate) fn learned(&self) -> &LearnedRules {
        self.analyzer.learned()
    }

    /// The files of learned rules that are not used, and why.
    pub(crate) fn unusable_rules(&self) -> Vec<String> {
        let unusable = self.learned().unusable().iter();
        let lines = unusable.map(|it| format!("{}: {}; the rule is not used", it.path, it.reason));
        lines.collect()
    }

    /// Analyzes files of the workspace. With the inputs of a Bazel action, it sees only files that the settings
    /// name.
    pub(crate) fn file_analyzer(&self, options: AnalysisOptions, is_action: bool) -> FileAnalyzer {
        let modules = Arc::clone(&self.modules);
        FileAnalyzer {
            project: Arc::clone(&self.project),
            analyzer: Arc::clone(&self.analyzer),
            inputs: match is_action {
                true => Inputs::of_action(self.project.files.clone(), modules),
                false => Inputs::of_workspace(&self.workspace, modules),
            },
            options,
            isolation: Some(self.time_limit),
        }
    }

    /// The task of a helper that does the same as [`Self::file_analyzer`].
    pub(crate) fn helper_task(&self, options: AnalysisOptions, is_action: bool) -> Task {
        Task::Workspace(Box::new(WorkspaceTask {
            root: self.workspace.root().to_owned(),
            project: ProjectInput::clone(&self.project),
            options,
            is_action,
        }))
    }

    /// Fails if the settings were invalid at the start and still are.
    pub(crate) fn check_settings(&self) -> Result<(), Failure> {
        if !self.project.repairs_settings {
            return Ok(());
        }
        let text = self.workspace.read_config()?;
        let text = text.unwrap_or_default();
        match Settings::parse(&text) {
            Ok(_) => Ok(()),
            Err(error) => {
                let shown = snippet::error(CONFIG_FILE, &text, error.span, &error.message);
                Err(Failure::Config(shown))
            }
        }
    }
}

/// The workspace of a command line.
fn workspace_of(arguments: &Arguments, paths: &[PathBuf]) -> Result<Workspace, Failure> {
    let here = std::env::current_dir().map_err(Failure::CurrentFolder)?;
    let workspace = match &arguments.root {
        Some(root) => Workspace::open(root)?,
        None => discover(&here, paths)?,
    };
    Ok(workspace.with_working_directory(&here)?)
}

fn is_settings_alone(workspace: &Workspace, paths: &[PathBuf]) -> bool {
    let is_settings = |path: &PathBuf| workspace.relative(path).is_ok_and(|it| it == CONFIG_FILE);
    !paths.is_empty() && paths.iter().all(is_settings)
}

/// The workspace of the current folder if all `paths`, as typed, are inside it, links or not;
/// otherwise the one workspace that contains them.
fn discover(here: &Path, paths: &[PathBuf]) -> Result<Workspace, Failure> {
    let around = Workspace::discover(here)?;
    let root = around.root().to_path_buf();
    let here = here.canonicalize().map_err(Failure::CurrentFolder)?;
    let stays_inside = |path: &PathBuf| normalized(&here.join(path)).starts_with(&root);
    if paths.iter().all(stays_inside) {
        return Ok(around);
    }
    let mut marked: Option<Workspace> = None;
    for folder in paths.iter().filter_map(|path| folder_of(path)) {
        let found = Workspace::discover(&folder)?;
        match &marked {
            Some(other) if found.is_marked() && found.root() != other.root() => {
                return Err(Failure::Usage(format!(
                    "the paths are in different workspaces, {} and {}; run once for each, or pass --root",
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
        None => Ok(Workspace::discover(&common_folder(&here, paths))?),
    }
}

/// The real folder of a path that exists. Paths that do not exist are reported later.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    if real.is_dir() {
        Some(real)
    } else {
        real.parent().map(Path::to_path_buf)
    }
}

/// The innermost folder that contains all of `paths`.
fn common_folder(here: &Path, paths: &[PathBuf]) -> PathBuf {
    let shared = |a: PathBuf, b: PathBuf| {
        let common = a.ancestors().find(|ancestor| b.starts_with(ancestor));
        common.map_or_else(|| a.clone(), Path::to_path_buf)
    };
    let folders = paths.iter().filter_map(|path| folder_of(path));
    folders.reduce(shared).unwrap_or_else(|| here.to_path_buf())
}
