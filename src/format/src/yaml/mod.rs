//! YAML: a fast path prints most files, and pretty_yaml the rest, with the same result. Two other
//! parsers compare the text before and after.

mod documents;
mod events;
mod fast_path;
mod libyaml;
mod meaning;
mod scalar;

use fixpoint_text::Span;
use pretty_yaml::config::{FormatOptions, LanguageOptions, LayoutOptions};
use yaml_parser::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::error::SyntaxError;
use crate::outline::{Meaning, Outline};
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Indent, depth};
use documents::{closed, documents, has_inner_marker};
use fast_path::Layout;

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
        let text = closed(text);
        if ends_in_block_scalar(&text) {
            return print_open_end(&text, layout);
        }
        if may_end_in_kept_lines(&text) {
            let documents = documents(&text).into_iter();
            return documents.map(|it| print_kept_end(it, layout)).collect();
        }
        print_whole(&text, layout)
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        match known_comments(text) {
            Some(_) => Ok(()),
            None => parse(text).map(drop),
        }
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        known_comments(text)
            .or_else(|| parse(text).ok().map(|tree| comments_of(text, &tree)))
            .unwrap_or_default()
    }

    fn outline(&self, _: Variant<'_>, text: &str) -> Result<Outline, SyntaxError> {
        let comments = known_comments(text);
        let readings = [first_reading(text), second_reading(text)];
        let needs_tree = readings.iter().all(Option::is_none);
        let tree = match comments {
            Some(_) if !needs_tree => None,
            _ => Some(parse(text)?),
        };
        let by_tree = tree.as_ref().filter(|_| needs_tree).map(meaning::meaning);
        Ok(Outline {
            comments: comments
                .or_else(|| tree.as_ref().map(|tree| comments_of(text, tree)))
                .unwrap_or_default(),
            meaning: Meaning::Readings(readings.into_iter().chain([by_tree]).collect()),
        })
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::yaml(text)
    }

    // A flow mapping that is the key of another, which is how placeholders of templates are parsed.
    fn has_placeholder(&self, text: &str) -> bool {
        let is_placeholder = |node: &SyntaxNode| {
            let text = node.text();
            let opens = |at: u32| text.char_at(at.into());
            node.kind() == SyntaxKind::FLOW_MAP && matches!(opens(1), Some('{' | '%'))
        };
        parse(text).is_ok_and(|tree| tree.descendants().any(|node| is_placeholder(&node)))
    }

    // A newline after a block scalar without one would change its value.
    fn final_newline_is_content(&self) -> bool {
        true
    }
}

/// Prints a text whose final newline is layout.
fn print_whole(text: &str, layout: Layout) -> Result<String, FormatError> {
    if let Some(printed) = fast_path::print(text, layout) {
        return Ok(printed.into_owned());
    }
    let print = |text| {
        print_with_pretty_yaml(text, layout)
            .map_err(|error| FormatError::Syntax(syntax_error(&error).within(text)))
    };
    let mut printed = match swallows_marker(text) {
        true => documents(text).into_iter().map(print).collect(),
        false => print(text),
    }?;
    reject_template(text, &printed)?;
    if !printed.is_empty() && !printed.ends_with('\n') {
        printed.push('\n');
    }
    Ok(printed)
}

/// Whether the text ends within a block scalar without a newline. Adding one would change its
/// value.
fn ends_in_block_scalar(text: &str) -> bool {
    if text.ends_with('\n') || memchr::memchr2(b'|', b'>', text.as_bytes()).is_none() {
        return false;
    }
    let last = parse(text).ok().and_then(|tree| tree.last_token());
    last.is_some_and(|token| token.kind() == SyntaxKind::BLOCK_SCALAR_TEXT)
}

/// Prints a text that ends within a block scalar, and keeps the value of the scalar.
fn print_open_end(text: &str, layout: Layout) -> Result<String, FormatError> {
    let reading = libyaml::reading(text);
    let keeps = |printed: &String| reading.is_some() && libyaml::reading(printed) == reading;
    let printed = print_whole(text, layout)?;
    let open = printed.strip_suffix('\n').unwrap_or(&printed).to_owned();
    let without_blanks = print_whole(text.trim_end_matches([' ', '\t']), layout)?;
    let mut candidates = [printed, open, without_blanks].into_iter();
    Ok(candidates.find(keeps).unwrap_or_else(|| text.to_owned()))
}

/// Whether a document ends with blank lines that may be content of a block scalar, by the indicator
/// `+`. The printer removes blank lines at the end of a document.
fn may_end_in_kept_lines(text: &str) -> bool {
    memchr::memchr(b'+', text.as_bytes()).is_some()
        && documents(text).iter().any(|it| final_newlines(it) > 1)
}

/// The number of line ends after the last line that is not blank.
fn final_newlines(text: &str) -> usize {
    let content = text.trim_end_matches([' ', '\t', '\n']);
    text[content.len()..].matches('\n').count()
}

