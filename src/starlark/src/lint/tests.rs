use super::{lint, rules};
use crate::kind::FileKind::{self, Build, Bzl, Module};
use crate::parse::parse;

/// The text after the fixes of one rule.
fn fixed(rule: &str, kind: FileKind, text: &str) -> String {
    let findings = lint(kind, &parse(text));
    let of_rule = findings.iter().filter(|finding| finding.rule == rule);
    let mut edits: Vec<_> = of_rule.flat_map(|finding| &finding.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        assert!(at <= edit.span.start(), "edits overlap");
        out.push_str(&text[at..edit.span.start()]);
        out.push_str(&edit.replacement);
        at = edit.span.end();
    }
    out.push_str(&text[at..]);
    assert_eq!(parse(&out).errors, [], "{out}");
    out
}

#[test]
fn rules_are_in_order_and_explain_themselves() {
    assert!(rules().is_sorted_by(|a, b| a.name < b.name));
    assert!(
        rules()
            .iter()
            .all(|rule| !rule.summary.is_empty() && !rule.reason.is_empty())
    );
}

#[test]
fn unused_symbols_go_and_comments_stay() {
    let fix = |text| fixed("load", Bzl, text);
    assert_eq!(
        fix("load(\"m\", \"a\", \"b\")\na()\n"),
        "load(\"m\", \"a\", )\na()\n"
    );
    assert_eq!(
        fix("load(\"m\", \"a\", \"b\", \"c\")\nb()\n"),
        "load(\"m\",  \"b\", )\nb()\n"
    );
    assert_eq!(
        fix("# Licence.\nload(\"m\", \"a\")  # why\nb()\n"),
        "# Licence.\n  # why\nb()\n"
    );
    assert_eq!(
        fix("load(\n  \"m\",\n  # inside\n  \"a\",\n)\nb()\n"),
        "# inside\n\nb()\n"
    );
    for kept in [
        "load(\"m\", \"a\")  # @unused\n",
        "load(\"m\", \"a\", # @unused\n)\n",
        "load(\"m\", \"a\")\nx = a\n",
        "load(\"m\", \"a\")\ndef f(x: a):\n    pass\n",
        "# buildifier: disable=load\nload(\"m\", \"a\")\n",
        "load(\"m\", \"a\"); b()\n",
    ] {
        assert_eq!(fix(kept), kept);
    }
    assert_eq!(fix("load(\"m\", \"a\")\nf(a = 1)\n"), "\nf(a = 1)\n");
}

#[test]
fn package_moves_above_targets_with_its_comments() {
    let fix = |text| fixed("package-on-top", Build, text);
    assert_eq!(
        fix(
            "load(\"m\", \"a\")\n# About a.\na()\n# About package.\npackage(\n    x = 1,\n)  # beside\nb()\n"
        ),
        "load(\"m\", \"a\")\n# About package.\npackage(\n    x = 1,\n)  # beside\n# About a.\na()\nb()\n"
    );
    for kept in [
        "V = 1\na()\npackage(x = V)\n",
        "package()\na()\n",
        "a(); package()\n",
    ] {
        assert_eq!(fix(kept), kept);
    }
}

#[test]
fn native_goes_in_build_files_unless_the_name_is_taken() {
    let fix = |text| fixed("native-build", Build, text);
    assert_eq!(
        fix("native.cc_library(name = \"a\")\n"),
        "cc_library(name = \"a\")\n"
    );
    let taken = "load(\"m\", \"cc_library\")\nnative.cc_library(name = \"a\")\n";
    assert_eq!(fix(taken), taken);
    assert_eq!(fixed("native-build", Bzl, "native.x()\n"), "native.x()\n");
}

#[test]
fn built_in_functions_take_their_arguments_by_position() {
    let fix = |text| fixed("keyword-positional-params", Bzl, text);
    assert_eq!(
        fix("getattr(x = a, name = \"b\", default = c)\n"),
        "getattr(a, \"b\", c)\n"
    );
    assert_eq!(
        fix("int(x = \"13\", base = 8)\n"),
        "int(\"13\", base = 8)\n"
    );
    assert_eq!(fix("len(x = list(x = y))\n"), "len(list(y))\n");
    for kept in [
        "getattr(name = \"b\", x = a)\n",
        "foo(x = 1)\n",
        "def len(x):\n    pass\n\nlen(x = 1)\n",
    ] {
        assert_eq!(fix(kept), kept);
    }
}

