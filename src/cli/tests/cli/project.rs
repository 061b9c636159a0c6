//! A workspace in a temporary folder, and the real binary run in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub struct Project {
    folder: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    #[track_caller]
    pub fn exits_with(self, status: i32) -> Self {
        assert_eq!(
            self.status,
            Some(status),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub fn prints(self, wanted: &str) -> Self {
        assert!(
            self.stdout.contains(wanted),
            "no {wanted:?} in stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub fn complains(self, wanted: &str) -> Self {
        assert!(
            self.stderr.contains(wanted),
            "no {wanted:?} in stderr:\n{}\nstdout:\n{}",
            self.stderr,
            self.stdout
        );
        self
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Self { folder };
        project.write("fixpoint.toml", "");
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("inside")).expect("a folder");
        fs::write(path, contents).expect("written");
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("readable")
    }

    /// The bytes of every file, by path.
    pub fn tree(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut tree = BTreeMap::new();
        let mut folders = vec![self.root().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let entry = entry.expect("an entry");
                let kind = entry.file_type().expect("a type");
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    tree.insert(entry.path(), fs::read(entry.path()).expect("readable"));
                }
            }
        }
        tree
    }

    /// The command with an environment that contains only a state folder: no PATH, no HOME.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fixpoint"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.command(arguments)
            .output()
            .expect("the binary runs")
            .into()
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_vec();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let ended = child.wait_with_output().expect("it ends").into();
        // A command that needs no input may end before it has read any.
        let _ = writer.join();
        ended
    }

    pub fn git(&self, arguments: &[&str]) -> Ended {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=someone",
                "-c",
                "user.email=someone@example.invalid",
            ])
            .args(arguments)
            .current_dir(self.root())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git runs");
        let ended = Ended::from(output);
        assert_eq!(ended.status, Some(0), "{arguments:?}: {}", ended.stderr);
        ended
    }
}

/// A file that is not canonical, and its canonical form.
pub const MESSY_JSON: &str = "{\"b\":1,\n\"a\":[1,2]}";
pub const CANONICAL_JSON: &str = "{ \"b\": 1, \"a\": [1, 2] }\n";
