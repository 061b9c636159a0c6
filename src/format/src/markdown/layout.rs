//! Prints the blocks of a Markdown text.

use super::block::{self, Block, Document, Kind};
use super::code;
use super::html;
use super::inline::Labels;
use super::meaning::language_tag;
use super::scan::is_space;
use super::table;
use super::text::{Printer, TextContext};
use super::writer::Writer;
use crate::doc::text_width;

/// Formats code: takes a language tag, the code and the maximum width.
pub(super) type PrintCode<'c> = &'c dyn Fn(&str, &str, u32) -> Option<String>;

pub(super) struct Layout<'a> {
    pub(super) text: &'a str,
    pub(super) document: &'a Document,
    pub(super) texts: Printer<'a>,
    pub(super) code: PrintCode<'a>,
    pub(super) out: Writer,
    /// The remaining columns for code.
    pub(super) width: u32,
    pub(super) has_front_matter: bool,
    pub(super) scratch: String,
    pub(super) joined: String,
}

/// The containers around blocks.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockContext {
    /// Whether the blocks are in a list, where they need no blank line between them. A quote in the
    /// list resets it.
    pub(super) in_list: bool,
    /// The number of block quotes, and the indentation in the innermost one.
    pub(super) quotes: usize,
    pub(super) indent: usize,
    /// Whether the blocks are in a list item that has blank lines in it or after it.
    pub(super) is_loose: bool,
    /// Whether the innermost list around the blocks has the other markers. `None` outside of lists.
    pub(super) in_alternate: Option<bool>,
    /// Whether a list around the blocks is not aligned.
    pub(super) in_unaligned: bool,
    /// Whether the blocks follow a list or footnote marker.
    pub(super) has_marker: bool,
    /// Whether the blocks are on the line of a task list checkbox, or directly below.
    pub(super) in_task: bool,
}

impl BlockContext {
    pub(super) fn in_quote(self) -> bool {
        self.quotes > 0
    }
}

impl<'a> Layout<'a> {
    pub(super) fn new(
        text: &'a str,
        document: &'a Document,
        width: u32,
        code: PrintCode<'a>,
    ) -> Self {
        let labels = Labels {
            links: &document.labels,
            footnotes: &document.footnotes,
        };
        Self {
            text,
            document,
            texts: Printer::new(labels),
            code,
            out: Writer::new(text.len() + text.len() / 16 + 16),
            width,
            has_front_matter: false,
            scratch: String::new(),
            joined: String::new(),
        }
    }

    pub(super) fn blocks(&mut self, from: usize, to: usize, within: BlockContext) {
        let mut before: Option<&Block> = None;
        let mut is_alternate = false;
        let mut at = from;
        while at < to {
            let block = &self.document.blocks[at];
            let blank = self.has_blank_line_before(block.start, within.in_quote());
            if let Some(before) = before {
                self.part(before, block, blank, within);
            }
            is_alternate = !is_alternate && before.is_some_and(|before| are_alike(before, block));
            let position = Position {
                is_first: before.is_none(),
                blank,
                follows_list: before.is_some_and(|before| matches!(before.kind, Kind::List { .. })),
                follows_paragraph: before
                    .is_some_and(|before| matches!(before.kind, Kind::Paragraph)),
                follows_definition: before
                    .is_some_and(|before| matches!(before.kind, Kind::Definition(_))),
                is_alternate,
            };
            self.block(at, position, within);
            before = Some(block);
            at = block.after;
            if let Some(ignored) = self.ignored(block, at, to, within) {
                at = self.document.blocks[ignored].after;
                before = Some(&self.document.blocks[ignored]);
            }
        }
    }

    /// Writes the line breaks between two blocks.
    fn part(&mut self, before: &Block, block: &Block, blank: bool, within: BlockContext) {
        self.out.end_line();
        if !self.may_touch(before, block, blank, within) {
            self.out.end_line();
        }
    }