#[test]
fn old_variables_become_functions_where_nothing_binds_them() {
    let text = "x = PACKAGE_NAME\n\ndef f(PACKAGE_NAME):\n    return PACKAGE_NAME\n\ny = [PACKAGE_NAME for PACKAGE_NAME in z]\nf(PACKAGE_NAME = 1)\n";
    let want = text.replacen("PACKAGE_NAME", "native.package_name()", 1);
    assert_eq!(fixed("package-name", Bzl, text), want);
    let bound = "REPOSITORY_NAME = 1\nx = REPOSITORY_NAME\n";
    assert_eq!(fixed("repository-name", Bzl, bound), bound);
    assert_eq!(
        fixed("repository-name", Bzl, "x = REPOSITORY_NAME\n"),
        "x = native.repository_name()\n"
    );
}

#[test]
fn old_configurations_are_dropped_or_renamed() {
    let fix = |text| fixed("attr-cfg", Bzl, text);
    assert_eq!(
        fix("attr.label(a = 1, cfg = \"data\")\n"),
        "attr.label(a = 1, )\n"
    );
    assert_eq!(
        fix("attr.label(cfg = \"data\", a = 1)\n"),
        "attr.label( a = 1)\n"
    );
    assert_eq!(
        fix("attr.label(cfg = 'host')\n"),
        "attr.label(cfg = \"exec\")\n"
    );
    assert_eq!(
        fix("attr.label(cfg = \"exec\")\n"),
        "attr.label(cfg = \"exec\")\n"
    );
}

#[test]
fn skylark_is_renamed_in_words_but_not_in_addresses() {
    let fix = |rule, text| fixed(rule, Module, text);
    assert_eq!(
        fix("skylark-comment", "# Skylark, skylark, SKYLARK\n"),
        "# Starlark, starlark, STARLARK\n"
    );
    let address = "# https://bazel.build/skylark/lib and skylark/x\n";
    assert_eq!(fix("skylark-comment", address), address);
    let text = "\"\"\"SkyLark.\"\"\"\nx = \"skylark\"\n";
    assert_eq!(
        fix("skylark-docstring", text),
        text.replace("SkyLark", "Starlark")
    );
}

#[test]
fn single_files_are_allowed_by_the_new_name() {
    let fix = |text| fixed("attr-single-file", Bzl, text);
    assert_eq!(
        fix("attr.label(single_file = True, allow_files = [\".cc\"])\n"),
        "attr.label( allow_single_file = [\".cc\"])\n"
    );
    assert_eq!(
        fix("attr.label(single_file = True)\n"),
        "attr.label(allow_single_file = True)\n"
    );
    assert_eq!(
        fix("attr.label(a = 1, single_file = False)\n"),
        "attr.label(a = 1, )\n"
    );
    assert_eq!(
        fix("attr.label(single_file = x)\n"),
        "attr.label(single_file = x)\n"
    );
}

#[test]
fn output_groups_come_from_their_provider() {
    let fix = |text| fixed("output-group", Bzl, text);
    assert_eq!(
        fix("x = ctx.attr.d.output_group.bin\n"),
        "x = ctx.attr.d[OutputGroupInfo].bin\n"
    );
    assert_eq!(fix("x = ctx.output_group\n"), "x = ctx.output_group\n");
}

#[test]
fn a_comment_silences_a_rule_on_the_lines_of_its_node() {
    let findings = |text| lint(Bzl, &parse(text)).len();
    assert_eq!(findings("len(x = 1)\n"), 1);
    assert_eq!(
        findings("len(x = 1)  # buildifier: disable=keyword-positional-params\n"),
        0
    );
    assert_eq!(
        findings("len(x = 1)  # buildozer: disable=foo,keyword-positional-params\n"),
        0
    );
    assert_eq!(findings("len(x = 1)  # buildifier: disable=load\n"), 1);
    let inside =
        "# buildifier: disable=keyword-positional-params\nf(\n    len(x = 1),\n)\nlen(x = 2)\n";
    assert_eq!(findings(inside), 1);
}
