//! Tests which code each fix keeps, and how exactly it changes the rest.

mod common;

use common::{findings, fixed};
use fixpoint_report::Safety;

fn fix(rule: &str, path: &str, text: &str) -> String {
    fixed(path, text, |name| name == rule)
}

/// Asserts that a rule does not change these texts.
fn kept(rule: &str, path: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(fix(rule, path, text), *text, "{rule}");
    }
}

fn safety(rule: &str, path: &str, text: &str) -> Vec<Safety> {
    let found = findings(path, text).into_iter();
    let of_rule = found.filter(|it| it.rule == rule);
    of_rule
        .flat_map(|it| it.proposals)
        .map(|it| it.safety)
        .collect()
}

#[test]
fn unused_symbols_are_removed_and_comments_kept() {
    let fix = |text| fix("load", "a.bzl", text);
    assert_eq!(
        fix("load(\"m\", \"a\", \"b\")\na()\n"),
        "load(\"m\", \"a\", )\na()\n"
    );
    assert_eq!(
        fix("load(\"m\", \"a\", \"b\", \"c\")\nb()\n"),
        "load(\"m\",  \"b\", )\nb()\n"
    );
    assert_eq!(
        fix("# Licence.\nload(\"m\", \"a\", \"b\")  # why\nc()\n"),
        "# Licence.\n  # why\nc()\n"
    );
    assert_eq!(
        fix("load(\n  \"m\",\n  # inside\n  \"a\",\n)\nb()\n"),
        "# inside\n\nb()\n"
    );
    assert_eq!(fix("load(\"m\", \"a\")\nf(a = 1)\n"), "\nf(a = 1)\n");
    assert_eq!(
        fix("load(\"m\", \"a\", b = # why\n # more\n \"c\")\na()\n"),
        "load(\"m\", \"a\", # why\n# more\n)\na()\n"
    );
    assert_eq!(
        fix("load(\"m\", \"a\")\nload(\"m\", \"a\")\na()\n"),
        "load(\"m\", \"a\")\n\na()\n"
    );
    kept(
        "load",
        "a.bzl",
        &[
            "load(\"m\", \"a\")  # @unused\n",
            "load(\"m\", \"a\", # @unused\n)\n",
            "load(\"m\", \"a\")\nx = a\n",
            "load(\"m\", \"a\")\ndef f(x: a):\n    pass\n",
            "# buildifier: disable=load\nload(\"m\", \"a\")\n",
            "load(\"m\", \"a\"); b()\n",
            "load(\"m\", \"a\")\nload(\"n\", \"a\")\na()\n",
        ],
    );
}

#[test]
fn removing_a_symbol_is_safe_only_in_files_that_cannot_be_loaded() {
    use Safety::{BehaviorPreserving, LikelyPreserving};
    let text = "load(\"m\", \"a\")\n";
    assert_eq!(safety("load", "x/BUILD", text), [BehaviorPreserving]);
    assert_eq!(safety("load", "BUILD.bazel", text), [BehaviorPreserving]);
    for path in ["a.bzl", "WORKSPACE", "BUILD.tpl", "a.star"] {
        assert_eq!(safety("load", path, text), [LikelyPreserving], "{path}");
    }
}

#[test]
fn package_moves_above_targets_with_its_comments() {
    assert_eq!(
        fix(
            "package-on-top",
            "BUILD",
            "load(\"m\", \"a\")\n# About a.\na()\n# About package.\npackage(\n    x = 1,\n)  # beside\nb()\n"
        ),
        "load(\"m\", \"a\")\n# About package.\npackage(\n    x = 1,\n)  # beside\n# About a.\na()\nb()\n"
    );
    kept(
        "package-on-top",
        "BUILD",
        &[
            "V = 1\na()\npackage(x = V)\n",
            "a()\nV = 1\npackage(x = V)\n",
            "package()\na()\n",
            "a(); package()\n",
        ],
    );
}

#[test]
fn native_is_removed_in_build_files_unless_the_name_is_bound() {
    let both = "native.cc_library(name = \"a\")\n";
    assert_eq!(
        fix("native-build", "BUILD", both),
        "cc_library(name = \"a\")\n"
    );
    kept("native-build", "a.bzl", &[both]);
    kept(
        "native-build",
        "BUILD",
        &[
            "load(\"m\", \"cc_library\")\nnative.cc_library(name = \"a\")\n",
            "native = 1\nnative.cc_library(name = \"a\")\n",
        ],
    );
}

