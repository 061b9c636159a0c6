//! Matches the files of a package against the ignore files that are passed to an action or a test.

use std::path::Path;

use fixpoint_workspace::Excludes;

use super::analyze::read_text;
use super::args::{IgnoreFile, IgnoreOptions};
use crate::failure::Failure;

/// The patterns of the ignore files, whose paths are relative to `base`.
pub(super) fn ignored_by(options: &IgnoreOptions, base: &Path) -> Result<Excludes, Failure> {
    let mut files: Vec<(&String, String)> = Vec::new();
    for IgnoreFile { file, folder } in &options.gitignore {
        files.push((folder, read_text(&base.join(file))?));
    }
    // Of two patterns that match, the one in the deeper folder wins, and it is the later one.
    files.sort_by_key(|(folder, _)| *folder);
    let lines = files
        .iter()
        .flat_map(|(folder, text)| text.lines().map(|line| at_root(folder, line)));
    let lines: Vec<String> = lines.collect();
    Excludes::new(&lines)
        .or_else(|_| {
            // Git ignores an invalid pattern.
            let readable = |line: &&String| Excludes::new(&[(*line).clone()]).is_ok();
            Excludes::new(&lines.iter().filter(readable).cloned().collect::<Vec<_>>())
        })
        .map_err(Failure::from)
}

/// Rewrites a line of the ignore file in `folder` for an ignore file at the root.
fn at_root(folder: &str, line: &str) -> String {
    let is_comment = line.starts_with('#') || line.trim().is_empty();
    if folder.is_empty() || is_comment {
        return line.to_owned();
    }
    let (negation, pattern) = match line.strip_prefix('!') {
        Some(pattern) => ("!", pattern),
        None => ("", line),
    };
    let folder: String = folder
        .chars()
        .flat_map(|letter| match letter {
            '*' | '?' | '[' | ']' | '{' | '}' | '\\' => [Some('\\'), Some(letter)],
            _ => [None, Some(letter)],
        })
        .flatten()
        .collect();
    // A pattern without a slash in it matches at any depth.
    let is_anchored = pattern.trim_end().trim_end_matches('/').contains('/');
    let depth = if is_anchored { "" } else { "**/" };
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    format!("{negation}/{folder}/{depth}{pattern}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn covers(files: &[(&str, &str)], path: &str) -> bool {
        let base = tempfile::tempdir().expect("a folder");
        let mut options = IgnoreOptions {
            gitignore: Vec::new(),
        };
        for (index, (folder, text)) in files.iter().enumerate() {
            fs::write(base.path().join(index.to_string()), text).expect("written");
            options.gitignore.push(IgnoreFile {
                file: index.to_string().into(),
                folder: (*folder).to_owned(),
            });
        }
        ignored_by(&options, base.path())
            .expect("readable")
            .cover(path)
    }

    #[test]
    fn patterns_count_from_the_folder_of_their_file() {
        let root = [("", "# comment\n*.log\nout/\n/top.py\n")];
        for ignored in ["a.log", "pkg/a.log", "pkg/out/a.py", "top.py"] {
            assert!(covers(&root, ignored), "{ignored}");
        }
        assert!(!covers(&root, "pkg/top.py"));
        let nested = [("pkg", "*.tmp\n/here.py\nsub/x.py\n")];
        for ignored in ["pkg/a.tmp", "pkg/deep/a.tmp", "pkg/here.py", "pkg/sub/x.py"] {
            assert!(covers(&nested, ignored), "{ignored}");
        }
        for kept in ["a.tmp", "pkg/deep/here.py", "sub/x.py", "pkg/deep/sub/x.py"] {
            assert!(!covers(&nested, kept), "{kept}");
        }
        assert!(covers(&[("a[1]", "x.py\n")], "a[1]/x.py"));
    }

    #[test]
    fn the_deeper_file_wins_and_an_unreadable_pattern_is_left_out() {
        let files = [("pkg", "!keep.log\n"), ("", "*.log\na[\n")];
        assert!(!covers(&files, "pkg/keep.log"));
        assert!(covers(&files, "pkg/other.log"));
        assert!(covers(&files, "keep.log"));
    }
}
