//! Checks the properties of `common/properties.rs` on texts that once violated one, and on all of
//! our own golden files.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;
#[path = "common/properties.rs"]
mod properties;

use std::path::Path;

use fixpoint_engine::{Config, Engine, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::{LintPhase, LintSettings};
use fixpoint_text::Snapshot;

#[test]
fn all_properties_hold_on_regressions_and_golden_files() {
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

/// A fix that conflicts with another one is proposed again with other edits. A fix that was
/// rejected together with others is tried again alone. Neither is reported as rejected once its
/// finding is resolved.
#[test]
fn conflicting_fixes_are_applied_in_turn_and_none_is_reported_as_rejected() {
    let (config, settings) = (Config::default(), LintSettings::default());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/regressions");
    for name in ["nested_actions.bzl", "nested_depsets.bzl"] {
        let text = common::read(&root.join(name));
        let language = SourceLanguage::of(name, &text, &config).expect("known");
        let (lint, layout) = (
            LintPhase::new(&settings),
            FormatPhase::new(&language, &config),
        );
        let engine = Engine::new(&language, [&lint as &dyn Phase, &layout]);
        let run = engine.run(&Snapshot::new(name, text), &Policy::default().with_likely());
        assert_eq!(run.report.rejected, [], "{name}");
        assert!(!run.canonical.text().contains("new_file"), "{name}");
    }
}

/// Every broken statement is reported where it is broken, up to a limit that keeps the report
/// readable.
#[test]
fn several_syntax_errors_are_reported() {
    let error_texts = |text: &str| -> Vec<String> {
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
    assert_eq!(error_texts(text), [")", "2", "3", ",", "$", "h2"]);
    assert_eq!(error_texts("w = 3 +\ny = = 2\n"), ["\n", "="]);
    assert_eq!(error_texts(&"a b\n".repeat(100)).len(), 20);
}
