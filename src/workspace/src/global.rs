//! Detects whether the user has global ignore rules for git, besides those of the repository.
//!
//! The crate `ignore` finds such rules, but compiles a regular expression first. That takes longer
//! than everything else in a small run, and few users have such rules. So the crate is called only
//! if there may be some.

use std::env::{home_dir, var_os};
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::read::read_file;

const MAX_CONFIGURATION_SIZE: u64 = 1024 * 1024;

/// Returns false only if no git configuration names a file of ignore rules and there is none at the
/// default path.
pub(crate) fn may_have_global_ignores() -> bool {
    let home = home_dir();
    let below_home = |name: &str| home.as_ref().map(|home| home.join(name));
    let config = path_in("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
    let below_config = |name: &str| config.as_ref().map(|config| config.join(name));
    let system = path_in("GIT_CONFIG_SYSTEM").unwrap_or_else(|| PathBuf::from("/etc/gitconfig"));
    let configurations = [
        path_in("GIT_CONFIG_GLOBAL"),
        below_home(".gitconfig"),
        below_config("git/config"),
        Some(system),
    ];
    configurations.iter().flatten().any(|it| names_ignores(it))
        || below_config("git/ignore").is_some_and(|it| it.exists())
}

fn path_in(variable: &str) -> Option<PathBuf> {
    let path = var_os(variable).map(PathBuf::from);
    path.filter(|path| !path.as_os_str().is_empty())
}

fn names_ignores(configuration: &Path) -> bool {
    read_file(configuration, MAX_CONFIGURATION_SIZE)
        .is_ok_and(|text| memmem::find(&text.to_ascii_lowercase(), b"excludesfile").is_some())
}
