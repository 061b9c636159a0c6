//! Tests which files changed since a revision, in repositories whose configuration names programs.
#![allow(
    clippy::disallowed_methods,
    reason = "tests prepare and look at real files"
)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Outcome, Scratch, open, put, scratch};

/// Git with an empty configuration; it starts no program of the repository.
fn git(directory: &Path, args: &[&str]) -> Outcome<String> {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "core.fsmonitor=false",
        ])
        .args(["-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git {args:?}: {message}").into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn commit_all(directory: &Path) -> Outcome {
    git(directory, &["add", "-A"])?;
    git(directory, &["commit", "-q", "-m", "change"])?;
    Ok(())
}

fn changed(scratch: &Scratch, revision: &str) -> Outcome<Vec<String>> {
    Ok(scratch
        .workspace
        .changed_files(revision, &[], &[])?
        .into_files())
}

/// A program that records that it ran.
fn trap(scratch: &Scratch) -> Outcome<(PathBuf, PathBuf)> {
    let (program, marker) = (
        scratch.outside().join("trap"),
        scratch.outside().join("ran"),
    );
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", marker.display()),
    )?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    Ok((program, marker))
}

fn repository(files: &[(&str, &str)]) -> Outcome<Scratch> {
    let scratch = scratch(files)?;
    git(scratch.root(), &["init", "-q"])?;
    commit_all(scratch.root())?;
    Ok(scratch)
}

#[test]
fn no_program_that_a_configuration_names_is_started() -> Outcome {
    let scratch = repository(&[
        (".gitattributes", "* filter=f diff=d merge=m\n"),
        ("kept", "1\n"),
        ("edited", "1\n"),
    ])?;
    let (program, marker) = trap(&scratch)?;
    let program = program.display();
    let (root, included) = (scratch.root(), scratch.outside().join("included"));
    fs::write(
        &included,
        format!("[core]\n\tfsmonitor = {program}\n\tpager = {program}\n"),
    )?;
    let hooks = scratch.root().join(".git/hooks");
    fs::create_dir_all(&hooks)?;
    for hook in [
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
    ] {
        fs::copy(scratch.outside().join("trap"), hooks.join(hook))?;
    }
    let hostile = format!(
        r#"
[core]
	fsmonitor = {program}
	fsmonitorHookVersion = 2
	pager = {program}
	editor = {program}
	askPass = {program}
	sshCommand = {program}
	gitProxy = {program}
	alternateRefsCommand = {program}
	hooksPath = {hooks}
	attributesFile = /dev/zero
	excludesFile = /dev/zero
	untrackedCache = true
[filter "f"]
	clean = {program}
	smudge = {program}
	process = {program}
	required = true
[diff]
	external = {program}
[diff "d"]
	command = {program}
	textconv = {program}
[merge "m"]
	driver = {program}
[credential]
	helper = {program}
[gpg]
	program = {program}
[pager]
	diff = {program}
	ls-tree = {program}
	config = {program}
[alias]
	ls-tree = !{program}
	rev-parse = !{program}
[remote "origin"]
	url = ext::{program}
	uploadpack = {program}
	vcs = trap
	promisor = true
	partialclonefilter = blob:none
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[include]
	path = {included}
[includeIf "gitdir:/"]
	path = {included}
"#,
        hooks = hooks.display(),
        included = included.display(),
    );
    let config = root.join(".git/config");
    let plain = fs::read_to_string(&config)?;
    fs::write(&config, plain + &hostile)?;
    scratch.put("edited", "2\n")?;
    scratch.put("new", "1\n")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["edited", "new"]);
    assert!(!marker.exists(), "{}", fs::read_to_string(&marker)?);
    // Another extension makes git look for missing objects elsewhere.
    let with_extension = fs::read_to_string(&config)?
        .replace("repositoryformatversion = 0", "repositoryformatversion = 1")
        + "[extensions]\n\tpartialClone = origin\n\tworktreeConfig = true\n";
    fs::write(&config, with_extension)?;
    fs::write(root.join(".git/config.worktree"), &hostile)?;
    assert_eq!(changed(&scratch, "HEAD")?, ["edited", "new"]);
    let blob = git(
        Path::new("/"),
        &["hash-object", &root.join("kept").to_string_lossy()],
    )?;
    fs::remove_file(root.join(".git/objects").join(&blob[..2]).join(&blob[2..]))?;
    assert_eq!(changed(&scratch, "HEAD")?, ["edited", "new"]);
    assert!(!marker.exists(), "{}", fs::read_to_string(&marker)?);
    Ok(())
}

