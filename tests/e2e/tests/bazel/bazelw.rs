//! Tests `./bazelw`: which Bazel it selects, and its message if there is none. No test downloads
//! anything.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use fixpoint_e2e::{Outcome, repository, run};
use tempfile::TempDir;

/// The environment of `bazelw`: the programs on its PATH, and an empty cache folder.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// Has the usual shell tools, but neither Bazel nor apt.
    fn plain() -> Self {
        let machine = Self {
            folder: TempDir::new().expect("a folder"),
        };
        fs::create_dir(machine.programs()).expect("a folder");
        for tool in [
            "bash", "cat", "cksum", "cut", "dirname", "env", "flock", "mkdir", "sh", "tar", "uname",
        ] {
            let real = ["/bin", "/usr/bin"]
                .map(|folder| Path::new(folder).join(tool))
                .into_iter()
                .find(|path| path.exists())
                .unwrap_or_else(|| panic!("{tool} is not on this machine"));
            symlink(real, machine.programs().join(tool)).expect("a link");
        }
        machine
    }

    fn programs(&self) -> PathBuf {
        self.folder.path().join("programs")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn with(self, program: &str, text: &str) -> Self {
        let path = self.programs().join(program);
        let _ = fs::remove_file(&path);
        fs::write(&path, text).expect("a program");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        self
    }

    fn with_bazel(self, name: &str, version: &str) -> Self {
        let text = format!(
            "#!/bin/sh\n[ \"$1\" != --version ] || {{ echo 'bazel {version}'; exit; }}\n\
             echo \"{name} for ${{USE_BAZEL_VERSION:-any}}:\"; printf '<%s>' \"$@\"; exit 7\n"
        );
        self.with(name, &text)
    }

    fn bazelw(&self, arguments: &[&str]) -> Outcome {
        run(Command::new(repository().join("bazelw"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", self.programs())
            .env("XDG_CACHE_HOME", self.cache()))
    }
}

fn version() -> String {
    let version = fs::read_to_string(repository().join(".bazelversion")).expect(".bazelversion");
    version.trim().to_owned()
}

#[test]
fn a_bazel_of_the_right_version_is_used() {
    let machine = Machine::plain().with_bazel("bazel", &version());
    let outcome = machine
        .bazelw(&["build", "--config=fix", "//a b:*"])
        .exits(7);
    assert_eq!(
        outcome.stdout,
        format!("bazel for {}:\n<build><--config=fix><//a b:*>", version())
    );
    assert!(!machine.cache().exists(), "nothing was installed");
}

#[test]
fn bazelisk_is_preferred_and_gets_the_version() {
    let machine = Machine::plain()
        .with_bazel("bazel", &version())
        .with_bazel("bazelisk", "whatever");
    machine
        .bazelw(&["test", "//..."])
        .exits(7)
        .says(&format!("bazelisk for {}:\n<test><//...>", version()));
}

#[test]
fn a_bazel_of_another_version_is_not_used() {
    let machine = Machine::plain().with_bazel("bazel", "6.0.0");
    machine
        .bazelw(&["build"])
        .exits(3)
        .does_not_say("<build>")
        .says(&format!("no bazelisk and no bazel {} on PATH", version()));
}

#[test]
fn without_apt_the_message_says_what_to_install() {
    let machine = Machine::plain().with("uname", "#!/bin/sh\necho Linux x86_64\n");
    machine
        .bazelw(&["build"])
        .exits(3)
        .says("that needs a Debian-family machine, and apt-get is not here")
        .says(&format!("install Bazel {} or bazelisk", version()));
    assert!(!machine.cache().exists(), "nothing was written");
}

#[test]
fn on_another_system_the_message_says_what_to_install() {
    let machine = Machine::plain().with("uname", "#!/bin/sh\necho Darwin arm64\n");
    machine
        .bazelw(&["build"])
        .exits(3)
        .says("cannot install Bazel by itself on Darwin arm64")
        .says(&format!("install Bazel {} or bazelisk", version()));
}

#[test]
fn an_unreachable_mirror_is_reported_and_leaves_no_partial_install() {
    if !Path::new("/usr/bin/apt-get").exists() {
        println!("SKIPPED: this machine has no apt");
        return;
    }
    let machine = Machine::plain();
    let sources = machine.folder.path().join("sources.list");
    fs::write(
        &sources,
        "deb [trusted=yes] file:///no/such/mirror stable main\n",
    )
    .expect("sources");
    let settings = machine.folder.path().join("apt.conf");
    let text = format!(
        "Dir::Etc::sourcelist \"{}\";\nDir::Etc::sourceparts \"/none\";\n",
        sources.display()
    );
    fs::write(&settings, text).expect("settings");
    run(Command::new(repository().join("bazelw"))
        .arg("--version")
        .env("FIXPOINT_PRIVATE_BAZEL", "1")
        .env("APT_CONFIG", &settings)
        .env("XDG_CACHE_HOME", machine.cache()))
    .exits(3)
    .says("/no/such/mirror")
    .says("none of apt's mirrors gave the packages")
    .says("or bazelisk");
    let left: Vec<_> = fs::read_dir(machine.cache().join("fixpoint"))
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter(|name| !name.ends_with(".lock") && !name.ends_with(".download"))
        .collect();
    assert_eq!(left, [""; 0]);
}
