//! The tree is lossless and nested in every language, on whole texts and on damaged ones.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{Language, NodeId, Tree};

/// A text of each language, with comments in unusual places.
pub(crate) const SAMPLES: &[(Language, &str)] = &[
    (
        Language::Python,
        "#!/usr/bin/env python\nimport os.path as p  # path\nfrom a import (b, c as d,)\n\n\n@deco(1)\nclass A(B, metaclass=M):\n    '''Doc.'''\n\n    async def f(self, a: int = 1, *args, k=None, **kw) -> (int):\n        if (a): return a \\\n            + 1\n        elif b := g(x for x in y):  # b\n            yield\n        else:\n            pass; pass\n        try:\n            with open(f\"{a!r:>{w}}\") as h, (i): print('a' \"b\", *args, **kw)\n        except (E, F) as e: raise X from e\n        finally: del a, b\n        match a:\n            case [1, (2), *_] | {'k': v}: return lambda x, /, y=1: (x, ((y)))\n        return [i async for i in z if not i][1:2, ...] @ b'' ** -1.5e3\n",
    ),
    (
        Language::JavaScript,
        "#!/usr/bin/env node\n// a\nimport d, { a as b, c } from 'm';\nconst { x, y: [z] = [] } = require(\"n\"), r = /a\\/b/g;\nexport default class A extends B { #p = 1; static async *f(a, ...b) { /* in */ return `t${a + `u${b}`}v`; } get g() { return 1 } }\nfor (const i of a) if (i) { continue } else f(i)(a?.b ?? c, ...d,)\nlabel: while (true) { try { throw new Error('x') } catch { break label } }\na = b ? c : (d, e)\nlet h = (a) => ({ a, 'b': 1, [c]: 2, d() {}, ...e })\n",
    ),
    (
        Language::Jsx,
        "const a = <div className=\"x\" {...p}>text {/* c */}{b && <></>} more &amp; <A.B c={1} /></div>;\n",
    ),
    (
        Language::TypeScript,
        "import type { A } from './a';\ninterface I<T extends A = B> { a?: string; readonly [k: string]: unknown }\ntype U = `a${string}` | { [K in keyof T]-?: T[K] } | (new () => void);\nenum E { A = 1, B }\ndeclare module 'm' { export const a: number }\n@dec() abstract class C<T> implements I<T> { constructor(private readonly a: Map<string, Array<number>>, b?: T) { super() } }\nconst x = <T,>(a: T): a is T => a as unknown as T satisfies T; let y = a!.b! >> c;\nfunction f(this: A, a?: B): asserts a {}\n",
    ),
    (Language::Tsx, "const a = <A<B> c={(d: E) => d!} />;\n"),
    (
        Language::Starlark,
        "# BUILD\nload(\"@x//:y.bzl\", \"a\", b = \"c\")\n\ncc_library(\n    name = \"n\",  # name\n    srcs = glob([\"*.c\"]) + [x for x in y if x],\n    deps = select({\":k\": [], \"//c\": [\"d\"]}),\n)\n\ndef f(a, *b, c = 1, **d):\n    \"\"\"Doc.\"\"\"\n    if not a and (b or c) in d[1:2].e:\n        return lambda x: -x % 2\n    elif c:\n        pass\n    else:\n        a += 1\n    for i, j in d.items(): print(i)\n",
    ),
    #[cfg(feature = "clank")]
    (
        Language::Clank,
        "// c\nfn add(a: Int, b: Int) -> Int {\n  let x = (a + b) * 2; // x\n  if x > 1 { return x } else { add(x, 1) }\n}\n",
    ),
    (
        Language::Rust,
        "//! doc\nuse a::{b, c as d};\n/// outer\n#[derive(Debug)]\npub struct S<'a, T: Fn(u8) -> u8> { pub a: &'a str, b: T }\nimpl<'a> S<'a> { fn f(&mut self, x: impl A) -> Option<u8> { /* b /* n */ */ let S { a, .. } = self; match x { A(1..=2) | B { c } if c => Ok(r#\"a\"#?), _ => vec![1; 2].iter().map(|x| x + 1).collect::<Vec<_>>() } } }\nmacro_rules! m { ($($a:expr),* ; $($b:ident)::+) => { f($($a),*) } }\nfn main() { println!(\"{a} {}\", 'c', b'\\n'); unsafe { *p = 1_u8 as _ } ; async move { x.await? }; }\n",
    ),
    (
        Language::Go,
        "// Package p.\npackage p\n\nimport (\n\t\"fmt\"\n\te \"errors\" // e\n)\n\ntype T[K comparable] struct { a, b int `json:\"a\"`; *E }\n\nfunc (t *T) F(a ...int) (n int, err error) {\n\tif x, err := f(); err != nil { return 0, fmt.Errorf(\"a: %w\", err) } else if y { goto l }\nl:\n\tfor i := range a { defer func() { recover() }() }\n\tswitch v := a.(type) { case int, string: ch <- <-v; default: }\n\treturn []map[string]T{{\"a\": T{b: 1}}}[0][`r`], 'x'\n}\n",
    ),
    (
        Language::Java,
        "// c\npackage a.b;\nimport static java.util.List.*;\n/** doc */\n@A(b = 1)\npublic final class C<T extends D & E> extends F implements G {\n  private int[] a = {1, 2,}; // a\n  @Override public <U> void f(final int... x) throws H { for (var i : x) { this.a[0] = (int) i > 1 ? 2 : 3; } try (R r = new R() {}) { g(y -> y::z); } catch (I | J e) { throw e; } String s = \"\"\"\n    text\n    \"\"\"; switch (a) { case 1 -> h(); default -> {} } }\n}\n",
    ),
    (
        Language::C,
        "/* c */\n#include <stdio.h>\n#define A(x) \\\n  ((x) + 1)\n#if defined(B) // b\nstatic const struct s { int a : 1; char *b[2]; } v = { .a = 1, .b = { \"x\" \"y\", 0 }, };\n#endif\nint main(int argc, char **argv) {\n  for (int i = 0; i < sizeof(v); i++) { *argv[i] = (char) A(i) ? 'c' : '\\0'; }\n  do { goto end; } while (0);\nend: return printf(\"%d\\n\", argc), 0;\n}\n",
    ),
    (
        Language::Cpp,
        "#include \"a.h\" // a\nnamespace n { template <typename T, int N = 1> class C : public B<T> { public: explicit C(T &&t) noexcept : B<T>{t}, x_(std::move(t)) {} ~C() = default; auto f() const -> decltype(x_) { return [&, this](auto... a) mutable { return (a + ...); }(1, 2); } private: std::vector<std::vector<T>> x_; }; }\nint main() { for (const auto &[k, v] : m) { delete[] p; } try { throw 1; } catch (...) {} return R\"(raw)\"s.size() <=> 1; }\n",
    ),
];

