//! Tags, anchors and aliases.

use fixpoint_text::Span;

use super::{Parsed, Parser};
use crate::yaml::tree::{CommentId, Kind, NodeId, Point};

/// The tag and the anchor before a node.
#[derive(Debug, Default)]
pub(super) struct Properties {
    pub(super) tag: Option<Span>,
    pub(super) anchor: Option<Span>,
    pub(super) start: Option<Point>,
    pub(super) end: Point,
    /// Comments between the properties and the content.
    pub(super) middle: Vec<CommentId>,
}

impl Properties {
    pub(super) fn is_empty(&self) -> bool {
        self.start.is_none()
    }
}

impl Parser<'_> {
    /// The properties on the rest of the line, and the blanks after them.
    pub(super) fn properties(&mut self, is_flow: bool) -> Parsed<Properties> {
        let mut properties = Properties::default();
        while let Some(byte @ (b'!' | b'&')) = self.byte() {
            let start = self.point();
            let end = if byte == b'!' {
                self.tag_end()
            } else {
                self.name_end(self.at + 1)
            };
            let place = if byte == b'!' {
                &mut properties.tag
            } else {
                &mut properties.anchor
            };
            if place.is_some() || (byte == b'&' && end == start.offset + 1) {
                return self.error("an invalid tag or anchor");
            }
            *place = Some(Span::from(start.offset..end));
            self.at = end;
            properties.start.get_or_insert(start);
            properties.end = self.point();
            let ends = self.is_blank_at(end)
                || (is_flow && matches!(self.byte(), Some(b',' | b']' | b'}')));
            if !ends {
                return self.error("no space after a tag or an anchor");
            }
            self.skip_blanks();
        }
        Ok(properties)
    }

    fn tag_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"!<") {
            let is_end = |byte: &u8| *byte == b'>' || byte.is_ascii_whitespace();
            let length = rest.iter().position(is_end).unwrap_or(rest.len());
            let is_closed = rest.get(length) == Some(&b'>');
            return self.at + length + usize::from(is_closed);
        }
        self.name_end(self.at + 1)
    }

    fn name_end(&self, start: usize) -> usize {
        let ends = |byte: &u8| {
            matches!(
                byte,
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}'
            )
        };
        let rest = &self.bytes[start..];
        start + rest.iter().position(ends).unwrap_or(rest.len())
    }

    pub(super) fn alias(&mut self) -> Parsed<NodeId> {
        let start = self.point();
        let end = self.name_end(self.at + 1);
        if end == self.at + 1 {
            return self.error("an alias without a name");
        }
        self.at = end;
        Ok(self.add(Kind::Alias, start))
    }

    /// Adds properties to a node.
    pub(super) fn attach_properties(
        &mut self,
        node: NodeId,
        properties: Properties,
    ) -> Parsed<NodeId> {
        let Some(start) = properties.start else {
            return Ok(node);
        };
        if self.tree.kind(node) == Kind::Alias {
            return self.error("an alias with a tag or an anchor");
        }
        let extras = self.tree.extras(node);
        if (extras.tag.is_some() && properties.tag.is_some())
            || (extras.anchor.is_some() && properties.anchor.is_some())
        {
            return self.error("two tags or two anchors for one value");
        }
        for comment in &properties.middle {
            self.tree.comments[*comment].owner = Some(node);
        }
        let extras = self.tree.extras_mut(node);
        extras.tag = extras.tag.or(properties.tag);
        extras.anchor = extras.anchor.or(properties.anchor);
        extras.properties = Some(start);
        extras.middle = properties.middle;
        Ok(node)
    }

    /// A value without content. It is a node only if it has properties.
    pub(super) fn empty(&mut self, properties: Properties) -> Parsed<Option<NodeId>> {
        if properties.is_empty() {
            return Ok(None);
        }
        let node = self.tree.add(Kind::Plain, properties.end, properties.end);
        let properties = Properties {
            middle: Vec::new(),
            ..properties
        };
        self.attach_properties(node, properties).map(Some)
    }
}
