//! JSON sinks: text, or a tree of values.

use std::io;

use serde::Serialize;

use crate::emit::Part;
use crate::source::Position;

/// Receives JSON piece by piece. The caller ensures that the pieces form a value.
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
    /// Writes a text that needs no escaping.
    fn plain(&mut self, text: &str) {
        self.text(text);
    }
    /// Writes a string that contains JSON, assembled from parts.
    fn json_text(&mut self, parts: &[Part<'_>]) {
        let json = parts.iter().map(|part| match part {
            Part::Json(piece) => (*piece).to_owned(),
            Part::Text(text) => serde_json::to_string(text).unwrap_or_default(),
        });
        self.text(&json.collect::<String>());
    }
    /// Writes any serializable value.
    fn other(&mut self, value: &impl Serialize);

    /// Begins a node: its kind, and its id, which needs no escaping.
    fn node(&mut self, kind: &'static str, id: &[u8; 13]) {
        self.open();
        self.key("kind");
        self.plain(kind);
        self.key("id");
        self.plain(str::from_utf8(id).unwrap_or_default());
    }

    /// Writes a location.
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

/// The four decimal digits of each number below 10,000, with leading zeros.
static GROUPS: [[u8; 4]; 10_000] = {
    let mut groups = [[b'0'; 4]; 10_000];
    let mut value = 0;
    while value < 10_000 {
        let mut rest = value;
        let mut at = 4;
        while at > 0 {
            at -= 1;
            groups[value][at] += (rest % 10) as u8;
            rest /= 10;
        }
        value += 1;
    }
    groups
};

/// The digits `00000000`.
const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// The length of the prefix that needs no escaping in JSON.
fn plain_length(text: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut plain = 0;
    // Processes eight bytes at a time: the upper bit of a byte marks a special one. The lowest
    // marked byte is always right.
    for chunk in text.chunks_exact(8) {
        let word = chunk.try_into().map_or(0, u64::from_le_bytes);
        let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let is_control = word.wrapping_sub(ONES * 0x20) & !word;
        let is_quote = is_zero(word ^ (ONES * u64::from(b'"')));
        let is_backslash = is_zero(word ^ (ONES * u64::from(b'\\')));
        let special = (is_control | is_quote | is_backslash) & (ONES * 0x80);
        if special != 0 {
            return plain + special.trailing_zeros() as usize / 8;
        }
        plain += 8;
    }
    let is_plain = |byte: &&u8| **byte >= b' ' && **byte != b'"' && **byte != b'\\';
    plain + text[plain..].iter().take_while(is_plain).count()
}

/// The escape sequence of a byte.
enum Escape {
    Short([u8; 2]),
    Long([u8; 6]),
}

impl Escape {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Short(bytes) => bytes,
            Self::Long(bytes) => bytes,
        }
    }
}

fn escape(byte: u8) -> Escape {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\t' => b't',
        b'\r' => b'r',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let digits = b"0123456789abcdef";
            let [high, low] = [byte >> 4, byte & 15].map(|it| digits[usize::from(it)]);
            return Escape::Long([b'\\', b'u', b'0', b'0', high, low]);
        }
    };
    Escape::Short([b'\\', short])
}

/// The size of one write to the output.
const BLOCK: usize = 1 << 16;

/// Writes compact JSON text.
pub(super) struct Text<W: io::Write> {
    block: Vec<u8>,
    to: W,
    /// Whether the next value needs a comma before it.
    comma: bool,
    /// The file of the last location, and the prefix of locations in it.
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

    /// Writes the remaining bytes.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_block();
        self.ended.map(|()| self.to)
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

    fn digits(&mut self, value: usize) {
        if value >= 100_000_000 {
            return self.many_digits(value);
        }
        // Writes eight digits with leading zeros and skips the zeros: copying a fixed number of
        // bytes is cheap.
        let [a, b, c, d] = GROUPS[value / 10_000];
        let [e, f, g, h] = GROUPS[value % 10_000];
        let digits = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let zeros = (digits ^ ZEROS).trailing_zeros() as usize / 8;
        let zeros = zeros.min(7);
        self.block
            .extend_from_slice(&(digits >> (8 * zeros)).to_le_bytes());
        self.block.truncate(self.block.len() - zeros);
    }

