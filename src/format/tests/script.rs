//! Scripts and stylesheets: their meaning, the code that comments apply to, and what is rejected.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use fixpoint_format::{FormatError, Language, Style, canonical, parses, same_meaning};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

fn language_of(path: &str) -> Language {
    Language::detect(path, "").unwrap()
}

/// The canonical text, which must be stable and have the same meaning.
fn printed(path: &str, text: &str) -> String {
    let language = language_of(path);
    let result = canonical(language, path, text, &styles);
    let result = result.unwrap_or_else(|error| panic!("{error}: {text}"));
    let again = canonical(language, path, &result, &styles);
    assert_eq!(again.as_deref(), Ok(result.as_ref()), "not a fixpoint");
    assert_ne!(same_meaning(language, path, text, &result), Some(false));
    result.into_owned()
}

#[test]
fn jsx_keeps_every_space_that_is_rendered() {
    let cases = [
        ("a = <p><b>Price: </b>{p}</p>;", "<b>Price: </b>"),
        ("a = <p> {b} </p>;", "<p> {b} </p>"),
        ("a = <p> </p>;", "<p> </p>"),
        ("a = <p>a  b</p>;", "<p>a  b</p>"),
        ("a = <p>{x}  {y}</p>;", "<p>{x}  {y}</p>"),
        ("a = <p>\u{a0}{b}\u{a0}</p>;", "<p>\u{a0}{b}\u{a0}</p>"),
        ("a = <p>a \u{a0}</p>;", "<p>a \u{a0}</p>"),
        ("a = <p>\u{3000}</p>;", "<p>\u{3000}</p>"),
        ("a = <> a</>;", "<> a</>"),
    ];
    for (text, expected) in cases {
        for path in ["a.jsx", "a.tsx", "a.js"] {
            let result = printed(path, text);
            assert!(result.contains(expected), "{text}: {result}");
        }
    }
    let long = format!("a = <p>{} </p>;", "word ".repeat(30).trim_end());
    assert!(printed("a.jsx", &long).contains("word{\" \"}\n"));
}

#[test]
fn jsx_keeps_white_space_that_one_compiler_renders() {
    let words = "word ".repeat(20);
    for space in ["\u{a0}", "\u{3000}", "\u{feff}", "\u{200b}", "\u{2028}"] {
        for children in [
            space.to_owned(),
            space.repeat(2),
            format!("{space}a{space}"),
            format!("{space}{words}{space}"),
            format!("{space} {{b}} {space}"),
            format!("{words}{space} {words}c"),
            format!("\n  {space}\n"),
            format!("\n  {space}a{space}\n  b\n"),
            format!("<b>{space}</b>{space}"),
        ] {
            for path in ["a.jsx", "a.tsx"] {
                let result = printed(path, &format!("f( );a = <p>{children}</p>;"));
                assert!(result.starts_with("f();\n"), "{result}");
                let count = |text: &str| text.matches(space).count();
                assert_eq!(count(&result), count(&children), "{result}");
            }
        }
    }
    for text in ["a&nbsp;b", "&nbsp;", "&#32;a&nbsp;", "{\"\\u00a0\"}"] {
        let text = format!("a = <p>{text}</p>;\n");
        assert_eq!(printed("a.jsx", &text), text);
    }
}

#[test]
fn jsx_meanings_differ_if_react_renders_something_else() {
    let same = |one: &str, two: &str| same_meaning(Language::Jsx, "a.jsx", one, two);
    let cases = [
        ("<p>a </p>", "<p>a</p>", false),
        ("<p>a </p>", "<p>a{\" \"}</p>", true),
        ("<p>\n  a\n\n  b\n</p>", "<p>a b</p>", true),
        ("<p>\n\u{a0}a\n</p>", "<p>a</p>", false),
        ("<p>{a} {b}</p>", "<p>{a}\n{b}</p>", false),
        ("<p>{/* c */}a</p>", "<p>a</p>", true),
        ("<p a='b'/>", "<p a=\"b\" />", true),
        ("<p a='b '/>", "<p a=\"b\" />", false),
        ("<p>&amp;</p>", "<p>{\"&\"}</p>", true),
        ("<p>{(a, b)}</p>", "<p>{(a, c)}</p>", false),
        // TypeScript trims these characters at line ends, and Babel does not.
        ("<p>\n\u{a0}\n</p>", "<p>\u{a0}</p>", false),
        ("<p>\u{feff}a</p>", "<p>\n\u{feff}a\n</p>", false),
        ("<p>a\u{3000}</p>", "<p>\na\u{3000}\n</p>", false),
        ("<p>a&nbsp;</p>", "<p>\n  a&nbsp;\n</p>", true),
    ];
    for (one, two, expected) in cases {
        assert_eq!(same(one, two), Some(expected), "{one} and {two}");
    }
}

