//! Any input gives a result or an error in a short time, and never a worse text.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use fixpoint_format::{
    FormatError, Language, Style, Suppressions, canonical, comments, parses, same_meaning,
};

/// Each language with the name of a file. The crates of Starlark and Clank have such tests of their
/// own.
fn languages() -> impl Iterator<Item = (Language, &'static str)> {
    let all = Language::ALL.iter().copied();
    all.filter(|language| !matches!(language, Language::Starlark | Language::Clank))
        .map(|language| (language, language.info().example.path))
}

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

/// Runs on a stack of the size that the callers use.
fn on_large_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30);
    thread.spawn(run).unwrap().join().unwrap();
}

/// A result must have the properties of every canonical text. An error is also fine.
fn survives(language: Language, path: &str, text: &str) {
    let spans = comments(language, path, text);
    assert!(spans.iter().all(|span| text.get(span.range()).is_some()));
    if let Err(error) = parses(language, path, text) {
        assert!(
            text.get(error.span().range()).is_some(),
            "{path}: {error:?}"
        );
    }
    Suppressions::find(language, path, text);
    match canonical(language, path, text, &styles) {
        Ok(output) => {
            let again = canonical(language, path, &output, &styles);
            assert!(matches!(again, Ok(Cow::Borrowed(_))), "{path}: {text:.60?}");
        }
        Err(FormatError::Syntax(error)) => {
            assert!(
                text.get(error.span().range()).is_some(),
                "{path}: {error:?}"
            );
        }
        Err(FormatError::TooDeep { span, .. }) => assert!(text.get(span.range()).is_some()),
        Err(_) => {}
    }
}

#[test]
fn odd_texts_are_handled_in_every_language() {
    let odd = [
        "",
        " ",
        "\n",
        "\r\n\r\n",
        "\u{feff}",
        "\u{feff}\u{feff}a",
        "\0",
        "a\0b",
        "\r",
        "a\rb",
        "\u{2028}",
        "ä",
        "🦀\r\n",
        "'",
        "\"",
        "`",
        "/*",
        "<!--",
        "#",
        "//",
        "\\",
        "%",
        "&",
        "*",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "{{",
        "}}",
        "{% if %}",
        "---",
        "...",
        "|",
        ">-",
        "- a\n  - b\n c",
        "\t- a",
        "a: b: c",
        "<a",
        "<a b=",
        "</a>",
        "```",
        "~~~js\n",
        "${",
        "@",
        "fixpoint:",
        "# fixpoint: off",
        "// fixpoint: on\n// fixpoint: off",
        "/* fixpoint: off",
        "# fixpoint: ignore[format]",
        "// fixpoint: ignore[",
        "<!-- fixpoint: off -->\n* a",
    ];
    on_large_stack(move || {
        for (language, path) in languages() {
            for text in odd {
                survives(language, path, text);
                survives(language, path, &format!("{text}\n{text}\r\n"));
            }
        }
    });
}

#[test]
fn deep_and_long_texts_are_handled_in_every_language() {
    let parts = [
        "(",
        "[",
        "{",
        "<",
        "((",
        "[{",
        "{a:",
        "{\"a\":",
        "a(",
        "<div>",
        "<b><i>",
        "- ",
        "? ",
        "> ",
        ">",
        "* ",
        "1. ",
        "*",
        "**a ",
        "_a ",
        "`",
        "!",
        "-",
        "not ",
        "a+",
        "a and ",
        "a&&",
        "a?b:",
        "a.",
        "a[0]",
        "a=>",
        "lambda:",
        "if(a)",
        "else if(a)",
        "new ",
        "await ",
        "A<",
        "a|",
        "${",
        "`${",
        "<a>{",
        "a: ",
        "[a, ",
        "!!a ",
        "&a ",
        "\"",
        "'",
        "/*",
        "<!--",
        "\\",
        ":not(",
        "@a{",
        "a,",
        "a\n",
        "#",
        "~",
    ];
    on_large_stack(move || {
        for (language, path) in languages() {
            for part in parts {
                let text = part.repeat(30_000 / part.len());
                survives(language, path, &text);
            }
        }
    });
}

