//! Texts on which something once did not hold, and all of our own test files.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;
#[path = "common/properties.rs"]
mod properties;

use std::path::Path;

use fixpoint_engine::{Config, Engine, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::LintPhase;
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

/// A fix that waits for another comes again with other bytes; one that was refused beside others is looked at
/// again. Neither is told as rejected once what it was for is done.
#[test]
fn fixes_that_meet_are_made_in_turn_and_none_is_told_as_rejected() {
    let config = Config::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/regressions");
    for name in ["nested_actions.bzl", "nested_depsets.bzl"] {
        let text = common::read(&root.join(name));
        let language = SourceLanguage::of(name, &text, &config).expect("known");
        let (lint, layout) = (
            LintPhase::new(&config),
            FormatPhase::new(&language, &config),
        );
        let engine = Engine::new(&language, [&lint as &dyn Phase, &layout]);
        let run = engine.run(&Snapshot::new(name, text), &Policy::default().with_likely());
        assert_eq!(run.report.rejected, [], "{name}");
        assert!(!run.canonical.text().contains("new_file"), "{name}");
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
