//! Tests files that change during a write, and a state directory that was crafted to mislead the
//! writer.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::path::Path;

use common::{Outcome, Scratch, change, scratch};
use fixpoint_workspace::{RecoverError, RefusalReason, StateError, Step, WriteError, Written};

/// Writes `a` as one fix, then `b` and `c` as another. Calls `mischief` right before `victim` is
/// replaced.
fn write_with(
    scratch: &Scratch,
    victim: &str,
    mischief: impl Fn(&Path) -> std::io::Result<()>,
) -> Result<Written, WriteError> {
    let groups = vec![
        vec![change("a", "old", "new")],
        vec![change("sub/b", "old", "new"), change("sub/c", "old", "new")],
    ];
    scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            if step == Step::Replacing(victim) {
                assert!(mischief(scratch.root()).is_ok());
            }
        })
}

fn three() -> Outcome<Scratch> {
    let scratch = scratch(&[("a", "old"), ("sub/b", "old"), ("sub/c", "old")])?;
    common::put(&scratch.outside(), "secret", "old")?;
    common::put(&scratch.outside(), "elsewhere/c", "old")?;
    Ok(scratch)
}

type Mischief = fn(&Path) -> std::io::Result<()>;

#[test]
fn a_file_that_changes_at_the_last_moment_is_kept_and_its_fix_is_undone() -> Outcome {
    let tricks: [(&str, Mischief, &str); 6] = [
        (
            "edit",
            |root| fs::write(root.join("sub/c"), "mine"),
            "file mine",
        ),
        (
            "edit to the same",
            |root| {
                fs::write(root.join("sub/tmp"), "old")?;
                fs::rename(root.join("sub/tmp"), root.join("sub/c"))
            },
            "file old",
        ),
        (
            "delete",
            |root| fs::remove_file(root.join("sub/c")),
            "nothing",
        ),
        (
            "directory",
            |root| {
                fs::remove_file(root.join("sub/c"))?;
                fs::create_dir(root.join("sub/c"))
            },
            "directory",
        ),
        (
            "link out",
            |root| {
                fs::remove_file(root.join("sub/c"))?;
                std::os::unix::fs::symlink("../../secret", root.join("sub/c"))
            },
            "link to ../../secret",
        ),
        (
            "link in",
            |root| {
                fs::remove_file(root.join("sub/c"))?;
                std::os::unix::fs::symlink("../a", root.join("sub/c"))
            },
            "link to ../a",
        ),
    ];
    for (trick, mischief, holds) in tricks {
        let scratch = three()?;
        let written = write_with(&scratch, "sub/c", mischief)?;
        assert_eq!(written.files(), ["a"], "{trick}");
        let refused: Vec<_> = written.refused().iter().map(ToString::to_string).collect();
        let expected = [
            "sub/b was not written: it is part of a fix that also changes sub/c, which was not written",
            "sub/c was not written: it was changed just before it was to be replaced; run the \
             command again",
        ];
        assert_eq!(refused, expected, "{trick}");

        let mut tree = scratch.tree()?;
        let c = tree.remove("sub/c").unwrap_or("nothing".into());
        assert_eq!(c, holds, "{trick}");
        let rest: Vec<_> = tree
            .iter()
            .map(|(path, holds)| (&**path, &**holds))
            .collect();
        assert_eq!(
            rest,
            [
                ("a", "file new"),
                ("sub", "directory"),
                ("sub/b", "file old")
            ],
            "{trick}"
        );
        assert_eq!(fs::read(scratch.outside().join("secret"))?, b"old");
    }
    Ok(())
}

#[test]
fn a_directory_swapped_for_a_link_is_not_followed() -> Outcome {
    let scratch = three()?;
    let result = write_with(&scratch, "sub/c", |root| {
        fs::rename(root.join("sub"), root.join("moved"))?;
        std::os::unix::fs::symlink("../elsewhere", root.join("sub"))
    });
    // `b` is restored in the moved directory.
    let written = result?;
    let refused = written.refused().iter();
    let refused: Vec<_> = refused.map(|it| (it.path(), it.reason())).collect();
    let together = RefusalReason::Together {
        other: "sub/c".into(),
    };
    let expected = [("sub/b", &together), ("sub/c", &RefusalReason::Changed)];
    assert_eq!(refused, expected);
    let elsewhere = common::tree(&scratch.outside().join("elsewhere"))?;
    assert_eq!(
        elsewhere.into_iter().collect::<Vec<_>>(),
        [("c".into(), "file old".into())]
    );
    assert_eq!(scratch.text("moved/b")?, "old");
    assert_eq!(scratch.text("moved/c")?, "old");
    Ok(())
}

