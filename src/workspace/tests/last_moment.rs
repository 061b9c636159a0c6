//! Saves a file at the worst moments of a write. The saved version keeps its name, and the write
//! reports that the file was not written.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use common::{Outcome, Scratch, change, scratch};
use fixpoint_workspace::{RefusalReason, Step, Written};

/// One way in which a user changes `c`.
struct Save {
    name: &'static str,
    action: fn(&Path) -> std::io::Result<()>,
    /// The state of `c` afterwards.
    holds: &'static str,
}

const SAVES: [Save; 9] = [
    Save {
        name: "in place",
        action: |c| fs::write(c, "mine"),
        holds: "file mine",
    },
    Save {
        name: "atomic",
        action: |c| replace_with(c, "mine"),
        holds: "file mine",
    },
    Save {
        name: "atomic with the same text",
        action: |c| replace_with(c, "old"),
        holds: "file old",
    },
    Save {
        name: "append",
        action: |c| append(c, " and mine"),
        holds: "file old and mine",
    },
    Save {
        name: "truncate",
        action: |c| fs::write(c, ""),
        holds: "file ",
    },
    Save {
        name: "mode",
        action: |c| fs::set_permissions(c, fs::Permissions::from_mode(0o751)),
        holds: "file old",
    },
    Save {
        name: "link",
        action: |c| {
            fs::remove_file(c)?;
            std::os::unix::fs::symlink("../a", c)
        },
        holds: "link to ../a",
    },
    Save {
        name: "directory",
        action: |c| {
            fs::remove_file(c)?;
            fs::create_dir(c)
        },
        holds: "directory",
    },
    Save {
        name: "delete",
        action: |c| fs::remove_file(c),
        holds: "nothing",
    },
];

fn replace_with(file: &Path, text: &str) -> std::io::Result<()> {
    let other = file.with_extension("editor");
    fs::write(&other, text)?;
    fs::rename(other, file)
}

fn append(file: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(file)?;
    file.write_all(text.as_bytes())
}

fn fresh(exchange: bool) -> Outcome<Scratch> {
    let mut scratch = scratch(&[("a", "old"), ("sub/b", "old"), ("sub/c", "old")])?;
    if !exchange {
        scratch.access = scratch.access.without_exchange();
    }
    Ok(scratch)
}

/// Writes `a` as one fix, and `sub/b` and `sub/c` as another. Runs `action` at the first `moment`.
fn write_with(
    scratch: &Scratch,
    moment: Step<'_>,
    action: &mut dyn FnMut(&Path) -> std::io::Result<()>,
) -> Outcome<Written> {
    let groups = vec![
        vec![change("a", "old", "new")],
        vec![change("sub/b", "old", "new"), change("sub/c", "old", "new")],
    ];
    let c = scratch.root().join("sub/c");
    let mut done = false;
    let written = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            if step == moment && !done {
                done = true;
                let result = action(&c);
                assert!(result.is_ok(), "{result:?}");
            }
        })?;
    assert!(done, "{moment:?} did not come");
    Ok(written)
}

/// `sub/c` has the state `holds`, its fix is undone, and the other fix is written.
fn assert_left_alone(scratch: &Scratch, written: &Written, holds: &str, when: &str) -> Outcome {
    assert_eq!(written.files(), ["a"], "{when}");
    let refused = written.refused().iter();
    let refused: Vec<_> = refused.map(|it| (it.path(), it.reason().clone())).collect();
    let together = RefusalReason::Together {
        other: "sub/c".to_owned(),
    };
    let expected = [("sub/b", together), ("sub/c", RefusalReason::Changed)];
    assert_eq!(refused, expected, "{when}");
    assert_eq!(written.saved(), &[] as &[String], "{when}");

    let mut tree = scratch.tree()?;
    let c = tree.remove("sub/c").unwrap_or("nothing".into());
    assert_eq!(c, holds, "{when}");
    let rest: Vec<_> = tree.into_iter().collect();
    let expected = [
        ("a", "file new"),
        ("sub", "directory"),
        ("sub/b", "file old"),
    ];
    let expected = expected.map(|(path, holds)| (path.to_owned(), holds.to_owned()));
    assert_eq!(rest, expected, "{when}");
    Ok(())
}

