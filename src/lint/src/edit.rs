//! Text edits, and helpers that several rules use to build them.

use fixpoint_starlark::{NodeRef, Shape, Tree};
use fixpoint_text::Span;

use crate::file::File;

/// Replaces the bytes of `span` by `replacement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextEdit {
    pub span: Span,
    pub replacement: String,
}

impl TextEdit {
    pub fn replace(span: Span, replacement: impl Into<String>) -> Self {
        Self {
            span,
            replacement: replacement.into(),
        }
    }

    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::at(at), text)
    }
}

/// Edits that remove an argument, like [`remove_element`]. Commas before the first argument are
/// removed too, because commas without an argument are a syntax error.
pub(crate) fn remove_argument<'t, 'a>(
    file: &File<'t, 'a>,
    argument: NodeRef<'t, 'a>,
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    if let Some(Shape::Call { callee, arguments }) = file.parent(argument).map(NodeRef::shape)
        && arguments.first() == Some(argument)
    {
        let bracket = file.tree.source_text()[callee.end()..].find('(');
        let inside = bracket.map_or(argument.start(), |at| callee.end() + at + 1);
        edits.extend(commas_after(file.tree, inside));
    }
    edits.extend(remove_element(file.tree, argument.span()));
    edits
}

/// Edits that remove an element of a list in brackets and the commas after it. Comments are kept,
/// including those inside the element.
pub(crate) fn remove_element(tree: &Tree<'_>, span: Span) -> Vec<TextEdit> {
    let text = tree.source_text();
    let mut edits = Vec::new();
    let mut start = span.start();
    for comment in tree.comments_in(span) {
        edits.push(TextEdit::delete(Span::from(start..comment.start())));
        let line_end = text[comment.end()..].find('\n');
        start = line_end.map_or(span.end(), |at| comment.end() + at + 1);
    }
    edits.push(TextEdit::delete(Span::from(start..span.end())));
    edits.extend(commas_after(tree, span.end()));
    edits
}

/// Edits that remove the commas after `at`. Only whitespace and comments may be between them.
fn commas_after(tree: &Tree<'_>, mut at: usize) -> Vec<TextEdit> {
    let text = tree.source_text();
    let mut edits = Vec::new();
    while let Some(byte) = text.as_bytes().get(at) {
        at += match byte {
            b',' => {
                edits.push(TextEdit::delete(Span::from(at..at + 1)));
                1
            }
            b'#' => text[at..].find('\n').unwrap_or(text.len() - at),
            b'\\' if text[at..].starts_with("\\\n") => 2,
            byte if byte.is_ascii_whitespace() => 1,
            _ => break,
        };
    }
    edits
}

/// Whether no other statement is on the lines of this one.
pub(crate) fn is_alone_on_its_lines(tree: &Tree<'_>, node: NodeRef<'_, '_>) -> bool {
    let text = tree.source_text();
    let (above, line) = text[..node.start()]
        .rsplit_once('\n')
        .unwrap_or(("", &text[..node.start()]));
    let rest = text[node.end()..].trim_start_matches([' ', '\t', '\r']);
    line.trim().is_empty()
        && !above.ends_with('\\')
        && (rest.is_empty() || rest.starts_with(['\n', '#']))
}

/// The complete lines of a statement, including the comments above and beside it.
pub(crate) fn lines_of(tree: &Tree<'_>, node: NodeRef<'_, '_>) -> Span {
    let text = tree.source_text();
    let above = node.comments_above().map(|comment| comment.span.start());
    let start = above.min().unwrap_or(node.start()).min(node.start());
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[node.end()..].find('\n');
    let end = end.map_or(text.len(), |at| node.end() + at + 1);
    Span::from(start..end)
}

/// Whether the span contains a comment.
pub(crate) fn has_comment(tree: &Tree<'_>, span: Span) -> bool {
    tree.comments_in(span).next().is_some()
}
