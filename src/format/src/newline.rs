//! Removes the byte order mark and normalizes line endings before printing, and restores them
//! after.
//!
//! A line ends with `\n`; any `\r` directly before it belongs to the ending. In Markdown and YAML a
//! lone `\r` also ends a line, and becomes `\n`. A text whose lines mostly end in CRLF stays CRLF;
//! on a tie LF wins. A byte order mark is kept. In Markdown it also keeps the blank lines after it: a
//! reader that takes the mark for text sees a paragraph there, which must not join the next line.

use std::borrow::Cow;

use fixpoint_language::LineEndings;
use fixpoint_text::Span;

use crate::Language;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A text normalized for the printers, and what is needed to restore its endings.
pub(crate) struct Source<'a> {
    text: &'a str,
    /// The byte order mark, and what stays with it.
    prefix: &'a str,
    body: Cow<'a, str>,
    crlf: bool,
    uniform: bool,
    breaks: LineBreaks,
}

/// The characters that end a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    Newline,
    /// Also a `\r` that is not followed by `\n`.
    NewlineOrReturn,
}

impl LineBreaks {
    /// The lines of a text: the content and the ending of each.
    fn lines(self, mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let bytes = rest.as_bytes();
            let (content, end) = match self {
                Self::Newline => {
                    let newline = memchr::memchr(b'\n', bytes);
                    let end = newline.map_or(rest.len(), |at| at + 1);
                    let content = newline.map_or(rest, |at| rest[..at].trim_end_matches('\r'));
                    (content, end)
                }
                Self::NewlineOrReturn => {
                    let at = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(rest.len());
                    let length = match bytes.get(at..) {
                        Some([b'\r', b'\n', ..]) => 2,
                        Some([_, ..]) => 1,
                        _ => 0,
                    };
                    (&rest[..at], at + length)
                }
            };
            let line = (content, &rest[content.len()..end]);
            rest = &rest[end..];
            Some(line)
        })
    }
}

/// Returns `text` with `\n` for each lone `\r` that ends a line of `language`. All positions stay.
pub(crate) fn without_lone_returns(language: Language, text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let mut lone = memchr::memchr_iter(b'\r', bytes).filter(is_lone).peekable();
    let ends_lines = language.info().line_endings == LineEndings::KeptWithReturn;
    if !ends_lines || lone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut normalized = String::with_capacity(text.len());
    let mut end = 0;
    for at in lone {
        normalized.push_str(&text[end..at]);
        normalized.push('\n');
        end = at + 1;
    }
    normalized.push_str(&text[end..]);
    Cow::Owned(normalized)
}

fn prefix_length(language: Language, text: &str) -> usize {
    let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) else {
        return 0;
    };
    let blank = rest.len() - rest.trim_ascii_start().len();
    let keeps_blank_lines = language == Language::Markdown && blank < rest.len();
    let kept = match rest[..blank].rfind(['\n', '\r']) {
        Some(last) if keeps_blank_lines => last + 1,
        _ => 0,
    };
    BYTE_ORDER_MARK.len() + kept
}

impl<'a> Source<'a> {
    pub(crate) fn read(language: Language, text: &'a str) -> Self {
        let breaks = match language.info().line_endings {
            LineEndings::Kept => LineBreaks::Newline,
            LineEndings::KeptWithReturn => LineBreaks::NewlineOrReturn,
            LineEndings::Printed => return Self::verbatim(text),
        };
        let (prefix, rest) = text.split_at(prefix_length(language, text));
        if memchr::memchr(b'\r', rest.as_bytes()).is_none() {
            return Self {
                text,
                prefix,
                body: Cow::Borrowed(rest),
                crlf: false,
                uniform: true,
                breaks,
            };
        }
        let mut body = String::with_capacity(rest.len());
        let (mut plain, mut carriage, mut odd) = (0_usize, 0_usize, false);
        for (content, ending) in breaks.lines(rest) {
            body.push_str(content);
            match ending {
                "" => continue,
                "\n" => plain += 1,
                "\r\n" => carriage += 1,
                "\r" => odd = true,
                _ => {
                    carriage += 1;
                    odd = true;
                }
            }
            body.push('\n');
        }
        Self {
            text,
            prefix,
            body: Cow::Owned(body),
            crlf: carriage > plain,
            uniform: !odd && (plain == 0 || carriage == 0),
            breaks,
        }
    }

    /// A text whose printer handles byte order marks and line endings itself.
    fn verbatim(text: &'a str) -> Self {
        Self {
            text,
            prefix: "",
            body: Cow::Borrowed(text),
            crlf: false,
            uniform: true,
            breaks: LineBreaks::Newline,
        }
    }

    /// The original text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The text without its byte order mark, with LF line endings.
    pub(crate) fn body(&self) -> &str {
        &self.body
    }

