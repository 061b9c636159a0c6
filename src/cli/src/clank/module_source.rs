//! Which modules a Clank program may use.
//!
//! A Bazel action is given all of them. On the command line they are the workspace's own files, by
//! name. A name that several files have refers to none of them. Nothing is reported about uses of a
//! module that is not known.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fixpoint_analysis::FileInput;
use fixpoint_clank::modules::{Modules, SourceFile, interfaces, uses_modules};
use fixpoint_language::Language;
use fixpoint_workspace::Workspace;

pub(crate) enum ModuleSource {
    Workspace {
        workspace: Arc<Workspace>,
        exclude: Vec<String>,
        /// Read when the first program needs them.
        known: OnceLock<Arc<Modules>>,
    },
    Given(Arc<Modules>),
}

impl ModuleSource {
    pub(crate) fn of_workspace(workspace: &Arc<Workspace>, exclude: &[String]) -> Self {
        Self::Workspace {
            workspace: Arc::clone(workspace),
            exclude: exclude.to_vec(),
            known: OnceLock::new(),
        }
    }

    /// There may be modules, but none is known.
    pub(crate) fn unknown() -> Self {
        Self::Given(Arc::new(Modules::default().or_more()))
    }

    /// Only these modules.
    pub(crate) fn given(modules: Modules) -> Self {
        Self::Given(Arc::new(modules))
    }

    /// Adds the modules that a program may use to its input.
    pub(crate) fn add_to(&self, input: &mut FileInput) {
        input.modules = match Language::of_name(input.source.path()) == Some(Language::Clank) {
            true => self.for_program(input.source.text()),
            false => Arc::default(),
        };
    }

    /// The modules that the program in `text` may use.
    fn for_program(&self, text: &str) -> Arc<Modules> {
        match self {
            Self::Given(modules) => Arc::clone(modules),
            Self::Workspace { .. } if !uses_modules(text) => Arc::default(),
            Self::Workspace {
                workspace,
                exclude,
                known,
            } => Arc::clone(known.get_or_init(|| Arc::new(modules_in(workspace, exclude)))),
        }
    }
}

fn modules_in(workspace: &Workspace, exclude: &[String]) -> Modules {
    let root = [PathBuf::from(workspace.root())];
    let found = workspace.find(&root, exclude);
    let paths = found.map(|it| it.into_files()).unwrap_or_default();
    let is_program = |path: &String| Language::of_name(path) == Some(Language::Clank);
    let programs = paths.into_iter().filter(is_program);
    let programs = programs.filter(|path| workspace.generated(path).is_none());
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
