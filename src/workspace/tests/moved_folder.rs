//! Moves a folder at every step of a write.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;

use common::{Outcome, Scratch, change, scratch};

/// A fix over two files of a folder, and a fix of a third file. The folder is moved at step
/// `moved_at`, and `replacement` is created under its name. Returns the number of steps.
fn write(scratch: &Scratch, moved_at: usize, replacement: bool) -> Outcome<usize> {
    let groups = vec![
        vec![
            change("sub/b", "old", "new"),
            change("sub/deep/c", "old", "new"),
        ],
        vec![change("z", "old", "new")],
    ];
    let root = scratch.root();
    let mut steps = 0;
    let mut moved = Ok(());
    let mut observe = |_: fixpoint_workspace::Step<'_>| {
        if steps == moved_at {
            moved = fs::rename(root.join("sub"), root.join("moved"));
            if replacement {
                let made = fs::create_dir_all(root.join("sub/deep"));
                let texts = made.and_then(|()| fs::write(root.join("sub/b"), "mine"));
                moved = texts.and_then(|()| fs::write(root.join("sub/deep/c"), "mine"));
            }
        }
        steps += 1;
    };
    let written = scratch
        .workspace
        .write_observed(groups, &scratch.access, &mut observe)?;
    moved?;
    let is_written = written.files() == ["sub/b", "sub/deep/c", "z"];
    assert!(
        is_written || (written.files() == ["z"] && written.refused().len() == 2),
        "{moved_at}: {written:?}"
    );

    let text = if is_written { "new" } else { "old" };
    let folder = if moved_at < steps { "moved" } else { "sub" };
    let mut expected = vec![
        (format!("{folder}/b"), text),
        (format!("{folder}/deep/c"), text),
        ("z".to_owned(), "new"),
    ];
    if replacement && moved_at < steps {
        let others = ["sub/b", "sub/deep/c"];
        expected.extend(others.map(|path| (path.to_owned(), "mine")));
    }
    expected.sort_unstable();
    let tree = scratch.tree()?;
    let files = tree.iter().filter_map(|(path, holds)| {
        let text = holds.strip_prefix("file ")?;
        Some((path.clone(), text))
    });
    assert_eq!(files.collect::<Vec<_>>(), expected, "{moved_at}");
    Ok(steps)
}

#[test]
fn a_folder_that_is_moved_keeps_its_old_or_its_new_texts() -> Outcome {
    for replacement in [false, true] {
        let mut moved_at = 0;
        loop {
            let files = [("sub/b", "old"), ("sub/deep/c", "old"), ("z", "old")];
            let scratch = scratch(&files)?;
            let steps = write(&scratch, moved_at, replacement)?;
            if moved_at >= steps {
                break;
            }
            moved_at += 1;
        }
        assert!(moved_at > 20, "{moved_at}");
    }
    Ok(())
}
