//! Files that change under the writer's hands, and a state directory made to mislead it.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::path::Path;

use common::{Outcome, Scratch, change, scratch};
use fixpoint_workspace::{RecoverError, StateError, Step, WriteError, Written};

/// Writes `a` alone, then `b` and `c` as one fix, and does `mischief` right before `victim` is
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
fn a_file_that_changes_at_the_last_moment_is_left_and_its_fix_taken_back() -> Outcome {
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
        let Err(error) = write_with(&scratch, "sub/c", mischief) else {
            return Err(format!("{trick}: written").into());
        };
        let expected = "sub/c was changed while it was about to be replaced, and was left alone. \
                        The fix it belongs to was taken back; other fixes had been written: a";
        assert_eq!(error.to_string(), expected, "{trick}");

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
fn a_directory_swapped_for_a_link_leads_nowhere() -> Outcome {
    let scratch = three()?;
    let result = write_with(&scratch, "sub/c", |root| {
        fs::rename(root.join("sub"), root.join("moved"))?;
        std::os::unix::fs::symlink("../elsewhere", root.join("sub"))
    });
    // `b` is out of reach under its old name; what it holds moved with its directory.
    let told = matches!(&result, Err(WriteError::TakenBack { kept, .. }) if kept == &["sub/b"]);
    assert!(told, "{result:?}");
    let elsewhere = common::tree(&scratch.outside().join("elsewhere"))?;
    assert_eq!(
        elsewhere.into_iter().collect::<Vec<_>>(),
        [("c".into(), "file old".into())]
    );
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
    fs::create_dir(scratch.root().join(".fixpoint"))?;
    scratch.link(&secret, ".fixpoint/lock")?;
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(
        matches!(refused, Err(RecoverError::State(StateError::Io { .. }))),
        "{refused:?}"
    );

    fs::remove_file(scratch.root().join(".fixpoint/lock"))?;
    scratch.link(&secret, ".fixpoint/journal-committed")?;
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(
        matches!(
            refused,
            Err(RecoverError::State(StateError::Damaged { .. }))
        ),
        "{refused:?}"
    );

    fs::remove_file(scratch.root().join(".fixpoint/journal-committed"))?;
    scratch.link(&secret, ".fixpoint/journal-unfinished")?;
    let groups = vec![vec![change("a", "old", "new")]];
    scratch.workspace.write(groups, &scratch.access)?;
    assert_eq!(fs::read(secret)?, b"old");
    assert!(!scratch.root().join(".fixpoint").exists());
    Ok(())
}

#[test]
fn a_damaged_journal_stops_everything_and_says_what_to_do() -> Outcome {
    let scratch = three()?;
    for file in ["journal-staging", "journal-committed", "journal-done"] {
        scratch.put(
            &format!(".fixpoint/{file}"),
            "fixpoint journal 1\0half an ent",
        )?;
        let before = scratch.tree()?;
        let Err(error) = scratch.workspace.recover(&scratch.access) else {
            return Err("a damaged journal was believed".into());
        };
        let message = error.to_string();
        assert!(message.contains(file) && message.contains("remove the directory .fixpoint"));
        assert_eq!(scratch.tree()?, before);
        let groups = vec![vec![change("a", "old", "new")]];
        assert!(scratch.workspace.write(groups, &scratch.access).is_err());
        assert_eq!(scratch.tree()?, before);
        fs::remove_dir_all(scratch.root().join(".fixpoint"))?;
    }
    Ok(())
}

#[test]
fn a_left_over_temporary_does_not_stand_in_the_way() -> Outcome {
    let scratch = three()?;
    let mut name = None;
    let groups = || vec![vec![change("a", "old", "new")]];
    scratch
        .workspace
        .write_observed(groups(), &scratch.access, &mut |step| {
            if step == Step::Staged("a") {
                let tree = scratch.tree().unwrap_or_default();
                name = tree.into_keys().find(|path| path.starts_with(".fixpoint-"));
            }
        })?;
    let name = name.ok_or("no temporary was seen")?;
    scratch.put("a", "old")?;
    scratch.link(scratch.outside().join("secret"), &name)?;
    scratch.workspace.write(groups(), &scratch.access)?;
    assert_eq!(scratch.text("a")?, "new");
    assert_eq!(fs::read(scratch.outside().join("secret"))?, b"old");
    assert_eq!(scratch.tree()?.len(), 4);
    Ok(())
}