    fn many_digits(&mut self, value: usize) {
        self.block.extend_from_slice(value.to_string().as_bytes());
    }

    /// Writes the contents of a string, escaped.
    fn escaped(&mut self, text: &[u8]) {
        self.escaped_by(text, |block, byte| {
            block.extend_from_slice(escape(byte).as_slice())
        });
    }

    /// Writes the contents of a string inside a string that contains JSON, escaped twice.
    fn escaped_twice(&mut self, text: &[u8]) {
        self.escaped_by(text, |block, byte| {
            for inner in escape(byte).as_slice() {
                match inner {
                    b'"' | b'\\' => block.extend_from_slice(&[b'\\', *inner]),
                    _ => block.push(*inner),
                }
            }
        });
    }

    fn escaped_by(&mut self, text: &[u8], special: impl Fn(&mut Vec<u8>, u8)) {
        let mut rest = text;
        loop {
            let (plain, after) = rest.split_at(plain_length(rest));
            self.block.extend_from_slice(plain);
            if self.block.len() >= BLOCK {
                self.write_block();
            }
            let Some((byte, after)) = after.split_first() else {
                return;
            };
            rest = after;
            special(&mut self.block, *byte);
        }
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
        let before: &[u8; 2] = b",\"";
        if self.comma {
            self.block.extend_from_slice(before);
        } else {
            self.block.push(b'"');
        }
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
        self.value();
        self.block.push(b'"');
        self.escaped(text.as_bytes());
        self.block.push(b'"');
    }

    fn plain(&mut self, text: &str) {
        self.value();
        self.block.push(b'"');
        self.block.extend_from_slice(text.as_bytes());
        self.block.push(b'"');
    }

    fn node(&mut self, kind: &'static str, id: &[u8; 13]) {
        self.value();
        self.block.extend_from_slice(b"{\"kind\":\"");
        self.block.extend_from_slice(kind.as_bytes());
        self.block.extend_from_slice(b"\",\"id\":\"");
        self.block.extend_from_slice(id);
        self.block.push(b'"');
    }

    fn json_text(&mut self, parts: &[Part<'_>]) {
        self.value();
        self.block.push(b'"');
        for part in parts {
            match part {
                Part::Json(piece) => self.escaped(piece.as_bytes()),
                Part::Text(text) => {
                    self.block.extend_from_slice(b"\\\"");
                    self.escaped_twice(text.as_bytes());
                    self.block.extend_from_slice(b"\\\"");
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_equal_serde_json_output() {
        let mut texts: Vec<String> = (0..0x180)
            .filter_map(char::from_u32)
            .map(String::from)
            .collect();
        for at in 0..40 {
            let mut text = "plain text with \u{e4} in it, and then some more".to_owned();
            text.insert(at.min(16), ['"', '\\', '\n', '\u{1}', '\u{7f}'][at % 5]);
            text.insert_str(text.len() - at.min(20), "\"\r");
            texts.push(text);
        }
        let numbers = [0, 7, 10, 99, 100, 101, 12_345, 1_000_000, usize::MAX];
        let mut to = Text::new(Vec::new());
        to.open_list();
        texts.iter().for_each(|it| to.text(it));
        numbers.iter().for_each(|it| to.int(*it));
        to.close_list();
        let written = String::from_utf8(to.finish().expect("a list")).expect("text");
        let texts = serde_json::to_string(&texts).expect("text");
        let numbers = serde_json::to_string(&numbers).expect("text");
        let [texts, numbers] = [texts, numbers].map(|it| it[1..it.len() - 1].to_owned());
        assert_eq!(written, format!("[{texts},{numbers}]"));
    }

    #[test]
    fn json_in_a_text_is_escaped_twice() {
        let text: String = (0..0x180).filter_map(char::from_u32).collect();
        let mut to = Text::new(Vec::new());
        to.json_text(&[Part::Json("[\"a\","), Part::Text(&text), Part::Json("]")]);
        let written = to.finish().expect("a text");
        let inner: String = serde_json::from_slice(&written).expect("a text");
        let pair: (String, String) = serde_json::from_str(&inner).expect("a list");
        assert_eq!(pair, ("a".to_owned(), text));
    }
}
