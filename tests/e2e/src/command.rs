//! Runs the programs under test, and checks their output.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fmt};

/// The root of this repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository")
}

/// The program that runs Bazel.
pub fn bazelw() -> PathBuf {
    env::var_os("FIXPOINT_BAZEL").map_or_else(|| repository().join("bazelw"), PathBuf::from)
}

/// The `fixpoint` binary that cargo builds beside this test. It is rebuilt once per run.
pub fn binary() -> PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY
        .get_or_init(|| env::var_os("FIXPOINT_BINARY").map_or_else(build, PathBuf::from))
        .clone()
}

fn build() -> PathBuf {
    // target/PROFILE/deps/this-test, or target/PROFILE/this-program
    let this = env::current_exe().expect("this program's path");
    let mut above = this.ancestors().skip(1);
    let folder = above.find(|it| !it.ends_with("deps"));
    let folder = folder.expect("cargo's layout").to_owned();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "dev",
        Some(profile) => profile,
        None => panic!("{} is not cargo's layout", folder.display()),
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--locked",
            "-p",
            "fixpoint-cli",
            "--profile",
            profile,
        ])
        .current_dir(repository()))
    .succeeds();
    folder.join("fixpoint")
}

/// The result of running a program.
#[derive(Debug)]
pub struct Outcome {
    what: String,
    /// The exit status, or -1 if a signal ended the program.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program to its end.
pub fn run(command: &mut Command) -> Outcome {
    let what = format!("{command:?}");
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    Outcome {
        what,
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Outcome {
    /// Both output streams, because Bazel may print messages to either.
    pub fn said(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub fn succeeds(self) -> Self {
        self.exits(0)
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// Asserts any failure status. Bazel has its own status for each kind of failure.
    #[track_caller]
    pub fn fails(self) -> Self {
        assert!(self.code > 0, "{self}");
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.said().contains(text), "nothing says {text:?}:\n{self}");
        self
    }

    #[track_caller]
    pub fn does_not_say(self, text: &str) -> Self {
        assert!(!self.said().contains(text), "says {text:?}:\n{self}");
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            code,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "{what}\nexit status {code}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}
