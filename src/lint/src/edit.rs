//! Edits on the source text, and those that rules share.

use fixpoint_starlark::{NodeRef, Shape, Tree};
use fixpoint_text::Span;

use crate::file::File;

/// The bytes of `span` become `replacement`.
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

/// As [`remove_element`], of an argument. Commas may stand before the first one, though not alone.
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

/// Edits that take an element out of a list in brackets: the element, and the commas after it.
/// Comments stay where they are, also those inside the element.
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

/// Edits that take away the commas that follow `at` with nothing but blanks and comments between.
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

/// Whether a statement shares its lines with no other.
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

/// The whole lines of a statement, with the comments above and beside it.
pub(crate) fn lines_of(tree: &Tree<'_>, node: NodeRef<'_, '_>) -> Span {
    let text = tree.source_text();
    let above = node.comments_above().map(|comment| comment.span.start());
    let start = above.min().unwrap_or(node.start()).min(node.start());
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[node.end()..].find('\n');
    let end = end.map_or(text.len(), |at| node.end() + at + 1);
    Span::from(start..end)
}

/// Whether a comment stands inside the span.
pub(crate) fn has_comment(tree: &Tree<'_>, span: Span) -> bool {
    tree.comments_in(span).next().is_some()
}
