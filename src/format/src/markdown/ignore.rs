//! Comments that tell to leave what follows as it is: `<!-- prettier-ignore -->` the next block,
//! `<!-- prettier-ignore-start -->` all up to `<!-- prettier-ignore-end -->`.

use super::block::{Block, Kind};
use super::layout::{Layout, Within};
use super::scan::is_space;

/// Whether the text begins with a comment that says just this.
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

    /// The last block that the comment before `next` tells to leave, once it is printed so.
    pub(super) fn ignored(
        &mut self,
        comment: &Block,
        next: usize,
        to: usize,
        within: Within,
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
        if !self.is_directive(comment, "prettier-ignore-start") {
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

    /// Adds lines as they are, with the marks of our containers in place of those they had.
    fn verbatim(&mut self, text: &str, starts_line: bool, within: Within) {
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
