//! A Bazel workspace that uses this repository's Fixpoint.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, process};

use crate::command::{Outcome, bazelw, binary, repository, run};

/// A folder with the files of a test, and a Bazel server for it.
///
/// Starting a server takes seconds. So the folders of finished tests are emptied and reused with
/// their servers: Bazel notices that the files changed. A test of a first build uses
/// [`Workspace::fresh`].
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    output: PathBuf,
    keep: bool,
    /// Locked while the folder is in use, also against other runs of the tests.
    _lock: File,
}

/// The text of a consumer's MODULE.bazel.
fn module() -> String {
    format!(
        r#"module(name = "workspace")

bazel_dep(name = "fixpoint")
local_path_override(
    module_name = "fixpoint",
    path = "{}",
)
"#,
        repository().display()
    )
}

fn folder() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(
        || PathBuf::from(env::var_os("HOME").expect("HOME or XDG_CACHE_HOME")).join(".cache"),
        PathBuf::from,
    );
    cache.join("fixpoint/e2e")
}

impl Workspace {
    /// An almost empty workspace: the module, the modes, and `//:fix`.
    pub fn new() -> Self {
        let (lock, place) = (0..)
            .find_map(|number| {
                let place = folder().join(format!("warm-{number}"));
                fs::create_dir_all(&place).expect("a folder");
                let lock = File::create(place.join("lock")).expect("a lock file");
                lock.try_lock().is_ok().then_some((lock, place))
            })
            .expect("a number");
        Self::at(place, lock, true)
    }

    /// Like [`Self::new`], in a folder that Bazel has never seen. The folder is removed at the end.
    pub fn fresh() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let place = folder().join(format!("fresh-{}-{number}", process::id()));
        fs::create_dir_all(&place).expect("a folder");
        let lock = File::create(place.join("lock")).expect("a lock file");
        Self::at(place, lock, false)
    }

    fn at(place: PathBuf, lock: File, keep: bool) -> Self {
        let root = place.join("workspace");
        if root.exists() {
            fs::remove_dir_all(&root).expect("the last test's files go");
        }
        fs::create_dir(&root).expect("a folder");
        let this = Self {
            root,
            output: place.join("output"),
            keep,
            _lock: lock,
        };
        this.write("MODULE.bazel", module() + &this.toolchain());
        this.write(
            ".bazelrc",
            fs::read(repository().join("examples/polyglot/.bazelrc")).expect("the modes"),
        );
        this.write(
            "BUILD.bazel",
            "load(\"@fixpoint//rules:defs.bzl\", \"fix\")\n\nfix(name = \"fix\")\n",
        );
        this
    }

    /// The lines of a MODULE.bazel that select the binary that cargo built.
    pub fn toolchain(&self) -> String {
        format!(
            "\nfixpoint = use_extension(\"@fixpoint//toolchain:extension.bzl\", \"fixpoint\")\n\
             fixpoint.path(path = \"{}\")\n",
            binary().display()
        )
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Copies a folder of `tests/e2e/workspaces` or `examples` over this one.
    pub fn copy(&self, from: &Path) {
        copy(from, &self.root);
    }

    /// Runs Bazel at the root.
    pub fn bazel<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Outcome {
        run(&mut self.command(arguments))
    }

    /// Like [`Self::bazel`], but not started yet: for other folders and environments, or for two at
    /// once.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(bazelw());
        let mut arguments = arguments.into_iter();
        command
            .current_dir(&self.root)
            .arg(format!("--output_user_root={}", self.output.display()))
            // A server stays for the next test, and exits soon after the last one.
            .args([
                "--nohome_rc",
                "--max_idle_secs=60",
                "--host_jvm_args=-Xmx1g",
            ])
            .args(arguments.next())
            .args(["--color=no", "--curses=no", "--noshow_progress", "--jobs=2"])
            .args(arguments);
        command
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if !self.keep {
            self.bazel(["clean", "--expunge"]);
            let place = self.root.parent().expect("a place");
            let _ = fs::remove_dir_all(place);
        }
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
