//! Runs git on an untrusted repository.
//!
//! A repository's configuration can name programs: a file system monitor, filters, hooks, pagers,
//! transports. So git never sees that configuration. It runs on a temporary git directory that
//! links to the objects, references and index of the repository. The configuration there has only
//! the settings listed here, none of which starts a program. Only commands that read are used, and
//! none of them reads the work tree. Before git starts, [`StoreCheck`] rejects files that could
//! block it.

use std::fs;
use std::io::{self, Read, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use thiserror::Error;

use crate::read::{ReadError, read_file};
use crate::repository::Repository;
use crate::store::StoreCheck;

/// Git takes longer only if a pipe is put into the repository while git runs.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const MAX_HEAD_SIZE: u64 = 16 * 1024;
/// Enough for a million branches and tags.
const MAX_PACKED_REFS_SIZE: u64 = 128 * 1024 * 1024;
const MAX_CONFIGURATION_SIZE: u64 = 1024 * 1024;

/// Why git failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitError {
    #[error("cannot start git: {source}; install it, or name the files instead of using --changed")]
    NoGit { source: io::Error },
    #[error("cannot create the temporary directory that git runs in: {source}")]
    Prepare {
        #[from]
        source: io::Error,
    },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{path} {problem}; name the files instead of using --changed")]
    Unsupported { path: String, problem: &'static str },
    #[error("git did not finish within {} seconds; name the files instead of using --changed", TIME_LIMIT.as_secs())]
    Late,
    #[error("git failed: {message}")]
    Failed { message: String },
}

/// A repository as git sees it.
pub(crate) struct Git {
    folder: TempDir,
}

struct CommandOutput {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Git {
    pub(crate) fn new(repository: &Repository) -> Result<Self, GitError> {
        let (own, common) = (&repository.git_dir, &repository.common_dir);
        let git = Self {
            folder: tempfile::tempdir()?,
        };
        let folder = git.folder.path();
        // Git does not accept a HEAD that is a link.
        let head = read_file(&own.join("HEAD"), MAX_HEAD_SIZE)?;
        fs::write(folder.join("HEAD"), head)?;
        let mut check = StoreCheck::default();
        check.files_below(&common.join("refs"), MAX_HEAD_SIZE)?;
        check.files_below(&common.join("reftable"), u64::MAX)?;
        check.files_below(&own.join("logs"), u64::MAX)?;
        check.objects(&common.join("objects"))?;
        let folders = [(common, "objects"), (common, "refs"), (common, "reftable")];
        for (from, name) in folders.into_iter().chain([(own, "logs")]) {
            if from.join(name).is_dir() {
                link(from, folder, name)?;
            }
        }
        let mut files = vec![
            (common, "packed-refs".to_owned(), MAX_PACKED_REFS_SIZE),
            (common, "shallow".to_owned(), MAX_PACKED_REFS_SIZE),
            (own, "index".to_owned(), u64::MAX),
        ];
        for entry in fs::read_dir(own)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.starts_with("sharedindex.") {
                files.push((own, name, u64::MAX));
            }
        }
        for (from, name, max_size) in files {
            if StoreCheck::file(&from.join(&name), max_size)? {
                link(from, folder, &name)?;
            }
        }
        fs::write(folder.join("config"), configuration(&[]))?;
        let settings = git.settings(common)?;
        fs::write(folder.join("config"), configuration(&settings))?;
        Ok(git)
    }

    /// The settings of the repository that git may see.
    fn settings(&self, common: &Path) -> Result<Vec<(String, String)>, GitError> {
        let text = match read_file(&common.join("config"), MAX_CONFIGURATION_SIZE) {
            Ok(text) => text,
            Err(ReadError::Vanished { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let copy = self.folder.path().join("settings");
        fs::write(&copy, text)?;
        let copy = copy.to_string_lossy();
        let list = ["config", "--no-includes", "--list", "-z", "--file", &copy];
        let settings = self.list(&list, b"")?.into_iter().filter_map(|entry| {
            let entry = String::from_utf8(entry).ok()?;
            let (key, value) = entry.split_once('\n')?;
            is_harmless(key, value).then(|| (key.to_owned(), value.to_owned()))
        });
        Ok(settings.collect())
    }

    /// The value of a setting. Git reads it from the temporary directory and the user's own
    /// configuration.
    pub(crate) fn setting(&self, key: &str) -> Result<Option<String>, GitError> {
        let answer = self.run(&["config", "--get", key], b"")?;
        let value = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Ok((answer.status.success() && !value.is_empty()).then_some(value))
    }

    /// The commit that a revision names. Later commands get only its hash, so that git never parses
    /// a revision as an option.
    pub(crate) fn commit(&self, revision: &str) -> Result<Option<String>, GitError> {
        if revision.is_empty() || revision.starts_with('-') || revision.contains('\0') {
            return Ok(None);
        }
        let peeled = format!("{revision}^{{commit}}");
        let answer = self.run(
            &[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &peeled,
            ],
            b"",
        )?;
        let hash = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        Ok((answer.status.success() && is_hash).then_some(hash))
    }

    /// The entries that a command prints, each terminated by a NUL.
    pub(crate) fn list(&self, args: &[&str], input: &[u8]) -> Result<Vec<Vec<u8>>, GitError> {
        let output = self.output(args, input)?;
        let entries = output.split(|&byte| byte == 0);
        Ok(entries
            .filter(|entry| !entry.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// What a command prints.
    pub(crate) fn output(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let answer = self.run(args, input)?;
        if answer.status.success() {
            return Ok(answer.stdout);
        }
        let message = String::from_utf8_lossy(&answer.stderr);
        Err(GitError::Failed {
            message: match message.trim() {
                "" => answer.status.to_string(),
                message => message.to_owned(),
            },
        })
    }

    fn run(&self, args: &[&str], input: &[u8]) -> Result<CommandOutput, GitError> {
        let mut command = Command::new("git");
        // A hook runs with variables that point git at the repository and its configuration.
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("GIT_") && !name_text.starts_with("GIT_CONFIG_") {
                command.env_remove(&name);
            }
        }
        let mut child = command
            .args(args)
            .current_dir(self.folder.path())
            .env("GIT_DIR", self.folder.path())
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_PAGER", "cat")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| GitError::NoGit { source })?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = (read_in_background(stdout), read_in_background(stderr));
        let (input, stdin) = (input.to_vec(), child.stdin.take());
        // A separate thread writes the input, because a command that fails early does not read it.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let deadline = Instant::now() + TIME_LIMIT;
        let left = || deadline.saturating_duration_since(Instant::now());
        let answers = stdout
            .recv_timeout(left())
            .and_then(|stdout| Ok((stdout, stderr.recv_timeout(left())?)));
        let Ok((stdout, stderr)) = answers else {
            kill_and_wait(&mut child);
            return Err(GitError::Late);
        };
        Ok(CommandOutput {
            status: child.wait()?,
            stdout,
            stderr,
        })
    }
}

fn kill_and_wait(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads the stream in another thread, so that the caller can wait with a timeout.
fn read_in_background(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        sender.send(bytes)
    });
    receiver
}

/// Creates a link in `to` to the entry `name` of `from`.
fn link(from: &Path, to: &Path, name: &str) -> io::Result<()> {
    symlink(from.join(name).canonicalize()?, to.join(name))
}

/// Whether git may see a setting. Allowed are settings about the storage of objects and references,
/// upstream branches and line ends.
fn is_harmless(key: &str, value: &str) -> bool {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    match (section, name) {
        ("extensions", "objectformat") => matches!(value, "sha1" | "sha256"),
        ("extensions", "refstorage") => matches!(value, "files" | "reftable"),
        ("core", "autocrlf") | ("branch", "remote" | "merge") | ("remote", "fetch") => true,
        _ => false,
    }
}

/// The text of the configuration file that git sees.
fn configuration(settings: &[(String, String)]) -> String {
    let has_extension = settings
        .iter()
        .any(|(key, _)| key.starts_with("extensions."));
    let version = u8::from(has_extension);
    let mut text = format!("[core]\n\trepositoryformatversion = {version}\n\tbare = true\n");
    for (key, value) in settings {
        let Some((section, rest)) = key.split_once('.') else {
            continue;
        };
        let (subsection, name) = match rest.rsplit_once('.') {
            Some((subsection, name)) => (format!(" \"{}\"", escaped(subsection)), name),
            None => (String::new(), rest),
        };
        text += &format!(
            "[{section}{subsection}]\n\t{name} = \"{}\"\n",
            escaped(value)
        );
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
