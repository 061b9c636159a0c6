//! Patterns match by structure, in every language.

use super::{Pattern, PatternError};
use crate::tree::{Language, Tree};

fn found(language: Language, pattern: &str, text: &str) -> Vec<String> {
    let pattern = Pattern::parse(language, pattern).unwrap_or_else(|error| panic!("{error}"));
    let tree = Tree::parse(language, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let matches = pattern.matches(&tree).into_iter();
    let shown = matches.map(|found| {
        let mut shown = text[found.span.range()].to_owned();
        for (name, binding) in &found.captures {
            shown += &format!(" | {name}={}", &text[binding.span.range()]);
        }
        shown
    });
    shown.collect()
}

#[test]
fn metavariables_match_nodes_and_runs_of_siblings() {
    use Language as L;
    let cases: &[(Language, &str, &str, &[&str])] = &[
        (
            L::Python,
            "f($A)",
            "f(x); f(x, y); g(f(1)); f(a=1); f(*b)",
            &["f(x) | A=x", "f(1) | A=1"],
        ),
        (
            L::Python,
            "f($A, $$$REST)",
            "f(x)\nf(x, y, z=1,)\nf()",
            &["f(x) | A=x | REST=", "f(x, y, z=1,) | A=x | REST=y, z=1"],
        ),
        (
            L::Python,
            "f($$$A, timeout=$T)",
            "f(a, b, timeout=1)\nf(timeout=2)",
            &[
                "f(a, b, timeout=1) | A=a, b | T=1",
                "f(timeout=2) | A= | T=2",
            ],
        ),
        (
            L::Python,
            "f(timeout=$T, $$$A)",
            "f(timeout=2, a=3)",
            &["f(timeout=2, a=3) | A=a=3 | T=2"],
        ),
        (
            L::Python,
            "$X == $X",
            "a.b == a . b; a == b",
            &["a.b == a . b | X=a.b"],
        ),
        (
            L::Python,
            "$X is None",
            "(a or b) is None",
            &["(a or b) is None | X=(a or b)"],
        ),
        (
            L::Python,
            "if $A:\n    yield\nelse:\n    yield",
            "if a:\n    b()\n    yield\nelse:\n    yield\n",
            &[],
        ),
        (
            L::Python,
            "if $A:\n    $$$B",
            "if a: b; c\nif a: b\nelse: c\n",
            &["if a: b; c | A=a | B=b; c"],
        ),
        (
            L::Python,
            "$X = open($P)\n$$$B\n$X.close()",
            "f = open(p)\na()\nb()\nf.close()\n",
            &["f = open(p)\na()\nb()\nf.close() | B=a()\nb() | P=p | X=f"],
        ),
        (
            L::Python,
            "f('a')",
            "f(\"a\"); f(b'a'); f('a' 'b')",
            &["f(\"a\")"],
        ),
        (
            L::Python,
            "def $F($$$P):\n    return $X",
            "def f(a, b=1): return a",
            &["def f(a, b=1): return a | F=f | P=a, b=1 | X=a"],
        ),
        (
            L::JavaScript,
            "var $X = require($M);",
            "var a = require('b')\nvar c = require('d');",
            &[
                "var a = require('b') | M='b' | X=a",
                "var c = require('d') | M='d' | X=c",
            ],
        ),
        (
            L::JavaScript,
            "foo($$$A).bar",
            "foo(1, ...b).bar; foo().bar",
            &["foo(1, ...b).bar | A=1, ...b", "foo().bar | A="],
        ),
        (
            L::TypeScript,
            "$X as any",
            "(a.b as any).c",
            &["a.b as any | X=a.b"],
        ),
        (
            L::Tsx,
            "<$T a={$V} />",
            "x = <B a={c.d} />",
            &["<B a={c.d} /> | T=B | V=c.d"],
        ),
        (
            L::Starlark,
            "native.$F($$$A)",
            "native.cc(name = \"a\", x = [1])\n",
            &["native.cc(name = \"a\", x = [1]) | A=name = \"a\", x = [1] | F=cc"],
        ),
        (
            L::Starlark,
            "return $X",
            "def f():\n    return 1\n",
            &["return 1 | X=1"],
        ),
        (
            L::Rust,
            "$X.unwrap()",
            "fn f() { a.b().unwrap().c.unwrap(); }",
            &[
                "a.b().unwrap().c.unwrap() | X=a.b().unwrap().c",
                "a.b().unwrap() | X=a.b()",
            ],
        ),
        (
            L::Rust,
            "if let Some($P) = $E { $$$B }",
            "fn f() { if let Some(x) = y { a(); b } }",
            &["if let Some(x) = y { a(); b } | B=a(); b | E=y | P=x"],
        ),
        (
            L::Rust,
            "assert!($$$A)",
            "fn f() { assert!(a == b, \"c\"); }",
            &["assert!(a == b, \"c\") | A=a == b, \"c\""],
        ),
        (
            L::Go,
            "errors.New(fmt.Sprintf($$$A))",
            "package p\nvar e = errors.New(fmt.Sprintf(\"a %d\", 1))\n",
            &["errors.New(fmt.Sprintf(\"a %d\", 1)) | A=\"a %d\", 1"],
        ),
        (
            L::Go,
            "$X := $Y",
            "package p\nfunc f() { a := b; c, d := e() }\n",
            &["a := b | X=a | Y=b"],
        ),
        (
            L::Java,
            "new Integer($X)",
            "class C { Object a = new Integer(1 + 2); }",
            &["new Integer(1 + 2) | X=1 + 2"],
        ),
        (
            L::Java,
            "$X.foo($$$A);",
            "class C { void m() { a.b.foo(1, 2); } }",
            &["a.b.foo(1, 2); | A=1, 2 | X=a.b"],
        ),
        (
            L::C,
            "strcpy($A, $B)",
            "void f() { strcpy(a, b[1]); }",
            &["strcpy(a, b[1]) | A=a | B=b[1]"],
        ),
        (
            L::Cpp,
            "if ($C) { $$$B }",
            "void f() { if (a) { b(); c(); } }",
            &["if (a) { b(); c(); } | B=b(); c(); | C=a"],
        ),
        #[cfg(feature = "clank")]
        (
            L::Clank,
            "f($X)",
            "fn g() -> Int { f(1 + 2) }",
            &["f(1 + 2) | X=1 + 2"],
        ),
    ];
    for (language, pattern, text, expected) in cases {
        assert_eq!(
            found(*language, pattern, text),
            *expected,
            "{language:?} {pattern}"
        );
    }
}

#[test]
fn bad_patterns_are_errors() {
    for language in Language::ALL {
        let of = |text: &str| Pattern::parse(*language, text).map(|pattern| pattern.text);
        assert!(
            matches!(of("f((($A"), Err(PatternError::Syntax { .. })),
            "{language:?}"
        );
        assert_eq!(of(" \n"), Err(PatternError::Empty), "{language:?}");
        assert_eq!(
            of(" $X "),
            Err(PatternError::MatchesEverything),
            "{language:?}"
        );
        assert!(matches!(
            of("f($A, $$$A)"),
            Err(PatternError::OneAndMany { .. })
        ));
    }
}

#[test]
fn comments_and_layout_do_not_matter() {
    let text = "f(  # one\n    a,\n    # two\n    b,\n)\n";
    assert_eq!(
        found(Language::Python, "f($A, b)", text),
        [format!("{} | A=a", text.trim_end())]
    );
}

#[test]
fn many_ellipses_in_one_list_are_bounded() {
    let text = format!("f({})", "a, ".repeat(300));
    let pattern = "f($$$A, b, $$$B, c, $$$C, d, $$$D, e)";
    assert!(found(Language::Python, pattern, &text).is_empty());
}
