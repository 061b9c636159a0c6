//! The mounts of the sandbox.
//!
//! All mounts are created detached, before any path changes, because the private `/tmp` may hide the
//! folders that they are made from. Then everything visible becomes read-only, and the new mounts are
//! attached.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
    fsconfig_set_flag, fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};

use super::{OverlayFolders, SandboxSpec};

/// Devices of the private `/dev`.
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

/// Parts of `/run` that toolchains and name resolution need. Everything else there is hidden, because
/// a socket in `/run` can ask a service outside to act.
const RUN: [&str; 5] = [
    "current-system",
    "booted-system",
    "systemd/resolve",
    "NetworkManager/resolv.conf",
    "resolvconf",
];

/// A mount, or a link, and where it will appear.
enum Place {
    Mount(OwnedFd, PathBuf),
    Link(PathBuf, PathBuf),
}

/// Mounts that are not attached yet.
pub(super) struct Mounts {
    places: Vec<Place>,
    hidden: Vec<(PathBuf, bool)>,
    tree: OwnedFd,
    tree_at: PathBuf,
    writable: Vec<(OwnedFd, PathBuf)>,
    /// Why the home is read-only, if it is.
    pub(super) home_refused: Option<String>,
}

/// Creates all mounts. An error leaves every path as it was.
pub(super) fn prepare(spec: &SandboxSpec) -> io::Result<Mounts> {
    let tree = match &spec.tree_overlay {
        Some(folders) => overlay(&spec.tree_lower, folders)?,
        None => clone(&spec.tree_lower)?,
    };
    let mut places = vec![
        Place::Mount(temporary(&spec.temp)?, PathBuf::from("/tmp")),
        Place::Mount(tmpfs("0755")?, PathBuf::from("/run")),
        Place::Mount(tmpfs("0755")?, PathBuf::from("/dev")),
    ];
    for name in DEVICES {
        let path = Path::new("/dev").join(name);
        if let Ok(device) = clone(&path) {
            places.push(Place::Mount(device, path));
        }
    }
    for (link, to) in [
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
        ("/dev/ptmx", "pts/ptmx"),
    ] {
        places.push(Place::Link(link.into(), to.into()));
    }
    if let Ok(terminals) = devpts() {
        places.push(Place::Mount(terminals, "/dev/pts".into()));
    }
    for name in RUN {
        let path = Path::new("/run").join(name);
        if let Ok(to) = std::fs::read_link(&path) {
            places.push(Place::Link(path, to));
        } else if let Ok(part) = clone(&path) {
            places.push(Place::Mount(part, path));
        }
    }
    let mut home_refused = None;
    if let (Some(home), Some(folders)) = (&spec.home, &spec.home_overlay)
        && home.parent().is_some()
        && home.is_dir()
    {
        match overlay(home, folders).or_else(|_| overlay_in_memory(home)) {
            Ok(mount) => places.push(Place::Mount(mount, home.clone())),
            Err(error) => home_refused = Some(error.to_string()),
        }
    }
    let hidden = spec
        .hidden
        .iter()
        .filter_map(|path| Some((path.clone(), path.symlink_metadata().ok()?.is_dir())))
        .collect();
    let writable = spec
        .writable
        .iter()
        .map(|path| Ok((clone(path)?, path.clone())))
        .collect::<io::Result<_>>()?;
    Ok(Mounts {
        places,
        hidden,
        tree,
        tree_at: spec.tree_at.clone(),
        writable,
        home_refused,
    })
}

impl Mounts {
    /// Makes everything visible read-only, and attaches the mounts.
    pub(super) fn attach(self) -> io::Result<()> {
        set_read_only(Path::new("/"), true)?;
        for place in &self.places {
            match place {
                Place::Mount(mount, at) => attach(mount, at)?,
                Place::Link(link, to) => {
                    if let Some(parent) = link.parent() {
                        std::fs::create_dir_all(parent)?;
                    }
                    std::os::unix::fs::symlink(to, link)?;
                }
            }
        }
        shared_memory()?;
        self.hide()?;
        attach(&self.tree, &self.tree_at)?;
        for (mount, at) in &self.writable {
            attach(mount, at)?;
        }
        Ok(())
    }

    /// Puts an empty file or folder over each hidden path.
    fn hide(&self) -> io::Result<()> {
        if self.hidden.is_empty() {
            return Ok(());
        }
        // The cover is built in the private `/run`, because it needs a path.
        let cover = Path::new("/run/.fixpoint");
        attach(&tmpfs("0755")?, cover)?;
        std::fs::create_dir(cover.join("folder"))?;
        std::fs::write(cover.join("file"), "")?;
        set_read_only(cover, false)?;
        for (path, is_folder) in &self.hidden {
            let name = if *is_folder { "folder" } else { "file" };
            // A path below `/tmp` or `/run` is already hidden.
            if path.symlink_metadata().is_ok() {
                attach(&clone(&cover.join(name))?, path)?;
            }
        }
        Ok(())
    }
}

