//! Kills the writer at every step. No file may be torn or lost, and the next run makes each fix
//! whole.
//!
//! The process that is killed is this test binary, started again to run only `child`.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use common::{Outcome, Scratch, change, open, scratch};
use fixpoint_workspace::{Excludes, FileChange, RecoverError, Step};

const ROOT: &str = "FIXPOINT_TEST_ROOT";
const TASK: &str = "FIXPOINT_TEST_TASK";
const DIE_AT: &str = "FIXPOINT_TEST_DIE_AT";
const EXCHANGE: &str = "FIXPOINT_TEST_EXCHANGE";

/// Each test runs with a file system that can exchange two names, and with one that cannot.
const BOTH: [bool; 2] = [true, false];

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

fn fresh(exchange: bool) -> Outcome<Scratch> {
    let mut scratch = scratch(&[("untouched", "")])?;
    if !exchange {
        scratch.access = scratch.access.without_exchange();
    }
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
    let (workspace, mut access) = open(Path::new(&root))?;
    if std::env::var(EXCHANGE)? == "false" {
        access = access.without_exchange();
    }
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
        let written = workspace.write_observed(groups(), &access, &mut count)?;
        assert_eq!(written.refused(), []);
    } else {
        workspace.recover_observed(&access, &mut count)?;
    }
    Ok(())
}

/// Whether the child was killed at step `die_at`; otherwise it had no such step and succeeded.
fn dies(scratch: &Scratch, exchange: bool, task: &str, die_at: usize) -> Outcome<bool> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--exact", "child"])
        .env(ROOT, scratch.root())
        .env(EXCHANGE, exchange.to_string())
        .env(TASK, task)
        .env(DIE_AT, die_at.to_string())
        .output()?;
    match output.status.signal() {
        Some(9) => Ok(true),
        None if output.status.success() => Ok(false),
        _ => Err(format!("{task} at {die_at}: {output:?}").into()),
    }
}

/// Every file exists and has exactly its old or its new bytes.
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

/// Every fix is written as a whole or not at all, and there are no other files.
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
fn a_write_killed_at_any_step_is_finished_or_undone() -> Outcome {
    for exchange in BOTH {
        let mut outcomes = Vec::new();
        for die_at in 1.. {
            let when = format!("killed at step {die_at}, exchange {exchange}");
            let scratch = fresh(exchange)?;
            if !dies(&scratch, exchange, "write", die_at)? {
                assert_settled(&scratch, "not killed")?;
                break;
            }
            // Without an exchange, a file is missing for a moment. The recovery restores it.
            if exchange {
                assert_whole(&scratch, &when)?;
            }
            scratch.workspace.recover(&scratch.access)?;
            assert_settled(&scratch, &when)?;
            outcomes.push(scratch.text("a")? == new("a"));

            assert!(scratch.workspace.recover(&scratch.access)?.is_empty());
            let written = scratch.workspace.write(groups(), &scratch.access)?;
            assert_eq!(written.refused(), [], "{when}");
            for path in GROUPS.concat() {
                assert_eq!(scratch.text(path)?, new(path), "{when}");
            }
            assert_clean(&scratch, &when)?;
        }
        // Before the commit it is undone, after the commit it is finished.
        assert!(outcomes.is_sorted());
        assert!(outcomes.contains(&false) && outcomes.contains(&true));
    }
    Ok(())
}

