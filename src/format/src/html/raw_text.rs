//! Text in HTML whose white space is significant: scripts, styles, and preformatted elements.

use fixpoint_text::LineIndex;

use crate::{Language, same_meaning};

/// Elements whose content is text without tags.
const RAW: [&[u8]; 7] = [
    b"listing",
    b"plaintext",
    b"script",
    b"style",
    b"textarea",
    b"title",
    b"xmp",
];

/// A raw text and the tag that opens it.
struct RawText<'t> {
    tag: &'t str,
    content: &'t str,
    start: usize,
}

/// The line of the first raw text whose meaning differs in `after`, counted from 1.
pub(crate) fn changed_raw_text(before: &str, after: &str) -> Option<usize> {
    let (old, new) = (raw_texts(before), raw_texts(after));
    if old.len() != new.len() {
        return Some(1);
    }
    let mut pairs = old.iter().zip(&new);
    let changed = pairs.find(|(old, new)| !old.means_the_same_as(new))?.0;
    Some(LineIndex::new(before).line_of(changed.start) + 1)
}

/// Whether an attribute makes the white space of an element visible or editable.
pub(crate) fn keeps_white_space(text: &str) -> bool {
    tags(text).any(|(_, tag)| {
        let tag = tag.to_ascii_lowercase();
        let shows =
            tag.contains("white-space") && (tag.contains("pre") || tag.contains("break-spaces"));
        shows || tag.contains("contenteditable")
    })
}

impl RawText<'_> {
    fn means_the_same_as(&self, other: &Self) -> bool {
        if self.content == other.content {
            return true;
        }
        match self.language() {
            Some(language) => {
                same_meaning(language, "embedded", self.content, other.content)
                    // A script that does not parse does not run, so comparing its trimmed lines is
                    // enough.
                    .unwrap_or_else(|| lines(self.content).eq(lines(other.content)))
            }
            None => self.is_title(),
        }
    }

    /// The language of a script or style. `None` if the content is data or text.
    fn language(&self) -> Option<Language> {
        let name = tag_name(self.tag.as_bytes()).to_ascii_lowercase();
        match (name.as_slice(), self.script_type().as_str()) {
            (b"style", _) => Some(Language::Css),
            (b"script", "" | "module" | "text/javascript" | "application/javascript") => {
                Some(Language::JavaScript)
            }
            (b"script", "text/babel" | "text/jsx") => Some(Language::Jsx),
            (b"script", "text/typescript" | "ts") => Some(Language::TypeScript),
            (b"script", "importmap" | "speculationrules") => Some(Language::Json),
            (b"script", kind) if kind.ends_with("json") => Some(Language::Json),
            _ => None,
        }
    }

    fn script_type(&self) -> String {
        let tag = self.tag.to_ascii_lowercase();
        let value = tag.split_once("type=").map_or("", |(_, value)| value);
        let quoted = value.strip_prefix(['"', '\'']);
        let end = |c: char| matches!(c, '"' | '\'' | '>') || quoted.is_none() && c.is_whitespace();
        let value = quoted.unwrap_or(value).split(end).next();
        value.unwrap_or_default().trim().to_owned()
    }

    fn is_title(&self) -> bool {
        tag_name(self.tag.as_bytes()).eq_ignore_ascii_case(b"title")
    }
}

fn lines(content: &str) -> impl Iterator<Item = &str> {
    let lines = content.lines().map(str::trim);
    lines.filter(|line| !line.is_empty())
}

fn raw_texts(text: &str) -> Vec<RawText<'_>> {
    let raw = tags(text).filter_map(|(start, tag)| {
        let rest = text.get(start + tag.len()..)?;
        let is_raw = RAW
            .iter()
            .any(|name| name.eq_ignore_ascii_case(tag_name(tag.as_bytes())));
        let length = raw_length(tag.as_bytes(), rest.as_bytes());
        is_raw.then_some(RawText {
            tag,
            content: rest.get(..length)?,
            start,
        })
    });
    raw.collect()
}