    /// Whether no blank line is between two blocks.
    fn may_touch(&self, before: &Block, block: &Block, blank: bool, within: BlockContext) -> bool {
        let follows_paragraph = matches!(before.kind, Kind::Paragraph);
        match (&before.kind, &block.kind) {
            (Kind::Definition(_), Kind::Definition(_)) => true,
            (Kind::Html { .. }, Kind::Html { .. }) if !blank => true,
            (Kind::Paragraph, Kind::Html { .. }) if !blank => true,
            (
                Kind::Definition(_),
                Kind::Heading {
                    underline: Some(_), ..
                },
            ) if !blank => true,
            (Kind::Definition(_), _) if !blank && self.would_be_html(block) => true,
            (_, Kind::List { start, .. }) if within.in_list => {
                let is_kept = matches!(
                    before.kind,
                    Kind::Fenced { .. } | Kind::Indented | Kind::Html { .. }
                );
                // Other numbers do not interrupt a paragraph at the end of the block before them.
                let may_interrupt = start.is_none_or(|start| start == 1);
                !blank || !(is_kept || follows_paragraph || !may_interrupt)
            }
            _ => within.in_list && !within.is_loose,
        }
    }

    /// Whether it is a paragraph with a tag only because no blank line precedes it.
    fn would_be_html(&self, block: &Block) -> bool {
        let first = self.document.lines[block.lines.clone()].first();
        matches!(block.kind, Kind::Paragraph)
            && first.is_some_and(|line| {
                html::Block::opened_by(&self.text[line.start..line.end], false).is_some()
            })
    }

    pub(super) fn has_blank_line_before(&self, start: usize, in_quote: bool) -> bool {
        let mut line_ends = 0;
        for byte in self.text.as_bytes()[..start].iter().rev() {
            match byte {
                b'\n' => line_ends += 1,
                b' ' | b'\t' => {}
                b'>' if in_quote => {}
                _ => return false,
            }
            if line_ends == 2 {
                return true;
            }
        }
        false
    }

    fn block(&mut self, at: usize, position: Position, within: BlockContext) {
        let block = &self.document.blocks[at];
        match &block.kind {
            Kind::Quote => {
                let prefix = self.out.open_quote();
                let inside = BlockContext {
                    in_list: false,
                    quotes: within.quotes + 1,
                    indent: 0,
                    is_loose: false,
                    has_marker: false,
                    in_task: false,
                    ..within
                };
                self.blocks(at + 1, block.after, inside);
                self.out.close(prefix);
            }
            Kind::List { start, .. } => self.list(at, *start, position.is_alternate, within),
            Kind::Item { .. } => {}
            Kind::Footnote { name } => {
                let name = self.text[name.clone()].trim_matches(is_space);
                self.out.push("[^");
                self.out.push(name);
                self.out.push("]:");
                let prefix = self.out.indent(4);
                if self.begins_below(at) {
                    self.out.end_line();
                } else {
                    self.out.space();
                }
                let inside = BlockContext {
                    in_list: false,
                    indent: within.indent + 4,
                    is_loose: false,
                    has_marker: true,
                    in_task: false,
                    ..within
                };
                self.blocks(at + 1, block.after, inside);
                self.out.close(prefix);
            }
            Kind::Paragraph => self.paragraph(block, position, within),
            Kind::Heading {
                underline: Some(underline),
                ..
            } => {
                self.paragraph(block, position, within);
                self.out.end_line();
                self.out.push(&self.text[underline.clone()]);
            }
            Kind::Heading { level, .. } => {
                self.out.push(&"######"[..usize::from(*level)]);
                self.out.space();
                let place = TextContext {
                    is_single_line: true,
                    is_heading: true,
                    ..TextContext::default()
                };
                self.text(block, place);
            }
            Kind::Fenced { info, .. } => self.fenced(block, &self.text[info.clone()]),
            Kind::Indented if position.follows_list => self.fenced(block, ""),
            Kind::Indented => self.indented(block),
            Kind::Html { .. } => self.html(block, position.is_first && within.has_marker),
            Kind::Rule => {
                let is_plain = match within.in_alternate {
                    None => !self.out.text.is_empty() && !self.makes_front_matter(block),
                    // Below a paragraph, dashes would make it a heading.
                    Some(alternate) => alternate && !position.follows_paragraph,
                };
                self.out.push(if is_plain { "---" } else { "***" });
            }
            Kind::Table => {
                let lines = &self.document.lines[block.lines.clone()];
                table::print(self.text, lines, &mut self.texts, &mut self.out);
            }
            Kind::Definition(printed) => self.out.push_lines(printed),
        }
    }

    /// Whether the first block of a footnote does not follow its marker on the line: it has several
    /// lines, or does not fit and is not alone.
    fn begins_below(&self, footnote: usize) -> bool {
        let after = self.document.blocks[footnote].after;
        let Some(first) = self.document.blocks[..after].get(footnote + 1) else {
            return false;
        };
        let source = &self.text[first.start..first.stop];
        let is_alone = first.after == after && matches!(first.kind, Kind::Paragraph);
        let column = text_width(self.out.line()) + 1;
        source.contains('\n') || !is_alone && column + text_width(source) > self.width as usize
    }

