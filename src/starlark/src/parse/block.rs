//! Parses blocks of statements, and attaches the comment lines between them to statements.
//!
//! A comment line belongs to the statement directly below it, or else to the one directly above it.
//! Between blank lines it is a separate comment block. The lexer cannot tell whether a comment line
//! ends a block. So a block first takes all comments up to the line that ends it. Comments that are
//! indented less than its statements are then moved to the enclosing block.

use super::{Parsed, Parser};
use crate::lex::TokenKind;
use crate::tree::{Flags, Kind, NONE, NodeId};

/// The node that the next comment line is attached to, and whose comments may move to the next
/// statement. It is the statement or comment block directly above, or [`NONE`] after a blank line.
type Last = NodeId;

/// A compound statement and the comment blocks that its body moves to the enclosing block.
struct Compound {
    statement: NodeId,
    moved_comments: Vec<NodeId>,
    last: Last,
}

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        self.items(NONE);
        self.tree.statements = std::mem::take(&mut self.blocks);
    }

    /// Reads statements and comments up to the end of the block, and pushes them onto the block
    /// stack.
    fn items(&mut self, mut last: Last) -> Last {
        loop {
            match self.token.kind {
                TokenKind::Comment => last = self.comment_line(last),
                TokenKind::Newline => {
                    self.bump();
                    last = NONE;
                }
                TokenKind::Eof => return last,
                TokenKind::Dedent => {
                    self.bump();
                    if !self.open.is_empty() {
                        return last;
                    }
                }
                _ => last = self.statement(last),
            }
        }
    }

    fn comment_line(&mut self, last: Last) -> Last {
        let comment = self.lexer.comments.len().saturating_sub(1) as u32;
        let token = self.bump();
        let owner = if last == NONE {
            let id = self.leaf(Kind::CommentBlock, token);
            let node = self.tree.node_mut(id);
            node.end = node.start;
            self.blocks.push(id);
            id
        } else {
            last
        };
        self.tree.attached_mut(owner).after.push(comment);
        self.eat(TokenKind::Newline);
        owner
    }

    /// Reads one statement, or several separated by `;`. After an error, the skipped text becomes
    /// an error node.
    fn statement(&mut self, last: Last) -> Last {
        let (base, stack) = (self.blocks.len(), self.stack.len());
        let (depth, first) = (self.depth, self.token);
        let new_last = match self.any_statement() {
            Ok(last) => last,
            Err(_) => {
                self.blocks.truncate(base);
                self.stack.truncate(stack);
                self.depth = depth;
                let id = self.recover(first);
                self.blocks.push(id);
                id
            }
        };
        let statement = self.blocks[base];
        if last != NONE && self.tree.node(last).comments != NONE {
            let above = std::mem::take(&mut self.tree.attached_mut(last).after);
            if !above.is_empty() {
                self.tree.attached_mut(statement).before = above;
            }
            if self.tree.kind(last) == Kind::CommentBlock {
                self.blocks.remove(base - 1);
                self.tree.node_mut(last).flags.set(Flags::DEAD);
            }
        }
        new_last
    }

    fn any_statement(&mut self) -> Parsed<Last> {
        let compound = match self.token.kind {
            TokenKind::Def => Self::def,
            TokenKind::If => Self::if_statement,
            TokenKind::For => Self::for_statement,
            TokenKind::Indent => return Err(self.fail("a statement no deeper than its block")),
            _ => {
                self.simple_line()?;
                return Ok(self.blocks.last().copied().unwrap_or(NONE));
            }
        };
        let Compound {
            statement,
            moved_comments,
            last,
        } = self.deeper(|parser| {
            let base = parser.blocks.len();
            let statement = compound(parser)?;
            let moved_comments = parser.blocks.split_off(base);
            let last = match moved_comments.last() {
                None => statement,
                Some(_) if parser.blank_below => NONE,
                Some(block) => *block,
            };
            Ok(Compound {
                statement,
                moved_comments,
                last,
            })
        })?;
        self.blocks.push(statement);
        self.blocks.extend(moved_comments);
        Ok(last)
    }

    /// Reads the statements after a colon, on the same line or indented below it.
    pub(super) fn suite(&mut self) -> Parsed {
        let base = self.blocks.len();
        if self.eat(TokenKind::Newline) {
            let mut last = NONE;
            loop {
                match self.token.kind {
                    TokenKind::Comment => last = self.comment_line(last),
                    TokenKind::Newline => {
                        self.bump();
                        last = NONE;
                    }
                    TokenKind::Indent => break,
                    _ => return Err(self.fail("an indented block")),
                }
            }
            self.open.push(self.lexer.innermost());
            self.bump();
            let last = self.items(last);
            self.open.pop();
            self.blank_below = last == NONE;
        } else {
            self.simple_line()?;
            while self.eat(TokenKind::Newline) {}
            self.blank_below = false;
        }
        Ok(self.block(base))
    }

    /// Creates a node for the statements on the block stack since `base`.
    fn block(&mut self, base: usize) -> NodeId {
        let first = self.blocks[base];
        let last = self.blocks[self.blocks.len() - 1];
        let id = self.join(Kind::Block, first, last);
        let a = self.tree.extra.len() as u32;
        let b = (self.blocks.len() - base) as u32;
        self.tree.extra.extend(self.blocks.drain(base..));
        let node = self.tree.node_mut(id);
        (node.a, node.b) = (a, b);
        id
    }

    /// Moves comments at the end of a compound statement's last block that are indented less than
    /// the block. They are left on the block stack, for the enclosing block.
    pub(super) fn move_outer_comments(&mut self, block: NodeId) {
        let (a, b) = (
            self.tree.node(block).a as usize,
            self.tree.node(block).b as usize,
        );
        let items = &self.tree.extra[a..a + b];
        let Some(real) = items
            .iter()
            .rposition(|id| self.tree.kind(*id) != Kind::CommentBlock)
        else {
            return;
        };
        if real + 1 == b && self.tree.after(items[real]).is_empty() {
            return;
        }
        let limit = self.column(self.tree.node(items[0]).start);
        let outside = |id: NodeId| {
            let comments = self.tree.after(id).iter();
            comments
                .map(|c| self.lexer.comments[*c as usize].start)
                .position(|c| self.column(c) < limit)
        };
        let found = (real..b).find_map(|at| outside(items[at]).map(|comment| (at, comment)));
        let Some((at, comment)) = found else {
            return;
        };
        let items = items.to_vec();
        let moved = self.tree.attached_mut(items[at]).after.split_off(comment);
        let emptied = at > real && self.tree.after(items[at]).is_empty();
        let kept = if emptied { at } else { at + 1 };
        let start = self.lexer.comments[moved[0] as usize];
        let id = self.leaf(Kind::CommentBlock, self.token);
        let node = self.tree.node_mut(id);
        (node.start, node.end) = (start.start, start.start);
        (node.line, node.end_line) = (start.line, start.line);
        self.tree.attached_mut(id).after = moved;
        if emptied {
            self.tree.node_mut(items[at]).flags.set(Flags::DEAD);
        }
        self.blocks.push(id);
        self.blocks.extend_from_slice(&items[at + 1..]);
        let last = *self.tree.node(items[kept - 1]);
        let node = self.tree.node_mut(block);
        node.b = kept as u32;
        (node.end, node.end_line) = (last.end, last.end_line);
    }

    /// The column of a byte, in characters, starting at 0.
    fn column(&self, offset: u32) -> usize {
        let before = &self.tree.text[..offset as usize];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        before[line..].chars().count()
    }
}