/// The opening tags and their positions, except those inside of raw texts and comments.
fn tags(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += memchr::memchr(b'<', bytes.get(at..)?)?;
            let rest = &bytes[at..];
            if rest.starts_with(b"<!--") {
                at += memchr::memmem::find(rest, b"-->").unwrap_or(rest.len());
            } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
                let (start, length) = (at, tag_length(rest));
                at += length + raw_length(rest, &rest[length..]);
                if let Some(tag) = text.get(start..start + length) {
                    return Some((start, tag));
                }
            } else {
                at += 1;
            }
        }
    })
}

fn tag_name(tag: &[u8]) -> &[u8] {
    let length = tag[1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
        .count();
    &tag[1..=length]
}

/// The length of a tag. A `>` inside the quotes of an attribute does not end it.
pub(super) fn tag_length(tag: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = tag.get(at) {
        at += 1;
        match byte {
            b'>' => return at,
            b'"' | b'\'' if tag[at - 2] == b'=' || tag[at - 2].is_ascii_whitespace() => {
                at += memchr::memchr(byte, &tag[at..]).map_or(tag.len() - at, |end| end + 1);
            }
            _ => {}
        }
    }
    tag.len()
}

/// The length of the raw text after `tag`; 0 if the tag does not open one. Raw text contains no
/// tags.
pub(super) fn raw_length(tag: &[u8], content: &[u8]) -> usize {
    let name = tag_name(tag);
    if !RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name)) {
        return 0;
    }
    memchr::memmem::find_iter(content, b"</")
        .find(|at| {
            content[at + 2..]
                .get(..name.len())
                .is_some_and(|end| end.eq_ignore_ascii_case(name))
        })
        .unwrap_or(content.len())
}

#[cfg(all(test, feature = "typescript", feature = "json"))]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_are_compared_by_meaning() {
        let same = [
            (
                "<script>\nf( 1 )\n</script>",
                "<script>\n  f(1);\n</script>",
            ),
            ("<style>\na{b:c}</style>", "<style>\n  a { b: c }\n</style>"),
            (
                "<script type=\"application/ld+json\">{\"a\":1}</script>",
                "<script type=\"application/ld+json\">\n  { \"a\": 1 }\n</script>",
            ),
            ("<title>\n a</title>", "<title>a</title>"),
        ];
        for (before, after) in same {
            assert_eq!(changed_raw_text(before, after), None, "{before}");
        }
        let different = [
            ("<script>x = `\n  a`</script>", "<script>x = `\na`</script>"),
            (
                "<script>x = 'a\\\n  b'</script>",
                "<script>x = 'a\\\nb'</script>",
            ),
            (
                "<style>a{content:'a\\\n b'}</style>",
                "<style>a{content:'a\\\nb'}</style>",
            ),
            (
                "<script type='text/plain'> a </script>",
                "<script type='text/plain'> a\n</script>",
            ),
            ("<p></p>\n<xmp>a  b</xmp>", "<p></p>\n<xmp>a b</xmp>"),
            ("<textarea> a</textarea>", "<textarea>a</textarea>"),
        ];
        for (before, after) in different {
            assert!(changed_raw_text(before, after).is_some(), "{before}");
        }
        let second = changed_raw_text("<p></p>\n<xmp>a  b</xmp>", "<p></p>\n<xmp>a b</xmp>");
        assert_eq!(second, Some(2));
    }

    #[test]
    fn attributes_that_keep_white_space_are_found() {
        for kept in [
            "<p style=\"white-space: pre-wrap\">a  b</p>",
            "<div contenteditable> a </div>",
        ] {
            assert!(keeps_white_space(kept), "{kept}");
        }
        assert!(!keeps_white_space("<p class=\"pre\">white-space: pre</p>"));
    }
}
