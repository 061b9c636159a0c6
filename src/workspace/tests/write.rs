//! Tests what a write does to files, and what it refuses.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use common::{Outcome, as_ordinary_user, change, open, scratch};
use fixpoint_workspace::{
    AccessError, MAX_FILE_SIZE, RefusalReason, Step, Workspace, WriteAccess, WriteError, Written,
};

const NONE: [&str; 0] = [];

#[test]
fn files_are_replaced_and_nothing_else_is_left() -> Outcome {
    let scratch = scratch(&[("a", "old a"), ("sub/b", "old b"), ("c", "old c")])?;
    let groups = vec![
        vec![
            change("a", "old a", "new a"),
            change("sub/b", "old b", "new b"),
        ],
        vec![change("c", "old c", "new c\r\nwith CRLF\r\n")],
    ];
    let written = scratch.workspace.write(groups, &scratch.access)?;
    assert_eq!(written.files(), ["a", "c", "sub/b"]);
    assert_eq!(written.unchanged(), NONE);
    let tree: Vec<_> = scratch.tree()?.into_iter().collect();
    let expected = [
        ("a", "file new a"),
        ("c", "file new c\r\nwith CRLF\r\n"),
        ("sub", "directory"),
        ("sub/b", "file new b"),
    ];
    assert_eq!(
        tree,
        expected.map(|(path, holds)| (path.into(), holds.into()))
    );
    Ok(())
}

//
#[test]
fn a_second_run_writes_nothing() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "same")])?;
    let groups = || vec![vec![change("a", "old", "new"), change("b", "same", "same")]];
    let first = scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(
        (first.files(), first.unchanged()),
        (&["a".into()][..], &["b".into()][..])
    );

    let stamp = |path: &str| {
        fs::metadata(scratch.root().join(path)).map(|m| (m.ino(), m.ctime(), m.ctime_nsec()))
    };
    let before = (stamp(".")?, stamp("a")?, stamp("b")?);
    let second = scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(
        (second.files(), second.unchanged()),
        (&[][..], &["a".into(), "b".into()][..])
    );
    assert_eq!(before, (stamp(".")?, stamp("a")?, stamp("b")?));
    Ok(())
}

/// The paths that were not written, with the reasons.
fn refused(written: &Written) -> Vec<(&str, &RefusalReason)> {
    let refused = written.refused().iter();
    refused.map(|it| (it.path(), it.reason())).collect()
}

fn together(other: &str) -> RefusalReason {
    RefusalReason::Together {
        other: other.to_owned(),
    }
}

//
#[test]
fn a_stale_file_stops_its_own_group_only() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "edited"), ("c", "old"), ("d", "edited")])?;
    let groups = vec![
        vec![change("a", "old", "new")],
        vec![change("c", "old", "new"), change("d", "old", "new")],
        vec![change("b", "old", "new"), change("gone", "old", "new")],
    ];
    let written = scratch.workspace.write(groups, &scratch.access)?;
    assert_eq!(written.files(), ["a"]);
    let stale = &RefusalReason::Stale;
    assert_eq!(
        refused(&written),
        [
            ("b", stale),
            ("c", &together("d")),
            ("d", stale),
            ("gone", stale)
        ]
    );
    let expected = "b was not written: it has changed since its fixes were computed; run the \
                    command again";
    assert_eq!(written.refused()[0].to_string(), expected);
    let tree: Vec<_> = scratch.tree()?.into_iter().collect();
    let expected = [
        ("a", "file new"),
        ("b", "file edited"),
        ("c", "file old"),
        ("d", "file edited"),
    ];
    assert_eq!(
        tree,
        expected.map(|(path, holds)| (path.into(), holds.into()))
    );
    Ok(())
}

