//! The unified diff between two versions of a file, in the format that `git apply` reads.

use std::fmt::Write as _;

use fixpoint_text::{LineChange, line_changes};

const CONTEXT_LINES: usize = 3;

/// The diff that turns `old` into `new`; empty when they are equal.
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    let changes = line_changes(old, new);
    if changes.is_empty() {
        return String::new();
    }
    let (old_path, new_path) = (quoted(&format!("a/{path}")), quoted(&format!("b/{path}")));
    let mut diff = format!("diff --git {old_path} {new_path}\n--- {old_path}\n+++ {new_path}\n");
    let texts = Texts {
        old: Lines::of(old),
        new: Lines::of(new),
    };
    let changes: Vec<Change> = changes
        .into_iter()
        .map(|change| texts.change(change))
        .collect();
    // Changes with overlapping or adjacent context share a hunk.
    let hunks = changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * CONTEXT_LINES);
    for hunk in hunks {
        texts.write_hunk(hunk, &mut diff);
    }
    diff
}

/// A change in line numbers, counted from 0.
struct Change {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let starts = lines
            .iter()
            .scan(0, |offset, line| {
                let start = *offset;
                *offset += line.len();
                Some(start)
            })
            .collect();
        Self { lines, starts }
    }

    fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start < offset)
    }
}

struct Texts<'a> {
    old: Lines<'a>,
    new: Lines<'a>,
}

impl Texts<'_> {
    fn change(&self, change: LineChange) -> Change {
        Change {
            old: self.old.number(change.old.start())..self.old.number(change.old.end()),
            new: self.new.number(change.new.start())..self.new.number(change.new.end()),
        }
    }

    fn write_hunk(&self, changes: &[Change], diff: &mut String) {
        let [first, ..] = changes else { return };
        let [.., last] = changes else { return };
        let before = first.old.start.min(CONTEXT_LINES);
        let after = (self.old.lines.len() - last.old.end).min(CONTEXT_LINES);
        let old = first.old.start - before..last.old.end + after;
        let new = first.new.start - before..last.new.end + after;
        // Writing to a string does not fail.
        let _ = writeln!(diff, "@@ -{} +{} @@", hunk_range(&old), hunk_range(&new));
        let mut at = old.start;
        for change in changes {
            write_lines(diff, ' ', &self.old.lines[at..change.old.start]);
            write_lines(diff, '-', &self.old.lines[change.old.clone()]);
            write_lines(diff, '+', &self.new.lines[change.new.clone()]);
            at = change.old.end;
        }
        write_lines(diff, ' ', &self.old.lines[at..old.end]);
    }
}

/// Lines count from 1; an empty range names the line before it.
fn hunk_range(lines: &std::ops::Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(diff: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        diff.push(mark);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// A path as git writes it: quoted if it contains characters that are ambiguous in a header line.
fn quoted(path: &str) -> String {
    if !path
        .chars()
        .any(|character| character.is_control() || character == '"' || character == '\\')
    {
        // A path that contains spaces is terminated by a tab.
        return if path.contains(' ') {
            format!("{path}\t")
        } else {
            path.to_owned()
        };
    }
    let mut quoted = String::from("\"");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            0x20..=0x7e => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "the diffs are given to the real git"
)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_do_not() {
        let old: String = (1..=20).map(|line| format!("{line}\n")).collect();
        let new = old
            .replace("\n2\n", "\ntwo\n")
            .replace("\n5\n", "\nfive\n")
            .replace("\n18\n", "\n");
        let diff = unified_diff("a.txt", &old, &new);
        let expected = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,8 +1,8 @@\n 1\n-2\n+two\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n";
        assert_eq!(diff, expected);
    }

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(unified_diff("a", "x\n", "x\n"), "");
    }

    /// The result of `git apply` on `old`.
    fn git_apply(path: &str, old: &str, diff: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(path), old).expect("written");
        let mut git = Command::new("git")
            .args(["apply", "--whitespace=nowarn", "-"])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("git");
        git.stdin
            .take()
            .expect("piped")
            .write_all(diff.as_bytes())
            .expect("written");
        assert!(git.wait().expect("ended").success(), "{diff}");
        std::fs::read_to_string(folder.path().join(path)).expect("still there")
    }

    #[test]
    fn git_applies_diffs_with_unusual_names_and_line_ends() {
        // C-47
        for path in ["a.txt", "with space.txt", "ä\"quote\\.txt", "tab\there.txt"] {
            for (old, new) in [
                ("a\nb", "a\nb\n"),
                ("a\r\nb\r\n", "a\r\nc\r\n"),
                ("\n\n\n", "\n"),
                ("x", "y"),
            ] {
                assert_eq!(
                    git_apply(path, old, &unified_diff(path, old, new)),
                    new,
                    "{path}"
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn git_applies_every_diff(old in "([ab]{0,2}\r?\n){0,12}[ab]?", new in "([ab]{0,2}\n){0,12}[ab]?") {
            // C-47: such a diff cannot create or empty a file, and no canonical text does that.
            prop_assume!(!old.is_empty() && !new.is_empty() && old != new);
            prop_assert_eq!(git_apply("f", &old, &unified_diff("f", &old, &new)), new);
        }
    }
}
