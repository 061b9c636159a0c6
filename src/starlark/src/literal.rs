//! String literals: their values, and the canonical notation for a value.
//!
//! A value is a byte string, not text: `"\xff"` is one byte.

use std::borrow::Cow;

/// An invalid escape sequence.
pub(crate) struct BadEscape {
    pub offset: usize,
    pub length: usize,
    pub message: &'static str,
}

/// The pieces of a string token.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub raw: bool,
    pub triple: bool,
    pub quote: u8,
    pub body: &'a str,
}

pub(crate) fn parts(token: &str) -> Parts<'_> {
    let raw = token.starts_with('r');
    let quoted = if raw { &token[1..] } else { token };
    let quote = quoted.as_bytes().first().copied().unwrap_or(b'"');
    let triple =
        quoted.len() >= 6 && quoted.starts_with(if quote == b'"' { "\"\"\"" } else { "'''" });
    let edge = if triple { 3 } else { 1 };
    let body = quoted.get(edge..quoted.len().saturating_sub(edge));
    Parts {
        raw,
        triple,
        quote,
        body: body.unwrap_or(""),
    }
}

/// The meaning of one escape sequence.
enum Escape {
    Bytes(u8),
    Char(char),
    Nothing,
    /// Not an escape sequence: the backslash is a literal character.
    Literal,
    Bad(&'static str),
}

/// Parses the escape at the start of `rest`, which begins with a backslash. Also returns its
/// length.
fn escape(rest: &[u8]) -> (Escape, usize) {
    let Some(&letter) = rest.get(1) else {
        return (Escape::Literal, 1);
    };
    let simple = |byte| (Escape::Bytes(byte), 2);
    match letter {
        b'a' => simple(7),
        b'b' => simple(8),
        b'f' => simple(12),
        b'n' => simple(b'\n'),
        b'r' => simple(b'\r'),
        b't' => simple(b'\t'),
        b'v' => simple(11),
        b'\\' | b'\'' | b'"' => simple(letter),
        b'\n' => (Escape::Nothing, 2),
        b'0'..=b'7' => {
            let digits = rest[1..]
                .iter()
                .take(3)
                .take_while(|b| matches!(b, b'0'..=b'7'));
            let (value, count) =
                digits.fold((0u32, 0), |(v, n), b| (v * 8 + u32::from(b - b'0'), n + 1));
            match u8::try_from(value) {
                Ok(byte) => (Escape::Bytes(byte), 1 + count),
                Err(_) => (Escape::Bad("an octal escape goes up to \\377"), 1 + count),
            }
        }
        b'x' => hex(rest, 2),
        b'u' => hex(rest, 4),
        b'U' => hex(rest, 8),
        _ => (Escape::Literal, 1),
    }
}

fn hex(rest: &[u8], want: usize) -> (Escape, usize) {
    let digits = rest[2..]
        .iter()
        .take(want)
        .take_while(|b| b.is_ascii_hexdigit());
    let (value, count) = digits.fold((0u32, 0), |(v, n), b| {
        let digit = char::from(*b).to_digit(16).unwrap_or(0);
        (v.wrapping_mul(16).wrapping_add(digit), n + 1)
    });
    let length = 2 + count;
    if count < want {
        return (Escape::Bad("this escape has too few digits"), length);
    }
    match (want, u8::try_from(value), char::from_u32(value)) {
        (2, Ok(byte), _) => (Escape::Bytes(byte), length),
        (_, _, Some(found)) => (Escape::Char(found), length),
        _ => (Escape::Bad("this escape names no character"), length),
    }
}

/// Checks that every escape of a non-raw string token is valid.
pub(crate) fn check_escapes(token: &str) -> Result<(), BadEscape> {
    let bytes = token.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|b| *b == b'\\') {
        at += found;
        let (meaning, length) = escape(&bytes[at..]);
        if let Escape::Bad(message) = meaning {
            return Err(BadEscape {
                offset: at,
                length,
                message,
            });
        }
        at += length;
    }
    Ok(())
}

/// The value of a token.
pub(crate) fn value(token: &str) -> Cow<'_, [u8]> {
    let parts = parts(token);
    let bytes = parts.body.as_bytes();
    if parts.raw || !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let Some(found) = bytes[at..].iter().position(|b| *b == b'\\') else {
            break;
        };
        out.extend_from_slice(&bytes[at..at + found]);
        at += found;
        let (meaning, length) = escape(&bytes[at..]);
        match meaning {
            Escape::Bytes(byte) => out.push(byte),
            Escape::Char(found) => out.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes()),
            Escape::Nothing => {}
            Escape::Literal | Escape::Bad(_) => out.extend_from_slice(&bytes[at..at + length]),
        }
        at += length;
    }
    out.extend_from_slice(bytes.get(at..).unwrap_or(&[]));
    Cow::Owned(out)
}

