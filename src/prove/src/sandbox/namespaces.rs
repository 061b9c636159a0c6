//! New namespaces: user, mount, pid, network, ipc and uts.

use std::io;

use rustix::thread::UnshareFlags;

use crate::record::Layers;

/// Enters new namespaces. A namespace that the kernel refuses is recorded, and the others are kept.
pub(super) fn enter(network: bool, layers: &mut Layers) {
    let uid = rustix::process::getuid().as_raw();
    let gid = rustix::process::getgid().as_raw();
    let mut wanted = vec![
        ("user", UnshareFlags::NEWUSER),
        (
            "mount",
            UnshareFlags::NEWNS | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS,
        ),
        ("pid", UnshareFlags::NEWPID),
    ];
    if !network {
        wanted.push(("network", UnshareFlags::NEWNET));
    }
    let all = wanted
        .iter()
        .fold(UnshareFlags::empty(), |all, &(_, flags)| all | flags);
    if unshare(all).is_ok() {
        if let Err(error) = map_identity(uid, gid) {
            refuse(layers, "user", &error);
            wanted.remove(0);
        }
        layers
            .active
            .extend(wanted.iter().map(|&(name, _)| name.to_owned()));
        return;
    }
    for (name, flags) in wanted {
        let entered = unshare(flags).and_then(|()| match name {
            "user" => map_identity(uid, gid),
            _ => Ok(()),
        });
        match entered {
            Ok(()) => layers.active.push(name.to_owned()),
            Err(error) => refuse(layers, name, &error),
        }
    }
}

pub(super) fn refuse(layers: &mut Layers, name: &str, reason: &impl ToString) {
    layers.active.retain(|active| active != name);
    layers.refused.insert(name.to_owned(), reason.to_string());
}

#[allow(unsafe_code, reason = "the system call has no safe wrapper")]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: the helper has one thread, and `flags` does not contain `FILES`.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags) }?)
}

/// Keeps the user and the group, so that files have the same owner inside.
fn map_identity(uid: u32, gid: u32) -> io::Result<()> {
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))
}

/// Starts the loopback interface of a new network namespace. Tests use it.
#[allow(unsafe_code, reason = "the request has no safe wrapper")]
pub(super) fn start_loopback() -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let socket = rustix::net::socket(
        rustix::net::AddressFamily::INET,
        rustix::net::SocketType::DGRAM,
        None,
    )?;
    // SAFETY: a structure of integers, an array and a union of integers may be all zeros.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = from.cast_signed();
    }
    request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
    // SAFETY: the socket is open, and the request is a complete `ifreq` that outlives the call.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Marks all files except standard input, output and error to be closed when a program starts.
#[allow(unsafe_code, reason = "the system call has no safe wrapper")]
pub(super) fn close_inherited_files() -> io::Result<()> {
    // SAFETY: the call only sets the flag `CLOEXEC` of files.
    let result = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3_u32,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
