//! Entries of mappings.

use super::{Context, TreePrinter};
use crate::doc::{Align, Doc};
use crate::yaml::tree::{Kind, NodeId};

const SET_TAGS: [&str; 2] = ["!!set", "!<tag:yaml.org,2002:set>"];

impl<'a> TreePrinter<'a> {
    pub(super) fn mapping_item(&self, id: NodeId, context: Context) -> Doc<'a> {
        let Some((key, value)) = self.tree.pair(id) else {
            return Doc::NIL;
        };
        let (is_key_empty, is_value_empty) = (self.is_empty(key), self.is_empty(value));
        if is_key_empty && is_value_empty {
            // Some parsers reject a lone colon in a block.
            let is_lone_mark =
                self.tree.kind(id) == Kind::MappingItem && self.slice(id).starts_with('?');
            return Doc::Text(if is_lone_mark { "?" } else { ": " });
        }
        let key_doc = self.node(key, context);
        if is_value_empty {
            return self.item_without_value(id, key, key_doc);
        }
        let value_doc = self.node(value, context);
        let build = &self.build;
        let hang = |doc| build.align(Align::Spaces(2), doc);
        if is_key_empty {
            return build.concat(&[Doc::Text(": "), hang(value_doc)]);
        }
        if self.needs_question_mark(key, value) {
            let mut parts = vec![Doc::Text("? "), hang(key_doc), Doc::HARDLINE];
            for comment in &self.tree.extras(value).leading {
                parts.extend([self.comment(*comment), Doc::HARDLINE]);
            }
            parts.extend([Doc::Text(": "), hang(value_doc)]);
            return build.concat(&parts);
        }
        let space = self.space_before_colon(key);
        let key_content = self.tree.first_child(key);
        let value_content = self.tree.first_child(value);
        let is_key_simple = self.is_plain_on_line(key_content)
            && key_content.is_none_or(|content| !self.has_comments_before(content))
            && !self.has_trailing_comment(key_content)
            && self.tree.extras(key).end.is_empty();
        if is_key_simple
            && value_content.is_none_or(|content| !self.has_comments_before(content))
            && self.tree.extras(value).end.is_empty()
            && self.is_plain_on_line(value_content)
        {
            return build.concat(&[key_doc, space, Doc::Text(": "), value_doc]);
        }
        let mut after_key = vec![space, Doc::Text(":")];
        after_key.extend(self.line_before_value(id, key, value));
        after_key.push(value_doc);
        let flat = build.align(
            Align::Spaces(self.layout.indent_width),
            build.concat(&after_key),
        );
        if is_key_simple {
            let item = build.concat(&[key_doc, flat]);
            let is_block = value_content.is_some_and(|content| {
                self.tree.kind(content).is_block_collection()
                    && self.tree.extras(content).properties.is_none()
            });
            // A line end follows the colon of a block, so that there is nothing to measure.
            return match is_block {
                true => item,
                false => build.conditional_group(&[item], false),
            };
        }
        let group = build.group_id();
        let key_doc = build.group(build.concat(&[
            build.if_break("? ", Doc::NIL),
            build.group_with(hang(key_doc), Some(group), false),
        ]));
        let broken = build.concat(&[Doc::HARDLINE, Doc::Text(": "), hang(value_doc)]);
        let item = build.concat(&[key_doc, build.if_group_breaks(group, broken, flat)]);
        build.conditional_group(&[item], false)
    }

    fn item_without_value(&self, id: NodeId, key: NodeId, key_doc: Doc<'a>) -> Doc<'a> {
        let parent = self.tree.parent(id);
        let content = self.tree.first_child(key);
        if self.tree.kind(id) == Kind::FlowPair
            && parent.is_some_and(|parent| self.tree.kind(parent) == Kind::FlowMapping)
        {
            return key_doc;
        }
        let is_in_set = parent
            .and_then(|parent| self.tree.extras(parent).tag)
            .is_some_and(|tag| SET_TAGS.contains(&&self.text[tag.range()]));
        let may_be_implicit = self.tree.kind(id) == Kind::MappingItem
            && self.is_plain_on_line(content)
            && !self.has_trailing_comment(content)
            && self.tree.extras(key).end.is_empty()
            && !is_in_set;
        if may_be_implicit {
            return self
                .build
                .concat(&[key_doc, self.space_before_colon(key), Doc::Text(":")]);
        }
        self.build
            .concat(&[Doc::Text("? "), self.build.align(Align::Spaces(2), key_doc)])
    }

    fn needs_question_mark(&self, key: NodeId, value: NodeId) -> bool {
        let content = self.tree.first_child(key);
        !self.tree.extras(value).leading.is_empty()
            || content.is_some_and(|content| !self.tree.kind(content).is_inline())
    }

    /// What separates the colon from the value if the key is on one line.
    fn line_before_value(&self, item: NodeId, key: NodeId, value: NodeId) -> Option<Doc<'a>> {
        let extras = self.tree.extras(value);
        let Some(content) = self.tree.first_child(value) else {
            return extras.trailing.map(|_| Doc::SPACE);
        };
        let kind = self.tree.kind(content);
        let has_end_comments = !extras.end.is_empty();
        if has_end_comments && kind.is_flow_collection() && self.tree.first_child(content).is_none()
        {
            return Some(Doc::SPACE);
        }
        let content_extras = self.tree.extras(content);
        let parent = self.tree.parent(item).map(|parent| self.tree.kind(parent));
        let is_below_comment = parent == Some(Kind::Mapping)
            && self.has_trailing_comment(self.tree.first_child(key))
            && kind.is_inline();
        let is_block = kind.is_block_collection() && content_extras.properties.is_none();
        let is_below = !content_extras.leading.is_empty()
            || (has_end_comments && !kind.is_block_collection())
            || is_below_comment
            || is_block;
        Some(if is_below { Doc::HARDLINE } else { Doc::LINE })
    }

    /// An alias needs a space before the colon, because a colon can be part of its name.
    fn space_before_colon(&self, key: NodeId) -> Doc<'a> {
        let content = self.tree.first_child(key);
        match content.map(|content| self.tree.kind(content)) {
            Some(Kind::Alias) => Doc::SPACE,
            _ => Doc::NIL,
        }
    }

    /// Whether a key or a value has no content and no comments.
    pub(super) fn is_empty(&self, id: NodeId) -> bool {
        let extras = self.tree.extras(id);
        self.tree.first_child(id).is_none()
            && extras.leading.is_empty()
            && extras.trailing.is_none()
            && extras.end.is_empty()
    }

    /// Whether the content is missing, an alias or a scalar on one line.
    fn is_plain_on_line(&self, content: Option<NodeId>) -> bool {
        content.is_none_or(|content| {
            let node = self.tree.get(content);
            node.kind == Kind::Alias || (node.kind.is_flow_scalar() && node.is_one_line())
        })
    }

    fn has_comments_before(&self, content: NodeId) -> bool {
        let extras = self.tree.extras(content);
        !extras.leading.is_empty() || !extras.middle.is_empty()
    }

    fn has_trailing_comment(&self, content: Option<NodeId>) -> bool {
        content.is_some_and(|content| self.tree.extras(content).trailing.is_some())
    }
}
