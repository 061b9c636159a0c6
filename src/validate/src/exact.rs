//! Finds values that a fix can copy or compare without losing anything that their author wrote.
//! Checks read values as JSON, but a fix must not write a value that only this reading produced.

use fixpoint_document::{Format, Node, Value};

use crate::subject::Subject;

/// The value of a scalar, if writing it again gives the same text, except for the quotes of a
/// string. This excludes aliases, tags, dates, multi-line text and numbers that JSON does not have.
pub(crate) fn exact(subject: &Subject<'_>, node: Node<'_>) -> Option<Value> {
    let written = subject.written(node);
    let is_exact = if let Some(text) = node.as_str() {
        let is_quoted = written.len() > 1
            && ["'", "\""].iter().any(|it| written.starts_with(it))
            && !["'''", "\"\"\""].iter().any(|it| written.starts_with(it));
        let is_plain = subject.format == Format::Yaml && written == text;
        (is_quoted || is_plain) && !written.contains('\n')
    } else if let Some(number) = node.as_number() {
        number.to_json().as_deref() == Some(written)
    } else {
        ["true", "false", "null"].contains(&written)
    };
    is_exact.then(|| node.value())
}

/// Whether two items with equal values are really equal: written the same, or the same string.
pub(crate) fn is_same(subject: &Subject<'_>, a: Node<'_>, b: Node<'_>) -> bool {
    let text = |it| exact(subject, it).filter(|it| it.as_str().is_some());
    let both_texts = text(a).zip(text(b));
    subject.written(a) == subject.written(b) || both_texts.is_some_and(|(a, b)| a == b)
}