#[test]
fn a_result_that_is_too_large_stops_its_own_group_only() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
    let limit = MAX_FILE_SIZE;
    let size = limit + 1;
    let large = "x".repeat(usize::try_from(size)?);
    let groups = vec![
        vec![change("a", "old", &large), change("b", "old", "new")],
        vec![change("c", "old", "new")],
    ];
    let written = scratch.workspace.write(groups, &scratch.access)?;
    assert_eq!(
        (written.files(), written.saved()),
        (&["c".into()][..], &[][..])
    );
    assert_eq!(
        refused(&written),
        [
            ("a", &RefusalReason::TooLarge { size, limit }),
            ("b", &together("a"))
        ]
    );
    let tree: Vec<_> = scratch.tree()?.into_iter().collect();
    let expected = [("a", "file old"), ("b", "file old"), ("c", "file new")];
    assert_eq!(
        tree,
        expected.map(|(path, holds)| (path.into(), holds.into()))
    );
    Ok(())
}

#[test]
fn mode_owner_and_attributes_are_kept() -> Outcome {
    let scratch = scratch(&[("tool", "old"), ("other", "old")])?;
    let tool = scratch.root().join("tool");
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&tool, Some(1234), Some(1234))?;
    }
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o2751))?;
    let flags = rustix::fs::XattrFlags::empty();
    let attributes = rustix::fs::setxattr(&tool, "user.note", b"kept", flags).is_ok();
    let before = fs::metadata(&tool)?;

    let group = vec![change("tool", "old", "new"), change("other", "old", "new")];
    let written = scratch.workspace.write(vec![group], &scratch.access)?;
    assert_eq!(written.refused(), []);
    let after = fs::metadata(&tool)?;
    assert_eq!(scratch.text("tool")?, "new");
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    if attributes {
        let mut value = [0; 16];
        let length = rustix::fs::getxattr(&tool, "user.note", &mut value)?;
        assert_eq!(&value[..length], b"kept");
    }
    Ok(())
}

#[test]
fn a_file_swapped_for_a_link_stops_its_own_group_only() -> Outcome {
    let scratch = scratch(&[("real/a", "old"), ("b", "old"), ("c", "old")])?;
    common::put(&scratch.outside(), "secret", "old")?;
    scratch.link("real/a", "inside")?;
    scratch.link("real", "folder")?;
    scratch.link("../secret", "outside")?;
    scratch.link("..", "up")?;
    scratch.link("none", "dangling")?;
    let groups = vec![
        vec![change("inside", "old", "1")],
        vec![change("folder/a", "old", "2")],
        vec![change("real/a", "old", "new")],
        vec![change("outside", "old", "3"), change("b", "old", "3")],
        vec![change("up/secret", "old", "4")],
        vec![change("dangling", "old", "5")],
        vec![change("c", "old", "new")],
    ];
    let written = scratch.workspace.write(groups, &scratch.access)?;
    assert_eq!(written.files(), ["c", "real/a"]);
    let linked = &RefusalReason::Linked;
    let expected = [
        ("b", &together("outside")),
        ("dangling", &RefusalReason::Stale),
        ("folder/a", linked),
        ("inside", linked),
        ("outside", linked),
        ("up/secret", linked),
    ];
    assert_eq!(refused(&written), expected);
    assert_eq!(scratch.text("real/a")?, "new");
    assert_eq!(scratch.text("b")?, "old");
    assert_eq!(fs::read(scratch.outside().join("secret"))?, b"old");
    Ok(())
}