#[test]
fn a_bare_repository_inside_a_clone_is_not_used() -> Outcome {
    let scratch = repository(&[("kept", "1\n"), ("sub/kept", "1\n")])?;
    let (program, marker) = trap(&scratch)?;
    let sub = scratch.root().join("sub");
    for directory in ["objects", "refs/heads"] {
        fs::create_dir_all(sub.join(directory))?;
    }
    put(&sub, "HEAD", "ref: refs/heads/main\n")?;
    let config = format!(
        "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {}\n",
        program.display()
    );
    put(&sub, "config", &config)?;
    assert!(open(&sub).is_err());
    put(&sub, "inner/new", "1\n")?;
    let (inner, _) = open(&sub.join("inner"))?;
    assert_eq!(inner.changed_files("HEAD", &[], &[])?.files(), ["new"]);
    assert_eq!(changed(&scratch, "HEAD")?, Vec::<String>::new());
    assert!(!marker.exists());
    Ok(())
}

#[test]
fn a_filtered_file_is_changed_unless_its_bytes_equal_the_blob() -> Outcome {
    let scratch = scratch(&[
        (".gitattributes", "*.up filter=up\n"),
        ("a.up", "ABC\n"),
        ("b.up", "abc\n"),
    ])?;
    let root = scratch.root();
    git(root, &["init", "-q"])?;
    git(root, &["config", "filter.up.clean", "tr A-Z a-z"])?;
    commit_all(root)?;
    assert_eq!(changed(&scratch, "HEAD")?, ["a.up"]);
    Ok(())
}

#[test]
fn line_ends_that_git_converts_are_not_a_change() -> Outcome {
    let files = [
        (
            ".gitattributes",
            "*.txt text\n*.raw -text\n*.win eol=crlf\n",
        ),
        ("a.txt", "1\n2\n"),
        ("a.raw", "1\n2\n"),
        ("a.win", "1\n2\n"),
        ("plain", "1\n2\n"),
        ("edited.txt", "1\n2\n"),
    ];
    let scratch = repository(&files)?;
    for (path, _) in &files[1..5] {
        scratch.put(path, "1\r\n2\r\n")?;
    }
    scratch.put("edited.txt", "1\r\n3\r\n")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["a.raw", "edited.txt", "plain"]);
    git(scratch.root(), &["config", "core.autocrlf", "true"])?;
    assert_eq!(changed(&scratch, "HEAD")?, ["a.raw", "edited.txt"]);
    let (below, _) = {
        put(scratch.root(), "sub/b.txt", "1\n")?;
        commit_all(scratch.root())?;
        put(scratch.root(), "sub/b.txt", "1\r\n")?;
        open(&scratch.root().join("sub"))?
    };
    assert!(below.changed_files("HEAD", &[], &[])?.files().is_empty());
    Ok(())
}

#[test]
fn ignored_tracked_files_count_and_deleted_ones_do_not() -> Outcome {
    let scratch = repository(&[(".gitignore", "*.log\n"), ("gone", "1"), ("to_link", "1")])?;
    let root = scratch.root();
    for path in ["forced.log", "later.log", "ignored.log"] {
        scratch.put(path, "1")?;
    }
    git(root, &["add", "-f", "forced.log"])?;
    commit_all(root)?;
    assert_eq!(changed(&scratch, "HEAD~1")?, ["forced.log"]);
    scratch.put("forced.log", "2")?;
    git(root, &["add", "-f", "later.log"])?;
    fs::remove_file(root.join("gone"))?;
    fs::remove_file(root.join("to_link"))?;
    scratch.link("forced.log", "to_link")?;
    assert_eq!(changed(&scratch, "HEAD")?, ["forced.log", "later.log"]);
    Ok(())
}

#[test]
fn revisions_use_the_syntax_of_git() -> Outcome {
    let scratch = repository(&[("a", "1")])?;
    let root = scratch.root();
    git(root, &["tag", "-a", "v1", "-m", "one"])?;
    git(root, &["branch", "old"])?;
    scratch.put("a", "2")?;
    commit_all(root)?;
    let first = git(root, &["rev-parse", "HEAD~1"])?;
    git(root, &["pack-refs", "--all"])?;
    git(root, &["config", "branch.main.remote", "."])?;
    git(root, &["config", "branch.main.merge", "refs/heads/old"])?;
    for revision in [
        "v1",
        "old",
        "HEAD~1",
        "HEAD@{1}",
        "@{upstream}",
        &first,
        &first[..10],
    ] {
        assert_eq!(changed(&scratch, revision)?, ["a"], "{revision}");
    }
    git(root, &["checkout", "-q", "--detach"])?;
    assert!(changed(&scratch, "HEAD")?.is_empty());
    Ok(())
}

