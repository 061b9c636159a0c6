//! The environment of commands: an allowlist, without secrets.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::command::search_path;
use crate::redact::Redactor;

/// Variables that are passed on. Variables that start with `LC_` are passed on too.
const ALLOWED: [&str; 46] = [
    "ANDROID_HOME",
    "BAZELISK_HOME",
    "CARGO_HOME",
    "CC",
    "CURL_CA_BUNDLE",
    "CXX",
    "DOTNET_ROOT",
    "GOCACHE",
    "GOFLAGS",
    "GOMODCACHE",
    "GOPATH",
    "GOPROXY",
    "GOROOT",
    "GOTOOLCHAIN",
    "GRADLE_USER_HOME",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "M2_HOME",
    "MAVEN_HOME",
    "NODE_EXTRA_CA_CERTS",
    "NODE_PATH",
    "NVM_BIN",
    "NVM_DIR",
    "PATH",
    "PNPM_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONPATH",
    "RBENV_ROOT",
    "REQUESTS_CA_BUNDLE",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// The variables that commands may see. A variable whose value contains a secret is removed.
pub fn allowed(
    variables: impl Iterator<Item = (String, String)>,
    secrets: &[String],
    redactor: &Redactor,
) -> BTreeMap<String, String> {
    let mut allowed: BTreeMap<String, String> = variables
        .filter(|(name, _)| ALLOWED.contains(&name.as_str()) || name.starts_with("LC_"))
        .collect();
    allowed.insert("CI".to_owned(), "true".to_owned());
    allowed.insert("TERM".to_owned(), "dumb".to_owned());
    allowed.insert("TMPDIR".to_owned(), "/tmp".to_owned());
    allowed.retain(|name, value| !secrets.contains(name) && !redactor.finds(value.as_bytes()));
    allowed
}

/// The environment of one command. Search paths have no folder inside the trees.
pub(crate) fn of_command(
    base: &BTreeMap<String, String>,
    extra: &BTreeMap<String, String>,
    secrets: &[String],
    trees: &[&Path],
) -> BTreeMap<String, String> {
    let mut variables = base.clone();
    for (name, value) in extra {
        if !secrets.contains(name) {
            variables.insert(name.clone(), value.clone());
        }
    }
    for name in ["PATH", "PYTHONPATH", "NODE_PATH"] {
        if let Some(path) = variables.get_mut(name) {
            *path = search_path(path.as_ref(), trees)
                .into_string()
                .unwrap_or_default();
        }
    }
    variables
}

/// SHA-256 of `NAME=value` and a zero byte for each variable, sorted by name.
pub fn digest(variables: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for (name, value) in variables {
        hash.update(name.as_bytes());
        hash.update(b"=");
        hash.update(value.as_bytes());
        hash.update([0]);
    }
    hex(&hash.finalize())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
