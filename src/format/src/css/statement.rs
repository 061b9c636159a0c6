//! The statements of a stylesheet: rules, at-rules and declarations.

use std::ops::{Index, Range};

use super::dialect::Dialect;
use super::token::{Kind, Token, tokens};

/// A token that is not white space and not a comment.
#[derive(Clone, Copy)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    /// Whether white space precedes it.
    pub(super) is_spaced: bool,
}

pub(super) struct Lexemes<'t> {
    text: &'t str,
    dialect: Dialect,
    list: Vec<Lexeme>,
}

/// The kind of statement at a token. Each `end` is the index of the token after the statement, or
/// after its header if a block follows.
pub(super) enum Statement {
    /// A semicolon without a statement.
    Empty,
    /// The brace that closes the current block.
    Closing,
    /// A token outside of any statement.
    Stray,
    /// A custom property, whose value may contain blocks.
    Custom {
        colon: usize,
        end: usize,
    },
    Declaration {
        colon: Option<usize>,
        end: usize,
    },
    AtRule {
        end: usize,
    },
    Rule {
        end: usize,
    },
}

impl Index<usize> for Lexemes<'_> {
    type Output = Lexeme;

    fn index(&self, at: usize) -> &Lexeme {
        &self.list[at]
    }
}

impl<'t> Lexemes<'t> {
    pub(super) fn of(text: &'t str, dialect: Dialect) -> Self {
        let mut list = Vec::new();
        let mut is_spaced = false;
        for token in tokens(text, dialect) {
            if token.is_trivia() {
                is_spaced |= token.kind == Kind::Space;
            } else {
                list.push(Lexeme { token, is_spaced });
                is_spaced = false;
            }
        }
        Self {
            text,
            dialect,
            list,
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Lexeme> {
        self.list.get(at).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn source(&self, at: usize) -> &'t str {
        match self.list.get(at) {
            Some(lexeme) => &self.text[lexeme.token.range()],
            None => "",
        }
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.list.get(at).map(|lexeme| lexeme.token.kind)
    }

    /// The source between the token at `before` and the token at `end`, without white space around
    /// it.
    pub(super) fn between(&self, before: usize, end: usize) -> Range<usize> {
        let start = self.list[before].token.end;
        let end = self
            .list
            .get(end)
            .map_or(self.text.len(), |lexeme| lexeme.token.start);
        let source = self.text[start..end].trim_ascii_end();
        let value = source.trim_ascii_start();
        let start = start + source.len() - value.len();
        start..start + value.len()
    }

    /// The statement that starts at a token; `is_nested` inside of a block. SCSS and Less have
    /// declarations outside of blocks too, and some tools extend CSS with variables.
    pub(super) fn statement(&self, at: usize, is_nested: bool) -> Statement {
        let is_variable = self.source(at) == "$";
        let is_nested = is_nested || is_variable || self.dialect != Dialect::Css;
        match self.source(at) {
            "}" if is_nested => return Statement::Closing,
            ";" if is_nested => return Statement::Empty,
            "}" | ";" | "<!--" | "-->" if !is_nested => return Statement::Stray,
            _ => {}
        }
        if self.kind(at) == Some(Kind::AtKeyword) {
            let end = self.end(at, Stop::AtRule { is_nested });
            return Statement::AtRule { end };
        }
        if !is_nested {
            let end = self.end(at, Stop::Block);
            return Statement::Rule { end };
        }
        let colon = self.colon_of(at);
        if let Some(colon) = colon.filter(|_| self.source(at).starts_with("--")) {
            let end = self.end(at, Stop::Declaration);
            return Statement::Custom { colon, end };
        }
        let end = self.end(at, Stop::AtRule { is_nested });
        match colon {
            _ if self.source(end) == "{" => Statement::Rule { end },
            _ => Statement::Declaration { colon, end },
        }
    }

    /// The colon after a property name. A name may have the prefix `*`, `+` or `#`, a hack for old
    /// browsers.
    fn colon_of(&self, at: usize) -> Option<usize> {
        let mut name = at;
        while matches!(self.source(name), "*" | "+") {
            name += 1;
        }
        let is_joined = (at..name).all(|prefix| !self.is_spaced(prefix + 1));
        let is_name = is_joined && matches!(self.kind(name), Some(Kind::Ident | Kind::Hash));
        (is_name && self.kind(name + 1) == Some(Kind::Colon)).then_some(name + 1)
    }

    fn is_spaced(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|lexeme| lexeme.is_spaced)
    }

    fn end(&self, from: usize, stop: Stop) -> usize {
        let mut open = Vec::new();
        for at in from..self.len() {
            let source = self.source(at);
            match source.as_bytes().last() {
                Some(_) if !self.is_punctuation(at) => {}
                Some(b'{') if source.len() > 1 => open.push("}"),
                Some(b'{') if open.is_empty() && stop != Stop::Declaration => return at,
                Some(b'{') => open.push("}"),
                Some(b'(') => open.push(")"),
                Some(b'[') => open.push("]"),
                Some(b'}') if open.is_empty() && stop.is_nested() => return at,
                Some(b';') if open.is_empty() && stop != Stop::Block => return at,
                _ if open.last() == Some(&source) => {
                    open.pop();
                }
                _ => {}
            }
        }
        self.len()
    }

    fn is_punctuation(&self, at: usize) -> bool {
        matches!(
            self.kind(at),
            Some(Kind::Open | Kind::Close | Kind::Function | Kind::Semicolon)
        )
    }
}

/// What ends a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Only a block.
    Block,
    /// A block or a semicolon; inside of a block, also its end.
    AtRule { is_nested: bool },
    /// A semicolon or the end of the block. The value may contain blocks.
    Declaration,
}

impl Stop {
    fn is_nested(self) -> bool {
        match self {
            Self::Block => false,
            Self::AtRule { is_nested } => is_nested,
            Self::Declaration => true,
        }
    }
}
