//! Texts that fuzzing found, and similar ones. All properties of texts must hold for them.

use crate::properties::{hold_of_document, hold_of_text};

const TEXTS: &[&str] = &[
    "external mod m = \"m\" { fn g(x: Int) -> Int }\nfn f() -> Int { g(1) }",
    "external fn f() -> Int = \"a\u{0}\u{1a}\"",
    "fn f(c: Bool) -> Int { if c { 1 } }",
    "fn f() -> Int { (\\-> 1)() }",
    "fn f(xs: Int) -> Int { }",
    "fn f() -> Float { 1.5e3000000001 }",
    "fn f() -> Float { 1; .5e33 }",
    "fn g(a: Int) -> IO + Int { print(\"a\"); a? }\nfn main() -> IO + Unit { let x = { g(1)? }; println(to_string(g(x) + g(2))); }",
    "rec R {\n  // none\n}\nsum S {\n  // none\n}\nrec Q { /* none */ }",
    "fn f(m: Int) -> Int { -m\n!\\x -> m = 2.5e3 }",
    "use geo.{Point}\n\nfn main() -> IO + Unit {\n  println(to_string(Point(1, 2)))\n}\n",
    // Each function may use an unknown type differently, so a repair can be tried on a part of the
    // program.
    "fn f(x: Foo) -> Foo { x }\nfn g() -> Int { f(1) + aa }\nfn h(aab: Int) -> Str { f(\"a\") ++ aabb }",
    "rec R { v: Foo }\nfn g(r: R) -> Int { r.v + 1 }\nfn h(r: R, nme: Str) -> Str { let s = r.v ++ name; s }",
    "type A = Option[Int, Int]\nfn g(a: A) -> Int { match a { Some(n) -> n + 1, None -> nn } }\nfn h(a: A, n: Int) -> Str { a ++ nn }",
    "fn f(o: Option[Int]) -> Int { match o { Somet7 () -> 1, _ -> 0 } }",
    "fn f(b: Int) -> Int { if b == 0 { b } *lse { f(b) } }",
    "fn f(b: Bool) -> Int { let r = { let q = if b { Ok(1) } els  Se { Err(\"s\") }; q }; match r { Ok(n) -> n, Err(_) -> 0 } }",
];

const DOCUMENTS: &[&str] = &[
    r#"{"kind": "program", "declarations": [{"source": "fn f() -> Int { g }"}]}"#,
    r#"{"kind": "program", "declarations": [{"source": "external mod m = \"m\" {}"}]}"#,
];

#[test]
fn properties_hold_for_known_inputs() {
    TEXTS.iter().for_each(|it| hold_of_text(it));
    DOCUMENTS.iter().for_each(|it| hold_of_document(it));
}
