//! Tests a checkout on an overlay file system, which copies files when they are replaced. The copy
//! may have another inode. The test needs permission to mount, and is skipped without it.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Outcome, change, open_as, put};

/// A mounted file system, unmounted when the value is dropped.
struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    fn new(kind: &str, options: &str, at: &'a Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", kind, "-o", options, kind])
            .arg(at)
            .stderr(std::process::Stdio::null())
            .status();
        mounted
            .is_ok_and(|status| status.success())
            .then_some(Self(at))
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn files_of_a_lower_layer_are_replaced() -> Outcome {
    let scratch = tempfile::tempdir()?;
    let place = |name: &str| scratch.path().join(name);
    for name in ["lower", "layers", "root", "state"] {
        fs::create_dir(place(name))?;
    }
    let (lower, layers, root) = (place("lower"), place("layers"), place("root"));
    // The layers are different file systems, whose inodes differ.
    let Some(_lower) = Mount::new("tmpfs", "size=1m", &lower) else {
        return Ok(());
    };
    let Some(_layers) = Mount::new("tmpfs", "size=1m", &layers) else {
        return Ok(());
    };
    for path in ["a", "sub/b", "linked"] {
        put(&lower, path, "old")?;
    }
    fs::hard_link(lower.join("linked"), lower.join("twin"))?;
    fs::create_dir(layers.join("upper"))?;
    fs::create_dir(layers.join("work"))?;
    let options = format!(
        "lowerdir={},upperdir={},workdir={},xino=off",
        lower.display(),
        layers.join("upper").display(),
        layers.join("work").display()
    );
    let Some(_root) = Mount::new("overlay", &options, &root) else {
        return Ok(());
    };
    let (workspace, access) = open_as(&root, &place("state"))?;
    let groups = vec![
        vec![change("a", "old", "new"), change("sub/b", "old", "new")],
        vec![change("linked", "old", "new")],
    ];
    let written = workspace.write(groups, &access)?;
    assert_eq!(written.refused(), []);
    assert_eq!(written.files(), ["a", "linked", "sub/b"]);
    assert_eq!(fs::read_to_string(root.join("sub/b"))?, "new");
    assert_eq!(fs::read_to_string(root.join("twin"))?, "old");
    assert_eq!(common::tree(&root)?.len(), 5);
    Ok(())
}
