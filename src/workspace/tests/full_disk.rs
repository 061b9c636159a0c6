//! Tests writes when the disk is full: on a small file system, and with a limit on the size of
//! files.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Outcome, change, open, open_as, put, scratch, tree};
use fixpoint_workspace::{FileChange, StateError, WriteError};

const ROOT: &str = "FIXPOINT_TEST_ROOT";

fn large() -> String {
    "new\n".repeat(5000)
}

fn groups() -> Vec<Vec<FileChange>> {
    vec![
        vec![change("a", "old", "new"), change("b", "old", &large())],
        vec![change("c", "old", "new")],
    ]
}

fn is_out_of_space(error: &WriteError) -> bool {
    matches!(
        error,
        WriteError::Stage { .. }
            | WriteError::Commit { .. }
            | WriteError::State(StateError::Io { .. })
    )
}

#[test]
fn child() -> Outcome {
    let Ok(root) = std::env::var(ROOT) else {
        return Ok(());
    };
    let (workspace, access) = open(Path::new(&root))?;
    let Err(error) = workspace.write(groups(), &access) else {
        return Err("a file larger than the limit was written".into());
    };
    assert!(
        matches!(&error, WriteError::Stage { path, .. } if path == "b"),
        "{error}"
    );
    assert!(error.to_string().contains("no file was changed"));
    Ok(())
}

#[test]
fn a_failed_write_of_one_file_changes_no_file() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
    let before = scratch.tree()?;
    // The shell ignores the signal that the limit raises, so that writing fails with an error
    // instead. The process that it starts inherits both the limit and the ignored signal.
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh"])
        .arg(std::env::current_exe()?)
        .args(["--exact", "child"])
        .env(ROOT, scratch.root())
        .stdout(std::process::Stdio::null())
        .status()?;
    assert!(status.success());
    assert_eq!(scratch.tree()?, before);
    Ok(())
}

/// A temporary file system, unmounted when the value is dropped.
struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    fn new(at: &'a Path) -> Option<Self> {
        mount(at, "size=1m").then_some(Self(at))
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

fn mount(at: &Path, options: &str) -> bool {
    Command::new("mount")
        .args(["-t", "tmpfs", "-o", options, "tmpfs"])
        .arg(at)
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Needs permission to mount. Without it, this test is skipped.
#[test]
fn a_full_disk_changes_no_file() -> Outcome {
    let place = tempfile::tempdir()?;
    let Some(_mount) = Mount::new(place.path()) else {
        return Ok(());
    };
    let state_home = tempfile::tempdir()?;
    let root = place.path().canonicalize()?;
    let mut refused = 0;
    for spare in (0..).map(|pages| pages * 4096) {
        for path in ["a", "b", "c"] {
            put(&root, path, "old")?;
        }
        // Another file occupies all but `spare` bytes.
        let fill = root.join("fill");
        fs::write(&fill, vec![b'x'; 1024 * 1024 - 3 * 4096 - spare])?;
        let before = tree(&root)?;
        let (workspace, access) = open_as(&root, state_home.path())?;
        match workspace.write(groups(), &access) {
            Ok(_) => break,
            Err(error) => {
                assert!(is_out_of_space(&error), "{error}");
                assert!(error.to_string().contains("no file was changed"));
                refused += 1;
            }
        }
        assert_eq!(tree(&root)?, before);
        fs::remove_file(fill)?;
    }
    assert!(refused > 3, "{refused}");
    assert_eq!(fs::read_to_string(root.join("b"))?, large());
    Ok(())
}
