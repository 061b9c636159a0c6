//! The meaning of a Markdown text, according to an independent parser: pulldown-cmark.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::front::FrontMatter;
use super::{FENCED, html};
use crate::Language;
use crate::outline::{Meaning, outline};
use crate::printer::{Variant, printer_of};
use crate::words::words;

/// The parser events of the text, without what printing may change. That is white space between
/// words, list markers and emphasis delimiters, and the layout of code that has a printer.
pub(crate) fn meaning(text: &str) -> Vec<u8> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut writer = MeaningWriter {
        bytes: Vec::with_capacity(text.len()),
        block: None,
        edge: 0,
        link: None,
    };
    let front = FrontMatter::of(text);
    if let Some(front) = &front {
        let language = (front.mark == "---").then_some(Language::Yaml);
        writer.bytes = code(language, front.content);
        writer.bytes.extend([START, front.mark.as_bytes()[0]]);
    }
    let body = &text[front.map_or(0, |front| front.end)..];
    for event in Parser::new_ext(body, options) {
        writer.event(event);
    }
    writer.bytes
}

/// The language tag in the info string of a fence.
pub(super) fn language_tag(info: &str) -> Option<&str> {
    info.split([' ', ',']).next().filter(|tag| !tag.is_empty())
}

/// The meaning of code. Code without a printer, or that does not parse, is compared as it is.
fn code(language: Option<Language>, code: &str) -> Vec<u8> {
    // An empty block gets a line.
    if code.trim_matches('\n').is_empty() {
        return Vec::new();
    }
    // The parser adds no line end at the end of a text.
    let written = || code.strip_suffix('\n').unwrap_or(code).into();
    let Some((language, printer)) = language.zip(language.and_then(printer_of)) else {
        return written();
    };
    let path = FENCED;
    match outline(printer, Variant { language, path }, code).map(|outline| outline.meaning) {
        Ok(Meaning::Exact(bytes) | Meaning::Words(bytes)) => bytes,
        Ok(Meaning::Readings(readings)) => {
            readings.into_iter().flatten().next().unwrap_or_default()
        }
        Ok(Meaning::Unknown) => words(code),
        Err(_) => written(),
    }
}

/// The meaning of an HTML block. White space is included only where a browser may show it.
fn raw(text: &str) -> Vec<u8> {
    if html::shows_space(text) {
        return text.trim().into();
    }
    let bytes = text.bytes();
    bytes
        .filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n'))
        .collect()
}

/// A block of code or HTML. The parser may report its text in parts.
struct Verbatim {
    text: String,
    language: Option<Language>,
    is_html: bool,
}

struct MeaningWriter {
    bytes: Vec<u8>,
    /// The open block of code or HTML.
    block: Option<Verbatim>,
    /// The start of the block or line, where white space is not significant.
    edge: usize,
    /// The start and end of the opening of the last link. White space directly inside counts as
    /// before it.
    link: Option<(usize, usize)>,
}

/// These bytes do not occur in UTF-8 text, so they mark structure.
const START: u8 = 0xFE;
const END: u8 = 0xFF;

impl MeaningWriter {
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
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => {
                let meaning = self.block.take().map(|block| match block.is_html {
                    true => raw(&block.text),
                    false => code(block.language, &block.text),
                });
                self.bytes.extend(meaning.unwrap_or_default());
                self.bytes.push(END);
            }
            Event::End(tag) => {
                if !matches!(
                    tag,
                    TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough
                ) {
                    self.trim();
                }
                self.bytes.push(END);
            }
            Event::Text(text) | Event::Html(text) => match &mut self.block {
                Some(block) => block.text.push_str(&text),
                None => self.text(&text),
            },
            Event::Code(text) => self.leaf(b'`', text.trim()),
            Event::InlineHtml(text) => self.leaf(b'<', &text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.leaf(b'$', &text),
            Event::FootnoteReference(name) => self.leaf(b'^', &name),
            Event::SoftBreak => self.text(" "),
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
            }
            Tag::BlockQuote(kind) => self
                .bytes
                .extend([b'q', kind.map_or(0, |kind| kind as u8 + 1)]),
            Tag::CodeBlock(kind) => {
                self.bytes.push(b'c');
                let mut language = None;
                if let CodeBlockKind::Fenced(info) = kind {
                    self.text(info.trim());
                    language = language_tag(&info).and_then(Language::of_fence_tag);
                }
                self.bytes.push(b':');
                self.open(language, false);
            }
            Tag::HtmlBlock => {
                self.bytes.push(b'<');
                self.open(None, true);
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

    fn open(&mut self, language: Option<Language>, is_html: bool) {
        let text = String::new();
        self.block = Some(Verbatim {
            text,
            language,
            is_html,
        });
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

    /// Adds text with white space collapsed to single spaces.
    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b' ' | b'\t' | b'\n' => self.space(),
                _ => self.bytes.push(byte),
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

    /// Removes the space at the end of a line or a block.
    fn trim(&mut self) {
        if self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
    }
}
