//! The precedence of binary operators.

/// The rank of a binary operator; a higher one binds tighter.
pub(super) fn precedence(operator: &str) -> u8 {
    match operator {
        "??" => 1,
        "||" => 2,
        "&&" => 3,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "==" | "===" | "!=" | "!==" => 7,
        "<" | ">" | "<=" | ">=" | "in" | "instanceof" => 8,
        ">>" | "<<" | ">>>" => 9,
        "+" | "-" => 10,
        "*" | "/" | "%" => 11,
        "**" => 12,
        _ => 0,
    }
}

/// Whether `(a inner b) outer c` is printed like one expression with three operands.
pub(super) fn should_flatten(outer: &str, inner: &str) -> bool {
    let is_equality = |operator| matches!(operator, "==" | "===" | "!=" | "!==");
    let is_multiplicative = |operator| matches!(operator, "*" | "/" | "%");
    let is_shift = |operator| matches!(operator, ">>" | ">>>" | "<<");
    precedence(outer) == precedence(inner)
        && outer != "**"
        && !(is_equality(outer) && is_equality(inner))
        && !(inner == "%" && is_multiplicative(outer))
        && !(outer == "%" && is_multiplicative(inner))
        && !(inner != outer && is_multiplicative(inner) && is_multiplicative(outer))
        && !(is_shift(outer) && is_shift(inner))
        && !(outer == ">" && inner == "<")
}

pub(super) fn is_bitwise(operator: &str) -> bool {
    matches!(operator, ">>" | ">>>" | "<<" | "|" | "^" | "&")
}