#[test]
fn groups_that_share_a_file_become_one() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("c", "old")])?;
    let groups = vec![
        vec![change("a", "old", "new")],
        vec![change("b", "old", "new")],
        vec![
            change("a", "old", "new"),
            change("c", "old", "new"),
            change("b", "old", "new"),
        ],
    ];
    // `c` fails at the last moment, so `a` and `b` must be restored too.
    let c = scratch.root().join("c");
    let result = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            if step == Step::Replacing("c") {
                assert!(fs::write(&c, "edited").is_ok());
            }
        });
    assert_eq!(
        refused(&result?),
        [
            ("a", &together("c")),
            ("b", &together("c")),
            ("c", &RefusalReason::Changed)
        ]
    );
    assert_eq!(
        (scratch.text("a")?, scratch.text("b")?),
        ("old".into(), "old".into())
    );
    assert_eq!(scratch.text("c")?, "edited");

    let groups = vec![vec![change("a", "old", "1")], vec![change("a", "old", "2")]];
    let refused = scratch.workspace.write(groups, &scratch.access);
    assert!(matches!(refused, Err(WriteError::Twice { path }) if path == "a"));
    Ok(())
}

#[test]
fn a_read_only_file_stops_its_own_group_only() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("guarded", "old")])?;
    let guarded = scratch.root().join("guarded");
    fs::set_permissions(&guarded, fs::Permissions::from_mode(0o444))?;
    let groups = || {
        vec![
            vec![change("a", "old", "new")],
            vec![change("b", "old", "new"), change("guarded", "old", "new")],
        ]
    };
    let written = scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(written.files(), ["a"]);
    let read_only = &RefusalReason::ReadOnly;
    assert_eq!(
        refused(&written),
        [("b", &together("guarded")), ("guarded", read_only)]
    );
    assert_eq!(
        written.refused()[1].to_string(),
        "guarded was not written: it is read-only; make it writable, or exclude it"
    );
    assert_eq!(scratch.text("b")?, "old");
    assert_eq!(scratch.text("guarded")?, "old");

    // The file belongs to another user, in a directory where we could replace it.
    fs::set_permissions(&guarded, fs::Permissions::from_mode(0o644))?;
    if rustix::process::geteuid().is_root() {
        fs::set_permissions(scratch.root(), fs::Permissions::from_mode(0o777))?;
        let written = as_ordinary_user(|| scratch.workspace.write(groups(), &scratch.access))?;
        assert_eq!(written.files(), NONE);
        assert_eq!(
            refused(&written),
            [("b", read_only), ("guarded", read_only)]
        );
    }
    Ok(())
}

#[test]
fn a_directory_without_permission_stops_its_own_group_only() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old"), ("locked/b", "old")])?;
    for path in ["a", "b", "locked/b"] {
        fs::set_permissions(scratch.root().join(path), fs::Permissions::from_mode(0o666))?;
    }
    fs::set_permissions(scratch.root(), fs::Permissions::from_mode(0o777))?;
    let locked = scratch.root().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555))?;
    let groups = vec![
        vec![change("a", "old", "new"), change("locked/b", "old", "new")],
        vec![change("b", "old", "new")],
    ];
    let written = as_ordinary_user(|| scratch.workspace.write(groups, &scratch.access))?;
    assert_eq!(written.files(), ["b"]);
    let [first, second] = written.refused() else {
        return Err(format!("{written:?}").into());
    };
    assert_eq!(first.reason(), &together("locked/b"));
    assert!(second.to_string().contains("Permission denied"), "{second}");
    let tree: Vec<_> = scratch.tree()?.into_iter().collect();
    let expected = [
        ("a", "file old"),
        ("b", "file new"),
        ("locked", "directory"),
        ("locked/b", "file old"),
    ];
    assert_eq!(
        tree,
        expected.map(|(path, holds)| (path.into(), holds.into()))
    );
    Ok(())
}

#[test]
fn the_longest_name_can_be_replaced() -> Outcome {
    let name = "n".repeat(255);
    let scratch = scratch(&[(&name, "old"), ("b", "old")])?;
    let group = vec![change(&name, "old", "new"), change("b", "old", "new")];
    let written = scratch.workspace.write(vec![group], &scratch.access)?;
    assert_eq!(written.refused(), []);
    assert_eq!(scratch.text(&name)?, "new");

    let too_long = "n".repeat(256);
    let written = scratch
        .workspace
        .write(vec![vec![change(&too_long, "old", "new")]], &scratch.access)?;
    assert!(written.refused()[0].to_string().contains("name too long"));
    Ok(())
}

