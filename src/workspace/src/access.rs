//! Decides which process may write: a command that a person starts, never a build or test action.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::find::Excludes;
use crate::root::Workspace;

/// Bazel sets these variables for every test. Nothing else sets them.
const TEST_VARIABLES: [&str; 4] = ["BAZEL_TEST", "TEST_TMPDIR", "TEST_SRCDIR", "TEST_TARGET"];

/// `bazel run` sets this variable for the program it starts. Actions do not have it.
const RUN_VARIABLE: &str = "BUILD_WORKSPACE_DIRECTORY";

/// The rules of Fixpoint set this variable for each of their actions. Other rules may do the same.
const ACTION_VARIABLE: &str = "FIXPOINT_ACTION";

/// The folder of outputs. In a workspace it is a link. In the folder of an action, local or on a
/// remote worker, it is a real folder.
const OUTPUT_DIRECTORY: &str = "bazel-out";

/// The permission to write one workspace. Every function that writes user files requires it.
#[derive(Debug)]
pub struct WriteAccess {
    root: PathBuf,
    /// The directory in which this user's programs keep their state.
    state_home: Option<PathBuf>,
    exchanges: bool,
    excludes: Option<Excludes>,
}

/// Why a process may not write the workspace.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessError {
    #[error(
        "this is a Bazel test ({variable} is set), and tests never write sources; \
         run `bazel run //:fix` or `fixpoint fix` yourself"
    )]
    InTest { variable: &'static str },
    #[error(
        "this is a Bazel action ({ACTION_VARIABLE} is set), and actions never write sources; \
         run `bazel run //:fix` or `fixpoint fix` yourself"
    )]
    MarkedAction,
    #[error(
        "{} is inside a Bazel build, and builds never write sources; \
         run `bazel run //:fix` or `fixpoint fix` yourself",
        .directory.display()
    )]
    InAction { directory: PathBuf },
    #[error("the permission to write {} does not extend to {}", .granted.display(), .wanted.display())]
    OtherWorkspace { granted: PathBuf, wanted: PathBuf },
}

