//! The comments of a text and the nodes that they belong to.

mod attach;
mod handlers;
mod place;
mod print;
mod types;
mod values;

use std::cell::Cell;

use oxc_ast::AstKind;
use oxc_ast::ast::Program;

pub(super) use attach::{attach, without_comments};
pub(super) use print::is_aligned;

use super::tree::id_of;

/// The position of a comment relative to its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Leading,
    Trailing,
    /// Inside of a node, but not beside one of its children.
    Dangling,
}

/// The position of a dangling comment in nodes that have several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    None,
    BeforeArrow,
    Implements,
    Extends,
}

#[derive(Clone, Debug)]
pub(super) struct Comment {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_block: bool,
    pub(super) role: Role,
    pub(super) marker: Marker,
    /// The comment is `prettier-ignore`.
    pub(super) ignores: bool,
    is_printed: Cell<bool>,
}

/// All comments, by node.
pub(super) struct Comments {
    all: Vec<Comment>,
    /// For each node, the position of its list plus one. Empty if there are no comments.
    slots: Vec<u32>,
    lists: Vec<Vec<u32>>,
    /// Nodes that a comment elsewhere excludes from printing.
    ignored_nodes: Vec<usize>,
}

impl Comments {
    /// The comments of `node` in text order.
    pub(super) fn of(&self, node: AstKind<'_>) -> impl DoubleEndedIterator<Item = &Comment> {
        let slot = self.slots.get(id_of(node)).copied().unwrap_or(0);
        let list: &[u32] = match slot {
            0 => &[],
            slot => &self.lists[slot as usize - 1],
        };
        list.iter().map(|index| &self.all[*index as usize])
    }

    pub(super) fn has(&self, node: AstKind<'_>) -> bool {
        self.slots.get(id_of(node)).is_some_and(|slot| *slot != 0)
    }

    pub(super) fn any(&self, node: AstKind<'_>, test: impl Fn(&Comment) -> bool) -> bool {
        self.has(node) && self.of(node).any(test)
    }

    pub(super) fn has_leading(&self, node: AstKind<'_>) -> bool {
        self.any(node, |comment| comment.role == Role::Leading)
    }

    pub(super) fn has_trailing(&self, node: AstKind<'_>) -> bool {
        self.any(node, |comment| comment.role == Role::Trailing)
    }

    pub(super) fn has_dangling(&self, node: AstKind<'_>) -> bool {
        self.any(node, |comment| comment.role == Role::Dangling)
    }

    /// Whether the node is kept as it is.
    pub(super) fn is_ignored(&self, node: AstKind<'_>) -> bool {
        self.any(node, |comment| comment.ignores) || self.ignored_nodes.contains(&id_of(node))
    }

    /// The first comment that is not printed.
    pub(super) fn first_unprinted(&self) -> Option<&Comment> {
        self.all.iter().find(|comment| !comment.is_printed.get())
    }

    /// Marks all comments in a range as printed, because its text is printed as it is.
    pub(super) fn mark_printed(&self, start: usize, end: usize) {
        let first = self.all.partition_point(|comment| comment.start < start);
        for comment in &self.all[first..] {
            if comment.end > end {
                break;
            }
            comment.is_printed.set(true);
        }
    }

    fn add(&mut self, node: AstKind<'_>, comment: usize, role: Role, marker: Marker) {
        self.all[comment].role = role;
        self.all[comment].marker = marker;
        let slot = &mut self.slots[id_of(node)];
        if *slot == 0 {
            self.lists.push(Vec::new());
            *slot = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
        }
        self.lists[*slot as usize - 1].push(u32::try_from(comment).unwrap_or(u32::MAX));
    }
}

/// The comments of a program before they are attached. The hashbang counts as one.
fn comments_of(program: &Program<'_>) -> Vec<Comment> {
    let text = program.source_text;
    let new = |start: u32, end: u32, is_block: bool| {
        let (start, end) = (start as usize, end as usize);
        let content = match is_block {
            true => text[start..end].get(2..end - start - 2),
            false => text[start..end].get(2..),
        };
        Comment {
            start,
            end,
            is_block,
            role: Role::Dangling,
            marker: Marker::None,
            ignores: content.is_some_and(|content| content.trim() == "prettier-ignore"),
            is_printed: Cell::new(false),
        }
    };
    let hashbang = program
        .hashbang
        .iter()
        .map(|hashbang| new(hashbang.span.start, hashbang.span.end, false));
    let comments = program
        .comments
        .iter()
        .map(|comment| new(comment.span.start, comment.span.end, comment.is_block()));
    hashbang.chain(comments).collect()
}

/// Whether the text of a comment is a type of JSDoc, as in `/** @type {Foo} */ (foo)`.
pub(super) fn is_type_cast(content: &str) -> bool {
    let is_end =
        |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    content.starts_with("/**")
        && ["@type", "@satisfies"].iter().any(|tag| {
            content
                .match_indices(tag)
                .any(|(at, tag)| is_end(&content[at + tag.len()..]))
        })
}
