//! Values that can be written again, or taken for one another, without losing anything that their
//! author wrote. Checks read values as JSON has them; fixes must not write what only that reading says.

use fixpoint_document::{Format, Node, Value};

use crate::subject::Subject;

/// The value of a scalar, if its own text is what is written for it anew, but for the quotes of a
/// string. Aliases, tags, dates, text over several lines and numbers that JSON does not have are not.
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

/// Whether two items that read alike are alike: written the same, or the same string.
pub(crate) fn is_same(subject: &Subject<'_>, a: Node<'_>, b: Node<'_>) -> bool {
    let text = |it| exact(subject, it).filter(|it| it.as_str().is_some());
    let both_texts = text(a).zip(text(b));
    subject.written(a) == subject.written(b) || both_texts.is_some_and(|(a, b)| a == b)
}