impl WriteAccess {
    /// Decides for a process that runs in `process_directory`. `environment` looks up its
    /// environment variables.
    pub fn from_user_command(
        workspace: &Workspace,
        process_directory: &Path,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, AccessError> {
        let root = workspace.root();
        if let Some(error) = refusal(root, process_directory, &environment) {
            return Err(error);
        }
        Ok(Self {
            root: root.into(),
            state_home: state_home(environment),
            exchanges: true,
            excludes: None,
        })
    }

    /// The same permission, except that a recovery does not finish the write of excluded files.
    #[must_use]
    pub fn excluding(self, excludes: Excludes) -> Self {
        let excludes = Some(excludes);
        Self { excludes, ..self }
    }

    /// Whether a recovery may write new text to the file.
    pub(crate) fn may_finish(&self, path: &str) -> bool {
        !self.excludes.as_ref().is_some_and(|it| it.cover(path))
    }

    /// The same permission, for tests of a file system that cannot exchange two names.
    #[doc(hidden)]
    pub fn without_exchange(mut self) -> Self {
        self.exchanges = false;
        self
    }

    pub(crate) fn exchanges(&self) -> bool {
        self.exchanges
    }

    pub(crate) fn state_home(&self) -> Option<&Path> {
        self.state_home.as_deref()
    }

    /// Permission to write one workspace does not apply to another.
    pub(crate) fn check(&self, workspace: &Workspace) -> Result<(), AccessError> {
        if self.root == workspace.root() {
            return Ok(());
        }
        Err(AccessError::OtherWorkspace {
            granted: self.root.clone(),
            wanted: workspace.root().into(),
        })
    }
}

/// The state directory of the XDG base directory specification.
fn state_home(environment: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name| {
        let path = PathBuf::from(environment(name)?);
        path.is_absolute().then_some(path)
    };
    // Without HOME, the home directory comes from the user database.
    let home = || absolute("HOME").or_else(std::env::home_dir);
    absolute("XDG_STATE_HOME").or_else(|| Some(home()?.join(".local/state")))
}

fn refusal(
    root: &Path,
    process_directory: &Path,
    environment: impl Fn(&str) -> Option<String>,
) -> Option<AccessError> {
    let set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    if let Some(variable) = TEST_VARIABLES.into_iter().find(|name| set(name)) {
        return Some(AccessError::InTest { variable });
    }
    if set(ACTION_VARIABLE) {
        return Some(AccessError::MarkedAction);
    }
    // Files under an execution root are Bazel's copies of the sources, whoever runs the command.
    if in_execution_root(root) {
        return Some(AccessError::InAction {
            directory: root.into(),
        });
    }
    // `bazel run` also starts its program in an execution root, but sets this variable.
    let is_action = |path: &Path| in_execution_root(path) || has_outputs(path);
    let mut directories = [process_directory, root].into_iter();
    let directory = directories.find(|path| is_action(path) && !set(RUN_VARIABLE))?;
    Some(AccessError::InAction {
        directory: directory.into(),
    })
}

/// Whether a folder above `path`, or `path` itself, contains the outputs of a build.
fn has_outputs(path: &Path) -> bool {
    path.ancestors().any(|folder| {
        let outputs = folder.join(OUTPUT_DIRECTORY).symlink_metadata();
        outputs.is_ok_and(|it| it.is_dir())
    })
}

/// Bazel runs every local action, sandboxed or not, in a directory below one of this name.
fn in_execution_root(path: &Path) -> bool {
    path.iter().any(|part| part == "execroot")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(root: &str, directory: &str, variables: &[&str]) -> Option<AccessError> {
        refusal(Path::new(root), Path::new(directory), |name| {
            variables.contains(&name).then(|| "/somewhere".to_owned())
        })
    }

    // C-18
    #[test]
    fn a_person_at_a_shell_and_bazel_run_may_write() {
        assert_eq!(decide("/home/a/ws", "/home/a/ws/src", &[]), None);
        let runfiles = "/c/_bazel_a/1f/execroot/_main/bazel-out/k8/bin/fix.runfiles/_main";
        assert_eq!(decide("/home/a/ws", runfiles, &[RUN_VARIABLE]), None);
    }

    // C-49, C-61
    #[test]
    fn tests_and_actions_may_not_write() {
        for variable in TEST_VARIABLES {
            let refused = Some(AccessError::InTest { variable });
            assert_eq!(decide("/home/a/ws", "/home/a/ws", &[variable]), refused);
            assert_eq!(
                decide("/home/a/ws", "/", &[variable, RUN_VARIABLE]),
                refused
            );
        }
        for directory in [
            "/c/_bazel_a/1f/execroot/_main",
            "/c/_bazel_a/1f/sandbox/linux-sandbox/7/execroot/_main",
        ] {
            let refused = Some(AccessError::InAction {
                directory: directory.into(),
            });
            assert_eq!(decide("/home/a/ws", directory, &[]), refused);
            assert_eq!(decide(directory, directory, &[RUN_VARIABLE]), refused);
        }
    }

    #[test]
    fn an_action_on_a_remote_worker_may_not_write() -> Result<(), Box<dyn std::error::Error>> {
        let marked = Some(AccessError::MarkedAction);
        let variables = [ACTION_VARIABLE, RUN_VARIABLE];
        assert_eq!(decide("/home/a/ws", "/home/a/ws", &variables), marked);

        // The folder of an action contains a folder of outputs, and a workspace contains a link.
        let scratch = tempfile::tempdir()?;
        let text = |path: &str| scratch.path().join(path).to_string_lossy().into_owned();
        for folder in [
            "worker/7/root/bazel-out/k8/bin",
            "worker/7/root/pkg",
            "ws/pkg",
        ] {
            std::fs::create_dir_all(scratch.path().join(folder))?;
        }
        let outputs = scratch.path().join("worker/7/root/bazel-out");
        std::os::unix::fs::symlink(outputs, scratch.path().join("ws/bazel-out"))?;
        let (worker, workspace) = (text("worker/7/root"), text("ws"));
        for (root, directory) in [
            (&worker, &worker),
            (&worker, &text("worker/7/root/pkg")),
            (&text("worker/7/root/pkg"), &workspace),
            (&workspace, &worker),
        ] {
            let refused = decide(root, directory, &[]);
            let is_refused = matches!(refused, Some(AccessError::InAction { .. }));
            assert!(is_refused, "{root} from {directory}");
        }
        assert_eq!(decide(&workspace, &text("ws/pkg"), &[]), None);
        assert_eq!(decide(&workspace, &worker, &[RUN_VARIABLE]), None);
        Ok(())
    }

    #[test]
    fn an_empty_variable_is_not_set() {
        let empty = refusal(Path::new("/ws"), Path::new("/ws"), |_| Some(String::new()));
        assert_eq!(empty, None);
    }
}
