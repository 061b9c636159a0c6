//! Tests which files a search finds.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use common::{Outcome, Scratch, as_ordinary_user, scratch};
use fixpoint_workspace::{FindError, Found, PathError, SkipReason};

fn find(scratch: &Scratch, paths: &[&str], excludes: &[&str]) -> Outcome<Found> {
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let excludes: Vec<String> = excludes.iter().map(ToString::to_string).collect();
    Ok(scratch.workspace.find(&paths, &excludes)?)
}

fn skipped(found: &Found) -> Vec<(&str, &SkipReason)> {
    let skipped = found.skipped().iter();
    skipped.map(|one| (one.path(), one.reason())).collect()
}

#[test]
fn a_walk_finds_the_files_that_git_would_track() -> Outcome {
    let scratch = scratch(&[
        (".gitignore", "/target\n*.log\n"),
        (".bazelrc", ""),
        (".github/workflows/ci.yml", ""),
        (".git/config", ""),
        (".fixpoint/journal-done", ""),
        ("src/.fixpoint-0123456789ab.tmp", ""),
        ("src/a.json", ""),
        ("src/a.log", ""),
        ("src/sub/.gitignore", "!b.log\n"),
        ("src/sub/b.log", ""),
        ("target/out.json", ""),
        ("x.json/inside", ""),
    ])?;
    let expected = [
        ".bazelrc",
        ".github/workflows/ci.yml",
        ".gitignore",
        "src/a.json",
        "src/sub/.gitignore",
        "src/sub/b.log",
        "x.json/inside",
    ];
    assert_eq!(find(&scratch, &[], &[])?.files(), expected);
    // The result is the same without a repository.
    fs::remove_dir_all(scratch.root().join(".git"))?;
    let found = find(&scratch, &["."], &[])?;
    assert_eq!(found.files(), expected);
    assert_eq!(skipped(&found), []);
    Ok(())
}

#[test]
fn ignore_files_above_a_named_directory_count() -> Outcome {
    for with_git in [true, false] {
        let scratch = scratch(&[
            (".gitignore", "*.log\n/src/gen\n"),
            ("src/a.json", ""),
            ("src/a.log", ""),
            ("src/gen/c.json", ""),
            ("other/b.json", ""),
        ])?;
        fs::write(scratch.outside().join(".gitignore"), "*.json\n")?;
        if with_git {
            fs::create_dir(scratch.root().join(".git"))?;
        }
        assert_eq!(find(&scratch, &["src"], &[])?.files(), ["src/a.json"]);
        // A directory that is named is searched even if git ignores it.
        assert_eq!(
            find(&scratch, &["src/gen"], &[])?.files(),
            ["src/gen/c.json"]
        );
    }
    Ok(())
}

#[test]
fn a_root_inside_a_repository_uses_its_ignore_rules() -> Outcome {
    let scratch = scratch(&[("a.json", ""), ("a.log", "")])?;
    fs::create_dir(scratch.outside().join(".git"))?;
    fs::write(scratch.outside().join(".gitignore"), "*.log\n")?;
    assert_eq!(find(&scratch, &[], &[])?.files(), ["a.json"]);
    Ok(())
}

#[test]
fn a_named_file_is_found_even_if_ignored_but_not_if_excluded() -> Outcome {
    let scratch = scratch(&[
        (".gitignore", "*.log\n"),
        ("a.log", ""),
        ("third_party/b.json", ""),
        ("src/c.json", ""),
        ("src/c.gen.json", ""),
    ])?;
    assert_eq!(find(&scratch, &["a.log"], &[])?.files(), ["a.log"]);

    let excludes = ["/third_party/", "*.gen.json"];
    let found = find(
        &scratch,
        &["src", "third_party/b.json", "third_party"],
        &excludes,
    )?;
    assert_eq!(found.files(), ["src/c.json"]);
    let excluded = &SkipReason::Excluded;
    let expected = [("third_party", excluded), ("third_party/b.json", excluded)];
    assert_eq!(skipped(&found), expected);
    assert_eq!(
        find(&scratch, &[], &excludes)?.files(),
        [".gitignore", "src/c.json"]
    );

    let bad = scratch.workspace.find(&[], &["a{".to_owned()]);
    assert!(matches!(bad, Err(FindError::Exclude { .. })));
    Ok(())
}

// F-58
#[test]
fn a_file_reached_by_several_paths_is_listed_once() -> Outcome {
    let scratch = scratch(&[("src/a.json", ""), ("src/b.json", "")])?;
    scratch.link("a.json", "src/link.json")?;
    scratch.link("src", "dir")?;
    scratch.link(scratch.root().join("src/a.json"), "absolute.json")?;
    let paths = [
        "src/b.json",
        "dir/a.json",
        "dir/",
        "src",
        "src/../src/a.json",
    ];
    let found = find(&scratch, &paths, &[])?;
    assert_eq!(found.files(), ["src/a.json", "src/b.json"]);
    assert_eq!(skipped(&found), []);

    let mut reversed = paths;
    reversed.reverse();
    assert_eq!(find(&scratch, &reversed, &[])?.files(), found.files());
    assert_eq!(find(&scratch, &[], &[])?.files(), found.files());
    Ok(())
}

