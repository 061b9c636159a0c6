//! The lexer. It drops nothing: white space, comments and invalid characters are tokens too.

mod literal;
mod token;
mod word;

pub use literal::{MAX_DIGITS, int_value, string_value};
pub use token::{Token, TokenKind};
pub use word::word_kind;

use fixpoint_text::Span;

use crate::source::BYTE_ORDER_MARK;
use crate::syntax::SyntaxError;
use word::{continues_name, is_space, starts_name, starts_type};

/// All tokens of a text, ending with [`TokenKind::End`].
#[derive(Clone, Debug)]
pub struct Tokens {
    pub all: Vec<Token>,
    pub errors: Vec<SyntaxError>,
}

impl Tokens {
    /// The tokens except trivia, including the end token.
    pub fn significant(&self) -> Vec<Token> {
        let mut significant = Vec::with_capacity(self.all.len());
        let tokens = self.all.iter().filter(|token| !token.kind.is_trivia());
        significant.extend(tokens.copied());
        significant
    }
}

pub fn lex(text: &str) -> Tokens {
    let mut lexer = Lexer::of(text);
    // Unused capacity costs nothing, but growing moves all entries.
    let mut all = Vec::with_capacity(text.len() / 4 * 3 + 1);
    loop {
        let token = lexer.next();
        all.push(token);
        if token.kind == TokenKind::End {
            return Tokens {
                all,
                errors: lexer.errors,
            };
        }
    }
}

/// Reads one token after another.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    /// The offset after the last byte read; always at a character boundary.
    at: usize,
    pub errors: Vec<SyntaxError>,
}

impl<'a> Lexer<'a> {
    pub fn of(text: &'a str) -> Self {
        Self::from(text, 0)
    }

