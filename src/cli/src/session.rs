//! What every command starts from: the workspace and its configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fixpoint_engine::Config;
use fixpoint_format::Language;
use fixpoint_workspace::{CONFIG_FILE, Workspace};

use crate::args::Arguments;
use crate::failure::Failure;
use crate::render::snippet;

pub(crate) struct Session {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) config: Arc<Config>,
    /// The text `config` was read from, for processes that are handed it.
    pub(crate) config_text: Arc<str>,
}

impl Session {
    /// Opens the workspace that holds `paths`, or the current folder where there are none.
    pub(crate) fn open(arguments: &Arguments, paths: &[PathBuf]) -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(Failure::run)?;
        let workspace = match &arguments.root {
            Some(root) => Workspace::open(root),
            None => Workspace::discover(&common_folder(&here, paths)),
        }
        .and_then(|workspace| workspace.standing_in(&here))
        .map_err(Failure::run)?;
        let config_text = workspace
            .read_config()
            .map_err(Failure::run)?
            .unwrap_or_default();
        let config = parse_config(&config_text)?;
        Ok(Self {
            workspace: Arc::new(workspace),
            config: Arc::new(config),
            config_text: config_text.into(),
        })
    }
}

pub(crate) fn parse_config(text: &str) -> Result<Config, Failure> {
    Config::parse(
        text,
        Language::all_names(),
        Language::names_with_fixed_layout(),
    )
    .map_err(|error| {
        Failure::Config(snippet::error(
            CONFIG_FILE,
            text,
            error.span,
            &error.message,
        ))
    })
}

/// The innermost folder that holds all of `paths`; those that do not exist are told of later.
fn common_folder(here: &Path, paths: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| {
        let real = path.canonicalize().ok()?;
        if real.is_dir() {
            Some(real)
        } else {
            real.parent().map(Path::to_path_buf)
        }
    };
    let shared = |a: PathBuf, b: PathBuf| {
        a.ancestors()
            .find(|ancestor| b.starts_with(ancestor))
            .map_or(a.clone(), Path::to_path_buf)
    };
    paths
        .iter()
        .filter_map(folder)
        .reduce(shared)
        .unwrap_or_else(|| here.to_path_buf())
}
