//! Any text as Markdown: checks the properties of `src/format`, and that comrak renders the same
//! HTML before and after, except for white space. Texts that comrak and pulldown-cmark read
//! differently are skipped.

#![no_main]

mod panic_hook;
#[path = "../../src/format/tests/common/properties.rs"]
mod properties;

use std::sync::LazyLock;

use fixpoint_engine::{Config, LanguageNames};
use fixpoint_format::Language;
use libfuzzer_sys::fuzz_target;

/// Code in fences keeps its layout, so that the HTML can be compared.
static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    let others = Language::all_names()
        .iter()
        .filter(|name| **name != "markdown");
    let text: String = others
        .map(|name| format!("[language.{name}]\nenabled = false\n"))
        .collect();
    let languages = LanguageNames {
        all: Language::all_names(),
        fixed: &[],
    };
    Config::parse(&text, languages, &[]).expect("the languages are known")
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    panic_hook::allow_caught_panics();
    let Some(canonical) = properties::hold("a.md", text, &CONFIG) else {
        return;
    };
    // comrak ends a title at the quote after two backslashes only in some cases.
    // The printer writes the two backslashes if a title ends in a backslash and a line break.
    let has_quote = [text, &canonical]
        .iter()
        .any(|text| text.contains("\\\\\""));
    // Tools do not agree on which first lines are front matter.
    let has_front_matter = text.starts_with("---") || text.starts_with("+++");
    if has_quote || has_front_matter || has_long_code_span(text) {
        return;
    }
    // If the two parsers read the original differently, the printer cannot satisfy both.
    let before = by_comrak(text);
    if before == by_pulldown(text) {
        assert_eq!(before, by_comrak(&canonical), "{canonical}");
    }
});

/// Whether a run of two or more backticks is not a fence. If such a run has no end, comrak misses later
/// code spans.
fn has_long_code_span(text: &str) -> bool {
    let is_prefix = |c: char| " \t>-*+.)~".contains(c) || c.is_ascii_digit();
    let mut lines = text.split(['\n', '\r']);
    lines.any(|line| {
        let line = line.trim_start_matches(is_prefix);
        let rest = line.trim_start_matches('`');
        line.len() - rest.len() == 2 || rest.contains("``")
    })
}

fn by_comrak(text: &str) -> String {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.front_matter_delimiter = Some("---".to_owned());
    options.render.r#unsafe = true;
    // comrak ends front matter only at a line feed.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // comrak expands references only up to the size of the text. Blank space at the end raises that limit.
    let text = format!("{text}\n{}\n", " ".repeat(100_000));
    let html = without_space(&comrak::markdown_to_html(&text, &options))
        .replace("align=\"", "style=\"text-align:")
        .replace("<inputtype=\"checkbox\"checked=\"\"disabled=\"\"/>", TICKED)
        .replace("<inputtype=\"checkbox\"disabled=\"\"/>", OPEN)
        .replace("&quot;", "\"");
    without_markdown(&html)
}

fn by_pulldown(text: &str) -> String {
    let options = pulldown_cmark::Options::ENABLE_TABLES
        | pulldown_cmark::Options::ENABLE_FOOTNOTES
        | pulldown_cmark::Options::ENABLE_STRIKETHROUGH
        | pulldown_cmark::Options::ENABLE_TASKLISTS
        | pulldown_cmark::Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new_ext(text, options));
    let html = without_space(&html)
        .replace("<tbody></tbody>", "")
        .replace("&quot;", "\"")
        .replace("&#39;", "'");
    without_markdown(&html)
}

/// Task list checkboxes as pulldown-cmark renders them, without white space.
const TICKED: &str = "<inputdisabled=\"\"type=\"checkbox\"checked=\"\"/>";
const OPEN: &str = "<inputdisabled=\"\"type=\"checkbox\"/>";

fn without_space(html: &str) -> String {
    html.split_ascii_whitespace().collect()
}

/// The HTML without embedded Markdown code, which is formatted too.
fn without_markdown(html: &str) -> String {
    let mut parts = html.split("<codeclass=\"language-");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let tag = part.split(['"', ',']).next().unwrap_or_default();
        let is_markdown = ["md", "markdown"].contains(&tag.to_ascii_lowercase().as_str());
        kept += "<codeclass=\"language-";
        kept += match part.split_once("</code>") {
            Some((_, after)) if is_markdown => after,
            _ => part,
        };
    }
    kept
}
