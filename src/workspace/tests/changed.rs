//! Tests which files changed since a revision, in real repositories.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use common::{Outcome, Scratch, open, put, scratch};
use fixpoint_workspace::ChangedError;

fn git(directory: &Path, args: &[&str]) -> Outcome {
    let status = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(args)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .stdout(std::process::Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("git {args:?}: {status}").into())
    }
}

fn commit_all(directory: &Path) -> Outcome {
    git(directory, &["add", "-A"])?;
    git(directory, &["commit", "-q", "-m", "change"])
}

const NONE: [&str; 0] = [];

fn changed(scratch: &Scratch, revision: &str) -> Outcome<Vec<String>> {
    Ok(scratch
        .workspace
        .changed_files(revision, &[], &[])?
        .into_files())
}

fn repository() -> Outcome<Scratch> {
    let scratch = scratch(&[
        (".gitignore", "*.log\n"),
        ("kept", "1"),
        ("edited", "1"),
        ("staged", "1"),
        ("deleted", "1"),
        ("committed", "1"),
        ("sub/moved", "some text that git can recognize\n"),
    ])?;
    git(scratch.root(), &["init", "-q"])?;
    commit_all(scratch.root())?;
    Ok(scratch)
}

#[test]
fn edited_staged_committed_moved_and_new_files_are_changed() -> Outcome {
    let scratch = repository()?;
    assert_eq!(changed(&scratch, "HEAD")?, Vec::<String>::new());

    scratch.put("committed", "2")?;
    commit_all(scratch.root())?;
    scratch.put("edited", "2")?;
    scratch.put("staged", "2")?;
    scratch.put("empty", "")?;
    fs::write(scratch.root().join("binary"), b"\0\xff")?;
    git(scratch.root(), &["add", "staged", "empty", "binary"])?;
    fs::remove_file(scratch.root().join("deleted"))?;
    git(scratch.root(), &["mv", "sub/moved", "sub/ö \n here"])?;
    scratch.put("new/file", "")?;
    scratch.put("ignored.log", "")?;
    scratch.link("kept", "link")?;

    let of_head = [
        "binary",
        "edited",
        "empty",
        "new/file",
        "staged",
        "sub/ö \n here",
    ];
    assert_eq!(changed(&scratch, "HEAD")?, of_head);
    let of_before = [
        "binary",
        "committed",
        "edited",
        "empty",
        "new/file",
        "staged",
        "sub/ö \n here",
    ];
    assert_eq!(changed(&scratch, "HEAD~1")?, of_before);

    let found = scratch
        .workspace
        .changed_files("HEAD", &[], &["/new/".into()])?;
    assert_eq!(
        found.files(),
        ["binary", "edited", "empty", "staged", "sub/ö \n here"]
    );
    Ok(())
}

#[test]
fn a_root_below_the_repository_sees_its_own_part() -> Outcome {
    let scratch = repository()?;
    scratch.put("edited", "2")?;
    scratch.put("sub/moved", "2")?;
    scratch.put("sub/new", "")?;
    let (below, _) = open(&scratch.root().join("sub"))?;
    assert_eq!(
        below.changed_files("HEAD", &[], &[])?.files(),
        ["moved", "new"]
    );
    Ok(())
}

#[test]
fn tracked_files_count_even_if_git_ignores_them() -> Outcome {
    let scratch = repository()?;
    for path in ["forced.log", "sub/forced.log", "sub/other.log"] {
        scratch.put(path, "1")?;
    }
    git(
        scratch.root(),
        &["add", "-f", "forced.log", "sub/forced.log"],
    )?;
    let changed = |paths: &[&str]| -> Outcome<Vec<String>> {
        let paths: Vec<_> = paths.iter().map(Into::into).collect();
        let found = scratch.workspace.changed_files("HEAD", &paths, &[])?;
        Ok(found.into_files())
    };
    assert_eq!(changed(&["."])?, ["forced.log", "sub/forced.log"]);
    assert_eq!(changed(&["sub"])?, ["sub/forced.log"]);
    assert_eq!(changed(&["forced.log", "kept"])?, ["forced.log"]);
    // A file that is named counts even if git ignores it, as without --changed.
    assert_eq!(changed(&["sub/other.log"])?, ["sub/other.log"]);
    scratch.put("sub/.gitignore", "*\n")?;
    assert_eq!(changed(&["sub"])?, ["sub/forced.log"]);
    Ok(())
}

#[test]
fn a_tracked_file_behind_a_link_counts_as_deleted() -> Outcome {
    let scratch = repository()?;
    put(&scratch.outside(), "elsewhere/moved", "2")?;
    fs::remove_dir_all(scratch.root().join("sub"))?;
    for target in ["../elsewhere", "new"] {
        scratch.put("new/moved", "2")?;
        scratch.link(target, "sub")?;
        assert_eq!(changed(&scratch, "HEAD")?, ["new/moved"]);
        fs::remove_file(scratch.root().join("sub"))?;
    }
    Ok(())
}

#[test]
fn a_repository_contains_tracked_files_of_our_own_folder() -> Outcome {
    let paths = [".fixpoint/prove.yml", ".fixpoint/rules/a/b.json", "a.txt"];
    let scratch = scratch(&paths.map(|path| (path, "x\n")))?;
    git(scratch.root(), &["init", "-q"])?;
    commit_all(scratch.root())?;
    scratch.put(".fixpoint/lock", "")?;
    let (workspace, _) = open(scratch.root())?;
    assert_eq!(workspace.repository_files()?, paths);
    Ok(())
}

