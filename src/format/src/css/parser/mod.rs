//! Reads the statements of a stylesheet, as postcss separates them.

mod at_rule;
mod declaration;
mod lexer;
mod tree;

use fixpoint_text::Span;

use super::dialect::Dialect;
use crate::error::SyntaxError;
use lexer::{Kind as Lexeme, Lexer, Token};

pub(super) use tree::{AtRule, Block, Declaration, Form, Kind, Node, Rule};

/// The statements of `text` after `start`, which is the end of the front matter.
pub(super) fn parse(text: &str, start: usize, dialect: Dialect) -> Result<Block<'_>, SyntaxError> {
    let mut parser = Parser {
        text,
        dialect,
        lexer: Lexer::new(text, start, dialect),
        tokens: Vec::new(),
        brackets: Vec::new(),
        nodes: Vec::new(),
        open: Vec::new(),
    };
    parser.run()?;
    Ok(parser.nodes)
}

struct Parser<'a> {
    text: &'a str,
    dialect: Dialect,
    lexer: Lexer<'a>,
    /// The tokens of the current statement.
    tokens: Vec<Token>,
    /// The brackets that are open in the current statement.
    brackets: Vec<u8>,
    /// The statements of the current block.
    nodes: Block<'a>,
    open: Vec<Open<'a>>,
}

/// A block that is not closed.
struct Open<'a> {
    node: Node<'a>,
    /// The statements before it.
    siblings: Block<'a>,
}