/// A fresh `/proc` of the new pid namespace. It is read-only: for root, some files in it change the
/// whole machine.
pub(super) fn process_folder() -> io::Result<()> {
    let system = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_create(system.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let mount = fsmount(system.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?;
    attach(&mount, Path::new("/proc"))
}

fn shared_memory() -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let folder = "/dev/shm";
    std::fs::create_dir(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o1777))
}

/// Attaches a mount, and creates its mount point if the parent is writable.
fn attach(mount: &OwnedFd, at: &Path) -> io::Result<()> {
    if at.symlink_metadata().is_err() {
        let is_folder = rustix::fs::fstat(mount)
            .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir());
        if is_folder {
            std::fs::create_dir_all(at)
        } else {
            at.parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(at, ""))
        }
        .map_err(|error| describe("create the mount point", at, &error))?;
    }
    move_mount(
        mount.as_fd(),
        "",
        CWD,
        at,
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_SYMLINKS,
    )
    .map_err(|error| describe("mount", at, &error.into()))
}

/// A private view of `/tmp`. Programs and files there can be used, but a socket there cannot, because
/// an overlay does not connect to the sockets of its lower folder.
fn temporary(folders: &OverlayFolders) -> io::Result<OwnedFd> {
    // The folders may be below `/tmp` themselves, which the kernel rejects.
    overlay(Path::new("/tmp"), folders).or_else(|_| clone(&folders.upper))
}

/// A second view of a folder or a file, without the mounts inside it.
fn clone(path: &Path) -> io::Result<OwnedFd> {
    open_tree(
        CWD,
        path,
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC,
    )
    .map_err(|error| describe("clone the mount of", path, &error.into()))
}

fn attributes() -> MountAttrFlags {
    MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV
}

fn tmpfs(mode: &str) -> io::Result<OwnedFd> {
    let system = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(system.as_fd(), "mode", mode)?;
    fsconfig_create(system.as_fd())?;
    Ok(fsmount(
        system.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        attributes(),
    )?)
}

fn devpts() -> io::Result<OwnedFd> {
    let system = fsopen("devpts", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(system.as_fd(), "ptmxmode", "0666")?;
    fsconfig_set_string(system.as_fd(), "mode", "0620")?;
    fsconfig_create(system.as_fd())?;
    Ok(fsmount(
        system.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        MountAttrFlags::MOUNT_ATTR_NOSUID,
    )?)
}

/// An overlay that keeps `lower` unchanged.
fn overlay(lower: &Path, folders: &OverlayFolders) -> io::Result<OwnedFd> {
    let open = |path: &Path| {
        rustix::fs::open(
            path,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .map_err(|error| describe("open", path, &error.into()))
    };
    overlay_of(&open(lower)?, &open(&folders.upper)?, &open(&folders.work)?)
        .map_err(|error| describe("create an overlay of", lower, &error))
}

/// An overlay whose changes are kept in memory. The upper folder on disk may be inside the lower one,
/// which the kernel rejects.
fn overlay_in_memory(lower: &Path) -> io::Result<OwnedFd> {
    let memory = tmpfs("0755")?;
    let folder = |name: &str| {
        rustix::fs::mkdirat(&memory, name, Mode::from_raw_mode(0o755))?;
        rustix::fs::openat(
            &memory,
            name,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
    };
    let lower = rustix::fs::open(
        lower,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    overlay_of(&lower, &folder("upper")?, &folder("work")?)
}

fn overlay_of(lower: &OwnedFd, upper: &OwnedFd, work: &OwnedFd) -> io::Result<OwnedFd> {
    // A value has at most 255 bytes, and a colon in it separates paths. A link to the open folder is
    // always short.
    let link = |folder: &OwnedFd| format!("/proc/self/fd/{}", folder.as_raw_fd());
    let system = fsopen("overlay", FsOpenFlags::FSOPEN_CLOEXEC)?;
    fsconfig_set_string(system.as_fd(), "lowerdir", link(lower))?;
    fsconfig_set_string(system.as_fd(), "upperdir", link(upper))?;
    fsconfig_set_string(system.as_fd(), "workdir", link(work))?;
    fsconfig_set_flag(system.as_fd(), "userxattr")?;
    // The changes are thrown away, so that they need not reach the disk.
    fsconfig_set_flag(system.as_fd(), "volatile")?;
    fsconfig_create(system.as_fd())?;
    Ok(fsmount(
        system.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        attributes(),
    )?)
}

/// Makes mounts read-only and private, without devices and without programs that change the user.
#[allow(unsafe_code, reason = "the system call has no safe wrapper")]
fn set_read_only(path: &Path, recursive: bool) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let path_text = CString::new(path.as_os_str().as_bytes())?;
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: 0,
    };
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path ends with a zero byte, the structure is complete, and the size is its own.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path_text.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 {
        Ok(())
    } else {
        let error = io::Error::last_os_error();
        Err(describe("make read-only", path, &error))
    }
}

fn describe(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot {action} {}: {error}", path.display()),
    )
}
