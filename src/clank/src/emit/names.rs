//! The JavaScript spelling of Clank's names.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::ast::Text;
use crate::host::RESERVED;

/// Names that JavaScript or the runtime uses, in addition to the reserved words.
const TAKEN: &[&str] = &[
    "Array",
    "BigInt",
    "Boolean",
    "Error",
    "Infinity",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Set",
    "String",
    "Symbol",
    "__clank",
    "async",
    "console",
    "eval",
    "get",
    "globalThis",
    "module",
    "of",
    "process",
    "require",
    "set",
];

/// The spelling of a variable, function or type. A taken name gets an underscore, with or without
/// trailing underscores of its own. So two names never share a spelling.
pub(super) fn spelled(name: &str) -> Text {
    static TAKEN_NAMES: LazyLock<FxHashSet<&str>> =
        LazyLock::new(|| RESERVED.iter().chain(TAKEN).copied().collect());
    if TAKEN_NAMES.contains(name.trim_end_matches('_')) {
        let mut other = Text::from(name);
        other.push('_');
        other
    } else {
        name.into()
    }
}

/// The field of a variant's object that contains the variant's name.
pub(super) const TAG: &str = "tag";

/// The key of a field in an object literal. As a plain key, `__proto__` would set the prototype.
pub(super) fn key(field: &str) -> &str {
    match field {
        "__proto__" => "[\"__proto__\"]",
        other => other,
    }
}

/// `text` as a JavaScript string literal.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => literal += "\\\"",
            '\\' => literal += "\\\\",
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            '\u{2028}' | '\u{2029}' => literal += &format!("\\u{:04x}", u32::from(char)),
            other if other.is_control() => literal += &format!("\\u{:04x}", u32::from(other)),
            other => literal.push(other),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_spelled_alike() {
        assert_eq!(spelled("class"), "class_");
        assert_eq!(spelled("class_"), "class__");
        assert_eq!(spelled("console"), "console_");
        assert_eq!(spelled("klass"), "klass");
        assert_eq!(spelled("total_"), "total_");
    }

    #[test]
    fn string_literals_are_valid_in_any_engine() {
        assert_eq!(quoted("a\"\\\n\u{1}\u{2028}é"), r#""a\"\\\n\u0001\u2028é""#);
    }
}
