//! Writes JSON in pieces and escapes the characters that a terminal acts on.

use std::io::{self, Write};

use fixpoint_text::escape_json;

pub(crate) struct EscapedJson<W> {
    to: W,
    /// The first bytes of a character whose other bytes have not arrived yet.
    begun: Vec<u8>,
}

impl<W: Write> EscapedJson<W> {
    pub(crate) fn new(to: W) -> Self {
        Self {
            to,
            begun: Vec::new(),
        }
    }
}

impl<W: Write> Write for EscapedJson<W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(piece);
        let whole = match str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        let text = String::from_utf8_lossy(&self.begun[..whole]);
        self.to.write_all(escape_json(&text).as_bytes())?;
        self.begun.drain(..whole);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_may_come_in_pieces() {
        let json = "{\"a\u{202e}\": \"\u{9b}\u{e9}\u{e0041}\u{7f}\"}\n";
        for size in 1..json.len() {
            let mut written = Vec::new();
            let mut to = EscapedJson::new(&mut written);
            for piece in json.as_bytes().chunks(size) {
                to.write_all(piece).expect("written");
            }
            assert_eq!(written, escape_json(json).as_bytes(), "{size}");
        }
    }
}
