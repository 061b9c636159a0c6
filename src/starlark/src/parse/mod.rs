//! A recursive-descent parser with limited depth.
//!
//! Nodes are created in the order in which comments are attached: children before parents, left
//! before right. After an error the parser continues at a later line, so that it can report several
//! errors.

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
use crate::tree::{Flags, Kind, NONE, Node, NodeId, Op, TokenRecord, Tree};

/// The maximum nesting of brackets, blocks, operators and lambdas. Deeper files are rejected, so
/// that no input can exhaust the stack.
const MAX_DEPTH: u32 = 400;

/// The parser stops after this many errors.
const MAX_ERRORS: usize = 50;

/// A tree and the syntax errors of its text.
#[derive(Clone, Debug)]
pub struct Parse<'a> {
    pub tree: Tree<'a>,
    pub errors: Vec<SyntaxError>,
}

/// Parses any text. The leaves of the tree always cover it. If there are errors, some of the text
/// is not part of any node.
pub fn parse(text: &str) -> Parse<'_> {
    Parser::new(text, true).run()
}

/// Like [`parse`], but without leaves, which the printer and the rules do not need.
pub fn parse_nodes(text: &str) -> Parse<'_> {
    Parser::new(text, false).run()
}

/// A text that is parsed on first use. The result is shared by all users.
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

    /// Whether this is the same text by address, not only an equal one.
    pub fn is_of(&self, text: &str) -> bool {
        std::ptr::eq(self.text, text)
    }

    /// Like [`parse_nodes`].
    pub fn nodes(&self) -> &Parse<'a> {
        self.parse.get_or_init(|| parse_nodes(self.text))
    }
}

/// A construct could not be parsed. The error has been recorded.
struct Failed;

type Parsed<T = NodeId> = Result<T, Failed>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// The end of the previous token.
    last_end: u32,
    last_line: u32,
    depth: u32,
    keep_tokens: bool,
    /// The children of the lists being read.
    stack: Vec<NodeId>,
    /// The statements of the blocks being read.
    blocks: Vec<NodeId>,
    /// The indentation of the blocks being read.
    open: Vec<u32>,
    /// Whether the last block ended with a blank line.
    blank_below: bool,
    tree: Tree<'a>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, keep_tokens: bool) -> Self {
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
            keep_tokens,
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
                tokens: Vec::new(),
            },
        };
        parser.keep_token();
        parser
    }

    fn run(mut self) -> Parse<'a> {
        self.file();
        self.tree.comments = std::mem::take(&mut self.lexer.comments);
        attach::attach(&mut self.tree);
        // The errors are not in order, because the lexer is one token ahead of the parser.
        let mut errors = self.lexer.errors;
        errors.sort_by_key(|error| error.span());
        errors.truncate(MAX_ERRORS);
        Parse {
            tree: self.tree,
            errors,
        }
    }

    fn keep_token(&mut self) {
        if self.keep_tokens {
            self.tree.tokens.push(TokenRecord {
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
        self.keep_token();
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

    /// Records that `what` was expected here. The lexer has already reported tokens that it cannot
    /// read.
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

    /// Runs `read` with the nesting depth increased by one.
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

    /// Creates a node that covers exactly `token`.
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

    /// Creates a node from the start of `first` to the end of `last`.
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

    /// Creates a node from `first` to the end of the last token.
    fn since(&mut self, kind: Kind, first: Token) -> NodeId {
        let id = self.leaf(kind, first);
        let (end, end_line) = (self.last_end, self.last_line);
        let node = self.tree.node_mut(id);
        node.end = end;
        node.end_line = end_line;
        id
    }

    /// Moves the nodes on the stack since `base` to `extra`. Returns their start and number.
    fn pop_list(&mut self, base: usize) -> (u32, u32) {
        let a = self.tree.extra.len() as u32;
        let b = (self.stack.len() - base) as u32;
        self.tree.extra.extend(self.stack.drain(base..));
        (a, b)
    }
}

#[cfg(test)]
mod tests;