#[test]
fn built_in_functions_take_their_arguments_by_position() {
    let fix = |text| fix("keyword-positional-params", "a.bzl", text);
    assert_eq!(
        fix("getattr(x = a, name = \"b\", default = c)\n"),
        "getattr(a, \"b\", c)\n"
    );
    assert_eq!(
        fix("int(x = \"13\", base = 8)\n"),
        "int(\"13\", base = 8)\n"
    );
    assert_eq!(fix("len(x = list(x = y))\n"), "len(list(y))\n");
    kept(
        "keyword-positional-params",
        "a.bzl",
        &[
            "getattr(name = \"b\", x = a)\n",
            "foo(x = 1)\n",
            "def len(x):\n    pass\n\nlen(x = 1)\n",
            "def f(len):\n    return len(x = 1)\n",
            "[len(x = 1) for len in y]\n",
            "len(x =  # why\n    1)\n",
            "len(x = 1, *y)\n",
        ],
    );
}

#[test]
fn old_variables_become_functions_unless_the_file_binds_them() {
    let text = "x = PACKAGE_NAME\n\ndef f(PACKAGE_NAME):\n    return PACKAGE_NAME\n\ny = [PACKAGE_NAME for PACKAGE_NAME in z]\nf(PACKAGE_NAME = 1)\n";
    let want = text.replacen("PACKAGE_NAME", "native.package_name()", 1);
    assert_eq!(fix("package-name", "a.bzl", text), want);
    kept(
        "repository-name",
        "a.bzl",
        &["REPOSITORY_NAME = 1\nx = REPOSITORY_NAME\n"],
    );
    kept("package-name", "BUILD", &["x = PACKAGE_NAME\n"]);
}

#[test]
fn old_attribute_parameters_are_replaced() {
    let bzl = "a.bzl";
    assert_eq!(
        fix("attr-cfg", bzl, "attr.label(a = 1, cfg = \"data\")\n"),
        "attr.label(a = 1, )\n"
    );
    assert_eq!(
        fix("attr-cfg", bzl, "attr.label(cfg = 'host')\n"),
        "attr.label(cfg = \"exec\")\n"
    );
    kept(
        "attr-cfg",
        bzl,
        &["attr.label(cfg = \"exec\")\n", "x.label(cfg = \"host\")\n"],
    );
    assert_eq!(
        safety(
            "attr-cfg",
            bzl,
            "attr.label(cfg = \"data\")\nattr.label(cfg = \"host\")\n"
        ),
        [Safety::BehaviorPreserving, Safety::LikelyPreserving]
    );
    assert_eq!(
        fix(
            "attr-single-file",
            bzl,
            "attr.label(a = 1, single_file = False)\n"
        ),
        "attr.label(a = 1, )\n"
    );
    kept("attr-single-file", bzl, &["attr.label(single_file = x)\n"]);
    for (old, new) in [
        ("non_empty = x", "allow_empty = not x"),
        ("non_empty = not x", "allow_empty = not (not x)"),
        ("non_empty = x or y", "allow_empty = not (x or y)"),
        ("non_empty = False", "allow_empty = True"),
    ] {
        let text = |argument| format!("attr.label_list({argument})\n");
        assert_eq!(fix("attr-non-empty", bzl, &text(old)), text(new));
    }
    kept(
        "attr-non-empty",
        bzl,
        &["attr.label_list(allow_empty = x, non_empty = y)\n"],
    );
}

#[test]
fn skylark_is_renamed_only_as_a_whole_word() {
    let words = "# Skylark, skylark, SKYLARK. In skylark.\n";
    assert_eq!(
        fix("skylark-comment", "BUILD", words),
        "# Starlark, starlark, STARLARK. In starlark.\n"
    );
    kept(
        "skylark-comment",
        "BUILD",
        &[
            "# https://bazel.build/skylark/lib and skylark/x\n",
            "# gazelle:exclude skylark_library.bzl\n",
            "# @io_bazel_skylark//x and bazel-skylark and skylark.bzl\n",
            "# buildifier: disable=skylark-docstring\n",
        ],
    );
    let text = "\"\"\"SkyLark.\"\"\"\nx = \"skylark\"\n";
    assert_eq!(
        fix("skylark-docstring", "a.bzl", text),
        text.replace("SkyLark", "Starlark")
    );
}

#[test]
fn actions_are_renamed_where_their_arguments_allow_it() {
    let fix = |text| fix("ctx-actions", "a.bzl", text);
    assert_eq!(
        fix("ctx.new_file(\"x\")\n"),
        "ctx.actions.declare_file(\"x\")\n"
    );
    assert_eq!(
        fix("ctx.new_file(f, \"x\")\n"),
        "ctx.actions.declare_file(\"x\", sibling = f)\n"
    );
    assert_eq!(
        fix("ctx.action(command = \"x\")\n"),
        "ctx.actions.run_shell(command = \"x\")\n"
    );
    kept(
        "ctx-actions",
        "a.bzl",
        &[
            "ctx.new_file(ctx.genfiles_dir, \"x\")\n",
            "ctx.new_file(a, b, c)\n",
            "ctx.action(outputs = [x])\n",
            "ctx.action(command = \"x\", **kwargs)\n",
            "ctx.empty_action(\"m\")\n",
            "rctx.new_file(\"x\")\n",
        ],
    );
}

