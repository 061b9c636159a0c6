//! The blocks of a text.

use std::collections::HashSet;
use std::ops::Range;

use super::html;
use super::scan::Fence;

/// How deep quotes, lists and footnotes may nest: printing them recurses.
pub(super) const MAX_DEPTH: usize = 100;

/// One line of a block, without what its containers put before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The columns of space before it: in text they are not part of it.
    pub(super) indent: usize,
    /// Whether marks of its containers are missing before it.
    pub(super) is_lazy: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    Quote,
    List {
        start: Option<u64>,
        mark: u8,
    },
    Item {
        marker: Range<usize>,
        content: usize,
        task: Option<bool>,
    },
    Footnote {
        name: Range<usize>,
    },
    Paragraph,
    Heading {
        level: u8,
    },
    Fenced {
        fence: Fence,
        indent: usize,
        info: Range<usize>,
    },
    Indented,
    Html {
        ends: html::Block,
    },
    Rule,
    /// Its second line is the delimiter row.
    Table,
    /// As it is to be printed.
    Definition(String),
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    pub(super) start: usize,
    /// The end of its last line that is not blank.
    pub(super) stop: usize,
    pub(super) lines: Range<usize>,
    /// The index after the last block inside of it.
    pub(super) after: usize,
}

/// All blocks, each before those inside of it.
#[derive(Default)]
pub(super) struct Document {
    pub(super) blocks: Vec<Block>,
    pub(super) lines: Vec<Line>,
    pub(super) labels: HashSet<String>,
    pub(super) footnotes: HashSet<String>,
}

/// The byte at which blocks nest too deep.
pub(super) struct TooDeep(pub(super) usize);

/// The text of lines: a slice of the whole where it is one.
pub(super) fn join<'a>(text: &'a str, lines: &[Line], buffer: &'a mut String) -> &'a str {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return "";
    };
    if lines
        .windows(2)
        .all(|pair| pair[0].end + 1 == pair[1].start)
    {
        return &text[first.start..last.end];
    }
    buffer.clear();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            buffer.push('\n');
        }
        buffer.push_str(&text[line.start..line.end]);
    }
    buffer
}
