//! Tests reading one file.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use common::{Outcome, as_ordinary_user, put, scratch};
use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_FILE_SIZE, PathError, ReadError};

#[test]
fn text_is_read_unchanged() -> Outcome {
    let text = "\u{feff}a\r\nb\n\nno end";
    let scratch = scratch(&[("sub/a", text)])?;
    scratch.link("sub/a", "link")?;
    scratch.link(scratch.root().join("sub/a"), "absolute")?;
    for path in ["sub/a", "link", "absolute"] {
        let snapshot = scratch.workspace.read(path)?;
        assert_eq!(snapshot.text(), text);
        assert_eq!(snapshot.path(), path);
        assert_eq!(snapshot.digest(), Digest::of(text.as_bytes()));
    }
    Ok(())
}

#[test]
fn a_file_that_is_not_text_is_rejected_with_the_offset() -> Outcome {
    let scratch = scratch(&[("nul", "ab\0c")])?;
    fs::write(scratch.root().join("latin1"), b"caf\xe9")?;
    let read = |path| scratch.workspace.read(path);
    assert!(matches!(
        read("nul"),
        Err(ReadError::HasNul { offset: 2, .. })
    ));
    assert!(matches!(
        read("latin1"),
        Err(ReadError::NotUtf8 { offset: 3, .. })
    ));
    Ok(())
}

#[test]
fn only_regular_files_are_opened() -> Outcome {
    let scratch = scratch(&[("dir/file", "")])?;
    scratch.fifo("pipe")?;
    scratch.link("pipe", "link")?;
    for path in ["dir", "pipe", "link"] {
        let refused = scratch.workspace.read(path);
        assert!(matches!(refused, Err(ReadError::NotAFile { .. })), "{path}");
    }
    for path in ["none", "dir/file/below"] {
        let refused = scratch.workspace.read(path);
        assert!(matches!(refused, Err(ReadError::Vanished { .. })), "{path}");
    }
    scratch.link("loop", "loop")?;
    assert!(scratch.workspace.read("loop").is_err());
    Ok(())
}

#[test]
fn nothing_outside_the_workspace_is_read() -> Outcome {
    let scratch = scratch(&[("a", "")])?;
    put(&scratch.outside(), "secret", "x")?;
    scratch.link("../secret", "relative")?;
    scratch.link(scratch.outside().join("secret"), "absolute")?;
    scratch.link("..", "up")?;
    for path in ["relative", "absolute", "up/secret"] {
        let refused = scratch.workspace.read(path);
        let outside = matches!(refused, Err(ReadError::Path(PathError::Outside { .. })));
        assert!(outside, "{path}: {refused:?}");
    }
    for path in ["../secret", "/etc/passwd", "a/../../secret", ".git/config"] {
        let refused = scratch.workspace.read(path);
        assert!(matches!(refused, Err(ReadError::Path(_))), "{path}");
    }
    Ok(())
}

#[test]
fn a_huge_file_is_refused_by_its_size() -> Outcome {
    let scratch = scratch(&[])?;
    let file = fs::File::create(scratch.root().join("huge"))?;
    file.set_len(MAX_FILE_SIZE + 1)?;
    let refused = scratch.workspace.read("huge");
    let expected = MAX_FILE_SIZE + 1;
    assert!(matches!(refused, Err(ReadError::TooLarge { size, .. }) if size == expected));
    Ok(())
}

#[test]
fn an_unreadable_file_has_its_own_error() -> Outcome {
    let scratch = scratch(&[("locked", "")])?;
    let locked = scratch.root().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000))?;
    let refused = as_ordinary_user(|| scratch.workspace.read("locked"));
    assert!(matches!(refused, Err(ReadError::Permission { .. })));
    Ok(())
}
