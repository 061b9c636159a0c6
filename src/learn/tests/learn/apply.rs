//! What rules make of texts: layout, indentation, lists, statements, and the end of the process.

use fixpoint_learn::{RuleSet, propose};
use serde_json::json;

use crate::support::{apply, apply_all, becomes, compiled, rule, stays};

#[test]
fn what_pattern_and_template_share_stays_as_it_is() {
    let rename = rule(
        "python",
        "self.assertEquals($A, $$$REST)",
        "self.assertEqual({{ A }}, {{ REST }})",
    );
    becomes(
        "python",
        &rename,
        "self.assertEquals(\n    a  # one\n    ,\n    'b' , # two\n)\nself . assertEquals(x)\n",
        "self.assertEqual(\n    a  # one\n    ,\n    'b' , # two\n)\nself . assertEqual(x)\n",
    );
}

#[test]
fn an_empty_list_takes_its_separator_with_it() {
    let add = rule("python", "f($$$A)", "g({{ A }}, timeout=1)");
    becomes(
        "python",
        &add,
        "f()\nf(a)\nf(a, b=2,)\n",
        "g(timeout=1)\ng(a, timeout=1)\ng(a, b=2, timeout=1)\n",
    );
    let last = rule("go", "F($A, $$$B)", "G({{ B }}, {{ A }})");
    becomes(
        "go",
        &last,
        "package p\nvar _ = F(1)\nvar _ = F(1, 2, 3)\n",
        "package p\nvar _ = G(1)\nvar _ = G(2, 3, 1)\n",
    );
}

#[test]
fn lines_of_a_capture_keep_their_indentation_relative_to_its_new_place() {
    let with = rule(
        "python",
        "$X = open($P)\n$$$B\n$X.close()",
        "with open({{ P }}) as {{ X }}:\n    {{ B }}",
    );
    becomes(
        "python",
        &with,
        "def f():\n    h = open(p)\n    for i in h:\n        # a comment\n        s = '''x\n    y'''\n    g()\n    h.close()\n    return 1\n",
        "def f():\n    with open(p) as h:\n        for i in h:\n            # a comment\n            s = '''x\n    y'''\n        g()\n    return 1\n",
    );
}

#[test]
fn statements_become_statements() {
    let require = rule(
        "javascript",
        "const $X = require($M);",
        "import {{ X }} from {{ M }};",
    );
    becomes(
        "javascript",
        &require,
        "const a = require('b');\nconst c = require('d')\n",
        "import a from 'b';\nimport c from 'd'\n",
    );
    let print = rule("java", "System.out.println($A);", "LOG.info({{ A }});");
    becomes(
        "java",
        &print,
        "class C { void f() { System.out.println(1 + x); } }\n",
        "class C { void f() { LOG.info(1 + x); } }\n",
    );
    let check = rule("go", "if $X == true { $$$B }", "if {{ X }} { {{ B }} }");
    becomes(
        "go",
        &check,
        "package p\nfunc f() {\n\tif a == true {\n\t\t// why\n\t\tb()\n\t}\n}\n",
        "package p\nfunc f() {\n\tif a {\n\t\t// why\n\t\tb()\n\t}\n}\n",
    );
    let statement = rule(
        "python",
        "check($A)",
        "if not {{ A }}:\n    raise ValueError",
    );
    becomes(
        "python",
        &statement,
        "if 1:\n    check(a or b)\n",
        "if 1:\n    if not (a or b):\n        raise ValueError\n",
    );
    assert_eq!(
        stays("python", &statement, "x = check(a)\n"),
        "the result would not have the structure of the template"
    );
}

#[test]
fn code_without_parentheses_of_its_own_gets_them() {
    let method = rule("python", "f($A)", "{{ A }}.g()");
    becomes(
        "python",
        &method,
        "f(x for x in y)\n",
        "(x for x in y).g()\n",
    );
    becomes(
        "python",
        &method,
        "f(lambda: 1)\nf((yield))\nf(1)\n",
        "(lambda: 1).g()\n(yield).g()\n(1).g()\n",
    );
    let more = rule("python", "f($A)", "g({{ A }}, 1)");
    becomes(
        "python",
        &more,
        "f(x for x in y)\n",
        "g((x for x in y), 1)\n",
    );
    let not = rule("python", "f($A)", "not {{ A }}");
    becomes(
        "python",
        &not,
        "f(a or b) == c\nf(a == b)\n",
        "(not (a or b)) == c\nnot a == b\n",
    );
    let arrow = rule("javascript", "f($A)", "{{ A }}()");
    becomes(
        "javascript",
        &arrow,
        "x = f(() => 1);\nx = f(async function () {});\n",
        "x = (() => 1)();\nx = async function () {}();\n",
    );
}