#[test]
fn script_meanings_are_compared_exactly() {
    let same = |one: &str, two: &str| same_meaning(Language::TypeScript, "a.ts", one, two);
    let cases = [
        ("a = 'b'", "a = \"b\";", true),
        ("('use strict')", "'use strict'", false),
        ("a = (b + c) + d", "a = b + c + d;", true),
        ("a = b - (c - d)", "a = b - c - d", false),
        ("(a?.b).c", "a?.b.c", false),
        ("if (a) b()", "if (a) { b(); }", true),
        ("a = `b `", "a = `b`", false),
        ("a = /b/g", "a = /b/", false),
        ("f(a,)", "f(a)", true),
        ("a = [b,,]", "a = [b,]", false),
        ("type A = | B", "type A = B", true),
        ("async () => {}", "() => {}", false),
        ("a = 0xFF", "a = 0xff", true),
        ("a = /* #__PURE__ */ f()", "a = f()", false),
        ("(a) = () => {}", "a = () => {}", false),
        ("[(a) = () => {}] = b", "[a = () => {}] = b", false),
        ("(a.b) = () => {}", "a.b = () => {}", true),
    ];
    for (one, two, expected) in cases {
        assert_eq!(same(one, two), Some(expected), "{one} and {two}");
    }
}

#[test]
fn a_file_that_may_be_a_module_is_compared_as_script_and_as_module() {
    let same = |one: &str, two: &str| same_meaning(Language::JavaScript, "a.js", one, two);
    let cases = [
        ("await\nx", "await; x", false),
        ("await /x/g", "await / x / g", false),
        ("await (x)", "await(x);", true),
        (
            "function f() { await\nx }",
            "function f() { await; x }",
            true,
        ),
        ("x = 010", "x = 010;", true),
    ];
    for (one, two, expected) in cases {
        assert_eq!(same(one, two), Some(expected), "{one} and {two}");
    }
}

#[test]
fn a_string_in_parentheses_does_not_become_a_directive() {
    let text = "('use cache')\nfunction f() { (\"use strict\"); return   1 }\n";
    for path in ["a.ts", "a.tsx", "a.js"] {
        let result = printed(path, text);
        assert!(result.starts_with("(\"use cache\");\n"), "{result}");
        assert!(
            result.contains("  (\"use strict\");\n  return 1;\n"),
            "{result}"
        );
    }
}

#[test]
fn the_layout_under_a_suppression_is_kept_and_the_rest_is_printed() {
    let long =
        "aaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,ccccccccccccccccccccccccccc)";
    for above in [
        "// @ts-ignore",
        "// @ts-expect-error: why",
        "/* @ts-ignore */",
        "// eslint-disable-next-line no-undef",
        "/* oxlint-disable-next-line */",
        "// tslint:disable-next-line",
        "// deno-lint-ignore no-explicit-any",
        "// $FlowFixMe[x]",
    ] {
        let text = format!("f( 1 )\nfunction g() {{\n  {above}\n  x = {long}\n}}\nh( 2 )\n");
        let result = printed("a.ts", &text);
        let expected = format!("f(1);\nfunction g() {{\n  {above}\n  x = {long};\n}}\nh(2);\n");
        assert_eq!(result, expected);
    }
    for behind in [
        "// eslint-disable-line",
        "// NOLINT",
        "/* oxlint-disable-line */",
    ] {
        let result = printed("a.ts", &format!("f( 1 )\nx = {long} {behind}\nh( 2 )\n"));
        assert_eq!(result, format!("f(1);\nx = {long}; {behind}\nh(2);\n"));
        let result = printed("a.ts", &format!("f( 1 )\na( ); b( ); {behind}\nh( 2 )\n"));
        assert_eq!(result, format!("f(1);\na( ); b( ); {behind}\nh(2);\n"));
    }
}

#[test]
fn a_suppression_inside_an_expression_stays_with_its_code() {
    let element = "<A\n  // @ts-ignore\n  b={c} d={e}\n/>";
    assert!(printed("a.tsx", &format!("x = {element}\n")).contains("b={c} d={e}"));
    let import = "import { a,\n  // @ts-ignore\n  b, c } from \"x\"; // eslint-disable-line\n";
    assert_eq!(
        printed("a.ts", &format!("{import}f( )\n")),
        format!("{import}f();\n")
    );
    let chain = "if (a) { // eslint-disable-line\n  b( )\n}\nc( )\n";
    let result = printed("a.js", chain);
    assert!(
        result.contains("if (a) { // eslint-disable-line"),
        "{result}"
    );
    assert!(result.ends_with("c();\n"), "{result}");
}

#[test]
fn a_suppression_between_parts_of_a_statement_keeps_only_that_statement() {
    let cases = [
        "if (a) { b( ) } else // @ts-ignore\n  c( )",
        "if (a) b( )\nelse\n  // eslint-disable-next-line\n  c( )",
        "x = { a: 1, // eslint-disable-line\nb: 2, // @ts-ignore\nc: { d: 3 }, e: 4 }",
        "try { a( )\n} catch { }\n/* istanbul ignore next */ finally { }",
        "class A\n  // c\n  /* istanbul ignore next */ extends B { }",
        "import *\n/* istanbul ignore next */ as a from 'b'",
        "label: while (1) a // eslint-disable-line\n/* c */ ;",
        "@A( ) // eslint-disable-line\nclass B { @C( ) /* c8 ignore next */ d }",
        "a( ); /* @ts-ignore */ b( );\nc( )",
        "x = a && /* @ts-ignore */ b\n  && c( )\nd( )",
        "for (const a of\n// eslint-disable-next-line\n[ ]) break\n;",
    ];
    for text in cases {
        let result = printed("a.ts", &format!("f( 1 )\n{text}\n\nh( 2 )\nh( 3 )\n"));
        assert!(result.starts_with("f(1);\n"), "{result}");
        assert!(result.ends_with("h(3);\n"), "{result}");
    }
}

