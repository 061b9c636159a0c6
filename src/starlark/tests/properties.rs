//! Properties that hold for any input: nothing panics, the tree is lossless, and canonical text is
//! valid, stable and keeps every comment.

use fixpoint_starlark::{FileKind, Kind, LeafKind, comments, format, parse};
use proptest::prelude::*;

const KINDS: [FileKind; 5] = [
    FileKind::Build,
    FileKind::Workspace,
    FileKind::Module,
    FileKind::Bzl,
    FileKind::Default,
];

/// Random sequences of tokens, most of which are not valid.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "a",
        "b",
        "load",
        "def",
        "if",
        "elif",
        "else",
        "for",
        "in",
        "not",
        "is",
        "lambda",
        "return",
        "pass",
        "and",
        "é",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ";",
        ".",
        "=",
        "+=",
        "==",
        "+",
        "-",
        "*",
        "**",
        "->",
        "//",
        "1",
        "0.5",
        "\"s\"",
        "'t'",
        "'''u\n v'''",
        "\"",
        "'",
        "\"\"\"",
        "r'\\'",
        "\\",
        "\\\n",
        "\n",
        "\n    ",
        "\n  ",
        "\n\n",
        "\r\n",
        "\t",
        " ",
        "  ",
        "# c\n",
        "#",
        "# do not sort\n",
        "$",
        "\u{feff}",
        "\u{a0}",
        "load('m', 'a')\n",
        "f(a = 1,",
        "):",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.concat())
}

/// A random expression with `depth` levels, with comments and line breaks where brackets allow
/// them.
fn expression(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop::sample::select(vec![
        "a",
        "foo",
        "\"//a:a\"",
        "'b'",
        "\"c\"",
        "'''d\n e'''",
        "1",
        "017",
        ".5",
        "1.0E+05",
        "1.0e0",
        "[]",
        "()",
        "{}",
        "x.y",
    ]);
    let leaf = leaf.prop_map(str::to_owned).boxed();
    if depth == 0 {
        return leaf;
    }
    let inner = expression(depth - 1);
    let gap = || {
        prop::sample::select(vec![
            "",
            "",
            "",
            "",
            "\n  ",
            " # s\n",
            "\n# l\n",
            "\n\n # b\n",
        ])
    };
    let list = prop::collection::vec((inner.clone(), gap()), 0..4).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(e, g)| format!("{e},{g}"))
            .collect::<String>()
    });
    let named = prop::collection::vec(
        (
            prop::sample::select(vec!["name = ", "deps = ", "srcs=", "b = ", "", "*", "**"]),
            inner.clone(),
            gap(),
        ),
        0..4,
    );
    let named = named.prop_map(|parts| {
        parts
            .into_iter()
            .map(|(n, e, g)| format!("{n}{e},{g}"))
            .collect::<String>()
    });
    let operator = prop::sample::select(vec!["+", "-", "and", "not in", "==", "is", "or", "%"]);
    prop_oneof![
        leaf,
        (gap(), list.clone()).prop_map(|(g, l)| format!("[{g}{l}]")),
        (gap(), list).prop_map(|(g, l)| format!("({g}a, {l})")),
        (gap(), named).prop_map(|(g, l)| format!("f({g}{l})")),
        (inner.clone(), gap(), gap()).prop_map(|(e, g, h)| format!("({g}{e}{h})")),
        (inner.clone(), inner.clone(), gap()).prop_map(|(k, v, g)| format!("{{{k}: {v}{g}}}")),
        (inner.clone(), operator, gap(), inner.clone())
            .prop_map(|(l, o, g, r)| format!("({l} {o} {g}{r})")),
        (inner.clone(), gap(), inner.clone())
            .prop_map(|(l, g, r)| format!("[{l}{g} for x, y in {r}{g}]")),
        inner.clone().prop_map(|e| format!("not {e}")),
        inner.clone().prop_map(|e| format!("(lambda x, *y: {e})")),
        (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} if {b} else {a})")),
        (inner.clone(), inner).prop_map(|(a, b)| format!("x[{a}:{b}]")),
    ]
    .boxed()
}

