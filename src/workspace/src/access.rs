//! Decides which process may write: a command that a person starts, never a build or test action.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::root::Workspace;

/// Bazel sets these variables for every test. Nothing else sets them.
const TEST_VARIABLES: [&str; 4] = ["BAZEL_TEST", "TEST_TMPDIR", "TEST_SRCDIR", "TEST_TARGET"];

/// `bazel run` sets this variable for the program it starts. Actions do not have it.
const RUN_VARIABLE: &str = "BUILD_WORKSPACE_DIRECTORY";

/// The permission to write one workspace. Every function that writes user files requires it.
#[derive(Debug)]
pub struct WriteAccess {
    root: PathBuf,
    /// The directory in which this user's programs keep their state.
    state_home: Option<PathBuf>,
    exchanges: bool,
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
        })
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
    // Files under an execution root are Bazel's copies of the sources, whoever runs the command.
    if in_execution_root(root) {
        return Some(AccessError::InAction {
            directory: root.into(),
        });
    }
    // `bazel run` also starts its program in an execution root, but sets this variable.
    if in_execution_root(process_directory) && !set(RUN_VARIABLE) {
        return Some(AccessError::InAction {
            directory: process_directory.into(),
        });
    }
    None
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
    fn an_empty_variable_is_not_set() {
        let empty = refusal(Path::new("/ws"), Path::new("/ws"), |_| Some(String::new()));
        assert_eq!(empty, None);
    }
}
