//! Parses the blocks of a text line by line, as described in CommonMark. Each line first continues
//! the open blocks, then opens new ones. The rest of the line is text.

use super::block::{Block, Document, Kind, Line, MAX_DEPTH, TooDeep};
use super::cursor::Cursor;
use super::html;
use super::link;
use super::scan::{self, CODE_INDENT, Fence, Marker, is_space};

pub(super) fn parse(text: &str, from: usize) -> Result<Document, TooDeep> {
    let mut parser = Parser {
        text,
        document: Document::default(),
        open: Vec::new(),
        leaf: None,
        content_stop: 0,
    };
    let mut start = from;
    for end in memchr::memchr_iter(b'\n', &text.as_bytes()[from..]).map(|at| from + at) {
        parser.line(start, end)?;
        start = end + 1;
    }
    if start < text.len() {
        parser.line(start, text.len())?;
    }
    parser.close_to(0);
    parser.close_leaf();
    Ok(parser.document)
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) document: Document,
    /// The open containers, outermost first.
    pub(super) open: Vec<usize>,
    /// The open block in the innermost container, which takes the next lines.
    pub(super) leaf: Option<usize>,
    /// The end of the last non-blank line.
    pub(super) content_stop: usize,
}

impl Parser<'_> {
    fn line(&mut self, start: usize, end: usize) -> Result<(), TooDeep> {
        let mut cursor = Cursor::new(self.text, start, end);
        let mut matched = self.continue_containers(&mut cursor);
        let (_, text_start) = cursor.indent();
        let is_blank = text_start == end;
        let whole = matched == self.open.len();
        if whole && self.continue_verbatim(cursor, is_blank) {
            if !is_blank {
                self.content_stop = end;
            }
            return Ok(());
        }
        if is_blank {
            self.close_to(matched);
            self.close_leaf();
            return Ok(());
        }
        if !self.open_blocks(&mut cursor, &mut matched)? {
            self.add_text(cursor, matched);
        }
        self.content_stop = end;
        Ok(())
    }

    /// Skips the markers of the open containers. Returns how many of them the line continues.
    fn continue_containers(&self, cursor: &mut Cursor<'_>) -> usize {
        for (index, &container) in self.open.iter().enumerate() {
            let (indent, text_start) = cursor.indent();
            let is_blank = text_start == cursor.end;
            let goes_on = match self.document.blocks[container].kind {
                Kind::Quote => {
                    let marked = indent < CODE_INDENT && cursor.trimmed().starts_with('>');
                    if marked {
                        skip_quote_mark(cursor);
                    }
                    marked
                }
                Kind::Item { content, .. } if is_blank => {
                    let is_empty = self.document.blocks.len() == container + 1;
                    if !is_empty {
                        cursor.skip_columns(content);
                    }
                    !is_empty
                }
                Kind::Footnote { .. } if is_blank => {
                    cursor.skip_columns(CODE_INDENT);
                    true
                }
                Kind::Item { content, .. } => skip_indent(cursor, indent, content),
                Kind::Footnote { .. } => skip_indent(cursor, indent, CODE_INDENT),
                _ => true,
            };
            if !goes_on {
                return index;
            }
        }
        self.open.len()
    }

    /// Whether the line belongs to an open code or HTML block. If so, adds it.
    fn continue_verbatim(&mut self, mut cursor: Cursor<'_>, is_blank: bool) -> bool {
        let Some(leaf) = self.leaf else {
            return false;
        };
        let (columns, _) = cursor.indent();
        match self.document.blocks[leaf].kind {
            Kind::Fenced { fence, indent, .. } => {
                if columns < CODE_INDENT && fence.is_closed_by(cursor.trimmed()) {
                    self.content_stop = cursor.end;
                    self.close_leaf();
                    return true;
                }
                cursor.skip_columns(indent);
                self.push_line(cursor);
                true
            }
            Kind::Html { ends } => {
                if is_blank && ends == html::Block::Blank {
                    return false;
                }
                self.push_line(cursor);
                if ends.ends_with(cursor.rest()) {
                    self.content_stop = cursor.end;
                    self.close_leaf();
                }
                true
            }
            Kind::Indented if is_blank || columns >= CODE_INDENT => {
                cursor.skip_columns(CODE_INDENT);
                self.push_line(cursor);
                true
            }
            _ => false,
        }
    }

    /// Opens the blocks that begin on the line. Returns whether the line is used up.
    fn open_blocks(
        &mut self,
        cursor: &mut Cursor<'_>,
        matched: &mut usize,
    ) -> Result<bool, TooDeep> {
        loop {
            let (indent, start) = cursor.indent();
            let rest = cursor.trimmed();
            let whole = *matched == self.open.len();
            let in_text = self.leaf.is_some_and(|leaf| {
                matches!(self.document.blocks[leaf].kind, Kind::Paragraph)
                    || (whole && matches!(self.document.blocks[leaf].kind, Kind::Table))
            });
            if rest.is_empty() {
                return Ok(true);
            }
            if indent >= CODE_INDENT {
                let is_paragraph = self
                    .leaf
                    .is_some_and(|leaf| matches!(self.document.blocks[leaf].kind, Kind::Paragraph));
                if is_paragraph {
                    return Ok(false);
                }
                self.close_to(*matched);
                self.open_leaf(Kind::Indented, start);
                cursor.skip_columns(CODE_INDENT);
                self.push_line(*cursor);
                return Ok(true);
            }
            let first = rest.as_bytes()[0];
            if first.is_ascii_alphabetic() || first >= 0x80 {
                return Ok(false);
            }
            if whole && in_text && self.underline_or_table(rest, *cursor) {
                return Ok(true);
            }
            let kind = match first {
                b'>' => {
                    self.close_to(*matched);
                    self.open_container(Kind::Quote, start)?;
                    skip_quote_mark(cursor);
                    *matched = self.open.len();
                    continue;
                }
                b'#' => scan::heading_level(rest).map(|level| Kind::Heading {
                    level,
                    underline: None,
                }),
                b'`' | b'~' => Fence::opened_by(rest).map(|fence| {
                    let info = rest[fence.length..].trim_start_matches(is_space);
                    let begin = cursor.end - info.len();
                    let info = begin..begin + info.trim_end_matches(is_space).len();
                    Kind::Fenced {
                        fence,
                        indent,
                        info,
                    }
                }),
                b'<' => html::Block::opened_by(rest, in_text).map(|ends| Kind::Html { ends }),
                b'[' => {
                    let Some(name) = scan::footnote_name(rest) else {
                        return Ok(false);
                    };
                    let name = start + 2..start + 2 + name.len();
                    self.close_to(*matched);
                    self.document
                        .footnotes
                        .insert(link::normalized(&self.text[name.clone()]).into_owned());
                    cursor.skip_space();
                    cursor.skip_bytes(name.len() + 4);
                    self.open_container(Kind::Footnote { name }, start)?;
                    cursor.skip_space();
                    *matched = self.open.len();
                    continue;
                }
                b'-' | b'*' | b'_' if scan::is_rule(rest) => Some(Kind::Rule),
                _ => match Marker::of(rest) {
                    Some(marker) if !(whole && in_text) || marker.interrupts(rest) => {
                        self.close_to(*matched);
                        let is_task = self.open_item(marker, indent, cursor)?;
                        *matched = self.open.len();
                        if is_task {
                            return Ok(false);
                        }
                        continue;
                    }
                    _ => None,
                },
            };
            let Some(kind) = kind else {
                return Ok(false);
            };
            self.close_to(*matched);
            self.add_leaf(kind, *cursor, start);
            return Ok(true);
        }
    }

    /// Adds a block that its first line identifies. A heading or thematic break also ends there.
    fn add_leaf(&mut self, kind: Kind, mut cursor: Cursor<'_>, start: usize) {
        let ends = match &kind {
            Kind::Heading { level, .. } => {
                cursor.skip_space();
                cursor.skip_bytes(usize::from(*level));
                cursor.skip_space();
                cursor.end = scan::heading_end(self.text, cursor.at, cursor.end);
                true
            }
            Kind::Rule => true,
            Kind::Html { ends } => ends.ends_with(cursor.rest()),
            _ => false,
        };
        let has_line = matches!(kind, Kind::Heading { .. } | Kind::Html { .. });
        self.open_leaf(kind, start);
        if has_line {
            self.push_line(cursor);
        }
        if ends {
            self.content_stop = cursor.end;
            self.close_leaf();
        }
    }

    fn add_text(&mut self, cursor: Cursor<'_>, matched: usize) {
        let is_lazy = matched < self.open.len();
        let open = self.leaf.map(|leaf| &self.document.blocks[leaf].kind);
        match open {
            // Also without the markers of containers: a lazy continuation line.
            Some(Kind::Paragraph) => {}
            Some(Kind::Table) if !is_lazy => {}
            _ => {
                self.close_to(matched);
                self.open_leaf(Kind::Paragraph, cursor.indent().1);
            }
        }
        self.push_text_line(cursor, is_lazy);
    }

    pub(super) fn push_text_line(&mut self, mut cursor: Cursor<'_>, is_lazy: bool) {
        let (indent, _) = cursor.indent();
        cursor.skip_space();
        self.document.lines.push(Line {
            start: cursor.at,
            end: cursor.end,
            indent,
            is_lazy,
        });
    }

    fn push_line(&mut self, cursor: Cursor<'_>) {
        self.document.lines.push(Line {
            start: cursor.at,
            end: cursor.end,
            indent: cursor.spare,
            is_lazy: false,
        });
    }

    pub(super) fn open_container(&mut self, kind: Kind, start: usize) -> Result<(), TooDeep> {
        self.leave_list();
        self.push_container(kind, start)
    }

    pub(super) fn push_container(&mut self, kind: Kind, start: usize) -> Result<(), TooDeep> {
        // A list and its item count as one level.
        if self.open.len() >= 2 * MAX_DEPTH {
            return Err(TooDeep(start));
        }
        self.close_leaf();
        self.open.push(self.document.blocks.len());
        self.push_block(kind, start);
        Ok(())
    }

    pub(super) fn open_leaf(&mut self, kind: Kind, start: usize) {
        self.leave_list();
        self.close_leaf();
        self.leaf = Some(self.document.blocks.len());
        self.push_block(kind, start);
    }

    pub(super) fn push_block(&mut self, kind: Kind, start: usize) {
        let at = self.document.blocks.len();
        let line = self.document.lines.len();
        self.document.blocks.push(Block {
            kind,
            start,
            stop: start,
            lines: line..line,
            after: at + 1,
        });
    }

    /// Closes the innermost list if the next block is not one of its items.
    fn leave_list(&mut self) {
        if let Some(&container) = self.open.last()
            && matches!(self.document.blocks[container].kind, Kind::List { .. })
        {
            self.close_to(self.open.len() - 1);
        }
    }

    /// Closes containers until `kept` are open. Closes the leaf if it is in a closed one.
    fn close_to(&mut self, kept: usize) {
        if kept < self.open.len() {
            self.close_leaf();
        }
        while self.open.len() > kept {
            if let Some(container) = self.open.pop() {
                let after = self.document.blocks.len();
                let block = &mut self.document.blocks[container];
                block.after = after;
                block.stop = self.content_stop;
            }
        }
    }

    pub(super) fn close_leaf(&mut self) {
        if self
            .leaf
            .is_some_and(|leaf| matches!(self.document.blocks[leaf].kind, Kind::Paragraph))
        {
            self.take_definitions();
        }
        let Some(leaf) = self.leaf.take() else {
            return;
        };
        let lines = &mut self.document.lines;
        let block = &mut self.document.blocks[leaf];
        if matches!(block.kind, Kind::Indented) {
            let text = self.text;
            while lines.len() > block.lines.start
                && lines.last().is_some_and(|line| {
                    text[line.start..line.end].trim_matches(is_space).is_empty()
                })
            {
                lines.pop();
            }
        }
        block.lines.end = lines.len();
        block.stop = self.content_stop;
    }
}

fn skip_quote_mark(cursor: &mut Cursor<'_>) {
    cursor.skip_space();
    cursor.skip_bytes(1);
    cursor.skip_columns(1);
}

fn skip_indent(cursor: &mut Cursor<'_>, indent: usize, needed: usize) -> bool {
    let goes_on = indent >= needed;
    if goes_on {
        cursor.skip_columns(needed);
    }
    goes_on
}
