//! YAML whose value depends on what looks like layout: document markers, the final newline, lone
//! carriage returns.

use fixpoint_format::{FormatError, Language, Style, canonical, parses, same_meaning};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

fn printed(text: &str) -> Result<String, FormatError> {
    let once = canonical(Language::Yaml, "a.yaml", text, &styles)?.into_owned();
    let twice = canonical(Language::Yaml, "a.yaml", &once, &styles)?;
    assert_eq!(twice, once, "a second run changes the text");
    Ok(once)
}

fn same(one: &str, two: &str) -> Option<bool> {
    same_meaning(Language::Yaml, "a.yaml", one, two)
}

#[test]
fn a_document_after_an_empty_block_scalar_is_a_document() {
    for (text, expected) in [
        ("--- |\n--- \nkind: x", "---\n|\n---\nkind: x\n"),
        ("--- >-\n---\nkind:  x\n", "---\n>-\n---\nkind: x\n"),
        ("--- |\n...\nkind:  x\n", "---\n|\n...\nkind: x\n"),
        (
            "a:  1\n--- |\n--- |\n--- [ b ]\n",
            "a: 1\n---\n|\n---\n|\n---\n[b]\n",
        ),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
    assert_eq!(
        same("--- |\n--- \nkind: x\n", "---\n|\n  ---\n  kind: x\n"),
        Some(false)
    );
}

#[test]
fn an_item_without_a_value_may_precede_a_key() {
    for (text, expected) in [
        ("a:\n-\nb:   1\n", "a:\n  -\nb: 1\n"),
        ("a:\n- x\n-\n\nb:\n", "a:\n  - x\n  -\n\nb:\n"),
        ("a:\n  b:\n  -\n  c:   1\n", "a:\n  b:\n    -\n  c: 1\n"),
        ("a:\n-\n# c\nb:\n", "a:\n  -\n# c\nb:\n"),
        ("-\n- a:\n  -\n", "-\n- a:\n    -\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn a_block_scalar_at_the_end_of_a_file_gets_no_extra_newline() {
    for (text, expected) in [
        ("a:  |\n  x", "a: |\n  x"),
        ("a:  >\n    x\n    y", "a: >\n  x\n  y"),
        ("a:  |+\n  x\n\n  y", "a: |+\n  x\n\n  y"),
        ("-   |\n    x", "- |\n  x"),
        ("a:  |\r\n  x\r\n  y", "a: |\r\n  x\r\n  y"),
        ("? - |\n    x", "? - |\n    x"),
        // Here the newline is not part of the value.
        ("a:  |-\n  x", "a: |-\n  x\n"),
        ("a:  |\n  x\n# c", "a: |\n  x\n\n# c\n"),
        ("a:  |\n  x\nb: y", "a: |\n  x\nb: y\n"),
        ("a:  |\n  x\n  ", "a: |\n  x\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
    assert_eq!(same("a: |\n  x", "a: |\n  x\n"), Some(false));
    assert_eq!(same("a: |+\n  x", "a: |+\n  x\n"), Some(false));
    assert_eq!(same("a: |-\n  x", "a: |-\n  x\n"), Some(true));
}

#[test]
fn blank_lines_at_the_end_stay_if_they_are_content() {
    for (text, expected) in [
        ("a:  |+\n  x\n\n\n", "a: |+\n  x\n\n\n"),
        ("a:  >+\n  x\n\n", "a: >+\n  x\n\n"),
        ("a:\n  -   |2+\n     x\n\n", "a:\n  - |2+\n     x\n\n"),
        ("a:  |+\n  x\n  \n", "a: |+\n  x\n\n"),
        ("a:  |+\n\n\n", "a: |+\n\n\n"),
        ("a:  |+\r\n  x\r\n\r\n", "a: |+\r\n  x\r\n\r\n"),
        (
            "a:  |+\n  x\n\n\n---\nb:  |+\n  y\n\n",
            "a: |+\n  x\n\n\n---\nb: |+\n  y\n\n",
        ),
        ("a:  |+\n  x\n\n---\nb:   1\n", "a: |+\n  x\n\n---\nb: 1\n"),
        // These blank lines are layout.
        ("a:  |\n  x\n\n\n", "a: |\n  x\n"),
        ("a:  1+1\n\n\n", "a: 1+1\n"),
        ("a:  |+\n  x\n\nb:  1\n\n\n", "a: |+\n  x\n\nb: 1\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
    assert_eq!(same("a: |+\n  x\n\n\n", "a: |+\n  x\n"), Some(false));
}

#[test]
fn a_lone_carriage_return_ends_a_line() {
    for (text, expected) in [
        ("a: |\n  x\r  y\n", "a: |\n  x\n  y\n"),
        ("a: |\n  x\r\r\n  y\n", "a: |\n  x\n\n  y\n"),
        ("a: |\r\n  x\r\r\n  y\r\n", "a: |\r\n  x\r\n\r\n  y\r\n"),
        ("a: 1\rb:   2\r", "a: 1\nb: 2\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn a_broken_flow_list_of_quoted_strings_is_printed() {
    let (one, two) = ("a".repeat(40), "b".repeat(40));
    for quote in ["\"", "'"] {
        let text = format!("k: [{quote}{one}{quote}, {quote}{two}{quote}]\nl:   1\n");
        let expected = format!("k:\n  [\n    \"{one}\",\n    \"{two}\",\n  ]\nl: 1\n");
        assert_eq!(printed(&text), Ok(expected));
    }
    let nested = format!("a:\n  - k: {{x: \"{one}\", y: ['{two}']}}\n");
    assert!(printed(&nested).is_ok(), "{:?}", printed(&nested));
}

#[test]
fn a_document_marker_may_end_the_file() {
    for (text, expected) in [
        ("a:  1\n---", "a: 1\n---\n"),
        ("a:  1\n--- ", "a: 1\n---\n"),
        ("a:  1\r\n---", "a: 1\r\n---\r\n"),
        ("a:  1\n--- # c", "a: 1\n--- # c\n"),
        ("a:  1\n---\n# c", "a: 1\n---\n# c\n"),
        ("---", "---\n"),
        ("---\n---", "---\n---\n"),
        ("a:  1\n...", "a: 1\n...\n"),
        ("a:  1\n... ", "a: 1\n...\n"),
        ("a:  1\n...\n# c", "a: 1\n# c\n...\n"),
        ("a\n...", "a\n...\n"),
        ("a\n---", "a\n---\n"),
        ("a:  |\n  x\n---", "a: |\n  x\n---\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
        assert_eq!(same(text, expected), Some(true), "{text:?}");
        assert_eq!(parses(Language::Yaml, "a.yaml", text), Ok(()), "{text:?}");
    }
}

#[test]
fn a_comma_directly_after_a_tag_is_accepted() {
    assert_eq!(
        printed("{a:   !!str, b: 1}\n").as_deref(),
        Ok("{ a: !!str , b: 1 }\n")
    );
    assert_eq!(
        same("{a: !!str, b: 1}\n", "{a: !!str, b: 2}\n"),
        Some(false)
    );
    assert_eq!(same("{a: !x, b: 1}\n", "{a: !y, b: 1}\n"), Some(false));
}

#[test]
fn the_indentation_in_a_header_moves_with_its_block() {
    for (text, expected) in [
        ("a:\n- |2\n    ind\n", "a:\n  - |2\n      ind\n"),
        ("a:\n    b: |3\n          x\n", "a:\n  b: |3\n        x\n"),
        ("--- |1\n  x\n", "---\n|1\n  x\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn a_collection_with_only_comments_gets_no_comma() {
    assert_eq!(
        printed("a: {\n# c\n}\n").as_deref(),
        Ok("a: {\n    # c\n  }\n")
    );
}

#[test]
fn texts_of_earlier_faults_are_printed() {
    for (text, expected) in [
        ("k: |-\n  x\n   ", "k: |-\n  x\n   \n"),
        ("7: |+\n\n\n4: 1\n", "7: |+\n\n\n4: 1\n"),
        ("[{1: ,b},~,[]]", "[{ 1, b }, ~, []]\n"),
        ("a: | # c\n\n  x\n", "a: | # c\n\n  x\n"),
        ("!!null : a\n", "!!null : a\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn comments_stay_beside_what_they_describe() {
    for (text, expected) in [
        ("a: # c\n  b:  1\n", "a: # c\n  b: 1\n"),
        ("a:\n  - b\n  # c\n # d\n", "a:\n  - b\n  # c\n  # d\n"),
        ("a:\n  - b\n # c\n", "a:\n  - b\n# c\n"),
        ("? b\n # c\n", "? b\n  # c\n"),
        (
            "[ # c\n a, # d\n # e\n]\n",
            "[\n  # c\n  a, # d\n  # e\n]\n",
        ),
        ("key: !!t\n  # c\n  - x\n", "key: !!t # c\n  - x\n"),
    ] {
        assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn ignored_nodes_keep_their_bytes() {
    let text = "a:\n  # prettier-ignore\n  b:   1\n  c:   2\nd:   [1]\n";
    let expected = "a:\n  # prettier-ignore\n  b:   1\n  c:   2\nd: [1]\n";
    assert_eq!(printed(text).as_deref(), Ok(expected));
}
