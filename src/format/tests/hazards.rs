//! Scripts whose meaning depends on white space, parentheses, semicolons or comments, and their
//! canonical texts.
#![allow(clippy::unwrap_used)]

use fixpoint_format::{Language, Style, canonical, same_meaning};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

/// Checks pairs of a text and its canonical text.
fn check(path: &str, cases: &[(&str, &str)]) {
    let language = Language::detect(path, "").unwrap();
    for (text, expected) in cases {
        let result = canonical(language, path, text, &styles);
        assert_eq!(result.as_deref(), Ok(*expected), "{text}");
        let again = canonical(language, path, expected, &styles);
        assert_eq!(again.as_deref(), Ok(*expected), "not a fixpoint");
        let same = same_meaning(language, path, text, expected);
        assert_eq!(same, Some(true), "{text}");
    }
}

#[test]
fn strings_do_not_become_directives() {
    check(
        "a.js",
        &[
            ("(('use strict'))\nf()", "(\"use strict\");\nf();\n"),
            (
                "'use strict'\n('use asm')",
                "\"use strict\"(\"use asm\");\n",
            ),
            (
                "'use strict';('use asm')",
                "\"use strict\";\n(\"use asm\");\n",
            ),
            (
                "g = () => { ('use cache'); h() }",
                "g = () => {\n  (\"use cache\");\n  h();\n};\n",
            ),
            (
                "class A { m() { ('use strict') } }",
                "class A {\n  m() {\n    (\"use strict\");\n  }\n}\n",
            ),
            // A static block has no directives.
            (
                "class A { static { ('use strict') } }",
                "class A {\n  static {\n    \"use strict\";\n  }\n}\n",
            ),
            ("'use \\x73trict'\nf()", "\"use \\x73trict\";\nf();\n"),
            ("'a\"b'\nf()", "'a\"b';\nf();\n"),
        ],
    );
}

#[test]
fn statements_end_at_the_same_positions() {
    check(
        "a.js",
        &[
            (
                "let x = 1\n;(a)\n;[b]\n;`c`\n;+d\n;/e/g",
                "let x = 1;\na;\n[b];\n`c`;\n+d;\n/e/g;\n",
            ),
            ("a = b\n(c)", "a = b(c);\n"),
            ("a = b\n[c]", "a = b[c];\n"),
            ("a = b\n`c`", "a = b`c`;\n"),
            ("a = b\n/c/g", "a = b / c / g;\n"),
            ("a\n++\nb", "a;\n++b;\n"),
            ("a /* c\n*/ ++b", "a;\n/* c\n */ ++b;\n"),
            ("async\nfunction f() {}", "async;\nfunction f() {}\n"),
            ("let\n[a] = b", "let [a] = b;\n"),
            (
                "function f() { return /*\n*/ x }",
                "function f() {\n  return;\n  /*\n   */ x;\n}\n",
            ),
            (
                "function* f() { yield\n/a/g }",
                "function* f() {\n  yield;\n  /a/g;\n}\n",
            ),
            ("do a(); while (b) c()", "do a();\nwhile (b);\nc();\n"),
            ("if (a) b; else c\n;[d]", "if (a) b;\nelse c;\n[d];\n"),
            (
                "if (a) { if (b) c() } else d()",
                "if (a) {\n  if (b) c();\n} else d();\n",
            ),
            (
                "class A { a\n['b']() {} c\n*d() {} get\n*e() {} }",
                "class A {\n  a;\n  [\"b\"]() {}\n  c;\n  *d() {}\n  get;\n  *e() {}\n}\n",
            ),
        ],
    );
    check(
        "a.ts",
        &[
            ("type\nA = 1", "type;\nA = 1;\n"),
            ("abstract\nclass A {}", "abstract;\nclass A {}\n"),
            ("type A = B\n[C]", "type A = B;\n[C];\n"),
            ("let a = b as any\n(c)", "let a = b as any;\nc;\n"),
        ],
    );
}

