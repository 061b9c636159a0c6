//! Guards limit where a rule applies, and hold only if that is certain.

use serde_json::{Value, json};

use crate::support::{becomes, compile, rule, stays};

fn guarded(language: &str, pattern: &str, template: &str, constraints: Value) -> Value {
    let mut rule = rule(language, pattern, template);
    rule["constraints"] = constraints;
    rule
}

#[test]
fn captures_are_limited_by_kind_text_and_literal() {
    let f = |constraint: Value| guarded("python", "f($A)", "g({{ A }})", json!([constraint]));
    let text = "f(a); f('b'); f(1); f(1.5); f(True); f(None); f(c.d); f(e())\n";
    for (constraint, changed) in [
        (
            json!({"kind": {"capture": "A", "any": ["ExprName", "MethodCall"]}}),
            "a",
        ),
        (json!({"kind": {"capture": "A", "any": ["Call"]}}), "e()"),
        (
            json!({"regex": {"capture": "A", "matches": "[a-c]\\.."}}),
            "c.d",
        ),
        (
            json!({"literal": {"capture": "A", "any": ["string"]}}),
            "'b'",
        ),
        (json!({"literal": {"capture": "A", "any": ["int"]}}), "1"),
        (
            json!({"literal": {"capture": "A", "any": ["float"]}}),
            "1.5",
        ),
        (
            json!({"literal": {"capture": "A", "any": ["bool"]}}),
            "True",
        ),
        (
            json!({"literal": {"capture": "A", "any": ["none"]}}),
            "None",
        ),
        (
            json!({"literal": {"capture": "A", "any": ["identifier"]}}),
            "a",
        ),
    ] {
        let after = text.replace(&format!("f({changed})"), &format!("g({changed})"));
        becomes("python", &f(constraint), text, &after);
    }
    let not = f(json!({"not": {"regex": {"capture": "A", "matches": ".*"}}}));
    assert!(stays("python", &not, text).starts_with("the guard does not hold: not: $A matches"));
}

#[test]
fn the_code_around_a_match_counts() {
    let f = |constraint: Value| guarded("python", "f()", "g()", json!([constraint]));
    let text = "f()\nclass A:\n    def t(self):\n        a()\n        f()\n        b()\n";
    let inner = "f()\nclass A:\n    def t(self):\n        a()\n        g()\n        b()\n";
    let outer = "g()\nclass A:\n    def t(self):\n        a()\n        f()\n        b()\n";
    for (constraint, after) in [
        (json!({"inside": {"kind": "StmtClassDef"}}), inner),
        (json!({"inside": {"kind": "ClassDecl"}}), inner),
        (json!({"inside": {"pattern": "def t($$$P): $$$B"}}), inner),
        (json!({"not": {"inside": {"kind": "FnDecl"}}}), outer),
        (json!({"preceded_by": {"pattern": "a()"}}), inner),
        (json!({"followed_by": {"pattern": "b()"}}), inner),
        (json!({"followed_by": {"kind": "StmtClassDef"}}), outer),
        (json!({"path": {"glob": "b.py"}}), text),
        (
            json!({"path": {"glob": "**/a.py"}}),
            "g()\nclass A:\n    def t(self):\n        a()\n        g()\n        b()\n",
        ),
    ] {
        becomes("python", &f(constraint), text, after);
    }
}

#[test]
fn an_import_is_recognised_under_every_name() {
    let get = guarded(
        "python",
        "requests.get($U)",
        "requests.get({{ U }}, timeout=5)",
        json!([{"import": {"name": "requests.get", "module": "requests", "symbol": "get"}}]),
    );
    for (import, call) in [
        ("import requests", "requests.get"),
        ("import requests as r", "r.get"),
        ("from requests import get", "get"),
        ("from requests import (post, get as g)", "g"),
        ("import os, requests", "requests.get"),
    ] {
        let before = format!("{import}\n\ndef f(u):\n    return {call}(u)\n");
        let after = format!("{import}\n\ndef f(u):\n    return {call}(u, timeout=5)\n");
        becomes("python", &get, &before, &after);
    }
    for text in [
        "requests.get(u)\n",
        "import requests\nrequests = 1\nrequests.get(u)\n",
        "import requests\ndef f(requests):\n    requests.get(u)\n",
        "import requests\nfor requests in x: requests.get(u)\n",
        "def f():\n    import requests\nrequests.get(u)\n",
        "import requests.adapters as requests\nrequests.get(u)\n",
        "from requests import get as requests\nrequests.get(u)\n",
        "import requests\nfrom x import *\nrequests.get(u)\n",
        "import requests\nx.requests.get(u)\n",
        "import requests\nexcept_ = [requests for requests in a if requests.get(u)]\n",
        "try:\n    import requests\nexcept ImportError:\n    requests = None\nrequests.get(u)\n",
    ] {
        stays("python", &get, text);
    }
}

