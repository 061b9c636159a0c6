//! Rights that the command gives up before it starts: Landlock, capabilities and core files.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};

/// The newest version of Landlock whose rights are used. An older kernel enforces fewer.
const VERSION: ABI = ABI::V6;

/// The number of processes and threads of one command. A fork bomb ends there.
const MAX_PROCESSES: u64 = 16_384;

/// The size of one file that a command writes, in bytes. Build outputs are smaller; a loop that fills
/// the disk ends there.
const MAX_WRITTEN_FILE: u64 = 16 << 30;

/// Allows reading everywhere, and writing below the folders only. Signals and abstract sockets reach
/// only processes of the command.
pub(super) fn restrict_files(writable: &[PathBuf]) -> Result<(), String> {
    match landlock(writable) {
        Ok(RulesetStatus::NotEnforced) => Err("the kernel has no Landlock".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn landlock(writable: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    let read = AccessFs::from_read(VERSION);
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules([Path::new("/")], read))?
        .add_rules(path_beneath_rules(writable, AccessFs::from_all(VERSION)))?
        .restrict_self()?;
    Ok(status.ruleset)
}

/// Gives up all capabilities, now and for programs that start later.
pub(super) fn drop_capabilities() -> io::Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    // The set of known capabilities ends where the kernel rejects a number.
    for number in 0..64 {
        let Some(capability) = CapabilitySet::from_bits(1 << number) else {
            break;
        };
        match rustix::thread::remove_capability_from_bounding_set(capability) {
            Ok(()) => {}
            Err(rustix::io::Errno::INVAL) => break,
            // Without a user namespace an ordinary user has no capability to give up.
            Err(rustix::io::Errno::PERM) => break,
            Err(error) => return Err(error.into()),
        }
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(rustix::thread::set_capabilities(None, none)?)
}

/// Limits core files, because a crash must not start the handler of the machine, processes, and
/// the size of a file. The kernel does not limit the processes of root.
pub(super) fn limit_resources() -> io::Result<()> {
    let limits = [
        (Resource::Core, 0),
        (Resource::Nproc, MAX_PROCESSES),
        (Resource::Fsize, MAX_WRITTEN_FILE),
    ];
    for (resource, limit) in limits {
        let old = getrlimit(resource);
        let lower = |old: Option<u64>| Some(old.map_or(limit, |old| old.min(limit)));
        let new = Rlimit {
            current: lower(old.current),
            maximum: lower(old.maximum),
        };
        setrlimit(resource, new)?;
    }
    Ok(())
}
