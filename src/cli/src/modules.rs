//! Which modules a Clank program may use.
//!
//! A Bazel action is handed all of them. On the command line they are the workspace's own files, by
//! their names; a name that several files have means none of them, and nothing is said about what is
//! used of a module that is not known.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fixpoint_clank::modules::{Modules, SourceFile, interfaces, uses_modules};
use fixpoint_engine::Config;
use fixpoint_workspace::Workspace;

pub(crate) enum ModuleSource {
    Workspace {
        workspace: Arc<Workspace>,
        config: Arc<Config>,
        /// Read when a program first asks.
        known: OnceLock<Arc<Modules>>,
    },
    Handed(Arc<Modules>),
}

impl ModuleSource {
    pub(crate) fn of_workspace(workspace: &Arc<Workspace>, config: &Arc<Config>) -> Self {
        Self::Workspace {
            workspace: Arc::clone(workspace),
            config: Arc::clone(config),
            known: OnceLock::new(),
        }
    }

    /// There may be modules, but none is known.
    pub(crate) fn unknown() -> Self {
        Self::Handed(Arc::new(Modules::default().or_more()))
    }

    /// The modules that the program in `text` may use.
    pub(crate) fn of_text(&self, text: &str) -> Arc<Modules> {
        match self {
            Self::Handed(modules) => Arc::clone(modules),
            Self::Workspace { .. } if !uses_modules(text) => Arc::default(),
            Self::Workspace {
                workspace,
                config,
                known,
            } => Arc::clone(known.get_or_init(|| Arc::new(modules_in(workspace, config)))),
        }
    }
}

fn modules_in(workspace: &Workspace, config: &Config) -> Modules {
    let root = [PathBuf::from(workspace.root())];
    let found = workspace.find(&root, config.exclude());
    let paths = found.map(|it| it.into_files()).unwrap_or_default();
    let programs = paths.into_iter().filter(|it| it.ends_with(".clank"));
    let files: Vec<SourceFile> = programs
        .filter_map(|path| {
            let snapshot = workspace.read(&path).ok()?;
            Some(SourceFile {
                path,
                text: snapshot.text().to_owned(),
                code: String::new(),
            })
        })
        .collect();
    let (modules, _, _) = interfaces(&files, Modules::default());
    modules.or_more()
}
