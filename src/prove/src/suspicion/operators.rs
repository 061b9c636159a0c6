//! Types that override operators, and so decide the results of comparisons in tests.

use std::collections::BTreeSet;

use super::{Source, has_word};
use crate::scan::Language;

/// Methods that operators and assertions call.
const METHODS: [&str; 52] = [
    "__abs__",
    "__add__",
    "__and__",
    "__bool__",
    "__ceil__",
    "__class__",
    "__complex__",
    "__contains__",
    "__divmod__",
    "__eq__",
    "__float__",
    "__floor__",
    "__floordiv__",
    "__ge__",
    "__getattribute__",
    "__gt__",
    "__iadd__",
    "__index__",
    "__instancecheck__",
    "__int__",
    "__invert__",
    "__isub__",
    "__le__",
    "__lshift__",
    "__lt__",
    "__matmul__",
    "__mod__",
    "__mul__",
    "__ne__",
    "__neg__",
    "__or__",
    "__pos__",
    "__pow__",
    "__radd__",
    "__rand__",
    "__rdivmod__",
    "__rfloordiv__",
    "__rmatmul__",
    "__rmod__",
    "__rmul__",
    "__ror__",
    "__round__",
    "__rpow__",
    "__rshift__",
    "__rsub__",
    "__rtruediv__",
    "__rxor__",
    "__sub__",
    "__subclasscheck__",
    "__truediv__",
    "__trunc__",
    "__xor__",
];

/// Traits of Rust that operators and assertions use.
const TRAITS: [&str; 15] = [
    "Add",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Deref",
    "Div",
    "Mul",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Rem",
    "Sub",
    "Sum",
];

/// Reports operators of types that no test of the base revision names. `names` are the words in these
/// tests.
pub(super) fn check(
    source: &Source,
    names: &BTreeSet<String>,
    report: &mut dyn FnMut(usize, String),
) {
    for line in source.added.iter().copied() {
        let (code, text) = (source.code(line), source.text(line));
        match source.language {
            Language::Python => {
                let Some(method) = METHODS.iter().find(|method| has_word(text, method)) else {
                    continue;
                };
                // `super().__eq__(other)` only calls it.
                let is_defined = !code.contains(&format!(".{method}")) || assigns(code, method);
                let class = class_around(source, line);
                let is_named = class.is_some_and(|class| names.contains(class));
                // A string is the name for `setattr` or `type`.
                let is_text = !has_word(code, method);
                if is_text || (is_defined && !is_named) {
                    report(line, format!("`{method}` of a type that no test names"));
                }
            }
            Language::Rust => {
                let Some((head, kind)) = code.split_once(" for ") else {
                    continue;
                };
                let kind: String = kind
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let implemented = TRAITS.iter().find(|name| has_word(head, name));
                let is_known = names.contains(&kind)
                    || source.old.code.iter().any(|line| has_word(line, &kind));
                if head.trim_start().starts_with("impl")
                    && let Some(implemented) = implemented
                    && !is_known
                {
                    report(
                        line,
                        format!("`{implemented}` of a type that no test names"),
                    );
                }
            }
            Language::Script => {
                let is_called = code.contains(".valueOf(");
                let primitive = ["toPrimitive", "hasInstance", "valueOf"];
                if let Some(name) = primitive.iter().find(|name| has_word(text, name))
                    && !is_called
                {
                    report(line, format!("`{name}` decides what tests compare"));
                }
            }
            Language::Go => {}
        }
    }
}

/// `__sub__ = f`, `__sub__: Any = f` and `Kind.__sub__ = f`.
fn assigns(code: &str, method: &str) -> bool {
    code.split_once('=')
        .is_some_and(|(target, value)| !value.starts_with('=') && has_word(target, method))
}

/// The name of the class around a line, or before the method in `Kind.__sub__ = f`.
fn class_around(source: &Source, line: usize) -> Option<&str> {
    let mut indent = source.indent(line);
    if indent == 0 {
        let code = source.code(line).trim_start();
        return code.split_once('.').map(|(class, _)| class);
    }
    for above in (0..line).rev() {
        let code = source.code(above).trim();
        if code.is_empty() || source.indent(above) >= indent {
            continue;
        }
        indent = source.indent(above);
        if let Some(rest) = code.strip_prefix("class ") {
            return rest
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next();
        }
    }
    None
}
