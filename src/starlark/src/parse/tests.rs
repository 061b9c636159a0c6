use super::{MAX_DEPTH, parse};
use crate::{FileKind, format};

/// The errors of a text and the source at each of them.
fn errors(text: &str) -> Vec<(String, &str)> {
    let parse = parse(text);
    let errors = parse.errors.iter();
    errors
        .map(|e| (e.message().to_owned(), &text[e.span().range()]))
        .collect()
}

#[test]
fn the_leaves_concatenate_to_the_text() {
    for text in [
        "",
        "x = [1, # a\n  2]\n# b",
        "if x:\n  y(\n",
        "x = 'a\n)]\ny",
        "\\\n \\\n",
        "\u{feff}x\r\n",
    ] {
        assert_eq!(parse(text).tree.text(), text);
    }
}

#[test]
fn text_that_bazel_rejects_has_errors() {
    let bad = [
        "x = a,",
        "a = b = 1",
        "'a' 'b'",
        "x = a, b if c else d",
        "x: int = 1",
        "f(,)",
        "[,1]",
        "{1,,}",
        "def f(a,,b): pass",
        "load('m')",
        "load('m', a)",
        "load('m', 'a',, 'b')",
        "x.load()",
        "load = 1",
        "1.e5",
        "b'x'",
        "while x: pass",
        "x = (]",
        "x = )",
        "if a:\n# c\nb",
        "  x",
        "x \\\r\n + 1",
        "\x0c",
        "f(a.b = 1)",
        "x[]",
        "a ** b",
        "[*a]",
        "{a: b, c}",
        "if a: for b in c: d",
        "x!y",
        "else: x",
        "a;;b",
        "lambda (a): b",
        "f(x for x in y)",
    ];
    for text in bad {
        assert!(!errors(text).is_empty(), "{text:?}");
    }
}

#[test]
fn text_that_bazel_accepts_has_no_errors() {
    let good = [
        "x = a if b else c, d",
        "f(,1,,2,)",
        "x = (a,,b)",
        "{a, b}",
        "{a,,b}",
        "lambda a, : b",
        "else_ = 1",
        "a is not b",
        "if a:\n  pass\nelse if b:\n  pass",
        "load(,'m',,'a',,)",
        "x = load('m', 'a')",
        "1.5.a",
        "x[a, b:c]",
        "x[::]",
        "for a.b, c[1] in d: pass",
        "def f(a: int = 1, *, b, **c) -> d | e: pass",
        "not a in b",
        "a < b < c",
        "\\\nx",
        "if a:\n\t  b\n  c",
        "x = 1 . 5",
        "f(*a if b else c)",
        "def f(): a; b;",
        "é = 1",
    ];
    for text in good {
        assert_eq!(errors(text), [], "{text:?}");
    }
}

#[test]
fn one_error_does_not_hide_the_next() {
    let text = "x = \ny = 1\nfoo(\n    a = ,\n    b = [1,\n)\nz = 2\ndef f():\n    a b\n    return c d\nq = $\n";
    let found: Vec<&str> = errors(text).into_iter().map(|(_, at)| at).collect();
    assert_eq!(found, ["\n", ",", "b", "d", "$"]);
}

#[test]
fn an_error_says_what_was_expected_and_found() {
    assert_eq!(
        errors("f(a b)\n"),
        [("expected `,` or `)`, found `b`".to_owned(), "b")]
    );
    assert_eq!(
        errors("x = 'a\n"),
        [("this string does not end on its line".to_owned(), "'a")]
    );
}

#[test]
fn too_deep_nesting_is_reported() {
    let depth = 10_000;
    for (open, close) in [
        ("[", "]"),
        ("(", ")"),
        ("{1:", "}"),
        ("f(", ")"),
        ("not ", ""),
        ("lambda: ", ""),
        ("a if b else ", ""),
        ("x[", "]"),
    ] {
        let text = format!(
            "x = {}1{}\ny = 2\n",
            open.repeat(depth),
            close.repeat(depth)
        );
        let parse = parse(&text);
        assert!(parse.errors[0].message().contains("nested"), "{open}");
        // A lambda adds two levels, one for itself and one for its body.
        let shallow = MAX_DEPTH as usize / 2 - 1;
        let text = format!("x = {}1{}\n", open.repeat(shallow), close.repeat(shallow));
        assert!(format(FileKind::Bzl, "x.bzl", &text).is_ok(), "{open}");
    }
    let blocks: String = (0..1_000)
        .map(|n| format!("{}if a:\n", " ".repeat(n)))
        .collect();
    assert!(parse(&blocks).errors[0].message().contains("nested"));
}
