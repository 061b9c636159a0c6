//! The helper and its child: process 1 of the sandbox, which starts the command and waits for it.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, set_parent_process_death_signal, setsid, wait, waitpid,
};

use super::{Event, SandboxSpec, TERMINATE, confine, mounts, namespaces, send};
use crate::record::Layers;

/// How often process 1 collects orphans that have ended.
const REAP_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Enters the namespaces, and waits for process 1 inside. Returns the exit code of the helper.
pub(super) fn run(spec: &SandboxSpec, mut socket: UnixStream) -> i32 {
    let mut layers = Layers::default();
    namespaces::enter(spec.network, &mut layers);
    // If Fixpoint ends, the helper ends, and with it everything inside.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    match fork() {
        Ok(None) => {
            let _ = set_parent_process_death_signal(Some(Signal::KILL));
            match supervise(spec, &mut socket, layers) {
                Ok(()) => 0,
                Err(error) => {
                    let _ = send(&mut socket, &Event::Failed(error.to_string()));
                    1
                }
            }
        }
        Ok(Some(child)) => {
            drop(socket);
            loop {
                match waitpid(Some(child), WaitOptions::empty()) {
                    Err(rustix::io::Errno::INTR) => {}
                    Ok(Some((_, status))) => return status.exit_status().unwrap_or(1),
                    Ok(None) | Err(_) => return 1,
                }
            }
        }
        Err(error) => {
            let _ = send(&mut socket, &Event::Failed(format!("cannot fork: {error}")));
            1
        }
    }
}

