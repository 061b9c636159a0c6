//! Comments that exclude Markdown from formatting. `<!-- prettier-ignore -->` applies to the next
//! block, outside of lists and quotes `<!-- prettier-ignore-start -->` to everything up to
//! `<!-- prettier-ignore-end -->`.

use super::block::{Block, Kind};
use super::layout::{BlockContext, Layout};
use super::scan::is_space;

/// Whether the text begins with a comment that contains only this directive.
fn is_comment(text: &str, directive: &str) -> bool {
    text.trim_start()
        .strip_prefix("<!--")
        .and_then(|rest| rest.trim_start().strip_prefix(directive))
        .is_some_and(|rest| rest.trim_start().starts_with("-->"))
}

impl Layout<'_> {
    fn is_directive(&self, block: &Block, directive: &str) -> bool {
        matches!(block.kind, Kind::Html { .. })
            && is_comment(&self.text[block.start..block.stop], directive)
    }

    /// If `comment` is an ignore directive, prints the blocks from `next` that it applies to
    /// unchanged. Returns the last of them.
    pub(super) fn ignored(
        &mut self,
        comment: &Block,
        next: usize,
        to: usize,
        within: BlockContext,
    ) -> Option<usize> {
        let document = self.document;
        if next >= to || !matches!(comment.kind, Kind::Html { .. }) {
            return None;
        }
        if self.is_directive(comment, "prettier-ignore") {
            let block = &document.blocks[next];
            self.out.end_line();
            if self.has_blank_line_before(block.start, within.in_quote()) {
                self.out.end_line();
            }
            let line = self.text[..block.start].rfind('\n').map_or(0, |at| at + 1);
            self.verbatim(&self.text[line..block.stop], true, within);
            return Some(next);
        }
        let is_nested = within.quotes > 0 || within.indent > 0;
        if is_nested || !self.is_directive(comment, "prettier-ignore-start") {
            return None;
        }
        let mut last = next;
        while !self.is_directive(&document.blocks[last], "prettier-ignore-end")
            && document.blocks[last].after < to
        {
            last = document.blocks[last].after;
        }
        self.verbatim(
            &self.text[comment.stop..document.blocks[last].stop],
            false,
            within,
        );
        Some(last)
    }

    /// Adds lines unchanged, with the current container prefixes in place of the written ones.
    fn verbatim(&mut self, text: &str, starts_line: bool, within: BlockContext) {
        for (index, line) in text.trim_end().split('\n').enumerate() {
            if index > 0 {
                self.out.end_line();
            }
            let line = if index > 0 || starts_line {
                without_marks(line, within.quotes, within.indent)
            } else {
                line
            };
            if !line.is_empty() {
                self.out.push(line);
            }
        }
    }
}

fn without_marks(mut line: &str, quotes: usize, indent: usize) -> &str {
    for _ in 0..quotes {
        let Some(rest) = line.trim_start_matches(is_space).strip_prefix('>') else {
            break;
        };
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    let mut columns = 0;
    while columns < indent {
        columns += match line.as_bytes().first() {
            Some(b' ') => 1,
            Some(b'\t') => 4,
            _ => break,
        };
        line = &line[1..];
    }
    line
}