#[test]
fn only_regular_files_inside_are_written() -> Outcome {
    let scratch = scratch(&[("dir/a", ""), (".git/config", "old")])?;
    common::put(&scratch.outside(), "secret", "old")?;
    scratch.fifo("pipe")?;
    scratch.link("../secret", "out")?;
    scratch.link(".git/config", "sly")?;
    let before = scratch.tree()?;
    let write = |path: &str| {
        let groups = vec![vec![change(path, "old", "new")]];
        scratch.workspace.write(groups, &scratch.access)
    };
    for path in ["dir", "pipe"] {
        let written = write(path)?;
        let refused = written.refused().iter().map(ToString::to_string);
        let expected = format!(
            "{path} was not written: {path}: not a regular file; devices, pipes and sockets are not read"
        );
        assert_eq!(refused.collect::<Vec<_>>(), [expected]);
    }
    let secret = scratch.outside().join("secret").display().to_string();
    for path in [
        "out",
        "../secret",
        &secret,
        "dir/../../secret",
        ".git/config",
        "sly",
        "",
    ] {
        let written = write(path)?;
        assert_eq!(written.files(), NONE, "{path}");
        assert_eq!(written.refused()[0].path(), path);
    }
    assert_eq!(fs::read(scratch.outside().join("secret"))?, b"old");
    assert_eq!(scratch.tree()?, before);
    Ok(())
}

// C-18, C-61
#[test]
fn access_to_one_workspace_does_not_apply_to_another() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("sub/b", "old")])?;
    let (other, _) = open(&scratch.root().join("sub"))?;
    let refused = other.write(vec![vec![change("b", "old", "new")]], &scratch.access);
    let reported = matches!(
        refused,
        Err(WriteError::Access(AccessError::OtherWorkspace { .. }))
    );
    assert!(reported);
    assert_eq!(scratch.text("sub/b")?, "old");
    Ok(())
}

// C-49
#[test]
fn a_build_action_gets_no_write_access() -> Outcome {
    let scratch = scratch(&[("execroot/_main/a", "old")])?;
    let copy = Workspace::open(&scratch.root().join("execroot/_main"))?;
    let refused = WriteAccess::from_user_command(&copy, copy.root(), |_| None);
    assert!(matches!(refused, Err(AccessError::InAction { .. })));
    let refused = WriteAccess::from_user_command(&scratch.workspace, copy.root(), |_| None);
    assert!(matches!(refused, Err(AccessError::InAction { .. })));
    Ok(())
}

// C-08, C-11, C-46
#[test]
fn finding_and_reading_change_no_file() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("sub/b", "old")])?;
    let before = scratch.tree()?;
    for path in scratch.workspace.find(&[], &[])?.files() {
        scratch.workspace.read(path)?;
    }
    scratch.workspace.read_config()?;
    assert_eq!(scratch.tree()?, before);
    Ok(())
}

#[test]
fn a_file_that_changes_before_the_commit_stops_its_own_group_only() -> Outcome {
    for victim in ["a", "b"] {
        let scratch = scratch(&[("a", "old"), ("b", "old")])?;
        let groups = vec![
            vec![change("a", "old", "new")],
            vec![change("b", "old", "new")],
        ];
        let file = scratch.root().join(victim);
        let result = scratch
            .workspace
            .write_observed(groups, &scratch.access, &mut |step| {
                if step == Step::Journaled {
                    assert!(fs::write(&file, "mine").is_ok());
                }
            });
        assert_eq!(refused(&result?), [(victim, &RefusalReason::Stale)]);
        let mut tree = scratch.tree()?;
        assert_eq!(tree.remove(victim).as_deref(), Some("file mine"));
        assert_eq!(tree.into_values().collect::<Vec<_>>(), ["file new"]);
    }
    Ok(())
}
