//! Parses documents, as the specification and graphql-js describe. Also accepts fragment variables
//! and arguments, which are proposals.

mod executable;
mod schema;
mod value;

use fixpoint_text::Span;

use super::token::{self, Token};
use super::tree::{Kind, Node, NodeId, Role, Tree};
use crate::error::SyntaxError;

type Parsed<T> = Result<T, SyntaxError>;

pub(super) fn document<'t>(text: &'t str, tokens: &[Token<'t>]) -> Parsed<Tree<'t>> {
    let is_code = |token: &&Token<'t>| token.kind != token::Kind::Comment;
    let mut parser = Parser {
        tokens: tokens.iter().filter(is_code).copied().collect(),
        at: 0,
        tree: Tree::default(),
    };
    let mut definitions = Vec::new();
    while parser.peek().kind != token::Kind::End {
        definitions.push((Role::Item, parser.definition()?));
    }
    parser.tree.nodes.push(Node {
        kind: Kind::Document,
        start: 0,
        end: text.len(),
        text: "",
        is_extension: false,
        is_repeatable: false,
        children: definitions,
    });
    Ok(parser.tree)
}

/// The parts of a node that is being parsed.
struct Open<'t> {
    node: Node<'t>,
}

impl<'t> Open<'t> {
    fn push(&mut self, role: Role, child: NodeId) {
        self.node.children.push((role, child));
    }
}

struct Parser<'t> {
    /// Without comments. The last one is the end, which is never passed.
    tokens: Vec<Token<'t>>,
    at: usize,
    tree: Tree<'t>,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_mark(&self, mark: u8) -> bool {
        self.peek().kind == token::Kind::Mark(mark)
    }

    fn is_keyword(&self, keyword: &str) -> bool {
        let token = self.peek();
        token.kind == token::Kind::Name && token.text == keyword
    }

    fn take_mark(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.advance();
        }
        found
    }

    fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect_mark(&mut self, mark: u8) -> Parsed<()> {
        if self.take_mark(mark) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{}`", char::from(mark))))
        }
    }

    fn expect_keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{keyword}`")))
        }
    }

    fn expect(&mut self, kind: token::Kind, what: &str) -> Parsed<Token<'t>> {
        if self.peek().kind == kind {
            Ok(self.advance())
        } else {
            Err(self.unexpected(what))
        }
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let token = self.peek();
        let found = if token.kind == token::Kind::End {
            "the end of the text".to_owned()
        } else {
            format!("`{}`", token.text.lines().next().unwrap_or_default())
        };
        SyntaxError::new(
            format!("expected {expected}, found {found}"),
            Span::from(token.start..token.end()),
        )
    }

    fn open(&self, kind: Kind) -> Open<'t> {
        let start = self.peek().start;
        Open {
            node: Node {
                kind,
                start,
                end: start,
                text: "",
                is_extension: false,
                is_repeatable: false,
                children: Vec::new(),
            },
        }
    }

    /// Closes a node after the last token that was read.
    fn close(&mut self, mut open: Open<'t>) -> NodeId {
        open.node.end = self.tokens[self.at.saturating_sub(1)].end();
        self.tree.nodes.push(open.node);
        NodeId(self.tree.nodes.len() - 1)
    }

    /// A node that consists of the next token.
    fn leaf(&mut self, kind: Kind) -> NodeId {
        let mut open = self.open(kind);
        open.node.text = self.advance().text;
        self.close(open)
    }

    /// Adds one or more items between two marks.
    fn many(
        &mut self,
        open: &mut Open<'t>,
        role: Role,
        marks: (u8, u8),
        item: fn(&mut Self) -> Parsed<NodeId>,
    ) -> Parsed<()> {
        self.expect_mark(marks.0)?;
        loop {
            let item = item(self)?;
            open.push(role, item);
            if self.take_mark(marks.1) {
                return Ok(());
            }
        }
    }

    fn optional_many(
        &mut self,
        open: &mut Open<'t>,
        role: Role,
        marks: (u8, u8),
        item: fn(&mut Self) -> Parsed<NodeId>,
    ) -> Parsed<()> {
        if self.is_mark(marks.0) {
            self.many(open, role, marks, item)?;
        }
        Ok(())
    }

    fn definition(&mut self) -> Parsed<NodeId> {
        if self.is_mark(b'{') {
            return self.operation(None);
        }
        let start = self.peek().start;
        let description = self.description();
        let token = self.peek();
        if token.kind != token::Kind::Name {
            return Err(self.unexpected("a definition"));
        }
        let definition = match token.text {
            "query" | "mutation" | "subscription" => self.operation(description)?,
            "fragment" => self.fragment(description)?,
            "extend" if description.is_none() => self.type_definition(None)?,
            "schema" | "scalar" | "type" | "interface" | "union" | "enum" | "input"
            | "directive" => self.type_definition(description)?,
            _ => return Err(self.unexpected("a definition")),
        };
        self.tree.nodes[definition.0].start = start;
        Ok(definition)
    }

    fn description(&mut self) -> Option<NodeId> {
        match self.peek().kind {
            token::Kind::String => Some(self.leaf(Kind::String)),
            token::Kind::BlockString => Some(self.leaf(Kind::BlockString)),
            _ => None,
        }
    }

    fn name(&mut self) -> Parsed<NodeId> {
        if self.peek().kind == token::Kind::Name {
            Ok(self.leaf(Kind::Name))
        } else {
            Err(self.unexpected("a name"))
        }
    }

    fn push_name(&mut self, open: &mut Open<'t>) -> Parsed<()> {
        let name = self.name()?;
        open.push(Role::Name, name);
        Ok(())
    }
}
