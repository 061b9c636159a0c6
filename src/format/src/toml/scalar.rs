//! The grammar of strings, numbers, dates and times, byte by byte.

/// The end of a token, or the position and description of an error in it.
pub(super) type Scanned = Result<usize, (usize, &'static str)>;

/// Bytes without a special meaning in comments and strings. This excludes control characters except
/// tabs, quotes and backslashes.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 0x20 {
        plain[byte] = byte == b'\t' as usize;
        byte += 1;
    }
    plain[0x7f] = false;
    plain[b'"' as usize] = false;
    plain[b'\'' as usize] = false;
    plain[b'\\' as usize] = false;
    plain
};

const BARE_KEY: [bool; 256] = {
    let mut bare = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        bare[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        byte += 1;
    }
    bare
};

/// The first position from `at` whose byte is not in `class`.
fn skip(bytes: &[u8], mut at: usize, class: &[bool; 256]) -> usize {
    while bytes.get(at).is_some_and(|byte| class[usize::from(*byte)]) {
        at += 1;
    }
    at
}

/// The end of a key without quotes, or `start` if there is none.
pub(super) fn bare_key(bytes: &[u8], start: usize) -> usize {
    skip(bytes, start, &BARE_KEY)
}

/// The end of a comment, which is the end of its line.
pub(super) fn comment(bytes: &[u8], mut at: usize) -> Scanned {
    loop {
        at = skip(bytes, at, &PLAIN);
        match bytes.get(at) {
            None | Some(b'\n') => return Ok(at),
            Some(b'"' | b'\'' | b'\\') => at += 1,
            Some(_) => return Err((at, "a control character in a comment")),
        }
    }
}

/// The end of the single-line string that opens at `open`.
pub(super) fn string(bytes: &[u8], open: usize) -> Scanned {
    let quote = bytes[open];
    let mut at = open + 1;
    loop {
        at = skip(bytes, at, &PLAIN);
        match bytes.get(at) {
            Some(byte) if *byte == quote => return Ok(at + 1),
            Some(b'\\') if quote == b'"' => at = escape(bytes, at)?,
            Some(b'"' | b'\'' | b'\\') => at += 1,
            None | Some(b'\n') => return Err((open, "a string that does not end")),
            Some(_) => return Err((at, "a control character in a string")),
        }
    }
}

/// The end of the string in triple quotes that opens at `open`.
pub(super) fn long_string(bytes: &[u8], open: usize) -> Scanned {
    let quote = bytes[open];
    let mut at = open + 3;
    loop {
        at = skip(bytes, at, &PLAIN);
        match bytes.get(at) {
            Some(byte) if *byte == quote => {
                let run = bytes[at..].iter().take_while(|byte| **byte == quote);
                match run.count() {
                    // Up to two quotes may be directly before the closing three.
                    run @ 3..=5 => return Ok(at + run),
                    run @ 1..=2 => at += run,
                    _ => return Err((at, "too many quotes")),
                }
            }
            Some(b'\\') if quote == b'"' => {
                at = match line_continuation(bytes, at + 1) {
                    Some(next) => next,
                    None => escape(bytes, at)?,
                }
            }
            Some(b'"' | b'\'' | b'\\' | b'\n') => at += 1,
            None => return Err((open, "a string that does not end")),
            Some(_) => return Err((at, "a control character in a string")),
        }
    }
}

/// The position of the line break after a backslash, if only space is between them.
fn line_continuation(bytes: &[u8], at: usize) -> Option<usize> {
    let space = bytes[at..].iter().take_while(|byte| is_space(**byte));
    let at = at + space.count();
    (bytes.get(at) == Some(&b'\n')).then_some(at)
}

