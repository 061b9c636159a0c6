//! Removes entries and their comments.
//!
//! A comment inside an entry's value is removed with the entry. A comment on a line of the entry is
//! removed too, unless a remaining entry is on that line. A comment alone on its line is kept.

use fixpoint_text::Span;

use super::Emitter;
use super::flow::Part;

/// The end of the remaining entry before a removed one, and the start of the remaining entry after
/// it.
#[derive(Clone, Copy)]
struct Neighbors {
    before: Option<usize>,
    after: Option<usize>,
}

impl Emitter<'_, '_> {
    /// The position after the comments that follow `end` on its line. They are removed with the
    /// entry that ends there. A comment at the start of a line does not belong to the entry before
    /// it.
    pub(super) fn after_own_comments(&self, end: usize) -> usize {
        let mut behind = end;
        loop {
            let next = self.lines.over_blanks(behind);
            match self.lines.comment_end(next, self.comments()) {
                Some(stop) if !self.lines.is_first(next) => behind = stop,
                _ => return behind,
            }
        }
    }

    /// The ranges to remove for each removed part. There are several if comments that are kept are
    /// between its key, its value and its comma.
    pub(super) fn removals(&self, open: usize, parts: &[Part], stays: &[bool]) -> Vec<Vec<Span>> {
        let mut next_kept = vec![None; parts.len()];
        let mut next = None;
        for place in (0..parts.len()).rev() {
            next_kept[place] = next;
            if stays[place] {
                next = Some(parts[place].start);
            }
        }
        let mut removals = Vec::new();
        let mut before = None;
        let mut gap = open + 1;
        for (place, part) in parts.iter().enumerate() {
            if stays[place] {
                // A comma at the start of the next line does not put the part on that line.
                before = Some(part.end);
            } else {
                let after = next_kept[place];
                let neighbors = Neighbors { before, after };
                removals.push(self.pieces(part, gap, neighbors));
            }
            gap = part.after();
        }
        removals
    }

    /// Whether no remaining entry is on the line of `at`.
    fn is_own_line(&self, at: usize, neighbors: Neighbors) -> bool {
        let is_apart = |start: usize, end: usize| {
            let between = self.text().get(start..end);
            between.is_none_or(|it| it.contains('\n'))
        };
        neighbors.before.is_none_or(|before| is_apart(before, at))
            && neighbors.after.is_none_or(|after| is_apart(at, after))
    }

    /// A part with its comma and its own comments. `gap` is the end of the part before it.
    fn pieces(&self, part: &Part, gap: usize, neighbors: Neighbors) -> Vec<Span> {
        let comments = self.comments();
        let mut start = part.start;
        if self.lines.has_comment(gap, start, comments) {
            let above = self.lines.comments(gap, start, comments).into_iter();
            let mut leading =
                above.filter(|it| !self.text()[it.start()..part.start].contains('\n'));
            if let Some(first) = leading.next()
                && self.is_own_line(first.start(), neighbors)
            {
                start = first.start();
            }
        }
        let end = self.after_own_comments(part.after());
        let end = if end > part.after() && self.is_own_line(part.after(), neighbors) {
            end
        } else {
            part.after()
        };
        let mut pieces = Vec::new();
        for kept in self.kept_comments(part, neighbors) {
            let before = self.text()[start..kept.start()].trim_end();
            pieces.push(Span::from(start..start + before.len()));
            let behind = &self.text()[kept.end()..end];
            start = end - behind.trim_start().len();
        }
        pieces.push(Span::from(start..end));
        pieces.retain(|it| !it.is_empty());
        pieces
    }

    /// The comments between the key, the value and the comma of a part that are kept.
    fn kept_comments(&self, part: &Part, neighbors: Neighbors) -> Vec<Span> {
        let comments = self.comments();
        let value = self.document.data(part.node).span.start();
        let mut gaps = Vec::new();
        if let Some(key) = part.key {
            let colon = self.lines.skip(key.end(), comments);
            if part.start < key.start() {
                gaps.push((part.start + 1, key.start()));
            }
            if colon < value {
                gaps.push((key.end(), colon));
                gaps.push((colon + 1, value));
            }
        }
        if let Some(comma) = part.comma {
            gaps.push((part.end, comma));
        }
        let mut kept = Vec::new();
        for (start, end) in gaps {
            if self.lines.has_comment(start, end, comments) {
                kept.extend(self.lines.comments(start, end, comments));
            }
        }
        kept.retain(|it| {
            let is_alone = self.lines.is_first(it.start());
            is_alone || !self.is_own_line(it.start(), neighbors)
        });
        kept
    }

    /// Removes the pieces of a part, and the blanks that separated it from its neighbors.
    pub(super) fn remove_part(&mut self, pieces: &[Span], close: usize) {
        let [part] = pieces else {
            pieces.iter().for_each(|piece| self.remove_piece(*piece));
            return;
        };
        let after = self.lines.over_blanks(part.end());
        if after == close && !self.lines.is_break(after) {
            let start = if self.lines.is_first(part.start()) {
                part.start()
            } else {
                self.lines.back_over_blanks(part.start())
            };
            self.delete(start..part.end());
        } else {
            self.remove_piece(*part);
        }
    }

    fn remove_piece(&mut self, piece: Span) {
        let after = self.lines.over_blanks(piece.end());
        if !self.lines.is_break(after) {
            self.remove_before(piece, after);
        } else if self.lines.is_first(piece.start()) {
            let start = self.lines.start(piece.start());
            self.delete(start..self.lines.over_break(after));
        } else {
            self.delete(self.lines.back_over_blanks(piece.start())..after);
        }
    }

    /// Removes `span` and the blanks up to `after`. If a comment follows, it removes the blanks
    /// before `span` instead, since the comment may need the blanks before it.
    fn remove_before(&mut self, span: Span, after: usize) {
        let is_comment = self.lines.comment_end(after, self.comments()).is_some();
        if is_comment && !self.lines.is_first(span.start()) {
            self.delete(self.lines.back_over_blanks(span.start())..span.end());
        } else {
            self.delete(span.start()..after);
        }
    }
}
