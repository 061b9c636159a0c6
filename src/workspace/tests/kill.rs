//! The writer is killed at every step. No file may be torn or lost, and the next run makes each
//! fix whole.
//!
//! The process that dies is this test binary, started again to run only `child`.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use common::{Outcome, Scratch, change, open, scratch};
use fixpoint_workspace::{FileChange, RecoverError, Step};

const ROOT: &str = "FIXPOINT_TEST_ROOT";
const TASK: &str = "FIXPOINT_TEST_TASK";
const DIE_AT: &str = "FIXPOINT_TEST_DIE_AT";

/// Two fixes of several files and one of a single file.
const GROUPS: [&[&str]; 3] = [&["a", "sub/b", "sub/deep/c"], &["d", "sub/e"], &["f"]];

fn base(path: &str) -> String {
    format!("base of {path}\r\n").repeat(200)
}

fn new(path: &str) -> String {
    format!("new text of {path}\n").repeat(300)
}

fn groups() -> Vec<Vec<FileChange>> {
    let file = |path: &&str| change(path, &base(path), &new(path));
    GROUPS
        .iter()
        .map(|group| group.iter().map(file).collect())
        .collect()
}

fn fresh() -> Outcome<Scratch> {
    let scratch = scratch(&[("untouched", "")])?;
    for path in GROUPS.concat() {
        scratch.put(path, &base(path))?;
    }
    Ok(scratch)
}

#[test]
fn child() -> Outcome {
    let Ok(root) = std::env::var(ROOT) else {
        return Ok(());
    };
    let die_at: usize = std::env::var(DIE_AT)?.parse()?;
    let (workspace, access) = open(Path::new(&root))?;
    let mut steps = 0;
    let mut count = |_: Step<'_>| {
        steps += 1;
        if steps == die_at {
            let killed = rustix::process::kill_process(
                rustix::process::getpid(),
                rustix::process::Signal::KILL,
            );
            assert!(killed.is_ok());
        }
    };
    if std::env::var(TASK)? == "write" {
        workspace.write_observed(groups(), &access, &mut count)?;
    } else {
        workspace.recover_observed(&access, &mut count)?;
    }
    Ok(())
}

/// Whether the child was killed at step `die_at`; otherwise it had no such step and succeeded.
fn dies(scratch: &Scratch, task: &str, die_at: usize) -> Outcome<bool> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--exact", "child"])
        .env(ROOT, scratch.root())
        .env(TASK, task)
        .env(DIE_AT, die_at.to_string())
        .output()?;
    match output.status.signal() {
        Some(9) => Ok(true),
        None if output.status.success() => Ok(false),
        _ => Err(format!("{task} at {die_at}: {output:?}").into()),
    }
}

/// Every file is there and holds exactly its old or its new bytes.
fn assert_whole(scratch: &Scratch, when: &str) -> Outcome {
    for path in GROUPS.concat() {
        let text = scratch.text(path)?;
        assert!(
            text == base(path) || text == new(path),
            "{when}: {path} is torn"
        );
    }
    Ok(())
}

/// Every fix is there as a whole or not at all, and nothing else is in the tree.
fn assert_settled(scratch: &Scratch, when: &str) -> Outcome {
    assert_whole(scratch, when)?;
    for group in GROUPS {
        let mut applied = 0;
        for path in group {
            applied += usize::from(scratch.text(path)? == new(path));
        }
        assert!(
            applied == 0 || applied == group.len(),
            "{when}: {group:?} is torn"
        );
    }
    assert_clean(scratch, when)
}

fn assert_clean(scratch: &Scratch, when: &str) -> Outcome {
    let paths: Vec<String> = scratch.tree()?.into_keys().collect();
    let expected = [
        "a",
        "d",
        "f",
        "sub",
        "sub/b",
        "sub/deep",
        "sub/deep/c",
        "sub/e",
        "untouched",
    ];
    assert_eq!(paths, expected, "{when}");
    Ok(())
}

#[test]
fn killed_at_any_step_a_write_is_finished_or_taken_back() -> Outcome {
    let mut outcomes = Vec::new();
    for die_at in 1.. {
        let when = format!("killed at step {die_at}");
        let scratch = fresh()?;
        if !dies(&scratch, "write", die_at)? {
            assert_settled(&scratch, "not killed")?;
            break;
        }
        assert_whole(&scratch, &when)?;
        scratch.workspace.recover(&scratch.access)?;
        assert_settled(&scratch, &when)?;
        outcomes.push(scratch.text("a")? == new("a"));

        assert!(scratch.workspace.recover(&scratch.access)?.is_empty());
        scratch.workspace.write(groups(), &scratch.access)?;
        for path in GROUPS.concat() {
            assert_eq!(scratch.text(path)?, new(path), "{when}");
        }
        assert_clean(&scratch, &when)?;
    }
    // Up to the commit it is taken back, from then on finished.
    assert!(outcomes.is_sorted());
    assert!(outcomes.contains(&false) && outcomes.contains(&true));
    Ok(())
}