#[test]
fn a_save_between_the_last_comparison_and_the_exchange_is_kept() -> Outcome {
    for exchange in [true, false] {
        for moment in [
            Step::Committed,
            Step::Replacing("sub/c"),
            Step::Compared("sub/c"),
        ] {
            for save in SAVES {
                let when = format!("{} at {moment:?}, exchange {exchange}", save.name);
                let scratch = fresh(exchange)?;
                let written = write_with(&scratch, moment, &mut |c| (save.action)(c))?;
                assert_left_alone(&scratch, &written, save.holds, &when)?;
                if save.name == "mode" {
                    let mode = fs::metadata(scratch.root().join("sub/c"))?.mode();
                    assert_eq!(mode & 0o7777, 0o751, "{when}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn an_attribute_set_at_the_last_moment_is_kept() -> Outcome {
    let scratch = fresh(true)?;
    let flags = rustix::fs::XattrFlags::empty();
    let probe = scratch.root().join("a");
    if rustix::fs::setxattr(&probe, "user.note", b"probe", flags).is_err() {
        return Ok(());
    }
    let written = write_with(&scratch, Step::Compared("sub/c"), &mut |c| {
        Ok(rustix::fs::setxattr(c, "user.note", b"mine", flags)?)
    })?;
    assert_left_alone(&scratch, &written, "file old", "attribute")?;
    let mut value = [0; 16];
    let length = rustix::fs::getxattr(scratch.root().join("sub/c"), "user.note", &mut value)?;
    assert_eq!(&value[..length], b"mine");
    Ok(())
}

/// An editor opened the file before it was replaced, and keeps writing to its open handle.
#[test]
fn a_write_through_an_open_file_is_restored() -> Outcome {
    for exchange in [true, false] {
        for moment in [
            Step::Compared("sub/c"),
            Step::Exchanged("sub/c"),
            Step::Replaced("sub/c"),
            Step::Synced,
        ] {
            let scratch = fresh(exchange)?;
            let c = scratch.root().join("sub/c");
            let mut open = OpenOptions::new().append(true).open(c)?;
            let written = write_with(&scratch, moment, &mut |_| open.write_all(b" and mine"))?;
            let when = format!("{moment:?}, exchange {exchange}");
            assert_left_alone(&scratch, &written, "file old and mine", &when)?;
        }
    }
    Ok(())
}

/// The name is free for a moment, and another program creates a file there.
#[test]
fn without_an_exchange_a_file_created_meanwhile_is_kept() -> Outcome {
    let scratch = fresh(false)?;
    let written = write_with(&scratch, Step::MovedAside("sub/c"), &mut |c| {
        fs::write(c, "mine")
    })?;
    assert_left_alone(&scratch, &written, "file mine", "made in between")
}

#[test]
fn the_later_of_two_saves_keeps_the_name_and_the_earlier_is_copied() -> Outcome {
    for exchange in [true, false] {
        let scratch = fresh(exchange)?;
        let groups = vec![vec![change("sub/c", "old", "new")]];
        let c = scratch.root().join("sub/c");
        let mut exchanges = 0;
        let written = scratch
            .workspace
            .write_observed(groups, &scratch.access, &mut |step| {
                let saved = match step {
                    Step::Compared(_) => fs::write(&c, "first"),
                    Step::Exchanged(_) if exchanges == 0 => {
                        exchanges += 1;
                        replace_with(&c, "second")
                    }
                    _ => Ok(()),
                };
                assert!(saved.is_ok(), "{saved:?}");
            })?;
        assert_eq!(written.refused()[0].reason(), &RefusalReason::Changed);
        assert_eq!(scratch.text("sub/c")?, "second");
        let [saved] = written.saved() else {
            return Err(format!("{written:?}").into());
        };
        assert_eq!(scratch.text(saved)?, "first");
        assert_eq!(scratch.tree()?.len(), 5);
    }
    Ok(())
}

#[test]
fn a_mode_set_after_the_exchange_is_kept() -> Outcome {
    for moment in [Step::Replaced("sub/c"), Step::Synced, Step::Done] {
        let scratch = fresh(true)?;
        let mode = fs::Permissions::from_mode(0o751);
        let written = write_with(&scratch, moment, &mut |c| {
            fs::set_permissions(c, mode.clone())
        })?;
        assert_eq!(written.refused(), []);
        let mode = fs::metadata(scratch.root().join("sub/c"))?.mode();
        assert_eq!(mode & 0o7777, 0o751, "{moment:?}");
    }
    Ok(())
}