#[test]
fn brackets_nested_a_hundred_thousand_deep_are_rejected() {
    let closed =
        |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for (language, path) in languages() {
        if matches!(
            language,
            Language::Text | Language::Markdown | Language::Html
        ) {
            continue;
        }
        let text = match language {
            Language::Toml => format!("a = {}", closed("[", "]")),
            Language::Yaml | Language::Json | Language::Jsonc => closed("[", "]"),
            _ => closed("(", ")"),
        };
        let result = canonical(language, path, &text, &styles);
        assert!(
            matches!(result, Err(FormatError::TooDeep { .. })),
            "{path}: {result:?}"
        );
    }
}

#[test]
fn a_yaml_alias_bomb_is_not_expanded() {
    let mut text = String::from("a0: &a0 [x, x]\n");
    for level in 1..60 {
        text.push_str(&format!(
            "a{level}: &a{level} [*a{0},   *a{0}]\n",
            level - 1
        ));
    }
    let output = canonical(Language::Yaml, "a.yaml", &text, &styles).unwrap();
    assert!(output.len() <= text.len());
    assert_eq!(
        same_meaning(Language::Yaml, "a.yaml", &text, &output),
        Some(true)
    );
}

#[test]
fn template_placeholders_are_not_read_as_yaml() {
    let text = "a:   {{ .Values.a }}\n";
    let result = canonical(Language::Yaml, "a.yaml", text, &styles);
    assert_eq!(result, Err(FormatError::Template));
    let quoted = "a:   \"{{ b }}\"\nc: ${{ d }}\n";
    let output = canonical(Language::Yaml, "a.yaml", quoted, &styles);
    assert_eq!(output.as_deref(), Ok("a: \"{{ b }}\"\nc: ${{ d }}\n"));
}

#[test]
fn json_rejects_what_its_standard_does_not_allow() {
    for text in [
        "{\"a\": 1} // c",
        "[1,]",
        "{\"a\": 1,}",
        "[1,,2]",
        "{'a': 1}",
        "['a']",
        "[`a`]",
        "{a: 1}",
        "{1: 1}",
        "[+1]",
        "[01]",
        "[.5]",
        "[1.]",
        "[0x1]",
        "[1_0]",
        "[NaN]",
        "[-Infinity]",
        "[undefined]",
        "[1 2]",
        "[a]",
        "[-true]",
        "{\"a\"}",
        "{-1: 1}",
        "{,}",
        "[1",
        "[1}",
        "1 2",
        "['a\n']",
        "[`${1}`]",
        "[1a]",
        "[0x]",
        "[/* c]",
    ] {
        let result = canonical(Language::Json, "a.json", text, &styles);
        assert!(
            matches!(result, Err(FormatError::Syntax(_))),
            "{text}: {result:?}"
        );
    }
}

