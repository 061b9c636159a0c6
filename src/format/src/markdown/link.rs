//! Labels, destinations and titles of links.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::{is_space, starts_block};

/// The maximum nesting of parentheses in a destination. Without a limit, each `](` could read to
/// the end of the text.
const MAX_BRACKETS: usize = 32;

/// The destination of a link.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tail {
    Inline {
        destination: Range<usize>,
        title: Option<Range<usize>>,
    },
    /// `[text][label]`
    Full(Range<usize>),
    /// `[label][]`
    Collapsed,
    /// `[label]`
    Shortcut,
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n')
}

fn skip(text: &str, at: usize, what: fn(char) -> bool) -> usize {
    text.len() - text[at..].trim_start_matches(what).len()
}

/// The position after the backslash at `at` and the character that it escapes.
fn past_escape(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at + 1) {
        Some(byte) if byte.is_ascii_punctuation() => at + 2,
        _ => at + 1,
    }
}

/// The end of the `[label]` at `start`.
pub(super) fn label_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(start) != Some(&b'[') {
        return None;
    }
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at = past_escape(bytes, at),
            b'[' => return None,
            b']' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The end of the destination at `start`: in angle brackets, or with balanced parentheses.
fn destination_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = start;
    if bytes.get(start) == Some(&b'<') {
        at += 1;
        loop {
            match bytes.get(at)? {
                b'\\' => at = past_escape(bytes, at),
                b'\n' | b'<' => return None,
                b'>' => return Some(at + 1),
                _ => at += 1,
            }
        }
    }
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                at = past_escape(bytes, at);
                continue;
            }
            b'(' if depth == MAX_BRACKETS => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            0..=b' ' => break,
            _ => {}
        }
        at += 1;
    }
    (at > start && depth == 0).then_some(at)
}

/// The end of the title at `start`, including its quotes.
fn title_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let close = match bytes.get(start)? {
        b'(' => b')',
        quote @ (b'"' | b'\'') => *quote,
        _ => return None,
    };
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at = past_escape(bytes, at),
            byte if byte == close => return Some(at + 1),
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => return None,
            _ => at += 1,
        }
    }
}

/// Parses the `(destination "title")` at `start`. Returns it and its end.
pub(super) fn inline_tail(text: &str, start: usize) -> Option<(Tail, usize)> {
    let begin = skip(text, start + 1, is_blank);
    let end = destination_end(text, begin).unwrap_or(begin);
    let mut at = skip(text, end, is_blank);
    let mut title = None;
    if (at > end || end == begin)
        && let Some(title_end) = title_end(text, at)
    {
        title = Some(at + 1..title_end - 1);
        at = skip(text, title_end, is_blank);
    }
    let closed = text.as_bytes().get(at) == Some(&b')');
    let destination = begin..end;
    closed.then_some((Tail::Inline { destination, title }, at + 1))
}

/// A definition `[label]: destination "title"` at the start of a paragraph.
pub(super) struct Definition {
    pub(super) label: String,
    /// The printed form.
    pub(super) printed: String,
    /// The end of its last line.
    pub(super) end: usize,
}

impl Definition {
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let start = skip(text, start, is_space);
        let after_label = label_end(text, start)?;
        let label = &text[start + 1..after_label - 1];
        let named = !label.trim_matches(is_blank).is_empty() && !label.starts_with('^');
        if !named || text.as_bytes().get(after_label) != Some(&b':') {
            return None;
        }
        let begin = skip_to_next_line(text, after_label + 1);
        let destination = begin..destination_end(text, begin)?;
        let mut end = destination.end;
        let mut title = None;
        let title_start = skip_to_next_line(text, end);
        if title_start > end
            && let Some(title_end) = title_end(text, title_start)
            && ends_line(text, title_end).is_some()
        {
            title = Some(&text[title_start + 1..title_end - 1]);
            end = title_end;
        }
        let end = ends_line(text, end)?;
        let mut printed = String::with_capacity(end - start);
        printed.push('[');
        push_label(&mut printed, label);
        printed.push_str("]: ");
        printed.push_str(&written_destination(&text[destination], Target::Definition));
        if let Some(title) = title {
            push_title(&mut printed, title);
        }
        Some(Self {
            label: normalized(label).into_owned(),
            printed,
            end,
        })
    }
}

/// Skips spaces and at most one line break.
fn skip_to_next_line(text: &str, at: usize) -> usize {
    let at = skip(text, at, is_space);
    match text.as_bytes().get(at) {
        Some(b'\n') => skip(text, at + 1, is_space),
        _ => at,
    }
}

/// The end of the line, if the rest of the line is only spaces.
fn ends_line(text: &str, at: usize) -> Option<usize> {
    let at = skip(text, at, is_space);
    matches!(text.as_bytes().get(at), None | Some(b'\n')).then_some(at)
}

/// The label as it is compared: in lower case, with single spaces.
pub(super) fn normalized(label: &str) -> Cow<'_, str> {
    let label = label.trim_matches(is_blank);
    let plain = label
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase());
    if plain {
        return Cow::Borrowed(label);
    }
    let mut result = String::with_capacity(label.len());
    for word in label.split(is_blank).filter(|word| !word.is_empty()) {
        if !result.is_empty() {
            result.push(' ');
        }
        result.extend(word.chars().flat_map(char::to_lowercase));
    }
    Cow::Owned(result)
}

