//! Tokens to tree, by recursive descent with a bounded depth.
//!
//! Nodes are made in the order in which comments look for them: children before parents, left
//! before right. After an error the parser goes on at a later line, so that one mistake does not
//! hide the next.

mod attach;
mod block;
mod bracket;
mod expression;
mod function;
mod recover;
mod statement;

use std::sync::OnceLock;

use crate::error::SyntaxError;
use crate::lex::{Lexer, Token, TokenKind};
use crate::tree::{Flags, Kind, NONE, Node, NodeId, Op, Tree, Word};

/// Brackets, blocks, operators and lambdas may nest this deep; beyond it a file is refused, so that
/// no input can exhaust the stack.
const MAX_DEPTH: u32 = 400;

/// A file with more errors than this is not worth reading on.
const MAX_ERRORS: usize = 50;

/// A tree, and what is wrong with the text it came from.
#[derive(Clone, Debug)]
pub struct Parse<'a> {
    pub tree: Tree<'a>,
    pub errors: Vec<SyntaxError>,
}

/// Reads any text. The tree always covers it; where there are errors some of it is in no node.
pub fn parse(text: &str) -> Parse<'_> {
    Parser::new(text, true).run()
}

/// As [`parse`], without the leaves, which neither printer nor rules need.
pub fn parse_nodes(text: &str) -> Parse<'_> {
    Parser::new(text, false).run()
}

/// A text whose nodes are read when they are first asked for, for all who ask.
pub struct ParsedOnce<'a> {
    text: &'a str,
    parse: OnceLock<Parse<'a>>,
}

impl<'a> ParsedOnce<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            parse: OnceLock::new(),
        }
    }

    /// Whether this is the very text, and not only an equal one.
    pub fn is_of(&self, text: &str) -> bool {
        std::ptr::eq(self.text, text)
    }

    /// As [`parse_nodes`].
    pub fn nodes(&self) -> &Parse<'a> {
        self.parse.get_or_init(|| parse_nodes(self.text))
    }
}

/// A construct could not be read; the reason has been recorded.
struct Failed;

type Parsed<T = NodeId> = Result<T, Failed>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// Where the token before this one ended.
    last_end: u32,
    last_line: u32,
    depth: u32,
    keep_words: bool,
    /// Children of the lists being read.
    stack: Vec<NodeId>,
    /// Statements of the blocks being read.
    blocks: Vec<NodeId>,
    /// Indentation of the blocks being read.
    open: Vec<u32>,
    /// The last block read ended in a blank line.
    blank_below: bool,
    tree: Tree<'a>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, keep_words: bool) -> Self {
        let text_too_long = u32::try_from(text.len()).is_err();
        let mut lexer = Lexer::new(if text_too_long { "" } else { text });
        if text_too_long {
            lexer
                .errors
                .push(SyntaxError::new("files end at 4 GiB", 0, 0));
        }
        let token = lexer.next();
        let mut parser = Self {
            lexer,
            token,
            last_end: 0,
            last_line: 1,
            depth: 0,
            keep_words,
            stack: Vec::new(),
            blocks: Vec::new(),
            open: Vec::new(),
            blank_below: false,
            tree: Tree {
                text,
                nodes: Vec::with_capacity(text.len() / 8 + 16),
                extra: Vec::with_capacity(text.len() / 12 + 16),
                comments: Vec::new(),
                attached: Vec::new(),
                texts: Vec::new(),
                statements: Vec::new(),
                head: Vec::new(),
                tail: Vec::new(),
                words: Vec::new(),
            },
        };
        parser.keep_word();
        parser
    }

    fn run(mut self) -> Parse<'a> {
        self.file();
        self.tree.comments = std::mem::take(&mut self.lexer.comments);
        attach::attach(&mut self.tree);
        // The lexer is one token ahead of the parser.
        let mut errors = self.lexer.errors;
        errors.sort_by_key(|error| error.span());
        errors.truncate(MAX_ERRORS);
        Parse {
            tree: self.tree,
            errors,
        }
    }

    fn keep_word(&mut self) {
        if self.keep_words {
            self.tree.words.push(Word {
                kind: self.token.kind,
                start: self.token.start,
                end: self.token.end,
            });
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        self.last_line = token.end_line;
        self.token = self.lexer.next();
        self.keep_word();
        token
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Parsed<Token> {
        if self.at(kind) {
            Ok(self.bump())
        } else {
            Err(self.fail(what))
        }
    }

    /// Records that `what` was expected here. What the lexer could not read it has told already.
    fn fail(&mut self, what: &str) -> Failed {
        let token = self.token;
        let found = match token.kind {
            TokenKind::Error => return Failed,
            TokenKind::Eof => "the end of the file".to_owned(),
            TokenKind::Newline => "the end of the line".to_owned(),
            TokenKind::Indent => "an indented line".to_owned(),
            TokenKind::Dedent => "the end of the block".to_owned(),
            TokenKind::Comment => "a comment".to_owned(),
            _ => {
                let source = self.tree.slice(token.start, token.end);
                let line = source.lines().next().unwrap_or("");
                let short: String = line.chars().take(40).collect();
                format!("`{short}`")
            }
        };
        let message = format!("expected {what}, found {found}");
        let error = SyntaxError::new(message, token.start, token.end);
        self.lexer.errors.push(error);
        Failed
    }

    /// Runs `read` one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let token = self.token;
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            let error = SyntaxError::new(message, token.start, token.end);
            self.lexer.errors.push(error);
            return Err(Failed);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = self.tree.nodes.len() as NodeId;
        self.tree.nodes.push(node);
        id
    }

    /// A node that covers exactly `token`.
    fn leaf(&mut self, kind: Kind, token: Token) -> NodeId {
        self.push(Node {
            kind,
            op: Op::None,
            flags: Flags::default(),
            start: token.start,
            end: token.end,
            line: token.line,
            end_line: token.end_line,
            a: NONE,
            b: NONE,
            c: NONE,
            comments: NONE,
        })
    }

    /// A node from the start of one node to the end of another.
    fn join(&mut self, kind: Kind, first: NodeId, last: NodeId) -> NodeId {
        let (first, last) = (*self.tree.node(first), *self.tree.node(last));
        self.push(Node {
            kind,
            op: Op::None,
            flags: Flags::default(),
            start: first.start,
            end: last.end,
            line: first.line,
            end_line: last.end_line,
            a: NONE,
            b: NONE,
            c: NONE,
            comments: NONE,
        })
    }

    /// A node from `first` to the end of the last token read.
    fn since(&mut self, kind: Kind, first: Token) -> NodeId {
        let id = self.leaf(kind, first);
        let (end, end_line) = (self.last_end, self.last_line);
        let node = self.tree.node_mut(id);
        node.end = end;
        node.end_line = end_line;
        id
    }

    /// Moves what was put on the stack since `base` into `extra`.
    fn pop_list(&mut self, base: usize) -> (u32, u32) {
        let a = self.tree.extra.len() as u32;
        let b = (self.stack.len() - base) as u32;
        self.tree.extra.extend(self.stack.drain(base..));
        (a, b)
    }
}

#[cfg(test)]
mod tests;