fn escape(bytes: &[u8], at: usize) -> Scanned {
    let digits = match bytes.get(at + 1) {
        Some(b'b' | b't' | b'n' | b'f' | b'r' | b'e' | b'"' | b'\\') => return Ok(at + 2),
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => return Err((at, "no escape is written like this")),
    };
    let end = at + 2 + digits;
    bytes
        .get(at + 2..end)
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .and_then(char::from_u32)
        .map(|_| end)
        .ok_or((at, "an escape that names no character"))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The end of a possible number, boolean, date or time.
pub(super) fn bare_value(bytes: &[u8], start: usize) -> usize {
    let belongs = |byte: &&u8| BARE_KEY[usize::from(**byte)] || matches!(byte, b'.' | b'+' | b':');
    let word = |at: usize| at + bytes[at..].iter().take_while(belongs).count();
    let end = word(start);
    // A space may separate a date and a time.
    let spaced = bytes.get(end) == Some(&b' ')
        && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
        && date(&bytes[start..end]) == Some(&[]);
    if spaced { word(end + 1) } else { end }
}

pub(super) fn is_bare_value(text: &[u8]) -> bool {
    matches!(text, b"true" | b"false") || is_number(text) || is_moment(text)
}

fn is_number(text: &[u8]) -> bool {
    let (signed, unsigned) = match text {
        [b'+' | b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    match unsigned {
        b"inf" | b"nan" => true,
        [b'0', b'x', digits @ ..] => !signed && is_all(digits, u8::is_ascii_hexdigit),
        [b'0', b'o', digits @ ..] => {
            !signed && is_all(digits, |digit| (b'0'..=b'7').contains(digit))
        }
        [b'0', b'b', digits @ ..] => {
            !signed && is_all(digits, |digit| matches!(digit, b'0' | b'1'))
        }
        [b'0', b'0'..=b'9' | b'_', ..] => false,
        _ => after_decimal(unsigned) == Some(&[]),
    }
}

/// The rest of a text after a decimal number.
fn after_decimal(text: &[u8]) -> Option<&[u8]> {
    let mut rest = after_digits(text, u8::is_ascii_digit)?;
    if let [b'.', fraction @ ..] = rest {
        rest = after_digits(fraction, u8::is_ascii_digit)?;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let unsigned = match exponent {
            [b'+' | b'-', unsigned @ ..] => unsigned,
            _ => exponent,
        };
        rest = after_digits(unsigned, u8::is_ascii_digit)?;
    }
    Some(rest)
}

fn is_all(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> bool {
    after_digits(text, is_digit) == Some(&[])
}

/// The rest of a text after digits with single underscores between them. `None` without digits.
fn after_digits(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> Option<&[u8]> {
    let mut rest = match text {
        [first, rest @ ..] if is_digit(first) => rest,
        _ => return None,
    };
    loop {
        rest = match rest {
            [digit, rest @ ..] | [b'_', digit, rest @ ..] if is_digit(digit) => rest,
            _ => return Some(rest),
        }
    }
}

/// Whether the text is a date, a time, or both.
fn is_moment(text: &[u8]) -> bool {
    match date(text) {
        Some([]) => true,
        Some([b'T' | b't' | b' ', rest @ ..]) => time(rest).is_some_and(is_offset),
        Some(_) => false,
        None => time(text) == Some(&[]),
    }
}

fn date(text: &[u8]) -> Option<&[u8]> {
    let [a, b, c, d, b'-', rest @ ..] = text else {
        return None;
    };
    let is_year = [a, b, c, d].into_iter().all(u8::is_ascii_digit);
    let rest = after_two_digits(rest, 1..=12)?.strip_prefix(b"-")?;
    after_two_digits(rest, 1..=31).filter(|_| is_year)
}

/// The rest of a text after a time. Seconds are optional.
fn time(text: &[u8]) -> Option<&[u8]> {
    let rest = after_two_digits(text, 0..=23)?.strip_prefix(b":")?;
    let rest = after_two_digits(rest, 0..=59)?;
    let Some(seconds) = rest.strip_prefix(b":") else {
        return Some(rest);
    };
    let rest = after_two_digits(seconds, 0..=60)?;
    let Some(fraction) = rest.strip_prefix(b".") else {
        return Some(rest);
    };
    let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
    match digits.count() {
        0 => None,
        digits => Some(&fraction[digits..]),
    }
}

fn is_offset(text: &[u8]) -> bool {
    match text {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', rest @ ..] => {
            let minutes = after_two_digits(rest, 0..=23).and_then(|rest| rest.strip_prefix(b":"));
            minutes.and_then(|minutes| after_two_digits(minutes, 0..=59)) == Some(&[])
        }
        _ => false,
    }
}

fn after_two_digits(text: &[u8], range: std::ops::RangeInclusive<u8>) -> Option<&[u8]> {
    match text {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
            let number = (tens - b'0') * 10 + (ones - b'0');
            range.contains(&number).then_some(rest)
        }
        _ => None,
    }
}