#[test]
fn a_change_by_the_user_after_the_kill_is_kept() -> Outcome {
    for die_at in 1.. {
        let when = format!("killed at step {die_at}");
        let scratch = fresh(true)?;
        if !dies(&scratch, true, "write", die_at)? {
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

#[test]
fn a_mode_that_the_user_sets_after_the_kill_is_kept() -> Outcome {
    for die_at in 1.. {
        let scratch = fresh(true)?;
        if !dies(&scratch, true, "write", die_at)? {
            break;
        }
        for path in GROUPS.concat() {
            let mode = fs::Permissions::from_mode(0o751);
            fs::set_permissions(scratch.root().join(path), mode)?;
        }
        scratch.workspace.recover(&scratch.access)?;
        for path in GROUPS.concat() {
            let mode = fs::metadata(scratch.root().join(path))?.mode() & 0o7777;
            assert_eq!(mode, 0o751, "killed at step {die_at}: {path}");
        }
    }
    Ok(())
}

/// Leaves `scratch` in the state after a write was killed at the first `step`.
fn leave_killed_at(scratch: &Scratch, exchange: bool, step: Step<'_>) -> Outcome {
    let mut steps = 0;
    let mut die_at = None;
    let rehearsal = fresh(exchange)?;
    let written = rehearsal
        .workspace
        .write_observed(groups(), &rehearsal.access, &mut |now| {
            steps += 1;
            if now == step && die_at.is_none() {
                die_at = Some(steps);
            }
        })?;
    assert_eq!(written.refused(), []);
    let died = dies(scratch, exchange, "write", die_at.ok_or("no such step")?)?;
    assert!(died);
    Ok(())
}

/// Leaves `scratch` in the state after a write was killed after replacing `a` and `sub/b`.
fn leave_half_replaced(scratch: &Scratch, exchange: bool) -> Outcome {
    leave_killed_at(scratch, exchange, Step::Replaced("sub/b"))?;
    assert_eq!(scratch.text("sub/b")?, new("sub/b"));
    assert_eq!(scratch.text("sub/deep/c")?, base("sub/deep/c"));
    Ok(())
}

#[test]
fn files_that_are_excluded_after_the_kill_do_not_get_the_new_text() -> Outcome {
    for exchange in BOTH {
        let mut scratch = fresh(exchange)?;
        leave_half_replaced(&scratch, exchange)?;
        let excludes = Excludes::new(&["deep/".to_owned(), "/f".to_owned()])?;
        scratch.access = scratch.access.excluding(excludes);
        let recovery = scratch.workspace.recover(&scratch.access)?;
        // A fix over several files is undone as a whole. Other fixes are finished.
        assert_eq!(recovery.finished(), ["d", "sub/e"]);
        assert_eq!(recovery.taken_back(), ["a", "sub/b", "sub/deep/c", "f"]);
        for path in GROUPS.concat() {
            let is_finished = recovery.finished().contains(&path.to_owned());
            let expected = if is_finished { new(path) } else { base(path) };
            assert_eq!(scratch.text(path)?, expected, "{path}");
        }
        assert_clean(&scratch, "excluded")?;
    }
    Ok(())
}

#[test]
fn a_recovery_that_is_killed_is_recovered() -> Outcome {
    for (exchange, edited) in [(true, false), (true, true), (false, true)] {
        for die_at in 1.. {
            let when = format!("recovery killed at step {die_at}, {exchange}, edited {edited}");
            let scratch = fresh(exchange)?;
            leave_half_replaced(&scratch, exchange)?;
            if edited {
                scratch.put("sub/deep/c", "mine")?;
            }
            let died = dies(&scratch, exchange, "recover", die_at)?;
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
fn without_an_exchange_a_recovery_that_is_killed_is_recovered() -> Outcome {
    for step in [
        Step::MovedAside("sub/b"),
        Step::Linked("sub/b"),
        Step::MovedIn("sub/b"),
    ] {
        for die_at in 1.. {
            let when = format!("{step:?}, recovery killed at step {die_at}");
            let scratch = fresh(false)?;
            leave_killed_at(&scratch, false, step)?;
            let died = dies(&scratch, false, "recover", die_at)?;
            scratch.workspace.recover(&scratch.access)?;
            assert_settled(&scratch, &when)?;
            assert_eq!(scratch.text("a")?, new("a"), "{when}");
            if !died {
                break;
            }
        }
    }
    Ok(())
}

/// The temporary that contains the old text of `path` after the names were exchanged.
fn displaced(scratch: &Scratch, path: &str) -> Outcome<String> {
    let holds = format!("file {}", base(path));
    let tree = scratch.tree()?;
    let mut names = tree.iter().filter(|(name, _)| name.contains(".fixpoint-"));
    let found = names.find(|(_, text)| **text == holds);
    Ok(found.ok_or("nothing was displaced")?.0.clone())
}

/// The new text displaces a save that was made right before the kill. The writer has not compared
/// it yet.
#[test]
fn bytes_saved_right_before_the_kill_are_kept() -> Outcome {
    let scratch = fresh(true)?;
    leave_killed_at(&scratch, true, Step::Exchanged("sub/b"))?;
    scratch.put(&displaced(&scratch, "sub/b")?, "saved in the last moment")?;

    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.finished(), GROUPS.concat());
    let [saved] = recovery.saved() else {
        return Err(format!("{recovery:?}").into());
    };
    assert!(saved.starts_with("sub/.fixpoint-"), "{saved}");
    assert_eq!(scratch.text(saved)?, "saved in the last moment");

    fs::remove_file(scratch.root().join(saved))?;
    assert_settled(&scratch, "recovered")
}

#[test]
fn bytes_saved_before_and_after_the_kill_are_both_kept() -> Outcome {
    let scratch = fresh(true)?;
    leave_killed_at(&scratch, true, Step::Exchanged("sub/b"))?;
    scratch.put(&displaced(&scratch, "sub/b")?, "saved in the last moment")?;
    scratch.put("sub/b", "saved later")?;

    let recovery = scratch.workspace.recover(&scratch.access)?;
    assert_eq!(recovery.kept(), ["sub/b"]);
    assert_eq!(recovery.taken_back(), ["a", "sub/deep/c"]);
    assert_eq!(scratch.text("sub/b")?, "saved later");
    let [saved] = recovery.saved() else {
        return Err(format!("{recovery:?}").into());
    };
    assert_eq!(scratch.text(saved)?, "saved in the last moment");
    Ok(())
}

#[test]
fn temporaries_that_were_changed_after_the_kill_are_not_written() -> Outcome {
    for step in ["sub/b", "sub/e", "f"].map(Step::Exchanged) {
        let scratch = fresh(true)?;
        leave_killed_at(&scratch, true, step)?;
        for path in scratch.tree()?.into_keys() {
            if path.contains(".fixpoint-") {
                scratch.put(&path, "evil")?;
            }
        }
        scratch.workspace.recover(&scratch.access)?;
        assert_whole(&scratch, &format!("{step:?}"))?;
    }
    Ok(())
}

#[test]
fn a_recovery_reports_what_it_did() -> Outcome {
    let scratch = fresh(true)?;
    leave_half_replaced(&scratch, true)?;
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
fn a_write_without_its_temporaries_is_undone_or_reported() -> Outcome {
    let temporaries = |scratch: &Scratch, holding: &dyn Fn(&str) -> bool| -> Outcome {
        for (path, holds) in scratch.tree()? {
            if path.contains(".fixpoint-") && holding(&holds) {
                fs::remove_file(scratch.root().join(path))?;
            }
        }
        Ok(())
    };
    let scratch = fresh(true)?;
    leave_half_replaced(&scratch, true)?;
    temporaries(&scratch, &|holds| holds.starts_with("file new"))?;
    scratch.workspace.recover(&scratch.access)?;
    assert_settled(&scratch, "new copies lost")?;
    assert_eq!(scratch.text("a")?, base("a"));

    let scratch = fresh(true)?;
    leave_half_replaced(&scratch, true)?;
    temporaries(&scratch, &|_| true)?;
    let refused = scratch.workspace.recover(&scratch.access);
    assert!(matches!(refused, Err(RecoverError::BaseLost { path }) if path == "a"));
    assert_whole(&scratch, "all copies lost")
}
