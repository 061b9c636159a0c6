//! The tokens of a selector.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Space,
    /// A run of `+`, `>`, `~` and `|`.
    Combinator,
    String,
    AtWord,
    Word,
    /// `*`, `&`, `,`, `[`, `]`, `:`, `;`, `(` or `)`.
    Sign(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn is(self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

/// The tokens of `text`; `None` if a string is not closed.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let run = |at: usize, is_part: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(at..).unwrap_or_default().iter();
        at + rest.take_while(|byte| is_part(**byte)).count()
    };
    while let Some(&first) = bytes.get(at) {
        let start = at;
        let kind = match first {
            _ if is_space(first) => {
                at = run(at, &is_space);
                Kind::Space
            }
            b'+' | b'>' | b'~' | b'|' => {
                at = run(at, &|byte| b"+>~|".contains(&byte));
                Kind::Combinator
            }
            b'*' | b'&' | b',' | b'[' | b']' | b':' | b';' | b'(' | b')' => {
                at += 1;
                Kind::Sign(first)
            }
            b'"' | b'\'' => {
                at = string_end(bytes, at)?;
                Kind::String
            }
            b'@' => {
                at = run(at + 1, &|byte| !b" \n\t\r{()'\"\\;/".contains(&byte));
                Kind::AtWord
            }
            b'\\' => {
                at = escape_end(text, at);
                Kind::Word
            }
            _ => {
                at = run(at + 1, &|byte| {
                    !b" \n\t\r()*:;@!&'\"+|~>,[]\\".contains(&byte)
                });
                Kind::Word
            }
        };
        tokens.push(Token {
            kind,
            start,
            end: at,
        });
    }
    Some(tokens)
}

fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == bytes[start] => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The end of the backslashes and of the character that the last one escapes.
fn escape_end(text: &str, start: usize) -> usize {
    let count = text[start..]
        .bytes()
        .take_while(|byte| *byte == b'\\')
        .count();
    let end = start + count;
    match text[end..].chars().next() {
        Some(next) if count % 2 == 1 && next != '/' && !next.is_ascii_whitespace() => {
            end + next.len_utf8()
        }
        _ => end,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}
