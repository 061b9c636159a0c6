//! Creates a workspace in a temporary directory.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fixpoint_text::Digest;
use fixpoint_workspace::{FileChange, Step, Workspace, WriteAccess};
use tempfile::TempDir;

pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

pub struct Scratch {
    /// Contains the workspace and the files outside of it.
    outer: TempDir,
    pub workspace: Workspace,
    pub access: WriteAccess,
}

/// Creates a workspace with files, given as path and text.
pub fn scratch(files: &[(&str, &str)]) -> Outcome<Scratch> {
    let outer = tempfile::tempdir()?;
    fs::set_permissions(outer.path(), fs::Permissions::from_mode(0o755))?;
    let root = outer.path().join("ws");
    fs::create_dir(&root)?;
    for (path, text) in files {
        put(&root, path, text)?;
        // The time is long ago, so that a file that a test creates is newer on every file system.
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        fs::File::options()
            .write(true)
            .open(root.join(path))?
            .set_modified(long_ago)?;
    }
    let (workspace, access) = open(&root)?;
    Ok(Scratch {
        outer,
        workspace,
        access,
    })
}

/// The workspace at `root`, as a user's command opens it. The user's state folder is beside it.
pub fn open(root: &Path) -> Outcome<(Workspace, WriteAccess)> {
    open_as(root, &root.with_extension("state"))
}

/// The workspace at `root`, as opened by a user whose state folder is `state_home`.
pub fn open_as(root: &Path, state_home: &Path) -> Outcome<(Workspace, WriteAccess)> {
    let workspace = Workspace::open(root)?;
    let state_home = state_home.to_str().map(str::to_owned);
    let environment = |name: &str| state_home.clone().filter(|_| name == "XDG_STATE_HOME");
    let access = WriteAccess::from_user_command(&workspace, root, environment)?;
    Ok((workspace, access))
}

pub fn put(root: &Path, path: &str, text: &str) -> Outcome {
    let file = root.join(path);
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(file, text)?)
}

/// The change of one file from `base` to `new`.
pub fn change(path: &str, base: &str, new: &str) -> FileChange {
    FileChange::new(path, Digest::of(base.as_bytes()), new)
}

impl Scratch {
    pub fn root(&self) -> &Path {
        self.workspace.root()
    }

    pub fn outside(&self) -> PathBuf {
        self.outer.path().to_owned()
    }

    pub fn text(&self, path: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.root().join(path))?)
    }

    pub fn put(&self, path: &str, text: &str) -> Outcome {
        put(self.root(), path, text)
    }

    pub fn link(&self, to: impl AsRef<Path>, path: &str) -> Outcome {
        Ok(std::os::unix::fs::symlink(to, self.root().join(path))?)
    }

    pub fn fifo(&self, path: &str) -> Outcome {
        let mode = rustix::fs::Mode::from_raw_mode(0o644);
        let cwd = rustix::fs::CWD;
        let kind = rustix::fs::FileType::Fifo;
        Ok(rustix::fs::mknodat(
            cwd,
            self.root().join(path),
            kind,
            mode,
            0,
        )?)
    }

    /// Starts a write that ends at `step` as if the process had been killed there.
    pub fn interrupt(&self, groups: Vec<Vec<FileChange>>, step: Step<'_>) -> Outcome {
        let write = || {
            let _ = self
                .workspace
                .write_observed(groups, &self.access, &mut |now| {
                    if now == step {
                        std::panic::resume_unwind(Box::new(()));
                    }
                });
        };
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)) {
            Ok(()) => Err("the write came to its end".into()),
            Err(_) => Ok(()),
        }
    }

    pub fn tree(&self) -> Outcome<BTreeMap<String, String>> {
        tree(self.root())
    }
}

/// Every entry below `root`, including hidden ones, with its content.
pub fn tree(root: &Path) -> Outcome<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
            let kind = path.symlink_metadata()?.file_type();
            let holds = if kind.is_dir() {
                directories.push(path);
                "directory".to_owned()
            } else if kind.is_symlink() {
                format!("link to {}", fs::read_link(path)?.display())
            } else if kind.is_file() {
                format!("file {}", String::from_utf8_lossy(&fs::read(path)?))
            } else {
                "other".to_owned()
            };
            all.insert(name, holds);
        }
    }
    Ok(all)
}

/// Runs `body` as a user to whom permission bits apply. They do not apply to root.
#[cfg(target_os = "linux")]
pub fn as_ordinary_user<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    use rustix::thread::{Uid, set_thread_res_uid};

    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if rustix::process::geteuid().is_root() {
                // On Linux, this changes only the user of this thread, until the thread ends.
                let nobody = Uid::from_raw(65534);
                let changed = set_thread_res_uid(nobody, nobody, nobody);
                assert!(changed.is_ok(), "{changed:?}");
            }
            body()
        });
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
