//! The meaning of a text: its tokens without what printing may change.

use fixpoint_text::Span;

use super::parse;
use super::string;
use super::token::{self, Kind, Token};
use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};

pub(super) fn outline(text: &str) -> Result<Outline, SyntaxError> {
    let tokens = token::read(text)?;
    parse::document(text, &tokens)?;
    let mut meaning = Vec::with_capacity(text.len());
    let mut comments = Vec::new();
    let mut last = "";
    let mut lists = 0_usize;
    for token in &tokens {
        match token.kind {
            Kind::Comment => {
                comments.push(Span::from(token.start..token.end()));
                continue;
            }
            Kind::Mark(b'[') => lists += 1,
            Kind::Mark(b']') => lists = lists.saturating_sub(1),
            _ => {}
        }
        let is_value = lists > 0 || matches!(last, ":" | "=");
        // A separator before the first member is optional.
        let is_separator = matches!(token.kind, Kind::Mark(b'&' | b'|'));
        if !(is_separator && matches!(last, "=" | "on" | "implements")) {
            add(&mut meaning, token, is_value);
            last = token.text;
        }
    }
    Ok(Outline {
        comments,
        meaning: Meaning::Exact(meaning),
    })
}

fn add(meaning: &mut Vec<u8>, token: &Token<'_>, is_value: bool) {
    match token.kind {
        Kind::BlockString => {
            meaning.extend_from_slice(b"\"\"\"");
            let lines = string::block_lines(token.text);
            let is_single = lines.len() == 1;
            for line in lines {
                // White space at the ends of lines of a description has no meaning.
                let line = match is_value {
                    true => line,
                    false if is_single => line.trim(),
                    false => line.trim_end(),
                };
                meaning.extend_from_slice(line.as_bytes());
                meaning.push(b'\n');
            }
        }
        Kind::String => meaning.extend_from_slice(string::simplified(token.text).as_bytes()),
        _ => meaning.extend_from_slice(token.text.as_bytes()),
    }
    meaning.push(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, two: &str) -> Option<bool> {
        outline(one).ok()?.meaning.same(&outline(two).ok()?.meaning)
    }

    #[test]
    fn documents_are_compared_by_their_tokens() {
        let equal = [
            ("{a,b,}", "{\n  a\n  b # c\n}"),
            ("union A = B | C", "union A =\n  | B\n  | C"),
            ("type A implements & B", "type A implements B"),
            ("type A implements B", "type A implements\n& B"),
            (
                "\"\"\"\n a\n  b\n\n\"\"\" type A",
                "\"\"\"\n   a\n    b\n\"\"\"\ntype A",
            ),
            ("\"\"\" a  \"\"\" type A", "\"\"\"\na\n\"\"\" type A"),
            ("{a(b: \"\\u0041\")}", "{a(b: \"A\")}"),
        ];
        for (one, two) in equal {
            assert_eq!(same(one, two), Some(true), "{one}");
        }
        let different = [
            ("{a(b: 1)}", "{a(b: 10)}"),
            ("{a}", "{A}"),
            ("{a b}", "{ab}"),
            ("{a(b: \"c \")}", "{a(b: \"c\")}"),
            ("{a(b: \"\"\"c \"\"\")}", "{a(b: \"\"\"c\"\"\")}"),
            ("{a(b: [1 \"\"\"c \"\"\"])}", "{a(b: [1 \"\"\"c\"\"\"])}"),
            (
                "\"\"\"\n a\n  b\n\"\"\" type A",
                "\"\"\"\n a\n b\n\"\"\" type A",
            ),
            ("union A = B | C", "union A = B | D"),
        ];
        for (one, two) in different {
            assert_eq!(same(one, two), Some(false), "{one}");
        }
    }
}
