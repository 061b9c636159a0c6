//! The kinds of tokens.

use fixpoint_text::Span;

/// A piece of the text. Tokens are adjacent and cover the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

macro_rules! kinds {
    (
        other { $($other:ident $other_text:literal,)* }
        words { $($word:ident $word_text:literal,)* }
        marks { $($mark:ident $mark_text:literal,)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TokenKind { $($other,)* $($word,)* $($mark,)* }

        impl TokenKind {
            /// The canonical text of the token, or a description of its kind.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$other => $other_text,)*
                    $(Self::$word => $word_text,)*
                    $(Self::$mark => $mark_text,)*
                }
            }

            pub(super) fn of_word(text: &str) -> Option<Self> {
                match text {
                    $($word_text => Some(Self::$word),)*
                    "Int32" | "Int64" => Some(Self::Int),
                    _ => None,
                }
            }

            /// Whether the canonical text determines the token.
            pub fn is_fixed(self) -> bool {
                !matches!(self, $(Self::$other)|*)
            }
        }
    };
}

kinds! {
    other {
        Whitespace "white space",
        LineComment "a comment",
        BlockComment "a comment",
        Ident "a name",
        TypeIdent "a type name",
        IntLiteral "a number",
        FloatLiteral "a number",
        StringLiteral "a string",
        TripleString "a string",
        TemplateLiteral "a template string",
        Invalid "an invalid character",
        End "the end of the text",
    }
    words {
        Fn "fn",
        Let "let",
        Mut "mut",
        If "if",
        Else "else",
        Match "match",
        For "for",
        In "in",
        While "while",
        Loop "loop",
        Return "return",
        Break "break",
        Continue "continue",
        Type "type",
        Rec "rec",
        Sum "sum",
        Mod "mod",
        Use "use",
        External "external",
        Pre "pre",
        Post "post",
        Assert "assert",
        Unsafe "unsafe",
        Js "js",
        True "true",
        False "false",
        Int "Int",
        Nat "Nat",
        Float "Float",
        Bool "Bool",
        Str "Str",
        Unit "Unit",
    }
    marks {
        Lambda "\\",
        Arrow "->",
        LeftArrow "<-",
        NotEqual "!=",
        LessEqual "<=",
        GreaterEqual ">=",
        And "&&",
        Or "||",
        Not "!",
        Plus "+",
        Minus "-",
        Star "*",
        Slash "/",
        Percent "%",
        Caret "^",
        EqualEqual "==",
        Equal "=",
        Less "<",
        Greater ">",
        Pipe "|>",
        Bar "|",
        Concat "++",
        Question "?",
        OpenParen "(",
        CloseParen ")",
        OpenBracket "[",
        CloseBracket "]",
        OpenBrace "{",
        CloseBrace "}",
        Comma ",",
        Colon ":",
        ColonColon "::",
        Semicolon ";",
        Dot ".",
        DotDot "..",
        Underscore "_",
    }
}

impl TokenKind {
    pub fn is_trivia(self) -> bool {
        self == Self::Whitespace || self.is_comment()
    }

    pub fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Whether it is a built-in type.
    pub fn is_builtin_type(self) -> bool {
        matches!(
            self,
            Self::Int | Self::Nat | Self::Float | Self::Bool | Self::Str | Self::Unit
        )
    }
}
