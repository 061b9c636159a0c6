//! The words of the language.

/// What a token is. Blanks, line breaks inside brackets and comments beside code are no tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TokenKind {
    Eof,
    /// Bytes that belong to no token; the lexer has already reported them.
    Error,
    /// The end of a line outside brackets.
    Newline,
    Indent,
    Dedent,
    /// A comment alone on its line outside brackets.
    Comment,
    Ident,
    Number,
    String,

    And,
    Break,
    Continue,
    Def,
    Elif,
    Else,
    For,
    If,
    In,
    Is,
    Lambda,
    Load,
    Not,
    Or,
    Pass,
    Return,

    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Colon,
    Semicolon,
    Dot,
    Arrow,
    Bang,

    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    SlashSlash,
    Percent,
    Pipe,
    Amp,
    Caret,
    Tilde,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    EqEq,
    Ne,

    Eq,
    /// `+=` and its like.
    AugAssign,
}

impl TokenKind {
    /// The keyword that `word` is, or a plain name.
    pub(crate) fn of_word(word: &[u8]) -> Self {
        match word {
            b"and" => Self::And,
            b"break" => Self::Break,
            b"continue" => Self::Continue,
            b"def" => Self::Def,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"for" => Self::For,
            b"if" => Self::If,
            b"in" => Self::In,
            b"is" => Self::Is,
            b"lambda" => Self::Lambda,
            b"load" => Self::Load,
            b"not" => Self::Not,
            b"or" => Self::Or,
            b"pass" => Self::Pass,
            b"return" => Self::Return,
            _ => Self::Ident,
        }
    }
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// A string that holds a backslash: its value differs from its text.
    pub escapes: bool,
    pub start: u32,
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Line of the last byte; differs for strings over several lines.
    pub end_line: u32,
}
