//! At-rules, and the variables of Less that look like them.

use super::{AtRule, Dialect, End, Form, Kind, Lexeme, Node, Parser, Token, error};
use crate::error::SyntaxError;

/// At-rules of Less whose parameters may begin with a colon.
const COLON_RULES: [&str; 3] = ["page", "nest", "keyframes"];

impl<'a> Parser<'a> {
    pub(super) fn at_rule(&mut self, mut name: Token) -> Result<(), SyntaxError> {
        let mut next = self.lexer.next()?;
        while self.dialect == Dialect::Scss
            && let Some(token) = next
            && token.kind == Lexeme::Word
        {
            name.end = token.end;
            next = self.lexer.next()?;
        }
        if name.end == name.start + 1 {
            return Err(error("an at-rule has no name", name.start..name.end));
        }
        self.tokens.clear();
        self.brackets.clear();
        let end = loop {
            let Some(token) = next else {
                break Some(End::File);
            };
            match token.kind {
                Lexeme::Sign(b'(') => self.brackets.push(b')'),
                Lexeme::Sign(b'[') => self.brackets.push(b']'),
                Lexeme::Sign(b'{') if !self.brackets.is_empty() => self.brackets.push(b'}'),
                Lexeme::Sign(sign) if !self.brackets.is_empty() => self.close_bracket(sign),
                Lexeme::Sign(b';') => break Some(End::Semicolon),
                Lexeme::Sign(b'{') => break None,
                Lexeme::Sign(b'}') => {
                    self.lexer.back_to(token.start);
                    break Some(End::Close);
                }
                _ => {}
            }
            self.tokens.push(token);
            next = self.lexer.next()?;
        };
        if end == Some(End::File) {
            self.back_to_trivia();
        }
        let last = self
            .tokens
            .iter()
            .rfind(|token| token.kind != Lexeme::Space);
        let content_end = last.map_or(name.end, |token| token.end);
        let rule = self.at_rule_of(name, content_end);
        match end {
            None => self.open(name.start, Kind::AtRule(rule)),
            Some(end) => self.nodes.push(Node {
                range: name.start..match end {
                    End::Semicolon => self.lexer.position(),
                    End::Close | End::File => content_end,
                },
                kind: Kind::AtRule(rule),
            }),
        }
        Ok(())
    }

    fn at_rule_of(&self, name: Token, content_end: usize) -> AtRule<'a> {
        let params = self.text[name.end..content_end].trim();
        let content = self.tokens.iter().find(|token| !self.is_trivia(**token));
        let after_name = &self.text[name.end..content.map_or(name.end, |token| token.start)];
        let full_name = &self.text[name.start + 1..name.end];
        let colon = content.filter(|token| token.is(b':'));
        let (name, value_start) = match (full_name.find(':'), colon) {
            _ if self.dialect != Dialect::Less => (full_name, None),
            (Some(colon), _) => (&full_name[..colon], Some(name.start + 2 + colon)),
            (None, Some(colon)) if !COLON_RULES.contains(&full_name) => {
                (full_name, Some(colon.end))
            }
            _ => (full_name, None),
        };
        let form = value_start.map_or(Form::Plain, |start| {
            let value = self.tokens.iter().rfind(|token| !token.is_trivia());
            let end = value.map_or(start, |token| token.end.max(start));
            Form::Variable {
                value: self.text[start..end].trim(),
                comments: self.text[end..content_end.max(end)].trim(),
            }
        });
        AtRule {
            name,
            after_name,
            params,
            form,
            block: None,
        }
    }
}
