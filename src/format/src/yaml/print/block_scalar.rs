//! Literal and folded block scalars.

use super::{Context, TreePrinter};
use crate::doc::{Align, Doc};
use crate::yaml::tree::{Kind, NodeId};

impl<'a> TreePrinter<'a> {
    pub(super) fn block_scalar(&self, id: NodeId, context: Context) -> Doc<'a> {
        let header = self.header(id);
        let mut parts = vec![Doc::Text(if self.tree.kind(id) == Kind::Folded {
            ">"
        } else {
            "|"
        })];
        let digit = header.find(|c: char| c.is_ascii_digit());
        let digit = digit.map(|at| &header[at..=at]);
        parts.extend(digit.map(Doc::Text));
        let chomping = header.find(['+', '-']).map(|at| &header[at..=at]);
        parts.extend(chomping.map(Doc::Text));
        if let Some(comment) = self.tree.extras(id).header {
            let comment = &self.tree.comments[comment];
            parts.extend([Doc::SPACE, Doc::Text(&self.text[comment.span().range()])]);
        }
        let lines = self.content_lines(id, context);
        let width = digit
            .and_then(|digit| digit.parse().ok())
            .unwrap_or(self.layout.indent_width);
        let contents = self.printed_lines(id, &lines, context);
        let contents = self.build.align(Align::Spaces(width), contents);
        parts.push(self.build.dedent(contents));
        self.build.concat(&parts)
    }

    fn printed_lines(&self, id: NodeId, lines: &[&'a str], context: Context) -> Doc<'a> {
        let mut parts = Vec::with_capacity(lines.len() * 2);
        let ends_in_blanks = self.has_final_blanks(id);
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                parts.push(Doc::HARDLINE);
            }
            parts.push(Doc::Text(line));
            if index + 1 < lines.len() {
                parts.push(if line.is_empty() {
                    Doc::HARDLINE
                } else {
                    self.literal_line()
                });
            } else if context.is_last && (self.keeps_newlines(id) || ends_in_blanks) {
                let line_end = if line.is_empty() {
                    Doc::HARDLINE
                } else {
                    Doc::LITERALLINE
                };
                parts.push(self.build.align(Align::ToRoot, line_end));
            } else if line.is_empty() && ends_in_blanks {
                parts.push(Doc::Trim);
            }
        }
        self.build.concat(&parts)
    }

    /// The lines of the content without their indentation. Of the blank lines at the end, only those
    /// remain that are printed with the scalar.
    fn content_lines(&self, id: NodeId, context: Context) -> Vec<&'a str> {
        let mut lines = self.raw_lines(id);
        if self.keeps_newlines(id) {
            if lines.last().is_some_and(|line| line.is_empty()) {
                lines.pop();
            }
            return lines;
        }
        let filled = lines.iter().rposition(|line| !line.is_empty());
        let filled = filled.map_or(0, |last| last + 1);
        let blank = lines.len() - filled;
        let keeps_one = blank >= 2 && !context.is_last;
        lines.truncate(filled + usize::from(keeps_one));
        lines
    }

    /// The lines after the header without their indentation. The last one is empty if the scalar ends
    /// in a newline.
    fn raw_lines(&self, id: NodeId) -> Vec<&'a str> {
        let Some((_, content)) = self.slice(id).split_once('\n') else {
            return Vec::new();
        };
        if content.is_empty() {
            return Vec::new();
        }
        let column = self.tree.extras(id).content_column.unwrap_or_else(|| {
            let indents = content.split('\n').filter_map(|line| {
                let indent = line.bytes().position(|byte| byte != b' ')?;
                (line.as_bytes()[indent] != b'\r').then_some(indent)
            });
            indents.into_iter().next().unwrap_or(usize::MAX)
        });
        let unindented = |line: &'a str| {
            let spaces = line.bytes().take_while(|byte| *byte == b' ').count();
            &line[spaces.min(column)..]
        };
        content.split('\n').map(unindented).collect()
    }

    fn header(&self, id: NodeId) -> &'a str {
        let text = self.slice(id);
        let is_header = |c: char| matches!(c, '|' | '>' | '+' | '-' | '0'..='9');
        &text[..text.find(|c| !is_header(c)).unwrap_or(text.len())]
    }

    pub(super) fn keeps_newlines(&self, id: NodeId) -> bool {
        self.header(id).contains('+')
    }

    /// Whether the last line of the value of a block scalar ends in blanks.
    pub(super) fn has_final_blanks(&self, id: NodeId) -> bool {
        self.tree.has_blanks_in_block_scalar && {
            let lines = self.raw_lines(id);
            let last = lines.iter().rev().find(|line| !line.is_empty());
            last.is_some_and(|line| line.ends_with([' ', '\t']))
        }
    }

    /// Whether a node ends in a block scalar whose last line ends in blanks.
    pub(super) fn ends_in_blanks(&self, id: NodeId) -> bool {
        self.tree.has_blanks_in_block_scalar && {
            let last = self.tree.last_descendant(id);
            self.tree.kind(last).is_block_scalar() && self.has_final_blanks(last)
        }
    }
}
