//! Stylesheets are formatted and keep their meaning.
#![cfg(feature = "css")]
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use fixpoint_format::{Language, Style, canonical, parses, same_meaning};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

/// The canonical text, which must have the same meaning and be its own canonical text.
fn printed(text: &str) -> String {
    printed_as(Language::Css, text)
}

fn printed_as(language: Language, text: &str) -> String {
    let path = format!("a.{}", language.name());
    let result = canonical(language, &path, text, &styles).unwrap();
    let again = canonical(language, &path, &result, &styles);
    assert!(matches!(again, Ok(Cow::Borrowed(_))), "{result}");
    let same = same_meaning(language, &path, text, &result);
    assert_eq!(same, Some(true), "{result}");
    result.into_owned()
}

#[test]
fn custom_properties_are_formatted() {
    for (value, expected) in [
        ("#FFF 'a'", " #fff \"a\""),
        (".5EM   1.0", " 0.5em 1"),
        ("a !IMPORTANT", " a !important"),
        ("{ a:b;  c:D }", " {\n    a: b;\n    c: D;\n  }"),
        ("a,", " a,"),
        ("", ""),
    ] {
        let text = format!("a{{--B:{value};c:d}}");
        let expected = format!("a {{\n  --B:{expected};\n  c: d;\n}}\n");
        assert_eq!(printed(&text), expected);
    }
}

#[test]
fn declarations_for_old_browsers_are_formatted() {
    let text = "a{filter:progid:DXImageTransform.Microsoft.gradient(A='#FFF',b=1);*zoom:1;\
                *+height:1px;_height:1px;filter:alpha(opacity=50);width:1px\\9}";
    let expected = "a {\n  filter: progid:DXImageTransform.Microsoft.gradient(A='#FFF',b=1);\n  \
                    *zoom: 1;\n  *+height: 1px;\n  _height: 1px;\n  filter: alpha(opacity=50);\n  width: 1px\\9;\n}\n";
    assert_eq!(printed(text), expected);
}

#[test]
fn names_keep_significant_letter_case() {
    let text = "linearGradient,A:HOVER{COLOR:#FFF}@keyframes B{FROM{c:1PX}}";
    let expected = "linearGradient,\nA:hover {\n  color: #fff;\n}\n\
                    @keyframes B {\n  from {\n    c: 1px;\n  }\n}\n";
    assert_eq!(printed(text), expected);
}

#[test]
fn only_a_rule_whose_meaning_would_change_keeps_its_layout() {
    for kept in ["b{c:1.em}", "b, {c:d}", "b{c:d};"] {
        let text = format!("a{{b:c}}\n{kept}\ne{{f:g}}\n");
        let expected = format!("a {{\n  b: c;\n}}\n{kept}\ne {{\n  f: g;\n}}\n");
        assert_eq!(printed(&text), expected);
    }
}

#[test]
fn a_list_of_one_item_stays_one() {
    let list = "$a: b c,;\n";
    assert_eq!(printed_as(Language::Scss, list), list);
    let value = "$a: (b: ($c * 2));\n";
    let expected = "$a: (\n  b: (\n    $c * 2\n  ),\n);\n";
    assert_eq!(printed_as(Language::Scss, value), expected);
}

#[test]
fn ignored_statements_keep_their_bytes() {
    let text = "/* prettier-ignore */\na{b:c}\nd{e:f}\n\
                /* prettier-ignore-start */\ng{h:i}\nj  {k:l}\n/* prettier-ignore-end */\nm{n:o}\n";
    let expected = "/* prettier-ignore */\na{b:c}\nd {\n  e: f;\n}\n\
                    /* prettier-ignore-start */\ng{h:i}\nj  {k:l}\n/* prettier-ignore-end */\n\
                    m {\n  n: o;\n}\n";
    assert_eq!(printed(text), expected);
    let text = "a{\n// prettier-ignore\nb:c\n}\n";
    let expected = "a {\n  // prettier-ignore\n  b:c\n}\n";
    assert_eq!(printed_as(Language::Scss, text), expected);
}

#[test]
fn errors_have_a_position() {
    for (language, text, position) in [
        (Language::Css, "a{b:c", 0),
        (Language::Css, "a{b:c}}", 6),
        (Language::Css, "a{b}", 2),
        (Language::Css, "a{b:'c}", 4),
        (Language::Css, "a{b:c d:e}", 7),
        (Language::Scss, "a{b:#{c}", 0),
        (Language::Scss, "a{b:#{c", 4),
        (Language::Less, "a{b:url(c", 7),
    ] {
        let error = parses(language, "a", text).unwrap_err();
        assert_eq!(error.span().start(), position, "{text}: {error}");
    }
}

#[test]
fn long_and_deep_stylesheets_are_formatted() {
    let deep = format!("a{{b:{}1{}}}", "f(".repeat(150), ")".repeat(150));
    assert!(printed(&deep).contains("f("));
    let rules = "a{".repeat(200) + "b:c" + &"}".repeat(200);
    assert!(printed_as(Language::Less, &rules).ends_with("}\n"));
    let long = format!("a{{{}}}", "b:c;".repeat(5000));
    assert_eq!(printed(&long).lines().count(), 5002);
    let wide = format!("$a: (b: {});", "(c d) ".repeat(2000));
    assert!(printed_as(Language::Scss, &wide).len() > wide.len());
}

#[test]
fn values_may_begin_with_any_character() {
    assert_eq!(printed("a{b:é@c}"), "a {\n  b: é @c;\n}\n");
    assert_eq!(printed("é>ß.ü,#ä::ö{}"), "é > ß.ü,\n#ä::ö {\n}\n");
}