#[test]
fn a_named_link_is_skipped() -> Outcome {
    let scratch = scratch(&[("src/a.json", ""), ("b.json", "")])?;
    scratch.link("a.json", "src/inside.json")?;
    scratch.link(scratch.root().join("src/a.json"), "absolute.json")?;
    scratch.link("src", "folder")?;
    scratch.link("none", "dangling.json")?;
    scratch.link("loop.json", "loop.json")?;
    scratch.link(scratch.outside(), "outside")?;
    let links = [
        "absolute.json",
        "dangling.json",
        "folder",
        "loop.json",
        "outside",
        "src/inside.json",
    ];
    let mut paths = links.to_vec();
    paths.extend(["b.json", "folder/inside.json", "src/../folder"]);
    let found = find(&scratch, &paths, &[])?;
    assert_eq!(found.files(), ["b.json"]);
    assert_eq!(skipped(&found), links.map(|path| (path, &SkipReason::Link)));
    assert!(!SkipReason::Link.is_failure());

    // A link outside of the workspace is only another path of the workspace.
    let entrance = scratch.outside().join("entrance");
    std::os::unix::fs::symlink(scratch.root(), &entrance)?;
    let found = scratch.workspace.find(&[entrance], &[])?;
    assert_eq!(found.files(), ["b.json", "src/a.json"]);
    Ok(())
}

#[test]
fn many_named_directories_are_searched_as_one() -> Outcome {
    let scratch = scratch(&[("other/x", ""), (".gitignore", "/ignored\n")])?;
    let folders: Vec<String> = (0..200).map(|it| format!("deep/{it}/below")).collect();
    for folder in &folders {
        scratch.put(&format!("{folder}/sub/a"), "")?;
        scratch.put(&format!("{folder}x/a"), "")?;
    }
    scratch.put("ignored/a", "")?;
    let mut paths: Vec<&str> = folders.iter().map(String::as_str).collect();
    paths.extend(["ignored", "deep/7/below/sub"]);
    let found = find(&scratch, &paths, &[])?;
    let expected = folders.iter().map(|folder| format!("{folder}/sub/a"));
    let mut expected: Vec<String> = expected.chain(["ignored/a".to_owned()]).collect();
    expected.sort();
    assert_eq!(found.files(), expected);
    Ok(())
}

#[test]
fn links_are_not_followed_by_a_walk() -> Outcome {
    let scratch = scratch(&[("src/a.json", "")])?;
    let outside = scratch.outside();
    fs::write(outside.join("secret.json"), "")?;
    scratch.link("..", "src/cycle")?;
    scratch.link("self", "self")?;
    scratch.link("none", "dangling")?;
    scratch.link(&outside, "bazel-out")?;
    scratch.link(&outside, "src/escape")?;

    let found = find(&scratch, &[], &[])?;
    assert_eq!(found.files(), ["src/a.json"]);
    assert_eq!(skipped(&found), [("src/escape", &SkipReason::LeadsOutside)]);

    let named = scratch
        .workspace
        .find(&["src/escape/secret.json".into()], &[]);
    assert!(matches!(
        named,
        Err(FindError::Path(PathError::Outside { .. }))
    ));
    let missing = scratch.workspace.find(&["src/none.json".into()], &[]);
    let message = missing
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(message.contains("src/none.json"), "{message}");
    Ok(())
}

#[test]
fn pipes_and_sockets_are_never_opened() -> Outcome {
    let scratch = scratch(&[("a.json", "")])?;
    scratch.fifo("pipe.json")?;
    let _socket = UnixListener::bind(scratch.root().join("socket.json"))?;
    let not_regular = &SkipReason::NotRegular;
    let expected = [("pipe.json", not_regular), ("socket.json", not_regular)];
    for paths in [&[][..], &["a.json", "pipe.json", "socket.json"]] {
        let found = find(&scratch, paths, &[])?;
        assert_eq!(found.files(), ["a.json"]);
        assert_eq!(skipped(&found), expected);
    }
    Ok(())
}

#[test]
fn a_name_that_is_not_utf8_is_a_failure_and_the_walk_continues() -> Outcome {
    let scratch = scratch(&[("a.json", "")])?;
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.json");
    fs::write(scratch.root().join(name), "")?;
    let found = find(&scratch, &[], &[])?;
    assert_eq!(found.files(), ["a.json"]);
    assert_eq!(found.skipped()[0].reason(), &SkipReason::NotUtf8);
    assert!(found.skipped()[0].reason().is_failure());
    Ok(())
}

