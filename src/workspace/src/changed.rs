//! Which files changed since a git revision. Git itself is asked; nothing else knows its index.

use std::io;
use std::process::{Command, Output};

use thiserror::Error;

use crate::find::{FindError, Found, Skipped};
use crate::root::Workspace;

/// Why git could not name the changed files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChangedError {
    #[error("cannot start git: {source}; install it, or name the files instead of using --changed")]
    NoGit { source: io::Error },
    #[error("the workspace is not in a git repository that can be used: {message}")]
    NotARepository { message: String },
    #[error("{revision:?} is not a commit of this repository; name a branch, tag or commit")]
    UnknownRevision { revision: String },
    #[error("git failed: {message}")]
    Git { message: String },
    #[error(transparent)]
    Find(#[from] FindError),
}

impl Workspace {
    /// The files that differ from `revision`: committed since, staged, edited or new, and not
    /// ignored by git nor matched by `excludes`. Deleted files are not among them.
    pub fn changed_files(
        &self,
        revision: &str,
        excludes: &[String],
    ) -> Result<Found, ChangedError> {
        let inside = self.git(&["rev-parse", "--is-inside-work-tree"])?;
        if !inside.status.success() || inside.stdout.trim_ascii() != b"true" {
            return Err(ChangedError::NotARepository {
                message: message_of(&inside),
            });
        }
        let commit = self.commit(revision)?;
        // Counting lines leaves out files that have a new time and the same bytes. `--name-only`
        // would need git to refresh its index for that, which is a write.
        let edited = self.list(&[
            "-c",
            "diff.autoRefreshIndex=false",
            "diff",
            "--numstat",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--diff-filter=d",
            "--relative",
            &commit,
            "--",
        ])?;
        let new = self.list(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let edited = edited
            .iter()
            .filter_map(|line| line.splitn(3, is_tab).nth(2));
        let new = new.iter().map(Vec::as_slice);
        let paths = edited.chain(new).map(|path| match str::from_utf8(path) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Skipped::not_utf8(path)),
        });
        Ok(self.select(paths.collect(), excludes)?)
    }

    /// The commit's hash, or that of nothing at all. Later commands see only that, so no revision is taken for an option.
    fn commit(&self, revision: &str) -> Result<String, ChangedError> {
        let unknown = || ChangedError::UnknownRevision {
            revision: revision.into(),
        };
        if revision.is_empty() || revision.starts_with('-') || revision.contains('\0') {
            return Err(unknown());
        }
        let peeled = format!("{revision}^{{commit}}");
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &peeled,
        ];
        match self.hash(&args)? {
            // Before the first commit everything is a change.
            None if revision == "HEAD" => self.hash(&["hash-object", "-t", "tree", "/dev/null"])?,
            found => found,
        }
        .ok_or_else(unknown)
    }

    /// The hash that a command prints.
    fn hash(&self, args: &[&str]) -> Result<Option<String>, ChangedError> {
        let output = self.git(args)?;
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        Ok((output.status.success() && is_hash).then_some(hash))
    }

    /// What a command prints that ends each entry with a NUL.
    fn list(&self, args: &[&str]) -> Result<Vec<Vec<u8>>, ChangedError> {
        let output = self.git(args)?;
        if !output.status.success() {
            return Err(ChangedError::Git {
                message: message_of(&output),
            });
        }
        let entries = output.stdout.split(|&byte| byte == 0);
        Ok(entries
            .filter(|entry| !entry.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    fn git(&self, args: &[&str]) -> Result<Output, ChangedError> {
        Command::new("git")
            .args(args)
            .current_dir(self.root())
            // A question must not write, not even the index.
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .output()
            .map_err(|source| ChangedError::NoGit { source })
    }
}

fn is_tab(byte: &u8) -> bool {
    *byte == b'\t'
}

fn message_of(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr);
    match message.trim() {
        "" => output.status.to_string(),
        message => message.to_owned(),
    }
}
