//! The block structure of a Markdown text.

use std::collections::HashSet;
use std::ops::Range;

use super::html;
use super::scan::Fence;

/// The maximum nesting of quotes, lists and footnotes. Printing them recurses.
pub(super) const MAX_DEPTH: usize = 100;

/// One line of a block, without the markers of its containers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The columns of white space before it. In a paragraph they are not part of the content.
    pub(super) indent: usize,
    /// Whether it is a lazy continuation line: markers of its containers are missing.
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
        /// The line of `=` or `-` below the text, in place of `#` before it.
        underline: Option<Range<usize>>,
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
    /// A table. Its second line is the delimiter row.
    Table,
    /// A link reference definition, in its printed form.
    Definition(String),
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    pub(super) start: usize,
    /// The end of its last non-blank line.
    pub(super) stop: usize,
    pub(super) lines: Range<usize>,
    /// The index after its last descendant.
    pub(super) after: usize,
}

/// All blocks in preorder: each block comes before its children.
#[derive(Default)]
pub(super) struct Document {
    pub(super) blocks: Vec<Block>,
    pub(super) lines: Vec<Line>,
    pub(super) labels: HashSet<String>,
    pub(super) footnotes: HashSet<String>,
}

/// The byte offset at which blocks are nested too deeply.
pub(super) struct TooDeep(pub(super) usize);

/// The text of `lines`, borrowed from `text` if it is contiguous.
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
