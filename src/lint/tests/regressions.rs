//! Texts on which something once did not hold, and all of our own test files.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;
#[path = "common/properties.rs"]
mod properties;

use std::path::Path;

use fixpoint_engine::{Config, Phase};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_text::Snapshot;

#[test]
fn what_must_hold_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["lint/tests/golden", "starlark/tests/golden"];
    for path in folders
        .iter()
        .flat_map(|it| common::files_below(&root.join(it)))
    {
        let name = path.file_name().expect("a name").to_string_lossy();
        let path_of = |end: &str| {
            if end == "BUILD" {
                "BUILD".to_owned()
            } else {
                format!("x.{end}")
            }
        };
        let end = name
            .split_once(".in.")
            .or(name.split_once('.'))
            .map_or("", |(_, end)| end);
        properties::hold(&path_of(end), &common::read(&path));
    }
}

/// Every broken statement is told where it is broken, up to a number that a reader can take in.
#[test]
fn several_syntax_errors_are_told() {
    let told = |text: &str| -> Vec<String> {
        let source = Snapshot::new("BUILD", text);
        let config = Config::default();
        let language = SourceLanguage::of("BUILD", text, &config).expect("known");
        let found = FormatPhase::new(&language, &config).run(&source);
        assert!(found.unparsable);
        let spans = found.findings.iter().map(|it| it.span);
        spans.map(|span| text[span.range()].to_owned()).collect()
    };
    let text =
        "a(name = )\nb = 1\nc(1 2)\nd = [1 3]\nf(\n    x = ,\n)\ng = $\nh h2\ni(name = \"ok\")\n";
    assert_eq!(told(text), [")", "2", "3", ",", "$", "h2"]);
    assert_eq!(told("w = 3 +\ny = = 2\n"), ["\n", "="]);
    assert_eq!(told(&"a b\n".repeat(100)).len(), 20);
}