#[test]
fn an_unreadable_directory_is_a_failure_and_the_walk_continues() -> Outcome {
    let scratch = scratch(&[("a/x.json", ""), ("locked/y.json", ""), ("z.json", "")])?;
    let locked = scratch.root().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000))?;
    let found = as_ordinary_user(|| scratch.workspace.find(&[], &[]))?;
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755))?;
    assert_eq!(found.files(), ["a/x.json", "z.json"]);
    let [failure] = found.skipped() else {
        return Err(format!("{:?}", found.skipped()).into());
    };
    assert_eq!(failure.path(), "locked");
    assert!(failure.reason().is_failure());
    Ok(())
}

#[test]
fn git_directories_are_skipped_even_if_named() -> Outcome {
    let scratch = scratch(&[(".git/config", ""), ("a", "")])?;
    let found = find(&scratch, &[".git", ".git/config"], &[])?;
    assert!(found.files().is_empty());
    let reserved = &SkipReason::Reserved;
    assert_eq!(
        skipped(&found),
        [(".git", reserved), (".git/config", reserved)]
    );
    Ok(())
}

#[test]
fn an_ignore_file_that_is_a_link_does_not_count() -> Outcome {
    let scratch = scratch(&[("rules", "a.json\n"), ("a.json", ""), ("sub/b.json", "")])?;
    scratch.link("rules", ".gitignore")?;
    scratch.link("/dev/zero", "sub/.gitignore")?;
    let found = find(&scratch, &[], &[])?;
    assert_eq!(found.files(), ["a.json", "rules", "sub/b.json"]);
    let linked = &SkipReason::LinkedIgnoreFile;
    assert!(skipped(&found).contains(&(".gitignore", linked)));
    assert!(skipped(&found).contains(&("sub/.gitignore", linked)));
    Ok(())
}

#[test]
fn a_directory_with_unreadable_ignore_rules_is_skipped() -> Outcome {
    let scratch = scratch(&[("a.json", ""), ("pipe/b.json", ""), ("large/c.json", "")])?;
    scratch.fifo("pipe/.gitignore")?;
    scratch.put("large/.gitignore", &"*.log\n".repeat(100_000))?;
    let found = find(&scratch, &[], &[])?;
    assert_eq!(found.files(), ["a.json"]);
    let names: Vec<&str> = skipped(&found).into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["large/.gitignore", "pipe/.gitignore"]);
    assert!(found.skipped().iter().all(|it| it.reason().is_failure()));

    scratch.fifo(".gitignore")?;
    assert!(find(&scratch, &[], &[])?.files().is_empty());
    Ok(())
}

#[test]
fn the_total_size_of_ignore_files_is_limited() -> Outcome {
    let scratch = scratch(&[("a.json", "")])?;
    for number in 0..20 {
        scratch.put(&format!("{number:02}/x.json"), "")?;
        scratch.put(&format!("{number:02}/.gitignore"), &"name\n".repeat(25_000))?;
    }
    let found = find(&scratch, &[], &[])?;
    assert!(found.files().len() < 30, "{:?}", found.files());
    assert!(found.skipped().iter().any(|it| it.reason().is_failure()));
    Ok(())
}

#[test]
fn ignore_rules_of_the_repository_and_of_nested_ones_apply() -> Outcome {
    let scratch = scratch(&[
        (".gitignore", "*.log\n!kept.log\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
        (".git/info/exclude", "local\n"),
        ("a.log", ""),
        ("kept.log", ""),
        ("local", ""),
        ("nested/.git", "gitdir: nowhere\n"),
        ("nested/b.log", ""),
        ("nested/local", ""),
    ])?;
    let found = find(&scratch, &[], &[])?;
    assert_eq!(
        found.files(),
        [".gitignore", "kept.log", "nested/b.log", "nested/local"]
    );
    Ok(())
}

#[test]
fn a_git_directory_of_any_name_contains_no_sources() -> Outcome {
    let scratch = scratch(&[
        ("a.json", "{}"),
        ("vendor/foo.git/HEAD", "ref: refs/heads/main\n"),
        ("vendor/foo.git/config.json", "{}"),
        ("vendor/foo.git/objects/x", ""),
        ("vendor/foo.git/refs/x", ""),
        ("vendor/foo.git/hooks/run.json", "{}"),
        ("vendor/HEAD", "not git's"),
    ])?;
    let found = find(&scratch, &[], &[])?;
    assert_eq!(found.files(), ["a.json", "vendor/HEAD"]);
    assert_eq!(skipped(&found), [("vendor/foo.git", &SkipReason::Reserved)]);
    for path in [
        "vendor/foo.git",
        "vendor/foo.git/hooks",
        "vendor/foo.git/config.json",
    ] {
        let found = find(&scratch, &[path], &[])?;
        assert!(found.files().is_empty(), "{path}");
        assert_eq!(skipped(&found), [(path, &SkipReason::Reserved)]);
    }
    let path = "vendor/foo.git/hooks/run.json";
    assert!(scratch.workspace.read(path).is_err());
    let change = common::change(path, "{}", "{ }");
    let written = scratch
        .workspace
        .write(vec![vec![change]], &scratch.access)?;
    assert_eq!(written.refused().len(), 1);
    assert_eq!(scratch.text(path)?, "{}");
    Ok(())
}
