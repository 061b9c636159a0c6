//! Plain text: only the newlines at its end are changed, to exactly one.

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language};

/// The printer of text of unknown format.
pub(crate) struct Text;

impl Printer for Text {
    fn print(&self, _: Job<'_>, text: &str) -> Result<String, FormatError> {
        Ok(print(text))
    }

    fn parses(&self, _: Variant<'_>, _: &str) -> Result<(), SyntaxError> {
        Ok(())
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        Ok(Outline {
            comments: comments(text),
            meaning: Meaning::Unknown,
        })
    }

    fn check_depth(&self, _: &str) -> Result<(), FormatError> {
        Ok(())
    }
}

fn print(text: &str) -> String {
    let trimmed = text.trim_end_matches('\n');
    let mut printed = String::with_capacity(trimmed.len() + 1);
    printed.push_str(trimmed);
    printed.push('\n');
    printed
}

/// Everything that looks like a comment of any language, to the end of its line.
fn comments(text: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(at) = first_leader(content) {
            comments.push(Span::from(start + at..start + content.len()));
        }
        start += line.len();
    }
    comments
}

fn first_leader(line: &str) -> Option<usize> {
    let comments = Language::Text.info().comments;
    let mut after_space = true;
    for (at, c) in line.char_indices() {
        if after_space
            && comments
                .leaders()
                .any(|leader| line[at..].starts_with(leader))
        {
            return Some(at);
        }
        after_space = c.is_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_plain_text_is_changed() {
        assert_eq!(print("a  \n\nb\n\n\n"), "a  \n\nb\n");
        assert_eq!(print("a"), "a\n");
        assert_eq!(print("a\n"), "a\n");
    }

    #[test]
    fn a_comment_marker_inside_a_word_does_not_open_a_comment() {
        let text = "a#b c //d\nhttp://x\n; e\n";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["//d", "; e"]);
    }
}