    /// Starts at an offset where a token begins.
    pub fn from(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            errors: Vec::new(),
        }
    }

    /// A copy that reads the same tokens again, for lookahead.
    pub fn ahead(&self) -> Self {
        Self::from(self.text, self.at)
    }

    /// The next token. At the end of the text, it is the end token, repeatedly.
    pub fn next(&mut self) -> Token {
        let start = self.at;
        let kind = if start < self.text.len() {
            self.token()
        } else {
            TokenKind::End
        };
        Token {
            kind,
            span: Span::from(start..self.at),
        }
    }

    /// The next token that is not trivia.
    pub fn next_significant(&mut self) -> Token {
        loop {
            self.skip_bytes(is_space);
            let token = self.next();
            if !token.kind.is_trivia() {
                return token;
            }
        }
    }
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    fn skip_bytes(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|it| wanted(**it)).count();
    }

    fn error(&mut self, start: usize, message: impl Into<String>) {
        self.errors
            .push(SyntaxError::new(Span::from(start..self.at), message));
    }

    fn token(&mut self) -> TokenKind {
        match self.byte(0) {
            space if is_space(space) => {
                self.skip_bytes(is_space);
                TokenKind::Whitespace
            }
            b'/' if self.byte(1) == b'/' => {
                self.skip_bytes(|it| it != b'\n');
                TokenKind::LineComment
            }
            b'/' if self.byte(1) == b'*' => self.block_comment(),
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'"' => self.string(),
            b'`' => self.template(),
            _ => match self.peek() {
                Some(char) if starts_name(char, self.second()) => self.word(),
                _ => self.mark(),
            },
        }
    }

    /// Reads a name or a keyword.
    fn word(&mut self) -> TokenKind {
        let start = self.at;
        self.skip_bytes(|it| it.is_ascii_alphanumeric() || it == b'_');
        if !self.byte(0).is_ascii() {
            self.skip_while(continues_name);
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        TokenKind::of_word(text).unwrap_or_else(|| {
            if text.starts_with(starts_type) {
                TokenKind::TypeIdent
            } else {
                TokenKind::Ident
            }
        })
    }

    fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    fn block_comment(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 2;
        let mut depth = 1;
        while depth > 0 {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                }
                _ if self.bump().is_none() => {
                    self.error(start, "this comment has no end; close it with `*/`");
                    break;
                }
                _ => {}
            }
        }
        TokenKind::BlockComment
    }

    fn number(&mut self) -> TokenKind {
        if self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X' | b'b' | b'B') {
            let digit: fn(char) -> bool = match self.byte(1) {
                b'x' | b'X' => |it| it.is_ascii_hexdigit() || it == '_',
                _ => |it| matches!(it, '0' | '1' | '_'),
            };
            let start = self.at;
            self.at += 2;
            let digits = self.at;
            self.skip_while(digit);
            if self
                .text
                .get(digits..self.at)
                .is_none_or(|it| it.trim_matches('_').is_empty())
            {
                self.error(start, "a number needs digits after its prefix");
            }
            self.suffix();
            return TokenKind::IntLiteral;
        }
        let digit = |it: u8| it.is_ascii_digit() || it == b'_';
        self.skip_bytes(digit);
        let mut float = false;
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            float = true;
            self.at += 1;
            self.skip_bytes(digit);
        }
        if matches!(self.byte(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
            if self.byte(1 + sign).is_ascii_digit() {
                float = true;
                self.at += 1 + sign;
                self.skip_bytes(digit);
            }
        }
        if float {
            return TokenKind::FloatLiteral;
        }
        self.suffix();
        TokenKind::IntLiteral
    }

    fn suffix(&mut self) {
        if self.rest().starts_with("i32") || self.rest().starts_with("i64") {
            self.at += 3;
        }
    }

    fn string(&mut self) -> TokenKind {
        let start = self.at;
        if self.rest().starts_with("\"\"\"") {
            self.at += 3;
            loop {
                if self.rest().starts_with("\"\"\"") {
                    self.at += 3;
                    break;
                }
                if self.bump() == Some('\\') {
                    self.bump();
                } else if self.at >= self.text.len() {
                    self.error(start, "this string has no end; close it with `\"\"\"`");
                    break;
                }
            }
            return TokenKind::TripleString;
        }
        self.at += 1;
        loop {
            let at = self.at;
            match self.peek() {
                None | Some('\n') => {
                    self.error(
                        start,
                        "this string has no end on its line; close it with `\"`",
                    );
                    break;
                }
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(escaped) if literal::escape(escaped).is_some() => {
                            self.bump();
                        }
                        None | Some('\n') => {}
                        Some(unknown) => {
                            self.bump();
                            self.error(at, format!("there is no escape `\\{unknown}`"));
                        }
                    }
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
        TokenKind::StringLiteral
    }

    fn template(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        let mut depth = 0_usize;
        loop {
            match self.bump() {
                None => {
                    self.error(
                        start,
                        "this template string has no end; close it with a backquote",
                    );
                    break;
                }
                Some('`') if depth == 0 => break,
                Some('\\') => {
                    self.bump();
                }
                Some('$') if depth == 0 && self.byte(0) == b'{' => {
                    self.at += 1;
                    depth = 1;
                }
                Some('{') if depth > 0 => depth += 1,
                Some('}') if depth > 0 => depth -= 1,
                Some(_) => {}
            }
        }
        TokenKind::TemplateLiteral
    }

    fn mark(&mut self) -> TokenKind {
        use TokenKind as T;
        let start = self.at;
        let (kind, length) = match (self.byte(0), self.byte(1)) {
            (b'-', b'>') => (T::Arrow, 2),
            (b'<', b'-') => (T::LeftArrow, 2),
            (b'!', b'=') => (T::NotEqual, 2),
            (b'<', b'=') => (T::LessEqual, 2),
            (b'>', b'=') => (T::GreaterEqual, 2),
            (b'&', b'&') => (T::And, 2),
            (b'|', b'|') => (T::Or, 2),
            (b'=', b'=') => (T::EqualEqual, 2),
            (b'|', b'>') => (T::Pipe, 2),
            (b'+', b'+') => (T::Concat, 2),
            (b':', b':') => (T::ColonColon, 2),
            (b'.', b'.') => (T::DotDot, 2),
            (b'\\', _) => (T::Lambda, 1),
            (b'!', _) => (T::Not, 1),
            (b'+', _) => (T::Plus, 1),
            (b'-', _) => (T::Minus, 1),
            (b'*', _) => (T::Star, 1),
            (b'/', _) => (T::Slash, 1),
            (b'%', _) => (T::Percent, 1),
            (b'^', _) => (T::Caret, 1),
            (b'=', _) => (T::Equal, 1),
            (b'<', _) => (T::Less, 1),
            (b'>', _) => (T::Greater, 1),
            (b'|', _) => (T::Bar, 1),
            (b'?', _) => (T::Question, 1),
            (b'(', _) => (T::OpenParen, 1),
            (b')', _) => (T::CloseParen, 1),
            (b'[', _) => (T::OpenBracket, 1),
            (b']', _) => (T::CloseBracket, 1),
            (b'{', _) => (T::OpenBrace, 1),
            (b'}', _) => (T::CloseBrace, 1),
            (b',', _) => (T::Comma, 1),
            (b':', _) => (T::Colon, 1),
            (b';', _) => (T::Semicolon, 1),
            (b'.', _) => (T::Dot, 1),
            (b'_', _) => (T::Underscore, 1),
            _ => return self.symbol(start),
        };
        self.at += length;
        kind
    }

    /// Reads a non-ASCII symbol that is an alias of an ASCII token, or an unknown character.
    fn symbol(&mut self, start: usize) -> TokenKind {
        use TokenKind as T;
        match self.bump() {
            Some(BYTE_ORDER_MARK) if start == 0 => T::Whitespace,
            Some('ƒ') => T::Fn,
            Some('λ') => T::Lambda,
            Some('→') => T::Arrow,
            Some('←') => T::LeftArrow,
            Some('≠') => T::NotEqual,
            Some('≤') => T::LessEqual,
            Some('≥') => T::GreaterEqual,
            Some('∧') => T::And,
            Some('∨') => T::Or,
            Some('¬') => T::Not,
            Some('ℤ') => T::Int,
            Some('ℕ') => T::Nat,
            Some('ℝ') => T::Float,
            Some('&') => {
                self.error(start, "there is no `&`; write `&&` for and");
                T::Invalid
            }
            Some(other) => {
                self.error(start, format!("`{other}` begins nothing"));
                T::Invalid
            }
            None => T::Invalid,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        lex(text)
            .significant()
            .iter()
            .map(|token| token.kind)
            .collect()
    }

    #[test]
    fn symbols_and_their_ascii_spellings_are_the_same_tokens() {
        let symbols = "ƒ λ → ← ≠ ≤ ≥ ∧ ∨ ¬ ℤ ℕ ℝ";
        let ascii = "fn \\ -> <- != <= >= && || ! Int Nat Float";
        assert_eq!(kinds(symbols), kinds(ascii));
    }

    #[test]
    fn numbers_of_all_forms_are_tokens() {
        use TokenKind::{Dot, End, FloatLiteral, Ident, IntLiteral};
        assert_eq!(
            kinds("1_000i64 0xFF 0b1"),
            [IntLiteral, IntLiteral, IntLiteral, End]
        );
        assert_eq!(
            kinds("1.5e3 2e-1 .5"),
            [FloatLiteral, FloatLiteral, FloatLiteral, End]
        );
        assert_eq!(kinds("1.x"), [IntLiteral, Dot, Ident, End]);
    }

    #[test]
    fn names_start_with_latin_letters_and_may_continue_with_greek() {
        use TokenKind::{End, Ident, TypeIdent, Underscore};
        assert_eq!(
            kinds("éa Éa xα _ _x"),
            [Ident, TypeIdent, Ident, Underscore, Ident, End]
        );
        assert!(!lex("α").errors.is_empty());
    }

    #[test]
    fn an_unclosed_or_invalid_token_is_an_error() {
        for text in ["/* /* */", "\"a", "`a${", "\"\"\"a", "\"\\q\"", "&", "0x"] {
            assert!(!lex(text).errors.is_empty(), "{text}");
        }
        assert!(lex("/* /* */ */ \"\"\"\\q\"\"\" `\\q`").errors.is_empty());
    }

    proptest! {
        #[test]
        fn tokens_cover_the_text_without_gaps(text in "[ -~\n\"`/*ƒλ≠é{}$\\\\]{0,60}") {
            let tokens = lex(&text);
            let mut at = 0;
            for token in &tokens.all {
                prop_assert_eq!(token.span.start(), at);
                at = token.span.end();
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
