//! Texts that fuzzing found, or that are like those: everything that must hold of a text holds of them.

use crate::properties::{hold_of_document, hold_of_text};

const TEXTS: &[&str] = &[
    "external mod m = \"m\" { fn g(x: Int) -> Int }\nfn f() -> Int { g(1) }",
    "external fn f() -> Int = \"a\u{0}\u{1a}\"",
    "fn f(c: Bool) -> Int { if c { 1 } }",
    "fn f() -> Int { (\\-> 1)() }",
    "fn f(xs: Int) -> Int { }",
    "fn f() -> Float { 1.5e3000000001 }",
];

const DOCUMENTS: &[&str] = &[
    r#"{"kind": "program", "declarations": [{"source": "fn f() -> Int { g }"}]}"#,
    r#"{"kind": "program", "declarations": [{"source": "external mod m = \"m\" {}"}]}"#,
];

#[test]
fn what_was_found_holds_now() {
    TEXTS.iter().for_each(|it| hold_of_text(it));
    DOCUMENTS.iter().for_each(|it| hold_of_document(it));
}
