//! Builds the parts of a selector.

use super::lexer::{Kind as Lexeme, Token, tokens};
use super::{Kind, Part, Selectors};

/// The selectors of `text`; `None` if they are printed as they are.
pub(in crate::css) fn parse(text: &str) -> Option<Selectors<'_>> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
    };
    parser.selectors(false)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn token(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn kind(&self, ahead: usize) -> Option<Lexeme> {
        self.token(ahead).map(|token| token.kind)
    }

    fn source(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    fn is_bar(&self, ahead: usize) -> bool {
        self.token(ahead)
            .is_some_and(|token| self.source(token) == "|")
    }

    /// The selectors up to the end, or up to the parenthesis that closes the arguments.
    fn selectors(&mut self, is_argument: bool) -> Option<Selectors<'a>> {
        let mut selectors = vec![Vec::new()];
        loop {
            let Some(token) = self.token(0) else {
                return (!is_argument).then_some(selectors);
            };
            match token.kind {
                Lexeme::Sign(b')') if is_argument => {
                    self.at += 1;
                    return Some(selectors);
                }
                Lexeme::Sign(b',') => {
                    self.at += 1;
                    if self.token(0).is_some() {
                        selectors.push(Vec::new());
                    }
                }
                _ => self.part(token, selectors.last_mut()?)?,
            }
        }
    }

    fn part(&mut self, token: Token, parts: &mut Vec<Part<'a>>) -> Option<()> {
        match token.kind {
            Lexeme::Space => self.space(parts),
            Lexeme::Combinator => self.combinator(parts),
            Lexeme::Word | Lexeme::AtWord if self.is_bar(1) => {
                self.at += 1;
                self.namespace(Some(self.source(token)), parts)
            }
            Lexeme::Word | Lexeme::AtWord => self.word(None, parts),
            Lexeme::String => self.single(Kind::String, token, parts),
            Lexeme::Sign(b'&') => self.single(Kind::Nesting, token, parts),
            Lexeme::Sign(b'*') if self.is_bar(1) => {
                self.at += 1;
                self.namespace(Some("*"), parts)
            }
            Lexeme::Sign(b'*') => self.single(Kind::Universal, token, parts),
            Lexeme::Sign(b'[') => self.attribute(token, parts),
            Lexeme::Sign(b':') => self.pseudo(token, parts),
            Lexeme::Sign(b'(') => self.parentheses(parts),
            Lexeme::Sign(_) => None,
        }
    }

    fn single(&mut self, kind: Kind<'a>, token: Token, parts: &mut Vec<Part<'a>>) -> Option<()> {
        parts.push(Part {
            kind,
            text: self.source(token),
            start: token.start,
            namespace: None,
        });
        self.at += 1;
        Some(())
    }

    fn space(&mut self, parts: &mut Vec<Part<'a>>) -> Option<()> {
        let is_start =
            self.at == 0 || self.tokens[self.at - 1].is(b',') || self.tokens[self.at - 1].is(b'(');
        let is_end = self
            .token(1)
            .is_none_or(|next| next.is(b',') || next.is(b')'));
        if is_start || is_end {
            self.at += 1;
            return (is_start || !parts.is_empty()).then_some(());
        }
        self.combinator(parts)
    }

    /// A run of white space with at most one operator.
    fn combinator(&mut self, parts: &mut Vec<Part<'a>>) -> Option<()> {
        if self.is_bar(0) {
            return self.namespace(None, parts);
        }
        let mut combinator = self.token(0)?;
        let mut has_operator = false;
        while let Some(token) = self.token(0) {
            match token.kind {
                Lexeme::Combinator if has_operator => return None,
                Lexeme::Combinator if self.is_bar(0) && !has_operator => break,
                Lexeme::Combinator => {
                    has_operator = true;
                    combinator = token;
                }
                Lexeme::Space => {}
                _ => break,
            }
            self.at += 1;
        }
        parts.push(Part {
            kind: Kind::Combinator,
            text: self.source(combinator),
            start: combinator.start,
            namespace: None,
        });
        Some(())
    }

    /// A name after a bar.
    fn namespace(&mut self, namespace: Option<&'a str>, parts: &mut Vec<Part<'a>>) -> Option<()> {
        self.at += 1;
        let namespace = Some(namespace.unwrap_or(""));
        let token = self.token(0)?;
        match token.kind {
            Lexeme::Word => self.word(namespace, parts),
            Lexeme::Sign(b'*') => {
                self.single(Kind::Universal, token, parts)?;
                parts.last_mut()?.namespace = namespace;
                Some(())
            }
            _ => None,
        }
    }

    fn attribute(&mut self, open: Token, parts: &mut Vec<Part<'a>>) -> Option<()> {
        let rest = &self.tokens[self.at..];
        let length = rest.iter().position(|token| token.is(b']'))?;
        parts.push(Part {
            kind: Kind::Attribute,
            text: &self.text[open.end..rest[length].start],
            start: open.end,
            namespace: None,
        });
        self.at += length + 1;
        Some(())
    }

    fn pseudo(&mut self, first: Token, parts: &mut Vec<Part<'a>>) -> Option<()> {
        while self.token(0).is_some_and(|token| token.is(b':')) {
            self.at += 1;
        }
        if self.kind(0) != Some(Lexeme::Word) {
            return None;
        }
        let count = parts.len();
        self.word(None, parts)?;
        let is_split = parts.len() > count + 1;
        let pseudo = parts.get_mut(count)?;
        pseudo.text = &self.text[first.start..pseudo.start + pseudo.text.len()];
        pseudo.kind = Kind::Pseudo { arguments: None };
        let is_misplaced = is_split && self.token(0).is_some_and(|token| token.is(b'('));
        (!is_misplaced).then_some(())
    }

    fn parentheses(&mut self, parts: &mut Vec<Part<'a>>) -> Option<()> {
        let last = parts.last_mut()?;
        match &mut last.kind {
            Kind::Pseudo { arguments: Some(_) } | Kind::Attribute => None,
            Kind::Pseudo { arguments } => {
                self.at += 1;
                *arguments = Some(self.selectors(true)?);
                Some(())
            }
            _ => {
                let mut depth = 0_usize;
                loop {
                    let token = self.token(0)?;
                    self.at += 1;
                    match token.kind {
                        Lexeme::Sign(b'(') => depth += 1,
                        Lexeme::Sign(b')') => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        last.text = &self.text[last.start..token.end];
                        return Some(());
                    }
                }
            }
        }
    }

    /// A name with its classes and ids, and the words directly after it.
    fn word(&mut self, namespace: Option<&'a str>, parts: &mut Vec<Part<'a>>) -> Option<()> {
        let first = self.token(0)?;
        let mut end = first.end;
        while self.kind(1) == Some(Lexeme::Word) {
            self.at += 1;
            let token = self.token(0)?;
            end = token.end;
            if self.source(token).ends_with('\\') && self.kind(1) == Some(Lexeme::Space) {
                self.at += 1;
                end = self.token(0)?.end;
            }
        }
        self.at += 1;
        let source = &self.text[first.start..end];
        let bytes = source.as_bytes();
        let begins_part =
            |at: usize| bytes[at] == b'.' || bytes[at] == b'#' && bytes.get(at + 1) != Some(&b'{');
        let mut start = 0;
        while start < source.len() {
            let rest = start + 1..source.len();
            let end = rest.clone().find(|at| begins_part(*at)).unwrap_or(rest.end);
            let kind = match bytes[start] {
                b'.' => Kind::Class,
                b'#' if begins_part(start) => Kind::Id,
                _ => Kind::Tag,
            };
            parts.push(Part {
                kind,
                text: &source[start..end],
                start: first.start + start,
                namespace,
            });
            start = end;
        }
        Some(())
    }
}
