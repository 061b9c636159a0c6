//! Any text as Markdown: the properties of `src/format` hold, and another parser makes the same HTML of it
//! before and after.

#![no_main]

#[path = "../../src/format/tests/common/properties.rs"]
mod properties;
mod quiet;

use std::sync::LazyLock;

use comrak::{Options, markdown_to_html};
use fixpoint_engine::{Config, Known};
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
    let known = Known {
        languages: Language::all_names(),
        fixed: &[],
        lint_rules: &[],
        document_rules: Vec::new,
    };
    Config::parse(&text, known).expect("the languages are known")
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    quiet::allow_caught_panics();
    let Some(canonical) = properties::hold("a.md", text, &CONFIG) else {
        return;
    };
    assert_eq!(html(text), html(&canonical), "{canonical}");
});

/// The HTML without the white space between words and tags.
fn html(text: &str) -> String {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.front_matter_delimiter = Some("---".to_owned());
    options.render.r#unsafe = true;
    let html = markdown_to_html(text, &options);
    html.split_ascii_whitespace().collect()
}