    /// Whether all lines have the same ending.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// Returns `body` with the byte order mark and line endings of this source. Borrows the
    /// original text if nothing changed.
    pub(crate) fn denormalize(&self, body: Cow<'_, str>) -> Cow<'a, str> {
        if self.uniform && body == self.body {
            return Cow::Borrowed(self.text);
        }
        let mut denormalized = String::with_capacity(body.len() + body.len() / 16 + 3);
        denormalized.push_str(self.prefix);
        if self.crlf {
            for line in body.split_inclusive('\n') {
                match line.strip_suffix('\n') {
                    Some(content) => {
                        denormalized.push_str(content);
                        denormalized.push_str("\r\n");
                    }
                    None => denormalized.push_str(line),
                }
            }
        } else if denormalized.is_empty() {
            denormalized = body.into_owned();
        } else {
            denormalized.push_str(&body);
        }
        Cow::Owned(denormalized)
    }

    /// Maps a span of the body to the original text.
    pub(crate) fn span_in_text(&self, span: Span) -> Span {
        Span::from(self.offset_in_text(span.start())..self.offset_in_text(span.end()))
    }

    fn offset_in_text(&self, offset: usize) -> usize {
        let prefix = self.prefix.len();
        if matches!(self.body, Cow::Borrowed(_)) {
            return (offset + prefix).min(self.text.len());
        }
        let rest = &self.text[prefix..];
        let (mut in_body, mut in_rest) = (0, 0);
        for (content, ending) in self.breaks.lines(rest) {
            let length = content.len() + usize::from(!ending.is_empty());
            if offset < in_body + length {
                return prefix + in_rest + (offset - in_body);
            }
            in_body += length;
            in_rest += content.len() + ending.len();
        }
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Source<'_> {
        Source::read(Language::Json, text)
    }

    fn normal(text: &str) -> String {
        let source = read(text);
        source
            .denormalize(Cow::Borrowed(source.body()))
            .into_owned()
    }

    #[test]
    fn the_majority_of_line_endings_wins_and_lf_wins_a_tie() {
        assert_eq!(normal("a\r\nb\r\nc\n"), "a\r\nb\r\nc\r\n");
        assert_eq!(normal("a\nb\nc\r\n"), "a\nb\nc\n");
        assert_eq!(normal("a\r\nb\n"), "a\nb\n");
        assert_eq!(normal("a\r\r\nb\r\n"), "a\r\nb\r\n");
        assert_eq!(normal("a\rb\n"), "a\rb\n");
    }

    #[test]
    fn blank_lines_after_the_mark_are_kept_only_in_markdown() {
        for (language, body) in [
            (Language::Markdown, "  a\n"),
            (Language::Json, "\n \n  a\n"),
        ] {
            let text = "\u{feff}\n \n  a\n";
            assert_eq!(Source::read(language, text).body(), body, "{language:?}");
        }
        let blank = Source::read(Language::Markdown, "\u{feff}\n\n");
        assert_eq!(blank.body(), "\n\n");
    }

    #[test]
    fn the_byte_order_mark_is_neither_lost_nor_duplicated() {
        assert_eq!(normal("\u{feff}a\r\nb\r\n"), "\u{feff}a\r\nb\r\n");
        assert_eq!(normal("\u{feff}a\nb\r\n"), "\u{feff}a\nb\n");
        assert!(matches!(
            read("\u{feff}a\r\n").denormalize(Cow::Borrowed("a\n")),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn spans_are_mapped_back_to_the_original_text() {
        let text = "\u{feff}ab\r\ncd\r\nef";
        let source = read(text);
        let at = source.body().find("ef").unwrap_or_default();
        let span = source.span_in_text(Span::from(at..at + 2));
        assert_eq!(&text[span.range()], "ef");
        assert_eq!(
            source.span_in_text(Span::at(source.body().len())).end(),
            text.len()
        );
    }

    #[test]
    fn a_lone_return_ends_a_line_of_markdown_and_yaml() {
        for language in [Language::Markdown, Language::Yaml] {
            let text = "a\rb\r\r\nc\r\nd\r";
            let source = Source::read(language, text);
            assert_eq!(source.body(), "a\nb\n\nc\nd\n");
            assert!(!source.is_uniform());
            let span = source.span_in_text(Span::from(7..8));
            assert_eq!(&text[span.range()], "d");
        }
        assert_eq!(read("a\rb").body(), "a\rb");
        let replaced = without_lone_returns(Language::Yaml, "a\rb\r\r\nc\r");
        assert_eq!(replaced, "a\nb\n\r\nc\n");
        assert_eq!(without_lone_returns(Language::Json, "a\rb"), "a\rb");
    }
}