#[test]
fn a_stylesheet_keeps_its_layout_at_a_suppression() {
    let text = "a{b:c}\nd{e:f} /* stylelint-disable-line */\ng{h:1.50em}\n";
    let expected = "a {\n  b: c;\n}\nd{e:f} /* stylelint-disable-line */\ng {\n  h: 1.50em;\n}\n";
    let result = printed("a.css", text);
    assert_eq!(result.replace("1.5em", "1.50em"), expected);
}

#[test]
fn a_script_with_comments_in_unusual_places_is_printed() {
    let cases = [
        (
            "a.ts",
            "type A<T> = { /* c */ -readonly [K in keyof T] /* d */ -?: T[K] };",
        ),
        (
            "a.ts",
            "type A<T> = {\n  // c\n  +readonly [K in keyof T]: T[K];\n};",
        ),
        ("a.ts", "class A // c\n  extends B {}"),
        ("a.ts", "class A<T> // c\n  // d\n  extends B<T> { x = 1 }"),
        ("a.ts", "interface A // c\n  extends B, /* d */ C { a: 1 }"),
        (
            "a.ts",
            "type A<X> = X /* c */ extends /* d */ Y /* e */ ? 1 : 2;",
        ),
        (
            "a.tsx",
            "a = <p>{/* c */}<b // d\n  x='1' /* e */ {...y} /* f */>{ /* g */ x }</b></p>;",
        ),
        ("a.tsx", "a = <A /* c */ />;"),
        ("a.tsx", "a = <A>{x // c\n}{\n// d\n}</A /* e */>;"),
        ("a.tsx", "a = < /* c */ A>b</A>;"),
        ("a.tsx", "a = <>{/* c */ /* d */}</ /* e */ >;"),
    ];
    for (path, text) in cases {
        let result = printed(path, &format!("f( 1 );\n{text}\n"));
        assert!(result.starts_with("f(1);\n"), "{result}");
        for mark in ["c", "d", "e", "f", "g"] {
            let count = |text: &str| {
                text.matches(&format!("/* {mark} */")).count()
                    + text.matches(&format!("// {mark}\n")).count()
            };
            assert_eq!(count(text), count(&result), "{result}");
        }
    }
}

#[test]
fn a_comment_after_the_last_statement_stays_with_it() {
    let text = "f( 1 )\n// prettier-ignore\ng( 2 ); // why\n";
    let expected = "f(1);\n// prettier-ignore\ng( 2 ); // why\n";
    assert_eq!(printed("a.ts", text), expected);
}

#[test]
fn a_common_js_module_may_return() {
    for path in ["a.js", "a.cjs"] {
        assert_eq!(
            printed(path, "if (a) return\nb( )\n"),
            "if (a) return;\nb();\n"
        );
    }
    for (path, text) in [("a.mjs", "return 1"), ("a.js", "import 'a'\nreturn 1")] {
        assert!(parses(language_of(path), path, text).is_err(), "{text}");
    }
}

#[test]
fn brackets_outside_of_code_do_not_count_as_nesting() {
    let many = "(".repeat(25);
    for text in [
        format!("a = /[{many}]/;\n"),
        format!("a = `{many}${{f(b)}}{many}`;\n"),
        format!("a = /{many}{}/;\n", ")".repeat(25)),
    ] {
        assert_eq!(printed("a.ts", &text), text);
    }
}

#[test]
fn html_may_omit_optional_end_tags() {
    for text in [
        "<ul><li>a<li>b</ul>",
        "<table><tr><td>a<td>b<tr><td>c</table>",
        "<!doctype html><html><head><title>a</title><body><p>b",
        "<select><option>a<option>b</select>",
        "<dl><dt>a<dd>b</dl>",
    ] {
        assert_eq!(parses(Language::Html, "a.html", text), Ok(()), "{text}");
        let result = canonical(Language::Html, "a.html", text, &styles);
        let omitted = matches!(result, Err(FormatError::OmittedEndTag { .. }));
        assert!(omitted, "{text}: {result:?}");
    }
    assert!(parses(Language::Html, "a.html", "<div><span>a</div>").is_err());
}

#[test]
fn fifty_thousand_declarations_are_printed() {
    let text = format!("a{{{}}}\n", "b:c;\n".repeat(50_000));
    let expected = format!("a {{\n{}}}\n", "  b: c;\n".repeat(50_000));
    let result = canonical(Language::Css, "a.css", &text, &styles);
    assert_eq!(result.as_deref(), Ok(expected.as_str()));
}