#[test]
fn literals_of_javascript_become_json_where_they_can() {
    for (path, text, expected) in [
        ("a.json", "[\n1,\n2]", "[1, 2]\n"),
        ("a.json", "{\"a\":[1]}", "{ \"a\": [1] }\n"),
        (
            "package.json",
            "{\"a\":[1],\n\n\"b\":{}}",
            "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}\n",
        ),
    ] {
        let output = canonical(Language::Json, path, text, &styles);
        assert_eq!(output.as_deref(), Ok(expected), "{text}");
    }
    for (path, text, expected) in [
        (
            "a.jsonc",
            "{'a\"': 'b', c: .5, 1: +1,}",
            "{ \"a\\\"\": \"b\", \"c\": 0.5, \"1\": +1 }\n",
        ),
        (
            "a.jsonc",
            "[NaN, 0XA, `a`, undefined]",
            "[NaN, 0xa, `a`, undefined]\n",
        ),
        ("a.jsonc", "[1,,2,,]", "[1, , 2, ,]\n"),
        ("a.jsonc", "[1,] // c", "[1] // c\n"),
        ("a.jsonc", "{\n\"a\": 1 // c\n}", "{\n  \"a\": 1, // c\n}\n"),
        (
            "tsconfig.json",
            "{\n\"a\": 1, // c\n}",
            "{\n  \"a\": 1 // c\n}\n",
        ),
    ] {
        let output = canonical(Language::Jsonc, path, text, &styles);
        assert_eq!(output.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn an_ignored_member_or_element_of_json_stays_as_it_is() {
    let text = "{\n  // prettier-ignore\n  \"a\":  [1,0,\n        0,1],\n  \"b\":   [/* prettier-ignore */ {'c':1}, 2],\n}\n";
    let expected = "{\n  // prettier-ignore\n  \"a\":  [1,0,\n        0,1],\n  \"b\": [/* prettier-ignore */ {'c':1}, 2]\n}\n";
    let output = canonical(Language::Jsonc, "a.json", text, &styles);
    assert_eq!(output.as_deref(), Ok(expected));
}

#[test]
fn tables_and_lists_of_numbers_have_their_own_layout() {
    let numbers = "1234567, ".repeat(12);
    let text = format!("{{\"a\": [[1, 2], [3, 4]], \"b\": [{numbers}-8.50]}}");
    let expected = "{\n  \"a\": [\n    [1, 2],\n    [3, 4]\n  ],\n  \"b\": [\n    1234567, 1234567, 1234567, 1234567, 1234567, 1234567, 1234567, 1234567,\n    1234567, 1234567, 1234567, 1234567, -8.5\n  ]\n}\n";
    let output = canonical(Language::Json, "a.json", &text, &styles);
    assert_eq!(output.as_deref(), Ok(expected));
}

#[test]
fn a_disabled_language_is_not_formatted_even_when_embedded() {
    let without_json = |language| match language {
        Language::Json => None,
        other => styles(other),
    };
    let json = canonical(Language::Json, "a.json", "{ }", &without_json);
    assert!(matches!(json, Ok(Cow::Borrowed("{ }"))));
    let text = "```json\n{ }\n```\n\n```toml\na=1\n```\n";
    let markdown = canonical(Language::Markdown, "a.md", text, &without_json);
    assert_eq!(
        markdown.as_deref(),
        Ok("```json\n{ }\n```\n\n```toml\na = 1\n```\n")
    );
}

#[test]
fn the_span_of_an_error_refers_to_the_original_text() {
    let text = "\u{feff}{\r\n\"a\": 1,\r\n\"b\": ?\r\n}";
    let Err(FormatError::Syntax(error)) = canonical(Language::Json, "a.json", text, &styles) else {
        panic!("the text is not JSON");
    };
    assert_eq!(error.span().start(), text.find('?').unwrap());
}

#[test]
fn json_after_a_byte_order_mark_is_parsed() {
    let text = "\u{feff}// why\n{ \"a\": 1 }\n";
    assert!(parses(Language::Jsonc, "a.jsonc", text).is_ok());
    let found: Vec<&str> = comments(Language::Jsonc, "a.jsonc", text)
        .into_iter()
        .map(|span| &text[span.range()])
        .collect();
    assert_eq!(found, ["// why"]);
    let same = same_meaning(Language::Jsonc, "a.jsonc", text, "{ \"a\": 1 }\n");
    assert_eq!(same, Some(true));
    let error = parses(Language::Json, "a.json", "\u{feff}{ ? }").expect_err("no JSON");
    assert_eq!(error.span().start(), "\u{feff}{ ".len());
}

#[test]
fn directives_in_strings_are_ignored() {
    let cases = [
        (
            Language::Python,
            "a.py",
            "s = \"# fixpoint: off\"\nx  = 1\n",
        ),
        (
            Language::TypeScript,
            "a.ts",
            "s = \"// fixpoint: off\"\nx  = 1\n",
        ),
        (Language::Yaml, "a.yaml", "s: \"# fixpoint: off\"\nx:   1\n"),
        (
            Language::Toml,
            "a.toml",
            "s = \"# fixpoint: off\"\nx  = 1\n",
        ),
        (Language::Jsonc, "a.jsonc", "[\"// fixpoint: off\",\n1]\n"),
        (
            Language::Markdown,
            "a.md",
            "`<!-- fixpoint: off -->`\n\n* a\n",
        ),
    ];
    for (language, path, text) in cases {
        assert_eq!(
            Suppressions::find(language, path, text),
            Suppressions::default(),
            "{path}"
        );
        assert_ne!(
            canonical(language, path, text, &styles).as_deref(),
            Ok(text),
            "{path}"
        );
    }
}
