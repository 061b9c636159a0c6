//! The lines in which two texts differ.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::{LineIndex, Span};

/// Whole lines of an old text and the lines of a new one that stand in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// In the old text; empty where lines were only added.
    pub old: Span,
    /// In the new text; empty where lines were only removed.
    pub new: Span,
}

/// The changes that lead from `old` to `new`, ascending, with at least one common line between
/// any two of them. A final line without a newline differs from the same line with one.
pub fn line_changes(old: &str, new: &str) -> Vec<LineChange> {
    if old == new {
        return Vec::new();
    }
    let mut input = InternedInput::default();
    input.update_before(old.split_inclusive('\n'));
    input.update_after(new.split_inclusive('\n'));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let (old_lines, new_lines) = (LineIndex::new(old), LineIndex::new(new));
    let span = |lines: &LineIndex, range: std::ops::Range<u32>| {
        Span::from(lines.line_start(range.start as usize)..lines.line_start(range.end as usize))
    };
    diff.hunks()
        .map(|hunk| LineChange {
            old: span(&old_lines, hunk.before),
            new: span(&new_lines, hunk.after),
        })
        .collect()
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
    fn only_the_lines_that_differ_are_named() {
        let (old, new) = ("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
        let changes = line_changes(old, new);
        let texts: Vec<_> = changes
            .iter()
            .map(|it| (&old[it.old.range()], &new[it.new.range()]))
            .collect();
        assert_eq!(texts, [("b\n", "B\n"), ("", "e\n")]);
    }

    #[test]
    fn a_missing_final_newline_is_a_difference_of_its_line() {
        let changes = line_changes("a\nb", "a\nb\n");
        assert_eq!(
            changes,
            [LineChange {
                old: (2..3).into(),
                new: (2..4).into()
            }]
        );
    }

    proptest! {
        #[test]
        fn changes_lead_from_old_to_new_in_whole_lines(old in "[ab\r\n]{0,40}", new in "[ab\r\n]{0,40}") {
            let changes = line_changes(&old, &new);
            prop_assert_eq!(apply(&old, &new, &changes), new.clone());
            let at_line = |text: &str, offset: usize| offset == 0 || offset == text.len() || text.as_bytes()[offset - 1] == b'\n';
            for change in &changes {
                for offset in [change.old.start(), change.old.end()] {
                    prop_assert!(at_line(&old, offset));
                }
                prop_assert!(!(change.old.is_empty() && change.new.is_empty()));
            }
            for pair in changes.windows(2) {
                prop_assert!(pair[0].old.end() < pair[1].old.start());
            }
        }
    }
}
