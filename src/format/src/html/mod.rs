//! HTML: printed and checked by markup_fmt. Embedded styles, scripts and data use their own
//! printers.

mod raw_text;

use std::borrow::Cow;

use fixpoint_text::Span;
use markup_fmt::config::{FormatOptions, LanguageOptions, LayoutOptions};
use markup_fmt::{
    FormatError as MarkupError, Hints, Language as Markup, SyntaxErrorKind, format_text,
};

use crate::error::SyntaxError;
use crate::outline::Outline;
use crate::printer::{Job, Printer, Variant};
use crate::{FormatError, Language, Style, canonical, depth};
use raw_text::{changed_raw_text, keeps_white_space, raw_length, tag_length};

/// The marks that open a placeholder, a statement and a comment in templates that look like HTML.
const TEMPLATE_MARKS: [&str; 3] = ["{{", "{%", "{#"];

/// The printer of HTML.
pub(crate) struct Html;

impl Printer for Html {
    fn print(&self, job: Job<'_>, text: &str) -> Result<String, FormatError> {
        // Some engines do not recognize a mark that a line break splits, and the engine is not known.
        if TEMPLATE_MARKS.iter().any(|mark| text.contains(mark)) {
            return Err(FormatError::Template);
        }
        let options = FormatOptions {
            layout: LayoutOptions {
                print_width: job.style.line_width().into(),
                use_tabs: job.style.tabs(),
                indent_width: job.style.indent_width(2).into(),
                ..LayoutOptions::default()
            },
            language: LanguageOptions {
                script_indent: true,
                style_indent: true,
                ignore_comment_directive: "prettier-ignore".to_owned(),
                ..LanguageOptions::default()
            },
        };
        let printed = format_text(text, Markup::Html, &options, |code, hints| {
            Ok(embedded(job, code, &hints))
        });
        printed.map_err(|error| rejection(&error, text))
    }

    fn parses(&self, _: Variant<'_>, text: &str) -> Result<(), SyntaxError> {
        let printed = format_text(text, Markup::Html, &FormatOptions::default(), |code, _| {
            Ok(Cow::Borrowed(code))
        });
        match printed {
            Err(error) if omitted_end_tag(&error).is_none() => Err(syntax_error(&error, text)),
            _ => Ok(()),
        }
    }

    fn comments(&self, _: Variant<'_>, text: &str) -> Vec<Span> {
        comments(text)
    }

    fn check_depth(&self, text: &str) -> Result<(), FormatError> {
        depth::html(text)
    }

    // Rejects a result that changes significant white space.
    fn check_result(
        &self,
        (before, _): (&str, &Outline),
        (after, _): (&str, &Outline),
    ) -> Result<(), FormatError> {
        if let Some(line) = changed_raw_text(before, after) {
            let what = format!("the script, style or text on line {line} would change");
            return Err(FormatError::damaged(what));
        }
        if keeps_white_space(before) {
            let what = "an element with `contenteditable` or `white-space: pre` would change";
            return Err(FormatError::damaged(what));
        }
        Ok(())
    }
}

/// The elements whose end tag is optional in HTML.
const OPTIONAL_END: [&str; 21] = [
    "body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p",
    "rb", "rp", "rt", "rtc", "tbody", "td", "tfoot", "th", "thead", "tr",
];

fn rejection(error: &MarkupError, text: &str) -> FormatError {
    let syntax = syntax_error(error, text);
    match omitted_end_tag(error) {
        Some(tag) => FormatError::OmittedEndTag {
            tag: tag.to_owned(),
            span: syntax.span(),
        },
        None => FormatError::Syntax(syntax),
    }
}

/// The element whose end tag is missing, if that end tag is optional.
fn omitted_end_tag(error: &MarkupError) -> Option<&str> {
    let MarkupError::Syntax(error) = error else {
        return None;
    };
    let SyntaxErrorKind::ExpectCloseTag { tag_name, .. } = &error.kind else {
        return None;
    };
    OPTIONAL_END
        .iter()
        .any(|name| name.eq_ignore_ascii_case(tag_name))
        .then_some(tag_name)
}

/// The canonical text of a style, script or data block. Returns `code` if it does not parse.
fn embedded<'a>(job: Job<'_>, code: &'a str, hints: &Hints<'_>) -> Cow<'a, str> {
    if hints.attr {
        return Cow::Borrowed(code);
    }
    // The languages that a browser or a bundler reads. The author of a `lang` attribute may name any.
    let language = match hints.ext {
        "css" => Language::Css,
        "scss" => Language::Scss,
        "less" => Language::Less,
        "js" | "mjs" | "cjs" => Language::JavaScript,
        "jsx" => Language::Jsx,
        "ts" | "mts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "json" => Language::Json,
        _ => return Cow::Borrowed(code),
    };
    let width = u32::try_from(hints.print_width).unwrap_or(u32::MAX);
    let styles = |language| (job.styles)(language).map(|style: Style| style.narrowed_to(width));
    match canonical(language, "embedded", &dedented(code), &styles) {
        Ok(printed) => Cow::Owned(printed.into_owned()),
        Err(_) => Cow::Borrowed(code),
    }
}

/// Removes the indentation that all lines of `code` share. The printer adds its own indentation to
/// the result, also to lines that are kept as written.
fn dedented(code: &str) -> String {
    let columns = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = code.lines().filter(|line| !line.trim().is_empty());
    let shared = filled.map(columns).min().unwrap_or(0);
    code.split_inclusive('\n')
        .map(|line| &line[shared.min(columns(line))..])
        .collect()
}

fn syntax_error(error: &MarkupError, text: &str) -> SyntaxError {
    match error {
        MarkupError::Syntax(error) => SyntaxError::new(error.kind.to_string(), Span::at(error.pos)),
        MarkupError::External(_) => SyntaxError::new(error.to_string(), Span::from(0..text.len())),
    }
    .within(text)
}

/// Everything between `<!--` and `-->` outside of tags, scripts, styles and raw text.
fn comments(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'<', rest)) {
        at += found;
        let rest = &bytes[at..];
        at += if rest.starts_with(b"<!--") {
            let length = memchr::memmem::find(&rest[4..], b"-->").map_or(rest.len(), |n| n + 7);
            comments.push(Span::from(at..at + length));
            length
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
            let tag = tag_length(rest);
            tag + raw_length(rest, &rest[tag..])
        } else {
            1
        };
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_in_scripts_and_attributes_are_not_found() {
        let text = "<a b='<!--n-->' c=\">\"><!-- one --><script>'<!--n-->'</script><!--two--><p>";
        let found: Vec<_> = comments(text)
            .iter()
            .map(|span| &text[span.range()])
            .collect();
        assert_eq!(found, ["<!-- one -->", "<!--two-->"]);
    }
}
