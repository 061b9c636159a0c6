//! Clank, parsed by its own compiler.

use fixpoint_clank::ast::{DeclKind, ExprKind, NodeRef, PatternKind, StmtKind, TypeKind};
use fixpoint_clank::lex::{TokenKind, lex};
use fixpoint_clank::parse::parse as parse_program;

use super::Kind;
use super::build::{ParseError, Part, Parts};
use super::kind::{KEYWORD, MARK, NAME, NUMBER, STRING};

pub(crate) fn parse(text: &str) -> Result<Parts, ParseError> {
    let parsed = parse_program("", text);
    if let Some(error) = parsed.errors.first() {
        return Err(ParseError::Syntax {
            at: error.span.start(),
            message: error.message.clone(),
        });
    }
    let mut tokens = Vec::new();
    let mut comments = Vec::new();
    for token in lex(text).all {
        if token.kind.is_comment() {
            comments.push(token.span);
        } else if let Some(kind) = token_kind(token.kind) {
            tokens.push(Part::new(kind, token.span.start(), token.span.end()));
        }
    }
    let mut inner = Vec::with_capacity(tokens.len());
    let program = NodeRef::Program(&parsed.ast.program);
    program.children(&mut |_, child| {
        child.each(&mut |node| {
            let span = node.span();
            if let NodeRef::Expr(expr) = node
                && expr.parens
                && let Some((start, end)) = parentheses(&tokens, text, span.start(), span.end())
            {
                inner.push(Part::new(kind_named("Parenthesized"), start, end));
            }
            let kind = kind_named(name(node));
            inner.push(Part::new(kind, span.start(), span.end()));
        });
    });
    Ok(Parts {
        root: kind_named("Program"),
        inner,
        tokens,
        comments,
    })
}

/// The parentheses around an expression, unless its span contains them.
fn parentheses(tokens: &[Part], text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let before = tokens.partition_point(|token| (token.start as usize) < start);
    let after = tokens.partition_point(|token| (token.start as usize) < end);
    let open = tokens.get(before.checked_sub(1)?)?;
    let close = tokens.get(after)?;
    let is = |part: &Part, mark| &text[part.start as usize..part.end as usize] == mark;
    (is(open, "(") && is(close, ")")).then_some((open.start as usize, close.end as usize))
}

fn token_kind(kind: TokenKind) -> Option<Kind> {
    Some(match kind {
        TokenKind::Whitespace | TokenKind::End => return None,
        TokenKind::Ident | TokenKind::TypeIdent => NAME,
        TokenKind::IntLiteral | TokenKind::FloatLiteral => NUMBER,
        TokenKind::StringLiteral | TokenKind::TripleString | TokenKind::TemplateLiteral => STRING,
        kind if kind
            .text()
            .starts_with(|char: char| char.is_ascii_alphabetic()) =>
        {
            KEYWORD
        }
        _ => MARK,
    })
}

/// The kinds, by their number.
const KINDS: &[&str] = &[
    "Unknown",
    "Program",
    "Fn",
    "ExternalFn",
    "ExternalMod",
    "Rec",
    "Sum",
    "TypeAlias",
    "Mod",
    "Use",
    "Let",
    "Assign",
    "ExprStatement",
    "For",
    "While",
    "Loop",
    "Return",
    "Break",
    "Continue",
    "Assert",
    "Block",
    "Literal",
    "Ident",
    "Unary",
    "Binary",
    "Call",
    "Index",
    "Field",
    "Lambda",
    "If",
    "Match",
    "BlockExpr",
    "Array",
    "Tuple",
    "Record",
    "Range",
    "Propagate",
    "Hole",
    "WildcardPattern",
    "IdentPattern",
    "LiteralPattern",
    "TuplePattern",
    "RecordPattern",
    "VariantPattern",
    "NamedType",
    "ArrayType",
    "TupleType",
    "FunctionType",
    "RefinedType",
    "EffectType",
    "RecordType",
    "TypeParam",
    "Param",
    "FieldDecl",
    "Variant",
    "Arm",
    "LambdaParam",
    "FieldInit",
    "FieldPattern",
    "Parenthesized",
];