    /// Whether `---` for this thematic break would begin or end front matter that the text does not
    /// have.
    fn makes_front_matter(&self, rule: &Block) -> bool {
        let line = self.text[..rule.start].rfind('\n').map_or(0, |at| at + 1);
        let is_written = has_dashes(&self.text[line..]);
        match self.out.text.is_empty() {
            true => !is_written || rule.start > 0,
            false => !is_written && !self.has_front_matter && has_dashes(self.text),
        }
    }

    fn paragraph(&mut self, block: &Block, position: Position, within: BlockContext) {
        let place = TextContext {
            is_paragraph: true,
            follows_box: within.in_task && position.is_first,
            follows_definition: position.follows_definition && !position.blank,
            ..TextContext::default()
        };
        self.text(block, place);
    }

    fn text(&mut self, block: &Block, place: TextContext<'_>) {
        let lines = &self.document.lines[block.lines.clone()];
        let mut joined = std::mem::take(&mut self.joined);
        let text = block::join(self.text, lines, &mut joined);
        self.scratch.clear();
        let text = text.trim_end_matches(is_space);
        self.texts
            .print(text, TextContext { lines, ..place }, &mut self.scratch);
        if !self.scratch.is_empty() {
            self.out.push_lines(&self.scratch);
        }
        self.joined = joined;
    }

    /// Prints a fenced code block. Code without a printer, or that does not parse, is not changed
    /// at all.
    fn fenced(&mut self, block: &Block, info: &str) {
        let lines = &self.document.lines[block.lines.clone()];
        let read = code::read(self.text, lines);
        // The newline of the last line is included: in YAML, trailing white space may be part of a
        // value.
        let printed = language_tag(info)
            .and_then(|tag| (self.code)(tag, &format!("{read}\n"), self.width.max(10)));
        let code = match &printed {
            Some(printed) => printed.strip_suffix('\n').unwrap_or(printed),
            None => &read,
        };
        let fence = code::fence(code, info);
        self.out.push(&fence);
        if info.starts_with(char::from(fence.as_bytes()[0])) {
            self.out.push(" ");
        }
        let (tag, rest) = info.split_once(is_space).unwrap_or((info, ""));
        self.out.push(tag);
        if !rest.is_empty() {
            self.out.push(" ");
            self.out.push(rest.trim_start_matches(is_space));
        }
        self.out.end_line();
        self.out.push_lines(code);
        self.out.end_line();
        self.out.push(&fence);
    }

    fn indented(&mut self, block: &Block) {
        let code = code::read(self.text, &self.document.lines[block.lines.clone()]);
        let code = code::without_blank_ends(&code);
        let prefix = self.out.indent(4);
        for (index, line) in code.split('\n').enumerate() {
            if index > 0 {
                self.out.end_line();
            } else if !self.out.is_at_line_start() {
                // The list marker takes the place of the indentation of the first line.
                self.out.push("    ");
            }
            if !line.is_empty() {
                self.out.push(line);
            }
        }
        self.out.close(prefix);
    }

    fn html(&mut self, block: &Block, beside_marker: bool) {
        let lines = &self.document.lines[block.lines.clone()];
        let is_comment = html::is_comment(self.text, lines);
        for (index, line) in lines.iter().enumerate() {
            let raw = &self.text[line.start..line.end];
            let raw = match is_comment || index + 1 == lines.len() {
                true => raw.trim_end_matches(is_space),
                false => raw,
            };
            let raw = if index == 0 && beside_marker {
                raw.trim_start_matches(' ')
            } else {
                raw
            };
            if index > 0 {
                self.out.end_line();
            }
            if !raw.is_empty() {
                self.out.push_indented(line.indent, raw);
            }
        }
    }
}

/// Whether the first line is `---`.
fn has_dashes(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or_default();
    line.trim_end_matches(is_space) == "---"
}

struct Position {
    is_first: bool,
    /// Whether a blank line precedes it.
    blank: bool,
    follows_list: bool,
    follows_paragraph: bool,
    follows_definition: bool,
    is_alternate: bool,
}

/// Whether both are lists that would be read as one.
fn are_alike(one: &Block, two: &Block) -> bool {
    matches!((&one.kind, &two.kind), (Kind::List { start: one, .. }, Kind::List { start: two, .. })
        if one.is_some() == two.is_some())
}