fn line() -> impl Strategy<Value = String> {
    let end = || {
        prop::sample::select(vec![
            "\n",
            "\n",
            "\n\n",
            "  # e\n",
            "\n# below\n",
            "\n\n# apart\n\n",
        ])
    };
    let load = prop::sample::select(vec![
        "load(':b.bzl', 'c', d = 'e')",
        "load('@a//x:y.bzl', 'z')",
        "load(\n  # over\n':b.bzl', 'c', # f\n 'a')",
        "load(\":b.bzl\", \"c\")",
    ]);
    prop_oneof![
        (expression(2), end()).prop_map(|(e, n)| format!("{e}{n}")),
        (expression(2), end()).prop_map(|(e, n)| format!("x = {e}{n}")),
        (expression(1), end()).prop_map(|(e, n)| format!("x += a; y = {e}{n}")),
        (load, end()).prop_map(|(l, n)| format!("{l}{n}")),
    ]
}

fn indented(lines: &[String]) -> String {
    // Lines inside brackets and strings may have any indentation; only the first line must be
    // indented.
    lines.iter().map(|line| format!("   {line}")).collect()
}

fn program() -> impl Strategy<Value = String> {
    let body = || prop::collection::vec(line(), 1..3).prop_map(|lines| indented(&lines));
    let doc = prop::sample::select(vec![
        "",
        "   \"\"\"Doc.\n     more\n   \"\"\"\n",
        "   # over\n",
        "\n",
    ]);
    let item = prop_oneof![
        4 => line(),
        1 => (doc, body()).prop_map(|(d, b)| format!("def f(a, *b, c: int = 1) -> int: # d\n{d}{b}")),
        1 => (expression(1), body(), body()).prop_map(|(c, a, b)| format!("if {c}:\n{a}elif d:\n{b}else: # e\n{a}")),
        1 => (expression(1), body()).prop_map(|(c, b)| format!("for x, y in {c}:\n{b}")),
        1 => (expression(1), expression(0)).prop_map(|(c, b)| format!("if {c}: {b}\n\n# after\n")),
    ];
    prop::collection::vec(item, 1..5).prop_map(|items| items.concat())
}

fn comment_texts(text: &str) -> Vec<&str> {
    let spans = comments(text).into_iter();
    let mut texts: Vec<&str> = spans.map(|span| text[span.range()].trim()).collect();
    texts.sort_unstable();
    texts
}

fn check_tree(text: &str) {
    let parse = parse(text);
    assert_eq!(parse.tree.text(), text);
    let leaves = parse.tree.leaves();
    let mut at = 0;
    for leaf in &leaves {
        assert_eq!(leaf.span.start(), at);
        at = leaf.span.end();
        if leaf.kind == LeafKind::Comment {
            assert!(text[leaf.span.range()].starts_with('#'));
        }
    }
    assert_eq!(at, text.len());
    for root in parse.tree.statements().iter() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let mut at = node.span().start();
            for child in node.children() {
                if parse.errors.is_empty() {
                    assert!(
                        at <= child.span().start(),
                        "{:?} in {:?}",
                        child.text(),
                        node.text()
                    );
                    assert!(child.span().end() <= node.span().end().max(child.span().start()));
                }
                // The two names of a symbol without an alias are at the same position.
                let twin = child.kind() == Kind::LoadName || child.kind() == Kind::Else;
                at = if twin {
                    child.span().start()
                } else {
                    child.span().end()
                };
                open.push(child);
            }
        }
    }
    for error in parse.errors {
        assert!(
            text.get(error.span().range()).is_some(),
            "{error} at {:?}",
            error.span()
        );
    }
}

/// Returns whether there is a canonical text, and checks it.
fn check_format(kind: FileKind, text: &str) -> bool {
    let Ok(once) = format(kind, "x", text) else {
        return false;
    };
    assert_eq!(parse(&once).errors, []);
    assert_eq!(format(kind, "x", &once).as_ref(), Ok(&once));
    assert_eq!(comment_texts(&once), comment_texts(text));
    assert!(!once.contains(" \n") || text.contains("'''") || text.contains("\"\"\""));
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tokens_give_a_lossless_tree(text in soup()) {
        check_tree(&text);
        for kind in KINDS {
            check_format(kind, &text);
        }
    }

    #[test]
    fn any_text_gives_a_lossless_tree(text in "\\PC*") {
        check_tree(&text);
        check_format(FileKind::Build, &text);
    }

    #[test]
    fn well_formed_files_have_a_canonical_text(text in program()) {
        check_tree(&text);
        for kind in KINDS {
            prop_assert!(check_format(kind, &text), "{:?}", format(kind, "x", &text));
        }
    }
}