#[test]
fn files_of_submodules_and_nested_repositories_do_not_count() -> Outcome {
    let library = repository()?;
    let scratch = repository()?;
    let root = scratch.root();
    let url = library.root().to_string_lossy().into_owned();
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
    ];
    git(root, &[&add[..], &["sub/lib"]].concat())?;
    commit_all(root)?;
    assert_eq!(changed(&scratch, "HEAD")?, NONE);
    assert_eq!(changed(&scratch, "HEAD~1")?, [".gitmodules"]);

    scratch.put("sub/lib/edited", "2")?;
    scratch.put("sub/lib/new/file", "")?;
    scratch.put("sub/new", "")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["sub/new"]);
    // Without its own `.git`, it is still a submodule in the index.
    fs::remove_file(root.join("sub/lib/.git"))?;
    assert_eq!(changed(&scratch, "HEAD")?, ["sub/new"]);

    git(root, &["init", "-q", "nested/deep"])?;
    scratch.put("nested/deep/below/a", "")?;
    scratch.put("nested/b", "")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["nested/b", "sub/new"]);
    // A `.git` file that leads nowhere does not make a nested repository.
    scratch.put("broken/.git", "gitdir: nowhere\n")?;
    scratch.put("broken/c", "")?;
    let expected = ["broken/c", "nested/b", "sub/new"];
    assert_eq!(changed(&scratch, "HEAD")?, expected);
    Ok(())
}

#[test]
fn a_file_too_large_to_be_analyzed_is_not_hashed() -> Outcome {
    let scratch = repository()?;
    let large = fs::File::options()
        .write(true)
        .open(scratch.root().join("kept"))?;
    // Hashing this many bytes would take an hour.
    large.set_len(1 << 40)?;
    assert_eq!(changed(&scratch, "HEAD")?, ["kept"]);
    Ok(())
}

#[test]
fn before_the_first_commit_every_file_is_changed() -> Outcome {
    let scratch = scratch(&[("staged", "1"), ("untracked", "1")])?;
    git(scratch.root(), &["init", "-q"])?;
    git(scratch.root(), &["add", "staged"])?;
    assert_eq!(changed(&scratch, "HEAD")?, ["staged", "untracked"]);
    assert!(changed(&scratch, "main").is_err());
    Ok(())
}

#[test]
fn a_revision_is_never_an_option() -> Outcome {
    let scratch = repository()?;
    let trap = scratch.outside().join("trap");
    let output = format!("--output={}", trap.display());
    for revision in [
        "none",
        "",
        "-h",
        "--all",
        &output,
        "HEAD..HEAD",
        "HEAD:kept",
        "HEAD --all",
    ] {
        let refused = scratch.workspace.changed_files(revision, &[], &[]);
        let unknown = matches!(refused, Err(ChangedError::UnknownRevision { .. }));
        assert!(unknown, "{revision:?}: {refused:?}");
    }
    assert!(!trap.exists());
    Ok(())
}

#[test]
fn outside_of_a_repository_the_message_says_so() -> Outcome {
    let scratch = scratch(&[("a", "")])?;
    let refused = scratch.workspace.changed_files("HEAD", &[], &[]);
    assert!(
        matches!(refused, Err(ChangedError::NotARepository)),
        "{refused:?}"
    );
    Ok(())
}

#[test]
fn listing_changed_files_does_not_write_the_index() -> Outcome {
    let scratch = repository()?;
    // The bytes are the same and the time differs: git would record that in the index.
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let kept = fs::File::open(scratch.root().join("kept"))?;
    kept.set_modified(long_ago)?;
    let index = scratch.root().join(".git/index");
    let before = (fs::read(&index)?, fs::metadata(&index)?.modified()?);
    assert!(changed(&scratch, "HEAD")?.is_empty());
    assert_eq!(
        before,
        (fs::read(&index)?, fs::metadata(&index)?.modified()?)
    );
    put(scratch.root(), "kept", "2")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["kept"]);
    Ok(())
}

#[test]
fn texts_of_two_revisions_are_those_of_git() -> Outcome {
    let scratch = repository()?;
    let root = scratch.root();
    scratch.put("a.py", "old\n")?;
    scratch.put("b.py", "same\n")?;
    scratch.put("gone.py", "gone\n")?;
    scratch.put("c.txt", "1")?;
    commit_all(root)?;
    scratch.put("a.py", "new\n")?;
    scratch.put("c.txt", "2")?;
    scratch.put("added.py", "added\n")?;
    fs::write(root.join("latin.py"), [0xe9])?;
    fs::remove_file(root.join("gone.py"))?;
    commit_all(root)?;
    scratch.put("a.py", "not committed\n")?;

    let is_python = |path: &str| path.ends_with(".py");
    let texts = scratch
        .workspace
        .texts_of_revisions("HEAD~1", "HEAD", is_python)?;

    let changed: Vec<_> = texts
        .changed
        .iter()
        .map(|it| (&*it.path, &*it.before, &*it.after))
        .collect();
    assert_eq!(changed, [("a.py", "old\n", "new\n")]);
    let unchanged: Vec<_> = texts
        .unchanged
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    assert_eq!(unchanged, [("added.py", "added\n"), ("b.py", "same\n")]);

    for revision in ["missing", "--help", ""] {
        let unknown = scratch
            .workspace
            .texts_of_revisions(revision, "HEAD", is_python);
        assert!(
            matches!(unknown, Err(ChangedError::UnknownRevision { .. })),
            "{revision}"
        );
    }
    Ok(())
}
