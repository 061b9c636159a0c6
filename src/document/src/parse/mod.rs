//! Parses text into a tree, with one module per format.

pub(crate) mod event;
pub(crate) mod json;
pub(crate) mod toml;
mod toml_tables;
pub(crate) mod yaml;
pub(crate) mod yaml_events;
mod yaml_plain;
pub(crate) mod yaml_scalar;
pub(crate) mod yaml_text;

use fixpoint_text::Span;

use crate::tree::{Content, Details, NodeData, NodeId};

/// The result of parsing a text.
pub(crate) struct Parsed {
    pub nodes: Vec<NodeData>,
    pub root: NodeId,
    pub details: Details,
}

/// A tree under construction.
pub(crate) struct Builder {
    pub nodes: Vec<NodeData>,
}

impl Builder {
    /// A builder with capacity for a typical text of this length.
    pub(crate) fn for_text(text: &str) -> Self {
        Self {
            nodes: Vec::with_capacity(text.len() / 12),
        }
    }

    pub(crate) fn add(&mut self, parent: Option<NodeId>, span: Span, content: Content) -> NodeId {
        // One byte of text accounts for at most two nodes.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(NodeData {
            parent,
            span,
            content,
        });
        id
    }

    pub(crate) fn node(&mut self, id: NodeId) -> &mut NodeData {
        &mut self.nodes[id.0 as usize]
    }
}
