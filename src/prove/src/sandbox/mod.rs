//! Runs a command in namespaces of its own, so that it cannot change or outlive anything outside.
//!
//! The program starts itself again with a hidden argument, as a helper with one thread. The helper
//! reads a [`SandboxSpec`] from a socket at its standard input, enters new namespaces and forks. The
//! child, process 1 of the new pid namespace, builds the mounts and starts the command. When the
//! command ends, process 1 ends, and the kernel ends every descendant. If Fixpoint itself is
//! killed, the socket closes, and process 1 ends as well.
//!
//! Everything outside is read-only. The tree appears at the path of the user's own repository, as an
//! overlay whose changes go to a private folder. The home folder is an overlay too, with credentials
//! hidden. `/tmp`, `/run` and `/dev` are private. Where the kernel refuses a layer, the command runs
//! with fewer layers, and [`Layers`] says which.

mod confine;
mod init;
mod mounts;
mod namespaces;

pub(crate) use init::free_space;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::Layers;

/// The only argument of the helper.
pub const HELPER_ARGUMENT: &str = "__fixpoint-sandbox";

/// The byte that asks the helper to send SIGTERM to the command.
pub(crate) const TERMINATE: u8 = b'T';

/// No specification or event is larger.
const MAX_MESSAGE: u32 = 16 << 20;

/// Files and folders of the home that hold credentials.
pub const CREDENTIALS: [&str; 34] = [
    ".aws",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/fixpoint/credentials",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/glab-cli",
    ".config/hub",
    ".config/op",
    ".config/pip/pip.conf",
    ".config/rclone",
    ".config/sops",
    ".docker/config.json",
    ".docker/run",
    ".gem/credentials",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".m2/settings.xml",
    ".mozilla",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".ssh",
    ".terraform.d",
    ".vault-token",
    ".yarnrc.yml",
    ".zsh_history",
];

/// What to run, and what it may see and change. All paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxSpec {
    /// The program by absolute path, or relative to `cwd`, and its arguments.
    pub argv: Vec<String>,
    /// The working folder, inside `tree_at`.
    pub cwd: PathBuf,
    /// The folder with the files of the tree. An overlay does not change it.
    pub tree_lower: PathBuf,
    /// Where the tree appears to the command.
    pub tree_at: PathBuf,
    /// Where changes of the tree go. Without it the command changes `tree_lower` itself.
    pub tree_overlay: Option<OverlayFolders>,
    /// Where changes of `/tmp` go.
    pub temp: OverlayFolders,
    /// The file that the command reads as standard input; empty without it.
    pub stdin: Option<PathBuf>,
    /// Other folders that the command may write, at their own paths.
    pub writable: Vec<PathBuf>,
    pub home: Option<PathBuf>,
    /// Where changes of the home go. Without it the home is read-only.
    pub home_overlay: Option<OverlayFolders>,
    /// Files and folders that appear empty.
    pub hidden: Vec<PathBuf>,
    /// The whole environment of the command.
    pub environment: BTreeMap<String, String>,
    /// Whether the command may use the network. Without it only the loopback interface works.
    pub network: bool,
    /// Whether to run nothing if the kernel refuses a layer.
    pub require_all_layers: bool,
    /// The command ends when the disk with its changes has fewer free bytes.
    pub min_free_space: u64,
}

/// Two empty folders of one file system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlayFolders {
    /// Receives changed files.
    pub upper: PathBuf,
    /// Used by the kernel only.
    pub work: PathBuf,
}

/// What the helper reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    Started(Layers),
    /// Nothing ran.
    Failed(String),
    /// The command was ended, because it left too little space on the disk.
    DiskFull,
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
    },
}

/// Runs as the helper if the program was started as one. The program must call this first in `main`,
/// before it starts a thread. It does not return in the helper.
pub fn enter_if_requested() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|first| first == HELPER_ARGUMENT)
        && arguments.next().is_none()
    {
        serve();
    }
}

/// Reads the specification from standard input, and runs the command. Ends the process.
#[allow(clippy::exit, reason = "the helper is a process of its own")]
fn serve() -> ! {
    let code = match take_socket() {
        Ok(mut socket) => match receive::<SandboxSpec>(&mut socket) {
            Ok(spec) => match spec.stdin.as_deref().map_or(Ok(()), read_from) {
                Ok(()) => init::run(&spec, socket),
                Err(_) => 125,
            },
            Err(_) => 125,
        },
        Err(_) => 125,
    };
    std::process::exit(code)
}

/// Takes the socket from standard input, and closes every other inherited file.
fn take_socket() -> io::Result<UnixStream> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    namespaces::close_inherited_files()?;
    let null: OwnedFd = std::fs::File::open("/dev/null")?.into();
    rustix::stdio::dup2_stdin(&null)?;
    Ok(UnixStream::from(socket))
}

/// Makes a file the standard input of the command.
fn read_from(path: &Path) -> io::Result<()> {
    let file: OwnedFd = std::fs::File::open(path)?.into();
    Ok(rustix::stdio::dup2_stdin(&file)?)
}

/// Sends a message: `u32` length in native byte order, then JSON.
pub(crate) fn send<T: Serialize>(socket: &mut UnixStream, message: &T) -> io::Result<()> {
    let json = serde_json::to_vec(message)?;
    let length = u32::try_from(json.len()).map_err(io::Error::other)?;
    let mut bytes = length.to_ne_bytes().to_vec();
    bytes.extend_from_slice(&json);
    socket.write_all(&bytes)
}

/// Receives what [`send`] sent.
pub(crate) fn receive<T: for<'a> Deserialize<'a>>(socket: &mut UnixStream) -> io::Result<T> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u32::from_ne_bytes(length);
    if length > MAX_MESSAGE {
        return Err(io::Error::other("the message is too long"));
    }
    let mut json = Vec::new();
    socket.take(length.into()).read_to_end(&mut json)?;
    Ok(serde_json::from_slice(&json)?)
}

/// The credentials of a home folder, and of the tool folders that the environment names, that exist.
pub fn credentials(home: &Path, cargo_home: Option<&Path>) -> Vec<PathBuf> {
    let in_cargo = cargo_home
        .into_iter()
        .flat_map(|folder| ["credentials", "credentials.toml"].map(|name| folder.join(name)));
    let mut paths: Vec<PathBuf> = CREDENTIALS
        .iter()
        .map(|name| home.join(name))
        .chain(in_cargo)
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    paths.sort();
    paths.dedup();
    paths
}