#[test]
fn operators_and_literals_are_not_merged() {
    check(
        "a.js",
        &[
            ("a = b /* c */ ? .5 : d", "a = b /* c */ ? 0.5 : d;\n"),
            ("a = b?.5:d", "a = b ? 0.5 : d;\n"),
            ("while (x --> 0) f()", "while (x-- > 0) f();\n"),
            ("a = b - -c + +d - --e", "a = b - -c + +d - --e;\n"),
            ("a = 5 .b + 5..b", "a = (5).b + (5).b;\n"),
            (
                "a = 1_000 + 0XFF + 010 + '\\07'",
                "a = 1_000 + 0xff + 010 + \"\\07\";\n",
            ),
            (
                "a = '\\'\"' + '\\\nb'",
                "a =\n  \"'\\\"\" +\n  \"\\\nb\";\n",
            ),
            (
                "a = /[\\p{L}--[a-z]]/v / /[/]/g",
                "a = /[\\p{L}--[a-z]]/v / /[/]/g;\n",
            ),
            ("(a?.b).c; a?.b.c", "(a?.b).c;\na?.b.c;\n"),
            (
                "new (a())(); new (a().b)()",
                "new (a())();\nnew (a().b)();\n",
            ),
            ("a = [, b, , ]", "a = [, b, ,];\n"),
            ("export default (class {})", "export default (class {});\n"),
            ("a = <p>{(b, c)}</p>", "a = <p>{(b, c)}</p>;\n"),
            // `await` is a function in a script, and an operator in a module.
            ("await (x)", "await x;\n"),
            // The function gets the name of a variable without parentheses.
            ("(a) = function () {}", "(a) = function () {};\n"),
            ("[(a) = () => {}] = []", "[(a) = () => {}] = [];\n"),
        ],
    );
    check(
        "a.ts",
        &[
            (
                "enum A { a = 'x\\'y', 'b-c' = \"d\\\"e\" }",
                "enum A {\n  a = \"x'y\",\n  \"b-c\" = 'd\"e',\n}\n",
            ),
            (
                "type A<T> = T extends (infer U extends string) ? U : never",
                "type A<T> = T extends infer U extends string ? U : never;\n",
            ),
            ("type A = (new () => B)[]", "type A = (new () => B)[];\n"),
            ("f((a < b), (c > (d)))", "f(a < b, c > d);\n"),
            ("(a?.b)!.c; a?.b!.c", "(a?.b)!.c;\na?.b!.c;\n"),
        ],
    );
    // Without the comma it would be an element, or syntax that TypeScript reserves for elements.
    for path in ["a.tsx", "a.mts", "a.cts"] {
        check(path, &[("a = <T,>(b: T) => b", "a = <T,>(b: T) => b;\n")]);
    }
}

#[test]
fn modifiers_and_declarations_are_kept() {
    check(
        "a.ts",
        &[
            (
                "class A { static readonly [k: string]: B; declare c; override d!: 1; accessor e = 1 }",
                "class A {\n  static readonly [k: string]: B;\n  declare c;\n  override d!: 1;\n  accessor e = 1;\n}\n",
            ),
            (
                "abstract class A { protected abstract readonly b?: C; abstract get d(): E }",
                "abstract class A {\n  protected abstract readonly b?: C;\n  abstract get d(): E;\n}\n",
            ),
            (
                "function f(a: A): void; function f(a: B): void; function f(a) {}",
                "function f(a: A): void;\nfunction f(a: B): void;\nfunction f(a) {}\n",
            ),
            (
                "import { type A, type as } from 'b'; export { type C } from 'd'",
                "import { type A, type as } from \"b\";\nexport { type C } from \"d\";\n",
            ),
            ("@a export class B {}", "@a\nexport class B {}\n"),
            ("let a = b satisfies C", "let a = b satisfies C;\n"),
            (
                "{ using a = b; await using c = d }",
                "{\n  using a = b;\n  await using c = d;\n}\n",
            ),
            (
                "import defer * as a from 'b'",
                "import defer * as a from \"b\";\n",
            ),
        ],
    );
}

#[test]
fn html_comments_in_scripts_are_kept_or_rejected() {
    for text in [
        "a( ) <!-- c\nb( )\n",
        "a( )\n--> c\nb( )\n",
        "x<!--y\nz( )\n",
    ] {
        let result = canonical(Language::JavaScript, "a.js", text, &styles);
        let kept = result.map_or_else(|_| text.to_owned(), |result| result.into_owned());
        let same = same_meaning(Language::JavaScript, "a.js", text, &kept);
        assert_eq!(same, Some(true), "{kept}");
        let comments = |text: &str| text.matches("<!--").count() + text.matches("-->").count();
        assert_eq!(comments(&kept), 1, "{kept}");
    }
}
