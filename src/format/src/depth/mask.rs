//! Blanks out strings, templates, regular expressions and comments of a script, so that brackets in
//! them are not counted.
//!
//! Without a parser, a slash or a quote in JSX text is ambiguous. So a string or regular expression
//! that does not end on its line counts as code. So does a template that does not end in the text.

/// The words after which a `/` begins a regular expression.
const WORDS_BEFORE_REGEX: [&[u8]; 14] = [
    b"return",
    b"typeof",
    b"case",
    b"in",
    b"of",
    b"delete",
    b"void",
    b"throw",
    b"new",
    b"do",
    b"else",
    b"instanceof",
    b"yield",
    b"await",
];

/// Returns `text` with everything that is not code replaced by blanks. The length and line breaks
/// stay.
pub(super) fn code(text: &str) -> Vec<u8> {
    let mut mask = Mask {
        code: text.as_bytes().to_vec(),
        at: 0,
        braces: Vec::new(),
    };
    mask.run();
    mask.code
}

struct Mask {
    code: Vec<u8>,
    at: usize,
    /// For each open brace, whether it is the `${` of a template.
    braces: Vec<bool>,
}

impl Mask {
    fn run(&mut self) {
        while let Some(&byte) = self.code.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'"' | b'\'' => self.blank(start, end_on_line(&self.code, start, byte)),
                b'`' => self.template(start),
                b'{' => self.braces.push(false),
                b'}' if self.braces.pop() == Some(true) => {
                    // The rest of the template follows. The braces of `${...}` are kept, so that
                    // they match.
                    self.template(start);
                }
                b'/' => self.slash(start),
                _ => {}
            }
        }
    }

    fn slash(&mut self, start: usize) {
        let rest = &self.code[start..];
        let end = match rest.get(1) {
            Some(b'/') => Some(start + memchr::memchr(b'\n', rest).unwrap_or(rest.len())),
            Some(b'*') => memchr::memmem::find(&rest[2..], b"*/").map(|end| start + end + 4),
            Some(b'>') | None => None,
            Some(_) if begins_regex(&self.code[..start]) => end_of_regex(&self.code, start),
            Some(_) => None,
        };
        self.blank(start, end);
    }

    /// Blanks a template from `start` to its end or to the next `${`.
    fn template(&mut self, start: usize) {
        let mut at = start + 1;
        while let Some(&byte) = self.code.get(at) {
            match byte {
                b'\\' => at += 1,
                b'`' => return self.blank(start + 1, Some(at)),
                b'$' if self.code.get(at + 1) == Some(&b'{') => {
                    self.blank(start + 1, Some(at));
                    self.braces.push(true);
                    self.at = at + 2;
                    return;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Blanks the bytes from `start` to `end` and continues after them. Does nothing without an
    /// end.
    fn blank(&mut self, start: usize, end: Option<usize>) {
        let Some(end) = end else {
            return;
        };
        for byte in &mut self.code[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        // The closing quote of a string is blanked. The closing backtick of a template is kept and
        // skipped.
        self.at = end + usize::from(self.code.get(end) == Some(&b'`'));
    }
}

/// The end of the string that opens at `open`, if it is on the same line.
fn end_on_line(code: &[u8], open: usize, quote: u8) -> Option<usize> {
    let mut at = open + 1;
    while let Some(&byte) = code.get(at) {
        match byte {
            // An escaped line break continues the string.
            b'\\' => at += 1,
            b'\n' => return None,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

fn end_of_regex(code: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    let mut in_class = false;
    while let Some(&byte) = code.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return None,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether a slash after `before` begins a regular expression and is not a division.
fn begins_regex(before: &[u8]) -> bool {
    let trimmed = before.trim_ascii_end();
    match trimmed.last() {
        None => true,
        // This may be the slash of a closing tag.
        Some(b'<') => trimmed.len() < before.len(),
        Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') => {
            let word = trimmed.iter().rev();
            let length = word
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
                .count();
            WORDS_BEFORE_REGEX.contains(&&trimmed[trimmed.len() - length..])
        }
        Some(byte) => !matches!(byte, b')' | b']' | b'"' | b'\'' | b'`' | b'.') && *byte < 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> String {
        String::from_utf8(code(text)).unwrap_or_default()
    }

    #[test]
    fn strings_and_comments_are_blanked() {
        let cases = [
            ("a = /[/(]\\/(/g + (b)", "a =          g + (b)"),
            ("a / (b) / c", "a / (b) / c"),
            ("`(${f(`[${x}{`)}]` + [1]", "` ${f(` ${x} `)} ` + [1]"),
            ("'(' + \"\\\"[\" + '(", "    +       + '("),
            ("a // (\n/* [ */ b", "a     \n        b"),
            ("<p>it's ` (</p>;(", "<p>it's ` (</p>;("),
            ("return /(/", "return    "),
        ];
        for (text, expected) in cases {
            assert_eq!(masked(text), expected, "{text}");
        }
    }
}
