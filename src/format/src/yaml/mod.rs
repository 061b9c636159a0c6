//! YAML: a parser and a printer of our own, with the layout of prettier. Two other parsers compare the
//! meaning of the text before and after.

mod attach;
mod documents;
mod events;
mod libyaml;
mod meaning;
mod parse;
mod print;
mod scalar;
mod tree;

use fixpoint_text::Span;

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Indent, depth};
use print::Layout;
use tree::{Comment, Kind, NodeId, Tree};

/// The printer of YAML.
pub(crate) struct Yaml;

impl Printer for Yaml {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        let layout = Layout {
            line_width: job.style.line_width().into(),
            indent_width: match job.style.indent() {
                Indent::Spaces(count) => count.max(2).into(),
                Indent::Tab => 2,
            },
        };
        let mut tree = parse::parse(text)?;
        attach::attach(&mut tree);
        let mut printed = print::print(text, &tree, layout);
        if has_open_end(text, &tree) && printed.ends_with('\n') {
            printed.pop();
        }
        reject_template(text, &printed)?;
        Ok(printed)
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        parse::parse(text).map(drop)
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        spans(&parse::comments(text))
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        let tree = parse::parse(text)?;
        let readings = vec![
            first_reading(text, &tree),
            second_reading(text, &tree),
            Some(meaning::meaning(text, &tree)),
        ];
        Ok(Outline {
            comments: spans(&tree.comments),
            meaning: Meaning::Readings(readings),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::yaml(text)
    }

    // A flow mapping that is the key of another, which is how placeholders of templates are parsed.
    fn has_placeholder(&self, text: &str) -> bool {
        parse::parse(text).is_ok_and(|tree| {
            tree.preorder().into_iter().any(|id| {
                let opens = &text[tree.get(id).start.offset..];
                tree.kind(id) == Kind::FlowMapping && opens.starts_with("{{")
            })
        })
    }

    // A newline after a block scalar without one would change its value.
    fn final_newline_is_content(&self) -> bool {
        true
    }
}

/// Whether the text ends within a line of a block scalar, and a newline would change its value.
fn has_open_end(text: &str, tree: &Tree) -> bool {
    let may_end_in_scalar = !text.ends_with('\n');
    may_end_in_scalar
        && tree.preorder().into_iter().any(|id| {
            let node = tree.get(id);
            let scalar = &text[node.start.offset..node.end.offset];
            let header = scalar.split([' ', '\t', '\n']).next();
            node.kind.is_block_scalar()
                && node.end.offset == text.len()
                && scalar.contains('\n')
                && header.is_some_and(|header| !header.contains('-'))
        })
}

/// Rejects a text if printing would split `{{` or `{%`. `{{ name }}` is a valid mapping, but
/// authors mean a placeholder, and a printed `{ { name } }` is not one.
fn reject_template(text: &str, printed: &str) -> Result<(), FormatError> {
    let count = |text: &str, mark: &str| memchr::memmem::find_iter(text.as_bytes(), mark).count();
    let is_split = |mark: &str| count(text, mark) != count(printed, mark);
    match ["{{", "{%"].into_iter().any(is_split) {
        true => Err(FormatError::Template),
        false => Ok(()),
    }
}

/// The events of the first parser. It panics on a comma directly after a tag, so a space is
/// inserted between them.
fn first_reading(text: &str, tree: &Tree) -> Option<Vec<u8>> {
    libyaml::reading(text).or_else(|| {
        let tags = tree.preorder().into_iter();
        let ends = tags
            .filter_map(|id| tree.extras(id).tag)
            .map(Span::end)
            .filter(|end| text[*end..].starts_with(','));
        libyaml::reading(&with_spaces(text, ends.collect())?)
    })
}

/// The events of the second parser. It rejects a closing bracket in the column of its key after a
/// quoted string, which is where the printer puts it. So such a bracket is indented before parsing.
fn second_reading(text: &str, tree: &Tree) -> Option<Vec<u8>> {
    events::events(text).or_else(|| {
        let is_first = |at: &usize| {
            let line = text[..*at].rfind('\n').map_or(0, |newline| newline + 1);
            text[line..*at].trim().is_empty()
        };
        let closing = tree
            .preorder()
            .into_iter()
            .filter(|id| tree.kind(*id).is_flow_collection())
            .map(|id: NodeId| tree.get(id).end.offset - 1)
            .filter(is_first);
        events::events(&with_spaces(text, closing.collect())?)
    })
}

/// Inserts a space at each position. `None` if there are none.
fn with_spaces(text: &str, mut places: Vec<usize>) -> Option<String> {
    places.sort_unstable();
    places.last()?;
    let mut spaced = String::with_capacity(text.len() + places.len());
    let mut start = 0;
    for at in places {
        spaced.push_str(&text[start..at]);
        spaced.push(' ');
        start = at;
    }
    spaced.push_str(&text[start..]);
    Some(spaced)
}

fn spans(comments: &[Comment]) -> Vec<Span> {
    comments.iter().map(Comment::span).collect()
}
