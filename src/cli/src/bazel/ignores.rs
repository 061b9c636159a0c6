//! Matches files against the ignore files and the lists of generated files that are passed to an action
//! or a test.

use std::path::Path;

use fixpoint_workspace::{Excludes, GENERATED_LIST, listed_paths};

use super::analyze::read_text;
use super::args::{IgnoreFile, IgnoreOptions};
use crate::failure::Failure;

/// The patterns of the ignore files, whose paths are relative to `base`.
pub(super) fn ignored_by(options: &IgnoreOptions, base: &Path) -> Result<Excludes, Failure> {
    let mut files: Vec<(&String, String)> = Vec::new();
    let mut generated: Vec<String> = Vec::new();
    for IgnoreFile { file, folder } in &options.ignore_file {
        let text = read_text(&base.join(file))?;
        match file.ends_with(GENERATED_LIST) {
            true => generated.extend(listed_paths(&text).iter().map(|path| exactly(folder, path))),
            false => files.push((folder, text)),
        }
    }
    // Of two patterns that match, the one in the deeper folder wins, and it is the later one.
    files.sort_by_key(|(folder, _)| *folder);
    let lines = files
        .iter()
        .flat_map(|(folder, text)| text.lines().map(|line| at_root(folder, line)));
    // No pattern makes a generated file a source again.
    let lines: Vec<String> = lines.chain(generated).collect();
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
    let folder = escaped(folder);
    // A pattern without a slash in it matches at any depth.
    let is_anchored = pattern.trim_end().trim_end_matches('/').contains('/');
    let depth = if is_anchored { "" } else { "**/" };
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    format!("{negation}/{folder}/{depth}{pattern}")
}

/// The pattern that matches only this path below `folder`.
fn exactly(folder: &str, path: &str) -> String {
    match folder {
        "" => format!("/{}", escaped(path)),
        _ => format!("/{}/{}", escaped(folder), escaped(path)),
    }
}

fn escaped(path: &str) -> String {
    let letters = path.chars().flat_map(|letter| match letter {
        '*' | '?' | '[' | ']' | '{' | '}' | '\\' | ' ' => [Some('\\'), Some(letter)],
        _ => [None, Some(letter)],
    });
    letters.flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn covers(files: &[(&str, &str)], path: &str) -> bool {
        let files = files.iter().enumerate();
        let files = files.map(|(index, (folder, text))| (index.to_string(), *folder, *text));
        covers_named(files.collect(), path)
    }

    fn covers_named(files: Vec<(String, &str, &str)>, path: &str) -> bool {
        let base = tempfile::tempdir().expect("a folder");
        let mut options = IgnoreOptions {
            ignore_file: Vec::new(),
        };
        for (name, folder, text) in files {
            fs::write(base.path().join(&name), text).expect("written");
            options.ignore_file.push(IgnoreFile {
                file: name.into(),
                folder: folder.to_owned(),
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
    fn listed_files_are_generated_whatever_ignore_files_say() {
        let digest = "0".repeat(64);
        let list = format!("{digest}  main.js\n{digest}  deep/a b [1].js\n");
        let covers = |path: &str| {
            let list = (GENERATED_LIST.to_owned(), "pkg/out", list.as_str());
            let ignores = ("0".to_owned(), "pkg/out", "!main.js\n");
            covers_named(vec![list, ignores], path)
        };
        assert!(covers("pkg/out/main.js"));
        assert!(covers("pkg/out/deep/a b [1].js"));
        for kept in [
            "main.js",
            "pkg/main.js",
            "pkg/out/own.js",
            "pkg/out/deep/main.js",
        ] {
            assert!(!covers(kept), "{kept}");
        }
    }

    #[test]
    fn the_deeper_file_wins_and_an_unreadable_pattern_is_left_out() {
        let files = [("pkg", "!keep.log\n"), ("", "*.log\na[\n")];
        assert!(!covers(&files, "pkg/keep.log"));
        assert!(covers(&files, "pkg/other.log"));
        assert!(covers(&files, "keep.log"));
    }
}
