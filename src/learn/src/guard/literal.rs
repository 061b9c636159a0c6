//! The types of literals.

use crate::rule::Literal;
use crate::tree::{NodeId, Tree};

/// The type of a literal, or that a node is a single name; none for other code.
pub fn literal_kind(tree: &Tree, node: NodeId) -> Option<Literal> {
    let text = tree.text_of(node);
    let mut tokens = tree.tokens(node);
    let (first, more) = (tokens.next()?, tokens.next().is_some());
    let is_string_node = matches!(
        tree.kind_name(node),
        "ExprStringLiteral"
            | "StringLiteral"
            | "string_literal"
            | "interpreted_string_literal"
            | "raw_string_literal"
            | "TemplateLiteral"
            | "concatenated_string"
            | "ExprFString"
    );
    if is_string_node {
        return Some(Literal::String);
    }
    if more {
        return None;
    }
    match text {
        "true" | "false" | "True" | "False" => return Some(Literal::Bool),
        "None" | "null" | "nil" | "undefined" | "nullptr" | "NULL" => return Some(Literal::None),
        _ => {}
    }
    let start = text.chars().next()?;
    if start.is_ascii_digit() || start == '.' && text.len() > 1 {
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let is_float = text.contains('.') || !is_hex && text.contains(['e', 'E']);
        return Some(if is_float {
            Literal::Float
        } else {
            Literal::Int
        });
    }
    if start == '"' || start == '\'' && tree.language().has_two_quotes() || start == '`' {
        return Some(Literal::String);
    }
    let is_name = text
        .chars()
        .all(|char| char.is_alphanumeric() || "_$".contains(char));
    (is_name && tree.is_word(first)).then_some(Literal::Identifier)
}
