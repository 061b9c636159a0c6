//! What a text says, as another parser reads it: pulldown-cmark.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::front::FrontMatter;
use crate::words::words;

/// The events of the text without what printing may change: space between words, the marks of
/// lists and emphasis, and the layout of code.
pub(crate) fn meaning(text: &str) -> Vec<u8> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut said = Said {
        bytes: Vec::with_capacity(text.len()),
        verbatim: false,
        printed: false,
        in_heading: false,
        edge: 0,
        link: None,
    };
    let front = FrontMatter::of(text);
    if let Some(front) = &front {
        said.bytes = words(front.content);
        said.bytes.extend([START, front.mark.as_bytes()[0]]);
    }
    let body = &text[front.map_or(0, |front| front.end)..];
    for event in Parser::new_ext(body, options) {
        said.event(event);
    }
    said.bytes
}

/// The tag that names the language in the info of a fence.
pub(super) fn language_tag(info: &str) -> Option<&str> {
    info.split([' ', ',']).next().filter(|tag| !tag.is_empty())
}

struct Said {
    bytes: Vec<u8>,
    /// Whether the text is code or HTML, of which only what is no space is compared.
    verbatim: bool,
    /// Whether a printer of its own language has printed it, of which only the words are compared.
    printed: bool,
    in_heading: bool,
    /// Where the block or the line began: space there says nothing.
    edge: usize,
    /// The start and the end of the last link's opening: space inside of it is as space before.
    link: Option<(usize, usize)>,
}

/// No text has these bytes, so what they begin is no text.
const START: u8 = 0xFE;
const END: u8 = 0xFF;

impl Said {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(TagEnd::Link) => {
                let spaced = self.bytes.last() == Some(&b' ');
                self.trim();
                self.bytes.push(END);
                if spaced {
                    self.bytes.push(b' ');
                }
            }
            Event::End(tag) => {
                self.verbatim &= !matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock);
                self.printed &= self.verbatim;
                self.in_heading &= !matches!(tag, TagEnd::Heading(_));
                if !matches!(
                    tag,
                    TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough
                ) {
                    self.trim();
                }
                self.bytes.push(END);
            }
            Event::Text(text) if self.printed => self.bytes.extend(words(&text)),
            Event::Text(text) | Event::Html(text) => self.text(&text),
            Event::Code(text) => self.leaf(b'`', text.trim()),
            Event::InlineHtml(text) => self.leaf(b'<', &text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.leaf(b'$', &text),
            Event::FootnoteReference(name) => self.leaf(b'^', &name),
            Event::SoftBreak => self.text(" "),
            // A heading is printed on one line.
            Event::HardBreak if self.in_heading => self.text(" "),
            Event::HardBreak => {
                self.trim();
                self.leaf(b'\\', "");
                self.edge = self.bytes.len();
            }
            Event::Rule => self.leaf(b'-', ""),
            Event::TaskListMarker(ticked) => self.leaf(b'x', if ticked { "x" } else { "" }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let is_block = !matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        );
        if is_block {
            self.trim();
        }
        self.bytes.push(START);
        match tag {
            Tag::Paragraph => self.bytes.push(b'p'),
            Tag::Heading { level, .. } => {
                self.bytes.extend([b'h', level as u8]);
                self.in_heading = true;
            }
            Tag::BlockQuote(kind) => self
                .bytes
                .extend([b'q', kind.map_or(0, |kind| kind as u8 + 1)]),
            Tag::CodeBlock(kind) => {
                self.bytes.push(b'c');
                if let CodeBlockKind::Fenced(info) = kind {
                    self.text(info.trim());
                    self.printed = language_tag(&info).and_then(super::language_of).is_some();
                }
                self.bytes.push(b':');
                self.verbatim = true;
            }
            Tag::HtmlBlock => {
                self.bytes.push(b'<');
                self.verbatim = true;
            }
            Tag::List(start) => {
                self.bytes.push(b'l');
                if let Some(start) = start {
                    self.bytes.extend(start.to_le_bytes());
                }
            }
            Tag::Item => self.bytes.push(b'i'),
            Tag::FootnoteDefinition(name) => {
                self.bytes.push(b'^');
                self.text(&name);
            }
            Tag::Table(sides) => {
                self.bytes.push(b't');
                self.bytes.extend(sides.iter().map(|side| *side as u8));
            }
            Tag::TableHead => self.bytes.push(b'a'),
            Tag::TableRow => self.bytes.push(b'r'),
            Tag::TableCell => self.bytes.push(b'd'),
            Tag::Emphasis => self.bytes.push(b'_'),
            Tag::Strong => self.bytes.push(b'*'),
            Tag::Strikethrough => self.bytes.push(b'~'),
            Tag::Link {
                dest_url, title, ..
            } => self.link(b'[', &dest_url, &title),
            Tag::Image {
                dest_url, title, ..
            } => {
                self.link(b'!', &dest_url, &title);
                self.link = None;
                self.edge = self.bytes.len();
            }
            _ => self.bytes.push(b'?'),
        }
        if is_block {
            self.edge = self.bytes.len();
        }
    }

    fn link(&mut self, kind: u8, url: &str, title: &str) {
        let start = self.bytes.len() - 1;
        self.bytes.push(kind);
        self.bytes.extend_from_slice(url.as_bytes());
        self.bytes.push(END);
        self.text(title.trim());
        self.bytes.push(END);
        self.link = Some((start, self.bytes.len()));
    }

    fn leaf(&mut self, kind: u8, text: &str) {
        self.bytes.extend([START, kind]);
        self.text(text);
        self.bytes.push(END);
    }

    /// Adds text with single spaces, and without any in code.
    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            if !matches!(byte, b' ' | b'\t' | b'\n') {
                self.bytes.push(byte);
            } else if !self.verbatim {
                self.space();
            }
        }
    }

    fn space(&mut self) {
        let end = self.bytes.len();
        let at = self
            .link
            .filter(|link| link.1 == end)
            .map_or(end, |link| link.0);
        if at != self.edge && self.bytes[at - 1] != b' ' {
            self.bytes.insert(at, b' ');
            self.link = self.link.map(|(start, end)| (start + 1, end + 1));
        }
    }

    /// Drops the space at the end of a line or a block.
    fn trim(&mut self) {
        if self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
    }
}
