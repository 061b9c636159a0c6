//! Compares the comments of a text before and after printing.

use fixpoint_text::Span;

/// Returns the part of a comment that must not change. It excludes the indentation and trailing
/// spaces of lines, leading stars, empty lines, and the space after the comment leader.
pub fn comment_key(comment: &str) -> String {
    let body = comment.trim_start_matches(['#', '/']);
    let leader = &comment[..comment.len() - body.len()];
    let body = match body.strip_suffix("*/") {
        Some(inside) if comment.starts_with("/*") => inside,
        _ => body,
    };
    let mut key = String::with_capacity(comment.len());
    key.push_str(leader);
    for line in body.lines() {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '*');
        if !line.is_empty() {
            key.push_str(line);
            key.push('\n');
        }
    }
    key
}

/// Returns the first comment of `before` that is missing in `after`. Duplicates are counted. Two
/// comments that are joined on one line are not missing.
pub(crate) fn first_lost(
    before: &str,
    before_spans: &[Span],
    after: &str,
    after_spans: &[Span],
) -> Option<Span> {
    let keys = |text: &str, spans: &[Span]| -> Vec<(String, Span)> {
        let key = |span: &Span| (comment_key(&text[span.range()]), *span);
        spans.iter().map(key).collect()
    };
    let mut old = keys(before, before_spans);
    let mut new = keys(after, after_spans);
    let joined = |keys: &[(String, Span)]| -> String {
        let text = keys.iter().flat_map(|(key, _)| key.chars());
        text.filter(|c| !c.is_whitespace()).collect()
    };
    if joined(&old) == joined(&new) {
        return None;
    }
    old.sort();
    new.sort();
    let mut kept = new.iter().map(|(key, _)| key).peekable();
    for (key, span) in old {
        while kept.next_if(|next| **next < key).is_some() {}
        if kept.next_if(|next| **next == key).is_none() {
            return Some(span);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_comment_does_not_change_its_key() {
        assert_eq!(
            comment_key("/*\n   a\n   b  \n*/"),
            comment_key("/*\n a\n b\n*/")
        );
        assert_eq!(
            comment_key("/**\n * a\n *\n **/"),
            comment_key("/**\n   * a\n   */")
        );
        assert_eq!(comment_key("#a  "), comment_key("# a"));
        assert_eq!(comment_key("# a*/  "), comment_key("# a*/"));
        assert_ne!(comment_key("# a"), comment_key("## a"));
        assert_ne!(comment_key("# a b"), comment_key("# ab"));
    }

    #[test]
    fn duplicate_comments_are_counted() {
        let spans = |text: &str| -> Vec<Span> {
            text.match_indices("#a")
                .map(|(at, found)| Span::from(at..at + found.len()))
                .collect()
        };
        let (two, one) = ("#a #a", "#a");
        assert_eq!(
            first_lost(two, &spans(two), one, &spans(one)),
            Some(Span::from(3..5))
        );
        assert_eq!(first_lost(one, &spans(one), two, &spans(two)), None);
        let joined = [Span::from(0..5)];
        assert_eq!(first_lost(two, &spans(two), two, &joined), None);
    }
}