#[test]
fn linked_work_trees_separate_git_directories_and_sha256_repositories_are_read() -> Outcome {
    let scratch = repository(&[("a", "1")])?;
    let other = scratch.outside().join("other");
    git(
        scratch.root(),
        &["worktree", "add", "-q", &other.to_string_lossy()],
    )?;
    put(&other, "a", "2")?;
    let (workspace, _) = open(&other)?;
    assert_eq!(workspace.changed_files("HEAD", &[], &[])?.files(), ["a"]);
    assert!(changed(&scratch, "HEAD")?.is_empty());

    for options in [
        &["init", "-q", "--separate-git-dir=store", "."][..],
        &["init", "-q", "--object-format=sha256", "."],
    ] {
        let scratch = common::scratch(&[("a", "1"), ("b", "1")])?;
        git(scratch.root(), options)?;
        git(scratch.root(), &["add", "a", "b"])?;
        git(scratch.root(), &["commit", "-q", "-m", "one"])?;
        scratch.put("b", "2")?;
        assert_eq!(changed(&scratch, "HEAD")?, ["b"], "{options:?}");
    }
    Ok(())
}

#[test]
fn a_repository_made_of_pipes_is_refused() -> Outcome {
    let scratch = repository(&[("a", "1")])?;
    for name in ["config", "HEAD"] {
        let file = scratch.root().join(".git").join(name);
        let text = fs::read(&file)?;
        fs::remove_file(&file)?;
        scratch.fifo(&format!(".git/{name}"))?;
        assert!(changed(&scratch, "HEAD").is_err());
        fs::remove_file(&file)?;
        fs::write(&file, text)?;
    }
    assert!(changed(&scratch, "HEAD")?.is_empty());
    Ok(())
}

#[test]
fn git_never_opens_what_is_not_a_regular_file() -> Outcome {
    let scratch = repository(&[("a", "1"), ("sub/b", "1")])?;
    let root = scratch.root();
    let object = git(root, &["rev-parse", "HEAD^{tree}"])?;
    let borrowed = scratch.outside().join("borrowed");
    fs::create_dir_all(borrowed.join("pack"))?;
    let pipe_there = borrowed.join("pack/pack-1.idx");
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe_there, mode)?;

    let loose = format!("objects/{}/{}", &object[..2], &object[2..]);
    for name in [
        loose.as_str(),
        "objects/pack/pack-1.idx",
        "objects/info/commit-graph",
        "objects/info/alternates",
        "index",
        "sharedindex.1",
        "packed-refs",
        "shallow",
        "refs/tags/pipe",
        "logs/HEAD",
        "reftable/tables.list",
    ] {
        let path = format!(".git/{name}");
        let file = root.join(&path);
        let before = fs::read(&file).ok();
        for target in [None, Some("/dev/zero")] {
            let _ = fs::remove_file(&file);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            match target {
                None => scratch.fifo(&path)?,
                Some(device) => scratch.link(device, &path)?,
            }
            let refused = scratch.workspace.changed_files("HEAD", &[], &[]);
            let message = refused.err().map(|error| error.to_string());
            let expected = message.is_some_and(|it| it.contains("not a regular file"));
            assert!(expected, "{name} {target:?}");
        }
        fs::remove_file(&file)?;
        if let Some(bytes) = before {
            fs::write(&file, bytes)?;
        }
    }
    fs::remove_dir(root.join(".git/reftable"))?;
    assert!(changed(&scratch, "HEAD")?.is_empty());

    // Stores that borrow from each other do not cause an endless loop.
    let alternates = root.join(".git/objects/info/alternates");
    fs::create_dir_all(borrowed.join("info"))?;
    fs::write(borrowed.join("info/alternates"), "../ws/.git/objects\n")?;
    fs::write(&alternates, format!("# why\n{}\n", borrowed.display()))?;
    assert!(changed(&scratch, "HEAD").is_err());
    fs::remove_file(pipe_there)?;
    assert!(changed(&scratch, "HEAD")?.is_empty());
    Ok(())
}

#[test]
fn a_repository_that_borrows_objects_is_read() -> Outcome {
    let lender = repository(&[("a", "1")])?;
    let scratch = scratch(&[])?;
    let url = lender.root().to_string_lossy().into_owned();
    let clone = scratch.root().join("clone");
    let path = clone.to_string_lossy().into_owned();
    git(scratch.root(), &["clone", "-q", "--shared", &url, &path])?;
    put(&clone, "a", "2")?;
    let (workspace, _) = open(&clone)?;
    assert_eq!(workspace.changed_files("HEAD", &[], &[])?.files(), ["a"]);
    Ok(())
}

#[test]
fn a_branch_that_is_not_a_regular_file_is_refused() -> Outcome {
    for is_pipe in [true, false] {
        let scratch = repository(&[("a", "1")])?;
        let branch = git(scratch.root(), &["symbolic-ref", "HEAD"])?;
        let branch = format!(".git/{}", branch.trim());
        fs::remove_file(scratch.root().join(&branch))?;
        if is_pipe {
            scratch.fifo(&branch)?;
        } else {
            std::os::unix::fs::symlink("/dev/zero", scratch.root().join(&branch))?;
        }
        let refused = scratch.workspace.changed_files("HEAD", &[], &[]);
        let message = refused.err().map(|error| error.to_string());
        assert!(message.is_some_and(|it| it.contains("not a regular file")));
    }
    Ok(())
}
