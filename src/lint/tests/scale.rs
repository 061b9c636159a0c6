//! Large and deep files end, with findings or with a clear error: each of these would run for minutes or
//! overflow the stack if a look at the whole file were taken for each of its parts.

mod common;

use common::findings;
use fixpoint_starlark::{FileKind, format, parse_nodes};

const MANY: usize = 100_000;

/// Lints and lays out a text that is well-formed.
fn ends(text: &str) {
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
            // To the right they nest, and are refused beyond a depth.
            " if c else b" => is_refused(&text),
            _ => ends(&text),
        }
    }
    ends(&format!("x = {}\n", vec!["\"s\""; MANY].join(" + ")));
    ends(&"()\n".repeat(MANY));
    ends(&"x = lambda: 1\n".repeat(MANY));
}

fn is_refused(text: &str) {
    let errors = parse_nodes(text).errors;
    let told = errors
        .iter()
        .any(|it| it.to_string().contains("levels deep"));
    assert!(told, "{}: {errors:?}", &text[..40]);
    assert_eq!(findings("a.bzl", text).len(), 0);
}

#[test]
fn deep_nesting_is_refused() {
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
        is_refused(&format!(
            "x = {}1{}\n",
            open.repeat(MANY),
            close.repeat(MANY)
        ));
    }
}

/// They are merged into one load, of which all symbols are unused.
#[test]
fn many_loads_of_one_file() {
    let loads: String = (0..MANY)
        .map(|at| format!("load(\":a.bzl\", \"s{at}\")\n"))
        .collect();
    ends(&loads);
    let merged = format(FileKind::Bzl, "a.bzl", &loads).expect("well-formed");
    assert_eq!(merged.matches("load(").count(), 1);
    ends(&merged);
    assert_eq!(findings("BUILD", &merged).len(), MANY);
}

#[test]
fn many_silenced_findings() {
    let text = "print(1)  # buildifier: disable=print\n".repeat(MANY);
    assert_eq!(findings("BUILD", &text).len(), 0);
    assert_eq!(findings("BUILD", &"print(1)\n".repeat(MANY)).len(), MANY);
}

/// Each target asks where a load for its rule would go, or whether there is one.
#[test]
fn many_targets_of_a_rule_that_has_moved() {
    let load = "load(\"@rules_cc//cc:cc_library.bzl\", \"cc_library\")\n";
    let targets: String = (0..MANY)
        .map(|n| format!("cc_library(name = \"t{n}\", srcs = [\"t{n}.cc\"], deps = [\":x\"])\n"))
        .collect();
    assert_eq!(findings("BUILD", &targets).len(), MANY);
    assert_eq!(findings("BUILD", &format!("{load}{targets}")).len(), 0);
}
