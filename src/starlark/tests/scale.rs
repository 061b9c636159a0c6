//! Formatting large files of every shape takes time linear in their size. Otherwise these tests
//! would run for minutes or overflow the stack.

use fixpoint_starlark::{FileKind, format, parse};

const MANY: usize = 60_000;

fn settles(kind: FileKind, text: &str) -> String {
    let once = format(kind, "x", text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(format(kind, "x", &once).as_ref(), Ok(&once));
    once
}

#[test]
fn many_statements() {
    let text = "cc_library(name = \"a\", deps = [\":c\", \":b\"])  # note\n".repeat(MANY);
    assert_eq!(
        settles(FileKind::Build, &text).lines().count(),
        MANY * 8 - 1
    );
    settles(FileKind::Bzl, &text);
}

#[test]
fn a_list_with_many_elements_and_comments() {
    let elements: String = (0..MANY)
        .map(|n| format!("\"e{}\",  # note\n# above\n", n % 1000))
        .collect();
    settles(FileKind::Build, &format!("f(srcs = [\n{elements}])\n"));
    let elements: String = (0..MANY).map(|n| format!("\"e{}\", ", MANY - n)).collect();
    let sorted = settles(FileKind::Build, &format!("f(srcs = [{elements}])\n"));
    assert!(sorted.find("\"e1\"") < sorted.find("\"e2\""));
}

#[test]
fn long_chains() {
    settles(
        FileKind::Build,
        &format!("x = 1{}\n", " + [2]".repeat(MANY)),
    );
    settles(
        FileKind::Bzl,
        &format!("x = (1{})\n", " +\n a".repeat(MANY)),
    );
    settles(
        FileKind::Bzl,
        &format!("x = a{}\n", ".b(c)[d]".repeat(MANY)),
    );
    settles(
        FileKind::Bzl,
        &format!("if a:\n  b\n{}", "elif c:\n  d\n".repeat(MANY)),
    );
    settles(FileKind::Bzl, &format!("{}x\n", "a; ".repeat(MANY)));
}

#[test]
fn many_loads_and_marks() {
    let loads: String = (0..MANY)
        .map(|n| format!("load(\":f{}.bzl\", \"s{n}\")\n", n % 1000))
        .collect();
    assert!(settles(FileKind::Bzl, &loads).lines().count() < MANY + 2001);
    let alone = "# buildifier: leave-alone\nf(b = 1, a = 2)\n".repeat(MANY);
    settles(FileKind::Build, &alone);
}

#[test]
fn many_syntax_errors() {
    for text in [
        "x = \n",
        "(\n",
        ")\n",
        "f(a b\n",
        "'\n",
        "\"\"\"",
        "if x:\n",
        "\\",
        "# c\n (",
        "def f(:\n  x\n",
    ] {
        let text = text.repeat(MANY);
        let parse = parse(&text);
        assert!(!parse.errors.is_empty());
        assert!(parse.errors.len() < 200);
        assert_eq!(parse.tree.text(), text);
    }
}
