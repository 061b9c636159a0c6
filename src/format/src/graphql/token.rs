//! Splits a text into tokens.

use fixpoint_text::Span;

use crate::error::SyntaxError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// One of `!$&()[]{|}:=@`.
    Mark(u8),
    /// `...`
    Spread,
    Name,
    Number,
    String,
    BlockString,
    Comment,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The tokens of `text`, with its comments. The last one is [`Kind::End`].
pub(super) fn read(text: &str) -> Result<Vec<Token<'_>>, SyntaxError> {
    let mut tokens = Vec::with_capacity(text.len() / 6);
    let mut at = 0;
    while let Some((kind, start, end)) = next(text, at)? {
        at = end;
        tokens.push(Token {
            kind,
            text: &text[start..end],
            start,
        });
    }
    tokens.push(Token {
        kind: Kind::End,
        text: "",
        start: text.len(),
    });
    Ok(tokens)
}

/// The comments of a text that may not parse.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    let mut at = 0;
    loop {
        match next(text, at) {
            Ok(None) => return comments,
            Ok(Some((kind, start, end))) => {
                if kind == Kind::Comment {
                    comments.push(Span::from(start..end));
                }
                at = end;
            }
            Err(error) => at = error.span().end().max(at + 1),
        }
    }
}

/// The kind and the span of the next token after `at`.
fn next(text: &str, at: usize) -> Result<Option<(Kind, usize, usize)>, SyntaxError> {
    let bytes = text.as_bytes();
    let start = at + ignored(&bytes[at..]);
    let Some(&first) = bytes.get(start) else {
        return Ok(None);
    };
    let rest = &bytes[start..];
    let (kind, length) = match first {
        b'!' | b'$' | b'&' | b'(' | b')' | b'[' | b']' | b'{' | b'|' | b'}' | b':' | b'='
        | b'@' => (Kind::Mark(first), Some(1)),
        b'#' => (Kind::Comment, Some(comment_length(rest))),
        b'"' if rest.starts_with(b"\"\"\"") => (Kind::BlockString, block_string_length(rest)),
        b'"' => (Kind::String, string_length(rest)),
        b'.' if rest.starts_with(b"...") => (Kind::Spread, Some(3)),
        b'-' | b'0'..=b'9' => (Kind::Number, number_length(rest)),
        b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
            let length = rest.iter().take_while(|byte| is_name_part(**byte)).count();
            (Kind::Name, Some(length))
        }
        _ => (Kind::End, None),
    };
    match length {
        Some(length) => Ok(Some((kind, start, start + length))),
        None => {
            let message = match kind {
                Kind::String | Kind::BlockString => "unterminated string",
                Kind::Number => "invalid number",
                _ => "unexpected character",
            };
            let end = text.ceil_char_boundary(start + 1);
            Err(SyntaxError::new(message, Span::from(start..end)))
        }
    }
}

/// The length of white space and commas.
fn ignored(bytes: &[u8]) -> usize {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | b',') => at += 1,
            Some(0xEF) if bytes[at..].starts_with(MARK) => at += MARK.len(),
            _ => return at,
        }
    }
}

fn is_name_part(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn comment_length(rest: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

fn string_length(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match rest.get(at)? {
            b'"' => return Some(at + 1),
            b'\n' | b'\r' => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn block_string_length(rest: &[u8]) -> Option<usize> {
    let mut at = 3;
    loop {
        at += memchr::memchr2(b'"', b'\\', rest.get(at..)?)?;
        if rest[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if rest[at..].starts_with(b"\"\"\"") {
            return Some(at + 3);
        } else {
            at += 1;
        }
    }
}

/// A sign, an integer without leading zeros, a fraction and an exponent. No name follows.
fn number_length(rest: &[u8]) -> Option<usize> {
    let digits = |from: usize| -> Option<usize> {
        let count = rest[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        (count > 0).then_some(from + count)
    };
    let start = usize::from(rest[0] == b'-');
    let mut at = digits(start)?;
    if rest[start] == b'0' && at > start + 1 {
        return None;
    }
    if rest.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(rest.get(at), Some(b'e' | b'E')) {
        let is_signed = matches!(rest.get(at + 1), Some(b'+' | b'-'));
        at = digits(at + 1 + usize::from(is_signed))?;
    }
    match rest.get(at) {
        Some(b'.') => None,
        Some(&byte) if is_name_part(byte) => None,
        _ => Some(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_in_a_string_is_not_a_comment() {
        let text = "\"\"\"a # \\\"\"\" # \"\"\" # one\nf(a: \"# \\\" #\") # two\r\n";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["# one", "# two"]);
    }

    #[test]
    fn comments_are_found_after_an_error() {
        let text = "ä % # one\n\"open # no\n# two";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["# one", "# no", "# two"]);
    }

    #[test]
    fn numbers_are_read_as_the_specification_says() {
        for text in ["0", "-1", "12.50", "1e5", "1.0E-5"] {
            assert_eq!(number_length(text.as_bytes()), Some(text.len()), "{text}");
        }
        for text in ["01", "-", "1.", "1e", "1a", "1.5.5"] {
            assert_eq!(number_length(text.as_bytes()), None, "{text}");
        }
    }
}
