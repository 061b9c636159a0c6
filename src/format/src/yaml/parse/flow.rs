//! Flow mappings and sequences.

use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NodeId};

impl Parser<'_> {
    pub(super) fn flow_collection(&mut self) -> Parsed<NodeId> {
        self.enter()?;
        let start = self.point();
        let (kind, close) = match self.byte() {
            Some(b'{') => (Kind::FlowMapping, b'}'),
            _ => (Kind::FlowSequence, b']'),
        };
        self.at += 1;
        let collection = self.tree.add(kind, start, start);
        loop {
            self.skip_flow_trivia()?;
            if self.byte() == Some(close) {
                break;
            }
            let item = self.flow_item(kind == Kind::FlowMapping)?;
            self.tree.append(collection, item);
            self.skip_flow_trivia()?;
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {}
                _ => return self.error("expected a comma or a closing bracket"),
            }
        }
        self.at += 1;
        self.tree.get_mut(collection).end = self.point();
        self.leave();
        Ok(collection)
    }

    fn skip_flow_trivia(&mut self) -> Parsed<bool> {
        let is_below = self.skip_trivia();
        if self.ends_document() {
            return self.error("an unclosed bracket");
        }
        Ok(is_below)
    }

    fn flow_item(&mut self, is_mapping: bool) -> Parsed<NodeId> {
        let start = self.point();
        let is_explicit = self.is_flow_indicator(b'?');
        if is_explicit {
            self.at += 1;
            self.skip_flow_trivia()?;
        }
        let key_content = self.flow_node()?;
        let after_key = self.point();
        self.skip_flow_trivia()?;
        let is_json_like = key_content.is_some_and(|key| {
            let kind = self.tree.kind(key);
            kind.is_flow_collection() || matches!(kind, Kind::SingleQuoted | Kind::DoubleQuoted)
        });
        let has_value = self.is_flow_indicator(b':') || (is_json_like && self.byte() == Some(b':'));
        if !has_value && !is_explicit {
            let Some(content) = key_content else {
                return self.error("expected a value");
            };
            if !is_mapping {
                let node = *self.tree.get(content);
                let item = self.tree.add(Kind::FlowItem, node.start, node.end);
                self.tree.append(item, content);
                return Ok(item);
            }
        }
        let key_start = match key_content {
            _ if is_explicit => start,
            Some(key) if self.tree.get(key).start != self.tree.get(key).end => {
                self.tree.get(key).start
            }
            _ => self.point(),
        };
        let key_end = if is_explicit {
            start.plus(1)
        } else {
            key_start
        };
        let key = self.tree.add(Kind::Key, key_start, key_end);
        self.adopt(key, key_content);
        let item = self.tree.add(Kind::FlowPair, key_start, key_start);
        self.adopt(item, Some(key));
        let value = if has_value {
            self.flow_value()?
        } else {
            self.tree.add(Kind::Value, after_key, after_key)
        };
        self.adopt(item, Some(value));
        Ok(item)
    }

    fn flow_value(&mut self) -> Parsed<NodeId> {
        let start = self.point();
        self.at += 1;
        let value = self.add(Kind::Value, start);
        self.skip_flow_trivia()?;
        let content = self.flow_node()?;
        self.adopt(value, content);
        Ok(value)
    }

    /// Reads a node with its properties. `None` if there is none.
    fn flow_node(&mut self) -> Parsed<Option<NodeId>> {
        let mut properties = self.properties(true)?;
        while !properties.is_empty() {
            let first_comment = self.tree.comments.len();
            self.skip_flow_trivia()?;
            let comments = first_comment..self.tree.comments.len();
            properties.middle.extend(comments);
            let more = self.properties(true)?;
            if more.is_empty() {
                break;
            }
            properties = self.merged(properties, more)?;
        }
        let node = match self.byte() {
            Some(b',' | b']' | b'}') => return self.empty(properties),
            _ if self.is_flow_indicator(b':') => return self.empty(properties),
            Some(b'*') => self.alias()?,
            Some(b'"') => self.double_quoted()?,
            Some(b'\'') => self.single_quoted()?,
            Some(b'[' | b'{') => self.flow_collection()?,
            _ => {
                let plain = self.plain_line(true)?;
                self.flow_plain_lines(plain)?;
                plain
            }
        };
        self.attach_properties(node, properties).map(Some)
    }

    /// Whether `indicator` is here, before white space or a flow indicator.
    fn is_flow_indicator(&self, indicator: u8) -> bool {
        self.byte() == Some(indicator)
            && (self.is_blank_at(self.at + 1) || self.is_flow_mark_at(self.at + 1))
    }

    pub(super) fn is_flow_mark_at(&self, offset: usize) -> bool {
        matches!(self.byte_at(offset), Some(b',' | b'[' | b']' | b'{' | b'}'))
    }
}