#[test]
fn a_type_is_known_only_if_all_bindings_agree() {
    use Safety::{BehaviorChanging, LikelyPreserving};
    let append = |text| safety("list-append", "a.bzl", text);
    assert_eq!(
        append("def f(y):\n    x = []\n    x += [y]\n"),
        [LikelyPreserving]
    );
    for text in [
        "def f(x):\n    x += [1]\n",
        "def f(y):\n    x = []\n    x = y\n    x += [1]\n",
        "def f(y):\n    for x in y:\n        x += [1]\n",
        "def list():\n    pass\n\ndef f():\n    x = list()\n    x += [1]\n",
    ] {
        assert_eq!(append(text), [BehaviorChanging], "{text}");
    }
    kept(
        "depset-iteration",
        "a.bzl",
        &[
            "def f(d):\n    d = depset(d)\n    return [x for x in d]\n",
            "def f(depset):\n    d = depset()\n    return [x for x in d]\n",
        ],
    );
    assert_eq!(
        fix(
            "depset-iteration",
            "a.bzl",
            "def f(c):\n    d = depset(c)\n    return len(d)\n"
        ),
        "def f(c):\n    d = depset(c)\n    return len(d.to_list())\n"
    );
    kept(
        "integer-division",
        "a.bzl",
        &["x = 1.0 / 2\n", "def f(a):\n    return a / 2\n"],
    );
}

#[test]
fn symbols_are_loaded_only_if_their_name_is_not_bound() {
    let rule = "native-cc-library";
    assert_eq!(
        fix(
            rule,
            "a.bzl",
            "def f():\n    native.cc_library()\n    cc_library()\n"
        ),
        "load(\"@rules_cc//cc:cc_library.bzl\", \"cc_library\")\ndef f():\n    cc_library()\n    cc_library()\n"
    );
    kept(
        rule,
        "a.bzl",
        &[
            "def cc_library(**kwargs):\n    native.cc_library(**kwargs)\n",
            "load(\"m\", \"cc_library\")\ndef f():\n    native.cc_library()\n",
            "def f(cc_library):\n    native.cc_library()\n",
        ],
    );
    assert_eq!(
        safety(rule, "BUILD", "cc_library()\n"),
        [Safety::BehaviorChanging]
    );
}

#[test]
fn a_file_with_syntax_errors_has_no_findings() {
    assert_eq!(findings("a.bzl", "x = (\nlen(x = 1)\n").len(), 0);
}

#[test]
fn names_that_the_file_binds_are_not_bazels() {
    kept(
        "package-name",
        "a.bzl",
        &[
            "def f(native):\n    return PACKAGE_NAME\n",
            "native = struct(a = 1)\nx = PACKAGE_NAME\n",
            "load(\":n.bzl\", \"native\")\nx = PACKAGE_NAME\n",
        ],
    );
    kept(
        "output-group",
        "a.bzl",
        &["def f(ctx, OutputGroupInfo):\n    return ctx.attr.x.output_group\n"],
    );
    kept(
        "package-on-top",
        "BUILD",
        &["load(\":x.bzl\", \"package\")\nbar(name = \"z\")\npackage(v = 1)\n"],
    );
    kept(
        "ctx-actions",
        "a.bzl",
        &["def f(ctx):\n    root = ctx.configuration.bin_dir\n    ctx.new_file(root, \"x\")\n"],
    );
}

#[test]
fn a_negated_value_becomes_a_boolean() {
    let fix = |text| fix("attr-non-empty", "a.bzl", text);
    assert_eq!(
        fix("x = attr.label_list(non_empty = not [])\n"),
        "x = attr.label_list(allow_empty = not (not []))\n"
    );
}

#[test]
fn a_format_applies_to_each_value() {
    let args = |call: &str| format!("def f(ctx):\n    args = ctx.actions.args()\n    {call}\n");
    let fix = |call: &str| fix("ctx-args", "a.bzl", &args(call));
    assert_eq!(
        fix("args.add(x, join_with = \",\", format = \"x%s\")"),
        args("args.add_joined(x, join_with = \",\", format_each = \"x%s\")")
    );
    let two = "args.add(x, join_with = \",\", format = \"x%s\", before_each = \"y\")";
    assert_eq!(fix(two), args(two));
}

#[test]
fn an_inner_dictionary_is_sorted_first() {
    let fix = |text: &str| fix("unsorted-dict-items", "a.bzl", text);
    assert_eq!(
        fix("d = {\"b\": {\"d\": 1, \"c\": 2}, \"a\": 1}\n"),
        "d = {\"a\": 1, \"b\": {\"c\": 2, \"d\": 1}}\n"
    );
    assert_eq!(
        fix("d = {\"_z\": 1, \"//conditions:default\": 2, \"b\": 3}\n"),
        "d = {\"b\": 3, \"//conditions:default\": 2, \"_z\": 1}\n"
    );
}
