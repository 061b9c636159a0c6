//! Tests two writers at the same time: one writes, the other gets an error that asks to wait.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;

use common::{Outcome, change, scratch};
use fixpoint_workspace::{StateError, Step, WriteError};

#[test]
fn a_second_writer_is_rejected() -> Outcome {
    let scratch = scratch(&[("a", "old"), ("b", "old")])?;
    let mut second = Vec::new();
    let groups = vec![vec![change("a", "old", "new")]];
    let written = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            if step == Step::Committed {
                let groups = vec![vec![change("b", "old", "new")]];
                second.push(scratch.workspace.write(groups, &scratch.access).err());
                let recovered = scratch.workspace.recover(&scratch.access);
                assert!(
                    recovered.is_err_and(|error| error.to_string().contains("another fixpoint"))
                );
            }
        })?;
    assert_eq!(written.files(), ["a"]);
    assert!(matches!(
        second[..],
        [Some(WriteError::State(StateError::Locked))]
    ));
    assert_eq!(
        (scratch.text("a")?, scratch.text("b")?),
        ("new".into(), "old".into())
    );
    assert_eq!(scratch.tree()?.len(), 2);
    Ok(())
}

#[test]
fn a_lock_on_a_removed_file_does_not_count() -> Outcome {
    let scratch = scratch(&[("a", "old")])?;
    let lock = scratch.root().join(".fixpoint/lock");
    let mut third = None;
    let groups = vec![vec![change("a", "old", "new")]];
    let result = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            // Another writer finishes and removes its lock file. A third writer creates a new one.
            if step == Step::LockOpened && third.is_none() {
                let made = fs::remove_file(&lock).and_then(|()| fs::File::create(&lock));
                third = made.ok();
                assert!(third.as_ref().is_some_and(|file| file.try_lock().is_ok()));
            }
        });
    assert!(
        matches!(result, Err(WriteError::State(StateError::Locked))),
        "{result:?}"
    );
    assert_eq!(scratch.text("a")?, "old");
    Ok(())
}

#[test]
fn a_state_directory_removed_during_locking_is_created_again() -> Outcome {
    let scratch = scratch(&[("a", "old")])?;
    let state = scratch.root().join(".fixpoint");
    let mut times = 0;
    let groups = vec![vec![change("a", "old", "new")]];
    let written = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut |step| {
            if matches!(step, Step::DirectoryMade | Step::LockOpened) && times < 4 {
                times += 1;
                assert!(fs::remove_dir_all(&state).is_ok());
            }
        })?;
    assert_eq!(written.files(), ["a"]);
    assert_eq!(scratch.text("a")?, "new");
    assert_eq!(scratch.tree()?.len(), 1);
    Ok(())
}

#[test]
fn concurrent_writers_lose_nothing() -> Outcome {
    let scratch = scratch(&[("n", "0")])?;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let Ok(old) = fs::read_to_string(scratch.root().join("n")) else {
                        continue;
                    };
                    let new = format!("{}", old.parse::<u32>().map_or(0, |number| number + 1));
                    let groups = vec![vec![change("n", &old, &new)]];
                    let result = scratch.workspace.write(groups, &scratch.access);
                    let fine = matches!(result, Ok(_) | Err(WriteError::State(StateError::Locked)));
                    assert!(fine, "{result:?}");
                }
            });
        }
    });
    assert!(scratch.text("n")?.parse::<u32>()? > 0);
    assert_eq!(scratch.tree()?.len(), 1);
    Ok(())
}
