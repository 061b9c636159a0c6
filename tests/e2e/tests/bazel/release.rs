//! What `scripts/release` makes of a binary: an archive, a wheel and their digests.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use fixpoint_e2e::{binary, repository, run};
use tempfile::TempDir;

/// The Rust target of this machine, and the name of its platform in a release.
pub fn host() -> (&'static str, &'static str) {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "aarch64") => ("aarch64-unknown-linux-gnu", "linux-arm64"),
        ("linux", "x86_64") => ("x86_64-unknown-linux-gnu", "linux-x86_64"),
        ("macos", "aarch64") => ("aarch64-apple-darwin", "macos-arm64"),
        ("macos", "x86_64") => ("x86_64-apple-darwin", "macos-x86_64"),
        other => panic!("releases have no {other:?}"),
    }
}

/// Writes the archive and the wheel of the binary under test to a folder.
pub fn package(folder: &Path) {
    run(Command::new("python3")
        .arg("-B")
        .arg(repository().join("scripts/package.py"))
        .arg(binary())
        .arg(host().0)
        .arg(folder))
    .succeeds();
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().expect("a name");
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

#[test]
fn the_same_binary_is_packaged_as_the_same_bytes() {
    let [first, second] = [(); 2].map(|()| TempDir::new().expect("a folder"));
    package(first.path());
    package(second.path());
    let files = contents(first.path());
    assert!(files == contents(second.path()), "the packages differ");
    assert_eq!(files.len(), 3, "{:?}", files.keys());
    run(Command::new("sha256sum")
        .args(["--check", "--strict"])
        .arg(format!("fixpoint-{}.sha256", host().1))
        .current_dir(first.path()))
    .succeeds()
    .says(".tar.gz: OK")
    .says(".whl: OK");
}

#[test]
fn the_archive_contains_the_binary_and_the_licenses() {
    let folder = TempDir::new().expect("a folder");
    package(folder.path());
    let name = format!("fixpoint-{}", host().1);
    run(Command::new("tar")
        .args(["-xzf", &format!("{name}.tar.gz")])
        .current_dir(folder.path()))
    .succeeds();
    let archive = folder.path().join(name);
    run(Command::new(archive.join("fixpoint")).arg("--version")).succeeds();
    assert_eq!(
        fs::read(archive.join("LICENSE")).expect("the license"),
        fs::read(repository().join("LICENSE")).expect("the license"),
    );
    let licenses = fs::read_to_string(archive.join("THIRD-PARTY-LICENSES")).expect("the licenses");
    let memchr = licenses.lines().find(|line| line.starts_with("memchr 2."));
    let memchr = memchr.expect("a direct dependency");
    assert!(memchr.ends_with(": Unlicense OR MIT"), "{memchr}");
    assert!(
        !licenses.contains("proptest"),
        "a dependency of tests is listed"
    );
}

#[test]
fn the_wheel_installs_the_binary() {
    if run(Command::new("python3").args(["-m", "pip", "--version"])).code != 0 {
        println!("SKIPPED: this machine has no pip");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    package(folder.path());
    let files = contents(folder.path());
    let wheel = files.keys().find(|name| name.ends_with(".whl"));
    run(Command::new("python3")
        .args(["-m", "pip", "install", "--no-index", "--target=installed"])
        .arg(wheel.expect("a wheel"))
        .current_dir(folder.path()))
    .succeeds();
    run(Command::new(folder.path().join("installed/bin/fixpoint")).arg("--version"))
        .succeeds()
        .says("fixpoint ");
}
