//! Runs commands in the sandbox, and records what they print and how they end.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::clock::{Clock, SystemClock, rfc3339};
use crate::command::{CommandError, resolve};
use crate::environment;
use crate::output::{Collector, MAX_WHOLE, Output};
use crate::record::Layers;
use crate::redact::{RedactError, Redactor};
use crate::run_folder::RunFolder;
use crate::sandbox::{
    self, Event, HELPER_ARGUMENT, SandboxSpec, TERMINATE, credentials, receive, send,
};

/// How long the helper may take to end after its command was killed.
const HELPER_GRACE: Duration = Duration::from_secs(10);

/// Commands leave this many bytes on the disk free, or half of what was free before.
const MIN_FREE_SPACE: u64 = 1 << 30;

/// A longer time cannot be added to every clock.
const MAX_TIMEOUT: Duration = Duration::from_secs(366 * 86_400);

/// The folder in the results for reports that a runner writes into the tree.
pub const REPORTS: &str = "reports";

/// The size in bytes of all reports of a run.
const MAX_REPORTS: u64 = 64 << 20;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Redact(#[from] RedactError),
    #[error("cannot {action} {}: {source}\nhelp: check that the folder exists and that you may write it", path.display())]
    Folder {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("cannot start the sandbox: {0}\nhelp: run `fixpoint prove` as a program of its own")]
    Helper(#[source] io::Error),
    #[error("{0}\nhelp: nothing ran; check that the program is installed and executable")]
    Start(String),
    #[error(
        "the command was ended, because it left less than {} MiB on the disk of {}\n\
         help: free some space, or give a command that writes less", free >> 20, path.display()
    )]
    DiskFull { free: u64, path: PathBuf },
    #[error(
        "the sandbox ended without a result\nhelp: the machine may be out of memory; run the command again"
    )]
    Lost,
}

/// Settings that all commands of a proof share.
#[derive(Clone, Debug)]
pub struct RunnerConfig {
    /// The program that calls [`crate::sandbox::enter_if_requested`], usually `/proc/self/exe`.
    pub helper: PathBuf,
    /// A folder outside the user's tree, the home and `/tmp` for the private files of runs, best below
    /// `/var/tmp`.
    pub state: PathBuf,
    pub network: bool,
    /// Whether to run nothing if the kernel refuses a layer of the sandbox.
    pub require_sandbox: bool,
    /// Names of variables whose values are secret.
    pub secrets: Vec<String>,
    /// Files and folders that appear empty to commands, in addition to known credentials.
    pub hidden: Vec<PathBuf>,
    /// The size in bytes of `text` in an [`Output`].
    pub max_text: usize,
    /// The size in bytes of `whole` in an [`Output`].
    pub max_whole: usize,
    /// The time between SIGTERM and SIGKILL after a timeout.
    pub grace: Duration,
    /// A command ends when the disk of `state` has fewer free bytes.
    pub min_free_space: u64,
}

impl RunnerConfig {
    pub fn new(state: PathBuf) -> Self {
        let disk = std::fs::File::open(&state);
        let free = disk.and_then(|disk| sandbox::free_space(&disk));
        Self {
            min_free_space: free.map_or(0, |free| MIN_FREE_SPACE.min(free / 2)),
            helper: PathBuf::from("/proc/self/exe"),
            state,
            network: false,
            require_sandbox: false,
            secrets: Vec::new(),
            hidden: Vec::new(),
            max_text: 64 << 10,
            max_whole: MAX_WHOLE,
            grace: Duration::from_secs(2),
        }
    }
}

/// One run of a command.
#[derive(Clone, Debug)]
pub struct RunRequest {
    pub argv: Vec<String>,
    /// The folder with the files of the tree. It must not be a mount point.
    pub tree: PathBuf,
    /// Where the tree appears to the command: the path of the user's repository.
    pub tree_at: PathBuf,
    /// The working folder, relative to the tree.
    pub cwd: PathBuf,
    /// Variables in addition to the allowed ones.
    pub environment: BTreeMap<String, String>,
    pub timeout: Duration,
    /// A folder outside the tree that the command may write, at the same path.
    pub results: Option<PathBuf>,
    /// Which files that the command writes in the tree are copied to `reports` in `results`.
    pub is_report: Option<fn(&Path) -> bool>,
    /// A file that the command reads as standard input; empty without it.
    pub stdin: Option<PathBuf>,
    /// Whether changes go to `tree` itself, as commands that prepare a tree need. Otherwise every run
    /// starts with the same tree, and its changes are discarded.
    pub keep_changes: bool,
}

