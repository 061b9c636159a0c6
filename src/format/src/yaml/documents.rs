//! Splits a stream into documents.
//!
//! A line that begins with `---` or `...`, alone or before a blank, is always a document marker: no
//! scalar can contain it. Parsers that read it as content of a top-level block scalar are wrong.

/// The documents of `text`, whose lines end in LF: each with its directives, its markers and the
/// comments around them.
pub(super) fn documents(text: &str) -> Vec<&str> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    // Whether anything except directives, comments and blank lines occurred since `start`.
    let mut is_begun = false;
    for line in text.split_inclusive('\n') {
        if is_begun && is_marker(line, "---") {
            documents.push(&text[start..at]);
            start = at;
        }
        at += line.len();
        if is_begun && is_marker(line, "...") {
            documents.push(&text[start..at]);
            (start, is_begun) = (at, false);
            continue;
        }
        is_begun |= !line.starts_with(['%', '#', '\n', ' ']) || !is_comment(line);
    }
    if start < text.len() {
        documents.push(&text[start..]);
    }
    documents
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
}

fn is_comment(line: &str) -> bool {
    let content = line.trim_start_matches([' ', '\t']);
    line.starts_with('%') || content.starts_with(['#', '\n']) || content.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_marker_always_ends_the_document() {
        for (text, expected) in [
            ("a\n", &["a\n"][..]),
            ("--- |\n--- \nb", &["--- |\n", "--- \nb"]),
            ("a\n...\nb\n", &["a\n...\n", "b\n"]),
            (
                "%YAML 1.2\n---\na\n...\n# c\n---\nb\n",
                &["%YAML 1.2\n---\na\n...\n", "# c\n---\nb\n"],
            ),
            ("---\n---\n", &["---\n", "---\n"]),
            ("a: |\n  ---\n ...\n---x\n", &["a: |\n  ---\n ...\n---x\n"]),
            ("", &[]),
        ] {
            assert_eq!(documents(text), expected, "{text:?}");
        }
    }
}
