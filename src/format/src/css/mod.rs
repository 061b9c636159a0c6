//! CSS: printed and checked by malva.

mod large;

use fixpoint_text::Span;
use malva::config::{
    BlockSelectorLineBreak, FormatOptions, LanguageOptions, LayoutOptions, Quotes,
};
use malva::{Error, Syntax};

use crate::error::SyntaxError;
use crate::printer::Job;
use crate::{FormatError, pragma};

pub(crate) fn print(job: Job<'_>, text: &str) -> Result<String, FormatError> {
    let options = FormatOptions {
        layout: LayoutOptions {
            print_width: job.style.line_width().into(),
            use_tabs: job.style.tabs(),
            indent_width: job.style.indent_width(2).into(),
            ..LayoutOptions::default()
        },
        language: LanguageOptions {
            quotes: Quotes::PreferDouble,
            block_selector_linebreak: BlockSelectorLineBreak::Always,
            ignore_comment_directive: "prettier-ignore".to_owned(),
            ..LanguageOptions::default()
        },
    };
    let printed = format(text, &options)?;
    if !pragma::any_moved(text, &comments(text), &printed, &comments(&printed)) {
        return Ok(printed);
    }
    let apart = large::print_apart(text, &|part| {
        let printed = format_part(part, &options)?;
        let moved = pragma::any_moved(part, &comments(part), &printed, &comments(&printed));
        Ok(if moved {
            format!("{}\n", part.trim())
        } else {
            printed
        })
    });
    apart.unwrap_or(Ok(printed)).map_err(FormatError::Syntax)
}

pub(crate) fn parses(text: &str) -> Result<(), SyntaxError> {
    format(text, &FormatOptions::default()).map(drop)
}

fn format(text: &str, options: &FormatOptions) -> Result<String, SyntaxError> {
    if large::is_large(text)
        // The positions of an error in a part do not refer to the whole text.
        && let Some(Ok(printed)) = large::print(text, &|part| format_part(part, options))
    {
        return Ok(printed);
    }
    format_part(text, options)
}

fn format_part(text: &str, options: &FormatOptions) -> Result<String, SyntaxError> {
    malva::format_text(text, Syntax::Css, options).map_err(|error| match error {
        Error::Parser(error, _, _) => SyntaxError::new(
            error.kind.to_string(),
            Span::from(error.span.start..error.span.end),
        )
        .within(text),
    })
}

/// Everything between `/*` and `*/` that is not inside a string or an unquoted address.
pub(crate) fn comments(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = memchr::memmem::find(&bytes[at + 2..], b"*/")
                    .map_or(bytes.len(), |found| at + found + 4);
                comments.push(Span::from(at..end));
                end
            }
            b'"' | b'\'' => after_string(bytes, at, byte),
            b'(' if is_url(&bytes[..at]) => after_address(bytes, at),
            b'\\' => at + 2,
            _ => at + 1,
        };
    }
    comments
}

fn after_string(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            // An unclosed string ends with its line.
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Past `url(` when a string follows, past the whole address when it is bare.
fn after_address(bytes: &[u8], open: usize) -> usize {
    let inside = &bytes[open + 1..];
    let skipped = inside
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    if matches!(inside.get(skipped), Some(b'"' | b'\'')) {
        return open + 1;
    }
    memchr::memchr2(b')', b'\n', inside).map_or(bytes.len(), |end| open + 1 + end)
}

fn is_url(before: &[u8]) -> bool {
    before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"url")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_addresses_hold_no_comments() {
        let text = "a{b:url(//x/*y*/z);c:'/*n*/'}/*one*/ d{e:url( \"/*n*/\" )}/* two\n*/";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["/*one*/", "/* two\n*/"]);
    }
}
