//! Checks that large and deep files are processed quickly, with findings or a clear error. Each of
//! them would run for minutes or overflow the stack if the whole file were examined for each of its
//! parts.

mod common;

use common::findings;
use fixpoint_starlark::{FileKind, format, parse_nodes};

const MANY: usize = 100_000;

/// Lints and formats a well-formed text.
fn is_processed(text: &str) {
    for (path, kind) in [("BUILD", FileKind::Build), ("a.bzl", FileKind::Bzl)] {
        findings(path, text);
        if let Err(errors) = format(kind, path, text) {
            panic!("{}: {}", &text[..40], errors[0]);
        }
    }
}

#[test]
fn long_chains() {
    for link in [
        "()",
        "(1)",
        ".b",
        "[0]",
        "[0:1]",
        ".b(c = 1)",
        " + 1",
        " and b",
        " if c else b",
    ] {
        let text = format!("x = a{}\n", link.repeat(MANY));
        match link {
            // These nest to the right, and are rejected beyond a depth.
            " if c else b" => is_rejected(&text),
            _ => is_processed(&text),
        }
    }
    is_processed(&format!("x = {}\n", vec!["\"s\""; MANY].join(" + ")));
    is_processed(&"()\n".repeat(MANY));
    is_processed(&"x = lambda: 1\n".repeat(MANY));
}

fn is_rejected(text: &str) {
    let errors = parse_nodes(text).errors;
    let is_too_deep = errors
        .iter()
        .any(|it| it.to_string().contains("levels deep"));
    assert!(is_too_deep, "{}: {errors:?}", &text[..40]);
    assert_eq!(findings("a.bzl", text).len(), 0);
}

#[test]
fn deep_nesting_is_rejected() {
    for (open, close) in [
        ("[", "]"),
        ("(", ")"),
        ("{1: ", "}"),
        ("f(", ")"),
        ("a if b else (", ")"),
        ("lambda: ", ""),
        ("-", ""),
        ("not ", ""),
    ] {
        is_rejected(&format!(
            "x = {}1{}\n",
            open.repeat(MANY),
            close.repeat(MANY)
        ));
    }
}

/// The loads are merged into one, all of whose symbols are unused.
#[test]
fn many_loads_of_one_file() {
    let loads: String = (0..MANY)
        .map(|at| format!("load(\":a.bzl\", \"s{at}\")\n"))
        .collect();
    is_processed(&loads);
    let merged = format(FileKind::Bzl, "a.bzl", &loads).expect("well-formed");
    assert_eq!(merged.matches("load(").count(), 1);
    is_processed(&merged);
    assert_eq!(findings("BUILD", &merged).len(), MANY);
}

#[test]
fn many_silenced_findings() {
    let text = "print(1)  # buildifier: disable=print\n".repeat(MANY);
    assert_eq!(findings("BUILD", &text).len(), 0);
    assert_eq!(findings("BUILD", &"print(1)\n".repeat(MANY)).len(), MANY);
}

/// For each target, the rule checks whether there is a load, and where a new one would go.
#[test]
fn many_targets_of_a_rule_that_has_moved() {
    let load = "load(\"@rules_cc//cc:cc_library.bzl\", \"cc_library\")\n";
    let targets: String = (0..MANY)
        .map(|n| format!("cc_library(name = \"t{n}\", srcs = [\"t{n}.cc\"], deps = [\":x\"])\n"))
        .collect();
    assert_eq!(findings("BUILD", &targets).len(), MANY);
    assert_eq!(findings("BUILD", &format!("{load}{targets}")).len(), 0);
}
