//! Block mappings and sequences.

use super::properties::Properties;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NodeId, Point};

/// Which nodes may be at a position.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether a block collection may begin on the same line, as after a dash.
    pub(super) is_compact: bool,
    /// Whether a sequence may be in the column of its parent, as below a key.
    pub(super) allows_sequence_at_parent: bool,
}

/// Content that the parser read before the colon showed that it is a key.
struct ImplicitKey {
    content: Option<NodeId>,
    start: Point,
}

impl Parser<'_> {
    /// Reads the node here or on the next lines. `None` if there is none. `parent` is the column of
    /// the collection that contains it.
    pub(super) fn block_node(
        &mut self,
        parent: Option<usize>,
        place: Place,
    ) -> Parsed<Option<NodeId>> {
        self.enter()?;
        let node = self.node_with_properties(parent, place)?;
        self.leave();
        Ok(node)
    }

    fn node_with_properties(
        &mut self,
        parent: Option<usize>,
        place: Place,
    ) -> Parsed<Option<NodeId>> {
        let mut outer = Properties::default();
        let mut is_below = false;
        loop {
            let first_comment = self.tree.comments.len();
            is_below |= self.skip_trivia();
            if !outer.is_empty() {
                outer.middle.extend(first_comment..self.tree.comments.len());
            }
            if self.ends_document() || (is_below && !self.is_inside(parent, place)) {
                return self.empty(outer);
            }
            let may_begin = is_below || (place.is_compact && outer.is_empty());
            let start = self.point();
            if self.is_indicator(b'-') {
                self.expect_collection(may_begin)?;
                let sequence = self.block_sequence(start)?;
                return self.attach_properties(sequence, outer).map(Some);
            }
            if self.is_indicator(b'?') || self.is_indicator(b':') {
                self.expect_collection(may_begin)?;
                let mapping = self.block_mapping(start, None)?;
                return self.attach_properties(mapping, outer).map(Some);
            }
            let inner = self.properties(false)?;
            let is_line_end = matches!(self.byte(), None | Some(b'\n')) || self.begins_comment();
            if inner.is_empty() || !is_line_end {
                let node = self.node_on_line(parent, may_begin, start, inner)?;
                return self.attach_properties(node, outer).map(Some);
            }
            outer = self.merged(outer, inner)?;
        }
    }

    /// Whether content on this line is inside the node at `parent`.
    fn is_inside(&self, parent: Option<usize>, place: Place) -> bool {
        let column = self.column();
        parent.is_none_or(|parent| {
            column > parent
                || (column == parent && place.allows_sequence_at_parent && self.is_indicator(b'-'))
        })
    }

    pub(super) fn merged(&self, outer: Properties, inner: Properties) -> Parsed<Properties> {
        let repeats = (outer.tag.is_some() && inner.tag.is_some())
            || (outer.anchor.is_some() && inner.anchor.is_some());
        if repeats {
            return self.error("two tags or two anchors for one value");
        }
        Ok(Properties {
            tag: outer.tag.or(inner.tag),
            anchor: outer.anchor.or(inner.anchor),
            start: outer.start.or(inner.start),
            end: inner.end,
            middle: outer.middle,
        })
    }

    fn expect_collection(&self, may_begin: bool) -> Parsed<()> {
        if !may_begin {
            return self.error("a block collection on the line of its key");
        }
        let has_tab = self.bytes[self.line_start..self.at].contains(&b'\t');
        if has_tab && self.is_first_on_line() {
            return self.error("a tab as indentation");
        }
        Ok(())
    }

    /// Reads a scalar, an alias, a flow collection, or a mapping whose first key is one of these.
    /// `properties` are before it on the line, which begins at `start`.
    fn node_on_line(
        &mut self,
        parent: Option<usize>,
        may_begin: bool,
        start: Point,
        properties: Properties,
    ) -> Parsed<NodeId> {
        if matches!(self.byte(), Some(b'|' | b'>')) {
            let scalar = self.block_scalar(parent)?;
            return self.attach_properties(scalar, properties);
        }
        let content_start = self.point();
        if self.is_indicator(b'-') {
            return self.error("a sequence on the line of its tag or anchor");
        }
        if self.is_indicator(b':') {
            self.expect_collection(may_begin)?;
            let content = self.empty(properties)?;
            let key = ImplicitKey {
                content,
                start: content_start,
            };
            return self.block_mapping(start, Some(key));
        }
        let content = self.inline_node()?;
        if self.is_key(content) {
            self.expect_collection(may_begin)?;
            let content = Some(self.attach_properties(content, properties)?);
            let key = ImplicitKey {
                content,
                start: content_start,
            };
            return self.block_mapping(start, Some(key));
        }
        if self.tree.kind(content) == Kind::Plain {
            self.plain_lines(content, parent)?;
        }
        self.attach_properties(content, properties)
    }

    /// Reads an alias, a quoted scalar, the first line of a plain scalar or a flow collection.
    fn inline_node(&mut self) -> Parsed<NodeId> {
        match self.byte() {
            Some(b'*') => self.alias(),
            Some(b'"') => self.double_quoted(),
            Some(b'\'') => self.single_quoted(),
            Some(b'[' | b'{') => self.flow_collection(),
            _ => self.plain_line(false),
        }
    }

    /// Whether a colon after `content` makes it a key. If so, continues at the colon.
    fn is_key(&mut self, content: NodeId) -> bool {
        if !self.tree.get(content).is_one_line() {
            return false;
        }
        let end = self.at;
        self.skip_blanks();
        let is_key = self.is_indicator(b':');
        if !is_key {
            self.at = end;
        }
        is_key
    }

    fn block_sequence(&mut self, start: Point) -> Parsed<NodeId> {
        let sequence = self.tree.add(Kind::Sequence, start, start);
        let column = start.column;
        let place = Place {
            is_compact: true,
            allows_sequence_at_parent: false,
        };
        loop {
            let start = self.point();
            self.at += 1;
            let item = self.add(Kind::SequenceItem, start);
            let content = self.block_node(Some(column), place)?;
            self.adopt(item, content);
            self.adopt(sequence, Some(item));
            self.expect_line_end()?;
            self.skip_trivia();
            if !self.is_next_entry(column)? || !self.is_indicator(b'-') {
                return Ok(sequence);
            }
        }
    }

    fn block_mapping(&mut self, start: Point, mut first: Option<ImplicitKey>) -> Parsed<NodeId> {
        let mapping = self.tree.add(Kind::Mapping, start, start);
        if let Some(first) = &first {
            self.tree.get_mut(mapping).start = first.start;
        }
        loop {
            let item = self.mapping_item(start.column, first.take())?;
            self.adopt(mapping, Some(item));
            self.expect_line_end()?;
            self.skip_trivia();
            if !self.is_next_entry(start.column)? {
                return Ok(mapping);
            }
        }
    }

    /// Whether the next content is in the column of a collection.
    fn is_next_entry(&self, column: usize) -> Parsed<bool> {
        if self.ends_document() || self.column() < column {
            return Ok(false);
        }
        if self.column() > column {
            return self.error("unexpected indentation");
        }
        Ok(true)
    }

    fn mapping_item(&mut self, column: usize, first: Option<ImplicitKey>) -> Parsed<NodeId> {
        let start = self.point();
        let is_explicit = first.is_none() && self.is_indicator(b'?');
        let key = if is_explicit {
            self.explicit_key(column)?
        } else {
            let key = match first {
                Some(first) => first,
                None => self.implicit_key()?,
            };
            let key_id = self.tree.add(Kind::Key, key.start, key.start);
            self.adopt(key_id, key.content);
            key_id
        };
        let key_node = *self.tree.get(key);
        let item_start = if is_explicit { start } else { key_node.start };
        let item = self.tree.add(Kind::MappingItem, item_start, key_node.end);
        self.adopt(item, Some(key));
        let value = if is_explicit && !self.has_explicit_value(column)? {
            self.tree.add(Kind::Value, key_node.end, key_node.end)
        } else {
            let is_compact = is_explicit || self.tree.first_child(key).is_none();
            self.block_value(column, is_compact)?
        };
        self.adopt(item, Some(value));
        Ok(item)
    }

    fn explicit_key(&mut self, column: usize) -> Parsed<NodeId> {
        let start = self.point();
        self.at += 1;
        let key = self.add(Kind::Key, start);
        let place = Place {
            is_compact: true,
            allows_sequence_at_parent: true,
        };
        let content = self.block_node(Some(column), place)?;
        self.adopt(key, content);
        self.expect_line_end()?;
        Ok(key)
    }

    /// Whether a colon for the value of an explicit key is on one of the next lines.
    fn has_explicit_value(&mut self, column: usize) -> Parsed<bool> {
        self.skip_trivia();
        Ok(!self.ends_document()
            && self.column() == column
            && self.is_first_on_line()
            && self.is_indicator(b':'))
    }

    fn implicit_key(&mut self) -> Parsed<ImplicitKey> {
        self.expect_collection(true)?;
        let properties = self.properties(false)?;
        let start = self.point();
        if self.is_indicator(b':') {
            let content = self.empty(properties)?;
            return Ok(ImplicitKey { content, start });
        }
        if self.is_indicator(b'-') || matches!(self.byte(), Some(b'|' | b'>')) {
            return self.error("expected a key");
        }
        let content = self.inline_node()?;
        if !self.is_key(content) {
            return self.error("expected a colon after a key");
        }
        let content = Some(self.attach_properties(content, properties)?);
        Ok(ImplicitKey { content, start })
    }

    fn block_value(&mut self, column: usize, is_compact: bool) -> Parsed<NodeId> {
        let start = self.point();
        self.at += 1;
        let value = self.add(Kind::Value, start);
        let place = Place {
            is_compact,
            allows_sequence_at_parent: true,
        };
        let content = self.block_node(Some(column), place)?;
        self.adopt(value, content);
        Ok(value)
    }

    /// Appends a child, if there is one, and moves the end of the parent to the end of the child.
    pub(super) fn adopt(&mut self, parent: NodeId, child: Option<NodeId>) {
        if let Some(child) = child {
            self.tree.append(parent, child);
            let end = self.tree.get(child).end;
            // A missing key with a tag ends before its colon.
            if end.offset > self.tree.get(parent).end.offset {
                self.tree.get_mut(parent).end = end;
            }
        }
    }
}