#[test]
fn a_state_directory_that_is_a_link_is_refused() -> Outcome {
    let scratch = three()?;
    scratch.link(scratch.outside().join("elsewhere"), ".fixpoint")?;
    let groups = vec![vec![change("a", "old", "new")]];
    let refused = scratch.workspace.write(groups, &scratch.access);
    assert!(
        matches!(refused, Err(WriteError::State(StateError::NotADirectory))),
        "{refused:?}"
    );
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(matches!(
        refused,
        Err(RecoverError::State(StateError::NotADirectory))
    ));
    assert_eq!(common::tree(&scratch.outside().join("elsewhere"))?.len(), 1);
    assert_eq!(scratch.text("a")?, "old");
    Ok(())
}

#[test]
fn links_inside_the_state_directory_are_not_followed() -> Outcome {
    let scratch = three()?;
    let secret = scratch.outside().join("secret");
    let name = own_journal(&scratch)?;
    fs::create_dir(scratch.root().join(".fixpoint"))?;
    scratch.link(&secret, ".fixpoint/lock")?;
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(
        matches!(refused, Err(RecoverError::State(StateError::Io { .. }))),
        "{refused:?}"
    );

    fs::remove_file(scratch.root().join(".fixpoint/lock"))?;
    scratch.link(&secret, ".fixpoint/journal-committed")?;
    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.foreign(), ["journal-committed"]);

    scratch.link(&secret, &format!(".fixpoint/{name}"))?;
    let refused = scratch.workspace.recover(&scratch.access);
    let damaged = matches!(
        refused,
        Err(RecoverError::State(StateError::Damaged { .. }))
    );
    assert!(damaged, "{refused:?}");
    assert_eq!(fs::read(secret)?, b"old");
    Ok(())
}

/// The name of the journal that a committed write of this user has here.
fn own_journal(scratch: &Scratch) -> Outcome<String> {
    scratch.interrupt(vec![vec![change("a", "old", "new")]], Step::Committed)?;
    let tree = scratch.tree()?;
    let mut names = tree
        .keys()
        .filter_map(|path| path.strip_prefix(".fixpoint/"));
    let name = names.find(|name| name.starts_with("journal-") && name.ends_with("-committed"));
    let name = name.ok_or("no journal was left")?.to_owned();
    scratch.workspace.recover(&scratch.access)?;
    scratch.put("a", "old")?;
    Ok(name)
}

#[test]
fn a_damaged_journal_is_an_error_that_says_what_to_do() -> Outcome {
    let scratch = three()?;
    let committed = own_journal(&scratch)?;
    for phase in ["staging", "committed", "done"] {
        let file = committed.replace("committed", phase);
        scratch.put(
            &format!(".fixpoint/{file}"),
            "fixpoint journal 2\0half an ent",
        )?;
        let before = scratch.tree()?;
        let Err(error) = scratch.workspace.recover(&scratch.access) else {
            return Err("a damaged journal was believed".into());
        };
        let message = error.to_string();
        assert!(message.contains(&format!("then remove .fixpoint/{file}")));
        assert_eq!(scratch.tree()?, before);
        let groups = vec![vec![change("a", "old", "new")]];
        assert!(scratch.workspace.write(groups, &scratch.access).is_err());
        assert_eq!(scratch.tree()?, before);
        fs::remove_dir_all(scratch.root().join(".fixpoint"))?;
    }
    Ok(())
}

#[test]
fn a_leftover_temporary_is_replaced() -> Outcome {
    let scratch = three()?;
    let mut name = None;
    let groups = || vec![vec![change("a", "old", "new")]];
    let written = scratch
        .workspace
        .write_observed(groups(), &scratch.access, &mut |step| {
            if step == Step::Staged("a") {
                let tree = scratch.tree().unwrap_or_default();
                name = tree.into_keys().find(|path| path.starts_with(".fixpoint-"));
            }
        })?;
    assert_eq!(written.files(), ["a"]);
    let name = name.ok_or("no temporary was seen")?;
    scratch.put("a", "old")?;
    scratch.link(scratch.outside().join("secret"), &name)?;
    let written = scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(written.files(), ["a"]);
    assert_eq!(scratch.text("a")?, "new");
    assert_eq!(fs::read(scratch.outside().join("secret"))?, b"old");
    assert_eq!(scratch.tree()?.len(), 4);
    Ok(())
}
