//! Line endings of every kind, in every combination: one run is enough, and values do not change.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use fixpoint_format::{Language, Style, canonical};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

#[test]
fn one_run_is_enough_for_any_line_endings() {
    let ends = ["\n", "\r\n", "\r", "\r\r\n", "\n\r", ""];
    let lines = [
        (
            Language::Markdown,
            "a.md",
            ["a", "* b", "    c", "# d", "```", "===", "> e"],
        ),
        (
            Language::Yaml,
            "a.yaml",
            ["a: 1", "b: |", "  x", "# c", "---", "- d", "  y  "],
        ),
    ];
    for (language, path, lines) in lines {
        for one in 0..lines.len() {
            for two in 0..lines.len() {
                for (index, end) in ends.iter().enumerate() {
                    let other = ends[(index + one) % ends.len()];
                    let text = format!("{}{end}{}{other}x{end}", lines[one], lines[two]);
                    let Ok(printed) = canonical(language, path, &text, &styles) else {
                        continue;
                    };
                    let again = canonical(language, path, &printed, &styles);
                    assert!(
                        matches!(again, Ok(Cow::Borrowed(_))),
                        "{text:?} -> {printed:?} -> {again:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_lone_carriage_return_ends_a_line_of_markdown() {
    for (text, expected) in [
        ("a\rb\n", "a\nb\n"),
        ("# a\r* b\r", "# a\n\n- b\n"),
        ("a\r\n\r* b\r\n", "a\r\n\r\n- b\r\n"),
        ("a\r\r\nb\n", "a\n\nb\n"),
    ] {
        let printed = canonical(Language::Markdown, "a.md", text, &styles).unwrap();
        assert_eq!(printed, expected, "{text:?}");
    }
}

#[test]
fn values_of_front_matter_are_kept() {
    for text in [
        "---\na: |+\n  b\n\n---\n\nc\n",
        "---\na: |\n  b  \n  c\n---\n\nd\n",
        "+++\na = \"\"\"\nb  \n\"\"\"\n+++\n\nc\n",
    ] {
        let printed = canonical(Language::Markdown, "a.md", text, &styles).unwrap();
        assert_eq!(printed, text);
    }
}