/// Whether every backslash starts an escape sequence that is kept as written.
fn escapes_are_canonical(body: &str) -> bool {
    let bytes = body.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|b| *b == b'\\') {
        at += found + 2;
        let next = bytes.get(at - 1);
        let known = b"abfnrtuUvx\n'\"\\";
        if !next.is_some_and(|b| known.contains(b) || b.is_ascii_digit()) {
            return false;
        }
        if at > bytes.len() {
            break;
        }
    }
    true
}

/// Writes a string token in canonical form.
pub(crate) fn print(token: &str, out: &mut String) {
    let parts = parts(token);
    let double = parts.quote == b'"';
    if parts.raw {
        if double || parts.body.contains('"') {
            out.push_str(token);
        } else {
            let quotes = if parts.triple { "\"\"\"" } else { "\"" };
            out.push('r');
            out.push_str(quotes);
            out.push_str(parts.body);
            out.push_str(quotes);
        }
        return;
    }
    let value = value(token);
    if (double || value.contains(&b'"')) && escapes_are_canonical(parts.body) {
        out.push_str(token);
    } else {
        quote(&value, parts.triple, out);
    }
}

/// Writes `value` in double quotes.
pub(crate) fn quote(value: &[u8], triple: bool, out: &mut String) {
    let quotes = if triple { "\"\"\"" } else { "\"" };
    out.push_str(quotes);
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        at += 1;
        match byte {
            b'"' if triple => {
                // Unescaped, unless it would be read as part of the closing quotes.
                let next = value.get(at);
                let second = value.get(at + 1);
                if next.is_some_and(|b| *b != b'"') || second.is_some_and(|b| *b != b'"') {
                    out.push('"');
                    if next == Some(&b'"') {
                        out.push('"');
                        at += 1;
                    }
                } else {
                    out.push_str("\\\"");
                }
            }
            b'\n' if triple => out.push('\n'),
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\\""),
            7 => out.push_str("\\a"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            11 => out.push_str("\\v"),
            0x20..=0x7f => out.push(char::from(byte)),
            _ => {
                out.push('\\');
                for shift in [6, 3, 0] {
                    out.push(char::from(b'0' + ((byte >> shift) & 7)));
                }
            }
        }
    }
    out.push_str(quotes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(token: &str) -> String {
        let mut out = String::new();
        print(token, &mut out);
        out
    }

    #[test]
    fn single_quotes_become_double_unless_the_value_has_a_double_quote() {
        assert_eq!(canonical("'a'"), "\"a\"");
        assert_eq!(canonical(r"'it\'s'"), "\"it's\"");
        assert_eq!(canonical("'say \"x\"'"), "'say \"x\"'");
        assert_eq!(canonical("'''a\\nb'''"), "\"\"\"a\nb\"\"\"");
        assert_eq!(canonical("r'a\\d'"), "r\"a\\d\"");
        assert_eq!(canonical("r'a\"'"), "r'a\"'");
    }

    #[test]
    fn the_backslash_of_an_unknown_escape_is_escaped() {
        assert_eq!(canonical(r#""\d""#), r#""\\d""#);
        assert_eq!(canonical(r#""\n\x41\'""#), r#""\n\x41\'""#);
        assert_eq!(canonical("'\\0'"), "\"\\000\"");
        assert_eq!(canonical("'é'"), "\"\\303\\251\"");
        assert_eq!(canonical("'\t'"), "\"\\t\"");
    }

    #[test]
    fn values_are_bytes() {
        assert_eq!(
            &*value(
                r#""a\x41\101\u00e9\
b\q""#
            ),
            "aAA\u{e9}b\\q".as_bytes()
        );
        assert_eq!(&*value(r#""\377""#), [255]);
        assert_eq!(&*value(r#"r"\n""#), b"\\n");
    }

    #[test]
    fn invalid_escapes_are_detected() {
        for bad in [
            r#""\u12""#,
            r#""\x4""#,
            r#""\400""#,
            r#""\ud800""#,
            r#""\U00110000""#,
        ] {
            assert!(check_escapes(bad).is_err(), "{bad}");
        }
        assert!(check_escapes(r#""\8 \q \\u1""#).is_ok());
    }
}
