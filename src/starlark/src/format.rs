//! Formats a text into its canonical text.

use crate::error::SyntaxError;
use crate::kind::FileKind;
use crate::parse::{Parse, parse_nodes};
use crate::print::print;
use crate::rewrite::rewrite;
use crate::tree::Tree;

/// The maximum number of formatting passes. Almost every file is stable after one pass, and a few
/// need a second one. A file that still changes after the last pass is not formatted.
const MAX_PASSES: usize = 6;

/// The canonical text of a file. Formatting it again changes nothing, and it contains every
/// comment.
///
/// Returns the syntax errors of `text`. If formatting is not stable, returns one error that spans
/// the whole file. `path` is used only in messages.
pub fn format(kind: FileKind, path: &str, text: &str) -> Result<String, Vec<SyntaxError>> {
    format_parsed(kind, path, parse_nodes(text))
}

/// Like [`format`], for a text that is already parsed.
pub fn format_parsed(
    kind: FileKind,
    path: &str,
    parse: Parse<'_>,
) -> Result<String, Vec<SyntaxError>> {
    let text = parse.tree.text;
    let (mut current, comments) = pass(kind, parse)?;
    if current == text {
        return Ok(current);
    }
    for _ in 1..MAX_PASSES {
        let refused = |why| {
            vec![SyntaxError::new(
                format!("{path}: {why}; it is left as it is"),
                0,
                text.len() as u32,
            )]
        };
        let (next, found) = pass(kind, parse_nodes(&current))
            .map_err(|_| refused("formatting would break this file"))?;
        if found != comments {
            return Err(refused("formatting would lose a comment of this file"));
        }
        if next == current {
            return Ok(current);
        }
        current = next;
    }
    let message =
        format!("{path}: the formatting of this file does not settle; it is left as it is");
    Err(vec![SyntaxError::new(message, 0, text.len() as u32)])
}

/// Runs one formatting pass. Also returns the comments of the text, sorted.
fn pass<'a>(
    kind: FileKind,
    mut parse: Parse<'a>,
) -> Result<(String, Vec<&'a str>), Vec<SyntaxError>> {
    if !parse.errors.is_empty() {
        return Err(parse.errors);
    }
    let comments = sorted_comments(&parse.tree);
    rewrite(&mut parse.tree, kind);
    Ok((print(&parse.tree, kind), comments))
}

fn sorted_comments<'a>(tree: &Tree<'a>) -> Vec<&'a str> {
    let all = tree
        .comments
        .iter()
        .zip(0..)
        .filter(|(c, _)| c.start < c.end);
    let mut all: Vec<&str> = all.map(|(_, id)| tree.comment_text(id)).collect();
    all.sort_unstable();
    all
}
