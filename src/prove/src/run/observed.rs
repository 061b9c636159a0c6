//! The lines of a runner's output that say how a test behaves.

use std::collections::BTreeSet;

use crate::run::executor::SCRATCH_FOLDER;

/// The lines without times, scratch folders, stack frames and excerpts of the test, which differ although the behavior
/// does not. `test` is the text of the test.
pub(crate) fn observed_lines(output: &str, test: &str) -> BTreeSet<String> {
    let observed = output.lines().filter_map(|line| {
        // A line of `go test -json` has a time before its output.
        let line = match line.starts_with("{\"Time\"") {
            true => line.split_once("\"Output\":")?.1,
            false => line,
        };
        let line = line.trim();
        let is_frame = ["File \"", "at "]
            .iter()
            .any(|start| line.starts_with(start));
        let has_time = line.contains("duration") || line.split_whitespace().any(is_time);
        let has_words = line.contains(char::is_alphanumeric);
        // Each run has its own folder.
        let names_scratch = line.contains(SCRATCH_FOLDER);
        let is_kept = has_words && !is_frame && !has_time && !names_scratch && !quotes(line, test);
        is_kept.then(|| without_numbers_in_parentheses(line))
    });
    observed.collect()
}

/// Whether a line repeats code of the test: `> assert f(3)`, `assertion failed: f(3)`.
fn quotes(line: &str, test: &str) -> bool {
    let is_code = |part: &str| {
        let part = part.trim_start_matches(['>', ' ']);
        part.len() > 3 && test.contains(part)
    };
    is_code(line)
        || line
            .split_once("failed: ")
            .is_some_and(|(_, code)| is_code(code))
}

/// Whether a word is a time, such as `0.01s` or `(1.5ms)`.
fn is_time(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < word.len() && matches!(unit, "s" | "ms" | "µs" | "us" | "ns")
}

/// Rust prints the id of a thread: `thread 'a' (4711) panicked`.
fn without_numbers_in_parentheses(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('(') {
        let (before, after) = rest.split_at(open + 1);
        kept.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if !rest.starts_with(')') {
            rest = after;
        }
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(output: &str) -> Vec<String> {
        let test = "    self.assertEqual(add(5, 7), 12)\n    assert!(add(3) == 1);\n";
        observed_lines(output, test).into_iter().collect()
    }

    #[test]
    fn messages_remain() {
        let unittest = "Traceback (most recent call last):\n  File \"/t.py\", line 8, in test_a\n    \
                        self.assertEqual(add(5, 7), 12)\nAssertionError: -2 != 12\n\nRan 1 test in 0.001s\n";
        assert_eq!(
            lines(unittest),
            [
                "AssertionError: -2 != 12",
                "Traceback (most recent call last):"
            ]
        );
        let go =
            "{\"Time\":\"2026\",\"Action\":\"output\",\"Output\":\"    a_test.go:9: got 8\\n\"}";
        assert_eq!(lines(go), ["\"    a_test.go:9: got 8\\n\"}"]);
        assert_eq!(lines("    8 !== 12\n    at f (a.js:3:1)\n"), ["8 !== 12"]);
        assert!(lines("assertion failed: add(3) == 1\n    ^^^^\n").is_empty());
        assert!(lines("cachedir: /scratch/114/pytest-cache\n").is_empty());
        assert_eq!(
            lines("thread 'a' (4711) panicked at src/lib.rs:9:5:\n  left: 8\n"),
            ["left: 8", "thread 'a' () panicked at src/lib.rs:9:5:"]
        );
    }

    #[test]
    fn times_are_words_with_a_unit() {
        for word in ["0.01s", "(1.5ms)", "3s"] {
            assert!(is_time(word), "{word}");
        }
        for word in ["8", "s", "1.5", "12sheep"] {
            assert!(!is_time(word), "{word}");
        }
    }
}
