//! The JavaScript that an external function is bound to: a path of names, or any other single
//! expression.

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Words that are not identifiers at the start of an expression in strict code. Sorted.
pub(crate) const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// What an external function must be bound to, for error messages.
pub(crate) const EXPECTED: &str =
    "a single JavaScript expression, such as `Math.max` or `text => text.length`";

/// The maximum length of an expression in bytes, to limit the parser's stack.
const MAX_BYTES: usize = 4096;
const MAX_BRACKETS: usize = 128;

/// Whether `text` is a path of names, such as `Math.max`.
pub(crate) fn is_path(text: &str) -> bool {
    let first = text.split('.').next().unwrap_or_default();
    RESERVED.binary_search(&first).is_err() && text.split('.').all(is_name)
}

/// Whether `text` is a single expression that can be parenthesized anywhere in strict code. A
/// sequence `a, b` must have its own parentheses.
pub(crate) fn is_expression(text: &str) -> bool {
    let is_reserved = RESERVED.binary_search(&text.trim()).is_ok();
    let can_be_read = is_small(text) && !has_legacy_comment(text) && !is_reserved;
    is_path(text) || can_be_read && parses_alone(text)
}

fn is_small(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    text.len() <= MAX_BYTES && deepest <= MAX_BRACKETS
}

/// `<!--` and `-->` begin comments in scripts, and are operators in modules.
fn has_legacy_comment(text: &str) -> bool {
    let mut lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}']);
    text.contains("<!--") || lines.any(|line| line.trim_start().starts_with("-->"))
}

/// The text must parse on its own, so that its brackets are balanced. It must also parse between
/// other expressions, so that it has no top-level comma and does not end in a comment. The function
/// around it is neither `async` nor a generator, so that `await` and `yield` are rejected.
fn parses_alone(text: &str) -> bool {
    let allocator = Allocator::default();
    let alone = Parser::new(&allocator, text, SourceType::cjs()).parse_expression();
    let between = format!("\"use strict\"; function f() {{ return (0 ? {text} : 0); }}");
    let goals = [SourceType::cjs(), SourceType::mjs()];
    alone.is_ok()
        && goals.into_iter().all(|goal| {
            let parsed = Parser::new(&allocator, &between, goal).parse();
            parsed.diagnostics.is_empty() && !parsed.panicked
        })
}

/// Every word in `text` that may be a name. One in a string or a comment counts too.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$'))
        .filter(|it| !it.is_empty())
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let start = |it: char| it.is_alphabetic() || it == '_' || it == '$';
    chars.next().is_some_and(start) && chars.all(|it| start(it) || it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn a_path_consists_of_names_separated_by_dots() {
        for path in ["Math.max", "$", "_a1.größe", "Promise.catch"] {
            assert!(is_path(path) && is_expression(path), "{path}");
        }
        for other in ["a..b", "", "if", "class.name", "a.1b", "a b", "x²"] {
            assert!(!is_path(other) && !is_expression(other), "{other}");
        }
    }

    #[test]
    fn a_single_expression_is_accepted() {
        for text in [
            "arr => arr.length",
            "(a, b) => a + b",
            "function (x) { return x + 1; }",
            "async x => await x",
            "function* () { yield 1 }",
            "class { static f() {} }.f",
            "{ f: x => x }.f",
            "(first(), second)",
            "Math['max']",
            "s => s.replace(/[)\\]/]/g, `${')'}`)",
            "x => `)`",
            "x => ({ y: x })",
            "x /* why */ ",
            "x => {\n  // a comment\n  return x;\n}",
            "n => n --> 0",
            "x => ') + ('",
        ] {
            assert!(is_expression(text), "{text}");
        }
    }

    #[test]
    fn anything_except_a_single_expression_is_rejected() {
        for text in [
            "alert(1);x",
            "x;",
            "a, b",
            "x) + (y",
            "x}; f(); {",
            "x : 0) || (1 ? y",
            "x //",
            "x /*",
            "x => `",
            "x => '",
            "/[",
            "let x = 1",
            "if (x) y",
            "return x",
            "await x",
            "await",
            "yield x",
            "yield",
            "throw x",
            "import x",
            "export x",
            "...x",
            "x y",
            "x <!-- y",
            "x\n--> y",
            "with (a) b",
            "x as any",
            "<b/>",
            " ",
            "// x",
        ] {
            assert!(!is_expression(text), "{text}");
        }
    }

    #[test]
    fn an_expression_that_is_too_long_or_too_deep_is_rejected() {
        let nested = format!("{}1{}", "(".repeat(129), ")".repeat(129));
        assert!(!is_expression(&nested));
        assert!(is_expression(&nested[1..nested.len() - 1]));
        assert!(!is_expression(&format!("x => '{}'", "a".repeat(4096))));
    }
}
