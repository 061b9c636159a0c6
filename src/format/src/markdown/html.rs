//! HTML in Markdown: HTML blocks and inline tags.

use super::block::Line;
use super::scan::is_space;

/// The condition that ends an HTML block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Block {
    /// A line that contains one of these, in any letter case.
    Line(&'static [&'static str]),
    Blank,
}

const RAW_ENDS: &[&str] = &["</pre>", "</script>", "</style>", "</textarea>"];

/// Elements whose tags begin a block at the start of any line.
const BLOCK_NAMES: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

impl Block {
    /// The block that a line with this content opens. `in_paragraph` if it would interrupt a
    /// paragraph.
    pub(super) fn opened_by(rest: &str, in_paragraph: bool) -> Option<Self> {
        let inner = rest.strip_prefix('<')?;
        let raw = ["script", "pre", "style", "textarea"];
        if raw.iter().any(|name| begins_with_name(inner, name)) {
            return Some(Self::Line(RAW_ENDS));
        }
        for (start, end) in [("!--", "-->"), ("?", "?>"), ("![CDATA[", "]]>")] {
            if inner.starts_with(start) {
                return Some(Self::Line(match end {
                    "-->" => &["-->"],
                    "?>" => &["?>"],
                    _ => &["]]>"],
                }));
            }
        }
        if let Some(declared) = inner.strip_prefix('!') {
            let is_declaration = declared.starts_with(|c: char| c.is_ascii_alphabetic());
            return is_declaration.then_some(Self::Line(&[">"]));
        }
        let tag = inner.strip_prefix('/').unwrap_or(inner);
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = tag[..length].to_ascii_lowercase();
        if BLOCK_NAMES.binary_search(&name.as_str()).is_ok() && ends_name(&tag[length..]) {
            return Some(Self::Blank);
        }
        if in_paragraph {
            return None;
        }
        let end = tag_end(rest, 0)?;
        let alone = rest[end..].trim_matches(is_space).is_empty();
        alone.then_some(Self::Blank)
    }

    /// Whether the block ends with `line`.
    pub(super) fn ends_with(self, line: &str) -> bool {
        match self {
            Self::Blank => false,
            Self::Line(ends) => ends.iter().any(|end| {
                let end = end.as_bytes();
                line.as_bytes()
                    .windows(end.len())
                    .any(|window| window.eq_ignore_ascii_case(end))
            }),
        }
    }
}

/// Whether the lines are one comment.
pub(super) fn is_comment(text: &str, lines: &[Line]) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    text[first.start..first.end].starts_with("<!--")
        && text[last.start..last.end].trim_end().ends_with("-->")
}

/// Whether the HTML has an element that shows white space as written.
pub(super) fn shows_space(html: &str) -> bool {
    let mut tags = memchr::memchr_iter(b'<', html.as_bytes());
    tags.any(|at| {
        let names = ["pre", "script", "textarea"];
        names
            .iter()
            .any(|name| begins_with_name(&html[at + 1..], name))
    })
}

fn begins_with_name(text: &str, name: &str) -> bool {
    text.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
        && ends_name(&text[name.len()..])
}

fn ends_name(rest: &str) -> bool {
    matches!(rest.as_bytes().first(), None | Some(b' ' | b'\t' | b'>')) || rest.starts_with("/>")
}

/// The end of the tag, comment, instruction, declaration or CDATA section that begins at `start`.
pub(super) fn tag_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let after = |from: usize, end: &str| {
        let found = memchr::memmem::find(rest.as_bytes().get(from..)?, end.as_bytes())?;
        Some(start + from + found + end.len())
    };
    match *rest.as_bytes().get(1)? {
        b'!' if rest.starts_with("<!-->") => Some(start + 5),
        b'!' if rest.starts_with("<!--->") => Some(start + 6),
        b'!' if rest.starts_with("<!--") => after(4, "-->"),
        b'!' if rest.starts_with("<![CDATA[") => after(9, "]]>"),
        b'!' if rest[2..].starts_with(|c: char| c.is_ascii_alphabetic()) => after(2, ">"),
        b'?' => after(2, "?>"),
        b'/' => closing_tag_end(text.as_bytes(), start + 2),
        byte if byte.is_ascii_alphabetic() => opening_tag_end(text.as_bytes(), start + 1),
        _ => None,
    }
}

fn skip(bytes: &[u8], mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|byte| wanted(*byte)) {
        at += 1;
    }
    at
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

fn closing_tag_end(bytes: &[u8], name: usize) -> Option<usize> {
    if !bytes.get(name)?.is_ascii_alphabetic() {
        return None;
    }
    let at = skip(bytes, skip(bytes, name, is_name), is_blank);
    (bytes.get(at) == Some(&b'>')).then_some(at + 1)
}

fn opening_tag_end(bytes: &[u8], name: usize) -> Option<usize> {
    let mut at = skip(bytes, name, is_name);
    loop {
        let next = skip(bytes, at, is_blank);
        match *bytes.get(next)? {
            b'>' => return Some(next + 1),
            b'/' if bytes.get(next + 1) == Some(&b'>') => return Some(next + 2),
            byte if next > at && (byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) => {
                at = attribute_end(bytes, next)?;
            }
            _ => return None,
        }
    }
}

fn attribute_end(bytes: &[u8], start: usize) -> Option<usize> {
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-');
    let name_end = skip(bytes, start, is_name);
    let equals = skip(bytes, name_end, is_blank);
    if bytes.get(equals) != Some(&b'=') {
        return Some(name_end);
    }
    let value = skip(bytes, equals + 1, is_blank);
    match *bytes.get(value)? {
        quote @ (b'"' | b'\'') => {
            let length = memchr::memchr(quote, &bytes[value + 1..])?;
            Some(value + length + 2)
        }
        _ => {
            let is_value = |byte| !is_blank(byte) && !b"\"'=<>`".contains(&byte);
            let end = skip(bytes, value, is_value);
            (end > value).then_some(end)
        }
    }
}

/// The end of `<https://example.com>` or `<name@example.com>`.
pub(super) fn autolink_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let length = memchr::memchr3(b'>', b'<', b'\n', &bytes[start + 1..])?;
    let end = start + 1 + length;
    let inner = &text[start + 1..end];
    if bytes[end] != b'>' || inner.contains(is_space) {
        return None;
    }
    (is_address(inner) || is_mail(inner)).then_some(end + 1)
}

fn is_address(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        (2..=32).contains(&scheme.len())
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'))
    })
}

fn is_mail(text: &str) -> bool {
    let is_local = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    text.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty() && local.chars().all(is_local) && domain.split('.').all(is_label)
    })
}