/// Checks the invariants of a tree.
fn check(tree: &Tree) {
    let tokens = tree.tokens(tree.root()).map(|token| tree.span(token));
    let mut pieces: Vec<_> = tokens.chain(tree.comments().iter().copied()).collect();
    pieces.sort_by_key(|span| span.start());
    let mut rebuilt = String::new();
    for span in pieces {
        assert!(rebuilt.len() <= span.start(), "{span:?} overlaps");
        let gap = &tree.text()[rebuilt.len()..span.start()];
        assert!(
            gap.chars().all(|char| char.is_whitespace() || char == '\\'),
            "{gap:?} is not in a token"
        );
        rebuilt.push_str(gap);
        rebuilt.push_str(&tree.text()[span.range()]);
    }
    let rest = tree.text()[rebuilt.len()..].trim();
    assert!(
        rest.is_empty() || rest == "\\",
        "{rest:?} is not in a token"
    );
    for node in tree.all() {
        if tree.is_token(node) {
            assert!(tree.children(node).next().is_none());
        }
        let mut end = tree.start(node);
        for child in tree.children(node) {
            assert_eq!(tree.parent(child), Some(node));
            assert!(tree.contains(node, child));
            assert!(end <= tree.start(child), "children overlap");
            end = tree.end(child);
        }
        assert!(end <= tree.end(node), "a child is not inside its parent");
    }
}

#[test]
fn every_language_has_a_sample_with_a_lossless_tree() {
    // B-52 B-53
    for language in Language::ALL {
        let sample = SAMPLES.iter().find(|(other, _)| other == language);
        let (_, text) = sample.unwrap_or_else(|| panic!("no sample of {language:?}"));
        let tree =
            Tree::parse(*language, text).unwrap_or_else(|error| panic!("{language:?}: {error}"));
        check(&tree);
        assert!(
            !tree.comments().is_empty() || !text.contains("//"),
            "{language:?}"
        );
    }
}

#[test]
fn syntax_errors_and_hostile_texts_have_no_tree() {
    for language in Language::ALL {
        assert!(Tree::parse(*language, "f(((").is_err(), "{language:?}");
        assert!(Tree::parse(*language, &"(".repeat(100_000)).is_err());
        assert!(Tree::parse(*language, &"}".repeat(1000)).is_err());
        let empty = Tree::parse(*language, "").expect("an empty text");
        assert_eq!(empty.len(), 1);
    }
}

#[test]
fn python_has_blocks_and_parentheses() {
    let tree = Tree::parse(Language::Python, "if a: f((b))\nelse: c\n").expect("a tree");
    let named = |name: &str| -> Vec<NodeId> {
        let all = tree.all();
        all.filter(|node| tree.kind_name(*node) == name).collect()
    };
    let blocks: Vec<&str> = named("Block")
        .iter()
        .map(|node| tree.text_of(*node))
        .collect();
    assert_eq!(blocks, ["f((b))", "c"]);
    let [parentheses] = named("Parenthesized")[..] else {
        panic!("one pair of parentheses");
    };
    assert_eq!(tree.text_of(parentheses), "(b)");
}

#[test]
fn kinds_and_fields_have_names() {
    let tree = Tree::parse(Language::Go, "package p\nvar a = f(1)\n").expect("a tree");
    let at = tree.text().find("f(").expect("the call");
    let call = tree.covering((at..at + 4).into());
    assert_eq!(tree.kind_name(call), "call_expression");
    let fields: Vec<_> = tree.children(call).map(|child| tree.field(child)).collect();
    assert_eq!(fields, [Some("function"), Some("arguments")]);
}

proptest! {
    /// No damage to a text makes a parser panic, and each tree that it still has is lossless.
    #[test]
    fn damaged_texts_have_lossless_trees_or_none(
        sample in select(SAMPLES),
        (from, to) in any::<(Index, Index)>(),
        piece in select(&["", "(", "\n", "\"", "#", "/*", "é", " ", "x", "\\"][..]),
    ) {
        let (language, text) = sample;
        let bound = |index: Index| text.floor_char_boundary(index.index(text.len()));
        let (from, to) = (bound(from), bound(to));
        let damaged = if from <= to {
            format!("{}{piece}{}", &text[..from], &text[to..])
        } else {
            format!("{}{piece}{}", &text[..from], &text[from..])
        };
        if let Ok(tree) = Tree::parse(language, &damaged) {
            check(&tree);
        }
    }
}
