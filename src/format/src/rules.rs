//! The rules of the format phase, with the texts that `fixpoint explain` prints.

use fixpoint_engine::{Example, Rule};
use fixpoint_report::Safety;

use crate::Language;

/// The parser of the language rejects the text.
pub(crate) const SYNTAX: &str = "syntax";
/// A template in a file named like one of its language.
pub(crate) const TEMPLATE: &str = "template";
/// An HTML file with an omitted end tag.
pub(crate) const OMITTED_END_TAG: &str = "omitted-end-tag";
/// A text that is nested deeper than the limit for its printer.
pub(crate) const TOO_DEEP: &str = "nested-too-deeply";
/// A text that makes the printer crash, damage it or change it on every pass.
pub(crate) const PRINTER_FAULT: &str = "printer-fault";
/// A `fixpoint: off` region that cannot be kept.
pub(crate) const UNKEPT_REGION: &str = "unkept-region";

const LAYOUT_WHY: &str = "One canonical form ends discussions about layout, and diffs show only intended changes. \
    The form depends on the text alone, so every machine produces the same bytes.";
const LAYOUT_SAFE: &str = "Only the layout changes. A result is discarded unless it parses, keeps every comment and \
    stays the same when it is formatted again.";

macro_rules! layout_rule {
    ($name:literal, $language:literal, $path:literal, $before:literal, $after:literal) => {
        Rule {
            name: $name,
            summary: concat!("Formats ", $language, " in canonical form."),
            why: LAYOUT_WHY,
            safety: Some(Safety::BehaviorPreserving),
            safety_reason: LAYOUT_SAFE,
            example: Some(Example {
                path: $path,
                before: $before,
                after: $after,
            }),
        }
    };
}

const fn without_fix(
    name: &'static str,
    summary: &'static str,
    why: &'static str,
    reason: &'static str,
) -> Rule {
    Rule {
        name,
        summary,
        why,
        safety: None,
        safety_reason: reason,
        example: None,
    }
}

/// Every rule of the phase, sorted by name.
pub(crate) const RULES: &[Rule] = &[
    layout_rule!(
        "format-clank",
        "Clank",
        "a.clank",
        "fn f(x:Int)->Int{x*2}\n",
        "fn f(x: Int) -> Int {\n  x * 2\n}\n"
    ),
    layout_rule!(
        "format-css",
        "CSS",
        "a.css",
        "a{color:red}\n",
        "a {\n  color: red;\n}\n"
    ),
    layout_rule!(
        "format-graphql",
        "GraphQL",
        "a.graphql",
        "{a,b}\n",
        "{\n  a\n  b\n}\n"
    ),
    layout_rule!(
        "format-html",
        "HTML",
        "a.html",
        "<p   class=a>x</p>\n",
        "<p class=\"a\">x</p>\n"
    ),
    layout_rule!(
        "format-javascript",
        "JavaScript and JSX",
        "a.js",
        "let a='b'\n",
        "let a = \"b\";\n"
    ),
    layout_rule!(
        "format-json",
        "JSON",
        "a.json",
        "{\"a\":1,\"b\":[1,2]}\n",
        "{ \"a\": 1, \"b\": [1, 2] }\n"
    ),
    layout_rule!(
        "format-jsonc",
        "JSON with comments",
        "a.jsonc",
        "{\"a\":1,} // one\n",
        "{ \"a\": 1 } // one\n"
    ),
    layout_rule!(
        "format-markdown",
        "Markdown, and the code in its fences,",
        "a.md",
        "Title\n=====\n* item\n",
        "# Title\n\n- item\n"
    ),
    layout_rule!(
        "format-python",
        "Python",
        "a.py",
        "x = { 'a':1 }\n",
        "x = {\"a\": 1}\n"
    ),
    layout_rule!(
        "format-starlark",
        "BUILD, MODULE.bazel, .bzl and other Starlark files",
        "BUILD",
        "cc_library(srcs=['b.cc','a.cc'],name='x')\n",
        "cc_library(\n    name = \"x\",\n    srcs = [\n        \"a.cc\",\n        \"b.cc\",\n    ],\n)\n"
    ),
    layout_rule!(
        "format-text",
        "the files that `include` under `[language.text]` names (only line endings and the final newline)",
        "a.txt",
        "one\r\ntwo\nthree",
        "one\ntwo\nthree\n"
    ),
    layout_rule!(
        "format-toml",
        "TOML",
        "a.toml",
        "a=1\nb  = [1,2]\n",
        "a = 1\nb = [1, 2]\n"
    ),
    layout_rule!(
        "format-typescript",
        "TypeScript and TSX",
        "a.ts",
        "let a:number=1\n",
        "let a: number = 1;\n"
    ),
    layout_rule!(
        "format-yaml",
        "YAML",
        "a.yaml",
        "a:   1\nb: {c: 2}\n",
        "a: 1\nb: { c: 2 }\n"
    ),
    without_fix(
        TOO_DEEP,
        "Reports files that are nested too deeply to be formatted. They are not changed.",
        "Parsers handle nesting by recursion. A limit keeps one file from crashing the whole run.",
        "The rule only reports.",
    ),
    without_fix(
        PRINTER_FAULT,
        "Reports files that the formatter would damage, crash on or change on every run. They are not changed.",
        "A result that loses a comment, no longer parses or changes on every run is worse than no result. The fault \
         is in the formatter, not in the file.",
        "The rule only reports.",
    ),
    without_fix(
        SYNTAX,
        "Reports files that do not parse. They are not changed.",
        "The meaning of a text that does not parse is a guess, and edits must not depend on a guess.",
        "The rule only reports.",
    ),
    without_fix(
        TEMPLATE,
        "Reports files that are templates, with `{{`, `{%` or `<%` outside of quotes. They are not changed.",
        "A template does not parse as the language of its file name, or a line break or other quotes would change \
         its output. The file does not name its template engine.",
        "The rule only reports.",
    ),
    without_fix(
        OMITTED_END_TAG,
        "Reports HTML files that omit an optional end tag, such as `</li>`. They are not changed.",
        "HTML allows this, but the formatter needs the end tags of all elements. Add them to have the file formatted.",
        "The rule only reports.",
    ),
    without_fix(
        UNKEPT_REGION,
        "Reports files with a `fixpoint: off` region or an ignored line that cannot be kept as written while the \
         text around it is formatted. They are not changed.",
        "Fixpoint never changes text that a comment protects. Start and end the region at whole statements.",
        "The rule only reports.",
    ),
];

/// The layout rule of a language.
pub(crate) fn layout_rule(language: Language) -> &'static str {
    RULES
        .iter()
        .map(|rule| rule.name)
        .find(|name| name.strip_prefix("format-") == Some(language.name()))
        .unwrap_or("format-text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical;

    #[test]
    fn every_language_has_a_layout_rule_of_its_own() {
        // C-19 C-76
        let names: Vec<&str> = RULES
            .iter()
            .filter_map(|rule| rule.name.strip_prefix("format-"))
            .collect();
        assert_eq!(names, Language::all_names());
    }

    #[test]
    fn every_rule_example_matches_the_printer() {
        // C-16 C-91
        for rule in RULES {
            let Some(example) = rule.example else {
                continue;
            };
            let language = Language::detect(example.path, "").unwrap_or(Language::Text);
            let printed = canonical(language, example.path, example.before, &|language| {
                Some(language.default_style())
            });
            assert_eq!(printed.as_deref(), Ok(example.after), "{}", rule.name);
            assert_eq!(layout_rule(language), rule.name);
        }
    }
}
