//! Declarations, and the nested properties of SCSS.

use std::borrow::Cow;

use super::{Declaration, Dialect, Kind, Lexeme, Node, Parser, Token, error};
use crate::error::SyntaxError;

impl<'a> Parser<'a> {
    /// Reads the current statement as a declaration.
    pub(super) fn declaration(&mut self, is_custom: bool) -> Result<(), SyntaxError> {
        let tokens = std::mem::take(&mut self.tokens);
        let node = self.declaration_of(&tokens, is_custom);
        self.tokens = tokens;
        self.nodes.push(node?);
        Ok(())
    }

    /// Whether the current statement, before its block, has a property name and a value.
    pub(super) fn is_nested_declaration(&self) -> bool {
        let mut depth = 0_usize;
        let mut colon = None;
        for (index, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Lexeme::Space if self.source(*token).contains('\n') => return false,
                Lexeme::Sign(b'(') => depth += 1,
                Lexeme::Sign(b')') => depth = depth.saturating_sub(1),
                Lexeme::Sign(b':') if depth == 0 => {
                    colon = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let Some(colon) = colon else {
            return false;
        };
        let is_comment =
            |token: &&Token| !matches!(token.kind, Lexeme::Comment | Lexeme::LineComment);
        let mut value = self.tokens[colon + 1..].iter().filter(is_comment);
        let is_blank = value.clone().all(|token| token.kind == Lexeme::Space);
        let first = value
            .next()
            .and_then(|token| self.source(*token).bytes().next());
        let is_selector =
            |byte: u8| matches!(byte, b'#' | b':' | b'-') || byte.is_ascii_alphabetic();
        !is_blank && !first.is_some_and(is_selector)
    }

    pub(super) fn nested_declaration(&mut self) -> Result<(), SyntaxError> {
        while self
            .tokens
            .last()
            .is_some_and(|token| self.is_trivia(*token))
        {
            self.tokens.pop();
        }
        let tokens = std::mem::take(&mut self.tokens);
        let node = self.declaration_of(&tokens, false);
        self.tokens = tokens;
        let Node { range, kind } = node?;
        self.open(range.start, kind);
        Ok(())
    }

    fn declaration_of(&self, tokens: &[Token], is_custom: bool) -> Result<Node<'a>, SyntaxError> {
        let unknown = |token: Token| error("an unknown word", token.start..token.end);
        let Some(first) = tokens.iter().position(|token| token.kind == Lexeme::Word) else {
            return Err(tokens
                .last()
                .map_or_else(|| error("no name", 0..0), |last| unknown(*last)));
        };
        let is_name = |token: &Token| !token.is(b':') && !self.is_trivia(*token);
        let name_end = first
            + tokens[first..]
                .iter()
                .take_while(|token| is_name(token))
                .count();
        let mut value = name_end;
        while let Some(token) = tokens.get(value).copied() {
            value += 1;
            if token.is(b':') {
                break;
            }
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if token.kind == Lexeme::Word && self.source(token).bytes().any(is_word) {
                return Err(unknown(token));
            }
        }
        let content = tokens[value..]
            .iter()
            .position(|token| !self.is_trivia(*token));
        value += content.unwrap_or(0);
        let (start, end) = (tokens[first].start, tokens[tokens.len() - 1].end);
        let offset = |index: usize| tokens.get(index).map_or(end, |token| token.start);
        let important = important_start(self.text, &tokens[value..]);
        let value_end = important.unwrap_or(end);
        let text = &self.text[offset(value).min(value_end)..value_end];
        if !is_custom && text.contains(':') {
            self.check_colons(&tokens[value..])?;
        }
        let name = &self.text[start..offset(name_end)];
        let hack = name.len() - name.strip_prefix(['_', '*']).unwrap_or(name).len();
        let (name, between) =
            self.merged(&name[hack..], &self.text[offset(name_end)..offset(value)]);
        let is_ended = self.text[end..self.lexer.position()].ends_with(';');
        Ok(Node {
            range: start..if is_ended { self.lexer.position() } else { end },
            kind: Kind::Declaration(Declaration {
                hack: self.text[tokens[0].start..start + hack].trim(),
                name,
                between,
                value_start: offset(value).min(value_end),
                value: text,
                important: important.map(|start| &self.text[start..end]),
                block: None,
            }),
        })
    }

    /// Moves the plus sign of a merged property of Less to its name.
    fn merged(&self, name: &'a str, between: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
        if self.dialect == Dialect::Less
            && let Some(rest) = between.trim_start().strip_prefix('+')
            && rest.trim_start().starts_with(':')
        {
            let name = Cow::Owned(format!("{name}+"));
            return (name, Cow::Owned(between.replacen('+', "", 1)));
        }
        (Cow::Borrowed(name), Cow::Borrowed(between))
    }

    /// A second colon outside of parentheses follows a missing semicolon.
    fn check_colons(&self, value: &[Token]) -> Result<(), SyntaxError> {
        let mut depth = 0_usize;
        let mut previous: Option<Token> = None;
        for token in value {
            match token.kind {
                Lexeme::Sign(b'(') => depth += 1,
                Lexeme::Sign(b')') => depth = depth.saturating_sub(1),
                Lexeme::Sign(b':') if depth == 0 => {
                    let is_filter = previous.is_some_and(|token| self.source(token) == "progid");
                    if !is_filter {
                        return Err(error("a semicolon is missing", token.start..token.end));
                    }
                }
                _ => {}
            }
            previous = Some(*token);
        }
        Ok(())
    }
}

/// Where `!important` and the white space before it start, if only comments follow.
fn important_start(text: &str, value: &[Token]) -> Option<usize> {
    let mut index = value
        .iter()
        .rposition(|token| !token.is_trivia() && token.kind != Lexeme::LineComment)?;
    let word = &text[value[index].start..value[index].end];
    if word.eq_ignore_ascii_case("important") {
        index = value[..index]
            .iter()
            .rposition(|token| !token.is_trivia())?;
        if &text[value[index].start..value[index].end] != "!" {
            return None;
        }
    } else if !word.eq_ignore_ascii_case("!important") {
        return None;
    }
    let before = text[..value[index].start].trim_end().len();
    Some(before.max(value[0].start))
}
