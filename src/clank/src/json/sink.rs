//! Where JSON is written to: text, or a tree of values.

use std::io;

use serde::Serialize;

use crate::source::Position;

/// Takes JSON piece by piece. What writes to it sees to it that the pieces make a value.
pub(super) trait Sink {
    fn open(&mut self);
    fn close(&mut self);
    fn open_list(&mut self);
    fn close_list(&mut self);
    fn key(&mut self, name: &'static str);
    fn null(&mut self);
    fn bool(&mut self, value: bool);
    fn int(&mut self, value: usize);
    fn float(&mut self, value: f64);
    fn text(&mut self, text: &str);
    /// Something that has a form of its own.
    fn other(&mut self, value: &impl Serialize);

    /// A place in a file.
    fn place(&mut self, file: &str, start: Position, end: Position) {
        self.open();
        self.key("file");
        self.text(file);
        for (name, at) in [("start", start), ("end", end)] {
            self.key(name);
            self.open();
            for (name, value) in [
                ("line", at.line),
                ("column", at.column),
                ("offset", at.offset),
            ] {
                self.key(name);
                self.int(value);
            }
            self.close();
        }
        self.close();
    }
}

/// What is written to a file at once.
const BLOCK: usize = 1 << 16;

/// Text without layout.
pub(super) struct Text<W: io::Write> {
    block: Vec<u8>,
    to: W,
    /// Whether something stands before the next value, which then takes a comma.
    comma: bool,
    /// The last file a place was in, and how places in it begin.
    file: (String, Vec<u8>),
    ended: io::Result<()>,
}

impl<W: io::Write> Text<W> {
    pub fn new(to: W) -> Self {
        Self {
            block: Vec::with_capacity(BLOCK + BLOCK / 4),
            to,
            comma: false,
            file: Default::default(),
            ended: Ok(()),
        }
    }

    /// Writes what is left.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_block();
        self.ended.map(|()| self.to)
    }

    /// A value that is written already.
    pub fn written(&mut self, json: &[u8]) {
        self.value();
        self.write_block();
        if self.ended.is_ok() {
            self.ended = self.to.write_all(json);
        }
    }

    fn write_block(&mut self) {
        if self.ended.is_ok() {
            self.ended = self.to.write_all(&self.block);
        }
        self.block.clear();
    }

    fn value(&mut self) {
        if self.comma {
            self.block.push(b',');
        }
        self.comma = true;
    }

    fn begin(&mut self, bracket: u8) {
        self.value();
        self.block.push(bracket);
        self.comma = false;
    }

    fn end(&mut self, bracket: u8) {
        self.block.push(bracket);
        self.comma = true;
        if self.block.len() >= BLOCK {
            self.write_block();
        }
    }

    fn digits(&mut self, mut value: usize) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.block.extend_from_slice(&digits[at..]);
    }

    fn position(&mut self, at: Position) {
        self.digits(at.line);
        self.block.extend_from_slice(br#","column":"#);
        self.digits(at.column);
        self.block.extend_from_slice(br#","offset":"#);
        self.digits(at.offset);
        self.block.push(b'}');
    }
}

impl<W: io::Write> Sink for Text<W> {
    fn open(&mut self) {
        self.begin(b'{');
    }

    fn close(&mut self) {
        self.end(b'}');
    }

    fn open_list(&mut self) {
        self.begin(b'[');
    }

    fn close_list(&mut self) {
        self.end(b']');
    }

    fn key(&mut self, name: &'static str) {
        if self.comma {
            self.block.push(b',');
        }
        self.block.push(b'"');
        self.block.extend_from_slice(name.as_bytes());
        self.block.extend_from_slice(b"\":");
        self.comma = false;
    }

    fn null(&mut self) {
        self.value();
        self.block.extend_from_slice(b"null");
    }

    fn bool(&mut self, value: bool) {
        self.value();
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.block.extend_from_slice(text);
    }

    fn int(&mut self, value: usize) {
        self.value();
        self.digits(value);
    }

    fn float(&mut self, value: f64) {
        self.other(&value);
    }

    fn text(&mut self, text: &str) {
        let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
        if !text.as_bytes().iter().all(is_plain) {
            return self.other(&text);
        }
        self.value();
        self.block.push(b'"');
        self.block.extend_from_slice(text.as_bytes());
        self.block.push(b'"');
    }

    fn other(&mut self, value: &impl Serialize) {
        self.value();
        if let Err(error) = serde_json::to_writer(&mut self.block, value) {
            self.ended = Err(error.into());
        }
    }

    fn place(&mut self, file: &str, start: Position, end: Position) {
        self.value();
        if self.file.0 != file || self.file.1.is_empty() {
            let name = serde_json::to_string(file).unwrap_or_default();
            let begins = format!(r#"{{"file":{name},"start":{{"line":"#);
            self.file = (file.to_owned(), begins.into_bytes());
        }
        self.block.extend_from_slice(&self.file.1);
        self.position(start);
        self.block.extend_from_slice(br#","end":{"line":"#);
        self.position(end);
        self.end(b'}');
    }
}
