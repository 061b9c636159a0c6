//! The nodes of the tree. They are small, of equal size, and refer to their children by index.

/// The index of a node.
pub(crate) type NodeId = u32;

/// Marks an absent node or an absent list of comments.
pub(crate) const NONE: u32 = u32::MAX;

/// The kind of a node. Each variant documents its slots `a`, `b` and `c`. `list` means that
/// `extra[a..a + b]` are children, and `extra[a + b]` is the closing bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Bytes that were skipped to recover from a syntax error.
    Error,
    /// Comment lines that do not belong to a statement.
    CommentBlock,
    Ident,
    Number,
    String,
    /// list
    List,
    /// list
    Set,
    /// list of `Entry`
    Dict,
    /// list; a tuple without brackets has no closing bracket.
    Tuple,
    /// list of exactly one
    Paren,
    /// list of clauses, c: body
    Comprehension,
    /// list of arguments, c: callee
    Call,
    /// a: object, b and c: start and end of the name
    Dot,
    /// a: object, b: index
    Index,
    /// `extra[a..a + 4]`: object, from, to, step
    Slice,
    /// a: operand, absent for a bare `*`
    Unary,
    /// a, b: operands
    Binary,
    /// a: target, b: value; also keyword arguments and parameter defaults
    Assign,
    /// a: then, b: test, c: else
    Conditional,
    /// `extra[a..a + b]`: parameters, c: body
    Lambda,
    /// a: key, b: value
    Entry,
    /// a: variables, b: iterable
    ForClause,
    /// a: condition
    IfClause,
    /// A parameter with a type. a: type, b: end of the name
    Typed,
    /// `extra[a..a + 2 * b]`: pairs of local and remote names, then the closing bracket; c: module
    Load,
    /// A name in a load; the text inside the quotes, or the alias.
    LoadName,
    /// a: value or absent
    Return,
    /// `pass`, `break`, `continue`
    Branch,
    /// `extra[a..a + b]`: parameters; then the body, the return type or absent, and the start and
    /// end of the name
    Def,
    /// a: variables, b: iterable, c: body
    For,
    /// a: condition, b: body, c: `Else` or absent
    If,
    /// `extra[a..a + b]`: statements
    Block,
    /// A closing bracket. a: line of the opening one
    End,
    /// The word `else` or `elif`. a: its block
    Else,
}

/// Operators, as printed by [`Op::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    None,
    Is,
    Or,
    And,
    In,
    NotIn,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    Pipe,
    Caret,
    Amp,
    Shl,
    Shr,
    Plus,
    Minus,
    Star,
    Slash,
    SlashSlash,
    Percent,
    Not,
    Tilde,
    StarStar,
    Assign,
    PlusAssign,
    MinusAssign,
    StarAssign,
    SlashAssign,
    SlashSlashAssign,
    PercentAssign,
    AmpAssign,
    PipeAssign,
    CaretAssign,
    ShlAssign,
    ShrAssign,
}

impl Op {
    pub fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Is => "is",
            Self::Or => "or",
            Self::And => "and",
            Self::In => "in",
            Self::NotIn => "not in",
            Self::Lt => "<",
            Self::Gt => ">",
            Self::Le => "<=",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Pipe => "|",
            Self::Caret => "^",
            Self::Amp => "&",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::SlashSlash => "//",
            Self::Percent => "%",
            Self::Not => "not",
            Self::Tilde => "~",
            Self::StarStar => "**",
            Self::Assign => "=",
            Self::PlusAssign => "+=",
            Self::MinusAssign => "-=",
            Self::StarAssign => "*=",
            Self::SlashAssign => "/=",
            Self::SlashSlashAssign => "//=",
            Self::PercentAssign => "%=",
            Self::AmpAssign => "&=",
            Self::PipeAssign => "|=",
            Self::CaretAssign => "^=",
            Self::ShlAssign => "<<=",
            Self::ShrAssign => ">>=",
        }
    }
}

/// Properties of a node that do not need a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(u16);

impl Flags {
    /// Written on several lines: print one element per line.
    pub const MULTI_LINE: Self = Self(1);
    /// Simple elements on one line: keep them on one line.
    pub const COMPACT: Self = Self(1 << 1);
    /// There was a line break after the operator, or before the name after a dot.
    pub const BREAK: Self = Self(1 << 2);
    /// A tuple without brackets.
    pub const BARE: Self = Self(1 << 3);
    /// A comprehension in braces.
    pub const CURLY: Self = Self(1 << 4);
    /// A string that contains a backslash.
    pub const ESCAPES: Self = Self(1 << 5);
    /// `texts[a]` replaces the source text (number) or its value (string).
    pub const REPLACED: Self = Self(1 << 6);
    /// Part of a return type: no comments are attached to it.
    pub const HIDDEN: Self = Self(1 << 7);
    /// Part of a type: rewrites ignore it.
    pub const IN_TYPE: Self = Self(1 << 8);
    /// No longer part of the tree.
    pub const DEAD: Self = Self(1 << 9);
    /// A slice with its second colon.
    pub const SECOND_COLON: Self = Self(1 << 10);
    /// Already processed by the current rewrite.
    pub const SEEN: Self = Self(1 << 11);
    /// With [`Self::REPLACED`]: the text is the whole string token, not its value.
    pub const TOKEN: Self = Self(1 << 12);

    pub fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    pub fn set(&mut self, flag: Self) {
        self.0 |= flag.0;
    }

    pub fn set_to(&mut self, flag: Self, on: bool) {
        if on {
            self.0 |= flag.0;
        } else {
            self.0 &= !flag.0;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub op: Op,
    pub flags: Flags,
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub end_line: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    /// The index of its comments, or [`NONE`].
    pub comments: u32,
}