/// Adds text with its line breaks, but without white space around its lines.
pub(super) fn push_lines(out: &mut String, text: &str) {
    let text = text.trim_matches(is_blank);
    if !text.contains('\n') {
        out.push_str(text);
        return;
    }
    for (index, line) in text.split('\n').filter(|line| !line.is_empty()).enumerate() {
        let line = line.trim_matches(is_space);
        if index > 0 {
            // A lazy line may begin a block when it gets the prefix of its containers.
            out.push(if starts_block(line) { ' ' } else { '\n' });
        }
        out.push_str(line);
    }
}

/// Adds a label with single spaces.
pub(super) fn push_label(out: &mut String, label: &str) {
    let mut follows_space = false;
    for c in label.chars() {
        let is_space = is_blank(c);
        if !is_space {
            out.push(c);
        } else if !follows_space {
            out.push(' ');
        }
        follows_space = is_space;
    }
}

/// Adds a title, if it is not empty, in the quotes that need fewer escapes.
pub(super) fn push_title(out: &mut String, title: &str) {
    let title = value(title);
    if title.is_empty() {
        return;
    }
    let count = |quote: char| title.matches(quote).count();
    let (doubles, singles) = (count('"'), count('\''));
    let quotes = if doubles > 0 && singles > 0 && !title.contains(['(', ')']) {
        ('(', ')')
    } else if doubles > singles {
        ('\'', '\'')
    } else {
        ('"', '"')
    };
    let mut quoted = String::with_capacity(title.len() + 2);
    for (at, c) in title.char_indices() {
        let is_escaped = match c {
            '\\' => true,
            '&' => begins_entity(&title[at..]),
            c => c == quotes.1,
        };
        if is_escaped {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    out.extend([' ', quotes.0]);
    push_lines(out, &quoted);
    out.push(quotes.1);
}

/// Where a destination is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Inline,
    Definition,
}

/// The destination, in angle brackets only if necessary.
pub(super) fn written_destination(raw: &str, target: Target) -> Cow<'_, str> {
    let bare = raw
        .strip_prefix('<')
        .and_then(|inner| inner.strip_suffix('>'))
        .unwrap_or(raw);
    if bare.is_empty() {
        return Cow::Borrowed("<>");
    }
    let url = value(bare);
    let is_pointed = needs_brackets(&url, target);
    if !is_pointed && !url.contains(['\\', '&']) {
        return url;
    }
    let mut written = String::with_capacity(url.len() + 2);
    if is_pointed {
        written.push('<');
    }
    for (at, c) in url.char_indices() {
        let is_escaped = match c {
            '<' | '>' => is_pointed,
            '&' => begins_entity(&url[at..]),
            '\\' => {
                let next = url.as_bytes().get(at + 1);
                next.is_none_or(u8::is_ascii_punctuation)
            }
            _ => false,
        };
        if is_escaped {
            written.push('\\');
        }
        written.push(c);
    }
    if is_pointed {
        written.push('>');
    }
    Cow::Owned(written)
}

/// The text without the backslashes of its escapes, and with the characters that its most common
/// entities stand for.
fn value(raw: &str) -> Cow<'_, str> {
    const ENTITIES: [(&str, char); 5] = [
        ("&amp;", '&'),
        ("&quot;", '"'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&copy;", '©'),
    ];
    if !raw.contains(['\\', '&']) {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        let rest = &raw[at..];
        let entity = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
        let escaped = rest.chars().nth(1).filter(char::is_ascii_punctuation);
        match (c, entity, escaped) {
            (_, Some((name, stands_for)), _) => {
                value.push(*stands_for);
                at += name.len();
            }
            ('\\', _, Some(escaped)) => {
                value.push(escaped);
                at += 2;
            }
            _ => {
                value.push(c);
                at += c.len_utf8();
            }
        }
    }
    Cow::Owned(value)
}

/// Whether the `&` at the start of `rest` would be read as an entity.
fn begins_entity(rest: &str) -> bool {
    let Some((name, _)) = rest[1..].split_once(';') else {
        return false;
    };
    let (digits, is_digit): (&str, fn(&u8) -> bool) = match name.strip_prefix('#') {
        None => (name, u8::is_ascii_alphanumeric),
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, u8::is_ascii_hexdigit),
            None => (number, u8::is_ascii_digit),
        },
    };
    (1..=31).contains(&digits.len()) && digits.as_bytes().iter().all(is_digit)
}

fn needs_brackets(url: &str, target: Target) -> bool {
    if url.starts_with('<') || url.bytes().any(|b| b == b' ' || b.is_ascii_control()) {
        return true;
    }
    if target == Target::Inline {
        return url.contains(['(', ')']);
    }
    let mut depth = 0_u32;
    for byte in url.bytes() {
        match byte {
            b'(' if depth == 3 => return true,
            b'(' => depth += 1,
            b')' if depth == 0 => return true,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth != 0
}
