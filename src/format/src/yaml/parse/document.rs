//! Streams, documents and directives.

use super::block::Place;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, Markers, NodeId, Point};

impl Parser<'_> {
    pub(super) fn stream(&mut self) -> Parsed<()> {
        let mut may_have_directives = true;
        loop {
            let is_first = self.tree.markers.is_empty();
            let first_comment = self.tree.comments.len();
            let (directives, directives_end) = self.head(may_have_directives)?;
            if self.byte().is_none() && !is_first && directives.is_empty() {
                // Comments at the end of the stream belong to the last document.
                break;
            }
            may_have_directives = self.document(first_comment, &directives, directives_end)?;
        }
        self.tree.get_mut(NodeId::ROOT).end = self.point();
        Ok(())
    }

    /// The directives and comments before a document, and the end of the last directive's comments.
    fn head(&mut self, may_have_directives: bool) -> Parsed<(Vec<NodeId>, usize)> {
        let mut directives = Vec::new();
        let mut comments_before = self.tree.comments.len();
        loop {
            self.skip_blanks();
            match self.byte() {
                Some(b'\n') => self.new_line(self.at + 1),
                Some(b'#') => {
                    self.comment();
                }
                Some(b'%') if self.at == self.line_start && may_have_directives => {
                    directives.push(self.directive());
                    if self.begins_comment() {
                        self.comment();
                    }
                    comments_before = self.tree.comments.len();
                }
                _ => return Ok((directives, comments_before)),
            }
        }
    }

    fn directive(&mut self) -> NodeId {
        let start = self.point();
        let line = &self.bytes[self.at..];
        let length = memchr::memchr(b'\n', line).unwrap_or(line.len());
        let line = &self.text[self.at..self.at + length];
        let content = line.find(" #").map_or(line, |at| &line[..at]).trim_end();
        self.at += content.len();
        let directive = self.add(Kind::Directive, start);
        self.skip_blanks();
        directive
    }

    /// Reads a document after its directives. Returns whether directives may follow it.
    fn document(
        &mut self,
        first_comment: usize,
        directives: &[NodeId],
        directives_end: usize,
    ) -> Parsed<bool> {
        let start = self.point();
        let head = self.tree.add(Kind::Head, start, start);
        for directive in directives {
            self.tree.append(head, *directive);
        }
        let mut markers = Markers::default();
        if self.is_marker(b"---") {
            markers.start = true;
            self.at += 3;
            self.tree.get_mut(head).end = self.point();
            // Comments before the marker and after the directives.
            let own = directives_end.max(first_comment)..self.tree.comments.len();
            for comment in own {
                self.tree.comments[comment].owner = Some(head);
                self.tree.extras_mut(head).end.push(comment);
            }
            self.skip_blanks();
            if self.begins_comment() {
                let comment = self.comment();
                self.tree.comments[comment].owner = Some(head);
                self.tree.extras_mut(head).trailing = Some(comment);
            }
        } else if !directives.is_empty() {
            return self.error("a directive without a document");
        }
        if let Some(first) = directives.first() {
            self.tree.get_mut(head).start = self.tree.get(*first).start;
        }
        let head_end = self.tree.get(head).end;
        let place = Place {
            is_compact: !markers.start,
            allows_sequence_at_parent: false,
        };
        let content = self.block_node(None, place)?;
        self.expect_line_end()?;
        self.skip_trivia();
        let content_end = self.point();
        let mut document_end = content_end;
        let mut trailing = None;
        if self.is_marker(b"...") {
            markers.end = true;
            self.at += 3;
            document_end = self.point();
            self.skip_blanks();
            if self.begins_comment() {
                trailing = Some(self.comment());
            }
            self.expect_line_end()?;
        } else if !self.ends_document() {
            return self.error("unexpected text after the content of a document");
        }
        let body_start = match content {
            Some(content) => self.tree.get(content).start,
            None => content_end,
        };
        let body = self.tree.add(Kind::Body, body_start, content_end);
        if let Some(content) = content {
            self.tree.append(body, content);
        }
        self.finish_document((head, body), head_end, document_end);
        self.tree.markers.push(markers);
        if let (Some(comment), Some(document)) = (trailing, self.tree.parent(body)) {
            self.tree.comments[comment].owner = Some(document);
            self.tree.extras_mut(document).trailing = Some(comment);
        }
        Ok(markers.end)
    }

    fn finish_document(&mut self, (head, body): (NodeId, NodeId), head_end: Point, end: Point) {
        let start = self.tree.get(head).start;
        self.tree.get_mut(head).end = head_end;
        let document = self.tree.add(Kind::Document, start, end);
        self.tree.append(document, head);
        self.tree.append(document, body);
        self.tree.append(NodeId::ROOT, document);
    }
}
