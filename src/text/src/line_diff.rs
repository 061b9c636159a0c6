//! Line-based differences between two texts.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use crate::{LineIndex, Span};

/// Whole lines of an old text, and the lines of the new text that replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// In the old text; empty where lines were only added.
    pub old: Span,
    /// In the new text; empty where lines were only removed.
    pub new: Span,
}

/// Total number of lines above which a linear-time diff replaces the histogram diff. The result is
/// then less readable.
const LONG: usize = 5_000;

/// The changes that turn `old` into `new`, in ascending order, with at least one common line
/// between any two of them. A final line without a newline differs from the same line with one.
pub fn line_changes(old: &str, new: &str) -> Vec<LineChange> {
    if old == new {
        return Vec::new();
    }
    let mut input = InternedInput::default();
    input.update_before(old.split_inclusive('\n'));
    input.update_after(new.split_inclusive('\n'));
    let hunks = if input.before.len() + input.after.len() > LONG {
        nearest(&input)
    } else {
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        diff.hunks().collect()
    };
    let (old_lines, new_lines) = (LineIndex::new(old), LineIndex::new(new));
    let span = |lines: &LineIndex, range: std::ops::Range<u32>| {
        Span::from(lines.line_start(range.start as usize)..lines.line_start(range.end as usize))
    };
    hunks
        .into_iter()
        .map(|hunk| LineChange {
            old: span(&old_lines, hunk.before),
            new: span(&new_lines, hunk.after),
        })
        .collect()
}

/// A linear-time diff, apart from a logarithmic factor. Each hunk ends at the nearest line that
/// both texts contain and that has a letter or digit. The search for that line scans at most as
/// many lines as the hunk covers in both texts.
fn nearest(input: &InternedInput<&str>) -> Vec<Hunk> {
    let (old, new) = (&input.before, &input.after);
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); input.interner.num_tokens() as usize];
    for (at, token) in new.iter().enumerate() {
        if input.interner[*token].contains(|c: char| c.is_alphanumeric()) {
            places[token.0 as usize].push(at);
        }
    }
    let mut hunks = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // The number of old and of new lines before the common line.
        let mut found = (old.len() - i, new.len() - j);
        for (skipped, token) in old[i..].iter().enumerate() {
            if skipped >= found.0 + found.1 {
                break;
            }
            let places = &places[token.0 as usize];
            if let Some(place) = places.get(places.partition_point(|place| *place < j))
                && skipped + (place - j) < found.0 + found.1
            {
                found = (skipped, place - j);
            }
        }
        let (mut old_end, mut new_end) = (i + found.0, j + found.1);
        let next = (old_end, new_end);
        while old_end > i && new_end > j && old[old_end - 1] == new[new_end - 1] {
            (old_end, new_end) = (old_end - 1, new_end - 1);
        }
        hunks.push(Hunk {
            before: i as u32..old_end as u32,
            after: j as u32..new_end as u32,
        });
        (i, j) = next;
    }
    hunks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn apply(old: &str, new: &str, changes: &[LineChange]) -> String {
        let mut text = old.to_owned();
        for change in changes.iter().rev() {
            text.replace_range(change.old.range(), &new[change.new.range()]);
        }
        text
    }

    #[test]
    fn only_different_lines_are_reported() {
        let (old, new) = ("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
        let changes = line_changes(old, new);
        let texts: Vec<_> = changes
            .iter()
            .map(|it| (&old[it.old.range()], &new[it.new.range()]))
            .collect();
        assert_eq!(texts, [("b\n", "B\n"), ("", "e\n")]);
    }

    #[test]
    fn a_missing_final_newline_changes_its_line() {
        let changes = line_changes("a\nb", "a\nb\n");
        assert_eq!(
            changes,
            [LineChange {
                old: (2..3).into(),
                new: (2..4).into()
            }]
        );
    }

    #[test]
    fn many_small_changes_in_a_long_text_are_found_one_by_one() {
        let lines = |between: &str| -> String {
            let lines = (0..200_000).map(|n| format!("line {n}\n{between}"));
            lines.collect()
        };
        let (old, new) = (lines(""), lines("\n"));
        let changes = line_changes(&old, &new);
        assert!(changes.iter().all(|it| it.old.is_empty()));
        assert_eq!(changes.len(), 200_000);
        assert_eq!(line_changes(&new, &old).len(), 200_000);
        let (twice, parted) = ("f()\n".repeat(200_000), "f()\n\n".repeat(200_000));
        assert_eq!(line_changes(&twice, &parted).len(), 200_000);
        assert_eq!(line_changes(&old, &parted).len(), 1);
    }

    proptest! {
        #[test]
        fn changes_turn_old_into_new_in_whole_lines(old in "[ab\r\n]{0,40}", new in "[ab\r\n]{0,40}") {
            check_changes(&old, &new);
            let filler = "a\n".repeat(LONG);
            check_changes(&format!("{filler}{old}"), &format!("{filler}{new}"));
        }
    }

    fn check_changes(old: &str, new: &str) {
        let changes = line_changes(old, new);
        assert_eq!(apply(old, new, &changes), new);
        let at_line = |text: &str, offset: usize| {
            offset == 0 || offset == text.len() || text.as_bytes()[offset - 1] == b'\n'
        };
        for change in &changes {
            for offset in [change.old.start(), change.old.end()] {
                assert!(at_line(old, offset));
            }
            assert!(!(change.old.is_empty() && change.new.is_empty()));
        }
        for pair in changes.windows(2) {
            assert!(pair[0].old.end() < pair[1].old.start());
        }
    }
}
