//! Templates add the imports that they need, and remove those that nothing uses any more.

use serde_json::{Value, json};

use crate::support::{becomes, compile, rule, stays};

fn with_imports(language: &str, pattern: &str, template: &str, add: &str, remove: &str) -> Value {
    let mut rule = rule(language, pattern, template);
    let list = |text: &str| {
        if text.is_empty() {
            json!([])
        } else {
            json!([text])
        }
    };
    rule["imports"] = json!({ "add": list(add), "remove": list(remove) });
    rule
}

#[test]
fn an_import_is_added_where_it_is_missing() {
    let python = with_imports("python", "f($A)", "m.g({{ A }})", "import m", "");
    for (before, after) in [
        ("f(1)\n", "import m\n\nm.g(1)\n"),
        ("import m\nf(1)\n", "import m\nm.g(1)\n"),
        (
            "#!/usr/bin/python\n# Copyright\n\"\"\"Doc.\"\"\"\n\nf(1)\n",
            "#!/usr/bin/python\n# Copyright\n\"\"\"Doc.\"\"\"\n\nimport m\n\nm.g(1)\n",
        ),
        (
            "import a  # why\nfrom b import c\n\nf(1)\nf(2)\n",
            "import a  # why\nfrom b import c\nimport m\n\nm.g(1)\nm.g(2)\n",
        ),
    ] {
        becomes("python", &python, before, after);
    }
    for text in ["m = 1\nf(1)\n", "import n as m\nf(1)\n"] {
        assert!(stays("python", &python, text).contains("imports"), "{text}");
    }
    let go = with_imports("go", "f($A)", "errors.New({{ A }})", "errors", "");
    assert!(compile(&go).is_err());
    let cases = [
        (
            "go",
            "\"errors\"",
            "package p\n\nimport (\n\t\"fmt\"\n)\n\nvar x = f(1)\n",
            "package p\n\nimport (\n\t\"fmt\"\n\t\"errors\"\n)\n\nvar x = m.g(1)\n",
        ),
        (
            "go",
            "\"errors\"",
            "// P.\npackage p\n\nvar x = f(1)\n",
            "// P.\npackage p\n\nimport \"errors\"\n\nvar x = m.g(1)\n",
        ),
        (
            "typescript",
            "import { m } from 'm';",
            "import a from 'a';\n\nx = f(1);\n",
            "import a from 'a';\nimport { m } from 'm';\n\nx = m.g(1);\n",
        ),
        (
            "java",
            "import a.b.M;",
            "package p;\n\nclass C { Object x = f(1); }\n",
            "package p;\n\nimport a.b.M;\n\nclass C { Object x = m.g(1); }\n",
        ),
        (
            "rust",
            "use a::m;",
            "use b::c;\n\nfn h() { f(1); }\n",
            "use b::c;\nuse a::m;\n\nfn h() { m.g(1); }\n",
        ),
        (
            "starlark",
            "load(\"//a:b.bzl\", \"m\")",
            "load(\"//a:c.bzl\", \"d\")\n\nx = f(1)\n",
            "load(\"//a:c.bzl\", \"d\")\nload(\"//a:b.bzl\", \"m\")\n\nx = m.g(1)\n",
        ),
    ];
    for (language, add, before, after) in cases {
        let rule = with_imports(language, "f($A)", "m.g({{ A }})", add, "");
        becomes(language, &rule, before, after);
    }
}

#[test]
fn an_import_is_removed_when_nothing_uses_it() {
    let python = with_imports(
        "python",
        "six.text_type($A)",
        "str({{ A }})",
        "",
        "import six",
    );
    becomes(
        "python",
        &python,
        "import os\nimport six\n\nx = six.text_type(1)\n",
        "import os\n\nx = str(1)\n",
    );
    for rest in [
        "y = six.moves\n",
        "__all__ = ['six']\n",
        "def f() -> 'six.X': pass\n",
    ] {
        becomes(
            "python",
            &python,
            &format!("import six\nx = six.text_type(1)\n{rest}"),
            &format!("import six\nx = str(1)\n{rest}"),
        );
    }
    becomes(
        "python",
        &python,
        "import six  # why\nx = six.text_type(1)\n",
        "import six  # why\nx = str(1)\n",
    );
    let from = with_imports(
        "python",
        "b($A)",
        "d({{ A }})",
        "from a import d",
        "from a import b",
    );
    becomes(
        "python",
        &from,
        "from a import b\n\nb(1)\n",
        "from a import d\n\nd(1)\n",
    );
    becomes(
        "python",
        &from,
        "from a import (\n    b,\n    c,\n)\n\nb(c)\n",
        "from a import (\n    c,\n)\nfrom a import d\n\nd(c)\n",
    );
    let script = with_imports(
        "typescript",
        "b($A)",
        "d({{ A }})",
        "",
        "import { b } from 'a';",
    );
    becomes(
        "typescript",
        &script,
        "import { b, c } from 'a';\nb(c);\n",
        "import { c } from 'a';\nd(c);\n",
    );
}

#[test]
fn an_import_under_another_name_is_removed_with_its_last_use() {
    let mut from = with_imports(
        "python",
        "b($A)",
        "d({{ A }})",
        "from a import d",
        "from a import b",
    );
    from["constraints"] = json!([{ "import": { "name": "b", "module": "a", "symbol": "b" } }]);
    becomes(
        "python",
        &from,
        "from a import b as x\n\nx(1)\n",
        "from a import d\n\nd(1)\n",
    );
    becomes(
        "python",
        &from,
        "from a import b as unused\nfrom a import b\n\nb(1)\n",
        "from a import b as unused\nfrom a import d\n\nd(1)\n",
    );
}
