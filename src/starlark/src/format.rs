//! From text to canonical text.

use crate::error::SyntaxError;
use crate::kind::FileKind;
use crate::parse::{Parse, parse_nodes};
use crate::print::print;
use crate::rewrite::rewrite;
use crate::tree::Tree;

/// One pass leaves almost every file settled; a few need a second. A file that still changes after
/// this many is left alone.
const MAX_PASSES: usize = 6;

/// The canonical text of a file: formatting it again changes nothing, and every comment is in it.
///
/// The errors say why there is none: the syntax errors of `text`, or, with the whole file as span,
/// that its formatting does not settle. `path` is for the reader of a message only.
pub fn format(kind: FileKind, path: &str, text: &str) -> Result<String, Vec<SyntaxError>> {
    format_parsed(kind, path, parse_nodes(text))
}

/// As [`format`], of a text that has been parsed already.
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

/// Formats once; also gives the comments of the text, sorted.
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