/// What ends a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Semicolon,
    /// The brace that closes the block around it.
    Close,
    File,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), SyntaxError> {
        while let Some(token) = self.lexer.next()? {
            match token.kind {
                Lexeme::Space => {}
                Lexeme::Sign(b';') => self.free_semicolon(token),
                Lexeme::Sign(b'}') => self.close(token)?,
                Lexeme::Comment => self.comment(token, false),
                Lexeme::LineComment => self.comment(token, true),
                Lexeme::At => self.at_rule(token)?,
                Lexeme::Sign(b'{') => self.open_rule(token.start, ""),
                _ => self.other(token)?,
            }
        }
        match self.open.last() {
            Some(open) => Err(error(
                "a block is not closed",
                open.node.range.start..open.node.range.start,
            )),
            None => Ok(()),
        }
    }

    fn comment(&mut self, token: Token, is_line: bool) {
        self.nodes.push(Node {
            range: token.start..token.end,
            kind: Kind::Comment { is_line },
        });
    }

    /// A semicolon after a rule belongs to the rule.
    fn free_semicolon(&mut self, token: Token) {
        if let Some(node) = self.nodes.last_mut()
            && matches!(node.kind, Kind::Rule(_))
            && self.text[..node.range.end].ends_with('}')
        {
            node.range.end = token.end;
        }
    }

    fn close(&mut self, token: Token) -> Result<(), SyntaxError> {
        let Some(mut open) = self.open.pop() else {
            return Err(error("a brace is not opened", token.start..token.end));
        };
        let nodes = std::mem::replace(&mut self.nodes, open.siblings);
        open.node.range.end = token.end;
        match &mut open.node.kind {
            Kind::Rule(rule) => rule.block = nodes,
            Kind::AtRule(rule) => rule.block = Some(nodes),
            Kind::Declaration(declaration) => declaration.block = Some(nodes),
            Kind::Comment { .. } => {}
        }
        self.nodes.push(open.node);
        Ok(())
    }

    fn open(&mut self, start: usize, kind: Kind<'a>) {
        self.open.push(Open {
            node: Node {
                range: start..start,
                kind,
            },
            siblings: std::mem::take(&mut self.nodes),
        });
    }

    fn open_rule(&mut self, start: usize, selector: &'a str) {
        let rule = Rule {
            selector,
            block: Vec::new(),
        };
        self.open(start, Kind::Rule(rule));
    }

    /// A declaration, a rule or the call of a mixin.
    fn other(&mut self, first: Token) -> Result<(), SyntaxError> {
        self.tokens.clear();
        self.brackets.clear();
        let is_custom = self.text[first.start..].starts_with("--");
        let mut has_colon = false;
        let mut first_bracket = first;
        let mut next = Some(first);
        let end = loop {
            let Some(token) = next else {
                break End::File;
            };
            match token.kind {
                Lexeme::Sign(sign @ (b'(' | b'[')) => {
                    if self.brackets.is_empty() {
                        first_bracket = token;
                    }
                    self.brackets.push(if sign == b'(' { b')' } else { b']' });
                }
                Lexeme::Sign(b'{') if is_custom && has_colon => {
                    if self.brackets.is_empty() {
                        first_bracket = token;
                    }
                    self.brackets.push(b'}');
                }
                Lexeme::Sign(sign) if !self.brackets.is_empty() => self.close_bracket(sign),
                Lexeme::Sign(b';') => break End::Semicolon,
                Lexeme::Sign(b'{') => return self.rule(token),
                Lexeme::Sign(b'}') => {
                    self.lexer.back_to(token.start);
                    break End::Close;
                }
                Lexeme::Sign(b':') => has_colon = true,
                _ => {}
            }
            self.tokens.push(token);
            next = self.lexer.next()?;
        };
        if !self.brackets.is_empty() {
            let range = first_bracket.start..first_bracket.end;
            return Err(error("a bracket is not closed", range));
        }
        if !has_colon {
            return self.call(end);
        }
        if end != End::Semicolon && !is_custom {
            self.back_to_trivia();
        }
        self.declaration(is_custom)
    }

    fn close_bracket(&mut self, sign: u8) {
        if self.brackets.last() == Some(&sign) {
            self.brackets.pop();
        }
    }

    /// Leaves the comments at the end of a statement to the block.
    fn back_to_trivia(&mut self) {
        let is_trivia = |token: &Token| self.is_trivia(*token);
        let content = self.tokens.iter().rposition(|token| !is_trivia(token));
        let count = content.map_or(0, |last| last + 1);
        if let Some(first) = self.tokens.get(count) {
            self.lexer.back_to(first.start);
            self.tokens.truncate(count);
        }
    }

    /// Line comments in the values of Less are part of the value.
    fn is_trivia(&self, token: Token) -> bool {
        token.is_trivia() || token.kind == Lexeme::LineComment && self.dialect == Dialect::Scss
    }

    fn source(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    fn rule(&mut self, brace: Token) -> Result<(), SyntaxError> {
        if self.dialect == Dialect::Scss && self.is_nested_declaration() {
            return self.nested_declaration();
        }
        let start = self.tokens.first().map_or(brace.start, |token| token.start);
        self.open_rule(start, self.text[start..brace.start].trim_end());
        Ok(())
    }

    /// The call of a mixin, which Less allows without a block.
    fn call(&mut self, end: End) -> Result<(), SyntaxError> {
        let Some(first) = self.tokens.first().copied() else {
            return Ok(());
        };
        let is_less = self.dialect == Dialect::Less;
        let is_each =
            self.source(first) == "each" && self.tokens.get(1).is_some_and(|token| token.is(b'('));
        if !is_less || !(is_each || is_mixin(&self.call_name())) {
            return Err(error("an unknown word", first.start..first.end));
        }
        let last = self
            .tokens
            .iter()
            .rfind(|token| token.kind != Lexeme::Space);
        let last = last.map_or(first.end, |token| token.end);
        let text = &self.text[first.start..last];
        let (form, params) = if is_each {
            (Form::Function, &text["each".len()..])
        } else {
            let (call, is_important) = without_important(text);
            (Form::Mixin { call, is_important }, "")
        };
        let end = match end {
            End::Semicolon => self.lexer.position(),
            End::Close | End::File => last,
        };
        self.nodes.push(Node {
            range: first.start..end,
            kind: Kind::AtRule(AtRule {
                name: &text[..text.len() - params.len()],
                after_name: "",
                params,
                form,
                block: None,
            }),
        });
        Ok(())
    }

    /// The first word of a call.
    fn call_name(&self) -> String {
        let words = self
            .tokens
            .iter()
            .take_while(|token| token.kind == Lexeme::Word);
        words.map(|token| self.source(*token)).collect()
    }
}

/// Whether a name is a class or an id, but neither a color nor a number.
fn is_mixin(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(['.', '#']) else {
        return false;
    };
    let is_color = name.starts_with('#')
        && matches!(rest.len(), 3 | 6)
        && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = name
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'.' && pair[1].is_ascii_digit());
    !is_color && !is_number
}

/// Removes `!important` from the end of a call.
fn without_important(text: &str) -> (&str, bool) {
    const WORD: &str = "important";
    let stripped = text
        .len()
        .checked_sub(WORD.len())
        .filter(|at| text.is_char_boundary(*at) && text[*at..].eq_ignore_ascii_case(WORD))
        .and_then(|at| text[..at].trim_end().strip_suffix('!'));
    match stripped {
        Some(call) => (call.trim_end(), true),
        None => (text, false),
    }
}

fn error(message: impl Into<String>, range: std::ops::Range<usize>) -> SyntaxError {
    SyntaxError::new(message, Span::from(range))
}
