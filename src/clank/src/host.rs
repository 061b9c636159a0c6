//! The names by which a program reaches JavaScript.

/// Words with which no expression in strict code can begin as with a name, in order.
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

/// What an external name has to be, for those who give another one.
pub(crate) const PATH: &str = "a path of JavaScript names, as `Math.max` is one";

/// Whether `text` is a path of names, such as `Math.max`.
pub(crate) fn is_path(text: &str) -> bool {
    let first = text.split('.').next().unwrap_or_default();
    RESERVED.binary_search(&first).is_err() && text.split('.').all(is_name)
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
    fn reserved_words_are_in_order() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn only_paths_of_names_are_called() {
        for path in ["Math.max", "$", "_a1.größe", "Promise.catch"] {
            assert!(is_path(path), "{path}");
        }
        for other in [
            "alert(1);x",
            "a..b",
            "",
            "if",
            "class.name",
            "a.1b",
            "a b",
            "x²",
        ] {
            assert!(!is_path(other), "{other}");
        }
    }
}
