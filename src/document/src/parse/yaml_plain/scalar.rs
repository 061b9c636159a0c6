//! Reads scalars on one line, quoted or plain.

use fixpoint_text::Span;

use super::Reader;

/// A scalar on one line.
pub(super) struct Scalar {
    /// Including its quotes.
    pub(super) span: Span,
    /// Without its quotes.
    pub(super) text: Span,
    pub(super) is_plain: bool,
}

impl Reader<'_> {
    pub(super) fn scalar(&mut self) -> Option<Scalar> {
        match self.peek(0)? {
            quote @ (b'"' | b'\'') => self.quoted(quote),
            _ => self.plain(false),
        }
    }

    pub(super) fn quoted(&mut self, quote: u8) -> Option<Scalar> {
        let start = self.at;
        let rest = &self.bytes[start + 1..];
        // Escapes and control characters are left to the full parser.
        let length = rest
            .iter()
            .position(|it| *it == quote || *it == b'\\' || *it < b' ')?;
        let end = start + 1 + length;
        let is_doubled = self.bytes.get(end + 1) == Some(&quote);
        if rest[length] != quote || is_doubled {
            return None;
        }
        self.at = end + 1;
        Some(Scalar {
            span: Span::from(start..end + 1),
            text: Span::from(start + 1..end),
            is_plain: false,
        })
    }

    /// Reads a plain scalar up to the `:` of a key, a comment or the end of the line; in a list,
    /// also up to `,` or `]`.
    pub(super) fn plain(&mut self, in_list: bool) -> Option<Scalar> {
        let start = self.at;
        let first = self.peek(0)?;
        let is_indicator = match first {
            b'-' => {
                let next = self.peek(1).unwrap_or(b' ');
                self.is_blank(start + 1) || in_list && b",[]{}".contains(&next)
            }
            _ => b"?:,[]{}#&*!|>'\"%@`".contains(&first),
        };
        if is_indicator {
            return None;
        }
        let mut end = start;
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') => break,
                Some(b':') if self.is_blank(self.at + 1) => break,
                Some(b'#') if self.bytes[self.at - 1] == b' ' => break,
                Some(b',' | b']') if in_list => break,
                Some(b'[' | b'{' | b'}' | b':') if in_list => return None,
                Some(b' ') => {}
                Some(it) if *it < b' ' || *it == 0x7f => return None,
                Some(_) => end = self.at + 1,
            }
            self.at += 1;
        }
        self.at = end;
        let span = Span::from(start..end);
        Some(Scalar {
            span,
            text: span,
            is_plain: true,
        })
    }
}
