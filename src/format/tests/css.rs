//! Stylesheets keep their meaning: anything that the printer would change stays as written.
#![cfg(feature = "css")]
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use fixpoint_format::{Language, Style, canonical, same_meaning};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

/// The canonical text, which must have the same meaning and be its own canonical text.
fn printed(text: &str) -> String {
    let result = canonical(Language::Css, "a.css", text, &styles).unwrap();
    let again = canonical(Language::Css, "a.css", &result, &styles);
    assert!(matches!(again, Ok(Cow::Borrowed(_))), "{result}");
    let same = same_meaning(Language::Css, "a.css", text, &result);
    assert_eq!(same, Some(true), "{result}");
    result.into_owned()
}

#[test]
fn values_that_scripts_can_read_keep_their_bytes() {
    for value in [
        "#FFF 'a'",
        "{ a:b;  c:D }",
        ".5EM   1.0",
        "a/* b */c",
        "a !IMPORTANT",
        "[A  ,B]",
        "",
    ] {
        let text = format!("a{{--B:{value};c:d}}");
        let expected = format!("a {{\n  --B: {value};\n  c: d;\n}}\n");
        assert_eq!(printed(&text), expected);
    }
    let text = "@property --a{syntax:'*';initial-value:#FFF}";
    let expected = "@property --a {\n  syntax: \"*\";\n  initial-value: #FFF;\n}\n";
    assert_eq!(printed(text), expected);
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
                    @keyframes B {\n  FROM {\n    c: 1px;\n  }\n}\n";
    assert_eq!(printed(text), expected);
}

#[test]
fn only_a_rule_whose_meaning_would_change_keeps_its_layout() {
    let optional = "a{b:calc((1px*2) + (c))}";
    let expected = "a {\n  b: calc((1px*2) + (c));\n}\n";
    assert_eq!(printed(optional), expected);
    for kept in [
        "<!-- b{c:d}",
        ";",
        "b:nth-child(0n){c:d}",
        "b{c:1.em}",
        "@charset 'x';",
    ] {
        let text = format!("a{{b:c}}\n{kept}\ne{{f:g}}\n");
        let expected = format!("a {{\n  b: c;\n}}\n{kept}\ne {{\n  f: g;\n}}\n");
        assert_eq!(printed(&text), expected);
    }
    assert_eq!(printed("a{b:c}\n-->"), "a {\n  b: c;\n}\n-->\n");
}