#[test]
fn an_f_string_gets_no_quotes_inside_it() {
    let quoted = rule("python", "f($A)", "g({{ A }}, 'b')");
    becomes(
        "python",
        &quoted,
        "f(1)\nx = f'{f(1)}'\n",
        "g(1, 'b')\nx = f'{f(1)}'\n",
    );
}

#[test]
fn a_repeated_metavariable_matches_equal_code() {
    let or = rule("python", "$X if $X else $Y", "{{ X }} or {{ Y }}");
    becomes("python", &or, "z = a.b if a . b else c\n", "z = a.b or c\n");
    stays("python", &or, "z = a.b if a.c else c\n");
}

#[test]
fn the_key_of_a_shorthand_property_is_not_renamed() {
    let rename = rule("javascript", "oldName", "newName");
    becomes(
        "javascript",
        &rename,
        "f(oldName, x.oldName);\n",
        "f(newName, x.oldName);\n",
    );
    assert!(stays("javascript", &rename, "f({ oldName });\n").contains("key"));
}

#[test]
fn rules_that_undo_each_other_change_nothing() {
    let rules = [
        rule("python", "f($A)", "g({{ A }})"),
        rule("python", "g($A)", "f({{ A }})"),
    ];
    let outcome = apply_all("python", &rules, "x = f(1)\n");
    assert_eq!(outcome.text, "x = f(1)\n");
    assert!(outcome.applied.is_empty());
    assert!(
        outcome.refused[0]
            .reason
            .to_string()
            .contains("do not come to an end")
    );
}

#[test]
fn a_higher_priority_is_tried_first() {
    // B-15 B-37
    let mut first = rule("python", "f($A)", "g({{ A }})");
    first["priority"] = json!(1);
    let rules = [rule("python", "f(1)", "h(1)"), first];
    assert_eq!(apply_all("python", &rules, "f(1)\n").text, "g(1)\n");
}

#[test]
fn proposals_are_edits_of_the_text_as_it_is() {
    let rules = RuleSet::new(vec![compiled(&rule("python", "f($A)", "g({{ A }})"))]);
    let text = "f(f(1))\nf(2)\n";
    let proposed = propose("a.py", text, &rules);
    assert!(proposed.refused.is_empty());
    let overlapped = proposed.overlapped.iter();
    let overlapped: Vec<&str> = overlapped.map(|(_, span)| &text[span.range()]).collect();
    assert_eq!(overlapped, ["f("]);
    let proposals = proposed.proposals;
    let spans: Vec<&str> = proposals
        .iter()
        .map(|it| &text[it.matches[0].1.range()])
        .collect();
    assert_eq!(spans, ["f(", "f("]);
    assert_eq!(proposals[0].edits[0].replacement, "g");
    assert_eq!(proposals[0].edits[0].span, (0..1).into());
}

#[test]
fn files_without_the_words_of_a_rule_are_not_parsed() {
    let rules = RuleSet::new(vec![compiled(&rule(
        "python",
        "old.name($A)",
        "new({{ A }})",
    ))]);
    let may_match = |text: &str| rules.may_match(fixpoint_learn::Language::Python, text);
    assert!(may_match("old.name(1)"));
    assert!(!may_match("old.title(1)"));
    assert!(!rules.may_match(fixpoint_learn::Language::Go, "old.name(1)"));
}

#[test]
fn texts_that_do_not_parse_stay() {
    let rename = rule("python", "f($A)", "g({{ A }})");
    assert_eq!(apply("python", &rename, "f(1) +\n").text, "f(1) +\n");
}

#[test]
fn a_name_can_take_the_place_of_a_type() {
    let any = rule("go", "interface{}", "any");
    becomes(
        "go",
        &any,
        "package a\n\nfunc show(x interface{}, y map[string]interface{}) {}\n",
        "package a\n\nfunc show(x any, y map[string]any) {}\n",
    );
}

#[test]
fn a_string_that_replaces_another_keeps_its_line() {
    let moved = rule(
        "starlark",
        "load(\"//old:a.bzl\", $$$NAMES)",
        "load(\"//new:a.bzl\", {{ NAMES }})",
    );
    becomes(
        "starlark",
        &moved,
        "load(\n    \"//old:a.bzl\",\n    \"a\",\n    b = \"c\",\n)\n",
        "load(\n    \"//new:a.bzl\",\n    \"a\",\n    b = \"c\",\n)\n",
    );
}
