//! Journals that this user did not write for this checkout are only reported.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use common::{Outcome, Scratch, change, open_as, scratch};
use fixpoint_text::Digest;
use fixpoint_workspace::{FileChange, Recovery, Step, Workspace, WriteAccess};

fn groups() -> Vec<Vec<FileChange>> {
    vec![vec![change("a", "old", "new"), change("b", "old", "new")]]
}

/// A checkout in which a write was killed after it replaced `a`.
fn interrupted() -> Outcome<Scratch> {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
    scratch.interrupt(groups(), Step::Replaced("a"))?;
    Ok(scratch)
}

/// The journal is reported, nothing is recovered, a write still succeeds, and no file except the
/// written one changes.
fn assert_ignored(workspace: &Workspace, access: &WriteAccess) -> Outcome<Recovery> {
    let before = common::tree(workspace.root())?;
    let recovery = workspace.recover(access)?;
    assert!(recovery.is_empty(), "{recovery:?}");
    assert_eq!(recovery.foreign().len(), 1, "{recovery:?}");
    assert_eq!(
        common::tree(workspace.root())?,
        without_lock(before.clone())
    );

    let written = workspace.write(vec![vec![change("c", "old", "new")]], access)?;
    assert_eq!(written.files(), ["c"]);
    let mut after = before;
    after.insert("c".into(), "file new".into());
    assert_eq!(common::tree(workspace.root())?, without_lock(after));
    Ok(recovery)
}

fn without_lock(
    mut tree: std::collections::BTreeMap<String, String>,
) -> std::collections::BTreeMap<String, String> {
    tree.remove(".fixpoint/lock");
    tree
}

#[test]
fn the_user_who_was_interrupted_recovers() -> Outcome {
    let scratch = interrupted()?;
    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.finished(), ["a", "b"]);
    assert_eq!(recovery.foreign(), &[] as &[String]);
    assert_eq!(recovery.key_problem(), None);
    Ok(())
}

#[test]
fn a_copied_journal_is_ignored() -> Outcome {
    let scratch = interrupted()?;
    let copy = scratch.outside().join("copy");
    let copied = Command::new("cp")
        .arg("-a")
        .args([scratch.root(), &copy])
        .status()?;
    assert!(copied.success());
    // The same user, with the same key.
    let state_home = scratch.root().with_extension("state");
    let (workspace, access) = open_as(&copy, &state_home)?;
    assert_ignored(&workspace, &access)?;
    Ok(())
}

#[test]
fn the_journal_of_another_checkout_at_the_same_path_is_ignored() -> Outcome {
    let scratch = interrupted()?;
    let root = scratch.root().to_owned();
    let moved = scratch.outside().join("moved");
    let copied = Command::new("cp")
        .arg("-a")
        .args([&root, &moved])
        .status()?;
    assert!(copied.success());
    // Both exist, so that they are different directories.
    fs::rename(&root, scratch.outside().join("first"))?;
    fs::rename(&moved, &root)?;
    let (workspace, access) = open_as(&root, &root.with_extension("state"))?;
    assert_ignored(&workspace, &access)?;
    Ok(())
}

#[test]
fn the_journal_of_another_user_is_ignored() -> Outcome {
    let scratch = interrupted()?;
    let (workspace, access) = open_as(scratch.root(), &scratch.outside().join("other"))?;
    assert_ignored(&workspace, &access)?;

    // The first user can still recover.
    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.finished(), ["a", "b"]);
    Ok(())
}

