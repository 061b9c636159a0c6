//! Tests how the root of a workspace is found, and how typed paths are resolved in it.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use common::{Outcome, put, scratch};
use fixpoint_workspace::{PathError, Workspace};

#[test]
fn the_nearest_config_is_the_root_then_the_nearest_bazel_or_git_root() -> Outcome {
    let scratch = scratch(&[("fixpoint.toml", ""), ("a/MODULE.bazel", ""), ("a/b/c", "")])?;
    let outer = scratch.root();
    assert_eq!(Workspace::discover(&outer.join("a/b"))?.root(), outer);

    fs::remove_file(outer.join("fixpoint.toml"))?;
    assert_eq!(
        Workspace::discover(&outer.join("a/b"))?.root(),
        outer.join("a")
    );
    fs::create_dir(outer.join("a/b/.git"))?;
    assert_eq!(
        Workspace::discover(&outer.join("a/b"))?.root(),
        outer.join("a/b")
    );
    Ok(())
}

#[test]
fn a_directory_without_any_marker_is_its_own_root() -> Outcome {
    let scratch = scratch(&[("a/file", "")])?;
    let found = Workspace::discover(&scratch.root().join("a"))?;
    assert!(found.root().ends_with("a"));
    assert!(Workspace::open(&scratch.root().join("none")).is_err());
    assert!(Workspace::open(&scratch.root().join("a/file")).is_err());
    Ok(())
}

#[test]
fn a_typed_path_is_relative_to_the_working_directory() -> Outcome {
    let scratch = scratch(&[("fixpoint.toml", ""), ("src/a.json", ""), ("b.json", "")])?;
    let root = scratch.root().to_owned();
    let workspace = Workspace::discover(&root.join("src"))?;
    assert_eq!(workspace.relative(Path::new("a.json"))?, "src/a.json");
    assert_eq!(workspace.relative(Path::new("../b.json"))?, "b.json");
    assert_eq!(
        workspace.relative(Path::new("../src/./a.json"))?,
        "src/a.json"
    );
    assert_eq!(workspace.relative(&root.join("b.json"))?, "b.json");
    assert_eq!(workspace.relative(Path::new(".."))?, ".");
    Ok(())
}

// F-53
#[test]
fn paths_that_lead_out_or_nowhere_are_refused() -> Outcome {
    let scratch = scratch(&[("a/in", "")])?;
    put(&scratch.outside(), "secret", "x")?;
    scratch.link(scratch.outside(), "out")?;
    scratch.link("../ws/a/in", "roundabout")?;
    let relative = |path: &str| scratch.workspace.relative(Path::new(path));

    for path in [
        "..",
        "../secret",
        "/etc/passwd",
        "../none",
        "a/../../secret",
        "out",
        "out/secret",
    ] {
        assert!(
            matches!(relative(path), Err(PathError::Outside { .. })),
            "{path}"
        );
    }
    assert!(matches!(relative("none"), Err(PathError::Missing { .. })));
    assert_eq!(relative("roundabout")?, "a/in");
    Ok(())
}

#[test]
fn a_name_that_is_not_utf8_is_refused() -> Outcome {
    let scratch = scratch(&[])?;
    let name = Path::new(std::ffi::OsStr::from_bytes(b"bad\xff"));
    fs::write(scratch.root().join(name), "")?;
    let refused = scratch.workspace.relative(name);
    assert!(matches!(refused, Err(PathError::NotUtf8 { .. })));
    Ok(())
}

#[test]
fn the_config_is_read_if_it_exists() -> Outcome {
    let scratch = scratch(&[])?;
    assert_eq!(scratch.workspace.read_config()?, None);
    scratch.put("fixpoint.toml", "strict = true\n")?;
    let text = scratch.workspace.read_config()?;
    assert_eq!(text.as_deref(), Some("strict = true\n"));
    Ok(())
}