/// Process 1: builds the mounts, starts the command and reports its result.
fn supervise(spec: &SandboxSpec, socket: &mut UnixStream, mut layers: Layers) -> io::Result<()> {
    let has = |layers: &Layers, name: &str| layers.active.iter().any(|active| active == name);
    let owns_processes = has(&layers, "pid");
    if !owns_processes {
        set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    if has(&layers, "network")
        && let Err(error) = namespaces::start_loopback()
    {
        layers
            .refused
            .insert("loopback".to_owned(), error.to_string());
    }
    // Opened here, because the mounts hide the folder.
    let disk = std::fs::File::open(&spec.temp.upper)?;
    let mut place = Place::outside(spec);
    if has(&layers, "mount") {
        match mounts::prepare(spec) {
            Ok(mounts) => {
                place = Place::inside(spec, mounts.home_refused.is_none());
                if let Some(reason) = &mounts.home_refused {
                    layers.refused.insert("home".to_owned(), reason.clone());
                }
                mounts.attach()?;
                if owns_processes && let Err(error) = mounts::process_folder() {
                    layers.refused.insert("proc".to_owned(), error.to_string());
                }
            }
            Err(error) => namespaces::refuse(&mut layers, "mount", &error),
        }
    }
    if spec.require_all_layers
        && let Some((name, reason)) = layers.refused.first_key_value()
    {
        return Err(incomplete(name, reason));
    }
    let (mut reader, writer) = io::pipe()?;
    let command = match fork()? {
        None => {
            drop(reader);
            start(spec, &place, writer)
        }
        Some(command) => command,
    };
    drop(writer);
    // The pipe ends when the program starts, or when starting it failed.
    let mut report = String::new();
    reader.read_to_string(&mut report)?;
    let mut lines = report.lines();
    match lines.next() {
        Some("") => layers.active.push("landlock".to_owned()),
        reason => namespaces::refuse(&mut layers, "landlock", &reason.unwrap_or("no report")),
    }
    if let Some(error) = lines.next() {
        return Err(io::Error::other(error.to_owned()));
    }
    send(socket, &Event::Started(layers))?;
    let is_full = || free_space(&disk).is_ok_and(|free| free < spec.min_free_space);
    let result = watch(socket, command, is_full);
    if !owns_processes {
        end_descendants();
    }
    let ended = result?;
    if ended.is_none() && is_full() {
        send(socket, &Event::DiskFull)?;
    } else if let Some(status) = ended {
        send(
            socket,
            &Event::Ended {
                code: status.exit_status(),
                signal: status.terminating_signal(),
            },
        )?;
    }
    Ok(())
}

/// Waits until the command ends. Returns `None` if the socket closed first, or the disk is full.
fn watch(
    socket: &mut UnixStream,
    command: Pid,
    is_full: impl Fn() -> bool,
) -> io::Result<Option<WaitStatus>> {
    let handle: OwnedFd = pidfd_open(command, PidfdFlags::empty())?;
    loop {
        let mut files = [
            PollFd::new(&handle, PollFlags::IN),
            PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN),
        ];
        match poll(&mut files, Some(&REAP_INTERVAL)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let is_message = !files[1].revents().is_empty();
        if is_full() {
            return Ok(None);
        }
        while let Ok(Some((ended, status))) = wait(WaitOptions::NOHANG) {
            if ended == command {
                return Ok(Some(status));
            }
        }
        if is_message {
            let mut byte = [0];
            match socket.read(&mut byte) {
                Ok(1) if byte[0] == TERMINATE => {
                    let _ = kill_process_group(command, Signal::TERM);
                }
                Ok(_) | Err(_) => return Ok(None),
            }
        }
    }
}

/// The bytes that an ordinary user can still write to the disk of a file.
pub(crate) fn free_space(file: &impl AsFd) -> io::Result<u64> {
    let disk = rustix::fs::fstatvfs(file)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Where the command runs, and which folders it may write.
struct Place {
    cwd: PathBuf,
    temp: PathBuf,
    writable: Vec<PathBuf>,
}

impl Place {
    fn inside(spec: &SandboxSpec, home_is_writable: bool) -> Self {
        let home = spec
            .home
            .iter()
            .filter(|_| home_is_writable && spec.home_overlay.is_some());
        let temp = PathBuf::from("/tmp");
        let fixed = [spec.tree_at.clone(), temp.clone(), PathBuf::from("/dev")];
        Self {
            cwd: spec.cwd.clone(),
            temp,
            writable: fixed
                .into_iter()
                .chain(spec.writable.iter().chain(home).cloned())
                .collect(),
        }
    }

    /// Without mounts the command runs in the folder of the tree itself.
    fn outside(spec: &SandboxSpec) -> Self {
        let cwd = match spec.cwd.strip_prefix(&spec.tree_at) {
            Ok(inside) => spec.tree_lower.join(inside),
            Err(_) => spec.tree_lower.clone(),
        };
        let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];
        let fixed = [spec.tree_lower.clone(), spec.temp.upper.clone()];
        Self {
            cwd,
            temp: spec.temp.upper.clone(),
            writable: fixed
                .into_iter()
                .chain(spec.writable.iter().cloned())
                .chain(devices.map(PathBuf::from))
                .collect(),
        }
    }
}

/// Becomes the command. Writes one line about Landlock to the pipe, which is empty if it is active, and
/// a second line if the program cannot start.
#[allow(clippy::exit, reason = "this is the process of the command")]
fn start(spec: &SandboxSpec, place: &Place, mut report: io::PipeWriter) -> ! {
    let landlock = confine::restrict_files(&place.writable)
        .err()
        .unwrap_or_default();
    let _ = writeln!(report, "{}", landlock.replace('\n', " "));
    let error = if spec.require_all_layers && !landlock.is_empty() {
        incomplete("landlock", &landlock)
    } else {
        match become_command(spec, place) {
            Ok(never) => match never {},
            Err(error) => error,
        }
    };
    let program = spec.argv.first().map_or("", String::as_str);
    let _ = writeln!(report, "cannot start {program}: {error}");
    drop(report);
    std::process::exit(127)
}

fn incomplete(layer: &str, reason: &str) -> io::Error {
    io::Error::other(format!(
        "the kernel refuses the sandbox layer `{layer}`: {reason}"
    ))
}

fn become_command(spec: &SandboxSpec, place: &Place) -> io::Result<std::convert::Infallible> {
    let (program, arguments) = spec
        .argv
        .split_first()
        .ok_or_else(|| io::Error::other("the command is empty"))?;
    setsid()?;
    confine::limit_resources()?;
    confine::drop_capabilities()?;
    Err(std::process::Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(&spec.environment)
        .env("TMPDIR", &place.temp)
        .current_dir(&place.cwd)
        .exec())
}

/// Ends all descendants where there is no pid namespace. Orphans become children of this process, so
/// that ending children until there are none reaches every descendant.
fn end_descendants() {
    let own = std::process::id();
    loop {
        let children =
            std::fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
        for child in children.split_whitespace() {
            if let Some(child) = child.parse().ok().and_then(Pid::from_raw) {
                let _ = kill_process(child, Signal::KILL);
            }
        }
        match wait(WaitOptions::empty()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

#[allow(unsafe_code, reason = "the system call has no safe wrapper")]
fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the helper has one thread, so that the child may use all of the process's state.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        child => Ok(Pid::from_raw(child)),
    }
}