impl RunRequest {
    pub fn new(argv: Vec<String>, tree: PathBuf, tree_at: PathBuf, timeout: Duration) -> Self {
        Self {
            argv,
            tree,
            tree_at,
            cwd: PathBuf::new(),
            environment: BTreeMap::new(),
            timeout,
            results: None,
            is_report: None,
            stdin: None,
            keep_changes: false,
        }
    }
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// RFC 3339, in UTC.
    pub started_at: String,
    pub duration_ms: u64,
    /// None if a signal ended the command.
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub timed_out: bool,
    pub stdout: Output,
    pub stderr: Output,
    pub environment_sha256: String,
    pub layers: Layers,
    /// Files that the command wrote or deleted, relative to the tree and sorted. Empty for a run that
    /// keeps its changes, and without the layer `mount`, where the command changes `tree` itself.
    pub changed: Vec<PathBuf>,
}

/// Runs commands.
pub struct Runner {
    config: RunnerConfig,
    environment: BTreeMap<String, String>,
    home: Option<PathBuf>,
    hidden: Vec<PathBuf>,
    redactor: Redactor,
    clock: Box<dyn Clock>,
}

impl Runner {
    /// Takes the variables of this process. Only allowed ones are passed on to commands.
    pub fn new(
        config: RunnerConfig,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, RunError> {
        let variables: Vec<_> = variables.collect();
        let secrets = variables
            .iter()
            .filter(|(name, _)| config.secrets.contains(name))
            .cloned();
        let redactor = Redactor::new(secrets)?;
        let environment = environment::allowed(variables.into_iter(), &config.secrets, &redactor);
        let home = environment
            .get("HOME")
            .and_then(|home| Path::new(home).canonicalize().ok());
        let cargo_home = environment.get("CARGO_HOME").map(Path::new);
        let mut hidden = home
            .as_ref()
            .map(|home| credentials(home, cargo_home))
            .unwrap_or_default();
        hidden.extend(config.hidden.iter().cloned());
        Ok(Self {
            config,
            environment,
            home,
            hidden,
            redactor,
            clock: Box::new(SystemClock),
        })
    }

    #[must_use]
    pub fn with_clock(mut self, clock: Box<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Runs a command until it ends or its time is over. When this returns, none of its processes runs.
    pub fn run(&self, request: &RunRequest) -> Result<RunOutcome, RunError> {
        let private = RunFolder::create(&self.config.state)?;
        let spec = self.spec(request, &private)?;
        let environment_sha256 = environment::digest(&spec.environment);
        let started = self.clock.now();
        let ended = self.execute(&spec, request.timeout)?;
        let duration_ms = self.clock.now().saturating_sub(started);
        let changed = spec
            .tree_overlay
            .as_ref()
            .map(|folders| changed_files(&folders.upper))
            .unwrap_or_default();
        if let (Some(folders), Some(results)) = (&spec.tree_overlay, &request.results) {
            let is_report = |path: &&PathBuf| request.is_report.is_some_and(|is| is(path));
            copy_reports(&folders.upper, changed.iter().filter(is_report), results)?;
        }
        Ok(RunOutcome {
            started_at: rfc3339(started),
            duration_ms,
            exit_code: ended.code,
            signal: ended.signal,
            timed_out: ended.timed_out,
            stdout: ended.stdout,
            stderr: ended.stderr,
            environment_sha256,
            layers: ended.layers,
            changed,
        })
    }

    fn spec(&self, request: &RunRequest, private: &RunFolder) -> Result<SandboxSpec, RunError> {
        let trees = [request.tree.as_path(), request.tree_at.as_path()];
        let environment = environment::of_command(
            &self.environment,
            &request.environment,
            &self.config.secrets,
            &trees,
        );
        let mut argv = request.argv.clone();
        if let Some(program) = argv.first_mut() {
            let path = environment.get("PATH").map_or("", String::as_str);
            *program = resolve(program, path.as_ref(), &trees)?
                .to_string_lossy()
                .into_owned();
        }
        Ok(SandboxSpec {
            argv,
            cwd: request.tree_at.join(&request.cwd),
            tree_lower: request.tree.clone(),
            tree_at: request.tree_at.clone(),
            tree_overlay: if request.keep_changes {
                None
            } else {
                Some(private.overlay("tree")?)
            },
            temp: private.overlay("tmp")?,
            stdin: request.stdin.clone(),
            writable: request.results.iter().cloned().collect(),
            home: self.home.clone(),
            home_overlay: Some(private.overlay("home")?),
            hidden: self.hidden.clone(),
            environment,
            network: self.config.network,
            require_all_layers: self.config.require_sandbox,
            min_free_space: self.config.min_free_space,
        })
    }

    fn execute(&self, spec: &SandboxSpec, timeout: Duration) -> Result<Ended, RunError> {
        let deadline = Instant::now() + timeout.min(MAX_TIMEOUT);
        let (mut socket, theirs) = UnixStream::pair().map_err(RunError::Helper)?;
        // The kernel ends the helper when this thread ends, so that the same thread waits for it.
        let mut helper = std::process::Command::new(&self.config.helper)
            .arg(HELPER_ARGUMENT)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(RunError::Helper)?;
        let stdout = helper.stdout.take();
        let stderr = helper.stderr.take();
        std::thread::scope(|scope| {
            let collector =
                || Collector::new(&self.redactor, self.config.max_text, self.config.max_whole);
            let stdout = scope.spawn(move || stdout.map(|stream| collector().collect(stream)));
            let stderr = scope.spawn(move || stderr.map(|stream| collector().collect(stream)));
            let followed = self.follow(spec, &mut socket, deadline);
            // The sandbox ends when the socket closes.
            drop(socket);
            end_helper(&mut helper);
            let stdout = stdout.join().ok().flatten().unwrap_or_default();
            let stderr = stderr.join().ok().flatten().unwrap_or_default();
            followed.map(|ended| Ended {
                stdout,
                stderr,
                ..ended
            })
        })
    }

    /// Sends the specification, and waits for the events of the helper.
    fn follow(
        &self,
        spec: &SandboxSpec,
        socket: &mut UnixStream,
        deadline: Instant,
    ) -> Result<Ended, RunError> {
        send(socket, spec).map_err(RunError::Helper)?;
        let mut ended = Ended::default();
        let mut deadline = deadline;
        loop {
            if !is_readable(socket, deadline) {
                if ended.timed_out {
                    ended.signal = Some(libc::SIGKILL);
                    return Ok(ended);
                }
                ended.timed_out = true;
                deadline = Instant::now() + self.config.grace;
                // If the helper has ended, the next read reports it.
                let _ = io::Write::write_all(socket, &[TERMINATE]);
                continue;
            }
            match receive::<Event>(socket) {
                Ok(Event::Started(layers)) => ended.layers = layers,
                Ok(Event::Failed(reason)) => return Err(RunError::Start(reason)),
                Ok(Event::DiskFull) => {
                    return Err(RunError::DiskFull {
                        free: self.config.min_free_space,
                        path: self.config.state.clone(),
                    });
                }
                Ok(Event::Ended { code, signal }) => {
                    ended.code = code;
                    ended.signal = signal;
                    return Ok(ended);
                }
                Err(_) => return Err(RunError::Lost),
            }
        }
    }
}

#[derive(Default)]
struct Ended {
    code: Option<i32>,
    signal: Option<i32>,
    timed_out: bool,
    layers: Layers,
    stdout: Output,
    stderr: Output,
}

/// Waits until the file can be read or has ended. Returns false at the deadline.
fn is_readable(file: &impl AsFd, deadline: Instant) -> bool {
    loop {
        let rest = deadline.saturating_duration_since(Instant::now());
        let rest = Timespec {
            tv_sec: rest.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: rest.subsec_nanos().into(),
        };
        let mut files = [PollFd::new(file, PollFlags::IN)];
        match poll(&mut files, Some(&rest)) {
            Ok(0) => return false,
            Err(rustix::io::Errno::INTR) => {}
            // A read reports the error.
            Ok(_) | Err(_) => return true,
        }
    }
}

/// Waits for the helper, and kills it if it does not end by itself.
fn end_helper(helper: &mut Child) {
    let handle = pidfd_open(Pid::from_child(helper), PidfdFlags::empty());
    let has_ended = handle.is_ok_and(|handle| is_readable(&handle, Instant::now() + HELPER_GRACE));
    if !has_ended {
        let _ = helper.kill();
    }
    let _ = helper.wait();
}

pub(crate) fn folder_error(action: &'static str, path: &Path, source: io::Error) -> RunError {
    RunError::Folder {
        action,
        path: path.to_owned(),
        source,
    }
}

/// Copies files of `upper` to `reports` in `results`, named by their number. Code under test can write
/// anything there, so that only regular files count, and their total size is limited.
fn copy_reports<'a>(
    upper: &Path,
    paths: impl Iterator<Item = &'a PathBuf>,
    results: &Path,
) -> Result<(), RunError> {
    let folder = results.join(REPORTS);
    let mut left = MAX_REPORTS;
    for (number, path) in paths.enumerate() {
        let from = upper.join(path);
        let mut copy = || {
            let size = from.symlink_metadata().ok().filter(|it| it.is_file());
            let Some(rest) = size.and_then(|it| left.checked_sub(it.len())) else {
                return Ok(());
            };
            left = rest;
            std::fs::create_dir_all(&folder)?;
            std::fs::copy(&from, folder.join(number.to_string())).map(drop)
        };
        copy().map_err(|source| folder_error("write to", &folder, source))?;
    }
    Ok(())
}

/// The files in the upper folder of an overlay. A deleted file is a device there.
fn changed_files(upper: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![upper.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if let Ok(relative) = path.strip_prefix(upper) {
                files.push(relative.to_owned());
            }
        }
    }
    files.sort();
    files
}
