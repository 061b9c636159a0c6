//! The syntax tree of expressions.

use super::{Block, BlockNode, Name, Node, NodeId, Pattern, Text, TypeExpr};
use fixpoint_text::Span;

pub type Expr = Node<ExprKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Literal(Literal),
    Ident(Text),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Index {
        object: Box<Expr>,
        index: Box<Expr>,
    },
    Field {
        object: Box<Expr>,
        field: Name,
    },
    Lambda {
        params: Vec<LambdaParam>,
        body: Box<Expr>,
    },
    If {
        condition: Box<Expr>,
        then_branch: Box<BlockNode>,
        /// A block or another `if`.
        else_branch: Option<Box<Expr>>,
    },
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<Arm>,
    },
    Block(Block),
    Array(Vec<Expr>),
    Tuple(Vec<Expr>),
    Record(Vec<FieldInit>),
    /// `start..end`, or `start..=end` if it is inclusive.
    Range {
        start: Box<Expr>,
        end: Box<Expr>,
        inclusive: bool,
    },
    Propagate(Box<Expr>),
    /// A named placeholder to be filled in: `?name`.
    Hole(Text),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// Decimal digits of any length.
    Int {
        value: Text,
        suffix: Option<IntSuffix>,
    },
    Float(f64),
    Str(Text),
    /// `${...}` is kept as written.
    Template(Text),
    Bool(bool),
    Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntSuffix {
    I32,
    I64,
}

impl IntSuffix {
    pub fn text(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Negate,
    Not,
}

impl UnaryOp {
    pub fn text(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Not => "!",
        }
    }

    /// Accepts the ASCII and the Unicode spelling.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "-" => Some(Self::Negate),
            "!" | "¬" => Some(Self::Not),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Pipe,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Concat,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            Self::Pipe => "|>",
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Concat => "++",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "^",
        }
    }

    /// Accepts the ASCII and the Unicode spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "|>" => Self::Pipe,
            "||" | "∨" => Self::Or,
            "&&" | "∧" => Self::And,
            "==" => Self::Equal,
            "!=" | "≠" => Self::NotEqual,
            "<" => Self::Less,
            ">" => Self::Greater,
            "<=" | "≤" => Self::LessEqual,
            ">=" | "≥" => Self::GreaterEqual,
            "++" => Self::Concat,
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            "^" => Self::Power,
            _ => return None,
        })
    }

    /// The precedence; 1 binds loosest.
    pub fn level(self) -> u8 {
        match self {
            Self::Pipe => 1,
            Self::Or => 2,
            Self::And => 3,
            Self::Equal | Self::NotEqual => 4,
            Self::Less | Self::Greater | Self::LessEqual | Self::GreaterEqual => 5,
            Self::Concat => 6,
            Self::Add | Self::Subtract => 7,
            Self::Multiply | Self::Divide | Self::Remainder => 8,
            Self::Power => 9,
        }
    }

    pub fn is_right_associative(self) -> bool {
        self == Self::Power
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LambdaParam {
    pub id: NodeId,
    pub name: Name,
    pub ty: Option<TypeExpr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub id: NodeId,
    pub span: Span,
    pub pattern: Pattern,
    pub guard: Option<Box<Expr>>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FieldInit {
    pub id: NodeId,
    pub name: Name,
    pub value: Expr,
}

impl Literal {
    /// The value as text without quotes or suffix; empty if it has no text.
    pub fn spelled(&self) -> &str {
        match self {
            Self::Int { value, .. } | Self::Str(value) | Self::Template(value) => value,
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Float(_) | Self::Unit => "",
        }
    }
}
