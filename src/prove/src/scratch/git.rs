//! A repository of our own, in which patches are applied and written.
//!
//! It has one commit with the files of the base and no history. Its configuration is ours, so that
//! nothing that the user's repository configures starts a process.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::policy::{DiffSummary, MalformedGitOutput};
use crate::scratch::changes::{Changes, FileState};
use crate::scratch::tree::{ScratchError, Tree, make_parent};

/// Why a patch could not be applied or written.
#[derive(Debug, Error)]
pub enum PatchError {
    #[error("cannot start git: {0}; install it")]
    NoGit(#[source] std::io::Error),
    #[error("the patch does not apply to the base: {0}")]
    DoesNotApply(String),
    #[error("git {command} failed: {message}")]
    Git { command: String, message: String },
    #[error(
        "the patch contains {path:?}, which is not a regular file; only regular files can be changed"
    )]
    NotAFile { path: String },
    #[error(transparent)]
    Output(#[from] MalformedGitOutput),
    #[error(transparent)]
    Scratch(#[from] ScratchError),
}

/// The base as one commit, and a work tree in which patches are tried.
#[derive(Clone, Debug)]
pub struct PatchRepository {
    base: Tree,
    folder: PathBuf,
}

impl PatchRepository {
    /// Creates the repository in `folder`, which must not exist.
    pub fn new(base: &Tree, folder: &Path) -> Result<Self, PatchError> {
        let copied = base.with(&Changes::default(), folder)?;
        let repository = Self {
            base: base.clone(),
            folder: copied.folder().to_owned(),
        };
        repository.git(&["init", "--quiet", "--template="], b"")?;
        ignore_attributes(&repository.folder)?;
        repository.git(&["add", "--all", "--force"], b"")?;
        let commit = [
            "commit",
            "--quiet",
            "--allow-empty",
            "--no-verify",
            "-m",
            "base",
        ];
        repository.git(&commit, b"")?;
        Ok(repository)
    }

    /// What a unified diff makes of the base. The work tree is as before afterwards.
    pub fn changes_of(&self, diff: &str) -> Result<Changes, PatchError> {
        let check = ["apply", "--check", "--whitespace=nowarn", "-"];
        self.git(&check, diff.as_bytes())
            .map_err(|error| match error {
                PatchError::Git { message, .. } => PatchError::DoesNotApply(message),
                other => other,
            })?;
        // The files are links to those of other trees. A new link changes the time in the index.
        self.git(&["add", "--all", "--force"], b"")?;
        self.git(
            &["apply", "--index", "--whitespace=nowarn", "-"],
            diff.as_bytes(),
        )?;
        let listed = self.git(
            &["diff", "--cached", "--name-only", "--no-renames", "-z"],
            b"",
        )?;
        let changes = self.changed_files(&listed);
        self.reset()?;
        changes
    }

    fn changed_files(&self, listed: &[u8]) -> Result<Changes, PatchError> {
        let mut changes = Changes::default();
        for path in listed.split(|&byte| byte == 0).filter(|it| !it.is_empty()) {
            let path = String::from_utf8_lossy(path).into_owned();
            let file = self.folder.join(&path);
            let state = match fs::symlink_metadata(&file) {
                Err(_) => None,
                Ok(metadata) if metadata.is_file() => Some(self.read(&file, &metadata)?),
                Ok(_) => return Err(PatchError::NotAFile { path }),
            };
            changes.set(path, state);
        }
        Ok(changes)
    }

    fn read(&self, file: &Path, metadata: &fs::Metadata) -> Result<FileState, PatchError> {
        use std::os::unix::fs::PermissionsExt as _;
        let bytes = fs::read(file).map_err(|source| ScratchError::Io {
            path: file.to_owned(),
            source,
        })?;
        Ok(FileState {
            bytes,
            is_executable: metadata.permissions().mode() & 0o100 != 0,
        })
    }

    /// The unified diff from the base to `changes`, and its size.
    pub fn diff_of(&self, changes: &Changes) -> Result<(String, DiffSummary), PatchError> {
        for (path, state) in changes.iter() {
            self.write(path, state.as_ref())?;
        }
        self.git(&["add", "--all", "--force"], b"")?;
        let options = ["--cached", "--no-renames", "--no-color", "--no-ext-diff"];
        let diff = self.git(
            &[&["diff", "--binary", "--full-index"], &options[..]].concat(),
            b"",
        )?;
        let sizes = self.git(&[&["diff", "--numstat", "-z"], &options[..]].concat(), b"")?;
        self.reset()?;
        let diff = String::from_utf8_lossy(&diff).into_owned();
        Ok((diff, DiffSummary::from_numstat(&sizes)?))
    }

    /// Writes a file of the work tree. It is removed first, because it may be shared with the base.
    fn write(&self, path: &str, state: Option<&FileState>) -> Result<(), PatchError> {
        use std::os::unix::fs::PermissionsExt as _;
        let file = self.folder.join(path);
        let write = || {
            if fs::symlink_metadata(&file).is_ok() {
                fs::remove_file(&file)?;
            }
            let Some(state) = state else {
                return Ok(());
            };
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&file, &state.bytes)?;
            let mode = if state.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&file, fs::Permissions::from_mode(mode))
        };
        write().map_err(|source| {
            let path = file.clone();
            ScratchError::Io { path, source }.into()
        })
    }

    pub fn base(&self) -> &Tree {
        &self.base
    }

    fn reset(&self) -> Result<(), PatchError> {
        self.git(&["reset", "--quiet", "--hard"], b"")?;
        self.git(&["clean", "--quiet", "-f", "-d", "-x"], b"")
            .map(drop)
    }

    fn git(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, PatchError> {
        git(&self.folder, args, input)
    }
}

