//! What is around a comment, and where it can be attached.

use std::cell::Cell;

use oxc_ast::AstKind;
use oxc_ast::ast::{Program, Statement};

use super::super::kind::ToKind;
use super::super::tree::{Tree, id_of, same};
use super::super::{scan, spans};
use super::{Marker, Role};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Placement {
    OwnLine,
    EndOfLine,
    Remaining,
}

/// The node that a comment is attached to.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) node: AstKind<'a>,
    pub(super) role: Role,
    pub(super) marker: Marker,
}

impl<'a> Target<'a> {
    fn new(node: AstKind<'a>, role: Role) -> Self {
        Self {
            node,
            role,
            marker: Marker::None,
        }
    }

    pub(super) fn leading(node: AstKind<'a>) -> Self {
        Self::new(node, Role::Leading)
    }

    pub(super) fn trailing(node: AstKind<'a>) -> Self {
        Self::new(node, Role::Trailing)
    }

    pub(super) fn dangling(node: AstKind<'a>) -> Self {
        Self::new(node, Role::Dangling)
    }

    pub(super) fn marked(node: AstKind<'a>, marker: Marker) -> Self {
        Self {
            node,
            role: Role::Dangling,
            marker,
        }
    }

    /// Before the first statement or member of a block, or in it if it is empty.
    pub(super) fn first_in_block(block: AstKind<'a>) -> Self {
        first_in(block).map_or_else(|| Self::dangling(block), Self::leading)
    }

    /// Like [`Self::first_in_block`] if the node is a block, otherwise before it.
    pub(super) fn first_in_block_or_before(node: AstKind<'a>) -> Self {
        if is_block(node) {
            Self::first_in_block(node)
        } else {
            Self::leading(node)
        }
    }
}

fn first_in(block: AstKind<'_>) -> Option<AstKind<'_>> {
    fn first_statement<'a>(statements: &'a [Statement<'a>]) -> Option<AstKind<'a>> {
        statements
            .iter()
            .find(|statement| !matches!(statement, Statement::EmptyStatement(_)))
            .map(ToKind::kind)
    }
    match block {
        AstKind::BlockStatement(block) => first_statement(&block.body),
        AstKind::FunctionBody(body) => first_statement(&body.statements),
        AstKind::TSModuleBlock(block) => first_statement(&block.body),
        AstKind::ClassBody(body) => body.body.first().map(ToKind::kind),
        AstKind::TSInterfaceBody(body) => body.body.first().map(ToKind::kind),
        AstKind::TSEnumBody(body) => body.members.first().map(ToKind::kind),
        _ => None,
    }
}

pub(super) fn is_block(node: AstKind<'_>) -> bool {
    matches!(node, AstKind::BlockStatement(_) | AstKind::FunctionBody(_))
}

/// A comment and its surroundings.
pub(super) struct Context<'a, 't> {
    pub(super) text: &'t str,
    /// The text with blanks instead of comments.
    pub(super) code: &'t str,
    pub(super) tree: &'t Tree<'a>,
    pub(super) program: &'a Program<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_block: bool,
    pub(super) ignores: bool,
    pub(super) placement: Placement,
    pub(super) enclosing: Option<AstKind<'a>>,
    pub(super) preceding: Option<AstKind<'a>>,
    pub(super) following: Option<AstKind<'a>>,
    /// The node that this comment excludes from formatting, if it is attached to another node.
    pub(super) ignored_node: Cell<Option<AstKind<'a>>>,
}

impl<'a> Context<'a, '_> {
    pub(super) fn next_char(&self) -> Option<char> {
        scan::next_char(self.text, self.end)
    }

    pub(super) fn end_of(&self, node: AstKind<'_>) -> usize {
        spans::end(self.code, node)
    }

    pub(super) fn parent(&self, node: AstKind<'a>) -> AstKind<'a> {
        self.tree.node(self.tree.parent_id(id_of(node)))
    }

    pub(super) fn is_preceding(&self, node: Option<AstKind<'_>>) -> bool {
        matches!((self.preceding, node), (Some(one), Some(two)) if same(one, two))
    }

    pub(super) fn is_following(&self, node: Option<AstKind<'_>>) -> bool {
        matches!((self.following, node), (Some(one), Some(two)) if same(one, two))
    }

    /// The position of `token` in the code after `at`.
    pub(super) fn find(&self, token: &str, at: usize) -> Option<usize> {
        Some(at + self.code.get(at..)?.find(token)?)
    }

    /// The position of the last `token` in the code before `at`.
    pub(super) fn find_back(&self, token: &str, at: usize) -> Option<usize> {
        self.code.get(..at)?.rfind(token)
    }

    /// A block comment on one line.
    pub(super) fn is_one_line_block(&self) -> bool {
        self.is_block && !scan::has_newline_in(self.text, self.start, self.end)
    }

    pub(super) fn is_one_line(&self) -> bool {
        !self.is_block || self.is_one_line_block()
    }
}
