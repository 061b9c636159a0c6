//! The difference of two texts as edits of whole lines.

use fixpoint_text::Span;
use imara_diff::{Algorithm, Diff, InternedInput};

/// The edits that lead from `old` to `new`: a span of whole lines of `old` and what takes its
/// place. Ascending, at least one common line apart, common lines untouched.
///
/// A line includes its ending, so a line that only gains or loses one is a changed line.
pub fn line_edits(old: &str, new: &str) -> Vec<(Span, String)> {
    if old == new {
        return Vec::new();
    }
    let mut input = InternedInput::default();
    input.update_before(old.split_inclusive('\n'));
    input.update_after(new.split_inclusive('\n'));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);

    let old_starts = starts(old);
    let new_starts = starts(new);
    diff.hunks()
        .map(|hunk| {
            let removed =
                old_starts[hunk.before.start as usize]..old_starts[hunk.before.end as usize];
            let added = new_starts[hunk.after.start as usize]..new_starts[hunk.after.end as usize];
            (Span::from(removed), new[added].to_owned())
        })
        .collect()
}

/// Where each line starts, and the end of the text.
fn starts(text: &str) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for line in text.split_inclusive('\n') {
        at += line.len();
        starts.push(at);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn apply(old: &str, edits: &[(Span, String)]) -> String {
        let mut result = String::new();
        let mut at = 0;
        for (span, text) in edits {
            result.push_str(&old[at..span.start()]);
            result.push_str(text);
            at = span.end();
        }
        result.push_str(&old[at..]);
        result
    }

    #[test]
    fn a_missing_final_newline_is_a_change_of_the_last_line() {
        let edits = line_edits("a\nb", "a\nb\n");
        assert_eq!(edits, [(Span::from(2..3), "b\n".to_owned())]);
    }

    #[test]
    fn carriage_returns_belong_to_their_lines() {
        let edits = line_edits("a\r\nb\r\n", "a\r\nc\r\n");
        assert_eq!(edits, [(Span::from(3..6), "c\r\n".to_owned())]);
    }

    #[test]
    fn a_large_change_stays_fast() {
        let old: String = (0..200_000).map(|n| format!("line {n}\n")).collect();
        let new: String = (0..200_000).map(|n| format!("  line {n}\n")).collect();
        assert_eq!(apply(&old, &line_edits(&old, &new)), new);
    }

    fn text() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec!["a", "b", "  c", "ä", "", "d"]);
        let ending = prop::sample::select(vec!["\n", "\r\n"]);
        (prop::collection::vec((line, ending), 0..30), any::<bool>()).prop_map(|(lines, cut)| {
            let mut text: String = lines.iter().flat_map(|(l, e)| [*l, *e]).collect();
            if cut {
                text.truncate(text.trim_end().len());
            }
            text
        })
    }

    proptest! {
        // C-74
        #[test]
        fn edits_lead_from_old_to_new_line_by_line(old in text(), new in text()) {
            let edits = line_edits(&old, &new);
            prop_assert_eq!(&apply(&old, &edits), &new);
            let at_line = |at: usize| at == 0 || at == old.len() || old[..at].ends_with('\n');
            let mut end = None;
            for (span, text) in &edits {
                prop_assert!(at_line(span.start()) && at_line(span.end()));
                prop_assert!(end.is_none_or(|end| end < span.start()));
                prop_assert!(!span.is_empty() || !text.is_empty());
                let removed: Vec<_> = old[span.range()].split_inclusive('\n').collect();
                let added: Vec<_> = text.split_inclusive('\n').collect();
                if let (Some(one), Some(two)) = (removed.first(), added.first()) {
                    prop_assert_ne!(one, two);
                }
                if let (Some(one), Some(two)) = (removed.last(), added.last()) {
                    prop_assert_ne!(one, two);
                }
                end = Some(span.end());
            }
            if old == new {
                prop_assert!(edits.is_empty());
            }
        }
    }
}
