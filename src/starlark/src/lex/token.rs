//! The tokens of the language.

/// The kind of a token. Blanks, line breaks inside brackets and comments next to code are not
/// tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TokenKind {
    Eof,
    /// Bytes that are not part of any token. The lexer has already reported them.
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
    /// `+=` and the other augmented assignments.
    AugAssign,
}

impl TokenKind {
    /// The keyword for `word`, or an identifier.
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

/// A token and its location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Whether a string contains a backslash, so that its value differs from its text.
    pub escapes: bool,
    pub start: u32,
    pub end: u32,
    /// The line of the first byte, starting at 1.
    pub line: u32,
    /// The line of the last byte. It differs from `line` for multi-line strings.
    pub end_line: u32,
}