/// Prints a document, and keeps the blank lines at its end if they are content.
fn print_kept_end(text: &str, layout: Layout) -> Result<String, FormatError> {
    let printed = print_whole(text, layout)?;
    let Some(reading) = libyaml::reading(text) else {
        return Ok(printed);
    };
    let newlines = "\n".repeat(final_newlines(text));
    let kept = format!("{}{newlines}", printed.trim_end_matches('\n'));
    let mut candidates = [printed, kept].into_iter();
    let keeps = |printed: &String| libyaml::reading(printed).as_ref() == Some(&reading);
    Ok(candidates.find(keeps).unwrap_or_else(|| text.to_owned()))
}

/// Whether the printer's parser would read a document marker as content of a block scalar.
fn swallows_marker(text: &str) -> bool {
    let is_swallowed = |token: &SyntaxToken| {
        token.kind() == SyntaxKind::BLOCK_SCALAR_TEXT && has_inner_marker(token.text())
    };
    has_inner_marker(text)
        && parse(text).is_ok_and(|tree| {
            let tokens = tree.descendants_with_tokens();
            let mut tokens = tokens.filter_map(|element| element.into_token());
            tokens.any(|token| is_swallowed(&token))
        })
}

/// Prints any text that pretty_yaml accepts.
fn print_with_pretty_yaml(text: &str, layout: Layout) -> Result<String, yaml_parser::SyntaxError> {
    let options = FormatOptions {
        layout: LayoutOptions {
            print_width: layout.line_width,
            indent_width: layout.indent_width,
            ..LayoutOptions::default()
        },
        language: LanguageOptions {
            // In a block scalar, white space at the end of a line is content.
            trim_trailing_whitespaces: false,
            ignore_comment_directive: fast_path::IGNORE.to_owned(),
            ..LanguageOptions::default()
        },
    };
    pretty_yaml::format_text(text, &options)
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
fn first_reading(text: &str) -> Option<Vec<u8>> {
    libyaml::reading(text).or_else(|| {
        let tags = parse(text).ok()?.descendants();
        let ends = tags
            .filter(|node| node.kind() == SyntaxKind::TAG_PROPERTY)
            .map(|node| usize::from(node.text_range().end()))
            .filter(|end| text[*end..].starts_with(','));
        libyaml::reading(&with_spaces(text, ends.collect())?)
    })
}

/// The events of the second parser. It rejects a closing bracket in the column of its key after a
/// quoted string, which is where the printer puts it. So such a bracket is indented before parsing.
fn second_reading(text: &str) -> Option<Vec<u8>> {
    events::events(text).or_else(|| {
        let tokens = parse(text).ok()?.descendants_with_tokens();
        let closing = tokens
            .filter_map(|element| element.into_token())
            .filter(|token| matches!(token.kind(), SyntaxKind::R_BRACKET | SyntaxKind::R_BRACE))
            .map(|token| usize::from(token.text_range().start()))
            .filter(|at| {
                let line = text[..*at].rfind('\n').map_or(0, |newline| newline + 1);
                text[line..*at].trim().is_empty()
            });
        events::events(&with_spaces(text, closing.collect())?)
    })
}

/// Inserts a space at each position, in ascending order. `None` if there are none.
fn with_spaces(text: &str, places: Vec<usize>) -> Option<String> {
    places.last()?;
    let mut spaced = text.to_owned();
    for at in places.into_iter().rev() {
        spaced.insert(at, ' ');
    }
    Some(spaced)
}

fn known_comments(text: &str) -> Option<Vec<Span>> {
    let comments = fast_path::comments(text)?;
    Some(comments.into_iter().map(Span::from).collect())
}

fn parse(text: &str) -> Result<SyntaxNode, SyntaxError> {
    yaml_parser::parse(&closed(text)).map_err(|error| syntax_error(&error))
}

fn comments_of(text: &str, tree: &SyntaxNode) -> Vec<Span> {
    // The tree does not contain the byte order mark.
    let skipped = match text.strip_prefix('\u{feff}') {
        Some(body) => text.len() - body.len(),
        None => 0,
    };
    let tokens = tree.descendants_with_tokens();
    let tokens = tokens.filter_map(|element| element.into_token());
    let comments = tokens.filter(|token| token.kind() == SyntaxKind::COMMENT);
    let mut end = skipped;
    let spans = comments.filter_map(|token| {
        // The tree lacks some line ends, such as the one after a lone `?`, so the comment may be a little later.
        let start = end.max(skipped + usize::from(token.text_range().start()));
        let rest = text.as_bytes().get(start..)?;
        let start = start + memchr::memmem::find(rest, token.text().as_bytes())?;
        end = start + token.text().len();
        Some(Span::from(start..end))
    });
    spans.collect()
}

fn syntax_error(error: &yaml_parser::SyntaxError) -> SyntaxError {
    let message = error.message().trim();
    let message = if message.is_empty() {
        "invalid YAML"
    } else {
        message
    };
    SyntaxError::new(message, Span::at(error.offset()))
}