#[test]
fn what_a_person_wrote_after_the_kill_is_kept() -> Outcome {
    for die_at in 1.. {
        let when = format!("killed at step {die_at}");
        let scratch = fresh()?;
        if !dies(&scratch, "write", die_at)? {
            break;
        }
        scratch.put("sub/b", "mine")?;
        fs::remove_file(scratch.root().join("d"))?;
        scratch.workspace.recover(&scratch.access)?;

        assert_eq!(scratch.text("sub/b")?, "mine", "{when}");
        assert!(!scratch.root().join("d").exists(), "{when}");
        let is_new =
            |path: &str| Ok::<_, Box<dyn std::error::Error>>(scratch.text(path)? == new(path));
        assert_eq!(is_new("a")?, is_new("sub/deep/c")?, "{when}");
        scratch.put("sub/b", &base("sub/b"))?;
        scratch.put("d", &base("d"))?;
        assert_whole(&scratch, &when)?;
        assert_clean(&scratch, &when)?;
    }
    Ok(())
}

/// Leaves `scratch` as a write does that is killed after replacing `a` and `sub/b`.
fn leave_half_replaced(scratch: &Scratch) -> Outcome {
    let mut steps = 0;
    let mut die_at = None;
    let rehearsal = fresh()?;
    rehearsal
        .workspace
        .write_observed(groups(), &rehearsal.access, &mut |step| {
            steps += 1;
            if step == Step::Replaced("sub/b") {
                die_at = Some(steps);
            }
        })?;
    let died = dies(scratch, "write", die_at.ok_or("no such step")?)?;
    assert!(died);
    assert_eq!(scratch.text("sub/b")?, new("sub/b"));
    assert_eq!(scratch.text("sub/deep/c")?, base("sub/deep/c"));
    Ok(())
}

#[test]
fn a_recovery_that_is_killed_is_recovered() -> Outcome {
    for edited in [false, true] {
        for die_at in 1.. {
            let when = format!("recovery killed at step {die_at}, edited {edited}");
            let scratch = fresh()?;
            leave_half_replaced(&scratch)?;
            if edited {
                scratch.put("sub/deep/c", "mine")?;
            }
            let died = dies(&scratch, "recover", die_at)?;
            scratch.workspace.recover(&scratch.access)?;
            if edited {
                assert_eq!(scratch.text("sub/deep/c")?, "mine", "{when}");
                scratch.put("sub/deep/c", &base("sub/deep/c"))?;
            }
            assert_settled(&scratch, &when)?;
            assert_eq!(scratch.text("a")? == new("a"), !edited, "{when}");
            assert_eq!(scratch.text("d")?, new("d"), "{when}");
            if !died {
                break;
            }
        }
    }
    Ok(())
}

#[test]
fn a_recovery_says_what_it_did() -> Outcome {
    let scratch = fresh()?;
    leave_half_replaced(&scratch)?;
    let groups = vec![vec![change("untouched", "", "x")]];
    let refused = scratch.workspace.write(groups, &scratch.access);
    let message = refused
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(message.contains("run the command again"), "{message}");

    scratch.put("sub/deep/c", "mine")?;
    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.finished(), ["d", "sub/e", "f"]);
    assert_eq!(recovery.taken_back(), ["a", "sub/b"]);
    assert_eq!(recovery.kept(), ["sub/deep/c"]);
    Ok(())
}

#[test]
fn without_its_temporaries_a_write_is_taken_back_or_left_to_a_person() -> Outcome {
    let temporaries = |scratch: &Scratch, holding: &dyn Fn(&str) -> bool| -> Outcome {
        for (path, holds) in scratch.tree()? {
            if path.contains(".fixpoint-") && holding(&holds) {
                fs::remove_file(scratch.root().join(path))?;
            }
        }
        Ok(())
    };
    let scratch = fresh()?;
    leave_half_replaced(&scratch)?;
    temporaries(&scratch, &|holds| holds.starts_with("file new"))?;
    scratch.workspace.recover(&scratch.access)?;
    assert_settled(&scratch, "new copies lost")?;
    assert_eq!(scratch.text("a")?, base("a"));

    let scratch = fresh()?;
    leave_half_replaced(&scratch)?;
    temporaries(&scratch, &|_| true)?;
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(matches!(refused, Err(RecoverError::BaseLost { path }) if path == "a"));
    assert_whole(&scratch, "all copies lost")
}