#[test]
fn imports_are_resolved_in_every_language_that_has_them() {
    let cases = [
        (
            "typescript",
            "readFile($A)",
            "read({{ A }})",
            json!({"name": "readFile", "module": "fs", "symbol": "readFile"}),
            vec![
                ("import { readFile } from 'fs';\nreadFile(a);\n", true),
                ("import { readFile } from 'gs';\nreadFile(a);\n", false),
                ("readFile(a);\n", false),
                (
                    "import { readFile } from 'fs';\nfunction f(readFile) { readFile(a); }\n",
                    false,
                ),
            ],
        ),
        (
            "javascript",
            "fs.exists($A)",
            "fs.access({{ A }})",
            json!({"name": "fs", "module": "fs"}),
            vec![
                ("const fs = require('fs');\nfs.exists(a);\n", true),
                ("import * as fs from 'fs';\nfs.exists(a);\n", true),
                ("let fs = f();\nfs.exists(a);\n", false),
                ("import fs from 'fs';\nfs.exists(a);\n", false),
            ],
        ),
        (
            "go",
            "ioutil.ReadAll($A)",
            "io.ReadAll({{ A }})",
            json!({"name": "ioutil.ReadAll", "module": "io/ioutil", "symbol": "ReadAll"}),
            vec![
                (
                    "package p\nimport \"io/ioutil\"\nfunc f() { ioutil.ReadAll(a) }\n",
                    true,
                ),
                (
                    "package p\nimport (\n\tx \"io/ioutil\"\n)\nfunc f() { x.ReadAll(a) }\n",
                    true,
                ),
                (
                    "package p\nimport \"x/ioutil\"\nfunc f() { ioutil.ReadAll(a) }\n",
                    false,
                ),
                (
                    "package p\nimport \"io/ioutil\"\nfunc f(ioutil T) { ioutil.ReadAll(a) }\n",
                    false,
                ),
            ],
        ),
        (
            "java",
            "Lists.of($A)",
            "List.of({{ A }})",
            json!({"name": "Lists", "module": "a.b.Lists"}),
            vec![
                (
                    "import a.b.Lists;\nclass C { Object x = Lists.of(1); }\n",
                    true,
                ),
                (
                    "import a.c.Lists;\nclass C { Object x = Lists.of(1); }\n",
                    false,
                ),
            ],
        ),
        (
            "rust",
            "mem::replace($A, $B)",
            "swap({{ A }}, {{ B }})",
            json!({"name": "mem::replace", "module": "std::mem::replace"}),
            vec![
                ("use std::mem;\nfn f() { mem::replace(a, b); }\n", true),
                (
                    "use std::{fmt, mem::replace as r};\nfn f() { r(a, b); }\n",
                    true,
                ),
                ("fn f() { std::mem::replace(a, b); }\n", true),
                ("use other::mem;\nfn f() { mem::replace(a, b); }\n", false),
            ],
        ),
        (
            "starlark",
            "old($$$A)",
            "new({{ A }})",
            json!({"name": "old", "module": "//a:b.bzl", "symbol": "old"}),
            vec![
                ("load(\"//a:b.bzl\", \"old\")\n\nold(name = \"x\")\n", true),
                (
                    "load(\"//a:b.bzl\", o = \"old\")\n\no(name = \"x\")\n",
                    true,
                ),
                ("load(\"//a:c.bzl\", \"old\")\n\nold(name = \"x\")\n", false),
            ],
        ),
    ];
    for (language, pattern, template, import, texts) in cases {
        let rule = guarded(language, pattern, template, json!([{ "import": import }]));
        for (text, applies) in texts {
            let outcome = crate::support::apply(language, &rule, text);
            assert_eq!(
                !outcome.applied.is_empty(),
                applies,
                "{language} {text} {outcome:?}"
            );
        }
    }
    let c = guarded(
        "c",
        "f($A)",
        "g({{ A }})",
        json!([{"import": {"name": "f", "module": "f.h"}}]),
    );
    stays("c", &c, "#include \"f.h\"\nint x = f(1);\n");
}

#[test]
fn shadowed_names_are_left_alone() {
    let open = guarded(
        "python",
        "open($P)",
        "io.open({{ P }})",
        json!([{"not_shadowed": {"name": "open"}}]),
    );
    becomes(
        "python",
        &open,
        "def f():\n    x.open = 1\n    return open(p, )\n",
        "def f():\n    x.open = 1\n    return io.open(p, )\n",
    );
    for text in [
        "open = g\nopen(p)\n",
        "from os import open\nopen(p)\n",
        "def open(): pass\nopen(p)\n",
        "def f(open): return open(p)\n",
        "def f(*, open=1): return open(p)\n",
        "with a as open: open(p)\n",
        "(a, [open]) = b\nopen(p)\n",
        "lambda open: open(p)\n",
        "[open(p) for open in a]\n",
        "if (open := a): open(p)\n",
        "from x import *\nopen(p)\n",
        "def f():\n    global open\n    open = 1\nopen(p)\n",
        "match a:\n    case open: open(p)\n",
        "try: pass\nexcept E as open: open(p)\n",
    ] {
        assert!(stays("python", &open, text).contains("shadowed"), "{text}");
    }
    becomes(
        "python",
        &open,
        "def f(open): pass\nopen(p)\n",
        "def f(open): pass\nio.open(p)\n",
    );
}

#[test]
fn mistakes_in_guards_are_found_when_the_rule_is_loaded() {
    for (constraint, message) in [
        (
            json!({"kind": {"capture": "B", "any": []}}),
            "names $B, which the pattern does not have",
        ),
        (
            json!({"regex": {"capture": "A", "matches": "("}}),
            "invalid regular expression",
        ),
        (json!({"path": {"glob": "["}}), "invalid glob"),
        (json!({"inside": {}}), "need either a kind or a pattern"),
        (
            json!({"inside": {"pattern": "(("}}),
            "the pattern does not parse",
        ),
        (
            json!({"import": {"name": "h", "module": "m"}}),
            "`h` is the name of an import constraint",
        ),
        (
            json!({"not": {"import": {"name": "f", "module": "m"}}}),
            "`not` cannot contain",
        ),
        (json!({"unknown": {}}), "unknown variant `unknown`"),
    ] {
        let rule = guarded("python", "f($A)", "g({{ A }})", json!([constraint]));
        let error = compile(&rule).expect_err("an error").to_string();
        assert!(error.contains(message), "{error}");
    }
}
