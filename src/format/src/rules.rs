//! The rules of the format phase, with the texts that `fixpoint explain` prints.

use std::sync::LazyLock;

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

/// Every rule of the phase: the layout rules by name, then the others.
pub(crate) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let mut layout: Vec<Rule> = Language::ALL.iter().copied().map(layout_rule).collect();
        layout.sort_by_key(|rule| rule.name);
        layout.dedup_by_key(|rule| rule.name);
        layout.extend(OTHER_RULES);
        layout
    });
    &RULES
}

/// Variants of a language have the same rule. The example is that of the first one in the table.
fn layout_rule(language: Language) -> Rule {
    let info = language.info();
    Rule {
        name: info.layout_rule,
        summary: info.summary,
        why: LAYOUT_WHY,
        safety: Some(Safety::BehaviorPreserving),
        safety_reason: LAYOUT_SAFE,
        example: Some(Example {
            path: info.example.path,
            before: info.example.before,
            after: info.example.after,
        }),
    }
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

/// The rules that report why a text is not formatted.
const OTHER_RULES: &[Rule] = &[
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Style, canonical};

    #[test]
    fn every_language_has_a_layout_rule_of_its_own() {
        // C-19 C-76
        let names: Vec<&str> = rules()
            .iter()
            .filter_map(|rule| rule.name.strip_prefix("format-"))
            .collect();
        assert_eq!(names, Language::all_names());
    }

    #[test]
    fn every_rule_example_matches_the_printer() {
        // C-16 C-91
        for rule in rules() {
            let Some(example) = rule.example else {
                continue;
            };
            let language = Language::detect(example.path, "").unwrap_or(Language::Text);
            let printed = canonical(language, example.path, example.before, &|language| {
                Some(Style::default_of(language))
            });
            assert_eq!(printed.as_deref(), Ok(example.after), "{}", rule.name);
            assert_eq!(language.info().layout_rule, rule.name);
        }
    }
}