pub(crate) fn kind_name(kind: Kind) -> &'static str {
    KINDS.get(kind.index()).copied().unwrap_or("Unknown")
}

fn kind_named(name: &str) -> Kind {
    let found = KINDS.iter().position(|kind| *kind == name);
    Kind(found.unwrap_or_default() as u16)
}

fn name(node: NodeRef<'_>) -> &'static str {
    match node {
        NodeRef::Program(_) => "Program",
        NodeRef::Decl(decl) => match &decl.kind {
            DeclKind::Fn(_) => "Fn",
            DeclKind::ExternalFn(_) => "ExternalFn",
            DeclKind::ExternalMod(_) => "ExternalMod",
            DeclKind::Rec(_) => "Rec",
            DeclKind::Sum(_) => "Sum",
            DeclKind::TypeAlias(_) => "TypeAlias",
            DeclKind::Mod(_) => "Mod",
            DeclKind::Use(_) => "Use",
        },
        NodeRef::Stmt(stmt) => match &stmt.kind {
            StmtKind::Let { .. } => "Let",
            StmtKind::Assign { .. } => "Assign",
            StmtKind::Expr(_) => "ExprStatement",
            StmtKind::For { .. } => "For",
            StmtKind::While { .. } => "While",
            StmtKind::Loop(_) => "Loop",
            StmtKind::Return(_) => "Return",
            StmtKind::Break => "Break",
            StmtKind::Continue => "Continue",
            StmtKind::Assert { .. } => "Assert",
        },
        NodeRef::Block(_) => "Block",
        NodeRef::Expr(expr) => match &expr.kind {
            ExprKind::Literal(_) => "Literal",
            ExprKind::Ident(_) => "Ident",
            ExprKind::Unary { .. } => "Unary",
            ExprKind::Binary { .. } => "Binary",
            ExprKind::Call { .. } => "Call",
            ExprKind::Index { .. } => "Index",
            ExprKind::Field { .. } => "Field",
            ExprKind::Lambda { .. } => "Lambda",
            ExprKind::If { .. } => "If",
            ExprKind::Match { .. } => "Match",
            ExprKind::Block(_) => "BlockExpr",
            ExprKind::Array(_) => "Array",
            ExprKind::Tuple(_) => "Tuple",
            ExprKind::Record(_) => "Record",
            ExprKind::Range { .. } => "Range",
            ExprKind::Propagate(_) => "Propagate",
            ExprKind::Hole(_) => "Hole",
        },
        NodeRef::Pattern(pattern) => match &pattern.kind {
            PatternKind::Wildcard => "WildcardPattern",
            PatternKind::Ident(_) => "IdentPattern",
            PatternKind::Literal(_) => "LiteralPattern",
            PatternKind::Tuple(_) => "TuplePattern",
            PatternKind::Record(_) => "RecordPattern",
            PatternKind::Variant { .. } => "VariantPattern",
        },
        NodeRef::Type(ty) => match &ty.kind {
            TypeKind::Named { .. } => "NamedType",
            TypeKind::Array(_) => "ArrayType",
            TypeKind::Tuple(_) => "TupleType",
            TypeKind::Function { .. } => "FunctionType",
            TypeKind::Refined { .. } => "RefinedType",
            TypeKind::Effect { .. } => "EffectType",
            TypeKind::Record { .. } => "RecordType",
        },
        NodeRef::TypeParam(_) => "TypeParam",
        NodeRef::Param(_) => "Param",
        NodeRef::Field(_) => "FieldDecl",
        NodeRef::Variant(_) => "Variant",
        NodeRef::Arm(_) => "Arm",
        NodeRef::LambdaParam(_) => "LambdaParam",
        NodeRef::FieldInit(_) => "FieldInit",
        NodeRef::FieldPattern(_) => "FieldPattern",
    }
}