/// Attributes in the files of a repository could convert line ends or ask for filters.
fn ignore_attributes(folder: &Path) -> Result<(), PatchError> {
    let folder = folder.join(".git/info");
    let file = folder.join("attributes");
    let text = "* -text -ident -filter -working-tree-encoding -diff\n* diff\n";
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, text));
    written.map_err(|source| ScratchError::Io { path: file, source }.into())
}

/// Checks out a commit of the repository around `root` into `folder`, which must not exist. Returns the
/// folder there that corresponds to `root`.
pub(crate) fn checkout(root: &Path, commit: &str, folder: &Path) -> Result<PathBuf, PatchError> {
    let line = |args: &[&str]| -> Result<PathBuf, PatchError> {
        let output = git(root, args, b"")?;
        Ok(OsStr::from_bytes(output.trim_ascii_end()).into())
    };
    let objects = line(&[
        "rev-parse",
        "--path-format=absolute",
        "--git-path",
        "objects",
    ])?;
    let prefix = line(&["rev-parse", "--show-prefix"])?;
    let format = line(&["rev-parse", "--show-object-format"])?;
    let format = format!("--object-format={}", format.display());
    let alternates = folder.join(".git/objects/info/alternates");
    let io = |path: &Path, source| ScratchError::Io {
        path: path.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(|error| io(folder, error))?;
    git(folder, &["init", "--quiet", "--template=", &format], b"")?;
    make_parent(&alternates)?;
    let text = [objects.as_os_str().as_bytes(), b"\n"].concat();
    fs::write(&alternates, text).map_err(|error| io(&alternates, error))?;
    ignore_attributes(folder)?;
    git(folder, &["checkout", "--quiet", "--detach", commit], b"")?;
    Ok(folder.join(prefix))
}

/// Runs git without any configuration except that of the repository in `folder`.
fn git(folder: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, PatchError> {
    let mut command = Command::new("git");
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder)
        .env("GIT_AUTHOR_DATE", "2000-01-01T00:00:00Z")
        .env("GIT_COMMITTER_DATE", "2000-01-01T00:00:00Z")
        .env("LC_ALL", "C")
        .args([
            "-c",
            "user.name=fixpoint",
            "-c",
            "user.email=fixpoint@localhost",
        ])
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.autocrlf=false",
        ])
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "gc.auto=0",
            "-c",
            "commit.gpgsign=false",
        ])
        .args([
            "-c",
            "core.attributesFile=/dev/null",
            "-c",
            "core.quotePath=false",
        ])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(PatchError::NoGit)?;
    let stdin = child.stdin.take();
    let input = input.to_vec();
    // A separate thread writes the input, because a command that fails early does not read it.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let output = child.wait_with_output().map_err(PatchError::NoGit)?;
    let _ = writer.join();
    if !output.status.success() {
        return Err(PatchError::Git {
            command: args.first().copied().unwrap_or_default().to_owned(),
            message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        });
    }
    Ok(output.stdout)
}