/// A journal that an earlier version executed: it is not signed, and its names are predictable.
#[test]
fn an_unsigned_journal_in_a_repository_is_ignored() -> Outcome {
    for phase in ["staging", "committed", "done"] {
        let scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
        let (base, new) = (Digest::of(b"old"), Digest::of(b"evil"));
        let body = format!("fixpoint journal 1\0{}\0a\0{base}\0{new}\0", 0);
        let journal = format!("{body}{}\0", Digest::of(body.as_bytes()));
        scratch.put(&format!(".fixpoint/journal-{phase}"), &journal)?;
        let id = Digest::of_parts([b"a".as_slice(), new.to_string().as_bytes()]);
        scratch.put(&format!(".fixpoint-{}.tmp", id.short()), "evil")?;
        assert_ignored(&scratch.workspace, &scratch.access)?;
        assert_eq!(scratch.text("a")?, "old");
    }
    Ok(())
}

#[test]
fn the_key_is_private_and_outside_of_the_workspace() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old")])?;
    let written = scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(written.files(), ["a", "b"]);
    let folder = scratch.root().with_extension("state").join("fixpoint");
    assert_eq!(fs::metadata(&folder)?.mode() & 0o777, 0o700);
    let key = fs::metadata(folder.join("key"))?;
    assert_eq!((key.mode() & 0o777, key.len()), (0o600, 32));
    assert_eq!(fs::read_dir(folder)?.count(), 1);
    assert_eq!(scratch.tree()?.len(), 2);
    Ok(())
}

#[test]
fn a_key_inside_the_workspace_is_not_used() -> Outcome {
    let scratch = interrupted()?;
    let inside = scratch.root().join("state");
    fs::rename(scratch.root().with_extension("state"), &inside)?;
    let (workspace, access) = open_as(scratch.root(), &inside)?;
    let recovery = assert_ignored(&workspace, &access)?;
    let problem = recovery.key_problem().unwrap_or_default();
    assert!(problem.ends_with("is inside the workspace"), "{problem}");

    // A link to it is not used either.
    let link = scratch.outside().join("link");
    std::os::unix::fs::symlink(&inside, &link)?;
    let (workspace, access) = open_as(scratch.root(), &link)?;
    assert!(workspace.recover(&access)?.is_empty());
    Ok(())
}

#[test]
fn a_key_that_others_can_read_or_replace_is_not_used() -> Outcome {
    type Spoil = fn(&Path) -> std::io::Result<()>;
    let spoils: [(&str, Spoil); 4] = [
        ("accessible to other users", |folder| {
            fs::set_permissions(folder.join("key"), fs::Permissions::from_mode(0o644))
        }),
        ("accessible to other users", |folder| {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777))
        }),
        ("symbolic links", |folder| {
            fs::rename(folder.join("key"), folder.join("other"))?;
            std::os::unix::fs::symlink("other", folder.join("key"))
        }),
        ("is not a file of 32 bytes", |folder| {
            fs::write(folder.join("key"), "short")
        }),
    ];
    for (expected, spoil) in spoils {
        let scratch = interrupted()?;
        spoil(&scratch.root().with_extension("state").join("fixpoint"))?;
        let recovery = assert_ignored(&scratch.workspace, &scratch.access)?;
        let problem = recovery.key_problem().unwrap_or_default();
        assert!(problem.contains(expected), "{problem}");
    }
    Ok(())
}

/// Without a key, writes succeed, but a killed write is not recovered.
#[test]
fn files_are_written_even_if_no_key_can_be_stored() -> Outcome {
    let mut scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
    common::put(&scratch.outside(), "file", "")?;
    let nowhere = scratch.outside().join("file");
    let (workspace, access) = open_as(scratch.root(), &nowhere)?;
    let written = workspace.write(groups(), &access)?;
    assert_eq!(written.files(), ["a", "b"]);
    assert_eq!(scratch.tree()?.len(), 3);

    scratch.put("a", "old")?;
    scratch.put("b", "old")?;
    scratch.access = access;
    scratch.interrupt(groups(), Step::Replaced("a"))?;
    assert_ignored(&scratch.workspace, &scratch.access)?;
    let texts = (scratch.text("a")?, scratch.text("b")?);
    assert_eq!(texts, ("new".into(), "old".into()));
    Ok(())
}
