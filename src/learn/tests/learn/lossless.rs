//! No application of a rule loses a comment or a token that the rule does not name, and every result parses.

use std::sync::LazyLock;

use fixpoint_learn::{Language, RuleSet, Tree, rewrite};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{compiled, path, rule};

const LANGUAGES: [&str; 10] = [
    "python",
    "javascript",
    "typescript",
    "starlark",
    "clank",
    "rust",
    "go",
    "java",
    "c",
    "cpp",
];

/// The names that rules remove or add. All other words must stay.
const RULE_WORDS: [&str; 8] = ["f", "g", "add", "method", "one", "two", "last", "rest"];

fn rules(language: &str) -> RuleSet {
    let mut all = vec![
        rule(language, "f($A, $B)", "g({{ B }}, {{ A }})"),
        rule(language, "f($A)", "{{ A }}.method()"),
        rule(language, "$A + $B", "add({{ A }}, {{ B }})"),
        rule(language, "one($A, $B)", "{{ A }} * {{ B }}"),
        rule(language, "two($A, $$$REST)", "last({{ REST }}, {{ A }})"),
        rule(language, "rest($$$REST)", "two2({{ REST }}, x)"),
    ];
    if language == "python" {
        all.push(rule(
            language,
            "h = $X\n$$$B\nh.close()",
            "with {{ X }} as h:\n    {{ B }}",
        ));
    }
    RuleSet::new(all.iter().map(compiled).collect())
}

static RULES: LazyLock<Vec<(&str, RuleSet)>> = LazyLock::new(|| {
    LANGUAGES
        .iter()
        .map(|language| (*language, rules(language)))
        .collect()
});

/// An expression. `~` stands for white space or a comment.
fn expression() -> impl Strategy<Value = String> {
    let leaf =
        select(&["a", "b", "c1", "1", "23", "\"s\"", "d(e)", "x[0]"][..]).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let names = select(&["f", "f", "one", "two", "rest", "k"][..]);
        prop_oneof![
            (names, prop::collection::vec(inner.clone(), 0..3))
                .prop_map(|(name, list)| format!("{name}(~{}~)", list.join("~,~"))),
            (
                inner.clone(),
                select(&["+", "*", "-", "=="][..]),
                inner.clone()
            )
                .prop_map(|(left, mark, right)| format!("{left}~ {mark} ~{right}")),
            inner.clone().prop_map(|inner| format!("(~{inner}~)")),
            inner.prop_map(|inner| format!("-{inner}")),
        ]
    })
}

/// Replaces each `~`, in turn.
fn fill(text: &str, language: &str, blanks: &[u8]) -> String {
    let has_block_comments = !["python", "starlark", "clank"].contains(&language);
    let line = match language {
        "python" | "starlark" => "  # ",
        _ => " // ",
    };
    let mut filled = String::new();
    for (index, part) in text.split('~').enumerate() {
        if index > 0 {
            match blanks[index % blanks.len()] {
                0 if has_block_comments => filled += &format!("/* n{index} */"),
                1 => filled += &format!("{line}n{index}\n   "),
                2 => filled.push_str("\n      "),
                3 => filled.push(' '),
                _ => {}
            }
        }
        filled += part;
    }
    filled
}

fn around(language: &str, expression: &str) -> String {
    match language {
        "python" => format!(
            "if 1:\n    h = (\n{expression}\n)\n    j( # c\n  {expression})\n    h.close()\n"
        ),
        "starlark" => format!("x = (\n{expression}\n)\n"),
        "javascript" | "typescript" => format!("x = (\n{expression}\n)\n;[{expression}]\n"),
        "clank" => format!("fn z() -> Int {{ let y = ({expression}); ({expression}) }}\n"),
        "rust" => format!("fn z() {{ x = {expression}; y({expression}) }}\n"),
        "go" => format!("package p\n\nfunc z() {{ y({expression}) }}\n"),
        "java" => format!("class C {{ Object x = {expression}; }}\n"),
        _ => format!("int z() {{ x = {expression}; return {expression}; }}\n"),
    }
}

/// The comments and the words of a text, sorted.
fn contents(tree: &Tree) -> (Vec<&str>, Vec<&str>) {
    let comments = tree
        .comments()
        .iter()
        .map(|comment| &tree.text()[comment.range()]);
    let mut comments: Vec<&str> = comments.collect();
    comments.sort_unstable();
    let words = tree
        .tokens(tree.root())
        .map(|token| tree.text_of(token))
        .filter(|text| {
            text.starts_with(|char: char| char.is_alphanumeric() || char == '"')
                && !RULE_WORDS.contains(text)
                && !["two2", "x", "with", "as", "h", "close"].contains(text)
        });
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    (comments, words)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost(
        language in 0..LANGUAGES.len(),
        parts in prop::collection::vec(expression(), 3),
        blanks in prop::collection::vec(0_u8..8, 1..12),
    ) {
        let (language, rules) = &RULES[language];
        let expression = format!("f(~{}~,~{}~) ~+~ two({}~)", parts[0], parts[1], parts[2]);
        let text = around(language, &fill(&expression, language, &blanks));
        let tree_language = Language::with_name(language).expect("a language");
        // Not every text parses: Go ends a statement with its line.
        if let Ok(before) = Tree::parse(tree_language, &text) {
            let outcome = rewrite(path(language), &text, rules);
            let after = Tree::parse(tree_language, &outcome.text);
            let after = after.unwrap_or_else(|error| panic!("{error}:\n{text}\n{}", outcome.text));
            prop_assert_eq!(contents(&before), contents(&after), "{}\n{}", text, outcome.text);
            for refused in &outcome.refused {
                let reason = refused.reason.to_string();
                prop_assert!(!reason.contains("do not come to an end"), "{text}");
            }
        }
    }
}
