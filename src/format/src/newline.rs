//! Byte order mark and line endings: taken off before a printer sees the text, put back after.
//!
//! A line ends with `\n`; any `\r` right before it belongs to the ending. A text whose lines
//! mostly end in CRLF stays CRLF; on a tie LF wins. A byte order mark stays if there is one.

use std::borrow::Cow;

use fixpoint_text::Span;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A text as the printers want it, and what is needed to give it its endings back.
pub(crate) struct Source<'a> {
    text: &'a str,
    body: Cow<'a, str>,
    mark: bool,
    crlf: bool,
    uniform: bool,
}

impl<'a> Source<'a> {
    pub(crate) fn read(text: &'a str) -> Self {
        let (mark, rest) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if memchr::memchr(b'\r', rest.as_bytes()).is_none() {
            return Self {
                text,
                body: Cow::Borrowed(rest),
                mark,
                crlf: false,
                uniform: true,
            };
        }
        let mut body = String::with_capacity(rest.len());
        let (mut plain, mut carriage, mut odd) = (0_usize, 0_usize, false);
        for line in rest.split_inclusive('\n') {
            let Some(content) = line.strip_suffix('\n') else {
                body.push_str(line);
                continue;
            };
            let trimmed = content.trim_end_matches('\r');
            match content.len() - trimmed.len() {
                0 => plain += 1,
                1 => carriage += 1,
                _ => {
                    carriage += 1;
                    odd = true;
                }
            }
            body.push_str(trimmed);
            body.push('\n');
        }
        Self {
            text,
            body: Cow::Owned(body),
            mark,
            crlf: carriage > plain,
            uniform: !odd && (plain == 0 || carriage == 0),
        }
    }

    /// A text whose printer has its own way with marks and line endings.
    pub(crate) fn verbatim(text: &'a str) -> Self {
        Self {
            text,
            body: Cow::Borrowed(text),
            mark: false,
            crlf: false,
            uniform: true,
        }
    }

    /// The text without mark, all lines ending in LF.
    pub(crate) fn body(&self) -> &str {
        &self.body
    }

    /// Whether all lines end the same way already.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// `body` with this source's mark and line endings; the source itself when nothing changed.
    pub(crate) fn dress(&self, body: Cow<'_, str>) -> Cow<'a, str> {
        if self.uniform && body == self.body {
            return Cow::Borrowed(self.text);
        }
        let mut dressed = String::with_capacity(body.len() + body.len() / 16 + 3);
        if self.mark {
            dressed.push_str(BYTE_ORDER_MARK);
        }
        if self.crlf {
            for line in body.split_inclusive('\n') {
                match line.strip_suffix('\n') {
                    Some(content) => {
                        dressed.push_str(content);
                        dressed.push_str("\r\n");
                    }
                    None => dressed.push_str(line),
                }
            }
        } else if dressed.is_empty() {
            dressed = body.into_owned();
        } else {
            dressed.push_str(&body);
        }
        Cow::Owned(dressed)
    }

    /// Where a span of the body lies in the text.
    pub(crate) fn span_in_text(&self, span: Span) -> Span {
        Span::from(self.offset_in_text(span.start())..self.offset_in_text(span.end()))
    }

    fn offset_in_text(&self, offset: usize) -> usize {
        let mark = if self.mark { BYTE_ORDER_MARK.len() } else { 0 };
        if matches!(self.body, Cow::Borrowed(_)) {
            return offset + mark;
        }
        let rest = &self.text[mark..];
        let (mut in_body, mut in_rest) = (0, 0);
        for line in rest.split_inclusive('\n') {
            let length = match line.strip_suffix('\n') {
                Some(content) => content.trim_end_matches('\r').len() + 1,
                None => line.len(),
            };
            if offset < in_body + length {
                return mark + in_rest + (offset - in_body);
            }
            in_body += length;
            in_rest += line.len();
        }
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        let source = Source::read(text);
        source.dress(Cow::Borrowed(source.body())).into_owned()
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
    fn the_byte_order_mark_is_neither_lost_nor_doubled() {
        assert_eq!(normal("\u{feff}a\r\nb\r\n"), "\u{feff}a\r\nb\r\n");
        assert_eq!(normal("\u{feff}a\nb\r\n"), "\u{feff}a\nb\n");
        assert!(matches!(
            Source::read("\u{feff}a\r\n").dress(Cow::Borrowed("a\n")),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn spans_lead_back_through_mark_and_carriage_returns() {
        let text = "\u{feff}ab\r\ncd\r\nef";
        let source = Source::read(text);
        let at = source.body().find("ef").unwrap_or_default();
        let span = source.span_in_text(Span::from(at..at + 2));
        assert_eq!(&text[span.range()], "ef");
        assert_eq!(
            source.span_in_text(Span::at(source.body().len())).end(),
            text.len()
        );
    }
}
